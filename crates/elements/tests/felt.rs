//! The felt with hysteresis, against what its equations give.

use hamiltone_core::{
    check::check,
    element::{Compliant, Element, Law, LossLaw},
    row::Row,
    system::System,
};
use hamiltone_elements::{OddPower, Power, felt};
use proptest::{prelude::*, test_runner::RngSeed};

/// The hammer of C4 by Stulov's fit: K, N/m^p; p; α, s.
const STIFFNESS: f64 = 8.76e15;
const EXPONENT: f64 = 4.3;
const RELAXATION: f64 = 233.2e-6;

fn hammer() -> Compliant {
    felt(STIFFNESS, EXPONENT, RELAXATION).unwrap()
}

/// The work on the felt and what it dissipates, in so many steps from x to y in `time`.
fn moved(law: &Compliant, (x, y): (f64, f64), time: f64, steps: usize) -> (f64, f64) {
    let at = |k: usize| x + (y - x) * k as f64 / steps as f64;
    let dt = time / steps as f64;
    (0..steps).fold((0.0, 0.0), |(work, taken), k| {
        let (from, sigma) = (at(k), at(k + 1) - at(k));
        (work + law.mean_force(from, sigma, dt).0 * sigma, taken + law.dissipated(from, sigma, dt))
    })
}

/// Compressed to X at the speed v and released at the same, f = KX^p(1 ± αpv/x): below x₀ = αpv the released felt exerts no force.
/// The cycle takes αvKX^p on the way in, and V(x₀) + αvK(X^p − x₀^p) on the way out.
#[test]
fn a_cycle_takes_what_the_equations_say() {
    let (law, depth) = (hammer(), 6e-4);
    for speed in [0.01, 0.1, 0.4] {
        let time = depth / speed;
        let (work, taken) = moved(&law, (0.0, depth), time, 20_000);
        let (back, lost) = moved(&law, (depth, 0.0), time, 20_000);
        let from = RELAXATION * EXPONENT * speed;
        let part = RELAXATION * speed * law.force(depth);
        let out = law.energy(from) + part - RELAXATION * speed * law.force(from);
        // V′ at the ends of the steps telescopes; the step in which the felt lets go misses some part of itself.
        assert!((taken / part - 1.0).abs() < 1e-11, "{taken} {part}");
        assert!((lost / out - 1.0).abs() < 1e-6, "{lost} {out}");
        // What is not dissipated is stored.
        assert!((work - taken - law.energy(depth)).abs() < 1e-11 * work, "{work} {taken}");
        assert!((back - lost + law.energy(depth)).abs() < 1e-11 * work, "{back} {lost}");
    }
}

#[test]
fn released_fast_it_exerts_no_force_and_all_that_was_stored_is_lost() {
    let law = hammer();
    for (x, sigma) in [(5e-4, -2e-4), (5e-4, -5e-4), (5e-4, -9e-4)] {
        assert_eq!(law.mean_force(x, sigma, 2e-5), (0.0, 0.0));
        let stored = law.energy(x) - law.energy(x + sigma);
        assert!((law.dissipated(x, sigma, 2e-5) / stored - 1.0).abs() < 8.0 * f64::EPSILON);
    }
    // Slowly it pushes all the way.
    assert!(law.mean_force(5e-4, -1e-6, 2e-5).0 > 0.0);
    // Coming and going without contact.
    assert_eq!(law.mean_force(-5e-4, 4e-4, 2e-5), (0.0, 0.0));
    assert_eq!(law.dissipated(-5e-4, 4e-4, 2e-5), 0.0);
}

#[test]
fn without_relaxation_it_is_the_power_law() {
    let (law, power) = (felt(1e9, 2.5, 0.0).unwrap(), Compliant::new(Power::new(1e9, 2.5).unwrap()));
    for (x, sigma) in [(1e-4, 2e-5), (1e-4, -3e-4), (-1e-4, 3e-4), (2e-4, 0.0)] {
        assert_eq!(law.mean_force(x, sigma, 1e-5), power.quotient(x, sigma));
        assert_eq!(law.dissipated(x, sigma, 1e-5), 0.0);
    }
    assert_eq!(law.loss_law, LossLaw::Relaxation);
}

#[test]
fn numbers_that_make_no_felt_are_refused() {
    assert_eq!(felt(1.0, 2.0, -1e-9).unwrap_err().parameter, "relaxation");
    assert_eq!(felt(1.0, 0.5, 0.0).unwrap_err().parameter, "exponent");
    assert_eq!(felt(0.0, 2.0, 0.0).unwrap_err().parameter, "stiffness");
}

/// Cut off at 0, the force of a law that pulls would lose its pull: a system with such a relaxation is refused.
#[test]
fn a_relaxation_of_a_law_on_both_sides_is_refused() {
    let system = |law: Compliant| {
        let mut system = System::default();
        system.add_dof(1.0, 0.0, 0.0);
        system.elements.push(Element::new("felt", Row::unit(0), 0.0, Law::Compliant(law)));
        system
    };
    let spring = Compliant::new(OddPower::new(1e6, 3.0).unwrap()).with_relaxation(1e-4);
    let message = format!("{:?}", check(&system(spring), 1e-5).unwrap_err());
    assert!(message.contains("onset"), "{message}");
    assert!(check(&system(hammer()), 1e-5).is_ok());
    assert!(check(&system(hammer().with_relaxation(-1e-9)), 1e-5).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// So that a step with a compliance G ≥ 0 has one solution, σ + G F(σ) = σ_free.
    #[test]
    fn the_mean_force_never_falls(
        x in -1e-3..1e-3f64, s in -1e-3..1e-3f64, way in 0.0..1e-3f64, p in 1.0..5.0f64, alpha in 0.0..3e-4f64
    ) {
        let law = felt(1e9, p, alpha).unwrap();
        let ((near, slope), (far, _)) = (law.mean_force(x, s, 2e-5), law.mean_force(x, s + way, 2e-5));
        let size = (1.0 + alpha / 2e-5) * law.force(x.max(x + s + way));
        prop_assert!(near >= 0.0 && slope >= 0.0);
        prop_assert!(far >= near - 8.0 * f64::EPSILON * size, "{near} {far}");
        prop_assert!(law.dissipated(x, s, 2e-5) >= -8.0 * f64::EPSILON * size * s.abs());
    }
}
