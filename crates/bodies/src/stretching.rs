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
//! string, which make phantom partials, are left out, but for the lowest longitudinal modes where they are asked for (`longitudinal.rs`).

pub(crate) mod longitudinal;

use hamiltone_core::{
    form::Form,
    geometry::Position,
    parameter::{Absent, Complaint, Parameter, SWITCH, Takes},
    row::Row,
    system::System,
};
use longitudinal::Longitudinal;
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
    /// Y; of a string with longitudinal modes (EA − T)/L.
    pub modulus: f64,
    /// T.
    pub rest: f64,
    /// Bₙ.
    pub gradients: Vec<f64>,
    /// The longitudinal modes of a string.
    pub longitudinal: Option<Longitudinal>,
}

impl Stretching {
    /// Adds the forms of the coordinates from `first` on, and the coordinates of longitudinal modes behind all others.
    pub fn add_to(&self, system: &mut System, name: &str, first: usize) {
        let root = self.modulus.sqrt();
        let square = |(i, b): (usize, &f64)| (first + i, first + i, root * b);
        system.forms.push(Form {
            name: name.into(),
            quadratic: self.gradients.iter().enumerate().map(square).collect(),
            linear: Row::ground(),
            strain: Row::ground(),
            stretch: 1.0 / root,
        });
        if let Some(longitudinal) = &self.longitudinal {
            longitudinal.add_to(system, name, first..first + self.gradients.len());
        }
    }

    /// What makes the tension at a position of the body whose coordinates begin with `first`: weights of its forms, and of longitudinal modes.
    pub fn tension(&self, [x, _]: Position, first: usize) -> (Vec<f64>, Row) {
        let mut forms = vec![self.modulus.sqrt()];
        let Some(longitudinal) = &self.longitudinal else { return (forms, Row::ground()) };
        forms.extend(longitudinal.forms(x));
        (forms, longitudinal.row(x, first + self.gradients.len()))
    }
}

/// The form of the tension of these coordinates: the one that reads any of them and that an input may strain.
pub fn form_of(system: &System, dofs: &Range<usize>) -> Option<usize> {
    let is_tension = |form: &Form| form.stretch != 0.0 && form.dofs().any(|dof| dofs.contains(&dof));
    system.forms.iter().position(is_tension)
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
    let parts = |system: &System, dofs: &Range<usize>| {
        let of = |form: &&Form| form.quadratic.iter().any(|(i, ..)| dofs.contains(i));
        system.forms.iter().filter(of).count()
    };
    let count = parts(system, one);
    if parts(system, other) != count {
        return Err(Complaint::new("", "both need the same `longitudinal_modes`"));
    }
    // The forms of a body follow each other. The longitudinal modes of the first are those of the string; those of the other stay at rest.
    let others: Vec<Form> = system.forms.drain(second..second + count).collect();
    let kept = if second < first { first - count } else { first };
    for (form, Form { quadratic, .. }) in system.forms[kept..].iter_mut().zip(others) {
        form.quadratic.extend(quadratic);
    }
    Ok(())
}
