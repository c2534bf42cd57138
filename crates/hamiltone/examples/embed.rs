//! A system built in code, stepped in blocks, its ledger read: what a plugin or game engine would do.
//!
//! A mallet falls on a bar that is damped and sprung; the bar's velocity is the sound.

use hamiltone::{
    bodies::{Mass, Oscillator},
    core::{
        audit::Audit,
        body::Body,
        element::Element,
        geometry::Place,
        ledger::Bookkeeping,
        simulation::run_block,
        system::{Output, Quantity, System},
    },
    elements::hertz,
    schemes,
};
use std::error::Error;

const RATE: f64 = 48_000.0;
const BLOCK: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    // The model is data: bodies add themselves, a contact is a row between two places.
    let mut system = System::default();
    let bar =
        Oscillator::new(0.08, std::f64::consts::TAU * 440.0)?.damped(6.0)?.add_to(&mut system, "bar")?;
    let mallet = Mass::new(0.02)?.starting(0.001, -2.0)?.add_to(&mut system, "mallet")?;
    let (on_bar, on_mallet) = (bar.row(Place::Whole)?, mallet.row(Place::Whole)?);
    // The bar is under the mallet: it touches where bar − mallet > 0.
    let touch = hertz(5e7)?.at_gap(0.0).with_loss(0.2)?;
    system.elements.push(Element::new("felt", on_bar.minus(&on_mallet), touch.gap, touch.law));
    system.outputs.push(Output { name: "bar".into(), quantity: Quantity::Velocity(on_bar) });

    // The scheme is code: it prepares a stepper, or refuses with the reason and numbers.
    let scheme = schemes::named("ec").expect("`ec` is in the catalogue");
    let mut stepper = scheme.prepare(&system, 1.0 / RATE)?;

    // The audio callback: blocks of steps, the energy balance added up as they come. This system has no
    // inputs, so the input slice is empty; with k inputs it holds k·(BLOCK + 1) values.
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    let mut sound = [0.0; BLOCK];
    let mut peak: f64 = 0.0;
    for _ in 0..(RATE as usize / BLOCK) {
        run_block(&mut stepper, &[], &mut sound, BLOCK, &|_| Bookkeeping::Full, &mut |ledger| {
            audit.post(ledger)
        });
        peak = sound.iter().fold(peak, |peak, x| peak.max(x.abs()));
    }

    println!("peak velocity {peak:.3} m/s after {} steps", audit.steps);
    println!(
        "stored {:.3e} J of {:.3e} J, dissipated {:.3e} J",
        audit.energy_final, audit.energy_initial, audit.dissipated
    );
    println!(
        "residual {:.1} eps of the energy (allowed {:.0} eps)",
        audit.residual_max_relative() / f64::EPSILON,
        audit.tolerance(0.0) / f64::EPSILON
    );
    if audit.ok(0.0) { Ok(()) } else { Err("the balance does not hold".into()) }
}
