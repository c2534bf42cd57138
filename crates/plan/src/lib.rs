//! What is ready to run: a scene or an instrument, resolved and checked, in SI units. Nothing here knows TOML, units or files.
//!
//! 1. [`mod@format`] – which meaning the keys of the scene had; [`output`] – how its pickups become the channels of files
//! 2. [`plan`] – a [`Plan`]: the system, the scheme, drives, pickups
//! 3. [`control_curve`], [`notes`] – what notes and pedals do; [`parameter`] – what a player moves; [`instrument`] – a plan that is played
//! 4. `stored`, a feature – an instrument as bytes
//! 5. [`mix`] – the gains from pickups to channels; [`high_pass`], [`decimate`] – the filters before them

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

pub mod control_curve;
pub mod decimate;
pub mod format;
pub mod high_pass;
pub mod instrument;
pub mod magnet;
pub mod mix;
pub mod notes;
pub mod output;
pub mod parameter;
pub mod pickup_filter;
pub mod plan;
#[cfg(feature = "stored")]
pub mod stored;

pub use format::Format;
pub use hamiltone_gestures::Signal;
pub use output::{BusPlan, Channels, FullScale, Level, OutputPlan, PickupMix, SampleFormat, Tremolo};
pub use plan::{
    Along, BodyPlan, ContactPlan, Drive, FreeBody, Pickup, Plan, ReducedMode, ReducedPlan, audible,
};
