//! The dimensions of a bar: given, or found for the frequency of its first partial and the ratios of the next ones.
//!
//! Of length, thickness and frequency two are given and the third follows. With a `profile` the thickness that is found is its
//! largest; all others grow with it. With `tuning` the cut of `undercut.rs` is found (`bar_tuning.rs`).

use crate::{
    bar_tuning,
    built::Built,
    parameters::{self, LENGTHS, THICKNESSES},
    pitched::{self, FINEST_BENT, Request, Unknown},
    profile::{self, Along},
    reduction::ModeCache,
};
use hamiltone_core::{
    body::Body,
    parameter::{Absent, Complaint, Parameter, Range, Role, Rule, Takes, Values},
};

/// L, or what follows from the others.
pub(crate) const LENGTH: Parameter = Parameter {
    absent: Absent::Rule,
    doc: "L; left out, it follows from thickness and frequency",
    ..parameters::LENGTH
};

/// h, likewise.
pub(crate) const THICKNESS: Parameter = Parameter {
    absent: Absent::Rule,
    doc: "h: A = w h, I = w h³/12, of a round bar or tube its diameter; left out, it follows from length and frequency",
    ..parameters::THICKNESS
};

/// f, from which one of these follows.
pub(crate) const FREQUENCY: Parameter = Parameter {
    doc: "the frequency at which the first partial sounds, with ends, losses and undercut: gives the thickness, or with thickness the length",
    ..pitched::FREQUENCY
};

/// h(x).
pub(crate) const PROFILE: Parameter = Parameter {
    name: "profile",
    takes: Takes::Curve {
        x: (Role::Length, Range::NOT_NEGATIVE),
        y: (Role::Length, Range::from(1e-4)),
        least: 2,
    },
    absent: Absent::Optional("the same thickness everywhere"),
    doc: "pairs [x, thickness at x], linear between: an undercut bar; with frequency all are multiplied by one factor",
};

/// The partials after the first.
pub(crate) const TUNING: Parameter = Parameter {
    name: "tuning",
    takes: Takes::Ratios(Range { min: 1.0, max: 100.0, open: true }, 2),
    absent: Absent::Optional("no undercut but that of profile"),
    doc: "f₂/f₁, or f₂/f₁ and f₃/f₁, that a cut in the middle shall give: [3] of a xylophone, [4, 10] of a marimba; its depth and shape follow",
};

/// How far the cut of `tuning` reaches.
pub(crate) const UNDERCUT: Parameter = Parameter {
    name: "undercut",
    takes: Takes::Number(Role::Number, Range { min: 0.2, max: 1.0, open: false }),
    absent: Absent::Number(0.6),
    doc: "the part of the length that the cut of tuning takes, in the middle",
};

/// Two of the three.
pub(crate) const SIZE: Rule = Rule::AllButOne(&[&["length"], &["thickness"], &["frequency", "pitch"]]);
/// The same where stiffness and mass can stand for the section.
pub(crate) const SIZE_OR_STIFFNESS: Rule =
    Rule::AllButOne(&[&["length"], &["thickness", "bending_stiffness"], &["frequency", "pitch"]]);
/// A profile has places along the length.
pub(crate) const OF_PROFILE: Rule = Rule::Needs { parameter: "profile", needs: &["length"] };
/// A bar has one undercut.
pub(crate) const OF_TUNING: Rule = Rule::Unused { parameter: "tuning", beside: "profile", unless: None };
/// It is that of tuning.
pub(crate) const OF_UNDERCUT: Rule = Rule::Needs { parameter: "undercut", needs: &["tuning"] };
/// A cut in the middle tunes bars with free ends.
pub(crate) const OF_LEFT: Rule = Rule::OnlyWith { parameters: &["tuning"], key: "left", word: "free" };
/// Likewise.
pub(crate) const OF_RIGHT: Rule = Rule::OnlyWith { parameters: &["tuning"], key: "right", word: "free" };

/// Sizes at which the frequency of a uniform bar is looked at to guess others, m.
const GUESSES: (f64, f64) = (0.3, 0.01);

/// The bar of these values; `first` is the first partial of the uniform bar (Hz), `build` the bar of a length and thickness, the
/// latter multiplied by a factor along x.
///
/// # Errors
/// A [`Complaint`] where no dimensions make it sound as asked, or the body refuses its values.
pub(crate) fn make(
    values: &Values,
    first: impl Fn(&Values) -> Result<f64, Complaint>,
    build: impl Fn(&Values, Option<Along>) -> Result<Built, Complaint>,
) -> Result<Box<dyn Body>, Complaint> {
    let request = pitched::requested(values);
    let wanted = match request {
        Some(request) => Some((request, unknown(values, request, first)?)),
        None => None,
    };
    let build = |values: &Values, cut: Option<Along>| {
        let own = profiled(values, request.is_some())?;
        build(values, cut.or(own))
    };
    match (values.list("tuning"), wanted) {
        (Some(ratios), wanted) => ModeCache::at_hand(|| bar_tuning::solve(values, ratios, wanted, build)),
        (None, Some((request, unknown))) => {
            pitched::solve(values, request, unknown, FINEST_BENT, |values| build(values, None))
        }
        (None, None) => Ok(build(values, None)?.body),
    }
}

/// The dimension that is left out, about as large as a uniform bar's.
fn unknown(
    values: &Values,
    request: Request,
    first: impl Fn(&Values) -> Result<f64, Complaint>,
) -> Result<Unknown, Complaint> {
    let (length, thickness) = GUESSES;
    let frequency =
        |name, x: f64| Ok::<f64, Complaint>(request.frequency / first(&values.clone().with(name, x))?);
    let unit = "m";
    Ok(match values.number("length") {
        Some(_) => {
            let start = THICKNESSES.nearest(thickness * frequency("thickness", thickness)?);
            Unknown { name: "thickness", unit, range: THICKNESSES, start, power: 1.0 }
        }
        None => {
            let start = LENGTHS.nearest(length / frequency("length", length)?.sqrt());
            Unknown { name: "length", unit, range: LENGTHS, start, power: -2.0 }
        }
    })
}

/// The thickness of a profile over `thickness`: as it is, or so `scaled` that this is its largest.
fn profiled(values: &Values, scaled: bool) -> Result<Option<Along>, Complaint> {
    let Some(pairs) = values.pairs("profile") else { return Ok(None) };
    let height = profile::read("profile", pairs, values.required("length")?)?;
    let largest = pairs.iter().fold(0.0_f64, |largest, (_, y)| largest.max(*y));
    let whole = if scaled { largest } else { values.required("thickness")? };
    Ok(Some(std::sync::Arc::new(move |x| height(x) / whole)))
}
