//! Two equal strings on one bridge, one of them sounding: the bridge carries its motion to the other and back.
//!
//! Their motions in phase bend the bridge and are lower than those in opposite phase, which leave it at rest. Both sound
//! at once and beat: after half a period of the beat all the motion is in the other string (Weinreich 1977).

use hamiltone::bodies::{End, Oscillator, StiffString, link};
use hamiltone::core::body::{Body, InitialMotion, Placed, Support};
use hamiltone::core::geometry::{Place, Position};
use hamiltone::core::simulation::run_block;
use hamiltone::core::system::{Output, Quantity, System};
use hamiltone::core::{audit::Audit, ledger::Bookkeeping};
use hamiltone::{numerics::math::sin, schemes};
use std::{error::Error, f64::consts::PI};

const RATE: usize = 44_100;
const LENGTH: f64 = 0.65;

/// A string that is held at the left and free at the right, where a stiff link holds it to the bridge.
fn string(system: &mut System, name: &str, bridge: &Placed) -> Result<Placed, Box<dyn Error>> {
    let string = StiffString::new(LENGTH, 1e-3, 65.0)?.with_ends([End::Hinged, End::Free]).on_grid(60)?;
    let string = string.add_to(system, name)?;
    let saddle = string.row(Place::Fraction(1.0))?.minus(&bridge.row(Place::Whole)?);
    link::add_to(system, name, saddle, 1e6, 0.0)?;
    let velocity = Quantity::Velocity(string.row(Place::Fraction(0.5))?);
    system.outputs.push(Output { name: name.into(), quantity: velocity });
    Ok(string)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut system = System::default();
    let bridge = Oscillator::with_stiffness(2e-3, 5e4)?.add_to(&mut system, "bridge")?;
    let first = string(&mut system, "first", &bridge)?;
    string(&mut system, "second", &bridge)?;
    // The first string starts in its lowest mode, 2 mm high.
    let at = Box::new(|[x, _]: Position| (2e-3 * sin(PI * x / LENGTH), 0.0));
    for value in
        first.representation.project(&InitialMotion { at, support: Support::Whole { corners: vec![] } })
    {
        system.initial.position[value.dof] = value.position;
    }

    let mut simulation = schemes::named("ec").ok_or("no `ec`")?.prepare(&system, 1.0 / RATE as f64)?;
    let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
    let window = RATE / 20;
    let mut sound = vec![0.0; 2 * window];
    let mut levels = Vec::new();
    println!("   time   first  second (m/s)");
    for n in 0..20 {
        run_block(&mut simulation, &[], &mut sound, window, &|_| Bookkeeping::Full, &mut |ledger| {
            audit.post(ledger)
        });
        let peak = |string| sound.iter().skip(string).step_by(2).fold(0.0_f64, |peak, v| peak.max(v.abs()));
        println!("{:4} ms {:7.3} {:7.3}", 50 * (n + 1), peak(0), peak(1));
        levels.push([peak(0), peak(1)]);
    }
    let most = levels.iter().fold(0.0_f64, |most, [_, second]| most.max(*second));
    let exchanged = most > 0.9 * levels[0][0];
    if audit.ok(0.0) && exchanged { Ok(()) } else { Err("the second string did not take over".into()) }
}
