//! Frets: points of contact along a body, in a list or in equal temperament.
//!
//!   x_n = L(1 − 2^(−n/d))   from the nut, n = 1 … count
//!
//! L (m) is the length of the body and d the number of equal steps in an octave: stopped at fret n, what is left of a
//! string sounds n steps higher.

use hamiltone_core::parameter::{
    Absent, Complaint, OneOf, Parameter, Range, Role, Rule, Table, Takes, Values,
};
use hamiltone_numerics::math;

/// Frets one by one.
pub const FRETS: Parameter = Parameter {
    name: "frets",
    takes: Takes::Pairs((Role::Length, Range::ANY), (Role::Displacement, Range::ANY)),
    absent: Absent::Rule,
    doc: "frets: pairs of x and the height of the fret; contacts at these points, each with the law as given",
};

const COUNT: Parameter = Parameter {
    name: "count",
    takes: Takes::Number(Role::Count, Range { min: 1.0, max: 1000.0, open: false }),
    absent: Absent::Rule,
    doc: "how many frets",
};
const HEIGHT: Parameter = Parameter {
    name: "height",
    takes: Takes::Number(Role::Displacement, Range::ANY),
    absent: Absent::Number(0.0),
    doc: "the height of all of them",
};
const HEIGHTS: Parameter = Parameter {
    name: "heights",
    takes: Takes::Numbers(Role::Displacement, Range::ANY),
    absent: Absent::Rule,
    doc: "the height of each, from the nut on",
};
const NUT: Parameter = Parameter {
    name: "nut",
    takes: Takes::Word(&["left", "right"]),
    absent: Absent::Word("left"),
    doc: "the end of the body that the first fret is next to; x counts from the left end",
};
const STEPS: Parameter = Parameter {
    name: "octave",
    takes: Takes::Number(Role::Number, Range { min: 1.0, max: 1000.0, open: false }),
    absent: Absent::Number(12.0),
    doc: "d, equal steps in an octave",
};

/// Frets in equal temperament.
pub const EQUAL_FRETS: Parameter = Parameter {
    name: "equal_frets",
    takes: Takes::Table(Table {
        parameters: &[COUNT, HEIGHT, HEIGHTS, NUT, STEPS],
        rules: &[
            Rule::AnyOf(&["count", "heights"]),
            Rule::OneOf(OneOf {
                states: "how high the frets are",
                alternatives: &[&["height"], &["heights"]],
                required: false,
            }),
        ],
    }),
    absent: Absent::Rule,
    doc: "frets in equal temperament, at L(1 − 2^(−n/octave)) from the nut: `count` of them at one `height`, or one for each of `heights`",
};

/// The frets of a list: (x, height).
pub fn list(values: &Values) -> Result<Vec<(f64, f64)>, Complaint> {
    match values.pairs(FRETS.name) {
        Some(frets) if !frets.is_empty() => Ok(frets.to_vec()),
        _ => {
            Err(Complaint::new(FRETS.name, "takes one pair or more; write frets = [[\"48 mm\", \"-1 mm\"]]"))
        }
    }
}

/// The frets in equal temperament on a body of this length, m: (x, height).
pub fn equal(values: &Values, length: f64) -> Result<Vec<(f64, f64)>, Complaint> {
    let own = values.table(EQUAL_FRETS.name).cloned().unwrap_or_default();
    let count = own.count(COUNT.name);
    let heights = match own.list(HEIGHTS.name) {
        Some(heights) if heights.is_empty() || count.is_some_and(|n| n != heights.len()) => {
            let count = count.map_or("one or more".into(), |n| n.to_string());
            let message = format!("are {}, but must be {count}: one for each fret", heights.len());
            return Err(Complaint::new("equal_frets.heights", message));
        }
        Some(heights) => heights.to_vec(),
        None => vec![own.number(HEIGHT.name).unwrap_or(0.0); count.unwrap_or_default()],
    };
    let steps = own.number(STEPS.name).unwrap_or(12.0);
    let left = own.word(NUT.name) != Some("right");
    let x = |n: usize| {
        let rest = length * math::exp(-std::f64::consts::LN_2 * n as f64 / steps);
        if left { length - rest } else { rest }
    };
    Ok((1..).map(x).zip(heights).collect())
}
