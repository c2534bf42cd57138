//! A body by a table of its modes, as they were measured or computed elsewhere.
//!
//!   m_k (q̈_k + 2σ_k q̇_k + ω_k² q_k) = Σ φ_k(x) F(x),   ω_k = 2πf_k,   σ_k = 3 ln 10/T₆₀ = πf_k/Q
//!
//! The table has a row a mode and columns: `frequency` f (Hz), its losses as `damping` σ (1/s), `t60` (s) or `q`, its
//! `mass` m (kg), and its shape φ at places as columns such as `x=0.12` (m from the left end). Without those the body
//! is at one place, where every φ is 1; or its shapes are sines of a length.

use crate::{
    grid,
    modal::{Modal, Mode, Ones, Shapes, measured::Measured, sines::Sines},
    modal_grid,
};
use hamiltone_core::{
    body::Body,
    geometry::Geometry,
    parameter::{
        Absent, Column, Columns, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Table, Takes,
        Values,
    },
};
use std::{
    f64::consts::{LN_10, PI, TAU},
    sync::Arc,
};

const fn column(name: &'static str, role: Role, range: Range) -> Column {
    Column { name, role, range, required: false }
}

/// Frequencies that an instrument could have, Hz.
const FREQUENCIES: Range = Range { min: 1e-3, max: 1e6, open: false };
/// Decay rates, 1/s, decay times, s, and quality factors of a mode.
const DAMPINGS: Range = Range { min: 0.0, max: 1e6, open: false };
const TIMES: Range = Range { min: 1e-6, max: 1e6, open: false };
const QUALITIES: Range = Range { min: 1e-3, max: 1e12, open: false };
/// Masses of a mode, kg.
const MASSES: Range = Range { min: 1e-9, max: 1e9, open: false };

/// The largest value of a shape: also where its mass is made 1, a light mode of 1 mg stays below.
const LARGEST: f64 = 1e4;

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "modes",
        summary: "a body by a table of its modes: frequency, losses, mass and shape, as measured",
        equation: "m_k (q̈_k + 2σ_k q̇_k + ω_k² q_k) = Σ φ_k(x) F(x),  u(x) = Σ φ_k(x) q_k",
        source: "modal analysis; Ewins 2000",
        parameters: &[
            Parameter {
                name: "file",
                takes: Takes::Columns(&[
                    Column { required: true, ..column("frequency", Role::Frequency, FREQUENCIES) },
                    column("damping", Role::Damping, DAMPINGS),
                    column("t60", Role::Time, TIMES),
                    column("q", Role::Number, QUALITIES),
                    column("mass", Role::Mass, MASSES),
                    column("x=", Role::Number, Range::ANY),
                ]),
                absent: Absent::Rule,
                doc: "a CSV file with a line of names and one line per mode, or an NPZ file with one array per column: f, its losses as σ (damping), T₆₀ or Q (q = ω/2σ), modal mass m, and shapes φ at places in columns such as x=0.12 (m)",
            },
            Parameter {
                name: "table",
                takes: Takes::Table(Table {
                    parameters: &[
                        Parameter {
                            absent: Absent::Required,
                            ..list("frequency", Role::Frequency, FREQUENCIES, "f of each mode")
                        },
                        list("damping", Role::Damping, DAMPINGS, "σ of each"),
                        list("t60", Role::Time, TIMES, "T₆₀ of each"),
                        list("q", Role::Number, QUALITIES, "Q = ω/2σ of each"),
                        Parameter {
                            absent: Absent::Optional("`mass` beside the table, the same of every mode"),
                            ..list("mass", Role::Mass, MASSES, "m of each")
                        },
                    ],
                    rules: &[Rule::OneOf(OneOf {
                        states: "the losses",
                        alternatives: &[&["damping"], &["t60"], &["q"]],
                        required: false,
                    })],
                }),
                absent: Absent::Rule,
                doc: "the same in the scene, as lists of equal length: table = { frequency = [\"131 Hz\", \"262 Hz\"], t60 = [\"8 s\", \"5 s\"] }; shapes at places take a file",
            },
            Parameter {
                name: "mass",
                takes: Takes::Number(Role::Mass, MASSES),
                absent: Absent::Optional("the file or table has a column mass"),
                doc: "m of every mode",
            },
            Parameter {
                name: "shape",
                takes: Takes::Word(&["columns", "sines"]),
                absent: Absent::Word("columns"),
                doc: "φ: by the columns x=…, or sin(kπx/L) of the k-th line",
            },
            Parameter {
                name: "length",
                takes: Takes::Number(Role::Length, Range { min: 1e-3, max: 1e3, open: false }),
                absent: Absent::Optional("the last x of the columns"),
                doc: "L",
            },
            Parameter {
                absent: Absent::Optional("the next product of 2, 3 and 5 above the number of modes"),
                doc: "N of the grid of its sample points, for contacts along it and pictures",
                ..grid::INTERVALS
            },
        ],
        rules: &[Rule::OneOf(MODES)],
    },
    make: read,
};

/// Where the modes stand.
const MODES: OneOf = OneOf { states: "the modes", alternatives: &[&["file"], &["table"]], required: true };

/// A list of the table of modes.
const fn list(name: &'static str, role: Role, range: Range, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Numbers(role, range), absent: Absent::Rule, doc }
}

/// The columns of the table that the scene itself has.
fn inline(own: &Values) -> Result<Columns, Complaint> {
    let mut columns = Columns::default();
    let rows = own.list("frequency").map_or(0, <[f64]>::len);
    for name in ["frequency", "damping", "t60", "q", "mass"] {
        let Some(numbers) = own.list(name) else { continue };
        if numbers.len() != rows {
            let message = format!("has {} values, but there are {rows} frequencies", numbers.len());
            return Err(Complaint::new(format!("table.{name}"), message).help("give one for each mode"));
        }
        columns.named.insert(name, numbers.to_vec());
    }
    Ok(Columns { rows, ..columns })
}

fn read(values: &Values) -> Result<Box<dyn Body>, Complaint> {
    let inline = values.table("table").map(inline).transpose()?;
    let table = inline.as_ref().or(values.columns("file"));
    let table = table.ok_or_else(|| Complaint::new("file", "is missing"))?;
    let source = if inline.is_some() { "table" } else { "file" };
    let modes =
        modes(table, values.number("mass")).map_err(|complaint| match complaint.parameter.as_str() {
            "file" => Complaint { parameter: source.into(), ..complaint },
            _ => complaint,
        })?;
    let length = values.number("length");
    let intervals = values.count("intervals");
    let grid = || {
        let (_, intervals) = modal_grid::fitting(modes.len(), intervals)?;
        Ok(intervals)
    };
    if values.word("shape") == Some("sines") {
        let length =
            length.ok_or_else(|| Complaint::new("length", "must be given with shape = \"sines\""))?;
        if !table.numbered.is_empty() {
            let message = "is \"sines\", but the file has shapes in columns x=…";
            return Err(Complaint::new("shape", message).help("leave `shape` out, or these columns"));
        }
        let (intervals, norms) = (grid()?, vec![0.5 * length; modes.len()]);
        let shapes = Arc::new(Sines::new(length, modes.len(), intervals));
        return Ok(Box::new(line(length, intervals, modes, norms, shapes)));
    }
    let Some((last, _)) = table.numbered.last() else {
        if length.is_some() || intervals.is_some() {
            let message =
                "or intervals need shapes: columns such as x=0.12, or shape = \"sines\"; add either";
            return Err(Complaint::new("length", message));
        }
        // Without shapes it is at one place, where every φ is 1.
        let norms = vec![0.0; modes.len()];
        let (geometry, shapes) = (Geometry::Point, Arc::new(Ones));
        return Ok(Box::new(Modal {
            geometry,
            intervals: [0, 0],
            modes,
            norms,
            shapes,
            force: None,
            stretching: None,
            airy: Arc::default(),
        }));
    };
    let length = length.unwrap_or(*last);
    if let Some((x, _)) = table.numbered.iter().find(|(x, _)| !(0.0..=length).contains(x)) {
        return Err(Complaint::new(
            "file",
            format!("has a column x={x}, off the body: it reaches from 0 to {length} m"),
        ));
    }
    Range { min: 1e-3, max: 1e3, open: false }.check("length", length)?;
    if let Some((x, _)) = table.numbered.iter().find(|(_, phi)| phi.iter().any(|phi| phi.abs() > LARGEST)) {
        let message =
            format!("has a shape in column x={x} that is larger than {LARGEST}; scale shape and mass");
        return Err(Complaint::new("file", message));
    }
    let shapes = Measured::new(length, &table.numbered);
    let norms = shapes.norms(modes.len());
    if let Some(k) = norms.iter().position(|norm| *norm == 0.0) {
        let message = format!("has a shape of mode {} that is 0 everywhere", k + 1);
        return Err(
            Complaint::new("file", message).help("leave out the mode, or give its shape where it moves")
        );
    }
    Ok(Box::new(line(length, grid()?, modes, norms, Arc::new(shapes))))
}

/// A line of the length L (m) by modes with these shapes and ∫φ² dx (m).
fn line(length: f64, intervals: usize, modes: Vec<Mode>, norms: Vec<f64>, shapes: Arc<dyn Shapes>) -> Modal {
    let geometry = Geometry::Line { length };
    Modal {
        geometry,
        intervals: [intervals, 1],
        modes,
        norms,
        shapes,
        force: None,
        stretching: None,
        airy: Arc::default(),
    }
}

/// The modes of the table's rows.
fn modes(table: &Columns, mass: Option<f64>) -> Result<Vec<Mode>, Complaint> {
    let named = |name: &str| table.named.get(name);
    let frequencies = named("frequency").map_or(&[][..], Vec::as_slice);
    if frequencies.is_empty() {
        return Err(Complaint::new("file", "has no mode").help("add a row for each mode"));
    }
    let sigma: Vec<f64> = match ["damping", "t60", "q"].map(named) {
        [None, None, None] => vec![0.0; table.rows],
        [Some(sigma), None, None] => sigma.clone(),
        [None, Some(t60), None] => t60.iter().map(|t| 3.0 * LN_10 / t).collect(),
        [None, None, Some(q)] => q.iter().zip(frequencies).map(|(q, f)| PI * f / q).collect(),
        _ => {
            let message = "has more than one of the columns damping, t60 and q";
            return Err(Complaint::new("file", message).help("keep one of them"));
        }
    };
    let masses = match (named("mass"), mass) {
        (Some(masses), None) => masses.clone(),
        (None, Some(mass)) => vec![mass; table.rows],
        _ => {
            return Err(Complaint::new(
                "mass",
                "must be given here or as a column of the file or table, once",
            ));
        }
    };
    let rows = frequencies.iter().zip(&sigma).zip(&masses);
    Ok(rows.map(|((f, &sigma), &mass)| Mode { mass, omega: TAU * f, sigma }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[(&'static str, [f64; 2])]) -> Values {
        let mut values = Values::defaults(ENTRY.kind.parameters);
        let named = columns.iter().map(|(name, numbers)| (*name, numbers.to_vec())).collect();
        values.set("file", Columns { rows: 2, named, ..Columns::default() });
        values
    }

    /// σ, T₆₀ and Q are the same loss.
    #[test]
    fn losses_are_the_same() {
        let f = [100.0, 300.0];
        let [a, b, c] = [
            ("damping", [2.0, 5.0]),
            ("t60", [3.0 * LN_10 / 2.0, 3.0 * LN_10 / 5.0]),
            ("q", [PI * 100.0 / 2.0, PI * 300.0 / 5.0]),
        ]
        .map(|loss| {
            let values = table(&[("frequency", f), loss]);
            modes(values.columns("file").unwrap(), Some(0.1)).unwrap()
        });
        for (a, other) in a.iter().zip(&b).chain(a.iter().zip(&c)) {
            assert!((other.sigma / a.sigma - 1.0).abs() < 4.0 * f64::EPSILON);
        }
        assert_eq!((a[1].omega, a[1].mass), (TAU * 300.0, 0.1));
        let wrong = |columns: &[(&'static str, [f64; 2])]| read(&table(columns)).err().unwrap().parameter;
        assert_eq!(wrong(&[("frequency", f)]), "mass");
        assert_eq!(wrong(&[("frequency", f), ("mass", [1.0; 2]), ("q", f), ("t60", f)]), "file");
    }

    /// Lists in the scene are the columns of a file.
    #[test]
    fn a_table_in_the_scene_is_a_file() {
        let columns = [("frequency", vec![100.0, 300.0]), ("t60", vec![2.0, 1.0]), ("mass", vec![0.5, 0.25])];
        let values =
            columns.iter().fold(Values::default(), |values, (name, list)| values.with(name, list.clone()));
        let found = modes(&inline(&values).unwrap(), None).unwrap();
        let named = columns.into_iter().collect();
        assert_eq!(found, modes(&Columns { rows: 2, named, ..Columns::default() }, None).unwrap());
        let made = |own: Values| ENTRY.build(&Values::defaults(ENTRY.kind.parameters).with("table", own));
        assert!(made(values.clone()).is_ok());
        let complaints = made(values.with("t60", vec![2.0])).err().unwrap();
        assert_eq!(
            complaints.to_string(),
            "table.t60 has 1 values, but there are 2 frequencies; give one for each mode"
        );
    }
}
