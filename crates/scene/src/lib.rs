//! Scenes of Hamiltone: from the TOML text that a user writes to a plan that is ready to run.
//!
//! In the order in which the data flows:
//!
//! 1. [`document`] – the text, its sections and values with their spans; every error at once; [`units`]
//! 2. [`limits`] – how much a scene may ask for; [`catalogue`] – all that a scene can name: bodies, contact laws, [`drives`], gestures, schemes
//! 3. [`resolve`] – names become rows, kinds become parts; the result is a [`plan`]
//! 4. [`instrument`] – a scene that is played; [`performance`] – what is played on it, as a text
//! 5. [`schema`] – the JSON Schema of scenes, for editors
//!
//! ```
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
//! assert_eq!(plan.frames, 441);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod catalogue;
pub mod digest;
pub mod document;
pub mod drives;
pub mod instrument;
pub mod limits;
pub mod performance;
pub mod resolve;
pub mod scene;
pub mod schema;
pub mod units;

pub use hamiltone_gestures as gestures;
pub use hamiltone_plan::{self as plan, Plan};

pub use document::{diagnostics::Diagnostics, problem::Problem, set::Set};
pub use limits::Limits;
pub use scene::Scene;
