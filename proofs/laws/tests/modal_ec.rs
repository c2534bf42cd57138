//! `modal-ec` against theory and against two independent schemes on the same modes: what the scheme laws cannot know.

use hamiltone_core::{
    audit::Audit,
    claims::Balance,
    element::{Element, Law, Resistive},
    input::Input,
    ledger::{Bookkeeping, Fault},
    operator::Operator,
    row::Row,
    scheme::Scheme,
    stepper::{Activity, Gaps},
    system::{Block, System},
};
use hamiltone_elements::{LinearDamper, Power};
use hamiltone_laws::long;
use hamiltone_papers::siconos_modal_moreau_jean::{
    convergence::{self, SHORT, Study},
    string::{BASS, GUITAR, Plucked, WOUND, frets},
};
use hamiltone_schemes::{modal_ec::physical_over_stored, named};
use proptest::{
    collection,
    prelude::*,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use std::{cell::Cell, f64::consts::PI};

/// s.
const DT: f64 = 1.0 / 48_000.0;

fn scheme() -> Box<dyn Scheme> {
    named("modal-ec").expect("a scheme")
}

/// Modes (ωΔt, σ/ω) of the masses (kg), at rest.
fn modes(modes: &[(f64, f64)], masses: &[f64]) -> System {
    let mut system = System::default();
    let (mut stiffness, mut damping) = (Vec::new(), Vec::new());
    for ((product, ratio), mass) in modes.iter().zip(masses) {
        let omega = product / DT;
        system.add_dof(*mass, 0.0, 0.0);
        stiffness.push(mass * omega * omega);
        damping.push(2.0 * mass * ratio * omega);
    }
    system.blocks.push(Block {
        name: "modes".into(),
        dofs: 0..modes.len(),
        stiffness: Operator::Diagonal(stiffness),
        damping: Operator::Diagonal(damping),
    });
    system
}

/// e^(−σt) (cos, sin/a) of a mode, cosh and sinh where overdamped.
fn decaying(omega: f64, sigma: f64, t: f64) -> (f64, f64) {
    let square = omega * omega - sigma * sigma;
    let a = square.abs().sqrt();
    if square > 0.0 {
        let decay = (-sigma * t).exp();
        return (decay * (a * t).cos(), decay * (a * t).sin() / a);
    }
    let (slow, quick) = ((-omega * omega / (sigma + a) * t).exp(), (-(sigma + a) * t).exp());
    if square == 0.0 { (quick, quick * t) } else { (0.5 * (slow + quick), 0.5 * (slow - quick) / a) }
}

/// Free modes over 20 000 steps: 10⁻¹⁰ of the amplitude, of which ω's own rounding is 1.4e-11 (6.2·10⁴ radians of it), and
/// that of cos ωΔt, 20 000·eps/2 sin ωΔt, 5.3e-11 at 3.1.
#[test]
fn free_modes_are_exact() {
    let products = [1e-4, 1e-3, 0.01, 0.1, 0.5, 1.0, 0.5 * PI, 1.6, 2.0, 2.5, 2.9, 3.0, 3.1];
    let ratios = [0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.999, 1.0, 1.001, 2.0, 3.0];
    for product in products {
        for ratio in ratios {
            let omega = product / DT;
            let sigma = ratio * omega;
            let mut system = modes(&[(product, ratio)], &[2e-3]);
            let (q, v) = (1e-3, 0.7e-3 * omega);
            (system.initial.position[0], system.initial.velocity[0]) = (q, v);
            let mut simulation = scheme().prepare(&system, DT).unwrap();
            simulation.reset(&[]);
            let mut worst = 0.0_f64;
            for n in 1..=20_000 {
                simulation.step(&[], Bookkeeping::Flows);
                let motion = simulation.motion();
                let (c, s) = decaying(omega, sigma, f64::from(n) * DT);
                let (at, rate) = (c * q + s * (v + sigma * q), c * v - s * (sigma * v + omega * omega * q));
                worst = worst.max((motion.q[0] - at).abs() / q).max((motion.v[0] - rate).abs() / v);
            }
            assert!(worst < 1e-10, "ωΔt = {product}, σ/ω = {ratio}: {worst:e}");
        }
    }
}

/// A force that is constant over each step moves an undamped mode exactly, and any mode to its static deflection f/k: the
/// mode's mass in the step is m(x/tan x)², x = ωΔt/2, so that its stiffness is its own.
#[test]
fn constant_forces_are_exact() {
    for product in [0.01, 0.5, 1.5, 2.5, 3.1] {
        for ratio in [0.0, 0.7] {
            let omega = product / DT;
            let mut system = modes(&[(product, ratio)], &[2e-3]);
            system.inputs.push(Input::force("push", Row::unit(0)));
            let mut simulation = scheme().prepare(&system, DT).unwrap();
            simulation.reset(&[1.0]);
            let deflection = 1.0 / (2e-3 * omega * omega);
            let mut worst = 0.0_f64;
            for n in 1..=5000 {
                simulation.step(&[1.0, 1.0], Bookkeeping::Flows);
                let q = simulation.motion().q[0];
                let exact = match (ratio, n) {
                    (0.0, n) => deflection * (1.0 - (f64::from(n) * product).cos()),
                    (_, n) if f64::from(n) * product * ratio > 30.0 => deflection,
                    _ => continue,
                };
                worst = worst.max((q - exact).abs() / deflection);
            }
            assert!(worst < 1e-10, "ωΔt = {product}, σ/ω = {ratio}: {worst:e}");
        }
    }
}

/// A mode to which a spring is added goes on from where it is, exactly at its new frequency, and back at its old one; the work of the spring is what
/// is stored more, to rounding, and the physical ½ΔK q² up to the (ωΔt)² that the step's own stiffness differs by.
#[test]
fn modes_are_retuned_exactly() {
    for product in [0.01, 0.3, 1.0, 2.0] {
        for ratio in [0.0, 0.01] {
            let (omega, mass) = (product / DT, 2e-3);
            let sigma = ratio * omega;
            let mut system = modes(&[(product, ratio)], &[mass]);
            (system.initial.position[0], system.initial.velocity[0]) = (1e-3, 0.3e-3 * omega);
            let mut simulation = scheme().prepare(&system, DT).unwrap();
            let mut audit = Audit::open(simulation.reset(&[]), Balance::EXACT);
            let stiffness = mass * omega * omega;
            for change in [0.25, -0.2, 0.0] {
                let (q, v) = (simulation.motion().q[0], simulation.motion().v[0]);
                let before = simulation.save();
                let work = simulation.retune(&[change * stiffness]).expect("modal-ec can");
                let motion = simulation.motion();
                // A velocity is a sum of parts of position and speed, each rounded once.
                let kept = (motion.q[0] - q).abs() <= 2.0 * f64::EPSILON * q.abs()
                    && (motion.v[0] - v).abs() <= 4.0 * f64::EPSILON * (v.abs() + omega * q.abs());
                assert!(kept, "{} {q}, {} {v}", motion.q[0], motion.v[0]);
                let omega = omega * (1.0 + change).sqrt();
                let saved = simulation.save();
                let mut worst = 0.0_f64;
                for n in 1..=1000 {
                    assert!(audit.post(&simulation.step(&[], Bookkeeping::Full)));
                    let motion = simulation.motion();
                    let (c, s) = decaying(omega, sigma, f64::from(n) * DT);
                    let (at, rate) =
                        (c * q + s * (v + sigma * q), c * v - s * (sigma * v + omega * omega * q));
                    let size = q.hypot(v / omega);
                    worst = worst
                        .max((motion.q[0] - at).abs() / size)
                        .max((motion.v[0] - rate).abs() / (omega * size));
                }
                // A thousand steps of ω's rounding and that of its cosine, as above.
                assert!(worst < 1e-11, "ωΔt = {product}, σ/ω = {ratio}, {change}: {worst:e}");
                // A saved state holds the spring.
                let end = simulation.motion().q[0];
                let mut other = scheme().prepare(&system, DT).unwrap();
                other.restore(&saved).unwrap();
                (0..1000).for_each(|_| _ = other.step(&[], Bookkeeping::Flows));
                assert_eq!(other.motion().q[0].to_bits(), end.to_bits());
                assert!(before != saved);
                if product < 0.1 && change == 0.25 {
                    let physical = 0.5 * change * stiffness * q * q;
                    assert!(
                        (work / physical - 1.0).abs() < product * product + sigma * DT,
                        "{work:e} {physical:e}"
                    );
                }
            }
            assert!(audit.ok(0.0), "ωΔt = {product}: {:e}", audit.residual_max_relative());
        }
    }
}

/// Modes above 0.99 of Nyquist are left out with a message, and nothing else changes.
#[test]
fn modes_that_would_alias_are_left_out() {
    let run = |products: &[f64]| {
        let given: Vec<(f64, f64)> = products.iter().map(|product| (*product, 1e-4)).collect();
        let mut system = modes(&given, &vec![2e-3; given.len()]);
        system.initial.velocity.fill(0.3);
        let stop = Row::Sparse((0..products.len()).map(|i| (i, 1.0 + i as f64)).collect());
        system.elements.push(Element::new("stop", stop, 1e-7, Law::Rigid { restitution: 0.5 }));
        let advice = scheme().advice(&system, DT);
        let mut simulation = scheme().prepare(&system, DT).unwrap();
        simulation.reset(&[]);
        for _ in 0..500 {
            simulation.step(&[], Bookkeeping::Flows);
        }
        (simulation.motion().q.clone(), advice)
    };
    let (kept, advice) = run(&[0.1, 1.2]);
    assert!(advice.is_empty(), "{advice:?}");
    let (all, advice) = run(&[0.1, 1.2, 3.2, 7.0]);
    assert_eq!((&all[..2], &all[2..]), (&kept[..], &[0.0, 0.0][..]));
    let expected = "2 of 4 modes of `modes` lie above 23760 Hz, 0.99 of Nyquist, and are left out; ask for at most 2 modes, or a rate of at least 108033 Hz";
    assert_eq!(advice, [expected]);
    let refused = scheme().prepare(&modes(&[(3.2, 0.0)], &[1.0]), DT).err().unwrap().to_string();
    assert!(
        refused.contains("ω_min·Δt of a body = 3.200000000 is beyond its limit 3.110176727"),
        "{refused}"
    );
}

/// Modes with contacts at random: (ωΔt, lg σ/ω, lg m), rows (weights, gap, restitution, twice), velocities.
type Impacts = (Vec<(f64, f64, f64)>, Vec<(Vec<f64>, f64, f64, bool)>, Vec<f64>);

fn impacts() -> impl Strategy<Value = Impacts> {
    let mode = (prop_oneof![0.0..1.5_f64, 1.5..3.1_f64], -5.0..0.3_f64, -3.0..0.0_f64);
    let restitution = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0_f64];
    let gap = prop_oneof![Just(0.0), -1e-5..1e-4_f64];
    let contact = (collection::vec(-1.0..1.0_f64, 6), gap, restitution, any::<bool>());
    (collection::vec(mode, 1..7), collection::vec(contact, 1..6), collection::vec(-1.0..1.0_f64, 6))
}

/// The same cases in every run.
fn runner(cases: u32) -> TestRunner {
    let cases = long::cases(cases);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// In no step of 10⁵ random systems (see [`long`]) do rigid contacts add energy, several of them at once or twice the same, whatever
/// their restitutions; and the physical energy is never more than the stored energy times its bound.
#[test]
fn impacts_never_add_energy() {
    let mut runner = runner(100_000);
    let (pushed, together) = (Cell::new(0_u32), Cell::new(0_u32));
    let outcome = runner.run(&impacts(), |(given, contacts, velocities)| {
        let shapes: Vec<(f64, f64)> = given.iter().map(|(w, z, _)| (*w, 10f64.powf(*z))).collect();
        let masses: Vec<f64> = given.iter().map(|(_, _, m)| 10f64.powf(*m)).collect();
        let mut system = modes(&shapes, &masses);
        let n = given.len();
        system.initial.velocity.copy_from_slice(&velocities[..n]);
        for (weights, gap, restitution, twice) in &contacts {
            for _ in 0..=usize::from(*twice) {
                let row = Row::Sparse(weights[..n].iter().copied().enumerate().collect());
                let law = Law::Rigid { restitution: *restitution };
                system.elements.push(Element::new("stop", row, *gap, law));
            }
        }
        let bound = (0..n).map(|i| {
            let omega = shapes[i].0 / DT;
            physical_over_stored(omega * omega, shapes[i].1 * omega, DT)
        });
        let bound = bound.fold(1.0, f64::max);
        let mut simulation = scheme().prepare(&system, DT).unwrap();
        let start = simulation.reset(&[]);
        let mut stored = start;
        for step in 0..25 {
            let ledger = simulation.step(&[], Bookkeeping::Full);
            let met = !matches!(ledger.effort.fault, Some(Fault::NotConverged(_)));
            // The work of each impulse is a product of some roundings of its own: those of c·Y, over its leverage.
            let rounding = 64.0 * f64::EPSILON * (start + ledger.leverage);
            pushed.set(pushed.get() + u32::from(ledger.contact_work < 0.0));
            together.set(together.get() + u32::from(ledger.effort.iterations > 1));
            prop_assert!(!met || ledger.contact_work <= rounding, "step {}: {:e}", step, ledger.contact_work);
            let kept = ledger.stored <= stored + rounding;
            prop_assert!(!met || kept, "step {step}: stored {:e}", ledger.stored);
            let physical = simulation.physical_energy();
            let most = bound * ledger.stored * (1.0 + 1e-9) + rounding;
            prop_assert!(physical <= most, "step {}: {:e} of {:e}", step, physical, most);
            stored = ledger.stored;
        }
        Ok(())
    });
    outcome.unwrap_or_else(|broken| panic!("{broken}"));
    let least = [100_000, 10_000].map(long::cases);
    assert!(pushed.get() > least[0] && together.get() > least[1], "{pushed:?} {together:?}");
}

/// Contacts that are out of reach are not looked at, by a bound on the motion along their rows. Asked for what elements did after every
/// step, a simulation looks at all of them that come nearer than since then: forces, energies, impulses and least gaps are the same to the
/// bit, also with forces, a felt, a stop that moves, impulses and changes of stiffness; and where least gaps are those of all steps.
#[test]
fn contacts_out_of_reach_change_nothing() {
    for name in ["modal-ec", "modal-moreau-jean"] {
        out_of_reach(&*named(name).unwrap());
    }
}

fn out_of_reach(scheme: &dyn Scheme) {
    let mut runner = runner(20_000);
    let closed = Cell::new(0_u32);
    let outcome = runner.run(&impacts(), |(given, contacts, velocities)| {
        let shapes: Vec<(f64, f64)> = given.iter().map(|(w, z, _)| (*w, 10f64.powf(*z))).collect();
        let masses: Vec<f64> = given.iter().map(|(_, _, m)| 10f64.powf(*m)).collect();
        let mut system = modes(&shapes, &masses);
        let n = given.len();
        let row = |weights: &[f64]| Row::Sparse(weights[..n].iter().copied().enumerate().collect());
        system.initial.velocity.copy_from_slice(&velocities[..n]);
        for (weights, gap, restitution, _) in &contacts {
            let law = Law::Rigid { restitution: *restitution };
            system.elements.push(Element::new("stop", row(weights), *gap, law));
        }
        let felt = Power::new(1e3, 1.5).unwrap().at_gap(0.0).law;
        system.elements.push(Element::new("felt", row(&velocities), 3e-5, felt));
        system.inputs.push(Input::force("pull", row(&contacts[0].0)));
        system.inputs.push(Input::motion("stop", 0..1));
        let mut simulation = scheme.prepare(&system, DT).unwrap();
        simulation.reset(&[0.0; 2]);
        let (mut watched, mut lasting) = (simulation.clone(), simulation.clone());
        let mut now = vec![Activity::NONE; system.elements.len()];
        let (mut all, mut least) = (now.clone(), now.clone());
        lasting.activity(DT, Gaps::SoFar, &mut least);
        for step in 0..60 {
            if step == 20 {
                let added: Vec<f64> = masses.iter().map(|mass| 0.05 * mass / (DT * DT)).collect();
                prop_assert_eq!(simulation.retune(&added), watched.retune(&added));
                lasting.retune(&added);
            }
            if step == 35 {
                let kick = row(&velocities);
                prop_assert_eq!(simulation.impulse(&kick, 1e-3), watched.impulse(&kick, 1e-3));
                lasting.impulse(&kick, 1e-3);
            }
            let pull = |step: i32| if step < 25 { f64::from(step % 7 - 3) } else { 0.0 };
            let input = |step: i32| [pull(step), 1e-6 * f64::from(step % 11)];
            let ends = [input(step), input(step + 1)].concat();
            let ledger = simulation.step(&ends, Bookkeeping::Full);
            prop_assert_eq!(ledger, watched.step(&ends, Bookkeeping::Full), "step {}", step);
            prop_assert_eq!(ledger, lasting.step(&ends, Bookkeeping::Full), "step {}", step);
            lasting.activity(DT, Gaps::SoFar, &mut least);
            watched.activity(DT, Gaps::Since, &mut now);
            for (all, now) in all.iter_mut().zip(&now) {
                *all = Activity { impulse: all.impulse + now.impulse, gap: all.gap.min(now.gap) };
            }
        }
        closed.set(closed.get() + u32::from(all.iter().any(|all| all.impulse > 0.0)));
        prop_assert_eq!(simulation.motion(), watched.motion());
        simulation.activity(DT, Gaps::Since, &mut now);
        prop_assert_eq!(&now, &all);
        prop_assert!(least.iter().zip(&all).all(|(least, all)| least.gap == all.gap));
        Ok(())
    });
    outcome.unwrap_or_else(|broken| panic!("{broken}"));
    assert!((long::cases(2_000)..long::cases(19_000)).contains(&closed.get()), "{closed:?}");
}

/// The same of all points of a string, which are read by a transform: single rows, rounded otherwise, tell only what is open.
#[test]
fn points_out_of_reach_change_nothing() {
    let string = Plucked { modes: 58, quality: Some(WOUND), ..BASS };
    let system = string.over(&string.everywhere(-1.5e-3), 0.0).unwrap();
    for name in ["modal-ec", "modal-moreau-jean"] {
        let mut lasting = named(name).unwrap().prepare(&system, DT).unwrap();
        lasting.reset(&[]);
        let mut watched = lasting.clone();
        let mut now = vec![Activity::NONE; system.elements.len()];
        let (mut all, mut least) = (now.clone(), now.clone());
        lasting.activity(DT, Gaps::SoFar, &mut least);
        for _ in 0..4000 {
            let ledger = lasting.step(&[], Bookkeeping::Full);
            assert_eq!(ledger, watched.step(&[], Bookkeeping::Full));
            watched.activity(DT, Gaps::Since, &mut now);
            all.iter_mut().zip(&now).for_each(|(all, now)| all.gap = all.gap.min(now.gap));
        }
        lasting.activity(DT, Gaps::SoFar, &mut least);
        assert_eq!(lasting.motion(), watched.motion());
        assert!(least.iter().zip(&all).all(|(least, all)| least.gap == all.gap), "{name}");
        assert!(least.iter().any(|least| least.impulse > 0.0), "{name}");
    }
}

/// A damper that is lifted does nothing; when it has fallen it acts in every step.
#[test]
fn a_lifted_damper_changes_nothing() {
    let shapes = [(0.1, 1e-3), (0.4, 1e-3)];
    let mut free = modes(&shapes, &[2e-3, 3e-3]);
    free.initial.velocity = vec![1.0, -0.5];
    let mut damped = free.clone();
    let law = Law::Resistive(Resistive::new(LinearDamper, 0.0));
    damped.elements.push(Element::new("felt", Row::Sparse(vec![(0, 1.0), (1, 0.7)]), 0.0, law));
    damped.inputs.push(Input::control("fall", 0..1));
    let [mut free, mut damped] = [free, damped].map(|system| scheme().prepare(&system, DT).unwrap());
    free.reset(&[]);
    damped.reset(&[0.0]);
    for step in 0..200 {
        let resistance = if step < 100 { 0.0 } else { 2.0 };
        let alone = free.step(&[], Bookkeeping::Full);
        let ledger = damped.step(&[resistance; 2], Bookkeeping::Full);
        assert_eq!(ledger.effort.iterations > 0, step >= 100, "step {step}");
        // The energies of two modes are added up in another order: four roundings.
        let same = (ledger.stored / alone.stored - 1.0).abs() <= 4.0 * f64::EPSILON;
        assert_eq!(same, step < 100, "step {step}: {} and {}", ledger.stored, alone.stored);
    }
}

/// Undamped the stored energy is the physical one; damped the bound is met by some state, and is near 1 where modes decay
/// over many periods: below 1.02 for σ/ω ≤ 0.01 up to ωΔt = 2.
#[test]
fn stored_energy_bounds_the_physical_one() {
    for product in [0.01, 0.5, 1.5, 2.5, 3.1] {
        for ratio in [0.0, 1e-4, 0.01, 0.3, 1.0, 3.0] {
            let omega = product / DT;
            let bound = physical_over_stored(omega * omega, ratio * omega, DT);
            let mut most = 0.0_f64;
            for k in 0..720 {
                let phase = PI * f64::from(k) / 720.0;
                let mut system = modes(&[(product, ratio)], &[2e-3]);
                system.initial.position[0] = 1e-3 * phase.cos();
                system.initial.velocity[0] = 1e-3 * omega * phase.sin();
                let mut simulation = scheme().prepare(&system, DT).unwrap();
                let stored = simulation.reset(&[]);
                most = most.max(simulation.physical_energy() / stored);
            }
            assert!(most <= bound * (1.0 + 1e-12), "ωΔt = {product}, σ/ω = {ratio}: {most} of {bound}");
            // Of 720 phases the nearest is within a part in 5·10⁴ of the extreme, times the condition of the form. Of a mode that
            // decays within a step, σΔt > 1, the mean velocity is read, which is below the initial one.
            let is_read = ratio * product <= 1.0;
            assert!(!is_read || most > 0.999 * bound, "ωΔt = {product}, σ/ω = {ratio}: {most} of {bound}");
            assert!(ratio > 0.0 || (bound - 1.0).abs() < 1e-12, "ωΔt = {product}: {bound}");
            assert!(ratio > 0.01 || product > 2.0 || bound < 1.02, "ωΔt = {product}, σ/ω = {ratio}: {bound}");
        }
    }
}

/// u(0.501 m) of a guitar string on a compliant point, at 44.1 kHz.
fn compliant(name: &str, doubling: u32) -> Vec<f64> {
    let string = Plucked { modes: 60, ..GUITAR };
    let mut system = string.over(&[(0.501, 0.0)], 0.0).unwrap();
    let felt = Power::new(3e5, 1.5).unwrap().at_gap(0.0);
    system.elements[0].law = felt.law;
    let every = 1_usize << doubling;
    let ear = string.ear(0.501).unwrap();
    let mut simulation = named(name).unwrap().prepare(&system, 1.0 / (44_100.0 * every as f64)).unwrap();
    simulation.reset(&[]);
    (0..400)
        .map(|_| {
            for _ in 0..every {
                simulation.step(&[], Bookkeeping::Flows);
            }
            ear.dot(&simulation.motion().q)
        })
        .collect()
}

fn apart(u: &[f64], reference: &[f64]) -> f64 {
    let size: f64 = reference.iter().map(|u| u * u).sum();
    (u.iter().zip(reference).map(|(u, r)| (u - r) * (u - r)).sum::<f64>() / size).sqrt()
}

/// With a compliant contact: order 2, and the motion that `ec` and `modal-moreau-jean` tend to on the same modes.
#[test]
fn compliant_contacts_converge() {
    let reference = compliant("modal-ec", 8);
    let errors: Vec<f64> = (2..=5).map(|k| apart(&compliant("modal-ec", k), &reference)).collect();
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1]).log2() > 1.6, "{errors:?}");
    }
    assert!(errors[3] < 1e-3, "{errors:?}");
    for other in ["ec", "modal-moreau-jean"] {
        let off = apart(&compliant(other, 8), &reference);
        assert!(off < 1e-3, "{other}: {off:e}");
    }
}

/// The study of the Siconos page: at rates from 44.1 kHz to 256 times that, of the order that the published recursion
/// has there, and both tend to the same motion.
#[test]
fn rigid_contacts_converge() {
    use hamiltone_papers::method::Method;
    let [own, published] = ["modal-ec", "modal-moreau-jean"].map(|name| Method::new(name, name).unwrap());
    for (restitution, least) in [(0.0, 0.9), (0.9, 0.9), (1.0, 0.4)] {
        let errors = convergence::errors(&own, SHORT, restitution).unwrap();
        assert!(convergence::slope(&errors) > least, "e = {restitution}: {errors:?}");
        assert!(errors.last().unwrap().1 < 0.1 * errors[0].1, "e = {restitution}: {errors:?}");
    }
    let study = Study { modes: 60, duration: 0.01, ..SHORT };
    let last = |method| convergence::middle(method, study, 0.0, 9).unwrap();
    let off = apart(&last(&own), &last(&published));
    assert!(off < 0.02, "{off:e}");
}

/// The bass on its frets, with modes up to 0.98 of Nyquist: the physical energy never exceeds what it began with, where
/// the published recursion ends at many times that.
#[test]
fn the_bass_on_its_frets_never_gains_energy() {
    for restitution in [0.0, 0.9, 1.0] {
        let system = Plucked { modes: 380, ..BASS }.over(&frets(), restitution).unwrap();
        let mut simulation = scheme().prepare(&system, 1.0 / 176_400.0).unwrap();
        let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
        let (start, mut most) = (simulation.physical_energy(), 0.0_f64);
        for _ in 0..8000 {
            let ledger = simulation.step(&[], Bookkeeping::Full);
            assert!(ledger.contact_work <= 64.0 * f64::EPSILON * start, "{:e}", ledger.contact_work);
            assert!(audit.post(&ledger), "{:?}", audit.fault);
            most = most.max(simulation.physical_energy());
        }
        assert!(audit.ok(0.0), "{audit:?}");
        assert!(most <= start * (1.0 + 1e-12), "e = {restitution}: {most} of {start}");
    }
}
