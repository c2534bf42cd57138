//! Renders plans of Hamiltone: the run loop and the files that it writes.
//!
//! In the order in which the data flows:
//!
//! 1. [`mod@run`] – the loop: drive → step → ledger → sinks; [`observe`] – contacts and physical energy
//! 2. [`sound`] and [`decimate`] – the pickups at the sample rate
//! 3. [`passivity`] – whether a run gained energy; [`outcome`] – the results of a run
//! 4. [`sink`] – the contract of outputs; [`mod@file`], [`commit`], [`error`] and [`totals`] – what they share
//! 5. [`sinks`] – WAV, energy audit, states
//! 6. [`mod@forecast`] – memory and space that a run will need
//!
//! ```
//! use hamiltone_render::run;
//! use hamiltone_scene::Scene;
//!
//! let text = r#"
//!     hamiltone = 1
//!     [run]
//!     scheme = "ec"
//!     duration = "10 ms"
//!     [body.fork]
//!     kind = "oscillator"
//!     mass = "2 g"
//!     frequency = "440 Hz"
//!     velocity = "1 m/s"
//!     [pickup.left]
//!     at = "fork"
//! "#;
//! let plan = Scene::new(text, "fork", ".".as_ref(), &[]).plan()?;
//! let outcome = run(&plan, &mut [], &mut |_, _| {})?;
//! assert!(outcome.ok);
//! assert_eq!(outcome.sound.frames(), 441);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

pub mod commit;
pub mod decimate;
pub mod error;
pub mod file;
pub mod forecast;
pub mod observe;
pub mod outcome;
pub mod passivity;
pub mod run;
pub mod sink;
pub mod sinks;
pub mod sound;
mod temporary;
pub mod totals;

pub use file::Staged;
pub use outcome::Outcome;
pub use run::{RunError, run};
pub use sink::{Block, Sink, SinkError};
pub use temporary::remove_unfinished;
