//! The modes of a rectangular plate by the method of Ritz, with products of beam functions.
//!
//!   V = ½∫∫ (c₁w_xx² + 2c₃w_xx w_yy + c₂w_yy² + 4c₆w_xy²) dx dy,   T = ½∫∫ μ w_t² dx dy,   w = Σ c_mn X_m(x/a) Y_n(y/b)
//!
//! (Ritz 1909; Young 1950; Leissa 1973.) μ (kg/m²) mass per area; c of `orthotropic.rs`. The products are those that are lowest each on its own. X and
//! Y of two ends that are alike are even or odd in turn about the middle, and V couples no even product with an odd one: the matrix falls into
//! four where both pairs of sides are alike, two where one is. Frequencies are upper bounds. The stress function of a plate whose sides
//! are free in its plane has the same equations (`von_karman/products.rs`).

use super::{
    beams::Beam,
    products::{Products, Shape, beams, integrals},
    quadrature,
};
use crate::{
    ends::End,
    orthotropic::{Coefficients, of_waves},
};
use hamiltone_numerics::{
    jacobi,
    math::{powi, square},
    parallel,
};
use std::{f64::consts::PI, ops::Range};

/// So many products for each mode.
const PRODUCTS: usize = 3;

/// A plate, or what has its equations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ritz {
    /// a and b, m.
    pub sides: [f64; 2],
    /// Of x = 0, x = a and of y = 0, y = b.
    pub ends: [[End; 2]; 2],
    /// c₁, c₂, c₃ and c₆, N m.
    pub stiffness: Coefficients,
    /// μ, kg/m².
    pub density: f64,
}

/// Its lowest modes.
pub(crate) struct Solved {
    /// The shapes, ∫∫φ² = ab/4.
    pub products: Products,
    /// ω² of each, (rad/s)²; 0 of a rigid motion.
    pub omega2: Vec<f64>,
    /// ∫∫|∇φ|²/∫∫φ² of each, 1/m².
    pub slopes: Vec<f64>,
}

/// ∫X_jX_k, ∫X_j′X_k′, ∫X_j″X_k″ and ∫X_j″X_k along each side.
pub(crate) struct Integrals([[Vec<Vec<f64>>; 4]; 2]);

impl Integrals {
    pub fn of(products: &Products) -> Self {
        let of = |side: usize| {
            [[0, 0], [1, 1], [2, 2], [2, 0]].map(|orders| integrals(&products.beams[side], orders))
        };
        Self([of(0), of(1)])
    }
}

impl Ritz {
    /// The squared frequency of a product alone with its β for the wave numbers, (rad/s)².
    fn estimate(&self, products: &Products, pair: [usize; 2]) -> f64 {
        let waves = [0, 1].map(|side| square(products.beams[side][pair[side]].beta() / self.sides[side]));
        of_waves(self.stiffness, waves) / self.density
    }

    /// About ω² of so many modes, ascending, (rad/s)²: each is a product alone, with its own slopes. Frequencies are some percent too high, with
    /// free sides 10 %.
    pub fn about(&self, count: usize) -> Vec<f64> {
        let products = self.products(count);
        // ∫X′² for ∫X² = 1.
        let slope = |beam: &Beam| -> f64 {
            let panels = quadrature::panels(1.0, &[], PI / beam.beta().max(PI));
            2.0 * panels.iter().flatten().map(|(x, w)| w * square(beam.at(1, *x))).sum::<f64>()
        };
        let [x, y] = [0, 1].map(|side| products.beams[side].iter().map(slope).collect::<Vec<f64>>());
        let [along, across, coupled, twist] = self.stiffness;
        let of = |[m, n]: [usize; 2]| {
            let [a, b] = self.sides;
            let waves = [products.beams[0][m].beta() / a, products.beams[1][n].beta() / b];
            let mixed = 2.0 * (coupled + 2.0 * twist) * x[m] * y[n] / square(a * b);
            (along * powi(waves[0], 4) + across * powi(waves[1], 4) + mixed) / self.density
        };
        let mut all: Vec<f64> = products.pairs.iter().copied().map(of).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// So many products, the lowest.
    pub fn products(&self, count: usize) -> Products {
        let all = self.ends.map(|ends| beams(ends, count));
        let mut products = Products { sides: self.sides, beams: all, pairs: Vec::new(), shapes: Vec::new() };
        let mut pairs: Vec<[usize; 2]> =
            (0..count).flat_map(|m| (0..count / (m + 1)).map(move |n| [m, n])).collect();
        pairs.sort_by(|p, q| {
            self.estimate(&products, *p).total_cmp(&self.estimate(&products, *q)).then(p.cmp(q))
        });
        pairs.truncate(count);
        for side in [0, 1] {
            let most = pairs.iter().map(|pair| pair[side]).max().unwrap_or(0);
            products.beams[side].truncate(most + 1);
        }
        products.pairs = pairs;
        products
    }

    /// What two products have in common in twice the energy V (N m) and in ∫∫∇φ∇φ.
    pub fn entry(&self, of: &Integrals, [m, n]: [usize; 2], [p, q]: [usize; 2]) -> [f64; 2] {
        let [a, b] = self.sides;
        let [along, across, coupled, twist] = self.stiffness;
        let Integrals([[x0, x1, x2, xm], [y0, y1, y2, ym]]) = of;
        let mixed = xm[m][p] * ym[q][n] + xm[p][m] * ym[n][q];
        let stiffness = along * x2[m][p] * y0[n][q] * b / powi(a, 3)
            + across * x0[m][p] * y2[n][q] * a / powi(b, 3)
            + (coupled * mixed + 4.0 * twist * x1[m][p] * y1[n][q]) / (a * b);
        [stiffness, x1[m][p] * y0[n][q] * b / a + x0[m][p] * y1[n][q] * a / b]
    }

    /// Whether products are even or odd along x and along y.
    pub fn mirrors(&self) -> [bool; 2] {
        self.ends.map(|[one, other]| one == other)
    }

    /// The lowest `modes` by three products for each, and at least `least`.
    pub fn lowest(&self, modes: usize, least: usize) -> Solved {
        let mut products = self.products((PRODUCTS * modes).max(least));
        let mirrors = self.mirrors();
        products.pairs.sort_by_key(|pair| parity(mirrors, *pair));
        let groups: Vec<Range<usize>> = products.groups(mirrors).collect();
        let of = Integrals::of(&products);
        let quarter = 0.25 * self.sides[0] * self.sides[1];
        let solve = |group: &Range<usize>| {
            let pairs = &products.pairs[group.clone()];
            let entries = pairs.iter().flat_map(|p| pairs.iter().map(|q| self.entry(&of, *p, *q)));
            let (stiffness, slopes): (Vec<f64>, Vec<f64>) = entries
                .map(|[stiffness, slope]| (stiffness / (self.density * quarter), slope / quarter))
                .unzip();
            let n = pairs.len();
            let (omega2, vectors) = jacobi::eigenpairs(stiffness, n);
            let shape = |k: usize| {
                let weights: Vec<f64> = (0..n).map(|i| vectors[i * n + k]).collect();
                let row = |i: usize| slopes[i * n..].iter().zip(&weights).map(|(s, c)| s * c).sum::<f64>();
                let slope = (0..n).map(|i| weights[i] * row(i)).sum::<f64>();
                (omega2[k], slope, Shape { first: group.start, weights })
            };
            (0..n.min(modes)).map(shape).collect::<Vec<_>>()
        };
        let mut all: Vec<(f64, f64, Shape)> =
            parallel::map(groups.iter().collect(), solve).into_iter().flatten().collect();
        all.sort_by(|one, other| one.0.total_cmp(&other.0));
        let highest = all.last().map_or(0.0, |mode| mode.0);
        // Of a rigid motion the rounding of 0 is left.
        let rounding = highest * products.pairs.len() as f64 * f64::EPSILON;
        let (mut found, mut slopes) = (Vec::with_capacity(modes), Vec::with_capacity(modes));
        for (omega2, slope, shape) in all.into_iter().take(modes) {
            found.push(if omega2 > rounding { omega2 } else { 0.0 });
            slopes.push(slope);
            products.shapes.push(shape);
        }
        Solved { products, omega2: found, slopes }
    }
}

/// Which of four groups a product is in: whether it is odd along x and y, where that tells anything.
pub(crate) fn parity(mirrors: [bool; 2], pair: [usize; 2]) -> usize {
    let odd = |side: usize| usize::from(mirrors[side] && pair[side] % 2 == 1);
    2 * odd(0) + odd(1)
}

impl Products {
    /// The groups in which the products lie side by side.
    fn groups(&self, mirrors: [bool; 2]) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        self.pairs.chunk_by(move |p, q| parity(mirrors, *p) == parity(mirrors, *q)).map(move |group| {
            start += group.len();
            start - group.len()..start
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orthotropic::isotropic_bending;
    use End::{Clamped, Free, Hinged};

    fn plate(sides: [f64; 2], ends: [[End; 2]; 2]) -> Ritz {
        Ritz { sides, ends, stiffness: isotropic_bending(1.0, 0.3), density: 1.0 }
    }

    /// ω a²√(ρh/D) of a clamped and a free square and of one between two clamped and two hinged sides, ν = 0.3 (Leissa 1973; the free one as Ritz
    /// sums of more terms give it), and of a clamped plate of 0.4 m by 0.3 m by finite differences.
    #[test]
    fn frequencies_are_those_of_the_tables() {
        for (sides, ends, exact, within) in [
            ([1.0; 2], [[Clamped; 2]; 2], &[35.985, 73.394, 73.394, 108.22, 131.58, 132.21][..], 1e-3),
            ([1.0; 2], [[Free; 2]; 2], &[0.0, 0.0, 0.0, 13.468, 19.596, 24.271, 34.801, 34.801], 4e-3),
            ([1.0; 2], [[Clamped; 2], [Hinged; 2]], &[28.9509, 54.7431, 69.3270, 94.5853], 1e-3),
            ([0.4, 0.3], [[Clamped; 2]; 2], &[318.8969, 535.0976, 750.4199, 890.9788], 1e-3),
        ] {
            let found = plate(sides, ends).lowest(60, 60).omega2;
            for (omega2, exact) in found.iter().zip(exact) {
                let omega = omega2.sqrt();
                assert!(omega - exact >= -1e-4 * exact, "{ends:?} {omega} {exact}");
                assert!(omega - exact <= within * exact, "{ends:?} {omega} {exact}");
            }
        }
    }

    /// What is estimated of each mode on its own, from which the number of modes below a frequency follows.
    #[test]
    fn estimates_are_near() {
        for (ends, within) in [
            ([[Clamped; 2]; 2], 0.04),
            ([[Clamped, Hinged], [Clamped; 2]], 0.04),
            ([[Clamped, Free], [Hinged; 2]], 0.1),
        ] {
            let plate = plate([1.0, 0.7], ends);
            let (about, found) = (plate.about(60), plate.lowest(60, 60).omega2);
            for (about, exact) in about.iter().zip(&found) {
                assert!(((about / exact).sqrt() - 1.0).abs() < within, "{ends:?} {about} {exact}");
            }
        }
    }

    /// The groups of even and odd products lose nothing: against one matrix of all.
    #[test]
    fn groups_are_the_whole() {
        for ends in [[[Clamped; 2]; 2], [[Free; 2], [Clamped, Hinged]], [[Clamped, Free], [Free; 2]]] {
            let plate = plate([1.0, 0.6], ends);
            let found = plate.lowest(20, 60);
            let (products, n) = (&found.products, 60);
            let of = Integrals::of(products);
            let all = products
                .pairs
                .iter()
                .flat_map(|p| products.pairs.iter().map(|q| plate.entry(&of, *p, *q)[0]));
            let (exact, _) = jacobi::eigenpairs(all.map(|k| k / 0.15).collect(), n);
            for (own, exact) in found.omega2.iter().zip(exact) {
                assert!((own - exact).abs() < 1e-10 * exact.max(1.0), "{ends:?} {own} {exact}");
            }
        }
    }
}
