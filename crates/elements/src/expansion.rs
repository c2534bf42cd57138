//! An expression near 0 by its series ([`crate::series`]).
//!
//!   u = c + Σ aₚ tᵖ,   t = |x|/σ,   |x| ≤ ρ;      P[t, y] and P[t, y, y] of a polynomial P = Σ aₖ tᵏ by Horner's scheme:
//!
//!   vₖ = vₖ₊₁ t + aₖ,   dₖ = dₖ₊₁ y + vₖ₊₁,   eₖ = eₖ₊₁ y + dₖ₊₁;   P[t, y] = d₀,   P[t, y, y] = e₀
//!
//! P(z) = P(t) + (z − t) Σ vₖ₊₁ zᵏ, whose sum is P[t, z]. Powers that are not whole are tᵠ P(t), one product for each
//! fraction of powers, q being the least of them.
//!
//! The sum has the powers below C. Those from C to 3C/2 are known but left out: the least of them is what is cut off to first
//! order. Where none is known there, the last below C takes its place. The scale σ, a power of two, keeps aₚ within the range of numbers.
//!
//! In units of ε the value is wrong by Σ (eₚ + 2p|aₚ|) tᵖ and the derivative by Σ p(eₚ + 2p|aₚ|) tᵖ⁻¹/σ, errors of the
//! coefficients and of Horner's scheme, and by the terms left out with |aₚ|/ε in place of the brackets.

use crate::{
    exponent::Exponent,
    functions::Function,
    slope::Slope,
    term::{SAME, Term},
};
use hamiltone_numerics::math;

/// An expression on one side of 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expansion {
    /// 1 for x > 0, −1 for x < 0.
    side: f64,
    /// σ, m.
    scale: f64,
    /// ρ, m.
    pub reach: f64,
    /// c.
    constant: f64,
    groups: Vec<Group>,
    terms: Vec<Term>,
    /// The terms left out.
    beyond: Vec<Term>,
}

/// tᵠ P(t), or P(t).
#[derive(Clone, Debug, PartialEq)]
struct Group {
    /// The lowest power, and tᵠ where that is not whole.
    least: f64,
    root: Option<Function>,
    /// The coefficients of P.
    factors: Vec<f64>,
}

impl Expansion {
    /// The expression of a series on a side with this σ and C, with ρ = 0; `None` where its terms are no numbers, or a root of x.
    pub fn of(side: f64, scale: f64, mut terms: Vec<Term>, is_whole: bool, cut: f64) -> Option<Self> {
        let kept = terms.partition_point(|term| term.power < cut);
        let unknown = !is_whole && kept == terms.len();
        let beyond = terms.split_off(if unknown { kept.saturating_sub(1) } else { kept });
        let (constant, rest) = match terms.split_first() {
            Some((first, rest)) if first.power.abs() < SAME => (first.factor, rest),
            _ => (0.0, &terms[..]),
        };
        if !constant.is_finite()
            || rest.iter().chain(&beyond).any(|term| !(term.factor.is_finite() && term.power >= 1.0))
        {
            return None;
        }
        Some(Self { side, scale, reach: 0.0, constant, groups: groups(rest), terms, beyond })
    }

    /// The least power besides the constant; 0 where there is none.
    pub fn least(&self) -> f64 {
        self.terms.iter().map(|term| term.power).find(|power| *power >= SAME).unwrap_or(0.0)
    }

    /// Whether it holds at x.
    fn holds(&self, x: f64) -> bool {
        let t = self.side * x;
        t >= 0.0 && t <= self.reach
    }

    /// u − c over the step s within ρ.
    fn change(&self, x: f64, s: f64) -> Slope {
        let per = self.side / self.scale;
        let (t, s) = (per * x, per * s);
        let sum = self.groups.iter().fold(Slope::constant(0.0), |sum, group| sum.plus(group.slope(t, s)));
        Slope { mean: per * sum.mean, rate: per * sum.rate, bend: per * per * sum.bend, ..sum }
    }

    /// The expression over the step s within ρ.
    pub fn slope(&self, x: f64, s: f64) -> Slope {
        self.change(x, s).plus(Slope::constant(self.constant))
    }

    /// Bounds of the errors of value and derivative at x, in units of ε.
    pub fn rounding(&self, x: f64) -> [f64; 2] {
        let t = x.abs() / self.scale;
        let kept = self.terms.iter().map(|term| (term, term.error + 2.0 * term.power * term.factor.abs()));
        let cut = self.beyond.iter().map(|term| (term, term.factor.abs() / f64::EPSILON));
        // tᵖ⁻¹, one product from term to term: most lie equally far apart.
        let (mut exponent, mut power, mut gap, mut product) = (0.0, 1.0, 0.0, 1.0);
        kept.chain(cut).fold([0.0; 2], |[value, rate], (Term { power: p, .. }, error)| {
            let next = (p - 1.0).max(0.0);
            if next - exponent != gap {
                gap = next - exponent;
                product = math::pow(t, gap);
            }
            (exponent, power) = (next, power * product);
            let error = error * power;
            if *p < 1.0 { [value + error, rate] } else { [value + error * t, rate + p * error / self.scale] }
        })
    }
}

/// An expression near 0, on the sides where its series is used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Near(pub [Option<Expansion>; 2]);

impl Near {
    /// The series that holds at x.
    pub fn at(&self, x: f64) -> Option<&Expansion> {
        self.0.iter().flatten().find(|near| near.holds(x))
    }

    /// The expression over the step s, where both ends are near.
    ///
    /// A step that leaves the series is no matter of it: its outer end decides how near the rest must be. One across 0 is the
    /// difference of what both series have there, as near as the larger.
    pub fn slope(&self, x: f64, s: f64) -> Option<Slope> {
        let y = x + s;
        let (from, to) = (self.at(x)?, self.at(y)?);
        Some(if from.holds(y) {
            from.slope(x, s)
        } else if to.holds(x) {
            to.slope(x, s)
        } else {
            let (start, end) = (from.change(x, 0.0), to.change(y, 0.0));
            let mean = (end.to - start.to) / s;
            let (before, behind) = (from.constant + start.to, to.constant + end.to);
            Slope { from: before, to: behind, mean, rate: end.rate, bend: (end.rate - mean) / s }
        })
    }
}

impl Group {
    fn slope(&self, t: f64, s: f64) -> Slope {
        let polynomial = horner(&self.factors, t, t + s);
        match self.root {
            Some(root) => root.of(Slope::variable(t, s), s).times(polynomial),
            None => polynomial,
        }
    }
}

/// P over the step from x to y.
fn horner(factors: &[f64], x: f64, y: f64) -> Slope {
    let mut p = Slope::constant(0.0);
    for a in factors.iter().rev() {
        p.bend = p.bend * y + p.mean;
        p.mean = p.mean * y + p.from;
        p.rate = p.rate * y + p.to;
        p.from = p.from * x + a;
        p.to = p.to * y + a;
    }
    p
}

/// Terms in ascending order by the fraction of their powers.
fn groups(terms: &[Term]) -> Vec<Group> {
    let is_whole = |power: f64| (power - power.round()).abs() < SAME;
    let mut groups: Vec<Group> = Vec::new();
    for term in terms {
        let known = groups.iter().position(|group| is_whole(term.power - group.least));
        let at = known.unwrap_or_else(|| {
            let root = !is_whole(term.power);
            let least = if root { term.power } else { 0.0 };
            let root = root.then(|| Function::Real(Exponent::any(term.power - 1.0)));
            groups.push(Group { least, root, factors: Vec::new() });
            groups.len() - 1
        });
        let Group { least, factors, .. } = &mut groups[at];
        let k = (term.power - *least).round() as usize;
        factors.resize(factors.len().max(k + 1), 0.0);
        factors[k] = term.factor;
    }
    groups
}
