//! Losses of the modes: exact where damping is proportional, bounded where it is not.

use super::reduced;
use hamiltone_bodies::{
    Bar, End, Oscillator, StiffString, TimoshenkoBar, link,
    reduction::{Component, Keep, LossLaw, reduce},
};
use hamiltone_core::{
    body::{Body, DecayRate},
    geometry::Place,
    row::Row,
    system::System,
};
use std::{f64::consts::TAU, sync::Arc};

/// An ideal string with d₁ and d₃, R = d₁M + d₃ρA/τ K: 2σ = d₁ + d₃ω²/c² also between clamped and free ends.
#[test]
fn proportional_damping_is_exact() {
    let (d1, d3, c) = (1.3, 2.7e-3, 329.6_f64);
    let mut system = System::default();
    let string = StiffString::new(0.63, 6e-3, 6e-3 * c * c).unwrap().damped(d1, d3).unwrap();
    let string = string.with_ends([End::Clamped, End::Free]).on_grid(150).unwrap();
    string.add_to(&mut system, "string").unwrap();
    let modal = &reduced(&system, Keep::Lowest(100)).components[0];
    for (k, mode) in modal.modes.iter().enumerate() {
        let exact = 0.5 * (d1 + d3 * (mode.omega / c).powi(2));
        assert!((mode.sigma / exact - 1.0).abs() < 1e-11, "{k}: {} {exact}", mode.sigma);
    }
    // What is left are roundings.
    assert!(modal.neglected.coupling < 1e-9 && modal.neglected.decay < 1e-9, "{:?}", modal.neglected);
}

/// d₃ between any ends: the decay rates that strings and bars state for their partials are those of the modes of their
/// grid. Of a bar its error is of the order (kΔx)² = (8.5π/200)² = 0.018 at mode 8.
#[test]
fn stated_decay_rates_are_those_of_the_grid() {
    use End::{Clamped, Free, Hinged};
    let mut bodies: Vec<Box<dyn Body>> = Vec::new();
    for ends in [[Hinged; 2], [Free; 2], [Clamped; 2], [Clamped, Free], [Free, Hinged], [Clamped, Hinged]] {
        let bar = Bar::new(0.35, 0.6, 60.0).unwrap().damped(2.0, 3e-3).unwrap().with_ends(ends);
        bodies.push(Box::new(bar.on_grid(200).unwrap()));
    }
    let string = StiffString::new(0.63, 6e-3, 600.0).unwrap().damped(1.3, 2.7e-3).unwrap();
    bodies.push(Box::new(string.stiff(1e-3).unwrap().on_grid(200).unwrap()));
    bodies.push(Box::new(string.with_ends([Free, Hinged]).on_grid(200).unwrap()));
    let bar = TimoshenkoBar::new(0.35, [0.6, 5e-6], [1e6, 60.0]).unwrap().damped(7.0).unwrap();
    bodies.push(Box::new(bar.on_grid(60).unwrap()));
    for (i, body) in bodies.iter().enumerate() {
        let mut system = System::default();
        let placed = body.add_to(&mut system, "body").unwrap();
        let modes = &reduced(&system, Keep::Lowest(10)).components[0].modes;
        for (k, mode) in modes.iter().filter(|mode| mode.omega > 0.0).take(8).enumerate() {
            let stated = placed.representation.decay(k + 1).unwrap();
            assert!((mode.sigma / stated - 1.0).abs() < 0.02, "{i}, mode {}: {} {stated}", k + 1, mode.sigma);
        }
    }
}

/// A dashpot r at one place c, R = r c cᵀ: the true poles are the zeros of 1 + r s Σ c_k²/m_k(s² + ω_k²).
#[test]
fn neglected_damping_is_what_the_poles_move() {
    let mut system = System::default();
    let string = StiffString::new(0.63, 6e-3, 600.0).unwrap().on_grid(40).unwrap();
    let string = string.add_to(&mut system, "string").unwrap();
    let row = string.row(Place::Fraction(0.13)).unwrap();
    for r in [1e-3, 1e-2, 0.1] {
        let mut system = system.clone();
        link::add_to(&mut system, "damper", row.clone(), 0.0, r).unwrap();
        let modal = reduced(&system, Keep::Lowest(usize::MAX));
        let weights: Vec<f64> = {
            let mut weights = vec![0.0; modal.system.size()];
            modal.row(&row).add_scaled(1.0, &mut weights);
            weights
        };
        let modes = &modal.components[0].modes;
        let terms: Vec<(f64, f64)> =
            modes.iter().zip(&weights).map(|(mode, c)| (c * c / mode.mass, mode.omega.powi(2))).collect();
        let (mut detuning, mut decay) = (0.0_f64, 0.0_f64);
        for mode in modes {
            let pole = Complex(-mode.sigma, (mode.omega.powi(2) - mode.sigma.powi(2)).max(0.0).sqrt());
            let shift = zero(r, &terms, pole).minus(pole);
            detuning = detuning.max(shift.1.abs() / mode.omega);
            decay = decay.max(shift.0.abs() / mode.sigma);
        }
        let told = modal.components[0].neglected;
        assert!(detuning < 1.3 * told.detuning && detuning > 0.3 * told.detuning, "{r}: {detuning} {told:?}");
        assert!(decay < 1.3 * told.decay && decay > 0.1 * told.decay, "{r}: {decay} {told:?}");
        assert!(told.coupling > 0.999);
    }
}

/// The shift and the tilt of a bar on a suspension and a dashpot at its middle, which moves the tilt by ε = 10⁻⁸: both lose 2σ₀ besides, so
/// that the pole of the tilt moves by no more than a part (r/m)ε²/2σ₀ = 10⁻¹⁷ of its decay, where the dashpot alone would tell of most.
#[test]
fn neglected_damping_is_judged_by_all_losses_of_a_mode() {
    let mut system = System::default();
    for omega in [5.1, 4.9] {
        Oscillator::new(0.5, omega).unwrap().add_to(&mut system, "one").unwrap();
    }
    link::add_to(&mut system, "mouth", Row::Sparse(vec![(0, 1.0), (1, 1e-8)]), 0.0, 0.8).unwrap();
    let losses = vec![LossLaw { dofs: 0..2, rate: Arc::new(|_| 5.0) }];
    let (name, dofs, keep) = ("bar".into(), vec![0, 1], Keep::Lowest(2));
    let modal = reduce(&system, &[Component { name, dofs, keep, losses, supports: Vec::new() }]).unwrap();
    let told = modal.components[0].neglected;
    assert!(told.coupling > 0.0 && told.decay < 1e-12 && told.detuning < 1e-12, "{told:?}");
}

/// Two equal oscillators and a dashpot r between: one mode without losses and one with 2σ = 2r/m, exactly.
#[test]
fn degenerate_modes_are_those_that_damping_does_not_couple() {
    let (m, r) = (0.02, 3.0);
    let mut system = System::default();
    let ends: Vec<Row> = (0..2)
        .map(|_| Oscillator::new(m, 900.0).unwrap().add_to(&mut system, "one").unwrap())
        .map(|placed| placed.row(Place::Whole).unwrap())
        .collect();
    link::add_to(&mut system, "damper", ends[0].minus(&ends[1]), 0.0, r).unwrap();
    let modal = &reduced(&system, Keep::Lowest(2)).components[0];
    let mut sigmas = [modal.modes[0].sigma, modal.modes[1].sigma];
    sigmas.sort_by(f64::total_cmp);
    assert!(sigmas[0].abs() < 1e-14 * sigmas[1] && (sigmas[1] * m / r - 1.0).abs() < 1e-14, "{sigmas:?}");
    assert_eq!((modal.neglected.detuning, modal.neglected.decay), (0.0, 0.0));
}

/// A bar and the tube below it: two oscillators of almost one frequency, a dashpot r between them and another on the second. The poles are
/// zeros of (m₁(s² + ω₁²) + rs)(m₂(s² + ω₂²) + 2rs) − r²s². Decay rates are off by κ²/2ω²d at most, κ = 10⁻⁵ω² and d > 2r/√(m₁m₂): by 6·10⁻⁶ 1/s
/// of 1 or more; frequencies by σ²/2ω², since the rows of damping are rotated as if for ω alone: by 10⁻⁵.
#[test]
fn modes_closer_than_damping_couples_them_decay_as_it_asks() {
    let (masses, r) = ([0.09, 0.015], 0.4);
    let mut system = System::default();
    let mut squares = [0.0; 2];
    let ends: Vec<Row> = (0..2)
        .map(|k| {
            let omega = 1644.0 * (1.0 + 1e-5 * k as f64);
            squares[k] = omega * omega;
            Oscillator::new(masses[k], omega).unwrap().add_to(&mut system, "one").unwrap()
        })
        .map(|placed| placed.row(Place::Whole).unwrap())
        .collect();
    link::add_to(&mut system, "mouth", ends[0].minus(&ends[1]), 0.0, r).unwrap();
    link::add_to(&mut system, "tube", ends[1].clone(), 0.0, r).unwrap();
    let modal = &reduced(&system, Keep::Lowest(2)).components[0];
    let characteristic = |s: Complex| {
        let own = |k: usize, r: f64| {
            let square = s.times(s);
            let (m, r) = (masses[k], Complex(r * s.0, r * s.1));
            Complex(m * (square.0 + squares[k]) + r.0, m * square.1 + r.1)
        };
        own(0, r).times(own(1, 2.0 * r)).minus(Complex(r * s.0, r * s.1).times(Complex(r * s.0, r * s.1)))
    };
    for mode in &modal.modes {
        let start = Complex(-mode.sigma, (mode.omega.powi(2) - mode.sigma.powi(2)).sqrt());
        let pole = root(characteristic, start);
        assert!((mode.sigma + pole.0).abs() < 1e-4 * mode.sigma, "{} {pole:?}", mode.sigma);
        assert!((start.1 - pole.1).abs() < 1e-4 * pole.1, "{start:?} {pole:?}");
    }
    let sigmas = [modal.modes[0].sigma, modal.modes[1].sigma];
    assert!(
        sigmas.iter().any(|sigma| *sigma < 2.0) && sigmas.iter().any(|sigma| *sigma > 20.0),
        "{sigmas:?}"
    );
}

/// Two oscillators of 0.01 kg on a damper r decay as their difference does, σ = r/m, also where a third one that is not damped has
/// a frequency between theirs.
#[test]
fn a_mode_between_two_that_damping_couples_leaves_them_a_pair() {
    let mut system = System::default();
    let mut oscillator = |f: f64| {
        let placed = Oscillator::new(0.01, TAU * f).unwrap().add_to(&mut system, "one").unwrap();
        placed.row(Place::Whole).unwrap()
    };
    let [low, middle, high] = [200.0, 200.03, 200.06].map(&mut oscillator);
    link::add_to(&mut system, "damper", low.minus(&high), 0.0, 0.5).unwrap();
    // It makes them one component; its stiffness moves no frequency by 1e-10.
    link::add_to(&mut system, "tie", middle.minus(&high), 1e-9, 0.0).unwrap();
    let modal = &reduced(&system, Keep::Lowest(3)).components[0];
    let mut sigmas: Vec<f64> = modal.modes.iter().map(|mode| mode.sigma).collect();
    sigmas.sort_by(f64::total_cmp);
    // The rate of the other combination is of the second order in the difference of their ω: (0.19 rad/s)²/50 s⁻¹.
    assert!(sigmas[1] < 1e-3 && (sigmas[2] / 50.0 - 1.0).abs() < 1e-3, "{sigmas:?}");
}

/// Two strings of unlike losses on one spring: a mode decays by the law of each string in proportion to its part of the
/// kinetic energy, alone by its own.
#[test]
fn laws_by_frequency_act_by_parts_of_the_energy() {
    let mut system = System::default();
    let ends = [End::Hinged, End::Free];
    let strings = [1.0, 0.7].map(|length| {
        let string = StiffString::new(length, 6e-3, 600.0).unwrap().with_ends(ends).on_grid(40).unwrap();
        string.add_to(&mut system, "string").unwrap()
    });
    let row = |k: usize| strings[k].row(Place::Fraction(1.0)).unwrap();
    link::add_to(&mut system, "link", row(0).minus(&row(1)), 300.0, 0.0).unwrap();
    let dofs: Vec<usize> = (0..system.size()).collect();
    let laws: [DecayRate; 2] = [Arc::new(|f| 0.1 + 1e-3 * f), Arc::new(|_| 5.0)];
    let losses: Vec<LossLaw> = strings
        .iter()
        .zip(&laws)
        .map(|(string, rate)| LossLaw { dofs: string.dofs.clone(), rate: rate.clone() })
        .collect();
    let component =
        Component { name: "strings".into(), dofs, keep: Keep::Lowest(20), losses, supports: Vec::new() };
    let modal = reduce(&system, &[component]).unwrap();
    let mut shared = 0;
    for (k, mode) in modal.components[0].modes.iter().enumerate() {
        let part = |string: usize| {
            let energy = |i: usize| system.mass[i] * modal.row(&Row::unit(i)).weight(k).powi(2);
            strings[string].dofs.clone().map(energy).sum::<f64>() / mode.mass
        };
        let (first, second) = (part(0), part(1));
        assert!((first + second - 1.0).abs() < 1e-12);
        let exact = first * laws[0](mode.omega / TAU) + second * 5.0;
        assert!((mode.sigma / exact - 1.0).abs() < 1e-12, "{k}: {} {exact}", mode.sigma);
        shared += usize::from(first.min(second) > 0.05);
    }
    assert!(shared > 3, "few modes are of both strings");
}

/// A complex number.
#[derive(Clone, Copy, Debug)]
struct Complex(f64, f64);

impl Complex {
    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }

    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn over(self, other: Self) -> Self {
        let Self(re, im) = self.times(Self(other.0, -other.1));
        let size = other.0 * other.0 + other.1 * other.1;
        Self(re / size, im / size)
    }

    fn size(self) -> f64 {
        self.0.hypot(self.1)
    }
}

/// The zero of 1/(r s) + Σ a/(s² + λ) next to `start`, by Newton's method on the function times s² + λ of the nearest.
fn zero(r: f64, terms: &[(f64, f64)], start: Complex) -> Complex {
    let f = |s: Complex| {
        let square = s.times(s);
        let near = square.minus(Complex(-nearest(terms, start), 0.0));
        let mut sum = Complex(1.0, 0.0).over(Complex(r * s.0, r * s.1));
        for (a, lambda) in terms {
            let part = Complex(*a, 0.0).over(Complex(square.0 + lambda, square.1));
            sum = Complex(sum.0 + part.0, sum.1 + part.1);
        }
        sum.times(near)
    };
    root(f, start)
}

/// The zero of an analytic function next to `start`, by Newton's method.
fn root(f: impl Fn(Complex) -> Complex, start: Complex) -> Complex {
    let mut s = start;
    for _ in 0..50 {
        let step = 1e-6 * s.size();
        let slope = f(Complex(s.0, s.1 + step)).minus(f(Complex(s.0, s.1 - step)));
        // f is analytic: its derivative along i is i times the derivative.
        let derivative = slope.over(Complex(0.0, 2.0 * step));
        s = s.minus(f(s).over(derivative));
    }
    s
}

fn nearest(terms: &[(f64, f64)], pole: Complex) -> f64 {
    let apart = |lambda: f64| (lambda.sqrt() - pole.size()).abs();
    terms.iter().map(|(_, lambda)| *lambda).min_by(|a, b| apart(*a).total_cmp(&apart(*b))).unwrap_or(0.0)
}
