//! A tension that grows as a string or membrane is stretched by its motion, and that a player can move.
//!
//!   T + ΔT,   ΔT = Yr + u(t),   r = ½ Σ Bₙqₙ²,   Bₙ = ∫|∇φₙ|²,   V = ½Yr² + ur
//!
//! | | Y | r | source |
//! |---|---|---|---|
//! | string | EA/L, N/m | how much longer it is, m | Kirchhoff 1876, §29; Carrier 1945, Quart. Appl. Math. 3, 157 |
//! | membrane | Eh/((1 − ν²)S), N/m³ | how much larger it is, m² | Berger 1955, J. Appl. Mech. 22, 465 |
//!
//! u (N, N/m) is what pegs, a pedal or a finger add to the tension at rest, EA (N) the stiffness of the core of a string against stretching, E (Pa), ν, h (m)
//! and S (m²) are those of the membrane. As a form ([`hamiltone_core::form`]) it is ψ = √Y r, e = u/√Y. The tension is the same everywhere: waves along the
//! string, which make phantom partials, are left out.

use hamiltone_core::{
    form::Form,
    parameter::{Absent, Complaint, Parameter, SWITCH, Takes},
    row::Row,
    system::System,
};
use std::ops::Range;

/// Whether the tension grows.
pub(crate) const TENSION_MODULATION: Parameter = Parameter {
    name: "tension_modulation",
    takes: Takes::Word(&SWITCH),
    absent: Absent::Word("false"),
    doc: "whether the tension grows as motion stretches the body, so that hard notes begin sharp and glide down; it can be moved, too (`tension_of`)",
};

/// What a scene that wants it has to say so.
pub(crate) fn wanted(values: &hamiltone_core::parameter::Values) -> bool {
    values.word(TENSION_MODULATION.name) == Some("true")
}

/// How the tension of a body by its modes grows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stretching {
    /// Y.
    pub modulus: f64,
    /// Bₙ.
    pub gradients: Vec<f64>,
}

impl Stretching {
    /// The form of the coordinates from `first` on.
    pub fn form(&self, name: &str, first: usize) -> Form {
        let root = self.modulus.sqrt();
        let square = |(i, b): (usize, &f64)| (first + i, first + i, root * b);
        Form {
            name: name.into(),
            quadratic: self.gradients.iter().enumerate().map(square).collect(),
            linear: Row::ground(),
            stretch: 1.0 / root,
        }
    }
}

/// The form that reads any of these coordinates.
pub fn form_of(system: &System, dofs: &Range<usize>) -> Option<usize> {
    system.forms.iter().position(|form| form.dofs().any(|dof| dofs.contains(&dof)))
}

/// Two bodies become the polarisations of one string: its tension grows with r of both.
///
/// ```
/// use hamiltone_bodies::{StiffString, stretching};
/// use hamiltone_core::{body::Body, system::System};
///
/// let string = StiffString::new(0.65, 1e-3, 100.0)?.elastic(2e4)?.by_modes(2, 8)?;
/// let mut system = System::default();
/// let [up, across] = [string.add_to(&mut system, "up")?.dofs, string.add_to(&mut system, "across")?.dofs];
/// stretching::join(&mut system, [&up, &across])?;
/// // An ellipse stretches the string as much as both of its axes do.
/// let r = |q: &[f64]| system.forms[0].value(q);
/// assert_eq!((system.forms.len(), r(&[1e-3, 0.0, 2e-3, 0.0])), (1, r(&[1e-3, 0.0, 0.0, 0.0]) + r(&[0.0, 0.0, 2e-3, 0.0])));
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
///
/// # Errors
/// A [`Complaint`] where one has no such tension, or where they are not equally stiff against stretching.
pub fn join(system: &mut System, [one, other]: [&Range<usize>; 2]) -> Result<(), Complaint> {
    let [Some(first), Some(second)] = [one, other].map(|dofs| form_of(system, dofs)) else {
        return Err(Complaint::new("", "both need tension_modulation = true"));
    };
    if first == second {
        return Ok(());
    }
    // Both follow from numbers of the scene by the same operations.
    if system.forms[first].stretch != system.forms[second].stretch {
        return Err(Complaint::new(
            "",
            "both need the same length and the same stiffness against stretching",
        ));
    }
    let Form { quadratic, .. } = system.forms.remove(second);
    let kept = if second < first { first - 1 } else { first };
    system.forms[kept].quadratic.extend(quadratic);
    Ok(())
}
