//! Hamiltone: physical-modelling sound synthesis whose every step keeps its energy books.
//!
//! In the order in which the data flows:
//!
//! 1. [`scene`] – the TOML that a user writes, every error in it at once; [`units`], [`schema`]
//! 2. [`catalogue`] – all that a scene can name: bodies, contact laws, [`drives`], schemes
//! 3. [`resolve`] – names become rows, kinds become parts; [`plan`] – ready to run, in SI
//! 4. [`run`] – drive → step → ledger → sinks; [`sound`] and [`decimate`] – what is heard of it
//! 5. [`sinks`] – WAV, audit, states, report; [`plot`] – their pictures
//! 6. [`reproduce`] – the figures and tables of papers
//!
//! ```
//! use hamiltone::{run::run, scene::Scene};
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

pub mod catalogue;
pub mod decimate;
pub mod drives;
pub mod plan;
pub mod plot;
pub mod reproduce;
pub mod resolve;
pub mod run;
pub mod scene;
pub mod schema;
pub mod sinks;
pub mod sound;
pub mod units;
pub mod watch;

pub use hamiltone_bodies as bodies;
pub use hamiltone_core as core;
pub use hamiltone_elements as contacts;
pub use hamiltone_schemes as schemes;
