//! Quotients of formulas and tables against 240-bit arithmetic, for steps from 1e-18 m to far beyond.

use dashu_float::{FBig, round::mode::HalfEven};
use hamiltone_core::potential::Potential;
use hamiltone_elements::{Formula, Power, Sides, Table};
use std::collections::BTreeMap;

type Big = FBig<HalfEven, 2>;

const EPS: f64 = f64::EPSILON;

fn big(x: f64) -> Big {
    Big::try_from(x).expect("finite").with_precision(240).value()
}

fn sqrt(x: &Big) -> Big {
    if *x > big(0.0) { (x.ln() / big(2.0)).exp() } else { big(0.0) }
}

fn square(x: &Big) -> Big {
    x * x
}

/// D and ∂D/∂s of a potential; at s = 0 of a step that leaves 120 bits.
fn exact(potential: &dyn Fn(&Big) -> Big, x: f64, s: f64) -> (f64, f64) {
    let size = x.abs().max(s.abs());
    let (s, h) = (big(if s == 0.0 { size * 2f64.powi(-60) } else { s }), big(size * 2f64.powi(-70)));
    let origin = potential(&big(x));
    let at = |s: Big| (potential(&(big(x) + &s)) - &origin) / s;
    let slope = (at(&s + &h) - at(&s - &h)) / (h * big(2.0));
    (at(s).to_f64().value(), slope.to_f64().value())
}

/// The largest errors of D, in eps, and of its slope, relative, at these places with steps from 1e-18 m to 10 times their
/// size, in both directions. Where a step goes from one side to the other, errors of D are relative to the larger force.
fn errors(law: &dyn Potential, potential: &dyn Fn(&Big) -> Big, places: &[f64]) -> (f64, f64) {
    let mut worst = (0.0_f64, 0.0_f64);
    for &x in places {
        let fractions = [0.0, 1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 0.03, 0.3, 0.7, 1.0, 2.0, 10.0];
        let steps = fractions.map(|fraction| fraction * x.abs()).into_iter().chain([1e-18, 1e-15]);
        for s in steps.flat_map(|s| [s, -s]) {
            // x + s without rounding, but for steps that are smaller than a rounding of the force.
            let s = if s.abs() > 1e-4 * x.abs() { (x + s) - x } else { s };
            let ((mean, slope), (d, bend)) = (law.quotient(x, s), exact(potential, x, s));
            let reach = law.force(x).abs().max(law.force(x + s).abs());
            let scale = if x * (x + s) < 0.0 { reach } else { d.abs() };
            let relative = |found: f64, exact: f64, scale: f64| {
                if found == exact { 0.0 } else { (found - exact).abs() / scale }
            };
            worst.0 = worst.0.max(relative(mean, d, scale) / EPS);
            worst.1 = worst.1.max(relative(slope, bend, bend.abs()));
        }
    }
    worst
}

/// sin z or cos z by its series.
fn circular(z: &Big, odd: bool) -> Big {
    let mut term = if odd { z.clone() } else { big(1.0) };
    let mut sum = term.clone();
    for n in 1..60 {
        let n = f64::from(2 * n + u8::from(odd));
        term = -term * z * z / (big(n) * big(n - 1.0));
        sum += &term;
    }
    sum
}

fn formula(text: &str, sides: Sides) -> Formula {
    let constants = [("K", 1e9), ("d", 1e-3)].into_iter().filter(|(name, _)| text.contains(name));
    Formula::new(text, &constants.map(|(name, c)| (name.to_string(), c)).collect(), sides, 0.1)
        .unwrap_or_else(|complaint| panic!("{text}: {complaint}"))
}

type Exact = fn(&Big) -> Big;

/// Everything of which formulas are made. A quotient rounds some 10 times, and an exponent z = x/d ≤ 44 by z/2 eps more.
#[test]
fn quotients_of_formulas_are_exact_to_rounding() {
    let one: [(&str, Exact); 9] = [
        ("K*x^2.5/2.5", |x| square(x) * sqrt(x) * big(1e9) / big(2.5)),
        ("K*x^3.3", |x| (x.ln() * big(3.3)).exp() * big(1e9)),
        ("x^2*exp(x/d)", |x| square(x) * (x / big(1e-3)).exp()),
        ("x*expm1(x/d)", |x| x * ((x / big(1e-3)).exp() - big(1.0))),
        ("x^2*log1p(x/d)", |x| square(x) * (big(1.0) + x / big(1e-3)).ln()),
        ("x^2*ln(2 + x)", |x| square(x) * (big(2.0) + x).ln()),
        ("K*(2 + x)^x*x^2", |x| square(x) * (x * (big(2.0) + x).ln()).exp() * big(1e9)),
        ("x^3/(d + x)", |x| square(x) * x / (big(1e-3) + x)),
        ("x^3*(d + x)^-2 + x^2", |x| square(x) * x / square(&(big(1e-3) + x)) + square(x)),
    ];
    let both: [(&str, Exact); 8] = [
        ("d^2*sinh(x/(2*d))^2", |x| {
            let half = (x / big(2e-3)).exp();
            square(&((&half - big(1.0) / &half) * big(5e-4)))
        }),
        ("cosh(x/d)", |x| {
            let whole = (x / big(1e-3)).exp();
            (&whole + big(1.0) / &whole) / big(2.0)
        }),
        ("x*tanh(8*x)", |x| {
            let e = (x * big(16.0)).exp();
            x * (&e - big(1.0)) / (&e + big(1.0))
        }),
        ("-cos(8*x)", |x| -circular(&(x * big(8.0)), false)),
        ("x*sin(4*x)", |x| x * circular(&(x * big(4.0)), true)),
        ("x^2/(1 + sqrt(1 + (x/d)^2))", |x| {
            square(x) / (big(1.0) + sqrt(&(big(1.0) + square(&(x / big(1e-3))))))
        }),
        ("abs(x)^3 + x^4/d", |x| {
            let size = if *x < big(0.0) { -x.clone() } else { x.clone() };
            square(x) * size + square(&square(x)) / big(1e-3)
        }),
        ("exp(0)*x^6/2^0.5^2 + -(-x)*x", |x| {
            square(x) * square(&square(x)) / big(2f64.powf(0.25)) + square(x)
        }),
    ];
    let one = one.into_iter().map(|(text, potential)| (text, Sides::One, potential));
    for (text, sides, potential) in one.chain(both.into_iter().map(|(text, v)| (text, Sides::Both, v))) {
        let places: &[f64] = match sides {
            Sides::One => &[1e-9, 1.3e-5, 7e-4, 4e-3],
            Sides::Both => &[-2.1e-3, -1e-8, 1e-6, 3e-3],
        };
        let outside = |x: &Big| sides == Sides::One && *x <= big(0.0);
        let one_sided = |x: &Big| if outside(x) { big(0.0) } else { potential(x) };
        let (mean, slope) = errors(&formula(text, sides), &one_sided, places);
        println!("{text}: {mean:.1} eps, {slope:.1e}");
        assert!(mean < 40.0 && slope < 1e-7, "{text}: {mean:.1} eps, {slope:.1e}");
    }
}

/// Beyond its reach a formula goes on along its tangent, and steps across are the mean of their parts.
#[test]
fn formulas_go_on_along_their_tangent() {
    let law = Formula::new("exp(x) - x", &BTreeMap::new(), Sides::Both, 0.5).unwrap();
    let tangent = |x: &Big| {
        let at = |end: f64| {
            let (beyond, whole) = (x - big(end), big(end).exp());
            &whole - big(end) + (&whole - big(1.0)) * &beyond + whole * square(&beyond) / big(2.0)
        };
        if *x > big(0.5) {
            at(0.5)
        } else if *x < big(-0.5) {
            at(-0.5)
        } else {
            x.exp() - x
        }
    };
    // Both terms of V are 1 in size, its force 0.4 to 0.6 at the ends: what cancels are two binary digits.
    let (mean, slope) = errors(&law, &tangent, &[-0.75, -0.5, -0.4999, 0.4999, 0.5, 0.75, 1e3]);
    assert!(mean < 20.0 && slope < 1e-7, "{mean:.1} eps, {slope:.1e}");
    for x in [-2.0, -0.5, 0.25, 0.5, 2.0] {
        let energy = (tangent(&big(x)) - big(1.0)).to_f64().value();
        assert!((law.energy(x) / energy - 1.0).abs() < 20.0 * EPS, "{x}");
    }
}

/// A formula of a power is the law of the power; the rest of its programs are some products.
#[test]
fn the_formula_of_a_power_is_the_power() {
    let (power, law) = (Power::new(1e9, 1.5).unwrap(), formula("K*x^2.5/2.5", Sides::One));
    for x in [-1e-3, -1e-12, 0.0, 1e-18, 1e-9, 1e-4, 0.03] {
        let close = |a: f64, b: f64| (a - b).abs() <= 4.0 * EPS * b.abs();
        assert!(close(law.energy(x), power.energy(x)) && close(law.force(x), power.force(x)), "{x}");
        // α K √x as K(2.5·1.5/2) √x/2.5.
        assert!((law.curvature(x) - power.curvature(x)).abs() <= 8.0 * EPS * power.curvature(x), "{x}");
        for s in [0.0, 1e-18, -1e-13, 1e-9, -1e-5, 2e-3, -0.02] {
            let (found, exact) = (law.quotient(x, s), power.quotient(x, s));
            assert!(close(found.0, exact.0), "D at {x}, {s}: {found:?} {exact:?}");
            assert!((found.1 - exact.1).abs() <= 1e-9 * exact.1, "∂D/∂s at {x}, {s}: {found:?} {exact:?}");
        }
    }
}

#[test]
fn quotients_of_tables_are_exact_to_rounding() {
    let points = [(0.0, 0.0), (1e-4, 0.0), (1.1e-4, 3.0), (5e-4, 3.0), (7e-4, 3.5), (1e-3, 1e3)];
    let law = Table::new(&points).unwrap();
    let potential = |x: &Big| {
        let mut sum = big(0.0);
        for (i, two) in points.windows(2).enumerate() {
            let [(a, f), (b, g)] = [two[0], two[1]].map(|(x, f)| (big(x), big(f)));
            let end = if i + 2 < points.len() && *x > b { b.clone() } else { x.clone() };
            if end > a {
                let way = &end - &a;
                sum += &way * (&f + (&g - &f) / (&b - &a) * &way / big(2.0));
            }
        }
        sum
    };
    let places = [-3e-4, 6e-5, 9.9e-5, 1.05e-4, 3e-4, 5e-4, 7e-4, 9e-4, 1e-3, 2e-3];
    let (mean, slope) = errors(&law, &potential, &places);
    println!("table: {mean:.1} eps, {slope:.1e}");
    assert!(mean < 40.0 && slope < 1e-7, "{mean:.1} eps, {slope:.1e}");
    assert_eq!([law.onset(), law.force(3e-4), law.curvature(3e-4)], [1e-4, 3.0, 0.0]);
    // The last slope, of pairs that are rounded to 1 eps each.
    assert!((law.curvature(2e-3) * 3e-4 / 996.5 - 1.0).abs() < 16.0 * EPS);
}

/// Chords of x^1.5 lie above it by h²f″/8 = 3h²/(32√x) at most; their integral, from 0 on, by that times the way.
#[test]
fn a_table_is_near_what_it_was_taken_from() {
    let power = Power::new(1e9, 1.5).unwrap();
    let h = 1e-6;
    let points: Vec<(f64, f64)> = (0..=1000).map(|i| h * f64::from(i)).map(|x| (x, power.force(x))).collect();
    let law = Table::new(&points).unwrap();
    for i in 1..4000 {
        let x = 2.4999e-7 * f64::from(i);
        // In the first piece, where f″ grows, the chord is 4/27 of its end above at x = 4/9 h.
        let above = if x < h {
            4.0 / 27.0 * power.force(h)
        } else {
            1e9 * 3.0 / 32.0 * h * h / (x - h).max(h).sqrt()
        };
        let error = law.force(x) - power.force(x);
        assert!(error >= -4.0 * EPS * power.force(x) && error <= above, "{x}: {error} of {above}");
    }
}

/// Poles, kinks and ripples inside the reach, forces that pull, and forces that do not begin at 0.
#[test]
fn potentials_that_are_not_convex_are_refused() {
    let (one, both) = (Sides::One, Sides::Both);
    for (text, sides, reach, told) in [
        // V″ = 0 everywhere but at 10 µm.
        ("-abs(x-1e-5)-x+1e-5", one, 1.0, "is attractive: V′ = -2.000e0 N at x = 1.047e-5 m"),
        ("1e4*x^2 - abs(x-1e-3)", one, 1.0, "has V′ = 1.000e0 N at x = 0"),
        ("1e4*x^2 + x - abs(x-1e-3) + 1e4*x^4", one, 1.0, "has V′ = 2.000e0 N at x = 0"),
        ("1e4*x^2 - x - abs(x-1e-3)", one, 1.0, "V′ falls from"),
        // A pole at 1 mm: beyond it V″ is positive again.
        ("1e-6*(1/(1-x/1e-3)^2 - 1 - 2*x/1e-3)", one, 5e-3, "is attractive"),
        ("-1e-3*log(abs(1-x/1e-3)) - 1*x", one, 5e-3, "is attractive"),
        ("1e-3/abs(1-x/1e-3) - x + 1e6*x^2", one, 5e-3, "V′ falls from"),
        // V rises or falls by 1 mJ within 10 nm between two places.
        ("1e4*x^2 + 1e-3*tanh((x-1.02e-3)/1e-8)", one, 1.0, "is not convex between x = 1.000e-3"),
        ("1e4*x^2 - 1e-3*tanh((x-1.02e-3)/1e-8)", both, 1.0, "is not convex between x = 1.000e-3"),
        // Ripples of 2 µm and of 2 nm.
        ("1e6*x^2 + 1e-6*cos(pi*x/1e-6)", one, 1e-2, "is not convex"),
        ("1e6*x^2 + 1e-9*cos(pi*x/1e-9)", both, 1e-2, "is not convex"),
        ("1000*x + x^2*exp(x/1.5e-3)", one, 1.0, "has V′ = 1.000e3 N at x = 0; the force must begin at 0"),
        ("-1000*x + x^2*exp(x/1.5e-3)", one, 1.0, "has V′ = -1.000e3 N at x = 0"),
        ("abs(x) + x^2", both, 1.0, "has V′ = 1.000e0 N at x = 0"),
        ("x^2 - 2*x^4", both, 0.5, "is not convex: V″ = -"),
    ] {
        let complaint = Formula::new(text, &BTreeMap::new(), sides, reach).unwrap_err().to_string();
        println!("{text}: {complaint}");
        assert!(complaint.contains(told), "{text}: {complaint}");
    }
    // Where terms cancel, a force may fall by their rounding.
    for (text, sides, reach) in [
        ("1e4*(exp(x/2e-4) - 5000*x)*4e-8", one, 2e-3),
        ("1e4*(exp(x/2e-4) - 5000*x)*4e-8", both, 2e-3),
        ("1e3*(sqrt(1e-8 + x^2) - 1e-4)", both, 1.0),
        ("1e6*((x-1e-3)^2 + (x-1e-3)*abs(x-1e-3))", one, 0.1),
        ("cosh(x/1e-3)", both, 0.1),
        ("1e3*abs(x)^2.5 + 1e-3*log(cosh(x/1e-3))", both, 0.1),
        ("1e3*x*tanh(x/1e-6)", both, 1e-6),
        ("-1e-3*log(1-x/1e-3) - 1*x", one, 0.9e-3),
        ("1e-6*(1/(1-x/1e-3)^2 - 1 - 2*x/1e-3)", one, 0.99e-3),
        ("0*x^2", both, 1.0),
    ] {
        let law = Formula::new(text, &BTreeMap::new(), sides, reach);
        assert!(law.is_ok(), "{text}: {law:?}");
    }
}

#[test]
fn what_is_no_law_is_refused() {
    let said = |text: &str, constants: &[(&str, f64)], sides, reach| {
        let constants = constants.iter().map(|(name, x)| (name.to_string(), *x)).collect();
        let complaint = Formula::new(text, &constants, sides, reach).unwrap_err();
        (complaint.to_string(), complaint.at)
    };
    let (one, both) = (Sides::One, Sides::Both);
    for (text, sides, at, told) in [
        ("2*y^2", one, Some(2), "there is no constant `y`; it can use x, pi; add `y` to `constants`"),
        ("x^2*tan(x)", one, Some(4), "there is no function `tan` of 1 argument; it can use sqrt(u), exp(u)"),
        ("x^2*exp(x, 2)", one, Some(4), "there is no function `exp` of 2 arguments"),
        ("x^2 +", one, Some(5), "the formula ends here"),
        ("x^2*(x > 1)", one, Some(7), "a comparison has no slope"),
        ("x^1.5", one, None, "V″ = inf at x = 0; both must be finite: write x^p or abs(x)^p with p ≥ 2"),
        ("1e3*(x^2)^1.25", both, None, "such as abs(x)^2.5 for (x^2)^1.25"),
        ("1e3*x^2.5", both, None, "m; a negative x has no power 2.5: write abs(x)^2.5, or sides = \"one\""),
        ("x^2*log1p(1e12*x)", both, None, "the formula must have a value at x < 0 too"),
        ("x^2/0", one, Some(3), "the formula divides by 0"),
        ("1e400*x^2", one, Some(0), "the number `1e400` is too large"),
        ("x^2 + 1/(2 - 2)*x^2", one, Some(7), "the formula divides by 0"),
        ("x^2 + exp(1e3)*x^2", one, Some(6), "this operation on constants gives inf"),
        ("x^2*sqrt(-pi)", one, Some(4), "this operation on constants gives NaN"),
        ("log(x)", one, None, "both must be finite"),
        ("x^2*exp(1e5*x)", one, None, "has no finite force at x = 6.918e-3 m; give a smaller `reach`"),
        ("x^3", both, None, "is not convex: V″ = -6.000e-12 N/m at x = -1.000e-12 m"),
        ("sin(3*x)*x", one, None, "is not convex"),
        ("K*x + x^2", one, None, "has V′ = 2.000e0 N at x = 0; the force must begin at 0"),
    ] {
        let constants: &[(&str, f64)] = if text.contains('K') { &[("K", 2.0)] } else { &[] };
        let (message, byte) = said(text, constants, sides, 1.0);
        assert!(message.contains(told) && byte == at, "{text}: {message} at {byte:?}");
    }
    assert!(said("x^2", &[("x", 1.0)], one, 1.0).0.contains("constants has the name `x`"));
    assert!(said("K*x^2", &[("K", f64::NAN)], one, 1.0).0.contains("the constant `K` is NaN"));
    let unused = said("K*x^2", &[("K", 2.0), ("k", 2.0)], one, 1.0).0;
    assert!(unused.contains("constants has `k`, which the formula does not use"), "{unused}");
    assert!(said("x^2", &[], one, 0.0).0.contains("reach is 0"));
    let long = ["x^2"; 200].join("+");
    assert!(said(&long, &[], one, 1.0).0.contains("too long"));
    let deep = format!("{}x^2{}", "x^2+(".repeat(30), ")".repeat(30));
    assert!(said(&deep, &[], one, 1.0).0.contains("24 wait"));
    for (points, told) in [
        (&[][..], "needs a pair"),
        (&[(0.0, 0.0)], "needs a pair"),
        (&[(0.0, 1.0), (1.0, 2.0)], "has the force 1 at x = 0"),
        (&[(1e-3, 1.0), (1e-3, 2.0)], "has x = 0.001 after 0.001"),
        (&[(1e-3, 1.0), (2e-3, 0.5)], "has the force 0.5 at x = 0.002 after 1 at 0.001"),
        (&[(1e-320, 1.0)], "is too steep"),
    ] {
        let complaint = Table::new(points).unwrap_err();
        assert!(complaint.parameter == "points" && complaint.message.contains(told), "{complaint}");
    }
}
