//! Bridges: the end of a string on a body, so that both move each other.
//!
//!   V = ½ Σ Kₙ(qₙ − bₙw)² + ½ (T/L)w²,   w = φ·q of the body        ([`hamiltone_core::joint`])
//!
//! A string of which a frequency is asked for is tuned on its bridge: its tension is found anew, so that the first partial of the
//! string on the body sounds there. A string with two carried ends keeps its tension, with a warning.

use super::{
    frame::{Form, Frame, Key, Sections},
    places::Named,
    stages::Connections,
};
use crate::{document::section::Section, units::plain};
use hamiltone_bodies::bridge::{Carried, retension};
use hamiltone_core::{
    body::{Measure, Placed, Solved, Standing},
    geometry::{Geometry, Place, Position},
    joint::{Joint, Support},
    operator::Operator,
    parameter::{Absent, Parameter, Takes},
    row::Row,
};
use std::{collections::BTreeMap, f64::consts::LN_10, sync::Arc};

const BETWEEN: Key = Key {
    name: "between",
    required: true,
    form: Form::Places,
    example: "[\"string@1\", \"board@0.3 m\"]",
    doc: "an end of a string with modes, and the place on another body that carries it",
};

/// Whether T/L of the string is among the springs of the body.
const STATIC_LOAD: Parameter = Parameter {
    name: "static_load",
    takes: Takes::Word(&["included", "added"]),
    absent: Absent::Word("included"),
    doc: "whether the modes of the body are those under the load T/L of its strings at rest, as measured on an instrument, or it is added",
};

/// `[bridge.NAME]`.
pub const BRIDGE: Frame = Frame {
    name: "bridge",
    summary: "the end of a string on a body: both move each other, and exchange energy",
    sections: Sections::Named,
    keys: &[BETWEEN],
    one_of: &[],
    parameters: &[STATIC_LOAD],
    rules: &[],
};

/// An end of a string that is carried.
struct CarriedEnd {
    /// Its name in the scene.
    name: String,
    /// 0 left, 1 right.
    end: usize,
    place: Row,
    added: bool,
}

/// A string with its carried ends, by the number of its body plan.
#[derive(Default)]
pub struct Bridges(BTreeMap<usize, (Option<Standing>, Vec<CarriedEnd>)>);

impl Connections<'_> {
    /// Reads every `[bridge.NAME]` and joins the strings to their bodies.
    pub fn bridges(&mut self, root: &Section<'_>) {
        let mut bridges = Bridges::default();
        let sections = self.sections(root, BRIDGE.name);
        for (name, section) in &sections {
            self.bridge(name, section, &mut bridges);
        }
        for (number, (standing, ends)) in bridges.0 {
            let section = sections.iter().find(|(name, _)| ends.iter().any(|end| end.name == *name));
            if let (Some(standing), Some((_, section))) = (standing, section) {
                self.join(section, number, &standing, &ends);
            }
        }
    }

    fn bridge(&mut self, name: &str, section: &Section<'_>, bridges: &mut Bridges) {
        let values = section.values(&BRIDGE.table(), &BRIDGE.own(), self.at(None), self.problems).sound();
        let ends = self.between(section);
        let Some([string, body]) = ends else { return };
        // What is wrong with one of them hides nothing of the other.
        let standing = string.as_ref().and_then(|string| self.end_of(section, string));
        let place = body.and_then(|body| self.carrier(section, string.as_ref(), &body));
        let (Some(values), Some(string), Some((number, end, standing)), Some(place)) =
            (values, string, standing, place)
        else {
            return;
        };
        let (known, ends) = bridges.0.entry(number).or_default();
        *known = Some(standing);
        if ends.iter().any(|other| other.end == end) {
            let message = format!("`{}` is on a bridge already", string.text);
            let help = "an end of a string is carried by one body: remove one of the two bridges";
            self.problems.push(section.problem("between", message, "").help(help));
            return;
        }
        let added = values.word(STATIC_LOAD.name) == Some("added");
        ends.push(CarriedEnd { name: name.into(), end, place, added });
    }

    /// The string that the first place is an end of.
    fn end_of(&mut self, section: &Section<'_>, at: &Named) -> Option<(usize, usize, Standing)> {
        if at.is_broken() {
            return None;
        }
        let help = format!(
            "write between = [\"{0}@1\", \"BODY@PLACE\"] with a body of kind = \"string\" by its modes (method = \"modal\"), at its left end (@0) or right end (@1)",
            at.name
        );
        let body = at.body().cloned();
        let standing = body.as_ref().and_then(|body| body.representation.standing());
        let (Some(body), Some(standing)) = (body, standing) else {
            let message =
                format!("`{}` is no string with modes: only such a body stands on a bridge", at.name);
            return self.refuse(section.problem("between", message, "no string").help(help));
        };
        let at_x = self.line_position(&body, at.place);
        let Some(end) = at_x.and_then(|x| standing.ends.iter().position(|end| (x - end).abs() <= 1e-9))
        else {
            let message =
                format!("`{}` is no end of the string: a bridge carries its left or right end", at.text);
            return self.refuse(section.problem("between", message, "no end").help(help));
        };
        let number = self.body_plans.iter().position(|plan| plan.name == at.name)?;
        Some((number, end, standing))
    }

    fn line_position(&self, body: &Placed, place: Place) -> Option<f64> {
        let position: Position = body.geometry.position(place).ok()?;
        matches!(body.geometry, Geometry::Line { .. }).then_some(position[0])
    }

    /// The row of the place that carries a string.
    fn carrier(&mut self, section: &Section<'_>, string: Option<&Named>, at: &Named) -> Option<Row> {
        let help = "write between = [\"STRING@1\", \"BODY@PLACE\"]: the second is a place on a body that moves, such as a board";
        if at.is_broken() {
            return None;
        }
        let itself = at.is_ground() || string.is_some_and(|string| at.name == string.name);
        // What is no place on the body has been told.
        let place = if itself { Row::ground() } else { self.row(section, at)? };
        let moves = Some(place).filter(|row| !row.is_zero() && at.measure() == Some(Measure::Length));
        if moves.is_none() {
            let message =
                format!("`{}` carries no string: it does not move, or has no displacement", at.text);
            self.problems.push(section.problem("between", message, "").help(help));
        }
        moves
    }

    /// Joins a string to what carries it, tuned there where a frequency is asked for.
    fn join(&mut self, section: &Section<'_>, number: usize, standing: &Standing, ends: &[CarriedEnd]) {
        let placed: Arc<Placed> = self.body_plans[number].placed.clone();
        let mut straight = standing.straight;
        let load = |straight: f64, end: &CarriedEnd| if end.added { straight } else { 0.0 };
        let tuned = self.body_plans[number].solved.iter().any(|solved| solved.name == "tension");
        if let [end] = ends {
            let load = load(straight, end);
            let mut carried = Carried::new(&self.system, standing, end.end, &end.place, load);
            if tuned && carried.is_none() {
                self.untuned(section, number, "what carries it has no modes, but a grid");
            }
            let factor = carried.as_ref().filter(|_| tuned);
            if let Some(factor) = factor.and_then(|carried| self.tuning(section, number, carried)) {
                let by_tension = placed.representation.tension_stiffness().unwrap_or_default();
                retension(&mut self.system, standing.first, &by_tension, factor);
                carried = carried.map(|carried| carried.at_tension(&by_tension, factor));
                straight *= factor;
                let solved = self.body_plans[number].solved.iter_mut();
                solved.filter(|solved| solved.name == "tension").for_each(|solved| solved.value *= factor);
            }
            if let Some(partial) = carried.and_then(|carried| carried.partial(1)).filter(|p| p.decay > 0.0) {
                let value = 3.0 * LN_10 / partial.decay;
                self.body_plans[number].solved.push(Solved { name: "T60 on its bridge", value, unit: "s" });
            }
        }
        if tuned && ends.len() > 1 {
            self.untuned(section, number, "both of its ends are carried");
        }
        let springs = self.springs(standing);
        let kappa = |(e, f): (&CarriedEnd, &CarriedEnd)| match e.end == f.end {
            true => load(straight, e),
            false => -load(straight, e).min(load(straight, f)),
        };
        let stiffness = ends.iter().flat_map(|e| ends.iter().map(move |f| (e, f))).map(kappa).collect();
        let support =
            |end: &CarriedEnd| Support { lift: standing.lifts[end.end].clone(), place: end.place.clone() };
        self.system.joints.push(Joint {
            name: ends.iter().map(|end| end.name.as_str()).collect::<Vec<_>>().join(", "),
            first: standing.first,
            springs,
            supports: ends.iter().map(support).collect(),
            stiffness,
        });
    }

    /// Says that a string keeps the tension of rigid ends.
    fn untuned(&mut self, section: &Section<'_>, number: usize, why: &str) {
        let message = format!("`{}` is in tune on rigid ends alone: {why}", self.body_plans[number].name);
        let help = "give its tension, found by ear or by the pitch of the sound, in place of its frequency";
        self.warnings.push(section.problem("between", message, "").help(help));
    }

    /// K of the coordinates of a string.
    fn springs(&self, standing: &Standing) -> Vec<f64> {
        let own = self.system.blocks.iter().find(|block| block.dofs.start == standing.first);
        match own.map(|block| &block.stiffness) {
            Some(Operator::Diagonal(k)) => k.clone(),
            _ => Vec::new(),
        }
    }

    /// The factor of the tension of a string whose frequency is asked for.
    fn tuning(&mut self, section: &Section<'_>, number: usize, carried: &Carried) -> Option<f64> {
        let plan = &self.body_plans[number];
        let (name, placed) = (plan.name.clone(), plan.placed.clone());
        let frequency = placed.representation.partial(1)?;
        let by_tension = placed.representation.tension_stiffness()?;
        let factor = carried.tension(&by_tension, frequency);
        if factor.is_none() {
            let message = format!(
                "`{name}` is not tuned on its bridge: no tension puts its first partial at {} Hz there",
                plain(frequency)
            );
            let help = "give its tension in place of its frequency, or a heavier or more damped body";
            self.warnings.push(section.problem("between", message, "").help(help));
        }
        factor
    }
}
