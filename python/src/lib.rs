//! The extension module `hamiltone._hamiltone`: scenes, their renders and their steps for Python.
//!
//! 1. `values` – Python's values as TOML
//! 2. `errors` – what is wrong with a scene, as exceptions with file, line and field
//! 3. `scene` – a scene, its changes, its plan; `checked` – what is known of it before a render
//! 4. `running` – what every long call shares: the interpreter is left to others, Ctrl-C ends it
//! 5. `rendered` – the outcome of a render as arrays
//! 6. `simulation` – blocks of steps
//! 7. `instrument` – an instrument that plays songs, and its survey; `performed` – what it played; `engine` – block by block
//! 8. `study` – sweeps and comparisons; `analysis` – partials of any sound
//!
//! The classes that users meet are written in Python on top of these (`python/hamiltone`).

mod analysis;
mod checked;
mod engine;
mod errors;
mod instrument;
mod performed;
mod rendered;
mod running;
mod scene;
mod simulation;
mod study;
mod values;

use pyo3::prelude::*;

/// The module.
#[pymodule(name = "_hamiltone")]
mod module {
    #[pymodule_export]
    use crate::analysis::{partials, quantity};
    #[pymodule_export]
    use crate::engine::{Engine, Parameter};
    #[pymodule_export]
    use crate::errors::{RenderError, SceneError};
    #[pymodule_export]
    use crate::instrument::Instrument;
    #[pymodule_export]
    use crate::performed::Performed;
    #[pymodule_export]
    use crate::rendered::Rendered;
    #[pymodule_export]
    use crate::scene::Scene;
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::study::{Sweep, compare};
    use pyo3::prelude::*;

    /// The licence notices of all that is linked in.
    #[pyfunction]
    fn licenses() -> &'static str {
        hamiltone_study::notices::NOTICES
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
