//! What a parameter takes here: the units that hold under the circumstances, and an example.

use super::reading::Reading;
use hamiltone_core::{
    body::Measure,
    parameter::{Absent, DriveQuantity, Forces, Parameter, Range, Role, Takes, written},
};
use hamiltone_numerics::math;
use std::{borrow::Cow, path::Path};

/// What the meaning of a section's values depends on.
#[derive(Clone, Copy)]
pub struct Circumstances<'a> {
    /// The folder that file names start from.
    pub base: &'a Path,
    /// What files may be read.
    pub reading: &'a Reading<'a>,
    /// What the body's forces are measured in; `None` where that is not known.
    pub measure: Option<Measure>,
    /// Whether it acts along a body, so that its forces are per unit length; `None` where that is not known.
    pub along: Option<bool>,
    /// What the value of a drive is.
    pub drive: DriveValue,
    /// The frequency of the note A4, Hz.
    pub a4: f64,
}

/// What the value of a drive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriveValue {
    /// A force on a body.
    Force,
    /// A quantity of an element: its moving reference or its control.
    OfElement(DriveQuantity),
    /// Not known, since it is not known what is driven: any unit is taken.
    Unknown,
}

/// What a number must be.
pub struct Expected {
    /// The units that it may have, in SI: several where the body is not known, none where nothing is known.
    pub units: Vec<Cow<'static, str>>,
    /// Its range.
    pub range: Range,
    /// Whether it must be whole.
    pub whole: bool,
}

impl Circumstances<'_> {
    /// What a number of this role must be; `number` looks up the exponent of its unit.
    pub fn expected(&self, role: Role, range: Range, number: impl Fn(&str) -> Option<f64>) -> Expected {
        let measures: &[Measure] = match self.measure {
            Some(ref measure) => std::slice::from_ref(measure),
            None => &[Measure::Length, Measure::PerArea],
        };
        let along: &[bool] = match self.along {
            Some(ref along) => std::slice::from_ref(along),
            None => &[false, true],
        };
        let all = measures.iter().flat_map(|&measure| along.iter().map(move |&along| (measure, along)));
        let drive = match self.drive {
            DriveValue::OfElement(quantity) => Some(quantity),
            DriveValue::Force | DriveValue::Unknown => None,
        };
        let known = role != Role::Drive || self.drive != DriveValue::Unknown;
        let unit = |(measure, per_length)| role.unit(Forces { measure, per_length, drive }, &number);
        let mut units: Vec<_> = all.filter(|_| known).filter_map(unit).collect();
        units.dedup();
        Expected { units, range, whole: role.is_whole() }
    }
}

/// What could be written for a parameter: its default, or a plain value of its range.
pub fn example(parameter: &Parameter, circumstances: Circumstances<'_>) -> String {
    let default = match parameter.absent {
        Absent::Number(x) => x,
        _ => f64::NAN,
    };
    let number = |role: Role, range: Range| {
        let among = [default, plain(range), range.min, range.max];
        let x = among.into_iter().find(|x| range.holds(*x)).unwrap_or(0.0);
        // No unit where it depends on another number.
        match circumstances.expected(role, range, |_| None).units.first().map(|unit| unit.as_ref()) {
            None | Some("") => format!("{x}"),
            Some(unit) => format!("\"{x} {unit}\""),
        }
    };
    let value = match parameter.takes {
        Takes::Number(role, range) => number(role, range),
        Takes::Numbers(role, range) => format!("[{}]", number(role, range)),
        Takes::Ratios(range, _) => format!("[{}]", number(Role::Number, range)),
        Takes::Pitch => "\"E2\"".into(),
        Takes::Pairs(x, y) | Takes::Curve { x, y, .. } => {
            format!("[[{}, {}]]", number(x.0, x.1), number(y.0, y.1))
        }
        Takes::Word(words) => written(words.first().unwrap_or(&"")),
        Takes::File => "\"sound.wav\"".into(),
        Takes::Columns(_) => "\"table.csv\"".into(),
        Takes::Formula(examples) => format!("\"{}\"", examples.first().unwrap_or(&"x^2")),
        Takes::Constants(names) => format!("{{ {} = 1 }}", names.first().unwrap_or(&"K")),
        Takes::Table(table) => {
            let inner: Vec<String> =
                table.parameters.iter().map(|parameter| example(parameter, circumstances)).collect();
            format!("{{ {} }}", inner.join(", "))
        }
    };
    format!("{} = {value}", parameter.name)
}

/// 1, or where that lies at an end of a range a power of ten in its middle.
fn plain(Range { min, max, .. }: Range) -> f64 {
    let inside = min <= 0.0 || max == f64::INFINITY || (10.0 * min..=0.1 * max).contains(&1.0);
    if inside { 1.0 } else { math::powi(10.0, math::log10((min * max).sqrt()).round() as i32) }
}
