//! The circular membrane, fixed at its rim.
//!
//!   ρh u_tt = T ∇²u − ρh d₁ u_t + ρh d₃ ∇²u_t + f
//!   φ_ns = J_n(j_ns r/R) cos nθ / max J_n, for n > 0 also with sin nθ,   f_ns = j_ns c/2πR,   c² = T/ρh
//!   m_ns = ρhπR² J_(n+1)(j_ns)² / (max J_n)², half of it for n > 0,   J_n(j_ns) = 0
//!
//! where nothing moves along; with the air of `air_load.rs` its mass per area is more than ρh, and another for each mode.
//! u (m) displacement, ρ (kg/m³) density, h (m) thickness, T (N/m) tension, R (m) radius, d₁ (1/s) and d₃ (m²/s) losses,
//! f (N/m²) force (Rayleigh 1894, §§200–206).

use crate::{
    air_load::{self, AIR, DEPTH, Surroundings},
    bessel,
    built::Built,
    losses::LOSS,
    modal::{
        Modal, Mode, Shapes,
        disc::{Disc, Drum},
        sampling,
    },
    modal_losses,
    parameters::{DENSITY, sized},
    pitched::{self, FINEST, FREQUENCY, PITCH, Unknown},
    stretching::{self, Stretching, TENSION_MODULATION},
    surface::{self, MODES},
};
use hamiltone_core::{
    body::Body,
    geometry::{Geometry, Surface},
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
};
use hamiltone_numerics::math::{jn, square};
use std::{
    f64::consts::{PI, TAU},
    sync::Arc,
};

/// The physics of a membrane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membrane {
    /// R, m.
    radius: f64,
    /// ρh, kg/m².
    density: f64,
    /// T, N/m.
    tension: f64,
    /// 1/s.
    d1: f64,
    /// m²/s.
    d3: f64,
    /// Eh/(1 − ν²), N/m; 0 where the tension stays as it is.
    axial: f64,
    /// The air that it moves.
    air: Surroundings,
}

impl Membrane {
    /// A lossless membrane: R (m), ρh (kg/m²), T (N/m).
    ///
    /// ```
    /// use hamiltone_bodies::Membrane;
    /// use std::f64::consts::TAU;
    ///
    /// // f = j c/2πR with j = 2.404826, 3.831706 (twice), 5.135622 (twice), 5.520078.
    /// let membrane = Membrane::new(1.0 / TAU, 0.25, 0.25)?.by_modes(6)?;
    /// for (mode, j) in membrane.modes().iter().zip([2.404826, 3.831706, 3.831706, 5.135622, 5.135622, 5.520078]) {
    ///     assert!((mode.omega / TAU - j).abs() < 1e-6);
    /// }
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn new(radius: f64, density: f64, tension: f64) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        Ok(Self {
            radius: positive("radius", radius)?,
            density: positive("surface_density", density)?,
            tension: positive("tension", tension)?,
            d1: 0.0,
            d3: 0.0,
            axial: 0.0,
            air: Surroundings::Vacuum,
        })
    }

    /// The same membrane with losses d₁ ≥ 0 (1/s) and d₃ ≥ 0 (m²/s).
    ///
    /// # Errors
    /// A [`Complaint`] where one is negative.
    pub fn damped(self, d1: f64, d3: f64) -> Result<Self, Complaint> {
        let check = |name, d| Range::NOT_NEGATIVE.check(name, d);
        Ok(Self { d1: check("d1", d1)?, d3: check("d3", d3)?, ..self })
    }

    /// The same membrane with a stiffness Eh/(1 − ν²) > 0 against stretching, N/m, so that its tension grows with its amplitude ([`crate::stretching`]).
    ///
    /// # Errors
    /// A [`Complaint`] where it is not positive.
    pub fn elastic(self, axial: f64) -> Result<Self, Complaint> {
        Ok(Self { axial: Range::POSITIVE.check("axial_stiffness", axial)?, ..self })
    }

    /// The same membrane in the air, on both sides.
    #[must_use]
    pub fn in_air(self) -> Self {
        Self { air: Surroundings::Open, ..self }
    }

    /// The same membrane with the air of a room above it and a rigid cylinder of the depth d > 0 (m) below it, without the spring of its air.
    ///
    /// # Errors
    /// A [`Complaint`] where the depth is not positive.
    pub fn closed_in(self, depth: f64) -> Result<Self, Complaint> {
        Ok(Self { air: Surroundings::Closed(Range::POSITIVE.check("depth", depth)?), ..self })
    }

    /// The membrane by its modes with the lowest j_ns, so many.
    ///
    /// # Errors
    /// A [`Complaint`] where there are none or too many.
    pub fn by_modes(&self, modes: usize) -> Result<Modal, Complaint> {
        surface::check(modes)?;
        let Self { radius, density, tension, d1, d3, axial, air } = *self;
        let circle = bessel::circle(modes);
        let highest = circle.iter().map(|mode| mode.0).max().unwrap_or(0);
        let largest: Vec<f64> = (0..=highest).map(bessel::largest).collect();
        let waves: Vec<(usize, f64)> = circle.iter().map(|(order, zero, _)| (*order, *zero)).collect();
        let moving = air.modes(&waves, radius, density, tension);
        let mode = |((order, zero, odd), (omega, moved))| {
            let drum = Drum { order, zero, odd, largest: largest[order] };
            let area = PI * radius * radius * if order == 0 { 1.0 } else { 0.5 };
            let mass = density * area * square(jn(order as i32 + 1, zero) / drum.largest);
            let sigma = 0.5 * (d1 + d3 * square(zero / radius));
            (drum, mass / density, Mode { mass: mass * (moved / density), omega, sigma })
        };
        let mut all: Vec<(Drum, f64, Mode)> = circle.into_iter().zip(moving).map(mode).collect();
        // Air slows long waves more than short ones.
        all.sort_by(|a, b| a.2.omega.total_cmp(&b.2.omega));
        let (shapes, (norms, modes)): (_, (Vec<f64>, Vec<Mode>)) =
            all.into_iter().map(|(drum, norm, mode)| (drum, (norm, mode))).unzip();
        let shapes = Disc { radius, shapes };
        let surface = Surface::Disc { radius };
        let gradient = |(drum, norm): (&Drum, &f64)| norm * square(drum.zero / radius);
        let gradients = || shapes.shapes.iter().zip(&norms).map(gradient).collect();
        let stretching = || Stretching {
            modulus: axial / (PI * radius * radius),
            rest: tension,
            gradients: gradients(),
            longitudinal: None,
        };
        Ok(Modal {
            geometry: Geometry::Surface(surface),
            intervals: sampling::intervals(surface, shapes.half_wavelength()),
            stretching: (axial > 0.0).then(stretching),
            airy: Arc::default(),
            norms,
            modes,
            shapes: Arc::new(shapes),
            force: None,
        })
    }
}

/// ρh.
const MASS: OneOf = OneOf {
    states: "the mass",
    alternatives: &[&["thickness", "density"], &["surface_density"]],
    required: true,
};

/// T.
const TENSION: OneOf = OneOf {
    states: "the tension",
    alternatives: &[&["tension"], &["frequency"], &["pitch"], &["undamped_frequency"]],
    required: true,
};

/// Eh/(1 − ν²).
const STRETCHING: Rule = Rule::OneOf(OneOf {
    states: "the stiffness against stretching",
    alternatives: &[&["axial_stiffness"], &["youngs_modulus"]],
    required: false,
});

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "membrane",
        summary: "circular membrane fixed at its rim, by its modes: a drum head, in a vacuum unless air is given",
        equation: "ρh u_tt = (T + ΔT) ∇²u − ρh d₁ u_t + ρh d₃ ∇²u_t + f,  ΔT = Eh/((1 − ν²)S) ½∫|∇u|² dS",
        source: "Rayleigh 1894, §§200–206; ΔT of Berger 1955, with tension_modulation",
        parameters: &[
            MODES,
            sized("radius", 1e-3, 100.0, "R"),
            Parameter { absent: Absent::Rule, ..sized("thickness", 1e-6, 0.01, "h") },
            Parameter { absent: Absent::Number(1380.0), doc: "ρ; Mylar unless given", ..DENSITY },
            Parameter {
                name: "surface_density",
                takes: Takes::Number(Role::SurfaceDensity, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "ρh, in place of thickness and density",
            },
            Parameter {
                name: "tension",
                takes: Takes::Number(Role::SurfaceTension, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "T, per length of a cut",
            },
            Parameter {
                doc: "the frequency at which the lowest mode sounds, with losses; over enclosed air the mode (1,1)",
                ..FREQUENCY
            },
            Parameter {
                doc: "the note at which the lowest mode sounds, or (1,1), in place of frequency",
                ..PITCH
            },
            Parameter {
                name: "undamped_frequency",
                takes: Takes::Number(Role::Frequency, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "2.4048 c/2πR: of the lowest mode without losses, in a vacuum",
            },
            LOSS,
            AIR,
            DEPTH,
            TENSION_MODULATION,
            Parameter {
                name: "axial_stiffness",
                takes: Takes::Number(Role::SurfaceTension, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "Eh/(1 − ν²) against stretching, with tension_modulation",
            },
            Parameter {
                name: "youngs_modulus",
                takes: Takes::Number(Role::Modulus, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "E, in place of axial_stiffness, with thickness: of Mylar 3.5 to 5 GPa",
            },
            Parameter {
                name: "poisson_ratio",
                takes: Takes::Number(Role::Number, Range { min: 0.0, max: 0.5, open: false }),
                absent: Absent::Number(0.35),
                doc: "ν, with youngs_modulus",
            },
        ],
        rules: &[
            STRETCHING,
            air_load::RULE,
            Rule::Needs { parameter: "youngs_modulus", needs: &["thickness"] },
            Rule::Needs { parameter: "poisson_ratio", needs: &["youngs_modulus"] },
            Rule::OnlyWith {
                parameters: &["axial_stiffness", "youngs_modulus"],
                key: "tension_modulation",
                word: "true",
            },
            Rule::OneOf(TENSION),
            Rule::OneOf(MASS),
            Rule::Formerly { parameter: "frequency", meant: "undamped_frequency" },
        ],
    },
    make: |values: &Values| {
        let Some(request) = pitched::requested(values) else { return Ok(build(values)?.body) };
        let start = density(values)? * square(speed(values, request.frequency)?);
        let range = Range::POSITIVE;
        let tension = Unknown { name: "tension", unit: "N/m", range, start, power: 0.5 };
        match Surroundings::read(values)? {
            Surroundings::Closed(_) => pitched::solve_partial(values, request, tension, 2, build),
            _ => pitched::solve(values, request, tension, FINEST, build),
        }
    },
};

/// ρh.
fn density(values: &Values) -> Result<f64, Complaint> {
    match values.number("surface_density") {
        Some(density) => Ok(density),
        None => Ok(values.required("density")? * values.required("thickness")?),
    }
}

/// Eh/(1 − ν²).
fn axial_stiffness(values: &Values) -> Result<f64, Complaint> {
    if let Some(stiffness) = values.number("axial_stiffness") {
        return Ok(stiffness);
    }
    let Some(modulus) = values.number("youngs_modulus") else {
        return Err(Complaint::new(
            "tension_modulation",
            "needs `youngs_modulus` with `thickness`, or `axial_stiffness`; add axial_stiffness = \"400 kN/m\"",
        ));
    };
    Ok(modulus * values.required("thickness")? / (1.0 - square(values.required("poisson_ratio")?)))
}

/// c for the frequency of the lowest mode without losses, Hz.
fn speed(values: &Values, frequency: f64) -> Result<f64, Complaint> {
    Ok(frequency * TAU * values.required("radius")? / bessel::circle(1)[0].1)
}

/// The membrane whose tension is known.
fn build(values: &Values) -> Result<Built, Complaint> {
    let (radius, density) = (values.required("radius")?, density(values)?);
    let air = Surroundings::read(values)?;
    // A tension that is given is used as it is, not squared from its own wave speed.
    let (tension, speed) = match values.one_of(&TENSION) {
        Some("undamped_frequency") if air != Surroundings::Vacuum => {
            let message = "is that of a membrane in a vacuum, and this one moves air";
            let help = "write frequency, at which it sounds, or tension";
            return Err(Complaint::new("undamped_frequency", message).help(help));
        }
        Some("undamped_frequency") => {
            let speed = speed(values, values.required("undamped_frequency")?)?;
            (density * speed * speed, speed)
        }
        _ => {
            let tension = values.required("tension")?;
            (tension, (tension / density).sqrt())
        }
    };
    let frequencies =
        |most| bessel::circle(most).into_iter().map(|(_, j, _)| j * speed / (TAU * radius)).collect();
    let modes = surface::count(values, frequencies);
    // d₁ and d₃ of two decay times would be those at the frequencies of a vacuum: a head that moves air follows them mode by mode.
    let by_frequency = air != Surroundings::Vacuum;
    let (law, [d1, d3]) = modal_losses::read(values.table("loss"), None, speed * speed, 0.0, by_frequency)?;
    let mut membrane = Membrane { air, ..Membrane::new(radius, density, tension)?.damped(d1, d3)? };
    if stretching::wanted(values) {
        membrane = membrane.elastic(axial_stiffness(values)?)?;
    }
    Ok(Built::exact(membrane.by_modes(modes)?.following(law.as_ref())))
}
