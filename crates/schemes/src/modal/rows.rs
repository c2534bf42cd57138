//! The rows of contacts against a bank: c·x of all of them in every step, of single ones where they are active.
//!
//! Many points of one body of sine modes are a [`SinePoints`], read by a fast sine transform; all others are written out.

use super::{dense_rows::DenseRows, eights::padded, sine_points::SinePoints};
use hamiltone_core::row::Row;
use std::{ops::Range, sync::Arc};

/// Fewer points of a body are read row by row.
const FEW: usize = 24;
/// More points at a time are worth a transform.
const SINGLE: usize = 6;

#[derive(Clone, Debug)]
pub(crate) struct Rows {
    dense: DenseRows,
    /// The numbers of the rows written out, 0, 1, …, and c·x of them.
    written: Arc<[usize]>,
    products: Vec<f64>,
    combs: Vec<SinePoints>,
    places: Vec<Place>,
    runs: Vec<RowRun>,
}

/// Consecutive rows whose values are stored consecutively in one place.
#[derive(Clone, Debug)]
struct RowRun {
    rows: Range<usize>,
    first: Place,
}

/// Where a row is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Dense(usize),
    SinePoints { comb: usize, point: usize, scale: f64 },
}

impl Place {
    /// Where the row is kept that lies so many places behind this one.
    fn behind(self, count: usize) -> Self {
        match self {
            Self::Dense(row) => Self::Dense(row + count),
            Self::SinePoints { comb, point, scale } => Self::SinePoints { comb, point: point + count, scale },
        }
    }
}

/// All places, by runs.
fn runs(places: &[Place]) -> Vec<RowRun> {
    let mut runs: Vec<RowRun> = Vec::new();
    for (row, place) in places.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.first.behind(run.rows.len()) == *place => run.rows.end += 1,
            _ => runs.push(RowRun { rows: row..row + 1, first: *place }),
        }
    }
    runs
}

impl Rows {
    /// These rows, each weight times its coordinate's `scale`.
    pub fn new(rows: &[&Row], scale: &[f64]) -> Self {
        let mut combs: Vec<SinePoints> = Vec::new();
        for row in rows {
            // A row of a body that has a comb already need not be counted again.
            if combs.iter().all(|comb| comb.point(row).is_none())
                && let Some(comb) = SinePoints::of(row, scale)
                && rows.iter().filter(|row| comb.point(row).is_some()).count() >= FEW
            {
                combs.push(comb);
            }
        }
        let (mut places, mut written) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            let on = combs.iter().enumerate().find_map(|(k, comb)| Some((k, comb.point(row)?)));
            places.push(match on {
                Some((comb, sine)) => Place::SinePoints { comb, point: sine.point, scale: sine.scale },
                None => {
                    written.push(*row);
                    Place::Dense(written.len() - 1)
                }
            });
        }
        let dense = DenseRows::new(written.iter().copied(), scale);
        let (products, written) = (vec![0.0; written.len()], (0..written.len()).collect());
        Self { dense, written, products, combs, runs: runs(&places), places }
    }

    /// CCᵀ, row-major, for `size` coordinates.
    pub fn compliance(&mut self, size: usize) -> Vec<f64> {
        let p = self.places.len();
        let (mut column, mut compliance) = (vec![0.0; padded(size)], vec![0.0; p * p]);
        for j in 0..p {
            column.fill(0.0);
            // By the routines of a step, so that G is the compliance of the rows as they are rounded there.
            self.add(j, 1.0, &mut column);
            self.all(&column, &mut compliance[j * p..(j + 1) * p]);
        }
        compliance
    }

    /// `out` = C x.
    pub fn all(&mut self, x: &[f64], out: &mut [f64]) {
        let Self { dense, written, products, combs, runs, .. } = self;
        dense.some(written, x, products);
        combs.iter_mut().for_each(|comb| comb.transform(x));
        // Whole runs are copied: the points of a neck lie in one.
        for RowRun { rows, first } in runs {
            let out = &mut out[rows.clone()];
            match *first {
                Place::Dense(row) => out.copy_from_slice(&products[row..][..out.len()]),
                Place::SinePoints { comb, point, scale } => {
                    let values = &combs[comb].values()[point - 1..];
                    out.iter_mut().zip(values).for_each(|(out, value)| *out = scale * value);
                }
            }
        }
    }

    /// c·x of these rows, in ascending order, into their places of `out`.
    pub fn some(&mut self, which: &[usize], x: &[f64], out: &mut [f64]) {
        if self.combs.is_empty() {
            // All rows are written out, in their order.
            self.dense.some(which, x, out);
        } else if which.len() > SINGLE {
            // Numbers of other rows are written over: callers read those that they asked for.
            self.all(x, out);
        } else {
            which.iter().for_each(|&j| out[j] = self.dot(j, x));
        }
    }

    /// c·x of these rows, in ascending order, into their places of `out`, and Σ|cᵢ|(|xᵢ| + |yᵢ|) into those of `sizes`.
    pub fn some_with_sizes(
        &mut self,
        which: &[usize],
        parts: [&[f64]; 2],
        out: &mut [f64],
        sizes: &mut [f64],
    ) {
        if self.combs.is_empty() {
            self.dense.some_with_sizes(which, parts, out, sizes);
        } else {
            self.some(which, parts[0], out);
            // Σ|cᵢxᵢ| is no linear function of x: no transform has it.
            which.iter().for_each(|&j| sizes[j] = self.magnitude(j, parts));
        }
    }

    /// Whether a transform reads many rows at a time, and rounds them otherwise than single ones.
    pub fn any_transformed(&self) -> bool {
        !self.combs.is_empty()
    }

    /// c·x of row j.
    pub fn dot(&self, j: usize, x: &[f64]) -> f64 {
        match self.places[j] {
            Place::Dense(row) => self.dense.dot(row, x),
            Place::SinePoints { comb, point, scale } => scale * self.combs[comb].dot(point, x),
        }
    }

    /// Σ|cᵢ|(|xᵢ| + |yᵢ| + …) of row j, `parts` being x, y, ….
    pub fn magnitude<const N: usize>(&self, j: usize, parts: [&[f64]; N]) -> f64 {
        match self.places[j] {
            Place::Dense(row) => self.dense.magnitude(row, parts),
            Place::SinePoints { comb, point, scale } => {
                let size = |i: usize| parts.iter().map(|part| part[i].abs()).sum::<f64>();
                scale.abs() * self.combs[comb].weights(point).map(|(i, w)| w.abs() * size(i)).sum::<f64>()
            }
        }
    }

    /// x += a·c of row j.
    pub fn add(&self, j: usize, a: f64, x: &mut [f64]) {
        match self.places[j] {
            Place::Dense(row) => self.dense.add(row, a, x),
            Place::SinePoints { comb, point, scale } => {
                self.combs[comb].weights(point).for_each(|(i, w)| x[i] += a * scale * w);
            }
        }
    }

    /// x += a Σ f_j c_j.
    pub fn add_all(&mut self, a: f64, f: &[f64], x: &mut [f64]) {
        let Self { combs, places, .. } = self;
        let pressed = || places.iter().zip(f).filter(|(_, f)| **f != 0.0);
        for (k, comb) in combs.iter_mut().enumerate() {
            // All points of a comb at once, since a transform adds as many as there are at the price of one.
            let points = pressed().filter_map(|(place, f)| match *place {
                Place::SinePoints { comb, point, scale } if comb == k => Some((point, a * scale * f)),
                _ => None,
            });
            comb.add(points, SINGLE, x);
        }
        let written = pressed().filter_map(|(place, f)| match place {
            Place::Dense(row) => Some((*row, a * f)),
            Place::SinePoints { .. } => None,
        });
        self.dense.add_all(written, x);
    }
}
