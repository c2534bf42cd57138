//! Where rounding would add up: an exact balance is exact there, too.

use super::{balance, hold};
use hamiltone_bodies::StiffString;
use hamiltone_core::{
    audit::exact_tolerance,
    body::{Body, Placed},
    claims::Balance,
    element::{Compliant, Element, ElementLaw, Law},
    geometry::Place,
    input::Input,
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_elements::{CentreLimited, OddPower, Power};
use hamiltone_laws::trial::Trial;
use hamiltone_schemes::named;
use std::f64::consts::PI;

/// The rate of these trials, Hz.
const RATE: f64 = 44_100.0;

/// A free oscillator without damping.
fn oscillator(omega: f64) -> System {
    let mut system = System::default();
    let (mass, dof) = (1e-3, system.add_dof(1e-3, 1e-3, 0.7));
    system.blocks.push(Block {
        name: "oscillator".into(),
        dofs: dof..dof + 1,
        stiffness: Operator::Diagonal(vec![mass * omega * omega]),
        damping: Operator::Zero,
    });
    system
}

/// Three to eight steps a period, in the frequencies of implicit, two-step and exact schemes: the same few states repeat
/// with their roundings; and frequencies around ωΔt = 2 and above, where those are amplified.
#[test]
fn exact_where_states_repeat() {
    let periods = (3..=8).map(|n| PI / f64::from(n));
    let repeating = periods.flat_map(|angle| [2.0 * angle.tan(), 2.0 * angle.sin(), 2.0 * angle]);
    for product in repeating.chain([1.99, 2.01, 2.1, 2.26, 2.5, 3.0, 6.0]) {
        let trial = Trial::free(oscillator(product * RATE), 20_000);
        hold(|scheme| balance::law(scheme, &trial).map(drop).map_err(|e| format!("ωΔt = {product}: {e}")));
    }
}

/// Next to ωΔt = 2 the two parts of an explicit scheme's energy all but cancel: each is 10⁹ times their sum.
#[test]
fn exact_next_to_the_limit() {
    let trial = Trial::free(oscillator((2.0 - 1e-9) * RATE), 2000);
    for scheme in ["cubic-explicit", "leapfrog"] {
        let scheme = named(scheme).expect("a scheme");
        assert_eq!(balance::law(&*scheme, &trial), Ok(true));
    }
}

/// A string of steel with so many intervals, and where it is.
fn string(intervals: usize) -> (System, Placed) {
    let mut system = System::default();
    let string = StiffString::new(0.6, 6e-3, 600.0).and_then(|s| s.stiff(6e-3 * 1.5 * 1.5)?.damped(1.0, 0.0));
    let placed = string.and_then(|s| s.on_grid(intervals)?.add_to(&mut system, "string")).expect("a string");
    for (i, dof) in placed.dofs.clone().enumerate() {
        let x = (i + 1) as f64 / intervals as f64;
        system.initial.position[dof] = 2e-3 * (x / 0.2).min((1.0 - x) / 0.8);
    }
    (system, placed)
}

/// A bed of springs under every point of a string, up to 10⁴ times as stiff as its masses, linear and nearly so: the slope of a power
/// law is known to the motion alone.
#[test]
fn exact_on_a_stiff_bed() {
    for (stiffness, exponent) in [(3e3, 1.0), (3e9, 1.0), (3e9, 1.02), (1e10, 1.1), (1e11, 1.3)] {
        let (mut system, placed) = string(60);
        for dof in placed.dofs.clone() {
            let spring = Compliant::new(CentreLimited::new(stiffness, exponent, 0.0).expect("a spring"));
            system.elements.push(Element::new("bed", Row::unit(dof), 0.0, Law::Compliant(spring)));
        }
        let trial = Trial::free(system, 500);
        hold(|scheme| balance::law(scheme, &trial).map(drop));
    }
}

/// Stops beside every point of a light string, at a small distance: they close and open, and Newton passes through large slopes where
/// it ends at none.
#[test]
fn exact_on_stiff_stops_that_open() {
    for (stiffness, exponent) in [(1e9, 1.0), (1e10, 1.0), (1e11, 1.3)] {
        let mut system = System::default();
        let string =
            StiffString::new(0.65, 1e-3, 20.0).and_then(|s| s.on_grid(60)?.add_to(&mut system, "string"));
        for dof in string.expect("a string").dofs {
            let stop = Compliant::new(Power::new(stiffness, exponent).expect("a stop"));
            system.elements.push(Element::new("stop", Row::unit(dof), 1e-5, Law::Compliant(stop)));
        }
        system.inputs.push(Input::force("push", Row::unit(17)));
        let trial = Trial { force: 1.0, ..Trial::free(system, 500) };
        hold(|scheme| balance::law(scheme, &trial).map(drop));
    }
}

/// A light mass that is driven against a wall so stiff that it stops within 10⁻⁴ of an increment: the wall's force times the
/// rounding of the increment is more than the rounding of the energy.
#[test]
fn exact_where_a_wall_stops_a_long_increment() {
    for exponent in [1.0, 1.3, 2.5] {
        let (rate, mut system) = (8000.0, System::default());
        let (mass, dof) = (8.4e-6, system.add_dof(8.4e-6, -1.8e-10, 6.0));
        let omega = 2.0 * PI * 1360.0;
        system.blocks.push(Block {
            name: "oscillator".into(),
            dofs: dof..dof + 1,
            stiffness: Operator::Diagonal(vec![mass * omega * omega]),
            damping: Operator::Zero,
        });
        let wall = Power::new(4e11 * 3e6_f64.powf(exponent - 1.0), exponent).expect("a wall");
        let against = Row::Sparse(vec![(dof, -1.0)]);
        system.elements.push(Element::new("wall", against, 1.15e-5, Law::Compliant(Compliant::new(wall))));
        system.inputs.push(Input::force("push", Row::unit(dof)));
        let trial = Trial { rate, force: 40.0, ..Trial::free(system, 2000) };
        hold(|scheme| balance::law(scheme, &trial).map(drop));
    }
}

/// Stiff contacts with great loss at the points of a string's grid and between them, more than are reduced to their own
/// unknowns, that close and open many at once.
#[test]
fn exact_where_many_stiff_contacts_close_at_once() {
    let (mut system, placed) = string(60);
    for k in 1..20 {
        let row = placed.row(Place::Fraction(0.0487 * f64::from(k))).expect("a place on the string");
        let contact = Power::new(1e10, 1.3).expect("a power").at_gap(1e-4);
        let ElementLaw { law, gap } = contact.with_loss(10.0).expect("a loss");
        system.elements.push(Element::new("fret", row, gap, law));
    }
    for dof in placed.dofs.clone() {
        let board = Compliant::new(Power::new(2e12, 1.3).expect("a power")).with_loss(10.0);
        system.elements.push(Element::new("backboard", Row::unit(dof), 3e-4, Law::Compliant(board)));
    }
    let trial = Trial::free(system, 4000);
    for scheme in ["ec", "ck"] {
        let scheme = named(scheme).expect("a scheme");
        assert_eq!(balance::law(&*scheme, &trial), Ok(true));
    }
}

/// A force that hardly changes holds damped oscillators: in every step it works along less than the last digit of their
/// positions, the same way for as long as they are held.
#[test]
fn exact_where_a_force_holds_a_damped_mass() {
    for (mass, omega, damping, force) in
        [(0.0024, 1260.0, 148.0, 1730.0), (7.4e-4, 1750.0, 831.0, 0.088), (0.019, 2500.0, 650.0, 3.0)]
    {
        let mut system = System::default();
        let dof = system.add_dof(mass, 0.0, 0.0);
        system.blocks.push(Block {
            name: "oscillator".into(),
            dofs: dof..dof + 1,
            stiffness: Operator::Diagonal(vec![mass * omega * omega]),
            damping: Operator::Diagonal(vec![damping]),
        });
        system.inputs.push(Input::force("hold", Row::unit(dof)));
        let trial = Trial::free(system, 100_000);
        for growth in [0.0, 1e-8] {
            let inputs: Vec<f64> = (0..=trial.steps).map(|n| force * (1.0 + growth * n as f64)).collect();
            hold(|scheme| {
                // Their roots need not be real under a drive.
                let Some(mut stepper) = trial.prepare(scheme)?.filter(|_| scheme.name() != "quadratic")
                else {
                    return Ok(());
                };
                let audit = trial.run_with(&mut stepper, &inputs);
                let (whole, most) =
                    (audit.residual_max_relative(), exact_tolerance(audit.steps, audit.balance.drift()));
                match stepper.balance() == Balance::Bounded || whole <= most {
                    true => Ok(()),
                    false => Err(format!("{mass} kg: the balance misses {whole:e} of {most:e}")),
                }
            });
        }
    }
}

/// A heavy mass carries a light one along by a rigid contact: the push is less than the last digit of the heavy one's increment.
#[test]
fn exact_where_a_light_mass_is_carried_along() {
    let mut system = oscillator(204.0);
    system.mass[0] = 8.26e-5;
    system.initial.position[0] = 0.0;
    system.initial.velocity[0] = 0.0;
    let heavy = system.add_dof(1.0, 0.0, 0.039);
    let apart = Row::unit(0).minus(&Row::unit(heavy));
    let spring = Compliant::new(OddPower::new(0.46, 1.0).expect("a spring"));
    system.elements.push(Element::new("spring", apart.clone(), 0.0, Law::Compliant(spring)));
    let towards = Row::unit(heavy).minus(&Row::unit(0));
    system.elements.push(Element::new("contact", towards, 0.0, Law::Rigid { restitution: 0.0 }));
    let trial = Trial { rate: 176_400.0, ..Trial::free(system, 5000) };
    hold(|scheme| balance::law(scheme, &trial).map(drop));
}
