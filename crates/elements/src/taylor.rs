//! Coefficients of Taylor series, gₖ = g⁽ᵏ⁾(c)/k!.
//!
//! | g | gₖ |
//! |---|---|
//! | exp, sinh, cosh, sin, cos | derivatives repeat after 1, 2 or 4 |
//! | log | (−1)ᵏ⁻¹/(k cᵏ) |
//! | tanh | from g′ = 1 − g²: (k+1) gₖ₊₁ = [k = 0] − Σᵢ gᵢ gₖ₋ᵢ |
//! | (1 + η)ᵖ at 0 | p over k |

use crate::functions::Function;
use hamiltone_numerics::math;

/// The first n coefficients at c of a function other than powers and the absolute value, which have none everywhere.
pub(crate) fn coefficients(function: Function, c: f64, n: usize) -> Vec<f64> {
    match function {
        Function::Exp => repeating([math::exp(c)].as_slice(), n),
        Function::Expm1 => replaced(math::expm1(c), repeating(&[math::exp(c)], n)),
        Function::Sinh => repeating(&[math::sinh(c), math::cosh(c)], n),
        Function::Cosh => repeating(&[math::cosh(c), math::sinh(c)], n),
        Function::Sin => repeating(&[math::sin(c), math::cos(c), -math::sin(c), -math::cos(c)], n),
        Function::Cos => repeating(&[math::cos(c), -math::sin(c), -math::cos(c), math::sin(c)], n),
        Function::Log => logarithm(c, math::log(c), n),
        Function::Log1p => logarithm(1.0 + c, math::log1p(c), n),
        Function::Tanh => tanh(c, n),
        Function::Sqrt | Function::Abs | Function::Whole(_) | Function::Real(_) => vec![f64::NAN; n],
    }
}

/// The first n of p over k.
pub(crate) fn binomial(p: f64, n: usize) -> Vec<f64> {
    let next = |last: &mut f64, k: usize| {
        let this = *last;
        *last *= (p - k as f64) / (k + 1) as f64;
        Some(this)
    };
    (0..n).scan(1.0, next).collect()
}

/// Of derivatives that repeat.
fn repeating(derivatives: &[f64], n: usize) -> Vec<f64> {
    let mut factorial = 1.0;
    let coefficient = |k: usize| {
        factorial *= k.max(1) as f64;
        derivatives[k % derivatives.len()] / factorial
    };
    (0..n).map(coefficient).collect()
}

/// The same with another value.
fn replaced(value: f64, mut coefficients: Vec<f64>) -> Vec<f64> {
    coefficients[0] = value;
    coefficients
}

fn logarithm(c: f64, value: f64, n: usize) -> Vec<f64> {
    let mut power = -1.0;
    let coefficient = |k: usize| {
        power /= -c;
        power / k as f64
    };
    let rest = (1..n).map(coefficient);
    [if c > 0.0 { value } else { f64::NAN }].into_iter().chain(rest).collect()
}

fn tanh(c: f64, n: usize) -> Vec<f64> {
    let mut g = vec![math::tanh(c)];
    for k in 0..n - 1 {
        let square: f64 = (0..=k).map(|i| g[i] * g[k - i]).sum();
        let own = if k == 0 { 1.0 } else { 0.0 };
        g.push((own - square) / (k + 1) as f64);
    }
    g
}
