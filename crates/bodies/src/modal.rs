//! A long body as a list of its modes.
//!
//!   u(x, t) = Σ φ_k(x) q_k(t),   m_k (q̈_k + 2σ_k q̇_k + ω_k² q_k) = ∫ φ_k f dx,   m_k = ∫ ρA φ_k² dx
//!
//! q_k (m) coordinates, φ_k (–) shapes of largest value about 1, m_k (kg) masses, ω_k (rad/s) the frequencies without
//! losses, σ_k (1/s) decay rates, f (N/m) force. Modes are orthogonal: mass, stiffness and damping are diagonal, and a
//! motion u(x), v(x) is q_k = ∫ φ_k u dx/∫ φ_k² dx where ρA is the same all along, likewise q̇_k.

use crate::quadrature;
use hamiltone_core::{
    body::{Body, Extent, Heard, Lay, Locate, Measure, Motion, Place, Placed, Point},
    operator::Operator,
    parameter::Complaint,
    row::Row,
    system::{Block, System},
};
use std::{f64::consts::TAU, fmt, sync::Arc};

/// A mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// m, kg.
    pub mass: f64,
    /// ω without losses, rad/s; 0 of a rigid motion.
    pub omega: f64,
    /// σ, 1/s.
    pub sigma: f64,
}

/// The shapes of the modes of a long body.
pub(crate) trait Shapes: Send + Sync {
    /// The derivative of this order (0 to 3) of each shape at x, m⁻ʳ.
    fn fill(&self, derivative: usize, x: f64, values: &mut [f64]);

    /// Half the length of its shortest wave, m.
    fn shortest(&self) -> f64;

    /// Where they have corners, m, ascending.
    fn corners(&self) -> &[f64] {
        &[]
    }

    /// Whether they are sin(kπx/L).
    fn sines(&self) -> bool {
        false
    }

    /// The row of x where it has a form of its own; `first` is the coordinate of the first mode.
    fn row(&self, _first: usize, _x: f64) -> Option<Row> {
        None
    }
}

/// The weights of each shape's derivative at x as a row.
fn dense(shapes: &dyn Shapes, derivative: usize, first: usize, count: usize, x: f64) -> Row {
    let mut weights = vec![0.0; count];
    shapes.fill(derivative, x, &mut weights);
    Row::Dense { first, weights }
}

/// What reads the displacement at x.
fn row(shapes: &dyn Shapes, first: usize, count: usize, x: f64) -> Row {
    shapes.row(first, x).unwrap_or_else(|| dense(shapes, 0, first, count, x))
}

/// A string or bar by its modes; see [`StiffString::modal`](crate::StiffString::modal) and
/// [`Bar::modal`](crate::Bar::modal).
#[derive(Clone)]
pub struct Modal {
    /// L, m.
    pub(crate) length: f64,
    /// Its points are the inner nodes of so many intervals.
    pub(crate) intervals: usize,
    pub(crate) modes: Vec<Mode>,
    pub(crate) shapes: Arc<dyn Shapes>,
    /// ∫φ_k² dx, m.
    pub(crate) spans: Vec<f64>,
    /// τ (N) and EI (N m²), where they are known.
    pub(crate) stiffness: Option<[f64; 2]>,
}

impl fmt::Debug for Modal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Modal")
            .field("length", &self.length)
            .field("intervals", &self.intervals)
            .field("modes", &self.modes)
            .finish_non_exhaustive()
    }
}

impl Modal {
    /// Its modes, the lowest first.
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// The same body with the decay rate σ(f) (1/s) of each mode by its frequency f (Hz).
    #[must_use]
    pub fn losing(mut self, sigma: impl Fn(f64) -> f64) -> Self {
        self.modes.iter_mut().for_each(|mode| mode.sigma = sigma(mode.omega / TAU));
        self
    }

    fn lay(&self, first: usize) -> Lay {
        let (shapes, length, spans) = (self.shapes.clone(), self.length, self.spans.clone());
        Box::new(move |motion| project(shapes.as_ref(), &spans, length, motion, first))
    }

    /// The transverse force τu_x − EI u_xxx with which the part right of a place pulls at the left one; at the right
    /// end, that with which the body pulls at what holds it.
    fn force(&self, first: usize, [tension, bending]: [f64; 2]) -> Locate {
        let (shapes, length, count) = (self.shapes.clone(), self.length, self.modes.len());
        Box::new(move |place: Place| {
            let x = place.on(length)?;
            let (mut slope, mut third) = (vec![0.0; count], vec![0.0; count]);
            shapes.fill(1, x, &mut slope);
            shapes.fill(3, x, &mut third);
            let sign = if x > length * (1.0 - 1e-9) { -1.0 } else { 1.0 };
            let pull = |(slope, third): (&f64, &f64)| sign * (tension * slope - bending * third);
            Ok(Row::Dense { first, weights: slope.iter().zip(&third).map(pull).collect() })
        })
    }
}

/// ∫φ_k u dx and ∫φ_k v dx over ∫φ_k² dx, panel by panel.
fn project(
    shapes: &dyn Shapes,
    spans: &[f64],
    length: f64,
    motion: &Motion<'_>,
    first: usize,
) -> Vec<(usize, f64, f64)> {
    let zero = || vec![0.0; spans.len()];
    let mut corners = [&motion.corners, shapes.corners()].concat();
    corners.sort_by(f64::total_cmp);
    let (mut phi, mut sums) = (zero(), [zero(), zero()]);
    for panel in quadrature::panels(length, &corners, shapes.shortest()) {
        // A panel's own sum first: then the rounding does not grow with the number of points.
        let mut own = [zero(), zero()];
        for (x, w) in panel {
            let (u, v) = (motion.at)(x);
            if u == 0.0 && v == 0.0 {
                continue;
            }
            shapes.fill(0, x, &mut phi);
            for (own, value) in own.iter_mut().zip([w * u, w * v]).filter(|(_, value)| *value != 0.0) {
                own.iter_mut().zip(&phi).for_each(|(own, phi)| *own += value * phi);
            }
        }
        for (sum, own) in sums.iter_mut().zip(&own) {
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }
    let [q, v] = sums;
    let laid = |(k, span): (usize, &f64)| (first + k, q[k] / span, v[k] / span);
    spans.iter().enumerate().map(laid).collect()
}

/// Appends the modes as coordinates and one diagonal block; the number of the first.
pub(crate) fn append(system: &mut System, name: &str, modes: &[Mode]) -> Result<usize, Complaint> {
    let stiffness: Vec<f64> = modes.iter().map(|mode| mode.mass * mode.omega * mode.omega).collect();
    let damping: Vec<f64> = modes.iter().map(|mode| 2.0 * mode.mass * mode.sigma).collect();
    let usable = |(mode, (k, r)): (&Mode, (&f64, &f64))| {
        mode.mass.is_finite() && mode.mass > 0.0 && [k, r].iter().all(|x| x.is_finite() && **x >= 0.0)
    };
    if let Some(k) = modes.iter().zip(stiffness.iter().zip(&damping)).position(|mode| !usable(mode)) {
        return Err(Complaint::new("", format!("its mode {} cannot be computed: {:?}", k + 1, modes[k])));
    }
    let first = system.size();
    modes.iter().for_each(|mode| {
        system.add_dof(mode.mass, 0.0, 0.0);
    });
    system.blocks.push(Block {
        name: name.into(),
        dofs: first..first + modes.len(),
        stiffness: Operator::Diagonal(stiffness),
        damping: if damping.iter().all(|r| *r == 0.0) { Operator::Zero } else { Operator::Diagonal(damping) },
    });
    Ok(first)
}

impl Body for Modal {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let first = append(system, name, &self.modes)?;
        let (length, count, step) = (self.length, self.modes.len(), self.length / self.intervals as f64);
        let point = |i: usize| {
            let x = i as f64 / self.intervals as f64 * length;
            Point { row: row(self.shapes.as_ref(), first, count, x), x, weight: step }
        };
        let shapes = self.shapes.clone();
        let force = |stiffness| {
            let locate = self.force(first, stiffness);
            Heard { name: "force", unit: "N", of_velocity: false, locate }
        };
        let rigid = self.modes.iter().take_while(|mode| mode.omega == 0.0).count();
        let own: Vec<f64> = self.modes[rigid..].iter().map(|mode| mode.omega / TAU).collect();
        let partials = move |m: usize| own.get(m.saturating_sub(1)).copied().unwrap_or(f64::NAN);
        Ok(Placed {
            dofs: first..first + count,
            measure: Measure::Length,
            locate: Box::new(move |place: Place| Ok(row(shapes.as_ref(), first, count, place.on(length)?))),
            heard: self.stiffness.map(force).into_iter().collect(),
            extent: Some(Extent {
                length,
                points: (1..self.intervals).map(point).collect(),
                lay: self.lay(first),
                partials: Some(Box::new(partials)),
                sines: if self.shapes.sines() { count } else { 0 },
            }),
        })
    }
}
