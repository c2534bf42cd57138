//! Air in a tube of any cross-section: Webster's equation, I18 §1.
//!
//!   (ρ/S) ξ_tt = (ρc²/S ξ_x)_x − (ρ/S)γ ξ_t + p_ex,   flow U = ξ_t,   pressure p = −(ρc²/S) ξ_x
//!
//! ξ (m³) the volume displaced through a cross-section S(x) (m²), ρ (kg/m³) and c (m/s) of the air, γ (1/s) damping,
//! p_ex a pressure that pushes at a place. I18 prints S p_t = γu_x, which is ill-posed; with the minus sign it is this.
//! A closed end holds ξ = 0; an open one leaves p = 0. [`Tube::on_grid`] represents it by values on nodes. Partials, with
//! κ = kL and for cones a, b = a + L from the apex to the ends:
//!
//!   open–open              sin κ = 0          cylinder, one end closed   cos κ = 0
//!   cone, closed at a      tan κ = −ka        cone closed at both        (1 + k²ab) tan κ = κ

use crate::{
    built::Built,
    grid::{self, ACCURACY, FINENESS, INTERVALS, PARTIALS},
    modal_grid::{MODES, OF_MODES},
    numerical::Numerical,
    parameters::{DAMPING, LENGTH, LENGTHS, METHOD, sized},
    pitched::{self, FINEST, FREQUENCY, PITCH, Unknown},
    profile,
    root::root,
};
use hamiltone_core::{
    body::Body,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
};
use hamiltone_numerics::math::{cos, sin};
use std::{f64::consts::PI, sync::Arc};

/// r(x), m.
type Radius = Arc<dyn Fn(f64) -> f64 + Send + Sync>;

/// The physics of a tube.
#[derive(Clone)]
pub struct Tube {
    /// L, m.
    pub(crate) length: f64,
    radius: Radius,
    /// The radii at its ends where it is a cylinder or a cone.
    straight: Option<[f64; 2]>,
    /// ρ, kg/m³.
    pub(crate) density: f64,
    /// c, m/s.
    pub(crate) speed: f64,
    /// γ, 1/s.
    pub(crate) damping: f64,
    /// Whether its left and right end are closed.
    pub(crate) closed: [bool; 2],
}

impl Tube {
    /// A lossless cone between two radii (m), a cylinder where they are equal: L (m), in air of 20 °C (1.204 kg/m³,
    /// 343.2 m/s), both ends open.
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn cone(length: f64, radii: [f64; 2]) -> Result<Self, Complaint> {
        radii.iter().try_for_each(|r| Range::POSITIVE.check("radius", *r).map(|_| ()))?;
        let [left, right] = radii;
        Ok(Self {
            length: Range::POSITIVE.check("length", length)?,
            radius: Arc::new(move |x| left + (right - left) * x / length),
            straight: Some(radii),
            density: 1.204,
            speed: 343.2,
            damping: 0.0,
            closed: [false; 2],
        })
    }

    /// The same tube with its left or right end closed.
    #[must_use]
    pub fn closed(self, closed: [bool; 2]) -> Self {
        Self { closed, ..self }
    }

    /// The same tube with the radius r(x) > 0, m.
    #[must_use]
    pub fn shaped(self, radius: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self { radius: Arc::new(radius), straight: None, ..self }
    }

    /// The undamped frequency of partial m, Hz, of a cylinder or a cone.
    pub fn partial(&self, m: usize) -> Option<f64> {
        Some(self.kappa(m)? * self.speed / self.length / (2.0 * PI))
    }

    /// S at x, m².
    pub(crate) fn area(&self, x: f64) -> f64 {
        PI * (self.radius)(x) * (self.radius)(x)
    }

    /// κ = kL of partial m.
    fn kappa(&self, m: usize) -> Option<f64> {
        let [left, right] = self.straight?;
        Some(match self.closed {
            [false, false] => m as f64 * PI,
            [true, true] => {
                let a = left / (right - left);
                let product = if left == right { f64::INFINITY } else { a * (a + 1.0) };
                let f = |k: f64| (1.0 / product + k * k) * sin(k) - k / product * cos(k);
                root(m as f64 * PI, (m as f64 + 0.5) * PI, f)
            }
            [true, false] => half_closed(left, right, m),
            [false, true] => half_closed(right, left, m),
        })
    }
}

/// The first bracket begins beside κ = 0, where f vanishes for every cone without being a partial: f is 1e-4 κ or
/// more there, far above its rounding, and the smallest κ, of radii of 1 m and 0.1 mm, is 0.017.
const BESIDE_ZERO: f64 = 1e-9;

/// κ cos κ + (L/a) sin κ = 0, a = L r_closed/(r_open − r_closed).
fn half_closed(closed: f64, open: f64, m: usize) -> f64 {
    let (inverse, middle) = ((open - closed) / closed, (m as f64 - 0.5) * PI);
    let f = |k: f64| k * cos(k) + inverse * sin(k);
    if inverse >= 0.0 {
        root(middle, m as f64 * PI, f)
    } else {
        root((m as f64 - 1.0) * PI + BESIDE_ZERO, middle, f)
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "tube",
        summary: "air in a cylinder, a cone or a tube of any radius (Webster)",
        equation: "(ρ/S) ξ_tt = (ρc²/S ξ_x)_x − (ρ/S)γ ξ_t + p_ex,  U = ξ_t,  p = −(ρc²/S) ξ_x",
        source: "I18 §1 with S p_t = −γ u_x; Webster 1919",
        parameters: &[
            METHOD,
            MODES,
            INTERVALS,
            ACCURACY,
            PARTIALS,
            Parameter { absent: Absent::Rule, ..LENGTH },
            Parameter {
                doc: "the frequency at which the first partial sounds, with losses: L follows",
                ..FREQUENCY
            },
            PITCH,
            bore("radius", "r of a cylinder"),
            bore("radius_left", "r at the left end of a cone"),
            bore("radius_right", "r at the right end of a cone"),
            Parameter {
                name: "profile",
                takes: Takes::Curve {
                    x: (Role::Length, Range::NOT_NEGATIVE),
                    y: (Role::Length, Range::from(1e-4)),
                    least: 2,
                },
                absent: Absent::Rule,
                doc: "pairs [x, radius at x], linear between",
            },
            end("left"),
            end("right"),
            Parameter {
                name: "density",
                takes: Takes::Number(Role::Density, Range { min: 0.01, max: 100.0, open: false }),
                absent: Absent::Number(1.204),
                doc: "ρ of the gas; air of 20 °C unless given",
            },
            Parameter {
                name: "sound_speed",
                takes: Takes::Number(Role::WaveSpeed, Range { min: 50.0, max: 2000.0, open: false }),
                absent: Absent::Number(343.2),
                doc: "c of the gas; air of 20 °C unless given",
            },
            DAMPING,
        ],
        rules: &[
            FINENESS,
            OF_MODES,
            Rule::OneOf(BORE),
            Rule::OneOf(OneOf {
                states: "the length",
                alternatives: &[&["length"], &["frequency"], &["pitch"]],
                required: true,
            }),
            Rule::Needs { parameter: "profile", needs: &["length"] },
        ],
    },
    make: read,
};

const fn bore(name: &'static str, doc: &'static str) -> Parameter {
    Parameter { absent: Absent::Rule, ..sized(name, 1e-4, 1.0, doc) }
}

/// r(x).
const BORE: OneOf = OneOf {
    states: "the bore",
    alternatives: &[&["radius"], &["radius_left", "radius_right"], &["profile"]],
    required: true,
};

const fn end(name: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Word(&["open", "closed"]),
        absent: Absent::Word("open"),
        doc: "open: the pressure is 0; closed: the flow is",
    }
}

fn read(values: &Values) -> Result<Box<dyn Body>, Complaint> {
    let Some(request) = pitched::requested(values) else { return Ok(build(values)?.body) };
    // Half a wave, or a quarter where one end is closed; cones are longer or shorter.
    let half = values.required("sound_speed")? / (2.0 * request.frequency);
    let [left, right] = closed(values);
    let start = if left == right { half } else { 0.5 * half };
    let unknown = Unknown { name: "length", unit: "m", range: LENGTHS, start, power: -1.0 };
    pitched::solve(values, request, unknown, FINEST, build)
}

/// Whether its ends are closed.
fn closed(values: &Values) -> [bool; 2] {
    ["left", "right"].map(|end| values.word(end) == Some("closed"))
}

/// The tube whose length is known.
fn build(values: &Values) -> Result<Built, Complaint> {
    let number = |name| values.required(name);
    let length = number("length")?;
    let frequencies = |n: usize, p: usize| {
        let k = p as f64 * PI / length;
        (grid::lattice_wave(k, length / n as f64), k)
    };
    let tube = match values.one_of(&BORE) {
        Some("profile") => {
            let pairs = values.pairs("profile").unwrap_or_default();
            Tube::cone(length, [1.0; 2])?.shaped(profile::read("profile", pairs, length)?)
        }
        Some("radius_left") => Tube::cone(length, [number("radius_left")?, number("radius_right")?])?,
        _ => Tube::cone(length, [number("radius")?; 2])?,
    };
    let tube = Tube {
        density: number("density")?,
        speed: number("sound_speed")?,
        damping: number("damping")?,
        ..tube.closed(closed(values))
    };
    Numerical {
        coordinates: 1,
        accurate: || grid::intervals(values, frequencies),
        // Those of a cylinder with open ends.
        frequency: |k| k as f64 * tube.speed / (2.0 * length),
        grid: |n| tube.on_grid(n),
        law: None,
    }
    .read(values)
}
