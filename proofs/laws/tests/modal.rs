//! Bodies by their modes: their partials, their starts, and that they are what their grids tend to.

use hamiltone_bodies::{Bar, End, Membrane, Modal, Plate, StiffString};
use hamiltone_core::{
    body::{Body, InitialMotion, Placed, Support},
    geometry::{Coordinate, Place},
    input::Input,
    ledger::Bookkeeping,
    system::{Output, Quantity, System},
};
use hamiltone_schemes::eigenfrequencies;
use std::f64::consts::{PI, TAU};

fn placed(body: &dyn Body) -> (System, Placed) {
    let mut system = System::default();
    let placed = body.add_to(&mut system, "body").unwrap();
    (system, placed)
}

/// The bass string of Issanchou et al. 2018: L = .863 m, T = 191.6 N, μ = 6.69e-3 kg/m, B = 3.5e-5.
fn bass(modes: usize, intervals: usize) -> Modal {
    let (length, tension, density, b) = (0.863, 191.6, 6.69e-3, 3.5e-5);
    let bending = b * tension * (length / PI).powi(2);
    let string = StiffString::new(length, density, tension).unwrap().stiff(bending).unwrap();
    string.by_modes(modes, intervals).unwrap()
}

/// f_j = j c/2L √(1 + Bj²), to 1e-12.
#[test]
fn partials_of_a_string() {
    let (system, placed) = placed(&bass(862, 864));
    let c = (191.6_f64 / 6.69e-3).sqrt();
    let partials = |j| placed.representation.partial(j).unwrap();
    for (j, omega) in (1..=100_u32).zip(eigenfrequencies::lowest(&system, 100)) {
        let exact = f64::from(j) * c / (2.0 * 0.863) * (1.0 + 3.5e-5 * f64::from(j * j)).sqrt();
        assert!(
            (omega / TAU / exact - 1.0).abs() < 1e-12 && (partials(j as usize) / exact - 1.0).abs() < 1e-12
        );
    }
}

/// A triangle is 2h/(k²π²r(1 − r)) sin(kπr) in mode k: within 1e-14 of the largest.
#[test]
fn a_pluck_is_its_series() {
    let (height, r, length) = (3.6e-3, 0.64 / 0.863, 0.863);
    let (_, placed) = placed(&bass(862, 864));
    let x0 = r * length;
    let at = |[x, _]: [f64; 2]| (height * (x / x0).min((length - x) / (length - x0)), 0.0);
    let motion = InitialMotion { at: Box::new(at), support: Support::Whole { corners: vec![x0] } };
    let values = placed.representation.project(&motion);
    assert_eq!(values.len(), 862);
    let exact = |k: usize| {
        let k = k as f64;
        2.0 * height / (k * k * PI * PI * r * (1.0 - r)) * (k * PI * r).sin()
    };
    for value in values {
        let (q, exact_q) = (value.position, exact(value.dof + 1));
        assert!((q - exact_q).abs() < 1e-14 * exact(1) && value.velocity == 0.0, "{value:?} {exact_q}");
    }
}

/// What a pulse at one place does at another: by 300 modes and by a grid.
fn response(body: &dyn Body, quantity: fn(&Placed) -> Quantity) -> Vec<f64> {
    let (mut system, placed) = placed(body);
    system.inputs.push(Input::force("pulse", placed.row(Place::Fraction(0.31)).unwrap()));
    system.outputs.push(Output { name: "output".into(), quantity: quantity(&placed) });
    let scheme = hamiltone_schemes::named("ec").unwrap();
    let mut stepper = scheme.prepare(&system, 1.0 / 96_000.0).unwrap();
    stepper.reset(&[0.0]);
    // A smooth pulse of 2 ms.
    let pulse = |n: usize| if n < 192 { 0.5 - 0.5 * (TAU * n as f64 / 192.0).cos() } else { 0.0 };
    let mut values = [0.0];
    (0..1500)
        .map(|n| {
            stepper.step(&[pulse(n), pulse(n + 1)], Bookkeeping::Full);
            stepper.outputs(&mut values);
            values[0]
        })
        .collect()
}

/// The relative distance of a grid's response from that of the modes falls with Δx².
fn converges(
    name: &str,
    modal: &Modal,
    grid: &dyn Fn(usize) -> Box<dyn Body>,
    quantity: fn(&Placed) -> Quantity,
) {
    let exact = response(modal, quantity);
    let size = exact.iter().map(|x| x * x).sum::<f64>().sqrt();
    let errors = [40, 80, 160].map(|n| {
        let own = response(&*grid(n), quantity);
        own.iter().zip(&exact).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt() / size
    });
    let order = (errors[1] / errors[2]).log2();
    assert!(errors[2] < 0.02 && order > 1.7, "{name}: {errors:?}, order {order}");
}

fn displacement(placed: &Placed) -> Quantity {
    Quantity::Displacement(placed.row(Place::Fraction(0.77)).unwrap())
}

fn force(placed: &Placed) -> Quantity {
    let force = &placed.representation.readouts()[0];
    placed.readout(force, Place::Fraction(1.0)).unwrap()
}

#[test]
fn grids_tend_to_modes() {
    let string = {
        let ideal = StiffString::new(0.63, 6e-3, 600.0).unwrap();
        ideal.stiff(6e-3).unwrap().damped(2.0, 1e-3).unwrap()
    };
    for quantity in [displacement, force] {
        let modes = string.by_modes(300, 320).unwrap();
        converges("string", &modes, &|n| Box::new(string.on_grid(n).unwrap()), quantity);
    }
    use End::{Clamped, Free, Hinged, Sliding};
    for ends in [
        [Hinged, Hinged],
        [Free, Free],
        [Clamped, Free],
        [Free, Hinged],
        [Clamped, Hinged],
        [Clamped, Clamped],
        [Sliding, Clamped],
        [Free, Sliding],
    ] {
        let bar = Bar::new(0.4, 1.5, 20.0).unwrap().with_ends(ends).damped(20.0, 0.0).unwrap();
        let grid = |n: usize| -> Box<dyn Body> { Box::new(bar.on_grid(n).unwrap()) };
        let name = format!("{ends:?}");
        converges(&name, &bar.by_modes(100, 128).unwrap(), &grid, displacement);
        if !matches!(ends[1], Free | Sliding) {
            converges(&name, &bar.by_modes(300, 320).unwrap(), &grid, force);
        }
    }
}

/// The points of a body are its places.
#[test]
fn interior_points_are_sampled_at_their_places() {
    let bar = Bar::new(0.4, 1.5, 20.0).unwrap().by_modes(11, 12).unwrap();
    for body in [&bass(11, 12), &bar] {
        let (_, placed) = placed(body);
        let samples = placed.representation.samples();
        assert_eq!(samples.len(), 11);
        for sample in &samples {
            assert_eq!(sample.row, placed.row(Place::Length(sample.at[0])).unwrap());
        }
    }
}

/// Σ w φ_j φ_k over places and weights is the modes' masses, and nothing between two modes: within `tolerance` of them.
fn orthogonal(system: &System, placed: &Placed, density: f64, places: &[(Place, f64)], tolerance: f64) {
    let n = system.size();
    let rows: Vec<Vec<f64>> = places
        .iter()
        .map(|(place, _)| placed.row(*place).unwrap().entries().map(|(_, w)| w).collect())
        .collect();
    for j in 0..n {
        for k in 0..=j {
            let terms = rows.iter().zip(places).map(|(row, (_, w))| w * row[j] * row[k]);
            let sum = density * terms.sum::<f64>();
            let expected = if j == k { system.mass[j] } else { 0.0 };
            assert!((sum - expected).abs() < tolerance * system.mass[j], "{j} {k}: {sum} {expected}");
        }
    }
}

/// f_mn = (π/2)√(D/ρh)((m/a)² + (n/b)²); a trapezoidal sum of sines is exact.
#[test]
fn partials_of_a_simply_supported_plate() {
    let (sides, density, bending) = ([0.5, 0.4], 7.85, 18.3);
    let (system, placed) = placed(&Plate::new(sides, density, bending).unwrap().by_modes(30).unwrap());
    let f = |m: i32, n: i32| {
        0.5 * PI * (bending / density).sqrt() * (f64::from(m * m) / 0.25 + f64::from(n * n) / 0.16)
    };
    let mut exact: Vec<f64> = (1..12).flat_map(|m| (1..12).map(move |n| f(m, n))).collect();
    exact.sort_by(f64::total_cmp);
    for (own, exact) in eigenfrequencies::lowest(&system, 30).into_iter().zip(exact) {
        assert!((own / TAU / exact - 1.0).abs() < 1e-12);
    }
    let at = |i: u32| Coordinate::Fraction(f64::from(i) / 20.0);
    let places: Vec<(Place, f64)> =
        (1..20).flat_map(|i| (1..20).map(move |j| (Place::Pair(at(i), at(j)), 0.5 * 0.4 / 400.0))).collect();
    orthogonal(&system, &placed, density, &places, 1e-13);
}

/// f = j_ns c/2πR by published zeros; a midpoint rule along r misses some (jΔr)² ≈ 10⁻³ of an eighth.
#[test]
fn partials_of_a_membrane_at_bessel_zeros() {
    let (radius, density, tension) = (0.16, 0.26, 2000.0);
    let (system, placed) = placed(&Membrane::new(radius, density, tension).unwrap().by_modes(22).unwrap());
    let zeros = [2.404826, 3.831706, 3.831706, 5.135622, 5.135622, 5.520078, 6.380162, 6.380162, 7.015587];
    let c = f64::sqrt(tension / density);
    for (omega, zero) in eigenfrequencies::lowest(&system, 9).into_iter().zip(zeros) {
        assert!((omega * radius / c - zero).abs() < 6e-7, "{omega} {zero}");
    }
    let (rings, spokes) = (400, 24);
    let places: Vec<(Place, f64)> = (0..rings)
        .flat_map(|i| {
            let (step, r) = (radius / f64::from(rings), radius * (f64::from(i) + 0.5) / f64::from(rings));
            let weight = r * step * TAU / f64::from(spokes);
            let angle = move |j| Coordinate::Angle(TAU * f64::from(j) / f64::from(spokes));
            (0..spokes).map(move |j| (Place::Pair(Coordinate::Length(r), angle(j)), weight))
        })
        .collect();
    orthogonal(&system, &placed, density, &places, 1e-3);
}
