//! Scenes of Hamiltone: from the TOML text that a user writes to a plan that is ready to run.
//!
//! In the order in which the data flows:
//!
//! 1. [`document`] – the text, its sections and values with their spans; every error at once; [`units`], [`note`]
//! 2. [`limits`] – how much a scene may ask for; [`catalogue`] – all that a scene can name: bodies, contact laws, [`drives`], [`gestures`], schemes
//! 3. [`score`] – gestures over time; [`resolve`] – names become rows, kinds become parts
//! 4. [`plan`] – the result, in SI units; [`output`] – how its pickups become the channels of files
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
pub mod gestures;
pub mod instrument;
pub mod limits;
pub mod note;
pub mod output;
pub mod plan;
pub mod resolve;
pub mod scene;
pub mod schema;
pub mod score;
pub mod units;

pub use document::{diagnostics::Diagnostics, problem::Problem, set::Set};
pub use limits::Limits;
pub use plan::Plan;
pub use scene::Scene;
