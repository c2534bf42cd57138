//! Functions g over a step from a to b = a + δ: values, g[a, b], g′(b) and g[a, b, b] without cancellation.
//!
//! | g | g[a, b] |
//! |---|---|
//! | exp | eᵃ expm1(δ)/δ |
//! | log | log1p(δ/a)/δ |
//! | √ | 1/(√a + √b) |
//! | sin, cos | cos m sin(δ/2)/(δ/2), −sin m sin(δ/2)/(δ/2), m = a + δ/2 |
//! | sinh, cosh | cosh m sinh(δ/2)/(δ/2), sinh m sinh(δ/2)/(δ/2) |
//! | tanh | sinh(δ)/δ/(cosh a cosh b) |
//! | \|·\| | ±1, (a + b)/δ from one sign to the other |
//! | uⁿ | Tₙ₋₁(a, b) (see [`crate::exponent`]); from one sign to the other (a + b) T(a², b²) for even n |
//! | uᵖ | p times the mean of u^(p−1) (see [`crate::exponent`]) |
//!
//! g[a, b, b] = (g′(b) − g[a, b])/δ, and for small δ its series g″(b)/2 − δ g‴(b)/6 + δ² g⁗(b)/24 − …

use crate::{
    exponent::{Exponent, Sums, whole_power},
    slope::Slope,
};
use hamiltone_numerics::math;

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Function {
    Sqrt,
    Exp,
    Expm1,
    Log,
    Log1p,
    Sin,
    Cos,
    Sinh,
    Cosh,
    Tanh,
    Abs,
    /// uⁿ, n ≥ 2.
    Whole(usize),
    /// uᵖ for u ≥ 0, with p − 1.
    Real(Exponent),
}

/// Below this |δ|, or relative |δ|, the series holds g[a, b, b] to 1e-9 and better; above, the difference does to 1e-11.
const NEAR: f64 = 1e-4;

impl Function {
    /// The names in formulas.
    pub const NAMED: [(&'static str, Self); 12] = [
        ("sqrt", Self::Sqrt),
        ("exp", Self::Exp),
        ("expm1", Self::Expm1),
        ("log", Self::Log),
        ("ln", Self::Log),
        ("log1p", Self::Log1p),
        ("sin", Self::Sin),
        ("cos", Self::Cos),
        ("sinh", Self::Sinh),
        ("cosh", Self::Cosh),
        ("tanh", Self::Tanh),
        ("abs", Self::Abs),
    ];

    /// g(u) over the step s.
    pub fn of(self, u: Slope, s: f64) -> Slope {
        let (a, b, step) = (u.from, u.to, s * u.mean);
        let outer = match self {
            Self::Sqrt => sqrt(a, b),
            Self::Exp => Slope { from: math::exp(a), to: math::exp(b), ..growth(a, b, step) },
            Self::Expm1 => Slope { from: math::expm1(a), to: math::expm1(b), ..growth(a, b, step) },
            Self::Log => Slope { from: math::log(a), to: math::log(b), ..logarithm(a, b, step) },
            Self::Log1p => {
                Slope { from: math::log1p(a), to: math::log1p(b), ..logarithm(1.0 + a, 1.0 + b, step) }
            }
            Self::Sin => circular((math::sin(a), a), (math::sin(b), math::cos(b)), math::cos, step),
            Self::Cos => circular((math::cos(a), a), (math::cos(b), -math::sin(b)), |m| -math::sin(m), step),
            Self::Sinh => hyperbolic((math::sinh(a), a), (math::sinh(b), math::cosh(b)), math::cosh, step),
            Self::Cosh => hyperbolic((math::cosh(a), a), (math::cosh(b), math::sinh(b)), math::sinh, step),
            Self::Tanh => tanh(a, b, step),
            Self::Abs => abs(a, b, step),
            Self::Whole(n) => whole(n, a, b, step),
            Self::Real(less) => real(less, a, b, step),
        };
        u.through(outer)
    }
}

/// g(h)/h with its limit 1 at 0.
fn ratio(g: f64, h: f64) -> f64 {
    if h == 0.0 { 1.0 } else { g / h }
}

/// g[a, b, b] from g[a, b], g′(b) and half of g″(b), a sixth of g‴(b), …, by which of both ways is better at this step.
fn bend(step: f64, near: bool, (mean, rate): (f64, f64), [half, sixth, last]: [f64; 3]) -> f64 {
    if near { half - step * (sixth - step * last) } else { (rate - mean) / step }
}

/// a + b, of the variable itself as 2a + δ, which is rounded once; of what has been rounded before, so that it is 0 where b
/// is −a.
fn sum(a: f64, b: f64, step: f64) -> f64 {
    if a + step == b { 2.0 * a + step } else { a + b }
}

fn sqrt(a: f64, b: f64) -> Slope {
    let (from, to) = (a.sqrt(), b.sqrt());
    let mean = 1.0 / (from + to);
    Slope { from, to, mean, rate: 0.5 / to, bend: -0.5 * mean * mean / to }
}

/// The differences of exp and expm1.
fn growth(a: f64, b: f64, step: f64) -> Slope {
    let (from, to) = (math::exp(a), math::exp(b));
    let mean = if step.abs() < 1.0 { from * ratio(math::expm1(step), step) } else { (to - from) / step };
    let bend = bend(step, step.abs() < NEAR, (mean, to), [to / 2.0, to / 6.0, to / 24.0]);
    Slope { from, to, mean, rate: to, bend }
}

/// The differences of the logarithm; where one end is not positive, they are no number.
fn logarithm(a: f64, b: f64, step: f64) -> Slope {
    let (t, back) = (step / a, step / b);
    let apart = t.abs() > 0.5;
    let mean = if apart { (math::log(b) - math::log(a)) / step } else { ratio(math::log1p(t), t) / a };
    let unit = [-0.5 / b / b, 1.0 / 3.0 / b / b / b, -0.25 / b / b / b / b];
    let bend = bend(step, back.abs() < NEAR, (mean, 1.0 / b), unit);
    Slope { from: a, to: b, mean, rate: 1.0 / b, bend }
}

/// sin or cos, whose second derivative is the negative of themselves: value and argument at a, value and derivative at
/// b, and the derivative.
fn circular(
    (from, a): (f64, f64),
    (to, rate): (f64, f64),
    derivative: impl Fn(f64) -> f64,
    step: f64,
) -> Slope {
    let half = 0.5 * step;
    let mean = derivative(a + half) * ratio(math::sin(half), half);
    let bend = bend(step, step.abs() < NEAR, (mean, rate), [-to / 2.0, -rate / 6.0, to / 24.0]);
    Slope { from, to, mean, rate, bend }
}

/// sinh or cosh, whose second derivative is themselves.
fn hyperbolic(
    (from, a): (f64, f64),
    (to, rate): (f64, f64),
    derivative: impl Fn(f64) -> f64,
    step: f64,
) -> Slope {
    let half = 0.5 * step;
    let mean = derivative(a + half) * ratio(math::sinh(half), half);
    let bend = bend(step, step.abs() < NEAR, (mean, rate), [to / 2.0, rate / 6.0, to / 24.0]);
    Slope { from, to, mean, rate, bend }
}

fn tanh(a: f64, b: f64, step: f64) -> Slope {
    let (from, to, cosh) = (math::tanh(a), math::tanh(b), math::cosh(b));
    // Beyond, sinh overflows; one end is then ±1.
    let apart = step.abs() > 300.0;
    let mean = if apart { (to - from) / step } else { ratio(math::sinh(step), step) / math::cosh(a) / cosh };
    let rate = 1.0 / cosh / cosh;
    let third = rate * (4.0 * to * to - 2.0 * rate);
    let fourth = rate * to * (16.0 * rate - 8.0 * to * to);
    let series = [-to * rate, third / 6.0, fourth / 24.0];
    Slope { from, to, mean, rate, bend: bend(step, step.abs() < NEAR, (mean, rate), series) }
}

fn abs(a: f64, b: f64, step: f64) -> Slope {
    let rate = 1.0_f64.copysign(b);
    let (from, to) = (a.abs(), b.abs());
    match a * b < 0.0 {
        true => {
            let mean = sum(a, b, step) / step.abs();
            Slope { from, to, mean, rate, bend: (rate - mean) / step }
        }
        false => {
            let mean = 1.0_f64.copysign(if b == 0.0 { a } else { b });
            Slope { from, to, mean, rate: mean, bend: 0.0 }
        }
    }
}

fn whole(n: usize, a: f64, b: f64, step: f64) -> Slope {
    let (from, to, rate) = (whole_power(a, n), whole_power(b, n), n as f64 * whole_power(b, n - 1));
    if a * b >= 0.0 {
        let sums = Sums::new(n - 1, a, b);
        return Slope { from, to, mean: sums.last, rate, bend: sums.slope };
    }
    let mean = match n % 2 {
        0 => sum(a, b, step) * Sums::new(n / 2 - 1, a * a, b * b).last,
        _ => (to - from) / step,
    };
    Slope { from, to, mean, rate, bend: (rate - mean) / step }
}

/// `less` is p − 1.
fn real(less: Exponent, a: f64, b: f64, step: f64) -> Slope {
    let p = less.alpha + 1.0;
    if a > 0.0 && b > 0.0 {
        let (mean, bend) = match a == b {
            true => (p * less.power(b), 0.5 * p * less.alpha * less.power(b) / b),
            false => less.mean(a, b, step),
        };
        let (from, last) = (less.power(a) * a, less.power(b));
        return Slope { from, to: last * b, mean, rate: p * last, bend };
    }
    if a < 0.0 || b < 0.0 || p < 0.0 {
        return Slope::constant(f64::NAN);
    }
    // One end is 0, or both are.
    let steep = |exponent: f64| if exponent > 0.0 { 0.0 } else { f64::INFINITY };
    if b > 0.0 {
        let last = less.power(b);
        Slope { from: 0.0, to: last * b, mean: last, rate: p * last, bend: less.alpha * last / b }
    } else if a > 0.0 {
        let first = less.power(a);
        let rate = steep(less.alpha);
        Slope { from: first * a, to: 0.0, mean: first, rate, bend: (first - rate) / a }
    } else {
        let rate = steep(less.alpha);
        Slope { from: 0.0, to: 0.0, mean: rate, rate, bend: steep(less.alpha - 1.0) }
    }
}
