//! Products with symmetric operators to twice the digits, strain by strain.
//!
//!   y += Σ a w Cᵀ(C x)
//!
//! Strains and stresses are numbers to twice the digits: what is missed is some 2⁻¹⁰⁴ of the largest terms. Families of narrow
//! stencils are taken a chunk of strains at a time, in loops that compilers turn into lanes.

use crate::{
    double::Double,
    doubles::{View, ViewMut},
    operator::Operator,
    row::Row,
    shape::CHUNK,
    stencils::Family,
};

/// Σ a·O of one or more operators, ready to be multiplied.
#[derive(Clone, Debug, Default)]
pub struct StrainProduct {
    /// Families of stencils, with their a.
    pub(crate) families: Vec<(Double, Family)>,
    /// Single strains with a times their weights.
    pub(crate) rows: Vec<(Double, Row)>,
}

impl StrainProduct {
    /// Σ a·O of these terms.
    pub fn new(terms: &[(Double, &Operator)]) -> Self {
        let mut product = Self::default();
        for (a, operator) in terms.iter().filter(|(a, _)| a.high != 0.0) {
            let Operator::Stencils(stencils) = operator else {
                product.rows.extend(operator.squares().map(|(w, row)| (a.times(w), row)));
                continue;
            };
            product.families.extend(stencils.families.iter().map(|family| (*a, family.clone())));
            product.rows.extend(stencils.ends.iter().map(|(w, row)| (a.times(*w), row.clone())));
        }
        product
    }

    /// y += Σ a·O x.
    #[inline(always)]
    pub fn add(&self, x: View<'_>, y: ViewMut<'_>) {
        let ViewMut { high, low } = y;
        for (a, family) in &self.families {
            let y = ViewMut { high: &mut *high, low: &mut *low };
            match (family.stride, family.stencil.as_slice()) {
                (1, &[s0]) => add_narrow(*a, [s0], family, x, y),
                (1, &[s0, s1]) => add_narrow(*a, [s0, s1], family, x, y),
                (1, &[s0, s1, s2]) => add_narrow(*a, [s0, s1, s2], family, x, y),
                _ => add_wide(*a, family, x, y),
            }
        }
        for (weight, row) in &self.rows {
            let y = ViewMut { high: &mut *high, low: &mut *low };
            row.add_scaled_double(row.dot_double(x).scaled(*weight), y);
        }
    }
}

/// y += a·O x of a family of any stencil.
#[inline(always)]
fn add_wide(a: Double, family: &Family, x: View<'_>, mut y: ViewMut<'_>) {
    for i in 0..family.weights.count() {
        let at = family.first + i * family.stride;
        let mut strain = Double::default();
        family.stencil.iter().enumerate().for_each(|(k, s)| strain += x.get(at + k).times_fused(*s));
        let stress = strain.times_fused(family.weights.get(i)).scaled(a);
        for (k, s) in family.stencil.iter().enumerate() {
            y.add(at + k, stress.times_fused(*s));
        }
    }
}

/// The same of a stencil of L coordinates in a row, whose strains follow each other.
#[inline(always)]
fn add_narrow<const L: usize>(a: Double, stencil: [f64; L], family: &Family, x: View<'_>, y: ViewMut<'_>) {
    let count = family.weights.count();
    let ([mut high, mut low], mut weights) = ([[0.0; CHUNK]; 2], [0.0; CHUNK]);
    for begin in (0..count).step_by(CHUNK) {
        let (from, n) = (family.first + begin, CHUNK.min(count - begin));
        let (high, low, weights) = (&mut high[..n], &mut low[..n], &mut weights[..n]);
        weights.iter_mut().enumerate().for_each(|(i, w)| *w = family.weights.get(begin + i));
        let (x_high, x_low) = (&x.high[from..][..n + L - 1], &x.low[from..][..n + L - 1]);
        for i in 0..n {
            let mut strain = Double::default();
            for k in 0..L {
                strain += Double { high: x_high[i + k], low: x_low[i + k] }.times_fused(stencil[k]);
            }
            let stress = strain.times_fused(weights[i]).scaled(a);
            (high[i], low[i]) = (stress.high, stress.low);
        }
        for (k, s) in stencil.iter().enumerate() {
            let (y_high, y_low) = (&mut y.high[from + k..][..n], &mut y.low[from + k..][..n]);
            for i in 0..n {
                let mut sum = Double { high: y_high[i], low: y_low[i] };
                sum += Double { high: high[i], low: low[i] }.times_fused(*s);
                (y_high[i], y_low[i]) = (sum.high, sum.low);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{doubles::Doubles, stencils::Stencils};

    /// Narrow, wide and strided families and single strains: the same as row by row, but for 2⁻¹⁰⁰ of the largest terms.
    #[test]
    fn agrees_with_single_strains() {
        let a = Double::sum(-0.7, 1e-18);
        for n in [7, 64, 66, 67, 200] {
            let mut strains: Vec<(f64, Row)> = vec![(0.3, Row::Sparse(vec![(0, -2.1), (n - 1, 1.0)]))];
            let stencils: [&[f64]; 4] = [&[1.3], &[-3.7, 3.7], &[13.7, -27.4, 13.7], &[0.1, 0.4, -0.3, 0.2]];
            for stencil in stencils {
                for i in 0..=n - stencil.len() {
                    let row = stencil.iter().enumerate().map(|(j, s)| (i + j, *s)).collect();
                    strains.push((1.0 + (i as f64 * 0.3).sin(), Row::Sparse(row)));
                }
            }
            let operator = Operator::Stencils(Stencils::new(&strains));
            let mut x = Doubles::zero(n);
            (0..n).for_each(|i| x.set(i, Double::sum((i as f64 * 0.37).sin(), 1e-17)));
            let (mut expected, mut found) = (Doubles::zero(n), Doubles::zero(n));
            for (weight, row) in operator.squares() {
                let stress = row.dot_double(x.view()).times(weight).scaled(a);
                row.add_scaled_double(stress, expected.view_mut());
            }
            StrainProduct::new(&[(a, &operator)]).add(x.view(), found.view_mut());
            let size = 0.7 * 2.0 * 13.7 * 13.7 * 16.0;
            for i in 0..n {
                let mut missed = found.get(i);
                missed += expected.get(i).negated();
                assert!(missed.rounded().abs() < size * 2.0_f64.powi(-100), "{n} {i}: {missed:?}");
            }
        }
    }
}
