//! Strings and slender bars on a grid: one displacement u(x, t) on the nodes.
//!
//!   T = ½ Σ' ρA v_l² Δx
//!   U = ½ Σ' [τ ((δ₊u_l)² + (δ₋u_l)²)/2 + EI (δ⟨2⟩u_l)²] Δx                                  I18 (6)
//!   P = Σ' ρA [d₁ v_l² + d₃ ((δ₊v_l)² + (δ₋v_l)²)/2] Δx                                     I18 Theorem 5
//!
//! Σ' is the trapezoidal rule over the nodes l = 0 … N; where one of two one-sided differences does not exist, at
//! a free end, the other stands for both. ρA (kg/m) and EI (N m²) may vary along x. M, K and R follow from these
//! squares alone.

use super::{
    Theory,
    variational::{Edge, Field, Grid, Squares},
};
use crate::{ends::End, modal::beams::Beam};
use hamiltone_core::{
    body::{Body, InitialMotion, InitialValue, Measure, Placed, Readout, Representation, Sample},
    geometry::{Geometry, Position},
    parameter::Complaint,
    row::Row,
    system::{Block, Quantity, System},
};
use std::f64::consts::PI;

/// How the square of u_x is taken: I18 remark 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slope {
    /// ((δ₊u)² + (δ₋u)²)/2.
    #[default]
    Forward,
    /// ((δ₊u + δ₋u)/2)²: slower to converge.
    Central,
}

/// A string or slender bar on a grid; see [`StiffString::on_grid`](crate::StiffString::on_grid) and
/// [`Bar::on_grid`](crate::Bar::on_grid).
#[derive(Clone)]
pub struct TransverseGrid {
    pub(crate) grid: Grid,
    pub(crate) ends: [End; 2],
    pub(crate) slope: Slope,
    /// ρA at the nodes 0 … N, kg/m.
    pub(crate) density: Vec<f64>,
    /// τ, N.
    pub(crate) tension: f64,
    /// EI at the nodes 0 … N, N m².
    pub(crate) bending: Vec<f64>,
    /// 1/s.
    pub(crate) d1: f64,
    /// m²/s.
    pub(crate) d3: f64,
    pub(crate) theory: Theory,
}

impl TransverseGrid {
    /// The same body with another discrete u_x².
    #[must_use]
    pub fn with_slope(self, slope: Slope) -> Self {
        Self { slope, ..self }
    }

    /// Whether u ∝ sin(kπx/L) are its modes: uniform, between simply supported ends.
    fn has_sine_modes(&self) -> bool {
        let same = |values: &[f64]| values.windows(2).all(|pair| pair[0] == pair[1]);
        self.ends == [End::Hinged; 2] && same(&self.density) && same(&self.bending)
    }

    /// u, its first unknown at the coordinate `first`.
    fn field(&self, first: usize) -> Field {
        let edge = |end: End| match end {
            End::Hinged => Edge::HINGED,
            End::Clamped => Edge::CLAMPED,
            End::Free => Edge::FREE,
            End::Sliding => Edge::SLIDING,
        };
        Field::nodes(self.grid, first, 1, self.ends.map(edge))
    }

    /// U and P as sums of squares of the unknowns.
    fn squares(&self) -> [Squares; 2] {
        let u = self.field(0);
        let (mut stiffness, mut damping) = (Squares::default(), Squares::default());
        for l in 0..=self.grid.intervals as i64 {
            let (weight, mass) = (u.weight(l), u.weight(l) * self.density[l as usize]);
            let sides: Vec<Row> =
                [l, l - 1].map(|l| u.difference(l)).into_iter().filter(|row| !row.is_zero()).collect();
            let share = 1.0 / sides.len().max(1) as f64;
            for side in &sides {
                damping.add(share * mass * self.d3, side.clone());
            }
            match self.slope {
                Slope::Forward => {
                    sides.into_iter().for_each(|side| stiffness.add(share * weight * self.tension, side));
                }
                Slope::Central => {
                    let mean = sides.iter().fold(Row::ground(), |sum, side| sum.minus(&side.scaled(-share)));
                    stiffness.add(weight * self.tension, mean);
                }
            }
            stiffness.add(weight * self.bending[l as usize], u.curvature(l));
            damping.add(mass * self.d1, u.value(l).unwrap_or_else(Row::ground));
        }
        [stiffness, damping]
    }
}

impl Body for TransverseGrid {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let u = self.field(system.size());
        let dofs = u.first..u.first + u.unknowns();
        for l in u.indices() {
            system.add_dof(u.weight(l) * self.density[l as usize], 0.0, 0.0);
        }
        let [stiffness, damping] = self.squares().map(|squares| squares.operator(u.unknowns()));
        system.blocks.push(Block { name: name.into(), dofs: dofs.clone(), stiffness, damping });
        let nodes = TransverseNodes {
            u,
            ends: self.ends,
            tension: self.tension,
            bending: self.bending.clone(),
            sine_modes: self.has_sine_modes(),
            theory: self.theory.clone(),
        };
        Ok(Placed {
            dofs,
            measure: Measure::Length,
            geometry: Geometry::Line { length: self.grid.length },
            representation: Box::new(nodes),
            modal: None,
        })
    }
}

/// The displacement at the nodes.
struct TransverseNodes {
    u: Field,
    ends: [End; 2],
    /// τ, N.
    tension: f64,
    /// EI at the nodes 0 … N, N m².
    bending: Vec<f64>,
    sine_modes: bool,
    theory: Theory,
}

impl Representation for TransverseNodes {
    fn row(&self, [x, _]: Position) -> Row {
        self.u.interpolate(x)
    }

    fn readouts(&self) -> &'static [Readout] {
        &[Readout { name: "force", unit: "N" }]
    }

    /// The transverse force τu_x − (EI u_xx)_x with which the part right of a place pulls at the left one; at the
    /// right end, that with which the body pulls at its support. At a fixed end it is minus the derivative of U
    /// by the value there.
    fn readout(&self, _: &str, [x, _]: Position) -> Quantity {
        let (u, grid) = (&self.u, self.u.grid);
        let last = grid.intervals as i64 - 1;
        let l = ((x / grid.step).floor() as i64).clamp(0, last);
        let moment = |l: i64| u.curvature(l).scaled(self.bending[l as usize] / grid.step);
        let force = u.difference(l).scaled(self.tension).minus(&moment(l + 1)).minus(&moment(l).scaled(-1.0));
        Quantity::Displacement(if x > grid.length - 0.5 * grid.step { force.scaled(-1.0) } else { force })
    }

    fn samples(&self) -> Vec<Sample> {
        super::samples(&self.u)
    }

    fn resolution(&self) -> f64 {
        self.u.grid.step
    }

    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        super::project(&self.u, motion)
    }

    fn partial(&self, k: usize) -> Option<f64> {
        (self.theory.partial)(k)
    }

    fn decay(&self, k: usize) -> Option<f64> {
        (self.theory.decay)(k)
    }

    /// Straight lines; a tension strains those that are tilted.
    fn rigid(&self) -> Vec<Vec<(usize, f64)>> {
        let length = self.u.grid.length;
        let level = |line: &&Beam| self.tension == 0.0 || line.at(1, 0.0) == 0.0;
        let motion = |line: &Beam| {
            let value = |l: i64| (self.u.coordinate(l), line.at(0, self.u.position(l) / length));
            self.u.indices().map(value).collect()
        };
        Beam::rigid(self.ends).iter().filter(level).map(motion).collect()
    }

    fn modes(&self) -> usize {
        if self.sine_modes { self.u.unknowns() } else { 0 }
    }

    fn mode(&self, k: usize) -> Vec<(usize, f64)> {
        let length = self.u.grid.length;
        let value = |l: i64| {
            let sine = hamiltone_numerics::math::sin(k as f64 * PI * self.u.position(l) / length);
            (self.u.coordinate(l), sine)
        };
        self.u.indices().map(value).collect()
    }
}
