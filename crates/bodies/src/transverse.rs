//! What strings and slender bars share: one displacement u(x, t) on the nodes of a grid.
//!
//!   T = ½ Σ' ρA v_l² Δx
//!   U = ½ Σ' [τ ((δ₊u_l)² + (δ₋u_l)²)/2 + EI (δ⟨2⟩u_l)²] Δx                                  I18 (6)
//!   P = Σ' ρA [d₁ v_l² + d₃ ((δ₊v_l)² + (δ₋v_l)²)/2] Δx                                     I18 Theorem 5
//!
//! Σ' is the trapezoidal rule over the nodes l = 0 … N; where one of two one-sided differences does not exist, at
//! a free end, the other stands for both. ρA (kg/m) and EI (N m²) may vary along x. From these squares alone the
//! core derives M, K and R.

use crate::variational::{Edge, Field, Grid, Squares};
use hamiltone_core::{
    body::{Extent, Heard, Locate, Measure, Place, Placed, Point, lay_on_points},
    row::Row,
    system::{Block, System},
};

/// How one end is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// u = 0, u_xx = 0.
    Hinged,
    /// u = 0, u_x = 0.
    Clamped,
    /// No force and no moment.
    Free,
}

impl End {
    /// The words of a scene.
    pub(crate) const WORDS: &'static [&'static str] = &["hinged", "clamped", "free"];

    /// The end of this word; hinged for any other.
    pub(crate) fn read(word: Option<&str>) -> Self {
        match word {
            Some("clamped") => End::Clamped,
            Some("free") => End::Free,
            _ => End::Hinged,
        }
    }

    fn edge(self) -> Edge {
        match self {
            End::Hinged => Edge::HINGED,
            End::Clamped => Edge::CLAMPED,
            End::Free => Edge::FREE,
        }
    }
}

/// How the square of u_x is taken: I18 remark 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slope {
    /// ((δ₊u)² + (δ₋u)²)/2.
    #[default]
    Forward,
    /// ((δ₊u + δ₋u)/2)²: slower to converge.
    Central,
}

/// The numbers of the energies above.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Transverse {
    pub grid: Grid,
    pub ends: [End; 2],
    pub slope: Slope,
    /// ρA at the nodes 0 … N, kg/m.
    pub density: Vec<f64>,
    /// τ, N.
    pub tension: f64,
    /// EI at the nodes 0 … N, N m².
    pub bending: Vec<f64>,
    /// 1/s.
    pub d1: f64,
    /// m²/s.
    pub d3: f64,
}

impl Transverse {
    fn uniform(&self) -> bool {
        let same = |values: &[f64]| values.windows(2).all(|pair| pair[0] == pair[1]);
        same(&self.density) && same(&self.bending)
    }

    /// u, its first unknown at the coordinate `first`.
    pub fn field(&self, first: usize) -> Field {
        Field::nodes(self.grid, first, 1, self.ends.map(End::edge))
    }

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

    /// Appends the body; `partials` is its continuous theory.
    pub fn add_to(
        &self,
        system: &mut System,
        name: &str,
        partials: Option<Box<dyn Fn(usize) -> f64 + Send + Sync>>,
    ) -> Placed {
        let u = self.field(system.size());
        let dofs = u.first..u.first + u.unknowns();
        for l in u.indices() {
            system.add_dof(u.weight(l) * self.density[l as usize], 0.0, 0.0);
        }
        let [stiffness, damping] = self.squares().map(|squares| squares.operator(u.unknowns()));
        system.blocks.push(Block { name: name.into(), dofs: dofs.clone(), stiffness, damping });
        let length = self.grid.length;
        let point = |l: i64| Point { row: Row::unit(u.coordinate(l)), x: u.position(l), weight: u.weight(l) };
        let points: Vec<Point> = u.indices().map(point).collect();
        Placed {
            dofs,
            measure: Measure::Length,
            locate: Box::new(move |place: Place| Ok(u.interpolate(place.on(length)?))),
            heard: vec![Heard { name: "force", unit: "N", of_velocity: false, locate: self.force(u) }],
            extent: Some(Extent {
                length,
                lay: lay_on_points(&points),
                sines: if self.ends == [End::Hinged; 2] && self.uniform() { points.len() } else { 0 },
                points,
                partials,
            }),
        }
    }

    /// The transverse force τu_x − (EI u_xx)_x with which the part right of a place pulls at the left one; at the
    /// right end, that with which the body pulls at what holds it. At a held end it is minus the derivative of U
    /// by the value there.
    fn force(&self, u: Field) -> Locate {
        let (tension, bending, grid) = (self.tension, self.bending.clone(), self.grid);
        Box::new(move |place: Place| {
            let x = place.on(grid.length)?;
            let last = grid.intervals as i64 - 1;
            let l = ((x / grid.step).floor() as i64).clamp(0, last);
            let moment = |l: i64| u.curvature(l).scaled(bending[l as usize] / grid.step);
            let force = u.difference(l).scaled(tension).minus(&moment(l + 1)).minus(&moment(l).scaled(-1.0));
            Ok(if x > grid.length - 0.5 * grid.step { force.scaled(-1.0) } else { force })
        })
    }
}
