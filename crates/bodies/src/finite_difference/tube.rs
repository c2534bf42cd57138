//! Air in a tube on a grid: the displaced volume ξ on the nodes, the pressure on the half nodes.
//!
//!   T = ½ Σ' (ρ/S) ξ_t² Δx,   U = ½ Σ (ρc²/S)(δ₊ξ)² Δx
//!
//! R = γM. A closed end holds ξ = 0; an open one leaves p = 0. Symbols as in `tube.rs` of the bodies.

use super::variational::{Edge, Field, Grid, Squares};
use crate::{grid, tube::Tube};
use hamiltone_core::{
    body::{Body, InitialMotion, InitialValue, Measure, Placed, Readout, Representation, Sample},
    geometry::{Geometry, Position},
    parameter::Complaint,
    row::Row,
    system::{Block, Quantity, System},
};

/// A tube on a grid; see [`Tube::on_grid`].
#[derive(Clone)]
pub struct TubeGrid {
    pub(crate) tube: Tube,
    pub(crate) grid: Grid,
}

impl Tube {
    /// The tube on a grid of N ≥ 4 intervals.
    ///
    /// # Errors
    /// A [`Complaint`] where the grid is too coarse.
    pub fn on_grid(&self, intervals: usize) -> Result<TubeGrid, Complaint> {
        Ok(TubeGrid { tube: self.clone(), grid: grid::new(self.length, intervals)? })
    }
}

impl Body for TubeGrid {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let (tube, first, h) = (&self.tube, system.size(), self.grid.step);
        let edges = tube.closed.map(|closed| if closed { Edge::HINGED } else { Edge::FREE });
        let (xi, own) = (Field::nodes(self.grid, first, 1, edges), Field::nodes(self.grid, 0, 1, edges));
        let inertia: Vec<f64> =
            xi.indices().map(|l| tube.density / tube.area(xi.position(l)) * xi.weight(l)).collect();
        let modulus = |l: i64| tube.density * tube.speed * tube.speed / tube.area((l as f64 + 0.5) * h);
        let moduli: Vec<f64> = (0..self.grid.intervals as i64).map(modulus).collect();
        let mut stiffness = Squares::default();
        (0..).zip(&moduli).for_each(|(l, modulus)| stiffness.add(modulus * h, own.difference(l)));
        inertia.iter().for_each(|m| {
            system.add_dof(*m, 0.0, 0.0);
        });
        let size = inertia.len();
        system.blocks.push(Block {
            name: name.into(),
            dofs: first..first + size,
            stiffness: stiffness.operator(size),
            damping: super::uniform_damping(&inertia, tube.damping),
        });
        Ok(Placed {
            dofs: first..first + size,
            measure: Measure::Volume,
            geometry: Geometry::Line { length: tube.length },
            representation: Box::new(TubeNodes { tube: tube.clone(), xi, moduli }),
            modal: None,
        })
    }
}

/// The displaced volume at the nodes.
struct TubeNodes {
    tube: Tube,
    xi: Field,
    /// ρc²/S at the half nodes, Pa/m².
    moduli: Vec<f64>,
}

impl TubeNodes {
    /// p = −(ρc²/S) ξ_x, linear between half nodes; to 0 at an open end, level at a closed one.
    fn pressure(&self, x: f64) -> Row {
        let (at, last) = (x / self.xi.grid.step - 0.5, self.xi.grid.intervals as i64 - 1);
        let value = |l: i64| self.xi.difference(l).scaled(-self.moduli[l as usize]);
        let l = at.floor() as i64;
        let ending = |l: i64, closed: bool, distance: f64| {
            value(l).scaled(if closed { 1.0 } else { 2.0 * distance.max(0.0) })
        };
        if l < 0 {
            ending(0, self.tube.closed[0], at + 0.5)
        } else if l >= last {
            ending(last, self.tube.closed[1], last as f64 + 0.5 - at)
        } else {
            let part = at - l as f64;
            value(l).scaled(1.0 - part).minus(&value(l + 1).scaled(-part))
        }
    }
}

impl Representation for TubeNodes {
    fn row(&self, [x, _]: Position) -> Row {
        self.xi.interpolate(x)
    }

    fn readouts(&self) -> &'static [Readout] {
        &[Readout { name: "pressure", unit: "Pa" }, Readout { name: "flow", unit: "m^3/s" }]
    }

    fn readout(&self, name: &str, at: Position) -> Quantity {
        match name {
            "pressure" => Quantity::Displacement(self.pressure(at[0])),
            _ => Quantity::Velocity(self.row(at)),
        }
    }

    fn samples(&self) -> Vec<Sample> {
        super::samples(&self.xi)
    }

    fn resolution(&self) -> f64 {
        self.xi.grid.step
    }

    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        super::project(&self.xi, motion)
    }

    fn partial(&self, k: usize) -> Option<f64> {
        self.tube.partial(k)
    }

    fn decay(&self, _: usize) -> Option<f64> {
        Some(0.5 * self.tube.damping)
    }
}
