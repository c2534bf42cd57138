//! Bodies as lists of their modes: points, lines and surfaces.
//!
//!   u(x, t) = Σ φ_k(x) q_k(t),   m_k (q̈_k + 2σ_k q̇_k + ω_k² q_k) = ∫ φ_k f dx,   m_k = ∫ ρA φ_k² dx
//!
//! q_k (m) coordinates, φ_k (–) shapes of largest value about 1, m_k (kg) masses, ω_k (rad/s) the frequencies without
//! losses, σ_k (1/s) decay rates, f (N/m) force; x stands for x and y on a surface, where ρh (kg/m²) takes the place of
//! ρA (kg/m). Modes are orthogonal: mass, stiffness and damping are diagonal. Where the mass is spread evenly, an initial
//! motion u, v is q_k = ∫ φ_k u dx/∫ φ_k² dx, likewise q̇_k (`projection.rs`).

pub(crate) mod beams;
mod coupled;
pub(crate) mod disc;
pub(crate) mod levy;
pub(crate) mod measured;
mod mode;
pub(crate) mod products;
mod projection;
pub(crate) mod quadrature;
pub(crate) mod rectangle;
pub(crate) mod ritz;
pub(crate) mod round;
pub(crate) mod sampling;
mod shapes;
pub(crate) mod sines;

pub(crate) use shapes::{LineShapes, Ones, Shapes};

pub use mode::Mode;

use self::coupled::Coupled;
use crate::{stretching::Stretching, von_karman::AiryForm};
use hamiltone_core::{
    body::{
        Body, InitialMotion, InitialValue, Measure, ModalRequest, Placed, Readout, Representation, Sample,
        Standing,
    },
    geometry::{Geometry, Position},
    operator::Operator,
    parameter::Complaint,
    row::Row,
    system::{Block, Quantity, System},
};
use hamiltone_numerics::math::square;
use std::{
    f64::consts::{PI, TAU},
    fmt,
    sync::Arc,
};

/// A place this near the right end, as a part of the length, is the end: beyond the rounding of a place that was typed
/// or computed, and far below what a wave of 1000 modes resolves.
const AT_THE_END: f64 = 1e-9;

/// A body by its modes; see [`StiffString::by_modes`](crate::StiffString::by_modes) and its like.
#[derive(Clone)]
pub struct Modal {
    pub(crate) geometry: Geometry,
    /// Of the grid of its sample points: see `sampling.rs`.
    pub(crate) intervals: [usize; 2],
    /// The lowest first, rigid motions before all others.
    pub(crate) modes: Vec<Mode>,
    pub(crate) shapes: Arc<dyn Shapes>,
    /// ∫φ_k² dx, m or m².
    pub(crate) norms: Vec<f64>,
    /// Of a string or bar, whose transverse force is known.
    pub(crate) force: Option<Force>,
    /// Of a string or membrane whose tension grows with its amplitude.
    pub(crate) stretching: Option<Stretching>,
    /// Of a plate that stretches as it bends.
    pub(crate) airy: Arc<[AiryForm]>,
}

/// What the transverse force τu_x − EI u_xxx of a line follows from.
#[derive(Clone)]
pub(crate) struct Force {
    pub shapes: Arc<dyn LineShapes>,
    /// L, m.
    pub length: f64,
    /// τ, N.
    pub tension: f64,
    /// EI, N m².
    pub bending: f64,
}

impl fmt::Debug for Modal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Modal")
            .field("geometry", &self.geometry)
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
    pub fn with_decay(mut self, sigma: impl Fn(f64) -> f64) -> Self {
        self.modes.iter_mut().for_each(|mode| mode.sigma = sigma(mode.omega / TAU));
        self
    }

    /// Its modes as one block of a system: stiffness and damping, if they can be computed.
    fn operators(&self) -> Result<[Operator; 2], Complaint> {
        let stiffness: Vec<f64> = self.modes.iter().map(|mode| mode.mass * mode.omega * mode.omega).collect();
        let damping: Vec<f64> = self.modes.iter().map(|mode| 2.0 * mode.mass * mode.sigma).collect();
        let usable = |(mode, (k, r)): (&Mode, (&f64, &f64))| {
            mode.mass.is_finite() && mode.mass > 0.0 && [k, r].iter().all(|x| x.is_finite() && **x >= 0.0)
        };
        let mut all = self.modes.iter().zip(stiffness.iter().zip(&damping));
        if let Some(k) = all.position(|mode| !usable(mode)) {
            let message = format!("its mode {} cannot be computed: {:?}", k + 1, self.modes[k]);
            return Err(Complaint::new("", message));
        }
        let lossless = damping.iter().all(|r| *r == 0.0);
        let damping = if lossless { Operator::Zero } else { Operator::Diagonal(damping) };
        Ok([Operator::Diagonal(stiffness), damping])
    }
}

impl Body for Modal {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let [stiffness, damping] = self.operators()?;
        let first = system.size();
        let dofs = first..first + self.modes.len();
        self.modes.iter().for_each(|mode| {
            system.add_dof(mode.mass, 0.0, 0.0);
        });
        system.blocks.push(Block { name: name.into(), dofs: dofs.clone(), stiffness, damping });
        if let Some(stretching) = &self.stretching {
            stretching.add_to(system, name, first);
        }
        system.forms.extend(self.airy.iter().map(|airy| airy.form(name, first)));
        let rigid = self.modes.iter().take_while(|mode| mode.omega == 0.0).count();
        let coupled = coupled::modes(&self.modes, &self.airy);
        let amplitudes = Amplitudes { body: self.clone(), first, rigid, coupled };
        let (measure, geometry) = (Measure::Length, self.geometry);
        let modal = Some(ModalRequest { count: Some(self.modes.len()), decay: None, pieces: None });
        Ok(Placed { dofs, measure, geometry, representation: Box::new(amplitudes), modal })
    }
}

/// The amplitudes of modes.
struct Amplitudes {
    body: Modal,
    /// The coordinate of the first mode.
    first: usize,
    /// How many modes are rigid motions.
    rigid: usize,
    /// The modes where they are not the coordinates.
    coupled: Option<Vec<Coupled>>,
}

impl Amplitudes {
    /// ω (rad/s) and σ (1/s) of partial k.
    fn pole(&self, k: usize) -> Option<[f64; 2]> {
        let k = self.rigid + k.checked_sub(1)?;
        match &self.coupled {
            Some(modes) => modes.get(k).map(|mode| [mode.omega, mode.sigma]),
            None => self.body.modes.get(k).map(|mode| [mode.omega, mode.sigma]),
        }
    }
}

impl Representation for Amplitudes {
    fn row(&self, at: Position) -> Row {
        let dense = || {
            let mut weights = vec![0.0; self.body.modes.len()];
            self.body.shapes.fill(at, &mut weights);
            Row::Dense { first: self.first, weights }
        };
        self.body.shapes.row(self.first, at).unwrap_or_else(dense)
    }

    fn readouts(&self) -> &'static [Readout] {
        match self.body.force {
            Some(_) => &[Readout { name: "force", unit: "N" }],
            None => &[],
        }
    }

    /// The transverse force τu_x − EI u_xxx with which the part right of a place pulls at the left one; at the right
    /// end, that with which the body pulls at what holds it.
    fn readout(&self, _: &str, at: Position) -> Quantity {
        let Some(Force { shapes, length, tension, bending }) = &self.body.force else {
            return Quantity::Displacement(self.row(at));
        };
        let [mut slope, mut third] = [0; 2].map(|_| vec![0.0; self.body.modes.len()]);
        shapes.derivative(1, at[0], &mut slope);
        shapes.derivative(3, at[0], &mut third);
        let sign = if at[0] > length * (1.0 - AT_THE_END) { -1.0 } else { 1.0 };
        let pull = |(slope, third): (&f64, &f64)| sign * (tension * slope - bending * third);
        let weights = slope.iter().zip(&third).map(pull).collect();
        Quantity::Displacement(Row::Dense { first: self.first, weights })
    }

    /// τ(kπ/L)²∫φ_k² of a string between simply supported ends.
    fn tension_stiffness(&self) -> Option<Vec<f64>> {
        let Force { length, tension, .. } = self.body.force.as_ref().filter(|force| force.tension > 0.0)?;
        let of = |(k, norm): (usize, &f64)| norm * tension * square((k + 1) as f64 * PI / length);
        Some(self.body.norms.iter().enumerate().map(of).collect())
    }

    fn tension(&self, at: Position) -> Option<(Vec<f64>, Row)> {
        Some(self.body.stretching.as_ref()?.tension(at, self.first))
    }

    fn rest_tension(&self) -> Option<f64> {
        Some(self.body.stretching.as_ref()?.rest)
    }

    /// bₙ of x/L and of 1 − x/L among sines: strings alone have these modes and a tension.
    fn standing(&self) -> Option<Standing> {
        let Force { length, tension, .. } = self.body.force.as_ref().filter(|force| force.tension > 0.0)?;
        let left: Vec<f64> = (1..=self.body.modes.len()).map(|n| 2.0 / (n as f64 * PI)).collect();
        let sign = |(n, b): (usize, &f64)| if n % 2 == 0 { *b } else { -b };
        let right = left.iter().enumerate().map(sign).collect();
        Some(Standing {
            first: self.first,
            lifts: [left, right],
            straight: tension / length,
            ends: [0.0, *length],
        })
    }

    fn volume(&self) -> Option<Row> {
        Some(Row::Dense { first: self.first, weights: self.body.shapes.volumes()? })
    }

    fn samples(&self) -> Vec<Sample> {
        let points = sampling::points(self.body.geometry, self.body.intervals);
        points.into_iter().map(|(at, weight)| Sample { row: self.row(at), at, weight }).collect()
    }

    fn resolution(&self) -> f64 {
        self.body.shapes.half_wavelength()
    }

    /// None at one place: its displacement there does not say how much each mode has of it.
    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        if self.body.geometry == Geometry::Point {
            return Vec::new();
        }
        let [q, v] =
            projection::project(self.body.shapes.as_ref(), &self.body.norms, self.body.geometry, motion);
        (self.first..)
            .zip(q.into_iter().zip(v))
            .map(|(dof, (position, velocity))| InitialValue { dof, position, velocity })
            .collect()
    }

    fn partial(&self, k: usize) -> Option<f64> {
        self.pole(k).map(|[omega, _]| omega / TAU)
    }

    fn decay(&self, k: usize) -> Option<f64> {
        self.pole(k).map(|[_, sigma]| sigma)
    }

    fn modes(&self) -> usize {
        self.body.modes.len() - self.rigid
    }

    fn rigid(&self) -> Vec<Vec<(usize, f64)>> {
        (self.first..).take(self.rigid).map(|dof| vec![(dof, 1.0)]).collect()
    }

    fn mode(&self, k: usize) -> Vec<(usize, f64)> {
        match self.coupled.as_ref().and_then(|modes| modes.get(self.rigid + k - 1)) {
            Some(mode) => mode.shape.iter().map(|(i, value)| (self.first + i, *value)).collect(),
            None => vec![(self.first + self.rigid + k - 1, 1.0)],
        }
    }
}
