//! The order of the error, on smooth nonlinear systems, damped, free and driven.
//!
//!   error(Δt)² = mean Σ(ω(q − q_exact))² + (v − v_exact)² over 16 instants ∝ Δt²ᵖ

use super::{hold, require, takes_contacts};
use hamiltone_core::{ledger::Bookkeeping, operator::Operator, scheme::Scheme, system::System};
use hamiltone_laws::{
    reference::{self, Motion},
    smooth::{self, DURATION, OMEGA, SmoothContact},
};
use std::sync::LazyLock;

/// A smooth force that is not at rest at t = 0, N.
fn force(t: f64) -> f64 {
    20.0 * (0.4 + 1.3 * OMEGA * t).sin()
}

/// The instants.
const MARKS: usize = 16;

/// A system with its exact motion.
struct Case {
    name: String,
    system: System,
    exact: Motion,
}

impl Case {
    fn new(name: String, system: System) -> Self {
        let exact = reference::integrate(&system, DURATION, MARKS, 1 << 10, force);
        Self { name, system, exact }
    }

    /// The error with `steps` steps, m/s; `None` where the scheme does not take the system.
    fn error(&self, scheme: &dyn Scheme, steps: usize) -> Option<f64> {
        let (dt, n) = (DURATION / steps as f64, self.system.inputs.len());
        let mut stepper = scheme.prepare(&self.system, dt).ok()?;
        // The inputs at both ends of a step, each of them the same force.
        let mut ends = vec![force(0.0); 2 * n];
        stepper.reset(&ends[..n]);
        let (mut q, mut v) = (vec![0.0; self.system.size()], vec![0.0; self.system.size()]);
        let square = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
        let mut sum = 0.0;
        for k in 1..=steps {
            ends.copy_within(n.., 0);
            ends[n..].fill(force(k as f64 * dt));
            stepper.step(&ends, Bookkeeping::Flows);
            if (k * MARKS).is_multiple_of(steps) {
                let exact = &self.exact.states[k * MARKS / steps - 1];
                stepper.snapshot(&mut q, &mut v);
                sum += OMEGA * OMEGA * square(&q, &exact.0) + square(&v, &exact.1);
            }
        }
        Some((sum / MARKS.min(steps) as f64).sqrt())
    }
}

/// The cases of each kind of contact, those that bend most first; the first that a scheme takes is measured.
static CASES: LazyLock<Vec<Vec<Case>>> = LazyLock::new(|| {
    let case = |base: fn() -> System, drive: bool, given: &SmoothContact| {
        let system = smooth::with_contact(base(), &given.contact);
        let system = if drive { smooth::driven(system) } else { system };
        Case::new(
            format!("{}, {} bodies{}", given.name, system.size(), if drive { ", driven" } else { "" }),
            system,
        )
    };
    let bases: [fn() -> System; 2] = [smooth::oscillator, smooth::pair];
    let mut cases = Vec::new();
    for kind in smooth::contacts() {
        for base in bases {
            for drive in [false, true] {
                cases.push(kind.iter().take(3).map(|given| case(base, drive, given)).collect());
            }
        }
    }
    cases
});

/// The finest `count` errors that are still well above the rounding of a velocity of 0.4 m/s.
fn finest(errors: &[f64], count: usize) -> &[f64] {
    let clear = errors.iter().take_while(|error| **error > 1e-12).count();
    &errors[clear.saturating_sub(count)..clear]
}

/// Slope of log error over log Δt, by least squares.
fn slope(errors: &[f64]) -> f64 {
    let n = errors.len() as f64;
    let middle = (n - 1.0) / 2.0;
    let mean = errors.iter().map(|e| e.log2()).sum::<f64>() / n;
    let moments = errors.iter().enumerate().map(|(j, e)| {
        let x = middle - j as f64;
        (x * (e.log2() - mean), x * x)
    });
    let (xy, xx) = moments.fold((0.0, 0.0), |sum, m| (sum.0 + m.0, sum.1 + m.1));
    xy / xx
}

/// The cases without damping, losses and drives, in which the force is smooth in all its derivatives: never near the
/// point where a power law of a broken exponent begins.
static FREE_CASES: LazyLock<Vec<Vec<Case>>> = LazyLock::new(|| {
    let smooth = |case: &Case| {
        let law = case.system.elements[0].law.compliant().expect("a smooth contact");
        case.exact.reach[0].0 > 0.0 || (law.force(2.0) == 8.0 * law.force(1.0) && law.force(-1.0) < 0.0)
    };
    let lossless = |kind: &&Vec<SmoothContact>| kind.iter().all(|given| !given.lossy);
    let case = |base: fn() -> System, given: &SmoothContact| {
        let mut system = smooth::with_contact(base(), &given.contact);
        system.blocks.iter_mut().for_each(|block| block.damping = Operator::Zero);
        Case::new(format!("{}, undamped, {} bodies", given.name, system.size()), system)
    };
    let bases: [fn() -> System; 2] = [smooth::oscillator, smooth::pair];
    let of = |kind: &Vec<SmoothContact>| {
        bases
            .map(|base| kind.iter().map(|given| case(base, given)).filter(smooth).take(3).collect::<Vec<_>>())
    };
    smooth::contacts().iter().filter(lossless).flat_map(of).filter(|cases| !cases.is_empty()).collect()
});

/// Undamped and undriven, with steps of 1/512 … 1/8192 of the time; from order 3 on with 1/32 … 1/256, from order 5
/// on with 1/4 … 1/256, ωΔt = 0.5 … 0.008, of which rounding leaves different ones to different methods.
pub fn free(scheme: &dyn Scheme) -> Result<(), String> {
    let order = scheme.claims().order_free;
    let (powers, count) = match order {
        ..3 => (9..=13, 5),
        3..5 => (5..=8, 4),
        _ => (2..=8, 3),
    };
    measured(scheme, &FREE_CASES, f64::from(order), powers, count, 1)
}

/// With steps of 1/512 … 1/8192 of the time, ωΔt = 4e-3 … 3e-4, the next order adds a few hundredths at most.
pub fn law(scheme: &dyn Scheme) -> Result<(), String> {
    measured(scheme, &CASES, f64::from(scheme.claims().order), 9..=13, 5, 2)
}

/// The order over the finest `count` of steps of 2⁻ʲ of the time, on the first case of each kind that the scheme takes;
/// at least on so many kinds.
fn measured(
    scheme: &dyn Scheme,
    cases: &[Vec<Case>],
    claimed: f64,
    powers: std::ops::RangeInclusive<u32>,
    count: usize,
    least: usize,
) -> Result<(), String> {
    let (coarsest, mut measured) = (*powers.start(), 0);
    for kind in cases {
        let taken = |case| Some((case, Case::error(case, scheme, 1 << coarsest)?));
        let Some((case, first)) = kind.iter().find_map(taken) else { continue };
        measured += 1;
        let finer = (coarsest + 1..=*powers.end()).filter_map(|j| case.error(scheme, 1 << j));
        let errors: Vec<f64> = std::iter::once(first).chain(finer).collect();
        let order = slope(finest(&errors, count));
        require((order - claimed).abs() <= 0.15, || {
            format!("of order {claimed}, measured {order:.3} on {}: {errors:?}", case.name)
        })?;
    }
    require(measured >= least || !takes_contacts(scheme), || {
        format!("its order was measured on {measured} systems")
    })
}

#[test]
fn of_free_motion_as_claimed() {
    hold(free);
}

#[test]
fn of_damped_and_driven_motion_as_claimed() {
    hold(law);
}
