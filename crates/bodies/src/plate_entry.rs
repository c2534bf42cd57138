//! A plate as scenes state it: its line of the catalogue, and the thickness at which its first partial sounds as asked.
//!
//!   f₁(h) = f,   ω₁ ∝ h
//!
//! h (m) is the thickness, f (Hz) the frequency that is asked for; losses change f₁ = √(ω₁² − σ₁²)/2π by the second order.

use crate::{
    built::Built,
    ends::End,
    losses::LOSS,
    modal_losses,
    orthotropic::{Orthotropic, kappa2, modulus},
    parameters::{DENSITY, POISSON_RATIO, THICKNESS, THICKNESSES, YOUNGS_MODULUS, side, sized},
    pitched::{self, FINEST, FREQUENCY, PITCH, Unknown},
    plate::{Form, MAX_UNSTATED, Plate},
    surface::{self, MODES},
    von_karman::{self, AIRY_MODES, IN_PLANE, Stretches, VON_KARMAN},
};
use hamiltone_core::{
    body::Body,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Rule, Values},
};
use hamiltone_numerics::math::{powi, square};
use std::f64::consts::TAU;

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "plate",
        summary: "thin rectangular plate of metal or of wood, any side simply supported, clamped, free or sliding, by its modes",
        equation: "ρh u_tt = −D ∇⁴u + L(u, F) − ρh d₁ u_t + ρh d₃ ∇²u_t + f,  ∇⁴F = −(Eh/2) L(u, u),  D = Eh³/12(1 − ν²); orthotropic D₁u_xxxx + 2(D₃ + 2D₆)u_xxyy + D₂u_yyyy",
        source: "Leissa 1969, §4.1; Lévy 1899, Ritz 1909, Leissa 1973; F with von_karman: von Kármán 1910; Ducceschi et al. 2014",
        parameters: &[
            Parameter {
                absent: Absent::Optional(
                    "those below 20 kHz, 300 at most; where [run] names no scheme, those below 20 kHz and 0.45 of the sample rate, 1000 at most; 100 at most where modes are sums, between other than simply supported sides",
                ),
                ..MODES
            },
            sized("length", 1e-3, 100.0, "a, along x"),
            sized("width", 1e-3, 100.0, "b, along y"),
            Parameter { doc: "h", absent: Absent::Rule, ..THICKNESS },
            Parameter {
                doc: "the frequency at which the lowest mode sounds, with losses: h follows",
                ..FREQUENCY
            },
            Parameter { doc: "the note at which the lowest mode sounds, in place of frequency", ..PITCH },
            DENSITY,
            Parameter {
                doc: "E, of an orthotropic plate E₁ along x; steel unless given", ..YOUNGS_MODULUS
            },
            modulus(
                "cross_modulus",
                Absent::Optional("youngs_modulus"),
                "E₂ of an orthotropic plate, along y: of wood across the grain",
            ),
            modulus(
                "shear_modulus",
                Absent::Optional("√(E₁E₂)/2(1 + √(ν₁₂ν₂₁)), which is E/2(1 + ν) of an isotropic plate"),
                "G of an orthotropic plate",
            ),
            Parameter {
                doc: "ν, of an orthotropic plate ν₁₂: contraction along y under tension along x",
                ..POISSON_RATIO
            },
            side(
                "left",
                "boundary condition of the side x = 0: hinged (simply supported), clamped, free or sliding",
            ),
            side("right", "the same of the side x = a"),
            side("front", "the same of the side y = 0"),
            side("back", "the same of the side y = b"),
            LOSS,
            VON_KARMAN,
            AIRY_MODES,
            IN_PLANE,
        ],
        rules: &[
            von_karman::RULE,
            von_karman::IN_PLANE_RULE,
            Rule::OneOf(OneOf {
                states: "the thickness",
                alternatives: &[&["thickness"], &["frequency"], &["pitch"]],
                required: true,
            }),
        ],
    },
    make: |values: &Values| {
        let Some(request) = pitched::requested(values) else { return Ok(build(values)?.body) };
        let one = Plate::read(&values.clone().with("thickness", 1.0))?;
        // After three rigid motions at most.
        let lowest = one.frequencies(4).into_iter().find(|omega| *omega > 0.0).unwrap_or(1.0);
        let start = request.frequency * TAU / lowest;
        let thickness = Unknown { name: "thickness", unit: "m", range: THICKNESSES, start, power: 1.0 };
        match one.form() {
            // Sums of more products are lower: it is tuned by as many as it has, without forms, which take longer.
            Form::Sums => pitched::solve_in_proportion(values, request, thickness, [bare, build]),
            Form::Sines | Form::Levy => pitched::solve(values, request, thickness, FINEST, build),
        }
    },
};

impl Plate {
    /// The plate of these values, without losses. Whether it stretches decides what its shapes are, and so how many modes it has unless that is
    /// given: their number is looked at when there are any.
    fn read(values: &Values) -> Result<Self, Complaint> {
        let number = |name| values.required(name);
        let (sides, h) = ([number("length")?, number("width")?], number("thickness")?);
        let (density, poisson) = (number("density")? * h, number("poisson_ratio")?);
        let ends = |names: [&str; 2]| names.map(|side| End::read(values.word(side)));
        let is_orthotropic =
            ["cross_modulus", "shear_modulus"].into_iter().any(|name| values.number(name).is_some());
        let plate = if is_orthotropic {
            Plate::orthotropic(sides, density, h, Orthotropic::read(values)?)?
        } else {
            let bending = number("youngs_modulus")? * powi(h, 3) / (12.0 * (1.0 - square(poisson)));
            Plate::new(sides, density, bending)?
        };
        let stretches = Stretches::read(values, 1)?;
        let plate = plate.with_ends(ends(["left", "right"]), poisson)?;
        Ok(Plate { stretches, ..plate.with_front_and_back(ends(["front", "back"])) })
    }
}

/// The plate whose thickness is known.
fn build(values: &Values) -> Result<Built, Complaint> {
    built(values, true)
}

/// The same without the forms of its stretching, where its modes are sums.
fn bare(values: &Values) -> Result<Built, Complaint> {
    built(values, false)
}

fn built(values: &Values, forms: bool) -> Result<Built, Complaint> {
    let plate = Plate::read(values)?;
    if values.word(IN_PLANE.name) == Some("guided") && plate.ends != [[End::Hinged; 2]; 2] {
        let message = "is `guided`, which only four simply supported sides are";
        return Err(
            Complaint::new(IN_PLANE.name, message).help("leave it out: other sides are free in the plane")
        );
    }
    let most = if plate.stretches.is_some() { MAX_UNSTATED } else { usize::MAX };
    let frequencies = |count: usize| -> Vec<f64> {
        plate.frequencies(count.min(most)).into_iter().map(|omega| omega / TAU).collect()
    };
    let modes = surface::count(values, frequencies);
    let kappa2 = kappa2(plate.bending, plate.density);
    let by_law = plate.form() != Form::Sines || plate.poisson.is_none();
    let (law, [d1, d3]) = modal_losses::read(values.table("loss"), None, 0.0, kappa2, by_law)?;
    Ok(Built::exact(plate.damped(d1, d3)?.with_forms(modes, forms)?.following(law.as_ref())))
}
