//! Parameters that several one-dimensional bodies take.

use crate::ends::End;
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes};

/// How a body is represented.
pub(crate) const METHOD: Parameter = Parameter {
    name: "method",
    takes: Takes::Word(&["finite-difference", "modal"]),
    absent: Absent::Word("finite-difference"),
    doc: "its representation: values on the nodes of a grid, or amplitudes of modes, by formula where one exists, else found numerically; modal where [run] names no scheme or one that takes no grids, and where a parameter is given that only modes take",
};

/// ρ of a solid: from the lightest wood to osmium.
pub(crate) const DENSITY: Parameter = Parameter {
    name: "density",
    takes: Takes::Number(Role::Density, Range { min: 200.0, max: 25_000.0, open: false }),
    absent: Absent::Number(7850.0),
    doc: "ρ of the material; steel unless given",
};

/// A length of a cross-section, m, that must be given.
pub(crate) const fn sized(name: &'static str, min: f64, max: f64, doc: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Number(Role::Length, Range { min, max, open: false }),
        absent: Absent::Required,
        doc,
    }
}

/// L of a one-dimensional body: from a millimetre to a kilometre.
pub(crate) const LENGTHS: Range = Range { min: 1e-3, max: 1e3, open: false };

/// L.
pub(crate) const LENGTH: Parameter = Parameter {
    name: "length",
    takes: Takes::Number(Role::Length, LENGTHS),
    absent: Absent::Required,
    doc: "L",
};

/// E of a solid: from soft plastics to diamond.
pub(crate) const YOUNGS_MODULUS: Parameter = Parameter {
    name: "youngs_modulus",
    takes: Takes::Number(Role::Modulus, Range { min: 1e8, max: 1e12, open: false }),
    absent: Absent::Number(2e11),
    doc: "E; steel unless given",
};

/// ν of a solid.
pub(crate) const POISSON_RATIO: Parameter = Parameter {
    name: "poisson_ratio",
    takes: Takes::Number(Role::Number, Range { min: 0.0, max: 0.5, open: false }),
    absent: Absent::Number(0.3),
    doc: "ν",
};

/// h of a rectangular section.
pub(crate) const THICKNESSES: Range = Range { min: 1e-4, max: 0.5, open: false };

/// h.
pub(crate) const THICKNESS: Parameter =
    sized("thickness", THICKNESSES.min, THICKNESSES.max, "h: A = w h, I = w h³/12");

/// w of a rectangular section.
pub(crate) const WIDTH: Parameter =
    Parameter { absent: Absent::Number(0.03), ..sized("width", 1e-4, 1.0, "w: A = w h") };

/// γ, the same for every partial.
pub(crate) const DAMPING: Parameter = Parameter {
    name: "damping",
    takes: Takes::Number(Role::Damping, Range::NOT_NEGATIVE),
    absent: Absent::Number(0.0),
    doc: "γ: every partial decays as e^(−γt/2); loss states more",
};

/// Boundary condition at an end of a string.
pub(crate) const fn end(name: &'static str, otherwise: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Word(End::WORDS),
        absent: Absent::Word(otherwise),
        doc: "boundary condition of this end: simply supported (u = u_xx = 0), clamped (u = u_x = 0) or free (u_xx = u_xxx = 0)",
    }
}

/// The same of a bar.
pub(crate) const fn end_of_bar(name: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Word(End::OF_BARS),
        absent: Absent::Word("free"),
        doc: "boundary condition of this end: simply supported (u = u_xx = 0), clamped (u = u_x = 0), free (u_xx = u_xxx = 0) or sliding along a guide (u_x = u_xxx = 0)",
    }
}

/// The same of a side of a plate.
pub(crate) const fn side(name: &'static str, doc: &'static str) -> Parameter {
    Parameter { absent: Absent::Word("hinged"), doc, ..end_of_bar(name) }
}
