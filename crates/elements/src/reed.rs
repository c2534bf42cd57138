//! The lines of the catalogue of a player's valves: the reed of a clarinet and the lips of a trumpet.
//!
//!   U = w h √(2/ρ) sgn(d)√|d| ∓ Sẋ,   h = [H + x]₊,   d = p_mouth − p
//!
//! The upper sign is that of a reed, which the pressure closes; symbols as in `valve.rs`.

use crate::valve::{OPENINGS, Valve};
use hamiltone_core::{
    element::{ElementLaw, Law},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
    port::Ported,
};

/// Widths of a reed or of lips, m, and the area on which the pressure acts, m².
const WIDTHS: Range = Range { min: 1e-5, max: 0.1, open: false };
const AREAS: Range = Range { min: 0.0, max: 0.01, open: false };

const fn number(
    name: &'static str,
    role: Role,
    range: Range,
    absent: Absent,
    doc: &'static str,
) -> Parameter {
    Parameter { name, takes: Takes::Number(role, range), absent, doc }
}

const fn opening(value: f64) -> Parameter {
    let doc = "H, how far it is open without pressure; where no drive controls it";
    number("opening", Role::Length, OPENINGS, Absent::Number(value), doc)
}

const fn width(value: f64) -> Parameter {
    number("width", Role::Length, WIDTHS, Absent::Number(value), "w of the slit through which the air flows")
}

const fn area(value: f64) -> Parameter {
    number("area", Role::Area, AREAS, Absent::Number(value), "S on which the pressure acts")
}

const DENSITY: Parameter = number(
    "air_density",
    Role::Density,
    Range { min: 0.01, max: 100.0, open: false },
    Absent::Number(1.2),
    "ρ of the air that flows through",
);

const LAY: Parameter = number(
    "lay",
    Role::Length,
    OPENINGS,
    Absent::Optional("the opening: it closes all at once"),
    "how far it closes until it meets what stops it",
);

const fn lay_stiffness(value: f64) -> Parameter {
    let range = Range { min: 0.0, max: 1e9, open: false };
    let doc = "k of the spring that stops it, ½k ξ²; 0: nothing does";
    number("lay_stiffness", Role::Stiffness, range, Absent::Number(value), doc)
}

const LAY_LOSS: Parameter = number(
    "lay_loss",
    Role::ContactLoss,
    Range { min: 0.0, max: 1e3, open: false },
    Absent::Number(5.0),
    "μ of k ξ (1 + μ ξ̇) while it is stopped",
);

/// A valve of this direction with its opening.
fn read(values: &Values, inward: bool) -> Result<ElementLaw, Complaint> {
    let number = |name| values.required(name);
    let opening = number("opening")?;
    let valve = Valve {
        inward,
        width: number("width")?,
        area: number("area")?,
        density: number("air_density")?,
        stiffness: number("lay_stiffness")?,
        lay: values.number("lay").unwrap_or(opening),
        loss: number("lay_loss")?,
    };
    Ok(ElementLaw { law: Law::Port(Ported::new(valve, opening)), gap: 0.0 })
}

/// A reed.
pub(crate) const REED: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "reed",
        summary: "a reed between the mouth of a player and a bore, which the pressure closes: clarinet, saxophone; pressure by the gesture blow",
        equation: "U = w h √(2/ρ) sgn(d)√|d| − S ẋ,  h = [H + x]₊,  d = p_mouth − p;  force on the reed −S d, and k ξ (1 + μ ξ̇), ξ = [−x − lay]₊",
        source: "Backus 1963; Wilson & Beavers 1974; Chaigne & Kergomard 2016, ch. 9",
        parameters: &[opening(4e-4), width(0.01), area(1.46e-4), DENSITY, LAY, lay_stiffness(1e5), LAY_LOSS],
        rules: &[],
    },
    make: |values| read(values, true),
};

/// Lips.
pub(crate) const LIPS: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "lips",
        summary: "the lips of a player at a bore, which the pressure opens: trumpet, trombone; pressure by the gesture blow",
        equation: "U = w h √(2/ρ) sgn(d)√|d| + S ẋ,  h = [H + x]₊,  d = p_mouth − p;  force on the lips S d, and k ξ (1 + μ ξ̇), ξ = [−x − lay]₊",
        source: "Fletcher 1979; Fréour et al. 2020",
        parameters: &[opening(1e-4), width(8e-3), area(4e-5), DENSITY, LAY, lay_stiffness(3e4), LAY_LOSS],
        rules: &[],
    },
    make: |values| read(values, false),
};
