//! Long bodies in tune: their discrete partials against the grid's dispersion, and the order with which they tend to
//! the continuous theory.
//!
//!   s = sin(kΔx/2)/(Δx/2):   string ω² = c²s² + κ²s⁴,   bar ω = κs²,   tube ω = cs,   Timoshenko as continuous, k → s

use hamiltone_bodies::{Bar, End, StiffString, TimoshenkoBar, Tube};
use hamiltone_core::{body::Body, system::System};
use hamiltone_schemes::eigenfrequencies;
use std::f64::consts::{PI, TAU};

/// The first partials, Hz, without those motions that have none, and the continuous theory's.
fn partials(body: &dyn Body, count: usize) -> (Vec<f64>, Vec<f64>) {
    let mut system = System::default();
    let placed = body.add_to(&mut system, "body").unwrap();
    let theory = |k| placed.representation.partial(k).expect("a theory");
    let theory: Vec<f64> = (1..=count).map(theory).collect();
    // Rigid motions stand at rounding, far below half of the first partial; there are two at most.
    let all = eigenfrequencies::lowest(&system, count + 2);
    let own = all.into_iter().map(|omega| omega / TAU).filter(|f| *f > 0.3 * theory[0]);
    (own.take(count).collect(), theory)
}

fn cents(a: f64, b: f64) -> f64 {
    1200.0 * (a / b).log2().abs()
}

fn wave(k: f64, step: f64) -> f64 {
    (0.5 * k * step).sin() / (0.5 * step)
}

/// Between hinged ends sines are modes of the grid, too: within 0.01 cent.
#[test]
fn partials_are_those_of_the_difference_equations() {
    let (l, n) = (0.63, 60);
    let h = l / n as f64;
    let check = |name: &str, body: &dyn Body, exact: &dyn Fn(f64) -> f64| {
        for (m, f) in partials(body, 12).0.into_iter().enumerate() {
            let expected = exact((m + 1) as f64 * PI / l) / TAU;
            assert!(cents(f, expected) < 0.01, "{name}, partial {}: {f}, not {expected}", m + 1);
        }
    };
    let (c, kappa) = (329.6_f64, 1.25_f64);
    let string = StiffString::new(l, 6e-3, 6e-3 * c * c).unwrap().stiff(6e-3 * kappa * kappa).unwrap();
    check("string", &string.on_grid(n).unwrap(), &|k| {
        let s = wave(k, h);
        (c * c * s * s + kappa * kappa * s.powi(4)).sqrt()
    });
    let bar = Bar::new(l, 2.0, 2.0 * 9.0).unwrap().with_ends([End::Hinged; 2]);
    check("bar", &bar.on_grid(n).unwrap(), &|k| 3.0 * wave(k, h).powi(2));
    let tube = Tube::cone(l, [0.01; 2]).unwrap();
    check("tube", &tube.on_grid(n).unwrap(), &|k| 343.2 * wave(k, h));
    // ρA = 2, ρI = 1e-4, κGA = 1e5, EI = 10.
    let thick = TimoshenkoBar::new(l, [2.0, 1e-4], [1e5, 10.0]).unwrap().with_ends([End::Hinged; 2]);
    check("Timoshenko bar", &thick.on_grid(n).unwrap(), &|k| {
        let k2 = wave(k, h).powi(2);
        let (a, b, c) = (2.0 * 1e-4, 2.0 * (10.0 * k2 + 1e5) + 1e-4 * 1e5 * k2, 1e5 * 10.0 * k2 * k2);
        (2.0 * c / (b + (b * b - 4.0 * a * c).sqrt())).sqrt()
    });
}

/// The slope of the error of the third partial over N = 24, 48, 96, 192.
fn order(name: &str, body: &dyn Fn(usize) -> Box<dyn Body>) {
    let errors: Vec<f64> = [24, 48, 96, 192]
        .map(|n| {
            let (own, theory) = partials(&*body(n), 3);
            (own[2] / theory[2] - 1.0).abs().log2()
        })
        .into();
    let slope = (3.0 * (errors[0] - errors[3]) + (errors[1] - errors[2])) / 10.0;
    assert!((slope - 2.0).abs() < 0.15, "{name}: order {slope:.3}, {errors:?}");
}

/// Order 2 for every body and every pair of ends with a theory.
#[test]
fn second_order_in_space() {
    use End::{Clamped, Free, Hinged, Sliding};
    for ends in [[Hinged, Hinged], [Hinged, Free], [Free, Hinged], [Free, Free]] {
        order(&format!("ideal string {ends:?}"), &|n| {
            Box::new(StiffString::new(0.7, 1e-3, 100.0).unwrap().with_ends(ends).on_grid(n).unwrap())
        });
    }
    order("stiff string", &|n| {
        let string = StiffString::new(0.63, 1.0, 329.6 * 329.6).unwrap().stiff(1.25 * 1.25).unwrap();
        Box::new(string.on_grid(n).unwrap())
    });
    for left in [Hinged, Clamped, Free, Sliding] {
        for right in [Hinged, Clamped, Free, Sliding] {
            order(&format!("bar {left:?}–{right:?}"), &|n| {
                Box::new(Bar::new(0.4, 1.5, 20.0).unwrap().with_ends([left, right]).on_grid(n).unwrap())
            });
        }
    }
    for ends in [[Hinged, Hinged], [Sliding, Free], [Clamped, Sliding], [Sliding, Hinged], [Sliding, Sliding]]
    {
        order(&format!("Timoshenko bar {ends:?}"), &|n| {
            let bar = TimoshenkoBar::new(0.4, [2.0, 1e-4], [1e5, 10.0]).unwrap().with_ends(ends);
            Box::new(bar.on_grid(n).unwrap())
        });
    }
    for radii in [[0.01, 0.01], [0.005, 0.02], [0.02, 0.005]] {
        for closed in [[false, false], [true, false], [false, true], [true, true]] {
            order(&format!("tube {radii:?} {closed:?}"), &|n| {
                Box::new(Tube::cone(0.6, radii).unwrap().closed(closed).on_grid(n).unwrap())
            });
        }
    }
}
