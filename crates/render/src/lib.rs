//! Renders plans of Hamiltone: the run loop and the files that it writes.
//!
//! In the order in which the data flows:
//!
//! 1. [`mod@run`] – the loop: drive → step → ledger → sinks; [`observe`] – contacts and physical energy
//! 2. [`sound`] – the pickups at the sample rate; [`spool`] – in memory or on disk; [`mix`] – the
//!    channels of files
//! 3. [`edges`] and [`drift`] – how a sound begins and ends, how far free bodies went; [`passivity`] – whether a run gained
//!    energy; [`tuning`] and [`loss`] – how its partials sound and decay by theory; [`verdict`]; [`outcome`] – the results
//! 4. [`sink`] – the contract of outputs; [`target`], [`mod@file`], [`commit`], [`error`] and [`totals`] – what they share;
//!    [`distinct`] – no output takes the place of an input
//! 5. [`sinks`] – WAV, FLAC, energy audit, states
//! 6. [`mod@forecast`] – memory and space that a run will need
//! 7. [`options`] – runs of any length: samples on disk, interruptions; [`prepared`] – what runs of a study share; [`checkpoint`] – runs that another process continues
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
//! A force law of one's own needs no name in scenes: it is added to the elements of the plan, between rows of its bodies. Any scheme that covers
//! compliant laws steps it.
//!
//! ```
//! # use hamiltone_scene::Scene;
//! use hamiltone_core::{element::{Compliant, Element, Law}, geometry::Place, identity::Identity, potential::Potential};
//!
//! /// V = K d (x − d ln(1 + x/d)) of x > 0: a force K x/(1 + x/d) that yields.
//! #[derive(Debug)]
//! struct Yielding { stiffness: f64, depth: f64 }
//!
//! impl Potential for Yielding {
//!     fn energy(&self, x: f64) -> f64 {
//!         let (x, d) = (x.max(0.0), self.depth);
//!         self.stiffness * d * (x - d * hamiltone_numerics::math::log(1.0 + x / d))
//!     }
//!     fn force(&self, x: f64) -> f64 {
//!         self.stiffness * x.max(0.0) / (1.0 + x.max(0.0) / self.depth)
//!     }
//!     fn curvature(&self, x: f64) -> f64 {
//!         if x > 0.0 { self.stiffness / (1.0 + x / self.depth).powi(2) } else { 0.0 }
//!     }
//!     fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
//!         // Not to rounding where s is small: a law that is to pass a strict audit gives it in closed form.
//!         if s.abs() < 1e-9 * self.depth {
//!             return (self.force(x + 0.5 * s), 0.5 * self.curvature(x + 0.5 * s));
//!         }
//!         let mean = (self.energy(x + s) - self.energy(x)) / s;
//!         (mean, ((self.force(x + s) - mean) / s).max(0.0))
//!     }
//!     fn identity(&self) -> Identity {
//!         Identity::of("yielding").number(self.stiffness).number(self.depth)
//!     }
//!     fn onset(&self) -> f64 {
//!         0.0
//!     }
//! }
//!
//! # let text = "hamiltone = 1\n[run]\nscheme = \"ec\"\nduration = \"10 ms\"\n[body.hammer]\nkind = \"mass\"\nmass = \"5 g\"\n\
//! #     velocity = \"1 m/s\"\n[pickup.left]\nat = \"hammer\"\n";
//! let mut plan = Scene::new(text, "hammer", ".".as_ref(), &[]).plan()?;
//! let hammer = plan.bodies[0].placed.row(Place::Whole)?;
//! let law = Law::Compliant(Compliant::new(Yielding { stiffness: 1e5, depth: 1e-3 }));
//! plan.system.elements.push(Element::new("felt", hammer, 0.0, law));
//! let outcome = hamiltone_render::run(&plan, &mut [], &mut |_, _| {})?;
//! let left = outcome.sound.channel(0)?;
//! assert!(left.iter().any(|x| *x > 1e-4) && left.last() < Some(&0.0), "thrown back");
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

pub mod cascade;
pub mod checkpoint;
pub mod commit;
pub mod distinct;
pub mod drift;
pub mod edges;
pub mod error;
pub mod file;
pub mod forecast;
mod inputs;
mod locate;
pub mod loss;
pub mod loudness;
pub mod mix;
pub mod mode_coordinates;
pub mod observe;
pub mod options;
pub mod outcome;
pub mod passivity;
pub mod physical;
mod place;
pub mod prepared;
mod recorder;
pub mod run;
mod seal;
pub mod sink;
pub mod sinks;
pub mod sound;
pub mod spool;
pub mod stretching;
pub mod target;
mod temporary;
pub mod totals;
pub mod tuning;
pub mod verdict;

pub use checkpoint::Checkpoint;
pub use file::Staged;
pub use options::Options;
pub use outcome::Outcome;
pub use prepared::Prepared;
pub use run::{RunError, run, run_with};
pub use sink::{Block, Sink, SinkError};
pub use sound::Sound;
pub use target::Ending;
pub use temporary::remove_unfinished;
