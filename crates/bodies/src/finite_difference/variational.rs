//! Variational semi-discretisation: a body states its energy, its matrices follow.
//!
//! A field on a grid is a list of unknowns with what its boundary conditions make of the nodes at and
//! beyond its ends. An energy is a sum of squares of differences of fields,
//!
//!   T = ½ Σ wₗ (aₗ·q̇)²,   U = ½ Σ wₗ (bₗ·q)²,   P = Σ wₗ (cₗ·q̇)²  (what losses take)
//!
//! and M = Σ w a aᵀ, K = Σ w b bᵀ, R = Σ w c cᵀ are its derivatives: symmetric and ≥ 0 by construction,
//! whatever the body (I18 §3, (5)–(9); Celledoni et al. 2012). Nothing is typed in as a matrix.
//!
//! ```
//! use hamiltone_bodies::variational::{Edge, Field, Grid, Squares};
//!
//! // Half the integral of u_x² over a string with fixed ends: K = −D₂ of I18 times Δx.
//! let u = Field::nodes(Grid::new(1.0, 8), 0, 1, [Edge::HINGED; 2]);
//! let mut squares = Squares::default();
//! for l in 0..8 {
//!     squares.add(u.grid.step, u.difference(l));
//! }
//! let stiffness = squares.operator(u.unknowns());
//! let mut force = vec![0.0; 7];
//! stiffness.add_product(1.0, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], &mut force);
//! assert_eq!(force, [0.0, -8.0, 16.0, -8.0, 0.0, 0.0, 0.0]);
//! ```

use hamiltone_core::{operator::Operator, row::Row};
use hamiltone_numerics::stencils::Stencils;
use std::borrow::Cow;

/// An x this near a node, in steps, is that node: its rounding is eps times the number of the node, below 1e-10 on the
/// finest grid, and a weight of 1e-9 elsewhere would couple a neighbour for nothing.
const NODE: f64 = 1e-9;

/// A uniform grid: the nodes x_l = l·Δx, l = 0 … N, of a length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// L, m.
    pub length: f64,
    /// N.
    pub intervals: usize,
    /// Δx = L/N, m.
    pub step: f64,
}

impl Grid {
    /// N intervals of a length, m.
    pub fn new(length: f64, intervals: usize) -> Self {
        Self { length, intervals, step: length / intervals as f64 }
    }
}

/// What a boundary condition makes of a field at one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The value at the end is 0, not an unknown (nodes only: half nodes have no value there).
    pub fixed: bool,
    /// How the field goes on beyond: u₋ₗ = −uₗ, uₗ, or not at all.
    pub beyond: Beyond,
}

/// How a field is continued beyond an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// u₋ₗ = −uₗ.
    Odd,
    /// u₋ₗ = uₗ.
    Even,
    /// Not at all: differences that reach beyond do not exist, natural conditions follow.
    Nothing,
}

impl Edge {
    /// An unknown value and natural conditions.
    pub const FREE: Self = Self { fixed: false, beyond: Beyond::Nothing };
    /// u = 0, u_xx = 0: I18 (8).
    pub const HINGED: Self = Self { fixed: true, beyond: Beyond::Odd };
    /// An unknown value, u_x = 0.
    pub const SLIDING: Self = Self { fixed: false, beyond: Beyond::Even };
    /// u = 0, u_x = 0.
    pub const CLAMPED: Self = Self { fixed: true, beyond: Beyond::Even };
}

/// A field's unknowns on a grid, on its nodes x_l or on its half nodes x_(l+½).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The grid.
    pub grid: Grid,
    /// Whether it lives on half nodes.
    pub half: bool,
    /// The coordinate of its first unknown.
    pub first: usize,
    /// Coordinates from one unknown to the next.
    pub stride: usize,
    /// What holds at its left and right end.
    pub edges: [Edge; 2],
}

impl Field {
    /// A field on the nodes l = 0 … N.
    pub fn nodes(grid: Grid, first: usize, stride: usize, edges: [Edge; 2]) -> Self {
        Self { grid, half: false, first, stride, edges }
    }

    /// A field on the half nodes l + ½, l = 0 … N − 1.
    pub fn half_nodes(grid: Grid, first: usize, stride: usize, edges: [Edge; 2]) -> Self {
        Self { grid, half: true, first, stride, edges }
    }

    /// The largest l whose value lies on the grid.
    fn last(&self) -> i64 {
        self.grid.intervals as i64 - i64::from(self.half)
    }

    /// The number of unknowns.
    pub fn unknowns(&self) -> usize {
        let fixed = if self.half { 0 } else { self.edges.iter().filter(|edge| edge.fixed).count() };
        (self.last() + 1) as usize - fixed
    }

    /// Those l whose values are unknowns.
    pub fn indices(&self) -> std::ops::RangeInclusive<i64> {
        let fixed = |end: usize| i64::from(!self.half && self.edges[end].fixed);
        fixed(0)..=self.last() - fixed(1)
    }

    /// The coordinate of the unknown l.
    pub fn coordinate(&self, l: i64) -> usize {
        self.first + self.stride * (l - self.indices().start()) as usize
    }

    /// x of the value l, m.
    pub fn position(&self, l: i64) -> f64 {
        (l as f64 + if self.half { 0.5 } else { 0.0 }) * self.grid.step
    }

    /// The length that the value l stands for: Δx, and half of it at an end (the trapezoidal rule), m.
    pub fn weight(&self, l: i64) -> f64 {
        let end = !self.half && (l == 0 || l == self.last());
        if end { 0.5 * self.grid.step } else { self.grid.step }
    }

    /// The value l as a row of unknowns; `None` where the field does not reach. Ghosts reach one length beyond.
    pub fn value(&self, l: i64) -> Option<Row> {
        Some(self.unknown(l)?.map_or_else(Row::ground, |entry| Row::Sparse(vec![entry])))
    }

    /// The unknown that the value l is, with its sign, where it is one and not 0; `None` where the field does not reach.
    fn unknown(&self, l: i64) -> Option<Option<(usize, f64)>> {
        let (last, half) = (self.last(), i64::from(self.half));
        let (inside, edge) = match l {
            l if l < 0 => (-l - half, Some(self.edges[0])),
            l if l > last => (2 * last + half - l, Some(self.edges[1])),
            l => (l, None),
        };
        let sign = match edge.map(|edge| edge.beyond) {
            None | Some(Beyond::Even) => 1.0,
            Some(Beyond::Odd) => -1.0,
            Some(Beyond::Nothing) => return None,
        };
        let unknown = self.indices().contains(&inside);
        (unknown || (0..=last).contains(&inside)).then(|| unknown.then(|| (self.coordinate(inside), sign)))
    }

    /// Σ weightₖ u_{l+k}; `None` where one of them does not exist.
    pub fn combine(&self, l: i64, terms: &[(i64, f64)]) -> Option<Row> {
        // By coordinate, without zeros: what `Row::minus` makes, term by term. Assembling a grid does little else.
        let mut sum: Vec<(usize, f64)> = Vec::with_capacity(terms.len());
        for &(k, weight) in terms {
            let Some((coordinate, sign)) = self.unknown(l + k)? else { continue };
            let weight = weight * sign;
            match sum.binary_search_by_key(&coordinate, |entry| entry.0) {
                Ok(at) if sum[at].1 + weight == 0.0 => drop(sum.remove(at)),
                Ok(at) => sum[at].1 += weight,
                Err(at) if weight != 0.0 => sum.insert(at, (coordinate, weight)),
                Err(_) => {}
            }
        }
        Some(Row::Sparse(sum))
    }

    /// δ₊u_l = (u_{l+1} − u_l)/Δx, where it exists; else the zero row.
    pub fn difference(&self, l: i64) -> Row {
        let h = self.grid.step;
        self.combine(l, &[(0, -1.0 / h), (1, 1.0 / h)]).unwrap_or_else(Row::ground)
    }

    /// δ⟨2⟩u_l = (u_{l+1} − 2u_l + u_{l−1})/Δx², where it exists; else the zero row.
    pub fn curvature(&self, l: i64) -> Row {
        let w = 1.0 / (self.grid.step * self.grid.step);
        self.combine(l, &[(-1, w), (0, -2.0 * w), (1, w)]).unwrap_or_else(Row::ground)
    }

    /// u at x, m, from its four nearest values, ghosts included (I18's ε; Lagrange's cubic), or from as many
    /// of them as exist at a free end.
    ///
    /// With x = (l + β)Δx the weights of l − 1 … l + 2 are −β(β−1)(β−2)/6, (β−1)(β+1)(β−2)/2,
    /// −β(β+1)(β−2)/2 and β(β−1)(β+1)/6.
    pub fn interpolate(&self, x: f64) -> Row {
        let at = x / self.grid.step - if self.half { 0.5 } else { 0.0 };
        let at = if (at - at.round()).abs() < NODE { at.round() } else { at };
        let l = at.floor().clamp(-1.0, self.last() as f64) as i64;
        let (b, mut sum) = (at - l as f64, Row::ground());
        let cubic = [
            (-1, -b * (b - 1.0) * (b - 2.0) / 6.0),
            (0, (b - 1.0) * (b + 1.0) * (b - 2.0) / 2.0),
            (1, -b * (b + 1.0) * (b - 2.0) / 2.0),
            (2, b * (b - 1.0) * (b + 1.0) / 6.0),
        ];
        let needed = |&(_, weight): &(i64, f64)| weight != 0.0;
        if let Some(row) = self.combine(l, &cubic.into_iter().filter(needed).collect::<Vec<_>>()) {
            return row;
        }
        // Beyond a free end there is nothing: the cubic through the four values nearest to it.
        let begin = (l - 1).clamp(0, (self.last() - 3).max(0));
        let nodes: Vec<i64> = (begin..=self.last().min(begin + 3)).collect();
        for &j in &nodes {
            let others = nodes.iter().filter(|&&k| k != j);
            let weight: f64 = others.map(|&k| (at - k as f64) / (j - k) as f64).product();
            if let Some(value) = self.value(j) {
                sum = sum.minus(&value.scaled(-weight));
            }
        }
        sum
    }
}

/// A quadratic form Σ weight (row·x)², as it is stated.
#[derive(Clone, Debug, Default)]
pub struct Squares {
    strains: Vec<(f64, Row)>,
    /// For each coordinate the last square that begins there, and for each square the one before it that begins at the same one:
    /// of few others it must be told whether they are equal.
    last: Vec<Option<usize>>,
    before: Vec<Option<usize>>,
}

impl Squares {
    /// Adds weight·(row·x)². Equal rows, also of opposite sign, are one; zero rows are none.
    pub fn add(&mut self, weight: f64, row: Row) {
        let (first, known) = {
            let entries = entries(&row);
            let (Some((first, _)), Some(sign)) = (entries.first(), sign(&entries)) else { return };
            if weight == 0.0 {
                return;
            }
            if self.last.len() <= *first {
                self.last.resize(first + 1, None);
            }
            let mut known = self.last[*first];
            while let Some(at) = known
                && !is_equal(&self.strains[at].1, &entries, sign)
            {
                known = self.before[at];
            }
            (*first, known)
        };
        match known {
            Some(at) => self.strains[at].0 += weight,
            None => {
                self.before.push(self.last[first].replace(self.strains.len()));
                self.strains.push((weight, row));
            }
        }
    }

    /// The operator on `size` coordinates, stored as tightly as it allows: zero, diagonal or lattice.
    pub fn operator(&self, size: usize) -> Operator {
        match self.diagonal(size) {
            Some(diagonal) if diagonal.iter().all(|x| *x == 0.0) => Operator::Zero,
            Some(diagonal) => Operator::Diagonal(diagonal),
            None => Operator::Stencils(Stencils::new(&self.strains)),
        }
    }

    /// The diagonal of `size` coordinates, where no square couples two of them: a mass.
    pub fn diagonal(&self, size: usize) -> Option<Vec<f64>> {
        let mut diagonal = vec![0.0; size];
        for (weight, row) in &self.strains {
            let mut entries = row.entries();
            let (i, w) = entries.next()?;
            diagonal[i] += weight * w * w;
            if entries.next().is_some() {
                return None;
            }
        }
        Some(diagonal)
    }
}

/// The entries of a row.
fn entries(row: &Row) -> Cow<'_, [(usize, f64)]> {
    match row {
        Row::Sparse(entries) => entries.into(),
        Row::Dense { .. } | Row::Sine(_) => row.entries().collect::<Vec<_>>().into(),
    }
}

/// The sign of the first weight that is not 0, where there is one.
fn sign(entries: &[(usize, f64)]) -> Option<f64> {
    let first = entries.iter().find(|(_, w)| *w != 0.0)?;
    Some(if first.1 < 0.0 { -1.0 } else { 1.0 })
}

/// Whether a row has these entries of this sign, both taken with their signs.
fn is_equal(row: &Row, others: &[(usize, f64)], others_sign: f64) -> bool {
    let own = entries(row);
    let factor = sign(&own).unwrap_or(1.0) * others_sign;
    let same =
        |(a, b): (&(usize, f64), &(usize, f64))| a.0 == b.0 && a.1.to_bits() == (factor * b.1).to_bits();
    own.len() == others.len() && own.iter().zip(others).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::banded::Band;

    fn matrix(operator: &Operator, n: usize) -> Band {
        let mut band = Band::zero(n, 2);
        operator.assemble(1.0, 0, &mut band);
        band
    }

    /// I18 (9): the energy (6) under the boundary conditions (8) gives D₂ and D₄ as printed.
    #[test]
    fn the_matrices_of_ishikawa_come_out() {
        let (n, step) = (10, 0.5);
        let u = Field::nodes(Grid::new(step * f64::from(n), n as usize), 0, 1, [Edge::HINGED; 2]);
        let n = i64::from(n);
        let (mut slope, mut bending) = (Squares::default(), Squares::default());
        for l in 0..=n {
            slope.add(u.weight(l) / 2.0, u.difference(l));
            slope.add(u.weight(l) / 2.0, u.difference(l - 1));
            bending.add(u.weight(l), u.curvature(l));
        }
        let (k2, k4) = (matrix(&slope.operator(9), 9), matrix(&bending.operator(9), 9));
        for i in 0..9 {
            let four = if i == 0 || i == 8 { 5.0 } else { 6.0 };
            assert_eq!(k2.get(i, i) * step, 2.0);
            assert_eq!(k4.get(i, i) * step.powi(3), four);
            if i > 0 {
                assert_eq!(k2.get(i, i - 1) * step, -1.0);
                assert_eq!(k4.get(i, i - 1) * step.powi(3), -4.0);
            }
            if i > 1 {
                assert_eq!(k4.get(i, i - 2) * step.powi(3), 1.0);
            }
        }
    }

    #[test]
    fn ghosts_follow_their_edges() {
        let grid = Grid::new(1.0, 4);
        let row = |i, w| Some(Row::Sparse(vec![(i, w)]));
        let hinged = Field::nodes(grid, 0, 1, [Edge::HINGED; 2]);
        assert_eq!((hinged.unknowns(), hinged.value(0)), (3, Some(Row::ground())));
        assert_eq!((hinged.value(-1), hinged.value(5)), (row(0, -1.0), row(2, -1.0)));
        let mixed = Field::nodes(grid, 2, 1, [Edge::CLAMPED, Edge::FREE]);
        assert_eq!((mixed.unknowns(), mixed.value(-1), mixed.value(5)), (4, row(2, 1.0), None));
        let half = Field::half_nodes(grid, 0, 2, [Edge::HINGED, Edge::FREE]);
        assert_eq!((half.unknowns(), half.value(-1), half.value(4)), (4, row(0, -1.0), None));
        assert_eq!(half.value(3), row(6, 1.0));
    }

    /// Four points carry every cubic that keeps the boundary conditions; a free end carries any.
    #[test]
    fn interpolation_is_exact_for_cubics() {
        let grid = Grid::new(1.0, 10);
        for (edges, cubic) in
            [([Edge::FREE; 2], [0.3, -1.0, 2.0, 0.7]), ([Edge::HINGED, Edge::FREE], [0.0, 1.0, 0.0, -0.4])]
        {
            let u = |x: f64| cubic[0] + x * (cubic[1] + x * (cubic[2] + x * cubic[3]));
            let field = Field::nodes(grid, 0, 1, edges);
            let values: Vec<f64> = field.indices().map(|l| u(field.position(l))).collect();
            for x in [0.0, 0.03, 0.1, 0.126, 0.5, 0.77, 0.97, 1.0] {
                assert!((field.interpolate(x).dot(&values) - u(x)).abs() < 1e-14, "{x}");
            }
        }
    }
}
