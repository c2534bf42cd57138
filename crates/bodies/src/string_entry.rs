//! What a scene may say of a string, and what becomes of it.
//!
//!   τ = ρA c²,   c = 2L f,   ρA = ρπr²,   EI = κ²ρA = Eπr⁴/4 = B τL²/π²

use crate::{
    ends::End,
    finite_difference::transverse::{Slope, TransverseGrid},
    grid::{self, ACCURACY, INTERVALS_OF_EITHER, PARTIALS},
    losses::losses,
    modal_grid::{self, MODES},
    modal_losses::{Law, STRING_LOSS, Wire},
    parameters::{DENSITY, LENGTH, METHODS, end},
    string::StiffString,
};
use hamiltone_core::{
    body::Body,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Takes, Values},
};
use hamiltone_numerics::math;
use std::f64::consts::PI;

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "string",
        summary: "stiff string with losses, by tension, wave speed or frequency",
        equation: "ρA u_tt = τ u_xx − EI u_xxxx − ρA d₁ u_t + ρA d₃ u_txx + f,  c² = τ/ρA,  κ² = EI/ρA",
        source: "I18 (1), (6)–(9); C19 (66) with κ = 0",
        parameters: &[
            METHODS,
            MODES,
            INTERVALS_OF_EITHER,
            ACCURACY,
            PARTIALS,
            LENGTH,
            optional("linear_density", "kg/m", "radius and density hold", "ρA, mass per length"),
            Parameter {
                name: "radius",
                takes: Takes::Number("m", Range { min: 5e-5, max: 0.05, open: false }),
                absent: Absent::Optional("linear_density must be given"),
                doc: "r of a round core",
            },
            DENSITY,
            optional("wave_speed", "m/s", "tension or frequency must be given", "c = √(τ/ρA)"),
            optional("tension", "N", "wave_speed or frequency must be given", "τ"),
            optional(
                "frequency",
                "Hz",
                "wave_speed or tension must be given",
                "c/2L: the fundamental of the same string without stiffness",
            ),
            Parameter {
                name: "stiffness",
                takes: Takes::Number("m^2/s", Range::NOT_NEGATIVE),
                absent: Absent::Optional("0, unless youngs_modulus is given"),
                doc: "κ = √(EI/ρA)",
            },
            optional("youngs_modulus", "Pa", "stiffness holds", "E, with radius: EI = Eπr⁴/4"),
            Parameter {
                name: "inharmonicity",
                takes: Takes::Number("", Range::NOT_NEGATIVE),
                absent: Absent::Optional("stiffness or youngs_modulus holds"),
                doc: "B = π²EI/τL²: partial j lies at j·c/2L·√(1 + Bj²)",
            },
            STRING_LOSS,
            end("left", "hinged"),
            end("right", "hinged"),
            Parameter {
                name: "slope",
                takes: Takes::Word(&["forward", "central"]),
                absent: Absent::Word("forward"),
                doc: "the discrete u_x²: ((δ₊u)² + (δ₋u)²)/2, or ((δ₊u + δ₋u)/2)² (slower to converge)",
            },
        ],
    },
    make: |values: &Values| {
        if !modal_grid::wanted(values)? {
            return Ok(Box::new(on_grid(values)?));
        }
        let (string, law) = read(values)?;
        let frequency = |k| string.partial(k).unwrap_or(0.0);
        let (modes, intervals) = modal_grid::counts(values, frequency)?;
        Ok(Box::new(string.by_modes(modes, intervals)?.following(law.as_ref())))
    },
};

const fn optional(
    name: &'static str,
    unit: &'static str,
    otherwise: &'static str,
    doc: &'static str,
) -> Parameter {
    Parameter { name, takes: Takes::Number(unit, Range::POSITIVE), absent: Absent::Optional(otherwise), doc }
}

/// The string, and the law of its losses where that needs modes.
fn read(values: &Values) -> Result<(StiffString, Option<Law>), Complaint> {
    let length = values.required("length")?;
    let number = |name| values.number(name);
    let density = match (number("linear_density"), number("radius")) {
        (Some(density), _) => density,
        (None, Some(radius)) => values.required("density")? * PI * radius * radius,
        (None, None) => return Err(Complaint::new("linear_density", "or radius must be given")),
    };
    // The tension that is given is used as it is: τ → c → τ would round it.
    let by_speed = |speed: f64| (speed, density * speed * speed);
    let (speed, tension) = match ["wave_speed", "tension", "frequency"].map(number) {
        [Some(speed), None, None] => by_speed(speed),
        [None, Some(tension), None] => ((tension / density).sqrt(), tension),
        [None, None, Some(frequency)] => by_speed(2.0 * length * frequency),
        _ => {
            let message = "or tension or frequency must be given, and only one of them";
            return Err(Complaint::new("wave_speed", message));
        }
    };
    let bending = match ["stiffness", "youngs_modulus", "inharmonicity"].map(number) {
        [None, None, None] => 0.0,
        [Some(kappa), None, None] => kappa * kappa * density,
        [None, Some(modulus), None] => match number("radius") {
            Some(radius) => modulus * PI * math::powi(radius, 4) / 4.0,
            None => return Err(Complaint::new("youngs_modulus", "needs the radius as well")),
        },
        [None, None, Some(b)] => b * (speed * length / PI).powi(2) * density,
        _ => {
            let message = "or youngs_modulus or inharmonicity may be given, but only one of them";
            return Err(Complaint::new("stiffness", message));
        }
    };
    let loss = values.table("loss");
    let wire = Wire { density, tension, bending };
    let law = Law::read(loss, Some(wire), modal_grid::wanted(values)?)?;
    let (d1, d3) = match law {
        None => losses(loss, speed * speed, bending / density)?,
        Some(_) => (0.0, 0.0),
    };
    let ends = ["left", "right"].map(|end| End::read(values.word(end)));
    let string = StiffString::new(length, density, tension)?.stiff(bending)?.damped(d1, d3)?;
    Ok((string.held(ends), law))
}

/// The string on the grid that its values ask for.
fn on_grid(values: &Values) -> Result<TransverseGrid, Complaint> {
    let (string, _) = read(values)?;
    let slope = if values.word("slope") == Some("central") { Slope::Central } else { Slope::Forward };
    let (length, c2, kappa2) = (values.required("length")?, string.c2(), string.kappa2());
    let frequency = |slope: f64, k: f64| (c2 * slope * slope + kappa2 * math::powi(k, 4)).sqrt();
    let frequencies = |n: usize, p: usize| {
        let (k, step) = (p as f64 * PI / length, length / n as f64);
        let s = grid::lattice_wave(k, step);
        (frequency(if slope == Slope::Central { math::sin(k * step) / step } else { s }, s), frequency(k, k))
    };
    Ok(string.on_grid(grid::intervals(values, frequencies)?)?.with_slope(slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(numbers: &[(&'static str, f64)]) -> Values {
        let mut values = Values::defaults(ENTRY.kind.parameters);
        values.numbers.extend(numbers.iter().copied());
        values
    }

    #[test]
    fn alternatives_are_the_same_string() {
        let by = |more: &[(&'static str, f64)]| {
            let all = [&[("length", 0.5), ("linear_density", 4e-3)], more].concat();
            read(&values(&all)).map(|(string, _)| string)
        };
        let string = by(&[("tension", 160.0)]).unwrap();
        assert_eq!(by(&[("wave_speed", 200.0)]).unwrap(), string);
        assert_eq!(by(&[("frequency", 200.0)]).unwrap(), string);
        // B = π²EI/τL² and κ² = EI/ρA.
        let stiff = by(&[("tension", 160.0), ("inharmonicity", 1e-4)]).unwrap().kappa2();
        assert!((stiff / (1e-4 * (200.0 * 0.5 / PI).powi(2)) - 1.0).abs() < 4.0 * f64::EPSILON);
        assert_eq!(by(&[]).unwrap_err().parameter, "wave_speed");
        let massless = read(&values(&[("length", 1.0), ("tension", 1.0)]));
        assert_eq!(massless.unwrap_err().parameter, "linear_density");
    }

    /// The tension used is the tension given, also where the wave speed and its square round it.
    #[test]
    fn a_given_tension_is_used_to_the_bit() {
        for (density, tension) in [(1e-3, 100.0), (5e-3, 500.0), (6.69e-3, 180.5), (31.6e-3, 160.0)] {
            let all = [("length", 1.0), ("linear_density", density), ("tension", tension)];
            assert_eq!(read(&values(&all)).unwrap().0.tension(), tension);
            // The numbers are such that the way by the wave speed would not give it back.
            assert_ne!(density * (tension / density).sqrt().powi(2), tension);
        }
    }

    /// 1 cent: π²m²/(24N²) of the frequency of an ideal string, 4 partials.
    #[test]
    fn accuracy_chooses_the_grid() {
        let string =
            on_grid(&values(&[("length", 0.5), ("linear_density", 4e-3), ("tension", 160.0)])).unwrap();
        let exact = (PI * PI * 16.0 / 24.0 / ((1.0_f64 / 1200.0).exp2() - 1.0)).sqrt();
        let n = string.grid.intervals as f64;
        assert!((n - exact).abs() <= 1.0, "{n} {exact}");
    }
}
