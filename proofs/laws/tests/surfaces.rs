//! Plates and membranes set in motion: by a patch around a place, by their own shapes, by a blow.
//!
//! A shape φ with ∇²φ = −k²φ has the mean J₀(kρ) φ(c) on a circle of radius ρ around c (Helmholtz's mean value theorem).
//! A motion f(ρ) around c, zero beyond a, therefore has the amplitude
//!
//!   q = 2π φ(c) ∫₀ᵃ f J₀(kρ) ρ dρ / ∫∫φ²,   for f = 1 − ρ²/a² it is 4π φ(c) J₂(ka)/(k² ∫∫φ²)

use hamiltone_bodies::{End, Membrane, Modal, Plate, StiffString};
use hamiltone_core::{
    body::{Body, InitialMotion, Placed, Support},
    geometry::{Geometry, Position},
    system::System,
};
use hamiltone_numerics::math::{cos, jn};
use std::f64::consts::{PI, TAU};

const RADIUS: f64 = 0.16;
const SIDES: [f64; 2] = [0.5, 0.4];
const DENSITY: f64 = 0.8;

/// From an angular frequency (rad/s) to its wave number (1/m).
type WaveNumber = fn(f64) -> f64;

/// A membrane with c = 100 m/s and a plate with κ = 2 m²/s, and the wave number of each of their frequencies, 1/m.
fn surfaces(modes: usize) -> [(Modal, WaveNumber); 2] {
    let membrane = Membrane::new(RADIUS, DENSITY, 1e4 * DENSITY).unwrap();
    let plate = Plate::new(SIDES, DENSITY, 4.0 * DENSITY).unwrap();
    [
        (membrane.by_modes(modes).unwrap(), |omega| omega / 100.0),
        (plate.by_modes(modes).unwrap(), |omega| (omega / 2.0).sqrt()),
    ]
}

fn placed(body: &dyn Body) -> (System, Placed) {
    let mut system = System::default();
    let placed = body.add_to(&mut system, "body").unwrap();
    (system, placed)
}

/// A position beside the middle of either: at 3.5 cm and 40° of the membrane, at 18 cm, 23 cm of the plate.
fn centre(placed: &Placed) -> Position {
    let membrane = placed.geometry.surface().is_some_and(|surface| surface.margin([0.0, 0.0]) > 0.0);
    if membrane { [0.035, 40.0 / 360.0] } else { [0.18, 0.23] }
}

/// Velocities by projection of v(ρ) around the centre, within the radius a.
fn around(placed: &Placed, a: f64, v: impl Fn(f64) -> f64) -> Vec<f64> {
    let (centre, geometry) = (centre(placed), placed.geometry);
    let at = move |at| (0.0, v(geometry.distance(centre, at)));
    let motion = InitialMotion { at: Box::new(at), support: Support::Disc { centre, radius: a } };
    placed.representation.project(&motion).into_iter().map(|value| value.velocity).collect()
}

/// Narrow and wide patches, against the integral in closed form: within 1e-14 of the largest amplitude.
#[test]
fn amplitudes_of_a_patch_are_bessel_integrals() {
    for (body, wave) in surfaces(400) {
        let (system, placed) = placed(&body);
        let phi = placed.representation.row(centre(&placed));
        for a in [0.002, 0.03, 0.12] {
            let own = around(&placed, a, |rho| 1.0 - rho * rho / (a * a));
            let exact = |(k, phi): (usize, f64)| {
                let (wave, norm) = (wave(body.modes()[k].omega), system.mass[k] / DENSITY);
                4.0 * PI * phi * jn(2, wave * a) / (wave * wave * norm)
            };
            let exact: Vec<f64> = phi.entries().map(exact).collect();
            let largest = exact.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            for (k, (own, exact)) in own.iter().zip(&exact).enumerate() {
                let apart = (own - exact).abs() / largest;
                assert!(apart < 1e-14, "a = {a}, mode {}: {own:e}, not {exact:e}", k + 1);
            }
        }
    }
}

/// Those, and plates with other ends along x, whose shapes are no waves of one length.
fn all_surfaces(modes: usize) -> Vec<Modal> {
    use End::{Clamped, Free, Hinged, Sliding};
    let plate = |ends| Plate::new(SIDES, DENSITY, 4.0 * DENSITY)?.with_ends(ends, 0.3)?.by_modes(modes);
    let ends = [[Clamped, Free], [Free, Free], [Hinged, Sliding]];
    surfaces(modes).map(|(body, _)| body).into_iter().chain(ends.map(|ends| plate(ends).unwrap())).collect()
}

/// A motion of the whole surface in one of its shapes is this mode alone.
#[test]
fn a_shape_is_its_own_mode() {
    for body in all_surfaces(60) {
        let (_, placed) = placed(&body);
        for k in [0, 3, 17, 59] {
            let shape = |at| placed.representation.row(at).weight(k);
            let motion = InitialMotion {
                at: Box::new(|at| (shape(at), 0.0)),
                support: Support::Whole { corners: Vec::new() },
            };
            for value in placed.representation.project(&motion) {
                let expected = if value.dof == k { 1.0 } else { 0.0 };
                assert!((value.position - expected).abs() < 1e-13, "{k}: {value:?}");
            }
        }
    }
}

/// v₀(1 + cos(πρ/a))/2 within a: the momentum of what is struck, ∫ρh v dA = ρh v₀πa²(1/2 − 2/π²), is that of all modes,
/// Σ m_k v_k q_k with the amplitudes q_k of a uniform displacement, but for the modes that are left out: 1e-5 of it with
/// 600 modes, 5e-4 with 300. On a string it is ρA v₀ a.
#[test]
fn a_blow_has_the_momentum_of_its_velocity() {
    let (a, v0) = (0.05, 3.0);
    let blow = |rho: f64| 0.5 * v0 * (1.0 + cos(PI * rho / a));
    for (body, _) in surfaces(600) {
        let (system, placed) = placed(&body);
        let velocity = around(&placed, a, blow);
        let whole = Support::Whole { corners: Vec::new() };
        let uniform = InitialMotion { at: Box::new(|_| (1.0, 0.0)), support: whole };
        let uniform = placed.representation.project(&uniform);
        let terms = uniform.iter().map(|one| system.mass[one.dof] * velocity[one.dof] * one.position);
        let (momentum, exact) = (terms.sum::<f64>(), DENSITY * v0 * PI * a * a * (0.5 - 2.0 / (PI * PI)));
        assert!((momentum / exact - 1.0).abs() < 5e-5, "{momentum} {exact}");
    }
    // Nodes 1 cm apart, five on either side: the trapezoidal rule is exact for a cosine.
    let string = StiffString::new(0.6, 2e-3, 50.0).unwrap().on_grid(60).unwrap();
    let (system, placed) = placed(&string);
    let at = |[x, _]: Position| (0.0, if (x - 0.2).abs() < a { blow(x - 0.2) } else { 0.0 });
    let support = Support::Whole { corners: vec![0.2 - a, 0.2 + a] };
    let values = placed.representation.project(&InitialMotion { at: Box::new(at), support });
    let momentum: f64 = values.iter().map(|value| system.mass[value.dof] * value.velocity).sum();
    assert!((momentum / (2e-3 * v0 * a) - 1.0).abs() < 1e-13, "{momentum}");
}

/// Σ ½m_k v_k² of the same blow is ∫½ρh v² dA = ρh v₀²πa²(3/4 − 4/π²)/4, but for the modes that are left out. The second derivative
/// of v jumps by v₀π²/2a² at the rim: above the wave number K lies the part 18/(Ka)⁵ of the energy, and 300 modes reach Ka = 13.7.
#[test]
fn a_blow_has_the_energy_of_its_velocity() {
    let (a, v0) = (0.1, 3.0);
    for body in all_surfaces(300) {
        let (system, placed) = placed(&body);
        let velocity = around(&placed, a, |rho| 0.5 * v0 * (1.0 + cos(PI * rho / a)));
        let energy: f64 = system.mass.iter().zip(velocity).map(|(m, v)| 0.5 * m * v * v).sum();
        let exact = 0.25 * DENSITY * v0 * v0 * PI * a * a * (0.75 - 4.0 / (PI * PI));
        assert!((energy / exact - 1.0).abs() < 1e-4, "{energy} {exact} {body:?}");
    }
}

/// Points of a line are its places; their lengths add up to it, and a chord of a membrane stays on it.
#[test]
fn a_line_on_a_surface_is_sampled_evenly() {
    for (body, _) in surfaces(200) {
        let (_, placed) = placed(&body);
        let ends = match placed.geometry {
            Geometry::Surface(surface) if surface.margin([0.0; 2]) > 0.0 => [[0.1, 0.05], [0.16, 0.6]],
            _ => [[0.0, 0.1], [0.4, 0.4]],
        };
        let length = placed.geometry.distance(ends[0], ends[1]);
        let samples = placed.samples_between(ends[0], ends[1]);
        let total: f64 = samples.iter().map(|sample| sample.weight).sum();
        assert!((total / length - 1.0).abs() < 1e-13);
        let spacing = samples[0].weight;
        let finest = placed.representation.resolution();
        assert!(spacing <= finest * (1.0 + 1e-9) && spacing > 0.9 * finest, "{spacing} {finest}");
        for pair in samples.windows(2) {
            assert!((placed.geometry.distance(pair[0].at, pair[1].at) / spacing - 1.0).abs() < 1e-12);
            assert_eq!(pair[0].row, placed.representation.row(pair[0].at));
            assert!(placed.geometry.surface().unwrap().margin(pair[0].at) >= 0.0);
        }
    }
    // Sample points of the whole stand for its area: of a membrane all of it.
    let [(membrane, _), _] = surfaces(50);
    let (_, placed) = placed(&membrane);
    let area: f64 = placed.representation.samples().iter().map(|sample| sample.weight).sum();
    assert!((area / (0.5 * TAU * RADIUS * RADIUS) - 1.0).abs() < 1e-12);
}
