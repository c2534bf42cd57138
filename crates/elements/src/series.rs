//! An expression near 0 as a series of powers of t = |x|:
//!
//!   u = Σ aₚ tᵖ,   0 ≤ p < E,   p whole or not
//!
//! exp(Bx) − 1 − Bx loses all its digits as x → 0; its series ½B²t² + … has lost the constant and the linear term before
//! any x is put in. Sums and products are those of power series; of a function, with c = u(0) and u = c + δ,
//!
//!   g(u) = Σ gₖ δᵏ,   gₖ = g⁽ᵏ⁾(c)/k!;      uᵖ = aᵖ tᵖᑫ Σ (p over k) ηᵏ   of   u = a tᑫ (1 + η)
//!
//! Each coefficient has a bound of its rounding in units of ε, as in [`crate::rounding`]. What is not above it is what
//! rounding of constants has left of terms that cancel, and counts as 0. A series that does not exist, as of log x, has
//! coefficients that are no numbers.
//!
//! M. Berz, Calculus and numerics on Levi-Civita fields (1996).

use crate::{
    arithmetic::Arithmetic,
    expansion::Near,
    functions::Function,
    taylor,
    term::{SAME, Term},
};
use hamiltone_numerics::math;

/// The least power above 0 over which functions are expanded.
const LEAST: f64 = 0.25;
/// The most terms: four fractions of powers below 42, which is E where the least power is at most 4.
const MAX_TERMS: usize = 168;

/// A series in ascending powers.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    /// Its terms.
    pub terms: Vec<Term>,
    /// Whether nothing was left out.
    pub is_whole: bool,
    /// E, the power from which on terms are left out.
    end: f64,
}

impl Series {
    /// What has no series.
    fn none() -> Self {
        Self { terms: vec![Term::constant(f64::NAN, 0.0)], is_whole: false, end: f64::INFINITY }
    }

    /// The sum of terms in any order.
    fn of(mut terms: Vec<Term>, mut is_whole: bool, end: f64) -> Self {
        terms.sort_by(|a, b| a.power.total_cmp(&b.power));
        let mut sums: Vec<Term> = Vec::new();
        for term in terms {
            match sums.last_mut() {
                _ if term.power >= end => is_whole = false,
                Some(last) if term.power - last.power < SAME => {
                    last.factor += term.factor;
                    last.error += term.error + last.factor.abs();
                }
                _ => sums.push(term),
            }
        }
        sums.retain(|term| term.factor.is_nan() || term.factor.abs() > f64::EPSILON * term.error);
        if sums.len() > MAX_TERMS { Self::none() } else { Self { terms: sums, is_whole, end } }
    }

    /// The terms beside the constant one, and that.
    fn split(&self) -> (Term, Self) {
        match self.terms.split_first() {
            Some((first, rest)) if first.power < SAME => {
                (*first, Self { terms: rest.to_vec(), is_whole: self.is_whole, end: self.end })
            }
            _ => (Term::constant(0.0, 0.0), self.clone()),
        }
    }

    /// Σ gₖ δᵏ, where `coefficients` gives the first n of the gₖ at c.
    fn through(&self, coefficients: impl Fn(f64, usize) -> Vec<f64>) -> Self {
        let (c, delta) = self.split();
        let least = delta.terms.first().map(|term| term.power);
        if least.is_some_and(|least| least < LEAST) || c.power < 0.0 {
            return Self::none();
        }
        let orders = least.map_or(1, |least| (self.end / least).ceil() as usize);
        let g = coefficients(c.factor, orders + 2);
        let constant = |k: usize| {
            let moved = (k + 1) as f64 * g[k + 1].abs() * c.error;
            let term = Term::constant(g[k], (k + 2) as f64 * g[k].abs() + moved);
            Self::of(vec![term], true, self.end)
        };
        let ends = delta.terms.is_empty();
        let sum =
            (0..orders).rev().fold(constant(orders), |sum, k| sum.times(delta.clone()).plus(constant(k)));
        Self { is_whole: ends && self.is_whole, ..sum }
    }

    /// uᵖ.
    fn power(&self, p: f64) -> Self {
        let Some((first, rest)) = self.terms.split_first() else {
            return if p > 0.0 { self.clone() } else { Self::none() };
        };
        let whole = p.fract() == 0.0;
        if p > 0.0 && whole {
            return (1..p as usize).fold(self.clone(), |product, _| product.times(self.clone()));
        }
        if first.factor < 0.0 && !whole {
            return Self::none();
        }
        let a = first.factor;
        let scaled = |term: &Term| {
            let factor = term.factor / a;
            let error = (term.error + factor.abs() * first.error) / a.abs() + factor.abs();
            Term { power: term.power - first.power, factor, error }
        };
        let one = Term::constant(1.0, 0.0);
        let inner = Self {
            terms: [one].into_iter().chain(rest.iter().map(scaled)).collect(),
            is_whole: self.is_whole,
            end: self.end,
        };
        let odd = whole && p.rem_euclid(2.0) == 1.0;
        let factor = math::pow(a.abs(), p) * if odd { a.signum() } else { 1.0 };
        let error = factor.abs() * (1.0 + (p * first.error / a).abs());
        let outer = Term { power: p * first.power, factor, error };
        inner.through(|_, n| taylor::binomial(p, n)).times(Self {
            terms: vec![outer],
            is_whole: true,
            end: self.end,
        })
    }
}

impl Arithmetic for Series {
    fn constant(c: f64) -> Self {
        Self::of(vec![Term::constant(c, c.abs())], true, f64::INFINITY)
    }

    /// x τ, up to a power E in place of the step.
    fn variable(x: f64, end: f64) -> Self {
        Self { terms: vec![Term { power: 1.0, factor: x, error: 0.0 }], is_whole: true, end }
    }

    fn negated(mut self) -> Self {
        self.terms.iter_mut().for_each(|term| term.factor = -term.factor);
        self
    }

    fn plus(mut self, v: Self) -> Self {
        self.terms.extend(v.terms);
        Self::of(self.terms, self.is_whole && v.is_whole, self.end.min(v.end))
    }

    fn times(self, v: Self) -> Self {
        let mut terms = Vec::with_capacity(self.terms.len() * v.terms.len());
        let (mut whole, end) = (self.is_whole && v.is_whole, self.end.min(v.end));
        for a in &self.terms {
            let kept = v.terms.iter().take_while(|b| a.power + b.power < end);
            whole &= kept.clone().count() == v.terms.len();
            for b in kept {
                let (factor, [x, y]) = (a.factor * b.factor, [a.factor.abs(), b.factor.abs()]);
                let error = x * b.error + a.error * y + factor.abs();
                terms.push(Term { power: a.power + b.power, factor, error });
            }
        }
        Self::of(terms, whole, end)
    }

    fn over(self, v: Self) -> Self {
        self.times(v.power(-1.0))
    }

    fn apply(self, function: Function, _: f64) -> Self {
        match function {
            Function::Whole(n) => self.power(n as f64),
            Function::Real(less) => self.power(less.alpha + 1.0),
            Function::Sqrt => self.power(0.5),
            Function::Abs => match self.terms.first() {
                Some(first) if first.factor < 0.0 => self.negated(),
                _ => self,
            },
            other => self.through(|c, n| taylor::coefficients(other, c, n)),
        }
    }
    /// A series is made of the operations themselves.
    fn near(_: &Near, _: f64, _: f64) -> Option<Self> {
        None
    }
}
