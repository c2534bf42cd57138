//! Hamiltone: physical-modelling sound synthesis with an energy balance checked at every step.
//!
//! In the order in which the data flows: [`core`] holds the assembled system and the contracts, [`bodies`] and
//! [`elements`] add themselves to it, [`schemes`] step it. With the features `scene`, `render` and `report` come the
//! TOML scenes, the run loop with its files, and the plots.

pub use hamiltone_bodies as bodies;
pub use hamiltone_core as core;
pub use hamiltone_elements as elements;
pub use hamiltone_numerics as numerics;
pub use hamiltone_schemes as schemes;

#[cfg(feature = "render")]
pub use hamiltone_render as render;
#[cfg(feature = "report")]
pub use hamiltone_report as report;
#[cfg(feature = "scene")]
pub use hamiltone_scene as scene;
