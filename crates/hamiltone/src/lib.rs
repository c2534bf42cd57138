//! Physical-modelling sound synthesis with an energy balance that is always checked.
//!
//! Hamiltone computes the sound of vibrating bodies in contact: a string over a fret, a hammer on a bar, a
//! reed against its lay. Bodies, contacts and inputs are assembled into one constant mechanical system
//!
//! ```text
//! M q̈ + R q̇ + K q + Σⱼ cⱼ fⱼ = B u(t)
//! ```
//!
//! and a published structure-preserving scheme steps it. Each step returns the energy that is stored, dissipated and
//! supplied, in J; their balance closes to rounding error, or within the bound that the scheme claims.
//!
//! # Tour
//!
//! 1. [`core::system::System`] is the mechanical system, constant data: masses, stiffness and damping, contacts, inputs,
//!    outputs, initial conditions. A linear functional c·q of its coordinates is a [`core::row::Row`]: the displacement
//!    of a point of a body, or the distance between two.
//! 2. [`bodies`] add their coordinates to a system and turn places ("0.126 m from the end") into rows.
//! 3. [`elements`] are the force laws of contacts between two rows.
//! 4. [`schemes`] are time-stepping methods. Each accepts a system and a time step Δt, or refuses them with a reason and
//!    numbers, and returns a [`core::simulation::Simulation`]. A step neither allocates nor fails: what goes wrong is reported in its ledger.
//! 5. [`core::audit::Audit`] adds the ledgers up and checks the balance.
//! 6. [`numerics`] are the algorithms behind, each named by its usual name.
//!
//! # A struck bar
//!
//! ```
//! use hamiltone::{
//!     bodies::{Mass, Oscillator},
//!     core::{
//!         audit::Audit,
//!         body::Body,
//!         element::Element,
//!         geometry::Place,
//!         ledger::Bookkeeping,
//!         simulation::run_block,
//!         system::{Output, Quantity, System},
//!     },
//!     elements::hertz,
//!     schemes,
//! };
//!
//! // One mode of a bar (80 g, 440 Hz, damping 6 1/s), and a mallet of 20 g that moves towards it at 2 m/s.
//! let mut system = System::default();
//! let bar = Oscillator::new(0.08, std::f64::consts::TAU * 440.0)?.damped(6.0)?.add_to(&mut system, "bar")?;
//! let mallet = Mass::new(0.02)?.with_initial(0.001, -2.0)?.add_to(&mut system, "mallet")?;
//!
//! // A Hertzian contact where the bar is above the mallet.
//! let (bar, mallet) = (bar.row(Place::Whole)?, mallet.row(Place::Whole)?);
//! let felt = hertz(5e7)?.at_gap(0.0).with_loss(0.2)?;
//! system.elements.push(Element::new("felt", bar.minus(&mallet), felt.gap, felt.law));
//! system.outputs.push(Output { name: "bar".into(), quantity: Quantity::Velocity(bar) });
//!
//! // 10 ms at 48 kHz by the energy-conserving scheme.
//! let scheme = schemes::named("ec").ok_or("no such scheme")?;
//! let mut stepper = scheme.prepare(&system, 1.0 / 48_000.0)?;
//! let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
//! let mut sound = [0.0; 480];
//! run_block(&mut stepper, &[], &mut sound, 480, &|_| Bookkeeping::Full, &mut |ledger| audit.post(ledger));
//!
//! assert!(sound.iter().any(|velocity| velocity.abs() > 0.1));
//! assert!(audit.ok(0.0) && audit.dissipated > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! Without features this is the numerical library alone.
//!
//! | feature | module | what it adds |
//! |---|---|---|
//! | `scene` | `hamiltone::scene` | instruments as TOML texts with units, checked and resolved into a plan |
//! | `render` | `hamiltone::render` | the run loop; WAV, energy audit and states as files (implies `scene`) |
//! | `play` | `hamiltone::play` | instruments that are played: notes, MIDI files, an engine (implies `render`) |
//! | `report` | `hamiltone::report` | plots and HTML reports (implies `render`) |
//!
//! The program `hamiltone` is the crate `hamiltone-cli`.

pub use hamiltone_bodies as bodies;
pub use hamiltone_core as core;
pub use hamiltone_elements as elements;
pub use hamiltone_numerics as numerics;
pub use hamiltone_schemes as schemes;

/// With the feature `play`: instruments that are played, live or from a MIDI file.
///
/// ```
/// use hamiltone::{play::Engine, scene::instrument::Instrument};
///
/// let text = r#"
///     hamiltone = 2
///     [instrument]
///     keys = ["A4"]
///     [key.body.fork]
///     kind = "oscillator"
///     mass = "2 g"
///     frequency = "{frequency} Hz"
///     [key.pickup.fork]
///     at = "fork"
///     [[note_on]]
///     gesture = "strike"
///     at = "fork"
///     speed = "{velocity} m/s"
/// "#;
/// let instrument = Instrument::new(text, "fork.toml", ".".as_ref(), &[]).plan(48_000.0, None)?;
/// let mut engine = Engine::new(&instrument)?;
/// engine.note_on(69, 1.0);
/// let mut block = [0.0_f32; 128 * 2];
/// engine.render(&mut block);
/// assert!(engine.is_balanced());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "play")]
pub use hamiltone_play as play;

/// With the feature `render`: plans are run into a sound and into files.
///
/// ```
/// use hamiltone::{render::run, scene::Scene};
///
/// let text = r#"
///     hamiltone = 1
///     [run]
///     scheme = "ec"
///     duration = "10 ms"
///     [body.fork]
///     kind = "oscillator"
///     mass = "2 g"
///     frequency = "440 Hz"
///     velocity = "1 m/s"
///     [pickup.left]
///     at = "fork"
/// "#;
/// let plan = Scene::new(text, "fork.toml", ".".as_ref(), &[]).plan()?;
/// let outcome = run(&plan, &mut [], &mut |_, _| {})?;
/// assert!(outcome.ok);
/// assert_eq!(outcome.sound.channel(0)?.len(), 441);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "render")]
pub use hamiltone_render as render;

/// With the feature `report`: charts as SVG, and a run as one HTML page.
///
/// ```
/// use hamiltone::report::plot::{Axis, Chart, svg};
///
/// let t: Vec<f64> = (0..100).map(|n| f64::from(n) * 1e-4).collect();
/// let force = t.iter().map(|t| 0.2 * (500.0 * t).sin()).collect();
/// let chart = Chart::new("Contact force", Axis::new("time", "s"), Axis::new("force", "N"));
/// assert!(svg(&chart.line("", t, force)).contains("time (ms)"));
/// ```
#[cfg(feature = "report")]
pub use hamiltone_report as report;

/// With the feature `scene`: instruments as TOML texts. All errors are reported at once, with line and column.
///
/// ```
/// use hamiltone::scene::Scene;
///
/// let text = r#"
///     hamiltone = 1
///     [run]
///     scheme = "ec"
///     duration = "10 ms"
///     [body.fork]
///     kind = "oscillator"
///     mass = "2 gram"
///     frequncy = "440 Hz"
///     [pickup.left]
///     at = "fork"
/// "#;
/// let errors = Scene::new(text, "fork.toml", ".".as_ref(), &[]).plan().err().ok_or("no error")?.to_string();
/// assert!(errors.contains("fork.toml:8:12:") && errors.contains("did you mean `frequency`?"), "{errors}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "scene")]
pub use hamiltone_scene as scene;
