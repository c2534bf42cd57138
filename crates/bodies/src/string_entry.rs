//! What a scene may say of a string, and what becomes of it.
//!
//!   τ = ρA c²,   c = 2L f,   ρA = ρπr²,   EI = κ²ρA = Eπr⁴/4 = B τL²/π²
//!
//! EA = Eπr² is that of the core, where it is not given by itself.
//!
//! f is the frequency of the same string without stiffness and losses, `ideal_frequency`. Of `frequency` or `pitch`, at which
//! the first partial sounds, the tension follows (`pitched.rs`).

use crate::{
    built::Built,
    ends::End,
    finite_difference::transverse::Slope,
    grid::{self, ACCURACY, FINENESS, INTERVALS_OF_EITHER, PARTIALS},
    losses::losses,
    modal_grid::{self, MODES, OF_MODES},
    modal_losses::{self, Law, STRING_LOSS, Wire},
    mode_slopes,
    numerical::Numerical,
    parameters::{DENSITY, LENGTH, METHOD, end},
    pitched::{self, FINEST, FINEST_BENT, FREQUENCY, PITCH, Unknown},
    stretching::{self, TENSION_MODULATION},
    string::StiffString,
};
use hamiltone_core::{
    body::Body,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
};
use hamiltone_numerics::math::{self, square};
use std::f64::consts::PI;

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "string",
        summary: "stiff string with losses, by tension, wave speed or frequency",
        equation: "ρA u_tt = (τ + Δτ) u_xx − EI u_xxxx − ρA d₁ u_t + ρA d₃ u_txx + f,  c² = τ/ρA,  κ² = EI/ρA,  Δτ = (EA/L) ½∫u_x² dx",
        source: "I18 (1), (6)–(9); C19 (66) with κ = 0; Δτ of Kirchhoff 1876 and Carrier 1945, with tension_modulation",
        parameters: &[
            METHOD,
            MODES,
            INTERVALS_OF_EITHER,
            ACCURACY,
            PARTIALS,
            LENGTH,
            alternative("linear_density", Role::LinearDensity, "ρA, mass per length"),
            Parameter {
                name: "radius",
                takes: Takes::Number(Role::Length, Range { min: 5e-5, max: 0.05, open: false }),
                absent: Absent::Rule,
                doc: "r of a round core: ρA = ρπr², EI = Eπr⁴/4",
            },
            DENSITY,
            alternative("tension", Role::Tension, "τ"),
            alternative("wave_speed", Role::WaveSpeed, "c = √(τ/ρA)"),
            FREQUENCY,
            PITCH,
            alternative(
                "ideal_frequency",
                Role::Frequency,
                "c/2L: the first partial of the same string without stiffness and losses, between ends that are held",
            ),
            Parameter {
                takes: Takes::Number(Role::StiffnessCoefficient, Range::NOT_NEGATIVE),
                ..alternative("stiffness", Role::StiffnessCoefficient, "κ = √(EI/ρA); 0 unless given")
            },
            alternative("youngs_modulus", Role::Modulus, "E, with radius: EI = Eπr⁴/4"),
            Parameter {
                takes: Takes::Number(Role::Number, Range::NOT_NEGATIVE),
                ..alternative(
                    "inharmonicity",
                    Role::Number,
                    "B = π²EI/τL²: partial j lies at j·c/2L·√(1 + Bj²)",
                )
            },
            STRING_LOSS,
            end("left", "hinged"),
            end("right", "hinged"),
            TENSION_MODULATION,
            Parameter {
                name: "longitudinal_modes",
                takes: Takes::Number(Role::Count, Range { min: 0.0, max: 64.0, open: false }),
                absent: Absent::Optional("none"),
                doc: "how many longitudinal modes, of m/2L √(EA/ρA), take part: what they reach of about 8 kHz makes the phantom partials of a bass string",
            },
            Parameter {
                name: "longitudinal_quality",
                takes: Takes::Number(Role::Number, Range { min: 1.0, max: 1e5, open: false }),
                absent: Absent::Number(300.0),
                doc: "their quality factor",
            },
            alternative(
                "axial_stiffness",
                Role::Tension,
                "EA of the core against stretching, with tension_modulation; with youngs_modulus it is Eπr² unless given",
            ),
            Parameter {
                name: "slope",
                takes: Takes::Word(&["forward", "central"]),
                absent: Absent::Word("forward"),
                doc: "the discrete u_x²: ((δ₊u)² + (δ₋u)²)/2, or ((δ₊u + δ₋u)/2)² (slower to converge)",
            },
        ],
        rules: &[
            Rule::AnyOf(&["linear_density", "radius"]),
            Rule::Unused { parameter: "density", beside: "linear_density", unless: None },
            Rule::Unused { parameter: "radius", beside: "linear_density", unless: Some("youngs_modulus") },
            Rule::OneOf(TENSION),
            Rule::Formerly { parameter: "frequency", meant: "ideal_frequency" },
            Rule::OneOf(BENDING),
            Rule::Needs { parameter: "youngs_modulus", needs: &["radius"] },
            FINENESS,
            OF_MODES,
            Rule::OnlyWith {
                parameters: &["loss.quality", "tension_modulation"],
                key: "method",
                word: "modal",
            },
            Rule::OnlyWith {
                parameters: &["axial_stiffness", "longitudinal_modes", "longitudinal_quality"],
                key: "tension_modulation",
                word: "true",
            },
            Rule::Needs { parameter: "longitudinal_quality", needs: &["longitudinal_modes"] },
            Rule::OnlyWith {
                parameters: &["accuracy", "accuracy_partials", "slope"],
                key: "method",
                word: "finite-difference",
            },
        ],
    },
    make: |values: &Values| {
        let Some(request) = pitched::requested(values) else { return Ok(build(values)?.body) };
        let length = values.required("length")?;
        let start = density(values)? * square(2.0 * length * request.frequency);
        let range = Range::POSITIVE;
        let tension = Unknown { name: "tension", unit: "N", range, start, power: 0.5 };
        let (about, _) = read(&values.clone().with("tension", start))?;
        pitched::solve(values, request, tension, finest(&about, length), build)
    },
};

/// The finest grid on which the first partial is computed: so fine that the bending near clamped ends, over about √(EI/τ), is
/// resolved, and so coarse that the first eigenvalue is not hidden by roundings of the largest, which bending makes large:
///
///   (16κ²N⁴/L⁴)/(π²c²/L²) ≤ 10¹⁰
fn finest(string: &StiffString, length: f64) -> usize {
    let layer2 = string.kappa2() / (string.c2() * square(length));
    let most = (1e10 * square(PI) / (16.0 * layer2)).sqrt().sqrt();
    most.clamp(FINEST_BENT as f64, FINEST as f64) as usize
}

/// The string whose tension is known.
fn build(values: &Values) -> Result<Built, Complaint> {
    let (string, law) = read(values)?;
    if !(modal_grid::wanted(values) && string.is_simply_supported()) {
        if stretching::wanted(values) {
            let message = "is there for strings by their modes between hinged ends alone";
            let help = "write method = \"modal\", left = \"hinged\" and right = \"hinged\", or leave it out";
            return Err(Complaint::new(TENSION_MODULATION.name, message).help(help));
        }
        return on_grid(values, string, law);
    }
    let frequency = |k| string.partial(k).unwrap_or(0.0);
    let (modes, intervals) = modal_grid::counts(values, frequency)?;
    Ok(Built::exact(string.by_modes(modes, intervals)?.following(law.as_ref())))
}

/// One of several ways to state the same.
const fn alternative(name: &'static str, role: Role, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Number(role, Range::POSITIVE), absent: Absent::Rule, doc }
}

/// τ.
const TENSION: OneOf = OneOf {
    states: "the tension",
    alternatives: &[&["tension"], &["wave_speed"], &["frequency"], &["pitch"], &["ideal_frequency"]],
    required: true,
};

/// EI.
const BENDING: OneOf = OneOf {
    states: "the bending stiffness",
    alternatives: &[&["stiffness"], &["youngs_modulus"], &["inharmonicity"]],
    required: false,
};

/// ρA.
fn density(values: &Values) -> Result<f64, Complaint> {
    if let Some(density) = values.number("linear_density") {
        return Ok(density);
    }
    let radius = values.required("radius")?;
    Ok(values.required("density")? * PI * radius * radius)
}

/// The string, and the law of its losses where that needs modes.
fn read(values: &Values) -> Result<(StiffString, Option<Law>), Complaint> {
    let number = |name| values.required(name);
    let length = number("length")?;
    let density = density(values)?;
    // What is given is used as it is, and only the other is derived: a tension squared from its own wave speed would
    // differ from it by a rounding.
    let by_speed = |speed: f64| (density * speed * speed, speed * speed);
    let (tension, c2) = match values.one_of(&TENSION) {
        Some("wave_speed") => by_speed(number("wave_speed")?),
        Some("ideal_frequency") => by_speed(2.0 * length * number("ideal_frequency")?),
        _ => {
            let tension = number("tension")?;
            (tension, tension / density)
        }
    };
    let bending = match values.one_of(&BENDING) {
        Some("youngs_modulus") => {
            let square = number("radius")? * number("radius")?;
            number("youngs_modulus")? * PI * (square * square) / 4.0
        }
        Some("inharmonicity") => {
            let wave_number = PI / length;
            number("inharmonicity")? * tension / (wave_number * wave_number)
        }
        Some(_) => {
            let kappa = number("stiffness")?;
            kappa * kappa * density
        }
        None => 0.0,
    };
    let loss = values.table("loss");
    let ends = ["left", "right"].map(|end| End::read(values.word(end)));
    let modal = modal_grid::wanted(values);
    let (wire, kappa2) = (Some(Wire { density, tension, bending }), bending / density);
    let (law, [d1, d3]) = if modal {
        modal_losses::read(loss, wire, c2, kappa2, ends != [End::Hinged; 2])?
    } else {
        Law::read(loss, wire, false)?;
        let (d1, d3) = if ends == [End::Hinged; 2] || kappa2 == 0.0 {
            losses(loss, c2, kappa2)?
        } else {
            let string = StiffString::new(length, density, tension)?.stiff(bending)?.damped(0.0, 1.0)?;
            mode_slopes::losses(loss, |n| string.with_ends(ends).on_grid(n))?
        };
        (None, [d1, d3])
    };
    let string = StiffString::new(length, density, tension)?.stiff(bending)?.damped(d1, d3)?.with_ends(ends);
    if !stretching::wanted(values) {
        return Ok((string, law));
    }
    let string = string.elastic(axial_stiffness(values)?)?;
    let modes = values.count("longitudinal_modes").unwrap_or(0);
    Ok((if modes > 0 { string.longitudinal(modes, number("longitudinal_quality")?)? } else { string }, law))
}

/// EA.
fn axial_stiffness(values: &Values) -> Result<f64, Complaint> {
    let missing = || {
        Complaint::new(
            TENSION_MODULATION.name,
            "needs `axial_stiffness`, or `youngs_modulus` and `radius` of the core",
        )
    };
    match (values.number("axial_stiffness"), values.number("youngs_modulus")) {
        (Some(stiffness), _) => Ok(stiffness),
        (None, Some(modulus)) => Ok(modulus * PI * square(values.required("radius")?)),
        (None, None) => Err(missing()),
    }
}

/// The string on the grid that its values ask for, or by the modes of that.
fn on_grid(values: &Values, string: StiffString, law: Option<Law>) -> Result<Built, Complaint> {
    let slope = if values.word("slope") == Some("central") { Slope::Central } else { Slope::Forward };
    let length = values.required("length")?;
    Numerical {
        coordinates: 1,
        accurate: || intervals(values, &string, slope),
        // Those between simply supported ends.
        frequency: |k| frequency(&string, [k as f64 * PI / length; 2]) / (2.0 * PI),
        grid: |n| Ok(string.on_grid(n)?.with_slope(slope)),
        law,
    }
    .read(values)
}

/// √(c²s² + κ²k⁴), rad/s, of a wave whose slope has the wave number s and whose bending k.
fn frequency(string: &StiffString, [slope, wave]: [f64; 2]) -> f64 {
    (string.c2() * slope * slope + string.kappa2() * math::powi(wave, 4)).sqrt()
}

/// N.
fn intervals(values: &Values, string: &StiffString, slope: Slope) -> Result<usize, Complaint> {
    let length = values.required("length")?;
    grid::intervals(values, |n: usize, p: usize| {
        let (k, step) = (p as f64 * PI / length, length / n as f64);
        let s = grid::lattice_wave(k, step);
        let sloped = if slope == Slope::Central { math::sin(k * step) / step } else { s };
        (frequency(string, [sloped, s]), frequency(string, [k, k]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::parameter::Complaints;

    fn values(numbers: &[(&'static str, f64)]) -> Values {
        let mut values = Values::defaults(ENTRY.kind.parameters);
        numbers.iter().for_each(|&(name, x)| values.set(name, x));
        values
    }

    /// The string that these values ask for, where they keep the rules.
    fn made(numbers: &[(&'static str, f64)]) -> Result<StiffString, Complaints> {
        let values = values(numbers);
        ENTRY.build(&values)?;
        Ok(read(&values)?.0)
    }

    #[test]
    fn alternatives_are_the_same_string() {
        let by = |more: &[(&'static str, f64)]| {
            made(&[&[("length", 0.5), ("intervals", 40.0), ("linear_density", 4e-3)], more].concat())
        };
        let string = by(&[("tension", 160.0)]).unwrap();
        assert_eq!(by(&[("wave_speed", 200.0)]).unwrap(), string);
        assert_eq!(by(&[("ideal_frequency", 200.0)]).unwrap(), string);
        // B = π²EI/τL² and κ² = EI/ρA.
        let stiff = by(&[("tension", 160.0), ("inharmonicity", 1e-4)]).unwrap().kappa2();
        assert!((stiff / (1e-4 * (200.0 * 0.5 / PI).powi(2)) - 1.0).abs() < 4.0 * f64::EPSILON);
    }

    /// The tension used is the tension given, also where the wave speed and its square round it.
    #[test]
    fn a_given_tension_is_used_to_the_bit() {
        for (density, tension) in [(1e-3, 100.0), (5e-3, 500.0), (6.69e-3, 180.5), (31.6e-3, 160.0)] {
            let string = made(&[("length", 1.0), ("linear_density", density), ("tension", tension)]);
            assert_eq!(string.unwrap().tension(), tension);
            // The numbers are such that the way by the wave speed would not give it back.
            assert_ne!(density * (tension / density).sqrt().powi(2), tension);
        }
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let wrong = made(&[("wave_speed", 1.0), ("tension", 1.0), ("youngs_modulus", 1e9), ("modes", 9.0)]);
        let said: Vec<String> = wrong.unwrap_err().0.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "length is missing",
                "needs linear_density (kg/m) or radius (m)",
                "wave_speed and `tension` both state the tension; give one of them",
                "youngs_modulus needs `radius` as well; add `radius`, or leave `youngs_modulus` out",
                "modes has an effect only with method = \"modal\"; add method = \"modal\", or leave `modes` out",
            ]
        );
    }

    /// Each of these was used while the other was silently ignored.
    #[test]
    fn what_has_no_effect_is_refused() {
        let string = [("length", 0.5), ("tension", 100.0)];
        let refused = |more: &[(&'static str, f64)]| {
            made(&[&string, more].concat()).unwrap_err().0[0].parameter.clone()
        };
        assert_eq!(refused(&[("linear_density", 1e-3), ("density", 7800.0)]), "density");
        assert_eq!(refused(&[("linear_density", 1e-3), ("radius", 1e-3)]), "radius");
        assert_eq!(refused(&[("radius", 1e-3), ("intervals", 40.0), ("accuracy", 2.0)]), "accuracy");
        let core = [("linear_density", 5e-3), ("radius", 2e-4), ("youngs_modulus", 2e11)];
        assert!(made(&[&string[..], &core].concat()).is_ok());
    }

    /// 1 cent: π²m²/(24N²) of the frequency of an ideal string, 4 partials.
    #[test]
    fn accuracy_chooses_the_grid() {
        let values = values(&[("length", 0.5), ("linear_density", 4e-3), ("tension", 160.0)]);
        let (string, _) = read(&values).unwrap();
        let exact = (PI * PI * 16.0 / 24.0 / ((1.0_f64 / 1200.0).exp2() - 1.0)).sqrt();
        let n = intervals(&values, &string, Slope::Forward).unwrap() as f64;
        assert!((n - exact).abs() <= 1.0, "{n} {exact}");
    }
}
