//! The Timoshenko bar on a grid: u on the nodes, ψ on the half nodes, interleaved so that the band stays narrow.
//!
//!   T = ½ Σ' ρA u̇_l² Δx + ½ Σ ρI ψ̇_(l+½)² Δx
//!   U = ½ Σ κGA (δ₊u_l − ψ_(l+½))² Δx + ½ Σ' EI ((ψ_(l+½) − ψ_(l−½))/Δx)² Δx
//!
//!   P = γ·2T + Σ' ρA d₃ ((δ₊u̇_l)² + (δ₋u̇_l)²)/2 Δx, where one of the two does not exist the other for both
//!
//! R = γM without d₃. ρA and κGA grow with a thickness that varies, ρI and EI with its cube. Symbols as in `timoshenko.rs` of the bodies.

use super::variational::{Beyond, Edge, Field, Grid, Squares};
use crate::{ends::End, grid, modal::beams::Beam, timoshenko::TimoshenkoBar};
use hamiltone_core::{
    body::{Body, InitialMotion, InitialValue, Measure, Placed, Readout, Representation, Sample},
    geometry::{Geometry, Position},
    parameter::Complaint,
    row::Row,
    system::{Block, Quantity, System},
};
use hamiltone_numerics::math::powi;

/// A Timoshenko bar on a grid; see [`TimoshenkoBar::on_grid`].
#[derive(Clone)]
pub struct TimoshenkoGrid {
    pub(crate) bar: TimoshenkoBar,
    pub(crate) grid: Grid,
}

impl TimoshenkoGrid {
    /// u and ψ, their unknowns in turn from the coordinate `first` on.
    fn fields(&self, first: usize) -> (Field, Field) {
        let fixed = self.bar.ends.map(|end| matches!(end, End::Hinged | End::Clamped));
        let turns = |end| matches!(end, End::Hinged | End::Free);
        let rotation = self
            .bar
            .ends
            .map(|end| Edge { fixed: false, beyond: if turns(end) { Beyond::Nothing } else { Beyond::Odd } });
        // Where u is fixed at the left end, the first unknown is ψ_½.
        let lead = usize::from(fixed[0]);
        let edges = fixed.map(|fixed| if fixed { Edge::HINGED } else { Edge::FREE });
        (
            Field::nodes(self.grid, first + lead, 2, edges),
            Field::half_nodes(self.grid, first + 1 - lead, 2, rotation),
        )
    }
}

impl TimoshenkoBar {
    /// The bar on a grid of N ≥ 4 intervals.
    ///
    /// # Errors
    /// A [`Complaint`] where the grid is too coarse.
    pub fn on_grid(&self, intervals: usize) -> Result<TimoshenkoGrid, Complaint> {
        Ok(TimoshenkoGrid { bar: self.clone(), grid: grid::new(self.length, intervals)? })
    }
}

impl Body for TimoshenkoGrid {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let (bar, first, h) = (&self.bar, system.size(), self.grid.step);
        let (u, psi) = self.fields(first);
        let size = u.unknowns() + psi.unknowns();
        let (thin, cube) = (|x: f64| bar.factor(x), |x: f64| powi(bar.factor(x), 3));
        let mut mass = vec![0.0; size];
        psi.indices().for_each(|l| mass[psi.coordinate(l) - first] = bar.rotary * cube(psi.position(l)) * h);
        u.indices()
            .for_each(|l| mass[u.coordinate(l) - first] = bar.density * thin(u.position(l)) * u.weight(l));
        mass.iter().for_each(|m| {
            system.add_dof(*m, 0.0, 0.0);
        });
        let (own, turned) = self.fields(0);
        let mut stiffness = Squares::default();
        for l in 0..self.grid.intervals as i64 {
            let shear = own.difference(l).minus(&turned.combine(l, &[(0, 1.0)]).unwrap_or_else(Row::ground));
            stiffness.add(bar.shear * thin(psi.position(l)) * h, shear);
        }
        for l in 0..=self.grid.intervals as i64 {
            if let Some(bend) = turned.combine(l, &[(-1, -1.0 / h), (0, 1.0 / h)]) {
                stiffness.add(bar.bending * cube(own.position(l)) * own.weight(l), bend);
            }
        }
        let damping = match bar.d3 {
            0.0 => super::uniform_damping(&mass, bar.damping),
            d3 => {
                let mut damping = Squares::default();
                mass.iter().enumerate().for_each(|(i, m)| damping.add(bar.damping * m, Row::unit(i)));
                for l in own.indices() {
                    let sides: Vec<Row> = [l, l - 1]
                        .map(|l| own.difference(l))
                        .into_iter()
                        .filter(|row| !row.is_zero())
                        .collect();
                    let weight =
                        d3 * bar.density * thin(own.position(l)) * own.weight(l) / sides.len() as f64;
                    sides.into_iter().for_each(|side| damping.add(weight, side));
                }
                damping.operator(size)
            }
        };
        system.blocks.push(Block {
            name: name.into(),
            dofs: first..first + size,
            stiffness: stiffness.operator(size),
            damping,
        });
        Ok(Placed {
            dofs: first..first + size,
            measure: Measure::Length,
            geometry: Geometry::Line { length: bar.length },
            representation: Box::new(TimoshenkoNodes { bar: bar.clone(), u, psi }),
            modal: None,
        })
    }
}

/// Displacement and rotation on the nodes and half nodes.
struct TimoshenkoNodes {
    bar: TimoshenkoBar,
    u: Field,
    psi: Field,
}

impl Representation for TimoshenkoNodes {
    fn row(&self, [x, _]: Position) -> Row {
        self.u.interpolate(x)
    }

    fn readouts(&self) -> &'static [Readout] {
        &[Readout { name: "force", unit: "N" }]
    }

    /// The shear force κGA(u_x − ψ) with which the part right of a place pulls at the left one; at the right end, that
    /// with which the bar pulls at what holds it.
    fn readout(&self, _: &str, [x, _]: Position) -> Quantity {
        let grid = self.u.grid;
        let l = ((x / grid.step).floor() as i64).clamp(0, grid.intervals as i64 - 1);
        let rotation = self.psi.value(l).unwrap_or_else(Row::ground);
        let stiffness = self.bar.shear * self.bar.factor((l as f64 + 0.5) * grid.step);
        let shear = self.u.difference(l).minus(&rotation).scaled(stiffness);
        Quantity::Displacement(if x > grid.length - 0.5 * grid.step { shear.scaled(-1.0) } else { shear })
    }

    fn samples(&self) -> Vec<Sample> {
        super::samples(&self.u)
    }

    fn resolution(&self) -> f64 {
        self.u.grid.step
    }

    /// The cross-sections do not turn at first: ψ = 0 and ψ_t = 0.
    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        super::project(&self.u, motion)
    }

    fn partial(&self, k: usize) -> Option<f64> {
        self.bar.partial(k)
    }

    /// Straight lines to which the sections stay upright: ψ = u_x.
    fn rigid(&self) -> Vec<Vec<(usize, f64)>> {
        let length = self.u.grid.length;
        let motion = |line: &Beam| {
            let (u, psi) = (&self.u, &self.psi);
            let shift = |l: i64| (u.coordinate(l), line.at(0, u.position(l) / length));
            let turn = |l: i64| (psi.coordinate(l), line.at(1, 0.0) / length);
            u.indices().map(shift).chain(psi.indices().map(turn)).collect()
        };
        Beam::rigid(self.bar.ends).iter().map(motion).collect()
    }

    /// Of d₃ no formula gives it.
    fn decay(&self, _: usize) -> Option<f64> {
        (self.bar.d3 == 0.0).then_some(0.5 * self.bar.damping)
    }
}
