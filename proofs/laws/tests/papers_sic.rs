//! SIC: every item of `siconos_modal_moreau_jean`, against exact motions, 50-digit constants and an independent
//! recomputation.

use hamiltone_core::{
    ledger::Bookkeeping,
    system::{Output, Quantity},
};
use hamiltone_papers::{
    figure::Unable,
    method::Method,
    siconos_modal_moreau_jean::{
        balance, blindness, convergence, exactness, modal, obstacles, returns,
        series::{self, closed, printed, taylor},
        string::{BASS, GUITAR, IDEAL, Plucked, WOUND},
        warping,
    },
};
use hamiltone_schemes::modal_moreau_jean::constants;

/// Free modes over 20 000 steps: 10⁻¹⁰ of the amplitude; what is left is ω's own rounding, 1.6·10⁵ radians of it.
#[test]
fn exactness() {
    for (name, ratio) in exactness::RATIOS {
        for angle in exactness::angles() {
            let error = exactness::error(angle, ratio).unwrap();
            assert!(error.position <= 1e-10, "{name}, ωΔt = {angle}: {:e}", error.position);
            assert!(error.velocity.is_none_or(|e| e <= 1e-10), "{name}, ωΔt = {angle}: {error:?}");
        }
    }
}

/// (ωΔt, σΔt, 1/W, Δtσ*) of the printed closed form in 60 digits.
// Seventeen digits, which name a double.
#[allow(clippy::excessive_precision)]
const CONSTANTS: [(f64, f64, f64, f64); 18] = [
    (0.001, 0.0, 0.99999991666666944, 0.0),
    (0.001, 0.0001, 0.99989992334133562, 0.00010000000833333375),
    (0.001, 0.001, 0.99900058308341942, 0.001000000083333332),
    (0.001, 0.5, 0.63212050700939764, 0.50000004098835544),
    (0.1, 0.01, 0.9892415598503685, 0.010008337446032809),
    (0.1, 0.1, 0.90559170060627123, 0.1000833194477505),
    (0.1, 0.3, 0.75135789103937347, 0.30024863602738811),
    (1.0, 0.1, 0.83333850688782985, 0.10876087293684702),
    (1.0, 1.0, 0.39957640089372805, 1.0819767068693264),
    (1.0, 2.0, 0.22942531212623254, 2.1394421391723582),
    (3.0, 0.0, 0.44222055480009899, 0.0),
    (3.0, 0.3, 0.33470118473421166, 0.67401668187142078),
    (3.0, 3.0, 0.10032273504899316, 4.9715612684213036),
    (3.0, 6.0, 0.061376551051856965, 8.1463835833880044),
    (8.0, 0.01, 0.035442046842768484, 0.27934795613088182),
    (8.0, 0.8, 0.020264102709077447, 19.6925443347617),
    (8.0, 8.0, 0.015614518551240151, 32.02147681285384),
    (8.0, 16.0, 0.013793237430275229, 36.249647881977822),
];

/// The constants as used hold 2e-15 everywhere; the Taylor table fails towards large steps, the printed form towards
/// small ones, and neither holds 10⁻¹² on both sides of ωΔt = 0.2.
#[test]
fn series() {
    let off = |x: f64, exact: f64| if exact == 0.0 { x.abs() } else { (x / exact - 1.0).abs() };
    for (w, s, mobility, damping) in CONSTANTS {
        let [m, d] = closed(w, s);
        assert!(off(m, mobility) < 2e-15 && off(d, damping) < 2e-15, "{w} {s}: {m} {d}");
    }
    // The first term left out, of Δt⁸, and what is printed besides: the table's terms are the constants' own.
    let (w, s) = (0.02, 0.006);
    let [m, d] = taylor(w, s);
    assert!(off(m, closed(w, s)[0]) < 4e-15 && off(d, closed(w, s)[1]) < 4e-15, "{m} {d}");
    for ratio in series::RATIOS {
        for which in [0, 1] {
            for (accuracy, above) in [(1e-12, 0.2), (1e-6, 1.1), (1e-3, 2.7)] {
                let (up_to, _) = series::reach(which, ratio, accuracy);
                assert!(up_to.is_some_and(|w| w < above), "{ratio} {which} {accuracy:e}: {up_to:?}");
            }
            let (_, from) = series::reach(which, ratio, 1e-12);
            assert!(from.is_some_and(|w| w > 5e-3), "{ratio} {which}: {from:?}");
        }
    }
    // 2/(ωΔt)² and what is taken from it agree in 8 digits at ωΔt = 10⁻⁴.
    assert!(off(printed(1e-4, 1e-5)[0], closed(1e-4, 1e-5)[0]) > 1e-10);
}

/// Moreau–Jean's pole is its theory's: 2 atan(ωΔt/2) with θ = ½, and no decay; decay with θ = 1. The modal one is exact.
#[test]
fn warping() {
    for angle in [0.01, 0.1, 0.5, 1.0, 2.0, 3.0] {
        // From hundreds of steps of increments, each known to eps of a position: eps/ωΔt of themselves.
        let tolerance = 1e-15 / angle + 1e-13;
        for theta in warping::THETAS {
            let method = Method::moreau_jean(theta).unwrap();
            let (measured, theory) = (warping::pole(&method, angle).unwrap(), warping::theory(theta, angle));
            assert!(
                (measured.angle - theory.angle).abs() < tolerance,
                "θ = {theta}, ωΔt = {angle}: {measured:?}"
            );
            assert!(
                (measured.radius - theory.radius).abs() < tolerance,
                "θ = {theta}, ωΔt = {angle}: {measured:?}"
            );
        }
        close(warping::theory(0.5, angle).angle, 2.0 * (0.5 * angle).atan(), 1e-15, "theory");
        close(warping::theory(1.0, angle).radius, (1.0 + angle * angle).sqrt().recip(), 1e-15, "theory");
        let exact = warping::pole(&modal().unwrap(), angle).unwrap();
        assert!(
            (exact.angle - angle).abs() < tolerance && (exact.radius - 1.0).abs() < tolerance,
            "{exact:?}"
        );
    }
}

fn close(computed: f64, reference: f64, relative: f64, what: &str) {
    assert!((computed / reference - 1.0).abs() <= relative, "{what}: {computed:e}, not {reference:e}");
}

/// The ideal string folds up: u = |u_free| to 10⁻¹³ and E/E₀ = 1, ¼, 0; the guitar string's energies and 10 ms.
#[test]
#[ignore = "long: .ci/run runs it"]
fn obstacles() {
    let mirrored = obstacles::mirrored().unwrap();
    assert!(mirrored < 1e-13, "{mirrored:e}");
    let after = (0.3 * IDEAL.period() * obstacles::IDEAL_RATE).round() as usize;
    for (e, left) in [(1.0, 1.0), (0.5, 0.25), (0.0, 0.0)] {
        let course = obstacles::ideal(Some(e)).unwrap();
        let ratio = course.energy[after] / course.energy[0];
        assert!((ratio - left).abs() < 1e-13, "e = {e}: {ratio}");
        assert!(course.audit.ok(0.0), "{:?}", course.audit);
    }
    let [elastic, plastic] = [1.0, 0.0].map(|e| obstacles::guitar(e, 0.05).unwrap());
    for course in [&elastic, &plastic] {
        // Eleven digits are given.
        close(course.energy[0] / GUITAR.density, 0.12072000712, 5e-11, "E₀/μ");
        assert!(course.audit.ok(0.0), "{:?}", course.audit);
    }
    close(elastic.energy[4410], elastic.energy[0], 1e-13, "E(50 ms), e = 1");
    close(elastic.values[0][882], 1.0472563594e-3, 1e-10, "u(L/2, 10 ms)");
    close(plastic.energy[4410], 0.9756636739 * plastic.energy[0], 1e-8, "E(50 ms), e = 0");
}

/// ¾T and (1 + h)T/2: what is missed falls as 1/N; the middle is highest there, not before. Ten times in a row, but
/// over h = 0.5, where what is missed decides which points are in contact.
#[test]
#[ignore = "long: .ci/run runs it"]
fn returns() {
    for case in returns::CASES {
        let returns::Case { obstacle, name, restitution: e, intervals } = case;
        let n = intervals[3];
        let [first, tenth] = [1, 10].map(|returns| returns::miss(obstacle, n, e, returns).unwrap());
        assert!(first < 5e-3, "{name}, e = {e}: {first:e}");
        let order = returns::slope(case, 1).unwrap();
        assert!((order - 1.0).abs() < 0.1, "{name}, e = {e}: {order}");
        if !name.ends_with("0.5") {
            assert!(tenth < 3.0 * first, "{name}, e = {e}: {tenth:e}");
        }
        let course = returns::run(obstacle, n, e, 2, 400).unwrap();
        let middle = &course.values[0];
        let highest = (100..=500).max_by(|&i, &j| middle[i].total_cmp(&middle[j])).unwrap();
        // A look is 1/400 of the return.
        assert!(highest.abs_diff(400) <= 1, "{name}, e = {e}: {highest}");
    }
}

/// Errors fall with the rate for each e, over the impacts alone: before the first the runs agree to rounding.
#[test]
#[ignore = "long: .ci/run runs it"]
fn convergence() {
    use convergence::{RESTITUTIONS, SHORT, Study, errors, slope};
    for (e, least) in RESTITUTIONS.into_iter().zip([0.9, 0.9, 0.4]) {
        let errors = errors(&modal().unwrap(), SHORT, e).unwrap();
        assert!(slope(&errors) > least, "e = {e}: {errors:?}");
        assert!(errors.last().unwrap().1 < 0.1 * errors[0].1, "e = {e}: {errors:?}");
    }
    // The string reaches the obstacle at T/4 = 3.05 ms.
    for (_, error) in
        errors(&modal().unwrap(), Study { duration: 3e-3, highest: 3, reference: 5, ..SHORT }, 1.0).unwrap()
    {
        assert!(error < 1e-12, "{error:e}");
    }
}

/// 16 eps of the energy in every step, no work with e = 1, and solvers that agree to 10⁻¹³.
#[test]
fn balance() {
    for (name, build, rate, steps) in balance::CASES {
        for e in balance::RESTITUTIONS {
            let identity = balance::accounts(build(e).unwrap(), rate, steps).unwrap();
            assert!(identity.in_contact > 5, "{name}, e = {e}: {} steps in contact", identity.in_contact);
            assert!(identity.residual <= 16.0 * f64::EPSILON, "{name}, e = {e}: {:e}", identity.residual);
            // Each work is F(c·d + c·d⁺)/2, whose sum rounds to some eps of its terms, up to the energy itself.
            let work = if e == 1.0 { identity.most } else { 0.0 };
            assert!(work <= 64.0 * f64::EPSILON, "{name}: {work:e}");
            let apart = balance::solvers(build(e).unwrap(), rate, steps, balance::IN_CONTACT).unwrap();
            assert!(
                apart.in_contact > 5 && apart.force <= 1e-13 && apart.position <= 1e-13,
                "{name}, e = {e}: {apart:?}"
            );
        }
    }
}

/// The identity from positions and forces alone: Eⁱ = ½Σm[(W − Δtσ*)(vⁱ)² + ω²qⁱqⁱ⁻¹] and its losses and work are what
/// the ledger says, e < 1 and losses included.
#[test]
fn the_ledger_is_the_identity() -> Result<(), Unable> {
    let dt = 1.0 / 88_200.0;
    for e in balance::RESTITUTIONS {
        let mut system = Plucked { quality: Some(WOUND), ..GUITAR }.over(&[(0.501, 0.0)], e)?;
        system.outputs.push(Output { name: "force".into(), quantity: Quantity::MeanForce(0..1) });
        let n = system.size();
        let (k, r) = (system.diagonal_stiffness().unwrap(), system.diagonal_damping().unwrap());
        let modes: Vec<(f64, f64, f64)> = (0..n)
            .map(|i| {
                let (mobility, damping) = constants(k[i] / system.mass[i], 0.5 * r[i] / system.mass[i], dt);
                (system.mass[i], system.mass[i] / mobility, system.mass[i] * damping)
            })
            .collect();
        let row = system.elements[0].row().clone();
        let stored = |q: &[f64], before: &[f64], v: &[f64]| {
            let part = |i: usize| (modes[i].1 - modes[i].2) * v[i] * v[i] + k[i] * q[i] * before[i];
            0.5 * (0..n).map(part).sum::<f64>()
        };
        let mut stepper = modal()?.prepare(&system, dt)?;
        let mut ledgers = vec![(stepper.reset(&[]), 0.0, 0.0, 0.0)];
        let mut q = vec![vec![0.0; n]];
        let mut scrap = vec![0.0; n];
        stepper.snapshot(&mut q[0], &mut scrap);
        for _ in 0..1000 {
            let ledger = stepper.step(&[], Bookkeeping::Full);
            let mut force = [0.0];
            stepper.outputs(&mut force);
            ledgers.push((ledger.stored, ledger.dissipated, ledger.contact_work, force[0]));
            let mut now = vec![0.0; n];
            stepper.snapshot(&mut now, &mut scrap);
            q.push(now);
        }
        // A position is known to eps of its own, its difference over Δt to 1/ωΔt ≈ 170 times that.
        let scale = ledgers[0].0;
        let speeds: Vec<Vec<f64>> =
            q.windows(2).map(|w| w[1].iter().zip(&w[0]).map(|(b, a)| (b - a) / dt).collect()).collect();
        for i in 1..999 {
            let (energy, lost, work, force) = ledgers[i];
            let (before, after) = (&speeds[i - 1], &speeds[i]);
            assert!((stored(&q[i + 1], &q[i], after) - energy).abs() < 1e-12 * scale, "e = {e}, step {i}");
            let sum: Vec<f64> = before.iter().zip(after).map(|(a, b)| a + b).collect();
            let losses: f64 = modes.iter().zip(&sum).map(|(mode, v)| 0.5 * mode.2 * v * v).sum();
            assert!((losses - lost).abs() < 1e-12 * scale, "e = {e}, step {i}: {losses:e} {lost:e}");
            let pushed = -0.5 * force * dt * row.dot(&sum);
            assert!((pushed - work).abs() < 1e-12 * scale, "e = {e}, step {i}: {pushed:e} {work:e}");
        }
        assert!(ledgers.iter().any(|ledger| ledger.3 > 0.0));
    }
    Ok(())
}

/// cos²(ωΔt/2) of a free mode's energy is stored; the undamped bass with all modes gains energy unseen, the scheme says
/// so beforehand, and what it proposes does not.
#[test]
fn blindness() {
    for angle in [0.01, 0.5, 1.5, 2.5, 3.0, 3.1, 4.0, 6.0] {
        let (ratio, theory) = (blindness::energy_ratio(angle).unwrap(), blindness::theory(angle));
        // Stored near π is a difference of numbers 1/cos² as large.
        assert!((ratio - theory).abs() < 1e-13, "ωΔt = {angle}: {ratio} {theory}");
    }
    let coarse = Plucked { modes: 244, ..BASS };
    let last = |string, e| *blindness::bass(string, e, 8820, 8820).unwrap().last().unwrap();
    let (_, stored, physical) = last(BASS, 1.0);
    assert!((stored - 1.0).abs() < 1e-6 && physical > 10.0, "{stored} {physical}");
    let (_, stored, physical) = last(coarse, 1.0);
    // A stored energy that sees half of the highest modes holds the physical one to twice itself.
    assert!((stored - 1.0).abs() < 1e-12 && physical < 2.0, "{stored} {physical}");
    let advice = blindness::advice(BASS.modes).unwrap().concat();
    for part in ["862 modes", "618", "1.5", "15.645", "244 modes", "Hz"] {
        assert!(advice.contains(part), "{advice}");
    }
    assert_eq!(blindness::advice(244).unwrap(), Vec::<String>::new());
}
