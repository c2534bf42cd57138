//! How a bowed string starts: from rest, under a constant force and a speed that grows by a constant acceleration.
//!
//!   v_b = a t up to 0.3 m/s
//!
//! Whether it soon slips once a period depends on a and N together: where the force is small for the acceleration it slips several times a period, where it
//! is large it sticks for too long. What starts well is a wedge in the plane of a and N, which rises with both (K. Guettler 2002, Acta Acustica 88).

use crate::bowed::{RATE, add_bow, others, pitch, prepare, string};
use hamiltone_core::{ledger::Bookkeeping, port::Ported};

const MODES: usize = 140;
/// β, m/s, and so many periods are heard.
const PLACE: f64 = 0.113;
const SPEED: f64 = 0.3;
const HEARD: usize = 60;
/// What starts at once does so within so many periods.
const SOON: f64 = 10.0;

/// Periods until the string slips once a period for the rest of the time, where it does.
fn starts(law: &Ported, force: f64, acceleration: f64) -> Option<f64> {
    let mut system = string(MODES);
    add_bow(&mut system, 1.0 - PLACE, law);
    let period = RATE / pitch();
    let at = |n: usize| [(acceleration * n as f64 / RATE).min(SPEED), force];
    let mut simulation = prepare(&system);
    simulation.reset(&at(0));
    let (mut out, mut before) = ([0.0; 2], 0.0);
    let least = (PLACE * period / 3.0) as usize;
    let (mut slide, mut slips) = (0, Vec::new());
    for n in 0..(HEARD as f64 * period) as usize {
        let ends = [at(n), at(n + 1)];
        simulation.step(&ends.concat(), Bookkeeping::Flows);
        simulation.outputs(&mut out);
        let speed = 0.5 * (ends[0][0] + ends[1][0]);
        let sticks = ((out[0] - before) * RATE - speed).abs() < 0.5 * speed;
        before = out[0];
        slide = if sticks { 0 } else { slide + 1 };
        if slide == least {
            slips.push(n as f64);
        }
    }
    let irregular = |pair: &[f64]| ((pair[1] - pair[0]) / period - 1.0).abs() > 0.1;
    let last = slips.windows(2).rposition(irregular).map_or(0, |k| k + 1);
    let regular = slips.len() - 1 - last;
    (regular >= 20).then(|| slips[last] / period)
}

/// Elasto-plastic friction, of which the wedge is clear up to half of the largest force of Helmholtz motion; dry friction starts as soon in few places, and after some tens of periods in many.
#[test]
fn what_starts_at_once_is_a_wedge() {
    let law = &others()[2].1;
    let accelerations: Vec<f64> = (-4..6).map(|k| 2.0_f64.powf(0.5 * f64::from(k))).collect();
    let mut wedge: Vec<[f64; 2]> = Vec::new();
    for force in [0.2, 0.4, 0.8] {
        let soon = |a: &&f64| starts(law, force, **a).is_some_and(|periods| periods <= SOON);
        let soon: Vec<f64> = accelerations.iter().filter(soon).copied().collect();
        println!("{force} N: {soon:.2?} m/s²");
        let (Some(least), Some(most)) = (soon.first(), soon.last()) else { panic!("none at {force} N") };
        wedge.push([*least, *most]);
    }
    // Both of its sides rise with the force, and at no force does everything start at once.
    for side in 0..2 {
        assert!(wedge.windows(2).all(|pair| pair[0][side] <= pair[1][side]), "{wedge:?}");
        assert!(wedge[2][side] >= 2.0 * wedge[0][side], "{wedge:?}");
    }
    assert!(wedge.iter().all(|[_, most]| *most < accelerations[accelerations.len() - 1]), "{wedge:?}");
}
