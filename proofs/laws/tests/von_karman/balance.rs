//! The energy balance of plates with twelve modes and six stress functions.

use super::{THICKNESS, board, disc, held_rectangle, rectangle};
use crate::forms::schemes;
use hamiltone_bodies::End;
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    body::Placed,
    ledger::{Bookkeeping, Ledger},
    scheme::Scheme,
    simulation::Simulation,
    system::System,
};

const RATE: f64 = 48_000.0;

/// The audit of so many steps from `system` at 2 thicknesses, with the energy of `keeper` where another one is to be asked.
fn audited(scheme: &dyn Scheme, system: &System, steps: usize, keeper: Option<&System>) -> Audit {
    let mut simulation = scheme.prepare(system, 1.0 / RATE).unwrap();
    let mut keeper = keeper.map(|system| scheme.prepare(system, 1.0 / RATE).unwrap());
    let mut stored = |simulation: &mut Simulation| match &mut keeper {
        Some(keeper) => {
            keeper.return_to(&simulation.save());
            keeper.energy()
        }
        None => simulation.energy(),
    };
    simulation.reset(&[]);
    let mut audit = Audit::open(stored(&mut simulation), simulation.balance());
    for n in 0..steps {
        let ledger = simulation.step(&[], Bookkeeping::Flows);
        let is_due = n % 64 == 63;
        let stored = if is_due { stored(&mut simulation) } else { 0.0 };
        assert!(audit.post(&Ledger { stored, partial: !is_due, ..ledger }), "{:?}", audit.fault);
    }
    audit
}

/// A plate that is let go with its lowest modes at different heights.
fn let_go((mut system, _): (System, Placed)) -> System {
    for (n, q) in system.initial.position.iter_mut().enumerate().skip(3) {
        *q = 2.0 * THICKNESS * (0.7 * (n + 1) as f64).sin() / (n - 2) as f64;
    }
    system
}

fn plates() -> [(&'static str, System); 8] {
    [
        ("rectangle", let_go(rectangle(12, 6))),
        ("clamped rectangle", let_go(held_rectangle(End::Clamped, 12, 6))),
        ("free rectangle", let_go(held_rectangle(End::Free, 15, 6))),
        ("board", let_go(board(false, 12, 6))),
        ("board with a free side", let_go(board(true, 12, 6))),
        ("free disc", let_go(disc(End::Free, 15, 6, 0.0))),
        ("clamped disc", let_go(disc(End::Clamped, 12, 6, 0.0))),
        ("cap", let_go(disc(End::Free, 15, 6, 5.0 * THICKNESS))),
    ]
}

#[test]
fn plates_keep_their_balance() {
    for scheme in schemes() {
        for (name, system) in plates() {
            let audit = audited(&*scheme, &system, 200_000, None);
            let (missed, drift) = (audit.residual_max_relative(), audit.balance.drift());
            let tolerance = exact_tolerance(audit.steps, drift);
            println!("{}: {name}: {missed:.1e} of {tolerance:.1e}", scheme.name());
            assert!(missed <= tolerance && audit.is_judged(), "{}: {name}: {missed:e}", scheme.name());
        }
    }
}

/// Steps with another B than the energy.
#[test]
fn a_wrong_coefficient_breaks_the_balance() {
    for scheme in schemes() {
        for (name, system) in plates() {
            let mut altered = system.clone();
            altered.forms[0].quadratic[0].2 *= 1.001;
            let audit = audited(&*scheme, &altered, 2_000, Some(&system));
            let tolerance = exact_tolerance(audit.steps, audit.balance.drift());
            let missed = audit.residual_max_relative();
            assert!(missed > 100.0 * tolerance, "{}: {name}: {missed:e}", scheme.name());
        }
    }
}
