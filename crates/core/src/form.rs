//! Forms: energies that are squares of quadratic forms of the positions, such as that of a string whose tension grows with its length.
//!
//!   V = ½ψ² + eψ,   ψ = ½ qᵀBq + l·q,   e = s Σ u(t) + h·q
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | ψ | the value of the form | √J |
//! | B | sparse, symmetric | √J/m² |
//! | l | row of what is linear in ψ | √J/m |
//! | e | strain, which inputs prescribe ([`crate::input::Action::Strain`]) or other coordinates bring about | √J |
//! | s | what one unit of these inputs adds to e | √J per unit |
//! | h | row of the coordinates that strain it | √J/m |
//!
//! The force is −∇V = −(Bq + l)(ψ + e) − hψ. V is ½(ψ + e)² without ½e²: what inputs prescribe of it depends on no position, and may be far more than all
//! that moves stores; what coordinates store by ½(h·q)² is part of their stiffness, so that K − Σhhᵀ must not be negative. An input that strains a
//! form supplies ψ ė. Each coordinate of h is read by one form alone, and only there.
//!
//! Kirchhoff (1876) and Carrier (1945): of a string of length L with the displacement Σ qₙ sin nπx/L and the stiffness EA against stretching,
//! B = √(EA/L) diag((nπ)²/2L), and ψ² L/EA is the square of its lengthening. Two polarisations share one form. s = √(L/EA) makes
//! an input a change of the tension in N, by which pegs, a tremolo arm or a finger move it: the tension is above that at rest by (ψ + e)/s.

use crate::row::Row;
use std::collections::{BTreeMap, BTreeSet};

/// V = ½ψ² + eψ, ψ = ½ qᵀBq + l·q, e = s Σ u + h·q.
///
/// ```
/// use hamiltone_core::{form::Form, row::Row};
///
/// // One mode that is stretched by q²: V = ½(½·8q²)² = 8q⁴.
/// let form = Form { name: "string".into(), quadratic: vec![(0, 0, 8.0)], linear: Row::ground(), strain: Row::ground(), stretch: 1.0 };
/// assert_eq!((form.value(&[0.5]), form.energy(&[0.5], 0.0)), (1.0, 0.5));
/// // Strained by 2 √J it pushes back with (Bq + l)(ψ + e).
/// let mut force = [0.0];
/// form.add_gradient(&[0.5], 2.0, &mut force);
/// assert_eq!((form.energy(&[0.5], 2.0), force), (2.5, [12.0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Form {
    /// Its name in the scene, for messages.
    pub name: String,
    /// B, √J/m²: (i, j, bᵢⱼ) with i ≤ j, each pair once; bⱼᵢ = bᵢⱼ.
    pub quadratic: Vec<(usize, usize, f64)>,
    /// l, √J/m.
    pub linear: Row,
    /// h, √J/m.
    pub strain: Row,
    /// s, √J for each unit of the inputs that strain it; 0 of a form that none strains, as of a plate.
    pub stretch: f64,
}

impl Form {
    /// ψ at the positions q, √J.
    pub fn value(&self, q: &[f64]) -> f64 {
        // Each pair beside the diagonal stands for two entries of B.
        let part = |(i, j, b): &(usize, usize, f64)| if i == j { 0.5 * b } else { *b } * (q[*i] * q[*j]);
        self.quadratic.iter().map(part).sum::<f64>() + self.linear.dot(q)
    }

    /// ½|q|ᵀ|B||q| + Σ|lᵢqᵢ|, √J: what ψ is added up from.
    pub fn size(&self, q: &[f64]) -> f64 {
        let part = |(i, j, b): &(usize, usize, f64)| if i == j { 0.5 * b } else { *b } * (q[*i] * q[*j]);
        self.quadratic.iter().map(|entry| part(entry).abs()).sum::<f64>() + self.linear.magnitude(q)
    }

    /// `force` += ∇V at the positions q, where inputs strain it by e (√J).
    pub fn add_gradient(&self, q: &[f64], e: f64, force: &mut [f64]) {
        let value = self.value(q);
        let a = value + e + self.strain.dot(q);
        self.strain.add_scaled(value, force);
        for &(i, j, b) in &self.quadratic {
            force[i] += a * (b * q[j]);
            if i != j {
                force[j] += a * (b * q[i]);
            }
        }
        self.linear.add_scaled(a, force);
    }

    /// V at the positions q, where inputs strain it by e (√J), J.
    pub fn energy(&self, q: &[f64], e: f64) -> f64 {
        let value = self.value(q);
        (0.5 * value + e + self.strain.dot(q)) * value
    }

    /// The coordinates that it reads, some more than once.
    pub fn dofs(&self) -> impl Iterator<Item = usize> {
        let pairs = self.quadratic.iter().filter(|(.., b)| *b != 0.0).flat_map(|(i, j, _)| [*i, *j]);
        let rows = [&self.linear, &self.strain].into_iter().flat_map(Row::entries);
        pairs.chain(rows.filter(|(_, weight)| *weight != 0.0).map(|(i, _)| i))
    }

    /// What strains it so that the stiffness of a coordinate is this much more, N/m, in the unit of its inputs; `None` where the form does not
    /// read the coordinate.
    ///
    /// ```
    /// # use hamiltone_core::{form::Form, row::Row};
    /// let form = Form { name: "string".into(), quadratic: vec![(0, 0, 8.0)], linear: Row::ground(), strain: Row::ground(), stretch: 0.5 };
    /// assert_eq!((form.straining(0, 12.0), form.straining(1, 12.0)), (Some(3.0), None));
    /// ```
    pub fn straining(&self, dof: usize, stiffness: f64) -> Option<f64> {
        let (.., b) = self.quadratic.iter().find(|(i, j, b)| (*i, *j) == (dof, dof) && *b != 0.0)?;
        Some(stiffness / (b * self.stretch))
    }

    /// The same form of new coordinates, of which `row` tells each of the old ones: ψ = ½ Σ bᵢⱼ (rᵢ·q)(rⱼ·q) + l·q, so that B becomes
    /// Σᵢ rᵢtᵢᵀ with tᵢ = Σⱼ bᵢⱼrⱼ. Of n coordinates each of which has part in all new ones this takes n³ products, however many entries B has.
    #[must_use]
    pub fn along(&self, row: impl Fn(&Row) -> Row) -> Self {
        let mut entries = BTreeMap::<usize, Vec<(usize, f64)>>::new();
        for &(i, j, b) in &self.quadratic {
            entries.entry(i).or_default().push((j, b));
            if i != j {
                entries.entry(j).or_default().push((i, b));
            }
        }
        let rows: BTreeMap<usize, Vec<(usize, f64)>> =
            entries.keys().map(|i| (*i, row(&Row::unit(*i)).entries().collect())).collect();
        // The new coordinates that it reads, and their numbers among these.
        let read: BTreeSet<usize> = rows.values().flatten().map(|(k, _)| *k).collect();
        let read: Vec<usize> = read.into_iter().collect();
        let number = |k: usize| read.partition_point(|other| *other < k);
        let mut sums = vec![0.0; read.len() * read.len()];
        for (i, row) in &rows {
            let mut t = vec![0.0; read.len()];
            for (j, b) in &entries[i] {
                rows[j].iter().for_each(|(m, w)| t[number(*m)] += b * w);
            }
            for (k, v) in row {
                let sums = &mut sums[number(*k) * read.len()..][..read.len()];
                sums.iter_mut().zip(&t).for_each(|(sum, t)| *sum += v * t);
            }
        }
        let pairs = (0..read.len()).flat_map(|k| (k..read.len()).map(move |m| (k, m)));
        let entry = |(k, m): (usize, usize)| (read[k], read[m], sums[k * read.len() + m]);
        let quadratic = pairs.map(entry).filter(|(.., b)| *b != 0.0).collect();
        Self { quadratic, linear: row(&self.linear), strain: row(&self.strain), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Form {
        Form {
            name: "plate".into(),
            quadratic: vec![(0, 0, 3.0), (0, 2, -0.7), (1, 1, 0.4), (1, 2, 2.0)],
            linear: Row::Sparse(vec![(1, 0.3), (2, -1.1)]),
            strain: Row::Sparse(vec![(3, 0.8)]),
            stretch: 1.0,
        }
    }

    /// The gradient is that of V by differences.
    #[test]
    fn the_force_is_the_gradient() {
        let (form, q, e, d) = (form(), [0.4, -0.9, 0.6, -0.3], 0.25, 1e-6);
        let mut gradient = [0.0; 4];
        form.add_gradient(&q, e, &mut gradient);
        for (i, g) in gradient.iter().enumerate() {
            let moved = |d: f64| {
                let mut q = q;
                q[i] += d;
                form.energy(&q, e)
            };
            // V is of the order 1: differences are known to eps/d.
            assert!(((moved(d) - moved(-d)) / (2.0 * d) - g).abs() < 1e-9, "{i}: {g}");
        }
    }

    /// Old coordinates that are sums of new ones: ψ is the same.
    #[test]
    fn a_form_of_other_coordinates_has_the_same_energy() {
        let rows = [vec![(0, 0.5), (1, 2.0)], vec![(1, -1.0)], vec![(0, 1.5), (1, 0.25)], vec![(0, -0.4)]];
        let row = |row: &Row| {
            let mut sum = [0.0; 2];
            row.for_each(|i, w| rows[i].iter().for_each(|(k, v)| sum[*k] += w * v));
            Row::Dense { first: 0, weights: sum.to_vec() }
        };
        let q = [0.7, -0.2];
        let old: Vec<f64> = rows.iter().map(|row| row.iter().map(|(k, v)| v * q[*k]).sum()).collect();
        let (one, other) = (form().along(row).energy(&q, 0.2), form().energy(&old, 0.2));
        assert!((one - other).abs() < 1e-14, "{one} {other}");
    }
}
