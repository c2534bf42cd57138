//! Renders plans of Hamiltone: the run loop and the files that it writes.
//!
//! In the order in which the data flows:
//!
//! 1. [`mod@run`] – the loop: drive → step → ledger → sinks; [`observe`] – contacts and physical energy
//! 2. [`sound`] and [`decimate`] – the pickups at the sample rate; [`spool`] – in memory or on disk
//! 3. [`passivity`] – whether a run gained energy; [`tuning`] – how far it sounds from theory; [`verdict`]; [`outcome`] – the
//!    results of a run
//! 4. [`sink`] – the contract of outputs; [`target`], [`mod@file`], [`commit`], [`error`] and [`totals`] – what they share
//! 5. [`sinks`] – WAV, energy audit, states
//! 6. [`mod@forecast`] – memory and space that a run will need
//! 7. [`options`] – runs of any length: samples on disk, interruptions; [`checkpoint`] – runs that another process continues
//!
//! [`run()`] keeps the samples of the sound in memory, 8 bytes each, so that they can be used when it returns:
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
//! assert_eq!(outcome.sound.channel(0)?.len(), 441);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`run_with`] keeps them in a temporary file where it is told so: the memory of a run then does not depend on its
//! duration. [`sound::Sound::for_each`] and [`sound::Sound::part`] read them in parts.
//!
//! ```
//! use hamiltone_render::{Options, options::Storage, run_with};
//! # use hamiltone_scene::Scene;
//! # let text = "hamiltone = 1\nrun = { scheme = \"ec\", duration = \"10 ms\" }\n[body.fork]\nkind = \"oscillator\"\n\
//! #     mass = \"2 g\"\nfrequency = \"440 Hz\"\nvelocity = \"1 m/s\"\n[pickup.left]\nat = \"fork\"\n";
//! # let plan = Scene::new(text, "fork", ".".as_ref(), &[]).plan()?;
//! let options = Options { storage: Storage::Beside(std::env::temp_dir().join("fork.wav")), ..Options::default() };
//! let sound = run_with(&plan, &mut [], &mut |_, _| {}, options)?.sound;
//! assert_eq!(sound.part(0, 100..110)?.len(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

pub mod checkpoint;
pub mod commit;
pub mod decimate;
pub mod drift;
pub mod edges;
pub mod error;
pub mod file;
pub mod forecast;
mod inputs;
pub mod observe;
pub mod options;
pub mod outcome;
pub mod passivity;
pub mod physical;
mod recorder;
pub mod run;
mod seal;
pub mod sink;
pub mod sinks;
pub mod sound;
pub mod spool;
pub mod target;
mod temporary;
pub mod totals;
pub mod tuning;
pub mod verdict;

pub use checkpoint::Checkpoint;
pub use file::Staged;
pub use options::Options;
pub use outcome::Outcome;
pub use run::{RunError, run, run_with};
pub use sink::{Block, Sink, SinkError};
pub use sound::Sound;
pub use target::Ending;
pub use temporary::remove_unfinished;
