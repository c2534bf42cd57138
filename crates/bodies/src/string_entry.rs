//! What a scene may say of a string, and what becomes of it.
//!
//!   τ = ρA c²,   c = 2L f,   ρA = ρπr²,   EI = κ²ρA = Eπr⁴/4
//!   σ(ω) = 3 ln 10/T₆₀ = (d₁ + d₃k²)/2,   k² = 2ω²/(c² + √(c⁴ + 4κ²ω²))

use crate::{
    grid::{self, ACCURACY, INTERVALS, PARTIALS},
    string::StiffString,
    transverse::{End, Slope},
};
use hamiltone_core::{
    body::Body,
    math,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Takes, Values},
};
use std::f64::consts::{LN_10, PI, TAU};

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "string",
        summary: "stiff string with losses, by tension, wave speed or frequency",
        equation: "ρA u_tt = τ u_xx − EI u_xxxx − ρA d₁ u_t + ρA d₃ u_txx + f,  c² = τ/ρA,  κ² = EI/ρA",
        source: "I18 (1), (6)–(9); C19 (66) with κ = 0",
        parameters: &[
            METHOD,
            INTERVALS,
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
            LOSS,
            end("left"),
            end("right"),
            Parameter {
                name: "slope",
                takes: Takes::Word(&["forward", "central"]),
                absent: Absent::Word("forward"),
                doc: "the discrete u_x²: ((δ₊u)² + (δ₋u)²)/2, or ((δ₊u + δ₋u)/2)² (slower to converge)",
            },
        ],
    },
    make: |values: &Values| Ok(Box::new(read(values)?)),
};

/// How a body is represented.
pub(crate) const METHOD: Parameter = Parameter {
    name: "method",
    takes: Takes::Word(&["finite-difference"]),
    absent: Absent::Word("finite-difference"),
    doc: "its representation: values on the nodes of a grid",
};

/// d₁, d₃ or decay times.
pub(crate) const LOSS: Parameter = Parameter {
    name: "loss",
    takes: Takes::Table(&[
        Parameter {
            name: "d1",
            takes: Takes::Number("1/s", Range::NOT_NEGATIVE),
            absent: Absent::Optional("0, unless t60 is given"),
            doc: "d₁ of −ρA d₁ u_t: e^(−d₁t/2) for every partial (twice Bensa's b₁)",
        },
        Parameter {
            name: "d3",
            takes: Takes::Number("m^2/s", Range::NOT_NEGATIVE),
            absent: Absent::Optional("0, unless t60 is given"),
            doc: "d₃ of +ρA d₃ u_txx: e^(−d₃k²t/2) more at the wave number k (twice Bensa's b₂)",
        },
        Parameter {
            name: "t60",
            takes: Takes::Pairs("Hz", "s"),
            absent: Absent::Optional("d1 and d3 hold"),
            doc: "one or two pairs [frequency, T₆₀]: the times in which such partials fall by 60 dB",
        },
    ]),
    absent: Absent::Optional("no losses"),
    doc: "d₁ and d₃, or decay times at one or two frequencies",
};

/// ρ of a solid: from the lightest wood to osmium.
pub(crate) const DENSITY: Parameter = Parameter {
    name: "density",
    takes: Takes::Number("kg/m^3", Range { min: 200.0, max: 25_000.0, open: false }),
    absent: Absent::Number(7850.0),
    doc: "ρ of the material; steel unless given",
};

/// A length of a cross-section, m, that must be given.
pub(crate) const fn sized(name: &'static str, min: f64, max: f64, doc: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Number("m", Range { min, max, open: false }),
        absent: Absent::Required,
        doc,
    }
}

/// L of a long body: from a millimetre to a kilometre.
pub(crate) const LENGTH: Parameter = Parameter {
    name: "length",
    takes: Takes::Number("m", Range { min: 1e-3, max: 1e3, open: false }),
    absent: Absent::Required,
    doc: "L",
};

pub(crate) const fn optional(
    name: &'static str,
    unit: &'static str,
    otherwise: &'static str,
    doc: &'static str,
) -> Parameter {
    Parameter { name, takes: Takes::Number(unit, Range::POSITIVE), absent: Absent::Optional(otherwise), doc }
}

/// How an end is held.
pub(crate) const fn end(name: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Word(End::WORDS),
        absent: Absent::Word("hinged"),
        doc: "how this end is held: u = u_xx = 0, u = u_x = 0, or not at all",
    }
}

fn read(values: &Values) -> Result<StiffString, Complaint> {
    let length = values.required("length")?;
    let number = |name| values.number(name);
    let density = match (number("linear_density"), number("radius")) {
        (Some(density), _) => density,
        (None, Some(radius)) => values.required("density")? * PI * radius * radius,
        (None, None) => return Err(Complaint::new("linear_density", "or radius must be given")),
    };
    let speed = match ["wave_speed", "tension", "frequency"].map(number) {
        [Some(speed), None, None] => speed,
        [None, Some(tension), None] => (tension / density).sqrt(),
        [None, None, Some(frequency)] => 2.0 * length * frequency,
        _ => {
            let message = "or tension or frequency must be given, and only one of them";
            return Err(Complaint::new("wave_speed", message));
        }
    };
    let bending = match (number("stiffness"), number("youngs_modulus"), number("radius")) {
        (kappa, None, _) => kappa.map_or(0.0, |kappa| kappa * kappa * density),
        (None, Some(modulus), Some(radius)) => modulus * PI * radius.powi(4) / 4.0,
        (None, Some(_), None) => return Err(Complaint::new("youngs_modulus", "needs the radius as well")),
        _ => return Err(Complaint::new("stiffness", "or youngs_modulus may be given, not both")),
    };
    let (d1, d3) = losses(values.table("loss"), speed * speed, bending / density)?;
    let slope = if values.word("slope") == Some("central") { Slope::Central } else { Slope::Forward };
    let ends = ["left", "right"].map(|end| End::read(values.word(end)));
    let string = StiffString::new(length, 16, density, density * speed * speed)?
        .stiff(bending)?
        .damped(d1, d3)?
        .held(ends)
        .slope(slope);
    let (c2, kappa2) = (speed * speed, bending / density);
    let frequency = |slope: f64, k: f64| (c2 * slope * slope + kappa2 * k.powi(4)).sqrt();
    let frequencies = |n: usize, p: usize| {
        let (k, step) = (p as f64 * PI / length, length / n as f64);
        let s = grid::lattice_wave(k, step);
        (frequency(if slope == Slope::Central { math::sin(k * step) / step } else { s }, s), frequency(k, k))
    };
    Ok(string.on(grid::intervals(values, frequencies)?))
}

/// d₁ (1/s) and d₃ (m²/s) for c² and κ².
pub(crate) fn losses(table: Option<&Values>, c2: f64, kappa2: f64) -> Result<(f64, f64), Complaint> {
    let Some(table) = table else { return Ok((0.0, 0.0)) };
    let (d1, d3) = (table.number("d1"), table.number("d3"));
    let Some(pairs) = table.pairs.get("t60") else { return Ok((d1.unwrap_or(0.0), d3.unwrap_or(0.0))) };
    if d1.or(d3).is_some() {
        return Err(Complaint::new("loss", "takes d1 and d3, or t60, not both"));
    }
    if pairs.iter().any(|(f, t)| !(*f > 0.0 && *t > 0.0)) {
        return Err(Complaint::new("loss", "has a t60 that is not two positive numbers, such as [440, 3]"));
    }
    let wave = |f: f64| {
        let w2 = (TAU * f).powi(2);
        2.0 * w2 / (c2 + (c2 * c2 + 4.0 * kappa2 * w2).sqrt())
    };
    let twice = |t: f64| 6.0 * LN_10 / t;
    match pairs.as_slice() {
        [(_, t)] => Ok((twice(*t), 0.0)),
        [(f, t), (g, u)] if f != g => {
            let d3 = (twice(*u) - twice(*t)) / (wave(*g) - wave(*f));
            let d1 = twice(*t) - d3 * wave(*f);
            if d1 < 0.0 || d3 < 0.0 {
                let message = format!(
                    "gives d1 = {d1:.3e} 1/s and d3 = {d3:.3e} m²/s: the higher partial must decay faster, but by no more than k² does"
                );
                return Err(Complaint::new("loss", message));
            }
            Ok((d1, d3))
        }
        _ => Err(Complaint::new(
            "loss",
            "takes a t60 of one or two pairs of different frequencies, such as [[100, 5], [1000, 1]]",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(numbers: &[(&'static str, f64)]) -> Result<StiffString, Complaint> {
        let mut values = Values::defaults(ENTRY.kind.parameters);
        values.numbers.extend(numbers.iter().copied());
        read(&values)
    }

    #[test]
    fn alternatives_are_the_same_string() {
        let by = |more: &[(&'static str, f64)]| {
            made(&[&[("length", 0.5), ("intervals", 40.0), ("linear_density", 4e-3)], more].concat())
        };
        let string = by(&[("tension", 160.0)]).unwrap();
        assert_eq!(by(&[("wave_speed", 200.0)]).unwrap(), string);
        assert_eq!(by(&[("frequency", 200.0)]).unwrap(), string);
        assert_eq!(by(&[]).unwrap_err().parameter, "wave_speed");
        assert_eq!(made(&[("length", 1.0), ("tension", 1.0)]).unwrap_err().parameter, "linear_density");
    }

    /// T₆₀ at two frequencies gives the d₁ and d₃ that give them back.
    #[test]
    fn decay_times_are_losses() {
        let (c2, kappa2) = (329.6_f64.powi(2), 1.25_f64.powi(2));
        let k = [1.0, 8.0].map(|m: f64| m * PI / 0.63);
        let f = k.map(|k| (c2 * k * k + kappa2 * k.powi(4)).sqrt() / TAU);
        let t60 = k.map(|k| 6.0 * LN_10 / (1.1 + 2.7e-4 * k * k));
        let mut table = Values::default();
        table.pairs.insert("t60", vec![(f[0], t60[0]), (f[1], t60[1])]);
        let (d1, d3) = losses(Some(&table), c2, kappa2).unwrap();
        assert!((d1 / 1.1 - 1.0).abs() < 1e-12 && (d3 / 2.7e-4 - 1.0).abs() < 1e-11, "{d1} {d3}");
    }

    /// 1 cent: π²m²/(24N²) of the frequency of an ideal string, 4 partials.
    #[test]
    fn accuracy_chooses_the_grid() {
        let string = made(&[("length", 0.5), ("linear_density", 4e-3), ("tension", 160.0)]).unwrap();
        let exact = (PI * PI * 16.0 / 24.0 / ((1.0_f64 / 1200.0).exp2() - 1.0)).sqrt();
        let n = (0..).find(|&n| string == string.on(n)).unwrap() as f64;
        assert!((n - exact).abs() <= 1.0, "{n} {exact}");
    }
}
