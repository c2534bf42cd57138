//! Reads one gesture: what it acts on becomes an input of the system, unless it is one already, and its values become a
//! shape. Scores and instruments differ in what they say besides: when.

use super::{
    bodies::line,
    compliance,
    driven::{Acting, DrivenElement},
    frame::Frame,
    inputs::{ForcedPlace, GestureInput},
    places::Named,
    stages::Excitation,
    tension,
};
use crate::{
    document::{expected::Circumstances, section::Section},
    drives::spread,
    units::plain,
};
use hamiltone_core::{
    body::Placed,
    element::Element,
    geometry::Geometry,
    input::Input,
    parameter::{Range, Table, Values},
    row::Row,
};
use hamiltone_gestures::{
    Events, Shape,
    kinds::{
        self,
        gesture::{Acted, Gesture, GestureEntry, Target},
    },
};
use std::{
    borrow::Cow,
    cell::{Cell, OnceCell},
    sync::Arc,
};

/// A gesture that was read.
pub struct Gestured {
    /// The number of the input that it acts on in [`Excitation::gesture_inputs`].
    pub input: usize,
    /// What it does to it.
    pub shape: Shape,
    /// Its values, with those of the frame's own parameters.
    pub values: Values,
}

impl Excitation<'_> {
    /// Reads a gesture in a section of a frame whose own parameters it may have besides.
    ///
    /// `None` where anything is wrong, which is among the problems.
    pub fn gesture(&mut self, frame: &Frame, section: &Section<'_>) -> Option<Gestured> {
        let catalogue = kinds::catalogue();
        let found = line(section, ("gesture", "gestures"), catalogue, |line| &line.entry.kind, self.problems);
        let Some(line) = found else {
            // What the frame has itself is looked at whatever the gesture is.
            let all: Vec<&str> = section.table.keys().map(|key| key.get_ref().as_ref()).collect();
            section.values(&frame.table(), &all, self.at(None), self.problems);
            return None;
        };
        let (kind, key) = (&line.entry.kind, line.target.key());
        let on = match line.target {
            Target::Place => self.driven_place(section).map(Acting::Place),
            _ => self.element(section, key).map(Acting::Element),
        };
        let on = on.filter(|on| self.suits(section, line.target, on));
        let circumstances = match &on {
            Some(on) => on.circumstances(self.at(None)),
            None if line.target == Target::Place => self.at(None),
            None => Circumstances { along: None, ..self.at(None) },
        };
        let parameters = [kind.parameters, frame.parameters].concat();
        let rules = [kind.rules, frame.rules].concat();
        let table = Table { parameters: &parameters, rules: &rules };
        let takes = |name: &&str| *name == key || !frame.one_of.contains(name);
        let own: Vec<&str> = frame.own().into_iter().filter(takes).collect();
        let values = section.values(&table, &own, circumstances, self.problems).sound();
        // The place is looked at whatever is wrong with the values.
        let row = match &on {
            Some(Acting::Place(at)) => self.forced_row(section, at),
            _ => None,
        };
        let (values, on) = (values?, on?);
        self.take_note(section, &parameters, &values, circumstances.measure);
        let gesture = (line.entry.make)(&values);
        let gesture = self.accept(section, gesture)?;
        let allowed = if let Acting::Element(element) = &on { element.allowed() } else { Range::ANY };
        let input = match on {
            Acting::Place(at) => self.input_at(section, &at, row?, gesture.width())?,
            Acting::Element(element) => self.input_of(section, &element)?,
        };
        let shape = self.shape(section, input, gesture.as_ref())?;
        self.check_bore(section, allowed, &shape)?;
        self.check_travel(section, input, gesture.travel());
        Some(Gestured { input, shape, values })
    }

    /// Whether what a gesture sets is what it acts on.
    fn suits(&mut self, section: &Section<'_>, target: Target, on: &Acting) -> bool {
        let Acting::Element(element) = on else { return true };
        let Some((wanted, sets)) = target.sets() else { return true };
        if element.quantity() == wanted {
            return true;
        }
        let fits =
            |line: &&GestureEntry| line.target.sets().is_some_and(|(own, _)| own == element.quantity());
        let all = kinds::catalogue().iter().filter(fits).map(|line| format!("`{}`", line.entry.kind.name));
        let names: Vec<String> = all.collect();
        let message = format!("it sets {sets}: contact `{}` has none", element.name());
        self.problems
            .push(section.problem("gesture", message, "").help(format!("use {}", names.join(" or "))));
        false
    }

    /// Whether the bores that a gesture names are there; the place of a bow is in range by its parameter.
    fn check_bore(&mut self, section: &Section<'_>, allowed: Range, shape: &Shape) -> Option<()> {
        let (key, levels) = match shape {
            Shape::Curve { points } => ("curve", points.iter().map(|(_, level)| *level).collect()),
            Shape::Level { value, .. } => ("bore", vec![*value]),
            _ => return Some(()),
        };
        let Some(level) = levels.into_iter().find(|level| !allowed.holds(*level)) else { return Some(()) };
        let message = format!("there is no bore {}", plain(level));
        let help =
            format!("give a number from 0 to {}, or name more bores in `fingerings`", plain(allowed.max));
        self.refuse(section.problem(key, message, "").help(help))
    }

    /// The shape of a gesture on an input.
    fn shape(&mut self, section: &Section<'_>, input: usize, gesture: &dyn Gesture) -> Option<Shape> {
        let GestureInput { own, place, strained, .. } = &self.gesture_inputs[input];
        let compliance = || match place {
            Some(ForcedPlace { body, row, compliance, .. }) => {
                compliance.get_or_init(|| compliance::of(&self.system, body, row)).clone()
            }
            None => Err("applies to a place on a body".into()),
        };
        let mass = place.as_ref().and_then(|place| place.mass);
        let bend = |semitones| match strained {
            Some(body) => tension::bent(&self.system, body, semitones),
            None => Err("applies to a string or membrane".into()),
        };
        let shape = gesture.on(&Acted { own: *own, mass, compliance: &compliance, bend: &bend });
        self.accept(section, shape)
    }

    /// The input that is a force over this width (m) at a place; `row` is that at the place itself.
    fn input_at(&mut self, section: &Section<'_>, at: &Named, row: Row, width: f64) -> Option<usize> {
        let body = at.body()?.clone();
        let target = format!("at {} {:?} {width}", at.name, at.place);
        if let Some(known) = self.gesture_inputs_by.get(&target) {
            return Some(*known);
        }
        let mut name = format!("score: {}", at.text.trim());
        let row = if width > 0.0 {
            name += &format!(" ({} mm)", plain(1e3 * width));
            let centre = body.geometry.position(at.place).ok()?;
            let spread = spread::row(&body, centre, width);
            self.accept(section, spread)?
        } else {
            row
        };
        let mass = self.point_mass(&body, &row);
        let place = ForcedPlace {
            body,
            row: row.clone(),
            mass,
            compliance: OnceCell::new(),
            closing: OnceCell::new(),
            said: Cell::new(false),
        };
        let unit = place.body.measure.force().into();
        let named = (target, ("at", at.name.to_string()));
        Some(self.add_gesture_input(named, (Input::force(name, row), unit), 0.0, (Some(place), None)))
    }

    /// The input that controls an element or moves its reference.
    fn input_of(&mut self, section: &Section<'_>, element: &DrivenElement) -> Option<usize> {
        // Two polarisations have one tension, by whichever of them it is named.
        let target = match element.strained() {
            Some(_) => format!("{} {}", element.key(), element.first()),
            None => format!("{} {}", element.key(), element.name()),
        };
        if let Some(known) = self.gesture_inputs_by.get(&target) {
            return Some(*known);
        }
        let (name, own) = (format!("score: {}", element.name()), element.own());
        self.take_control(&name, section, element)?;
        let named = (target, (element.key(), element.name().to_string()));
        let strained = element.strained().cloned();
        Some(self.add_gesture_input(named, (element.input(&name), element.unit()), own, (None, strained)))
    }

    /// Adds an input that has this value of its own until gestures act on it; its number in `gesture_inputs`.
    fn add_gesture_input(
        &mut self,
        (text, target): (String, (&'static str, String)),
        (input, unit): (Input, Cow<'static, str>),
        own: f64,
        (place, strained): (Option<ForcedPlace>, Option<Arc<Placed>>),
    ) -> usize {
        let number = self.add_input(input, unit, Box::new(Events::new(own, Vec::new())));
        self.gesture_inputs.push(GestureInput { target, number, own, place, strained, events: Vec::new() });
        let last = self.gesture_inputs.len() - 1;
        self.gesture_inputs_by.insert(text, last);
        last
    }

    /// The mass of a body that is a single coordinate with a displacement, kg.
    fn point_mass(&self, body: &Arc<Placed>, row: &Row) -> Option<f64> {
        let point = body.geometry == Geometry::Point && body.measure.moves();
        let dof = row.coordinate().filter(|_| point && body.dofs.len() == 1)?;
        Some(self.system.mass[dof])
    }

    /// Warns where a body reaches the obstacle of a contact while it is still being thrown, so far (m): the contact then takes part
    /// in the throw. Said once of a body.
    fn check_travel(&mut self, section: &Section<'_>, input: usize, travel: f64) {
        if travel == 0.0 {
            return;
        }
        let Some(place) = self.gesture_inputs[input].place.as_ref().filter(|place| !place.said.get()) else {
            return;
        };
        let Some(dof) = place.row.coordinate() else { return };
        let (elements, initial) = (&self.system.elements, &self.system.initial.position);
        let closing = |(number, contact): (usize, &Element)| {
            let row = contact.row();
            let (weight, way) = (row.weight(dof), contact.gap - row.dot(initial));
            let closes = !contact.law.has_no_place() && way >= 0.0 && weight != 0.0;
            closes.then_some((number, weight, way))
        };
        let closing = place.closing.get_or_init(|| elements.iter().enumerate().filter_map(closing).collect());
        let reached = closing.iter().find(|(_, weight, way)| weight * travel > *way);
        let Some(&(number, _, way)) = reached else { return };
        let contact = &elements[number].name;
        place.said.set(true);
        let message = format!(
            "it moves by {} m until it has its speed, but reaches contact `{contact}` after {} m",
            plain(travel.abs()),
            plain(way)
        );
        let help = "use a shorter `duration` or a larger gap";
        self.warnings.push(section.problem("duration", message, "too long").help(help));
    }
}
