//! Longitudinal modes of a string, which its transverse motion drives and which act back: phantom partials, and the precursor of a blow
//! (Bank & Sujbert 2005, J. Acoust. Soc. Am. 117, 2268; Chabassier, Chaigne & Joly 2013, J. Acoust. Soc. Am. 134, 648).
//!
//!   u = Σ qₙ sin kₙx,   w = Σ pₘ sin kₘx,   w_x + ½u_x² = Q₀ + Σ (kₘpₘ + Qₘ) cos kₘx,   cₙ = kₙqₙ
//!   Q₀ = ¼ Σ cₙ²,   Qₘ = ½ Σ cₙcₙ₊ₘ + ¼ Σ_{i+j=m} cᵢcⱼ
//!   V = ½(EA − T)L Q₀² + Σ ½(EA − T)L (½Qₘ² + kₘpₘQₘ),   Kₘ = ½EA kₘ²L,   m = 1 … M
//!
//! to the third order of the strain, where EA ≫ T: u and w (m) are the transverse and the longitudinal displacement, kₙ = nπ/L. With ψₘ = √((EA − T)L/2) Qₘ and
//! h = √((EA − T)L/2) kₘ each is a form that pₘ strains. The tension at x is above that at rest by (EA − T)Q₀ + Σ (EA kₘpₘ + (EA − T)Qₘ) cos kₘx, at an end with the
//! force along the string on what holds it. What is left out beyond M follows at once: its strain is 0.

use hamiltone_core::{
    form::Form,
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::math::cos;
use std::{collections::BTreeMap, f64::consts::PI, ops::Range};

/// The longitudinal modes of a string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Longitudinal {
    /// L, m; ρA, kg/m; EA and T, N.
    pub length: f64,
    pub density: f64,
    pub axial: f64,
    pub tension: f64,
    /// M, and their quality factor.
    pub modes: usize,
    pub quality: f64,
}

impl Longitudinal {
    /// kₘ, 1/m.
    fn wave(&self, m: usize) -> f64 {
        m as f64 * PI / self.length
    }

    /// √((EA − T)L/2).
    fn root(&self) -> f64 {
        (0.5 * (self.axial - self.tension) * self.length).sqrt()
    }

    /// Adds the modes, and the forms of these transverse ones.
    pub fn add_to(&self, system: &mut System, name: &str, transverse: Range<usize>) {
        let mass = 0.5 * self.density * self.length;
        let first = system.size();
        let stiffness = |m: usize| 0.5 * self.axial * self.length * self.wave(m) * self.wave(m);
        let all = || 1..=self.modes;
        all().for_each(|_| _ = system.add_dof(mass, 0.0, 0.0));
        let damping = all().map(|m| (stiffness(m) * mass).sqrt() / self.quality).collect();
        system.blocks.push(Block {
            name: format!("{name}.longitudinal"),
            dofs: first..first + self.modes,
            stiffness: Operator::Diagonal(all().map(stiffness).collect()),
            damping: Operator::Diagonal(damping),
        });
        for m in all() {
            system.forms.push(Form {
                name: format!("{name}, longitudinal mode {m}"),
                quadratic: self.products(m, &transverse),
                linear: Row::ground(),
                strain: Row::Sparse(vec![(first + m - 1, self.root() * self.wave(m))]),
                stretch: self.root() / (self.axial - self.tension),
            });
        }
    }

    /// B of ψₘ.
    fn products(&self, m: usize, transverse: &Range<usize>) -> Vec<(usize, usize, f64)> {
        let count = transverse.len();
        let mut entries = BTreeMap::new();
        let mut add = |i: usize, j: usize| {
            // ½ cᵢcⱼ of a pair, ¼ cᵢ² of one mode with itself: both are half of the entry that stands for them.
            let value = 0.5 * self.root() * self.wave(i) * self.wave(j);
            let key = (transverse.start + i.min(j) - 1, transverse.start + i.max(j) - 1);
            *entries.entry(key).or_insert(0.0) += value;
        };
        (1..=count.saturating_sub(m)).for_each(|n| add(n, n + m));
        (1..=m / 2).filter(|i| m - i <= count).for_each(|i| add(i, m - i));
        entries.into_iter().map(|((i, j), b)| (i, j, b)).collect()
    }

    /// The weights of ψₘ in the tension at x.
    pub fn forms(&self, x: f64) -> impl Iterator<Item = f64> + use<'_> {
        let each = (self.axial - self.tension) / self.root();
        (1..=self.modes).map(move |m| each * cos(self.wave(m) * x))
    }

    /// The row of pₘ in the tension at x, these coordinates beginning with `first`.
    pub fn row(&self, x: f64, first: usize) -> Row {
        let of = |m: usize| (first + m - 1, self.axial * self.wave(m) * cos(self.wave(m) * x));
        Row::Sparse((1..=self.modes).map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Qₘ is the Fourier coefficient of ½u_x², by a sum over points that is exact for its 24 waves.
    #[test]
    fn forms_are_the_fourier_coefficients_of_the_stretching() {
        let longitudinal =
            Longitudinal { length: 1.3, density: 0.01, axial: 4e4, tension: 300.0, modes: 5, quality: 300.0 };
        let mut system = System::default();
        (0..12).for_each(|_| _ = system.add_dof(1.0, 0.0, 0.0));
        longitudinal.add_to(&mut system, "string", 0..12);
        let q: Vec<f64> =
            (0..17).map(|i| if i < 12 { 1e-3 * ((3 * i + 1) as f64).sin() } else { 0.0 }).collect();
        const POINTS: usize = 64;
        for m in 1..=5 {
            let stretched = |i: usize| {
                let x = (i as f64 + 0.5) / POINTS as f64 * longitudinal.length;
                let slope: f64 =
                    (1..=12).map(|n| longitudinal.wave(n) * q[n - 1] * cos(longitudinal.wave(n) * x)).sum();
                0.5 * slope * slope * cos(longitudinal.wave(m) * x)
            };
            let coefficient = 2.0 / POINTS as f64 * (0..POINTS).map(stretched).sum::<f64>();
            let form = &system.forms[m - 1];
            let found = form.value(&q) / longitudinal.root();
            // Sums of 144 products of the order of their largest.
            assert!(
                (found - coefficient).abs() < 1e-13 * form.size(&q).max(1e-3),
                "{m}: {found:e} {coefficient:e}"
            );
        }
    }
}
