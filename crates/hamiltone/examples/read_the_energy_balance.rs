//! Where the energy of a struck string goes: the ledger of every step, added up.
//!
//!   stored(n+1) − stored(n) + dissipated − supplied − contact work = 0
//!
//! A hammer with a lossy felt strikes a string that decays; from 30 ms to 70 ms a periodic force drives it.

use hamiltone::bodies::{Mass, StiffString};
use hamiltone::core::{audit::Audit, body::Body, element::Element, geometry::Place};
use hamiltone::core::{input::Input, ledger::Bookkeeping, system::System};
use hamiltone::{elements::Power, numerics::math::sin, schemes};
use std::{error::Error, f64::consts::TAU};

const RATE: usize = 48_000;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut system = System::default();
    // 62 cm, 6 g/m, 670 N; losses d₁ (1/s) and d₃ (m²/s).
    let string = StiffString::new(0.62, 6e-3, 670.0)?.damped(1.1, 2.7e-4)?.on_grid(100)?;
    let string = string.add_to(&mut system, "string")?;
    let hammer = Mass::new(3e-3)?.with_initial(-1e-4, 3.0)?.add_to(&mut system, "hammer")?;
    let (on_string, on_hammer) = (string.row(Place::Fraction(0.12))?, hammer.row(Place::Whole)?);
    // The felt is compressed where hammer − string > 0.
    let felt = Power::new(4e8, 2.3)?.at_gap(0.0).with_loss(0.3)?;
    system.elements.push(Element::new("felt", on_hammer.minus(&on_string), felt.gap, felt.law));
    system.inputs.push(Input::force("exciter", string.row(Place::Fraction(0.3))?));

    let mut simulation = schemes::named("ec").ok_or("no `ec`")?.prepare(&system, 1.0 / RATE as f64)?;
    let mut audit = Audit::open(simulation.reset(&[0.0]), simulation.balance());
    println!("   time     stored   dissipated   supplied   residual   (J)");
    for n in 0..RATE / 10 {
        // 0.5 N at the lowest partial. A step takes the inputs at its start and at its end.
        let force = |n: usize| {
            let t = n as f64 / RATE as f64;
            if (0.03..0.07).contains(&t) { 0.5 * sin(TAU * 269.5 * t) } else { 0.0 }
        };
        let ledger = simulation.step(&[force(n), force(n + 1)], Bookkeeping::Full);
        if !audit.post(&ledger) {
            return Err(format!("step {}: {:?}", n + 1, ledger.effort.fault).into());
        }
        if (n + 1) % (RATE / 100) == 0 {
            let (stored, dissipated, supplied) = (audit.energy_final, audit.dissipated, audit.supplied);
            println!(
                "{:4} ms {stored:10.6} {dissipated:12.6} {supplied:10.6} {:10.1e}",
                (n + 1) * 1000 / RATE,
                audit.residual
            );
        }
    }
    // The tolerance follows from the number of steps: what rounding may leave, and no more.
    println!(
        "largest residual {:.1e} of the energy (tolerance {:.1e})",
        audit.residual_max_relative(),
        audit.tolerance(0.0)
    );
    if audit.ok(0.0) { Ok(()) } else { Err("the energy balance does not hold".into()) }
}
