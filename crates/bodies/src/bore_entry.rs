//! The air of a wind instrument as a body: the modes of `bore` in pressure coordinates, met at the mouthpiece.
//!
//!   p = Σ Φ̇_n,   m_n Φ̈_n + R_n Φ̇_n + K_n Φ_n = U,   p(d) = Σ (α_n Φ_n + β_n Φ̇_n)/d
//!
//! p (Pa) at the mouthpiece, U (m³/s) the flow into it, p(d) (Pa) the sound at the distance d = 1 m. What the modes are depends on the time step.

use crate::{
    bore::{Air, Bore, Fit, Hole, Piece, Radiation},
    modal::{Modal, Ones},
    parameters::sized,
};
use hamiltone_core::{
    body::{Body, InitialMotion, InitialValue, Measure, Placed, Readout, Representation, Solved},
    geometry::{Geometry, Position},
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Table, Takes, Values},
    row::Row,
    system::{Quantity, System},
};
use std::sync::Arc;

/// The time step where none is stated, s.
const STEP: f64 = 1.0 / 48_000.0;
/// The highest frequency of a fit unless it is given, Hz, or so many times the mean distance of the peaks; at most this part of the rate, and that of so
/// many peaks.
const HIGHEST: f64 = 5000.0;
const PEAKS: f64 = 5.0;
const OF_RATE: f64 = 0.2;
const MOST_PEAKS: f64 = 300.0;

/// A bore for one time step.
struct Column {
    fit: Arc<Fit>,
    length: f64,
}

impl Body for Column {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let modes = Modal {
            geometry: Geometry::Point,
            intervals: [0; 2],
            modes: self.fit.modes.clone(),
            shapes: Arc::new(Ones),
            norms: vec![1.0; self.fit.modes.len()],
            force: None,
            stretching: None,
            airy: Arc::default(),
        };
        let placed = modes.add_to(system, name)?;
        let mouthpiece = Mouthpiece { fit: self.fit.clone(), first: placed.dofs.start };
        Ok(Placed { measure: Measure::Pressure, representation: Box::new(mouthpiece), ..placed })
    }

    fn solved(&self) -> Vec<Solved> {
        let largest = |of: &dyn Fn(&crate::bore::Peak) -> f64| {
            self.fit.peaks.iter().map(|peak| of(peak).abs()).fold(0.0, f64::max)
        };
        vec![
            Solved { name: "length", value: self.length, unit: "m" },
            Solved { name: "fit of peaks within", value: largest(&|peak| peak.cents), unit: "cents" },
            Solved { name: "and", value: largest(&|peak| peak.decibels), unit: "dB" },
            Solved { name: "whole curve within", value: self.fit.worst, unit: "dB" },
        ]
    }
}

/// What is read of it.
struct Mouthpiece {
    fit: Arc<Fit>,
    first: usize,
}

impl Mouthpiece {
    fn weighted(&self, weights: Vec<f64>) -> Row {
        Row::Dense { first: self.first, weights }
    }
}

impl Representation for Mouthpiece {
    fn row(&self, _: Position) -> Row {
        self.weighted(vec![1.0; self.fit.modes.len()])
    }

    fn readouts(&self) -> &'static [Readout] {
        &[Readout { name: "pressure", unit: "Pa" }, Readout { name: "radiated", unit: "Pa" }]
    }

    fn readout(&self, name: &str, at: Position) -> Quantity {
        let column = |k: usize| self.weighted(self.fit.radiated.iter().map(|both| both[k]).collect());
        match name {
            "radiated" => Quantity::Motion(column(0), column(1)),
            _ => Quantity::Velocity(self.row(at)),
        }
    }

    fn resolution(&self) -> f64 {
        f64::INFINITY
    }

    fn project(&self, _: &InitialMotion<'_>) -> Vec<InitialValue> {
        Vec::new()
    }
}

/// Radii of a bore.
const fn radius(name: &'static str, doc: &'static str) -> Parameter {
    Parameter { absent: Absent::Rule, ..sized(name, 5e-4, 1.0, doc) }
}

/// r(x).
const SHAPE: OneOf = OneOf {
    states: "the bore",
    alternatives: &[&["radius"], &["radius_left", "radius_right"], &["profile"]],
    required: true,
};

/// L.
const LENGTH: OneOf =
    OneOf { states: "the length", alternatives: &[&["length"], &["profile"]], required: true };

const fn of_holes(
    name: &'static str,
    role: Role,
    range: Range,
    absent: Absent,
    doc: &'static str,
) -> Parameter {
    Parameter { name, takes: Takes::Numbers(role, range), absent, doc }
}

/// Sizes of holes, m.
const SIZES: Range = Range { min: 5e-4, max: 0.1, open: false };

const HOLES: Table<'static> = Table {
    parameters: &[
        of_holes("at", Role::Length, Range::NOT_NEGATIVE, Absent::Required, "x of each"),
        of_holes("radius", Role::Length, SIZES, Absent::Required, "its radius"),
        of_holes("height", Role::Length, SIZES, Absent::Required, "the height of its chimney"),
        of_holes(
            "open",
            Role::Number,
            Range { min: 0.0, max: 1.0, open: false },
            Absent::Optional("all are"),
            "1 of an open one, 0 of a closed one",
        ),
    ],
    rules: &[],
};

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "bore",
        summary: "the air of a wind instrument with its losses and radiation, blown at its left end: cylinder, cone or any profile, with holes",
        equation: "p = Z U,  Z(s) = Σ a_n s/(s² + 2σ_n s + ω_n²), a_n ≥ 0;  Z by transmission matrices with Zwikker–Kosten losses",
        source: "Zwikker & Kosten 1949; Silva et al. 2009; Chaigne & Kergomard 2016, ch. 4, 5, 7",
        parameters: &[
            Parameter { absent: Absent::Rule, ..sized("length", 1e-3, 20.0, "L") },
            radius("radius", "r of a cylinder"),
            radius("radius_left", "r of a cone at the mouthpiece"),
            radius("radius_right", "r of a cone at its end"),
            Parameter {
                name: "profile",
                takes: Takes::Curve {
                    x: (Role::Length, Range::NOT_NEGATIVE),
                    y: (Role::Length, Range { min: 5e-4, max: 1.0, open: false }),
                    least: 2,
                },
                absent: Absent::Rule,
                doc: "pairs [x, radius at x] from 0, straight between; the last x is the length",
            },
            Parameter {
                name: "holes",
                takes: Takes::Table(HOLES),
                absent: Absent::Optional("none"),
                doc: "holes in its side: lists of places, radii, heights and which are open",
            },
            Parameter {
                name: "end",
                takes: Takes::Word(&["unflanged", "flanged"]),
                absent: Absent::Word("unflanged"),
                doc: "how its open end radiates: a thin wall, or in a wide plane",
            },
            Parameter {
                name: "temperature",
                takes: Takes::Number(Role::Number, Range { min: -20.0, max: 60.0, open: false }),
                absent: Absent::Number(20.0),
                doc: "of the air, °C",
            },
            Parameter {
                name: "highest",
                takes: Takes::Number(Role::Frequency, Range { min: 100.0, max: 20_000.0, open: false }),
                absent: Absent::Optional("5 kHz, or that of five peaks, at most 0.2 of the internal rate"),
                doc: "up to which frequency its impedance is fitted: a lower one takes fewer modes",
            },
        ],
        rules: &[Rule::OneOf(SHAPE), Rule::OneOf(LENGTH)],
    },
    make: read,
};

/// The straight pieces of the bore.
fn pieces(values: &Values) -> Result<Vec<Piece>, Complaint> {
    let number = |name| values.required(name);
    let piece = |left: f64, right: f64| Ok(vec![Piece { length: number("length")?, left, right }]);
    match values.one_of(&SHAPE) {
        Some("profile") => {
            let pairs = values.pairs("profile").unwrap_or_default();
            if let Some((x, _)) = pairs.first().filter(|(x, _)| *x != 0.0) {
                let message = format!("begins at x = {x} m");
                return Err(Complaint::new("profile", message).help("begin it at 0, the mouthpiece"));
            }
            let between = |pair: &[(f64, f64)]| Piece {
                length: pair[1].0 - pair[0].0,
                left: pair[0].1,
                right: pair[1].1,
            };
            Ok(pairs.windows(2).map(between).collect())
        }
        Some("radius_left") => piece(number("radius_left")?, number("radius_right")?),
        _ => {
            let radius = number("radius")?;
            piece(radius, radius)
        }
    }
}

/// The holes of the table.
fn holes(table: &Values) -> Result<Vec<Hole>, Complaint> {
    let list = |name| table.list(name).unwrap_or_default();
    let at = list("at");
    for name in ["radius", "height", "open"] {
        let given = list(name).len();
        if given != at.len() && (name != "open" || table.is_given("open")) {
            let message = format!("lists {given} and `holes.at` lists {}", at.len());
            return Err(Complaint::new(format!("holes.{name}"), message).help("write one for every hole"));
        }
    }
    if let Some(open) = list("open").iter().find(|open| ![0.0, 1.0].contains(*open)) {
        let message = format!("has {open}");
        return Err(
            Complaint::new("holes.open", message).help("write 1 of an open hole and 0 of a closed one")
        );
    }
    let hole = |k: usize| Hole {
        at: at[k],
        radius: list("radius")[k],
        height: list("height")[k],
        open: list("open").get(k).is_none_or(|open| *open == 1.0),
    };
    Ok((0..at.len()).map(hole).collect())
}

fn read(values: &Values) -> Result<Box<dyn Body>, Complaint> {
    let pieces = pieces(values)?;
    let holes = values.table("holes").map_or(Ok(Vec::new()), holes)?;
    let air = Air::at(values.required("temperature")?)?;
    let radiation = match values.word("end") {
        Some("flanged") => Radiation::Flanged,
        _ => Radiation::Unflanged,
    };
    let dt = values.step().unwrap_or(STEP);
    let length: f64 = pieces.iter().map(|piece| piece.length).sum();
    let distance = air.speed / (2.0 * length);
    let usual = HIGHEST.max(PEAKS * distance).min(MOST_PEAKS * distance).min(OF_RATE / dt);
    let highest = values.number("highest").unwrap_or(usual);
    let fit = Bore::new(&pieces, &holes, air, radiation)?.fit(dt, highest)?;
    if fit.peaks.is_empty() {
        let message = format!("is {highest} Hz, below the first peak of the impedance");
        return Err(Complaint::new("highest", message).help("write a higher one, or a longer bore"));
    }
    Ok(Box::new(Column { fit: Arc::new(fit), length }))
}
