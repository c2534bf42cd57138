//! The elements of a system that act by a force law in an implicit step, with what inputs do to them.
//!
//! A compliant law answers to the penetration x and its change σ in the step, a resistive one to the mean rate σ/Δt and
//! its control value. Both are monotone, so that the equations of a step have one solution.

use hamiltone_core::{
    element::{Compliant, Element, Law, Resistive},
    input::Action,
    row::Row,
    system::System,
};

/// One element with a force law.
#[derive(Clone, Debug)]
pub(crate) struct Interaction {
    /// Its number among the elements of the system.
    pub element: usize,
    /// c.
    pub row: Row,
    /// h, m, without the moving reference.
    pub gap: f64,
    pub law: ForceLaw,
}

/// The laws that an interaction can have.
#[derive(Clone, Debug)]
pub(crate) enum ForceLaw {
    /// The law, and the penetration up to which V = 0.
    Compliant(Compliant, f64),
    Resistive(Resistive),
}

impl Interaction {
    /// The interaction that an element is; `None` where its law is no force law.
    fn of((element, given): (usize, &Element)) -> Option<Self> {
        let law = match &given.law {
            Law::Compliant(law) => ForceLaw::Compliant(law.clone(), law.onset()),
            Law::Resistive(law) => ForceLaw::Resistive(law.clone()),
            Law::Rigid { .. } | Law::Port(_) | Law::Custom(_) => return None,
        };
        Some(Self { element, row: given.row().clone(), gap: given.gap, law })
    }

    /// V(x); 0 of a resistive law.
    pub fn energy(&self, x: f64) -> f64 {
        match &self.law {
            ForceLaw::Compliant(law, onset) if x > *onset => law.energy(x),
            ForceLaw::Compliant(..) | ForceLaw::Resistive(_) => 0.0,
        }
    }

    /// Whether it is a resistive law that has no force at any rate at this control value.
    pub fn is_idle(&self, control: f64) -> bool {
        matches!(&self.law, ForceLaw::Resistive(law) if law.is_idle(control))
    }

    /// Y(σ) and ∂Y/∂σ over a span of time in which the penetration goes from x to x + σ, at a control value:
    ///
    ///   F̄ of the law and its loss ([`Compliant::mean_force`])   or   f(σ/T; u)
    pub fn answer(&self, x: f64, sigma: f64, span: f64, control: f64) -> (f64, f64) {
        match &self.law {
            ForceLaw::Compliant(..) if self.separated(x, sigma) => (0.0, 0.0),
            ForceLaw::Compliant(law, _) => law.mean_force(x, sigma, span),
            ForceLaw::Resistive(law) => {
                let (force, slope) = law.force(sigma / span, control);
                (force, slope / span)
            }
        }
    }

    /// Whether a law that answers σ by this force and slope can be a damper f = rσ/T; what it answers elsewhere tells whether it is.
    ///
    /// A spring is none: of a stiff one σ is far smaller than its free way, and must be solved for anew from where it is.
    pub fn may_be_damper(&self, sigma: f64, (force, slope): (f64, f64)) -> bool {
        // f, the slope and their product are rounded once each, and the difference once more.
        let rounding = 4.0 * f64::EPSILON * force.abs();
        matches!(self.law, ForceLaw::Resistive(_)) && slope > 0.0 && (force - slope * sigma).abs() <= rounding
    }

    /// Whether it exerts no force where the penetration goes from x to x + σ.
    pub fn separated(&self, x: f64, sigma: f64) -> bool {
        match &self.law {
            ForceLaw::Compliant(_, onset) => x <= *onset && x + sigma <= *onset,
            ForceLaw::Resistive(_) => false,
        }
    }

    /// What a relaxation takes of a step of σ between two penetrations, (F − D)σ by the force F as it acted.
    ///
    /// The law's own F̄ differs from it by rounding, the same in each step of a slow compression, and what comes in would not fit what
    /// is taken.
    pub fn relaxed(&self, (from, to): (f64, f64), sigma: f64, force: f64) -> f64 {
        match &self.law {
            // Without a force all that V gives is lost. The energies are those that are stored.
            ForceLaw::Compliant(..) if force == 0.0 => (self.energy(from) - self.energy(to)).max(0.0),
            // Near a standstill the difference is a rounding of the force.
            ForceLaw::Compliant(law, _) => ((force - law.quotient(from, sigma).0) * sigma).max(0.0),
            ForceLaw::Resistive(_) => 0.0,
        }
    }

    /// The larger of a compliant law's force over a span of time and that at its end x, N: far larger where a fast, light body
    /// is stopped in one step of σ.
    pub fn largest_force(&self, force: f64, x: f64, sigma: f64, span: f64) -> f64 {
        match &self.law {
            ForceLaw::Compliant(law, _) => force.abs().max(law.largest_force(x, sigma, span)),
            ForceLaw::Resistive(_) => force.abs(),
        }
    }

    /// How much energy, stored or dissipated, a rounding of the penetration is worth, over eps, behind a step of σ that ended
    /// at x: the largest force times Σ|cᵢqᵢ| + |σ| + |h|, which were added to form x.
    ///
    /// A resistive law knows no penetration, only σ.
    pub fn leverage(&self, force: f64, x: f64, sigma: f64, dt: f64, q: &[f64], gap: f64) -> f64 {
        if force == 0.0 {
            return 0.0;
        }
        match &self.law {
            ForceLaw::Compliant(..) => {
                // Not |x|: its terms cancel, and each was rounded relative to its own size.
                let size = self.row.magnitude(q) + sigma.abs() + gap.abs();
                self.largest_force(force, x, sigma, dt) * size
            }
            ForceLaw::Resistive(_) => force.abs() * sigma.abs(),
        }
    }
}

/// The interactions of `system`, in the order of its elements.
pub(crate) fn all(system: &System) -> Vec<Interaction> {
    system.elements.iter().enumerate().filter_map(Interaction::of).collect()
}

/// What the inputs do, sorted by what they act on: (number of the input, of the interaction or element).
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// Forces: (input, row).
    pub forces: Vec<(usize, Row)>,
    /// Moving references: (input, element).
    pub motions: Vec<(usize, usize)>,
    /// Controls: (input, element).
    pub controls: Vec<(usize, usize)>,
    /// The number of all inputs.
    pub count: usize,
}

impl Inputs {
    /// The inputs of `system`; custom kinds are left to the schemes that know them.
    pub fn of(system: &System) -> Self {
        let mut inputs = Self { count: system.inputs.len(), ..Self::default() };
        for (k, input) in system.inputs.iter().enumerate() {
            match &input.action {
                Action::Force(row) => inputs.forces.push((k, row.clone())),
                Action::Motion(elements) => inputs.motions.extend(elements.clone().map(|j| (k, j))),
                Action::Control(elements) => inputs.controls.extend(elements.clone().map(|j| (k, j))),
                // A port reads its rates, a form what strains it, and the element that declares a custom input that.
                Action::Rate(_) | Action::Strain(_) | Action::Branch(_) | Action::Custom { .. } => {}
            }
        }
        inputs
    }

    /// Which of so many elements have a reference that an input moves.
    pub fn moved(&self, elements: usize) -> Vec<bool> {
        let mut moved = vec![false; elements];
        self.motions.iter().for_each(|(_, element)| moved[*element] = true);
        moved
    }

    /// Whether any input moves or controls an element.
    pub fn act_on_elements(&self) -> bool {
        !(self.motions.is_empty() && self.controls.is_empty())
    }
}
