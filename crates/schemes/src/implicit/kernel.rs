//! What an implicit step works on: the state, and the memory that it needs.

use super::{constants::ImplicitConstants, forms::Forms, method::Method, rigid::RigidContacts};
use crate::contact_solver::ContactSolver;
use hamiltone_numerics::{
    aligned::{Aligned, zeros},
    woodbury::UpdatedBand,
};

/// The state of a system with the memory that a step works in.
#[derive(Clone)]
pub(super) struct Kernel {
    pub solver: ContactSolver,
    pub rigid: RigidContacts,
    pub forms: Forms,
    pub state: Motion,
    pub scratch: Scratch,
}

/// What the next step depends on.
#[derive(Clone)]
pub(super) struct Motion {
    pub q: Aligned,
    pub w: Aligned,
    /// Rounding remainder of w and of q.
    pub w_remainder: Aligned,
    pub q_remainder: Aligned,
    /// Each interaction's gap with its moving reference now.
    pub gaps: Vec<f64>,
    /// The forces of all elements in the last step, N.
    pub forces: Vec<f64>,
    /// Whether no interaction exerted a force in the last step, nor stores anything after it.
    pub separated: bool,
    /// Steps since the leverage of the springs was last taken.
    pub clock: u32,
}

/// What a step needs and leaves.
#[derive(Clone)]
pub(super) struct Scratch {
    pub e: Aligned,
    pub rhs: Aligned,
    pub s: Aligned,
    /// e without contacts.
    pub alone: Aligned,
    /// x at the start of the step, and σ/2θ without forces, or what it misses.
    pub x: Vec<f64>,
    pub free: Vec<f64>,
    /// The gaps at the end of the step, and by how much they grew.
    pub next_gaps: Vec<f64>,
    pub shift: Vec<f64>,
    /// The control values of the step.
    pub controls: Vec<f64>,
    /// σ/2θ without the forces of the force laws, while the pushing rigid contacts answer: these, and those of the set before.
    pub ways: Vec<f64>,
    pub pressed: Vec<usize>,
    pub pressed_before: Vec<usize>,
    /// Whether any interaction exerts a force in the step.
    pub any_force: bool,
    /// The part of e that corrections keep apart, 0 before and after a step, and θs with the remainder of q.
    pub e_rest: Aligned,
    pub ahead: Aligned,
}

impl Kernel {
    /// At rest, for these constants and the matrix A that they were made with.
    pub fn new(method: Method, constants: &ImplicitConstants, matrix: &UpdatedBand) -> Self {
        let (n, p) = (constants.system.size(), constants.interactions.len());
        let (zero, none) = (|| zeros(n), || vec![0.0; p]);
        let mut solver = ContactSolver::new(matrix, &constants.solver, &constants.interactions);
        let mut rigid = RigidContacts::new(constants, method.impacts.unwrap_or_default());
        if rigid.any()
            && let Some(columns) = solver.reserve_change()
        {
            rigid.couple(columns);
        }
        // At most all rigid contacts push: a step does not allocate.
        let pressed = || Vec::with_capacity(constants.system.elements.len() - p);
        Self {
            solver,
            rigid,
            forms: Forms::new(constants, matrix),
            state: Motion {
                q: zero(),
                w: zero(),
                w_remainder: zero(),
                q_remainder: zero(),
                gaps: none(),
                forces: vec![0.0; constants.system.elements.len()],
                separated: false,
                clock: 0,
            },
            scratch: Scratch {
                e: zero(),
                rhs: zero(),
                s: zero(),
                alone: zero(),
                x: none(),
                free: none(),
                next_gaps: none(),
                shift: none(),
                controls: constants.own_controls(),
                ways: none(),
                pressed: pressed(),
                pressed_before: pressed(),
                any_force: false,
                e_rest: zero(),
                ahead: zero(),
            },
        }
    }
}
