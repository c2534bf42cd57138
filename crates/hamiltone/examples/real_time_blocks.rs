//! An audio callback: blocks of samples without allocation, notes as impulses, a control that moves while it runs, and
//! a state that is saved and continued.
//!
//! A string is struck, muted by the palm, and struck again. What a plugin or a game engine does is in [`Voice`].

use hamiltone::bodies::StiffString;
use hamiltone::core::system::{Output, Quantity, System};
use hamiltone::core::{audit::Audit, body::Body, element::Element, geometry::Place};
use hamiltone::core::{input::Input, ledger::Bookkeeping, row::Row};
use hamiltone::core::{saved::Saved, simulation::Simulation, simulation::run_block};
use hamiltone::{elements::LinearDamper, schemes};
use std::error::Error;

const RATE: f64 = 48_000.0;
const BLOCK: usize = 64;

/// One string that is played. Everything is allocated when it is built.
struct Voice {
    simulation: Simulation,
    audit: Audit,
    /// Where the string is struck.
    strike: Row,
    /// The resistance of the palm now, N s/m.
    palm: f64,
    /// The resistance at the BLOCK + 1 step ends of a block.
    input: [f64; BLOCK + 1],
    output: [f64; BLOCK],
}

impl Voice {
    fn new() -> Result<Self, Box<dyn Error>> {
        // The model is data: a string, a damper on it, an input that controls the damper, an output.
        let mut system = System::default();
        let string = StiffString::new(0.65, 4e-3, 82.0)?.damped(1.2, 2e-4)?.on_grid(80)?;
        let string = string.add_to(&mut system, "string")?;
        let palm = LinearDamper.with_resistance(0.0);
        let at_palm = string.row(Place::Length(0.63))?;
        system.elements.push(Element::new("palm", at_palm, palm.gap, palm.law));
        system.inputs.push(Input::control("hand", 0..1));
        let velocity = Quantity::Velocity(string.row(Place::Length(0.6))?);
        system.outputs.push(Output { name: "bridge".into(), quantity: velocity });

        // The scheme is code: it prepares a simulation, or refuses with the reason and numbers.
        let mut simulation = schemes::named("ec").ok_or("no `ec`")?.prepare(&system, 1.0 / RATE)?;
        let audit = Audit::open(simulation.reset(&[0.0]), simulation.balance());
        let strike = string.row(Place::Fraction(0.2))?;
        Ok(Self { simulation, audit, strike, palm: 0.0, input: [0.0; BLOCK + 1], output: [0.0; BLOCK] })
    }

    /// A note: an impulse, N s. The next ledger books its energy as supplied.
    fn note_on(&mut self, impulse: f64) {
        self.simulation.impulse(&self.strike, impulse);
    }

    /// The audio callback: one block, while the palm's resistance goes straight to `palm`, N s/m.
    fn process(&mut self, palm: f64, samples: &mut [f32; BLOCK]) {
        let (from, way) = (self.palm, palm - self.palm);
        let resistance = |n: usize| from + way * n as f64 / BLOCK as f64;
        self.input.iter_mut().enumerate().for_each(|(n, u)| *u = resistance(n));
        self.palm = palm;
        let Self { simulation, audit, input, output, .. } = self;
        // With `Bookkeeping::Flows` but every 64th step it is faster; with the full one the balance is known at every instant.
        run_block(simulation, input, output, BLOCK, &|_| Bookkeeping::Full, &mut |ledger| audit.post(ledger));
        samples.iter_mut().zip(output).for_each(|(sample, velocity)| *sample = 0.1 * *velocity as f32);
    }
}

/// Half a second; the peak of its last block.
fn half_a_second(voice: &mut Voice, palm: f64) -> f32 {
    let mut samples = [0.0; BLOCK];
    (0..375).for_each(|_| voice.process(palm, &mut samples));
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut voice = Voice::new()?;
    voice.note_on(2e-3);
    let open = half_a_second(&mut voice, 0.0);
    let muted = half_a_second(&mut voice, 2.0);
    println!("after half a second {open:.4}, muted for another {muted:.6} of full scale");

    // Bytes: a preset, an undo step, the same note in another process.
    let bytes = voice.simulation.save().to_bytes();
    let mut again = Voice::new()?;
    again.simulation.restore(&Saved::from_bytes(&bytes)?)?;
    again.palm = voice.palm;
    let sound = [&mut voice, &mut again].map(|voice| {
        voice.note_on(1e-3);
        half_a_second(voice, 0.0)
    });
    println!("continued from {} bytes: {:.9} and {:.9}", bytes.len(), sound[0], sound[1]);

    println!(
        "largest energy residual {:.1e} (tolerance {:.1e})",
        voice.audit.residual_max_relative(),
        voice.audit.tolerance(0.0)
    );
    let holds = voice.audit.ok(0.0) && muted < 0.1 * open && sound[0].to_bits() == sound[1].to_bits();
    if holds { Ok(()) } else { Err("the balance, the palm or the saved state is wrong".into()) }
}
