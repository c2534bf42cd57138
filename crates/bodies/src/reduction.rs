//! Numerical modes: coupled coordinates of a system replaced by the lowest modes of their motion.
//!
//!   K φ_k = ω_k² M φ_k,   q = Σ φ_k η_k,   m_k (η̈_k + 2σ_k η̇_k + ω_k² η_k) = φ_kᵀ f
//!   m_k = φ_kᵀ M φ_k,   2σ_k m_k = φ_kᵀ R φ_k,   η_k(0) = φ_kᵀ M q(0)/m_k
//!
//! q (m) coordinates of one or more bodies and of the links between them, φ_k (–) shapes of largest entry 1, m_k (kg)
//! modal masses, ω_k (rad/s) frequencies without losses, σ_k (1/s) decay rates, f (N) forces. It serves every linear
//! body, also where no formula for its modes exists: undercut and thick bars, tubes, clamped ends, strings on a bridge.
//! Contacts, inputs, outputs and initial conditions become those of the modes; a contact may join them to coordinates
//! that are not reduced.
//!
//! The suspension of a body acts on its rigid motions alone (`supported.rs`): where nothing else holds it, its bent modes are
//! those without, and what is found of the eigenproblem are they.
//!
//! Damping that carries energy from one mode to another, φ_jᵀRφ_k ≠ 0, is left out, as is usual; [`NeglectedDamping`]
//! says what that changes. Damping proportional to M and K, and each degenerate group by itself, is exact.

mod assembled;
mod component;
mod components;
mod coordinates;
mod damping;
mod mode_cache;
mod owners;
mod placed;
mod request;
mod supported;

pub use component::{Component, Keep, LossLaw, MAX_COORDINATES, Modes, ReductionError};
pub use components::components;
pub use coordinates::Coordinates;
pub use damping::NeglectedDamping;
pub use mode_cache::{ModeCache, map};
pub use owners::Owners;
pub use placed::Reduced;
pub use request::{ByModes, by_modes, requested};

use crate::modal::Mode;
use components::Restrictions;
use hamiltone_core::{
    body::Placed,
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::math::square;
use hamiltone_numerics::{
    eigenpairs::{self, Eigenpairs},
    pencil::Pencil,
};
use std::{f64::consts::TAU, sync::Arc};
use supported::Supported;

/// What stands for the frequency of a rigid motion in a law of losses, Hz.
const RIGID: f64 = 1e-6;

/// How many components are solved side by side.
const AT_A_TIME: usize = 32;

/// A reduced system.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The system, its components replaced by their modes.
    pub system: System,
    /// How the old coordinates are read from the new.
    pub coordinates: Arc<Coordinates>,
    /// The modes of each component.
    pub components: Vec<Modes>,
}

impl Reduction {
    /// A row of the old system as one of the reduced system.
    pub fn row(&self, row: &Row) -> Row {
        self.coordinates.row(row)
    }

    /// A body of the old system as a part of the reduced one.
    pub fn placed(&self, body: Arc<Placed>) -> Placed {
        placed::placed(body, self.coordinates.clone())
    }
}

/// Replaces each component by its modes. Of the other coordinates the order stays; the modes take the place of a
/// component's first coordinate.
///
/// # Errors
/// A [`ReductionError`] where a component is too large, coupled to others, or not resolved.
pub fn reduce(system: &System, components: &[Component]) -> Result<Reduction, ReductionError> {
    let (mut shapes, mut found) = (Vec::new(), Vec::new());
    let mut restrictions = Restrictions::new(system, components.iter().map(|component| &component.dofs[..]));
    let mut rest = components.iter().enumerate();
    // A few at a time, so that little is copied beside the system.
    while rest.len() > 0 {
        let part = rest.by_ref().take(AT_A_TIME);
        let part = part.map(|(c, component)| Ok((component, restricted(&mut restrictions, c, component)?)));
        let part: Vec<(&Component, Restricted)> = part.collect::<Result<_, ReductionError>>()?;
        for (component, solved) in map(part, |(component, own)| (component, solve(own, component))) {
            let Solved { modes, requested, supported, shapes: own, neglected } = solved?;
            shapes.push((component.dofs.as_slice(), own, modes.iter().map(|mode| mode.mass).collect()));
            found.push((modes, requested, supported, neglected));
        }
    }
    let coordinates = Coordinates::new(&system.mass, shapes);
    let modes = |(c, (modes, requested, supported, neglected))| {
        let dofs = coordinates.modal(c);
        Modes { dofs, modes, requested, supported, neglected }
    };
    let modes: Vec<Modes> = found.into_iter().enumerate().map(modes).collect();
    let system = assembled::system(system, components, &modes, &coordinates);
    Ok(Reduction { system, coordinates: Arc::new(coordinates), components: modes })
}

/// The modes of a component.
struct Solved {
    modes: Vec<Mode>,
    /// σ without supports, 1/s.
    requested: Vec<f64>,
    /// Rigid motions on supports.
    supported: Vec<usize>,
    /// φ_k over its coordinates.
    shapes: Vec<Vec<f64>>,
    /// What damping between them is left out.
    neglected: NeglectedDamping,
}

/// A system of the coordinates of a component alone, and its supports.
type Restricted = (System, Vec<Block>);

/// What of the system belongs to a component alone.
fn restricted(
    restrictions: &mut Restrictions<'_>,
    c: usize,
    component: &Component,
) -> Result<Restricted, ReductionError> {
    let name = || component.name.clone();
    if component.dofs.len() > MAX_COORDINATES {
        return Err(ReductionError::TooLarge { name: name(), coordinates: component.dofs.len() });
    }
    let own = restrictions.system(c, component);
    own.map_err(|block| ReductionError::Coupled { name: name(), block })
}

fn solve((own, supports): Restricted, component: &Component) -> Result<Solved, ReductionError> {
    let (system, supported) = Supported::split(own, supports);
    let pencil =
        Pencil::new(&system.mass, system.blocks.iter().map(|block| (block.dofs.start, &block.stiffness)));
    let count = match component.keep {
        Keep::Lowest(count) => count,
        Keep::Below(frequency, most) => pencil.count_below(square(TAU * frequency)).clamp(1, most.max(1)),
    };
    let unresolved = || ReductionError::Unresolved { name: component.name.clone() };
    let solve = || eigenpairs::lowest(&pencil, count);
    let mut pairs = mode_cache::eigenpairs(&system, count, solve).ok_or_else(unresolved)?;
    supported.raise(&pencil, &mut pairs);
    let damping = damping::project(&system, &pencil, &mut pairs);
    let Eigenpairs { values, vectors } = pairs;
    let mut solved = Solved {
        modes: Vec::new(),
        requested: Vec::new(),
        supported: Vec::new(),
        shapes: Vec::new(),
        neglected: NeglectedDamping::default(),
    };
    for (k, ((&value, y), &damping)) in values.iter().zip(vectors).zip(&damping.own).enumerate() {
        let mut shape = pencil.positions(&y);
        let omega = value.sqrt();
        // A system with its supports has their damping in its own; without them they act on what they hold.
        let [within, beside] = supported.damping(value, &shape);
        solved.supported.extend(supported.holds(value, &shape).then_some(k));
        let law = by_frequency(component, omega / TAU, &y);
        solved.requested.push(0.5 * (damping - within).max(0.0) + law);
        let sigma = 0.5 * (damping + beside) + law;
        let largest = shape.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        shape.iter_mut().for_each(|x| *x /= largest);
        solved.modes.push(Mode { mass: 1.0 / (largest * largest), omega, sigma });
        solved.shapes.push(shape);
    }
    let sigmas: Vec<f64> = solved.modes.iter().map(|mode| mode.sigma).collect();
    solved.neglected = damping.neglected(&values, &sigmas);
    Ok(solved)
}

/// The decay rate (1/s) of the laws by frequency for a mode with M^½φ = y of unit length.
fn by_frequency(component: &Component, frequency: f64, y: &[f64]) -> f64 {
    let law = |law: &LossLaw| {
        let own = component.dofs.iter().zip(y).filter(|(dof, _)| law.dofs.contains(dof));
        (law.rate)(frequency.max(RIGID)) * own.map(|(_, y)| y * y).sum::<f64>()
    };
    component.losses.iter().map(law).sum()
}
