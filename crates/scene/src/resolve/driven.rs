//! A drive on an element instead of a place: `motion` moves the obstacle of a contact, `rate` is the speed of what rubs or the pressure of what
//! blows, `control` sets what a law of the rate depends on, such as the resistance of a damper, the force of a bow or the opening of a reed, and
//! `fingering` which of its bores a reed plays, and `place` where a bow is; `tension_of` adds to the tension of a string or membrane.
//!
//!   x = first − second − gap − h(t),   supplied −f ḣ          f = r(t) ẋ          w = d/dt(first − second) − v(t),   supplied −f v

use super::{places::Named, stages::Connections};
use crate::document::{
    expected::{Circumstances, DriveValue},
    section::Section,
    suggest::suggest,
};
use hamiltone_core::{
    body::{Measure, Placed},
    element::Law,
    input::Input,
    parameter::{DriveQuantity, Forces, Range, Role},
    port::Branches,
};
use hamiltone_elements::BOWS;
use std::{borrow::Cow, ops, sync::Arc};
use toml::de::DeValue;

/// The key of a drive or gesture that names what it changes the tension of.
pub const TENSION_OF: &str = "tension_of";

/// What a drive or a gesture acts on, found but not yet an input.
pub enum Acting {
    /// A place, by a force or an initial condition.
    Place(Named),
    /// A contact, by its control, or the position or speed of what is there.
    Element(DrivenElement),
}

impl Acting {
    /// What the numbers of a drive or gesture mean that acts on it.
    pub fn circumstances<'a>(&self, plain: Circumstances<'a>) -> Circumstances<'a> {
        match self {
            Self::Place(at) => Circumstances { measure: at.measure(), ..plain },
            Self::Element(element) => element.circumstances(plain),
        }
    }
}

/// An element that a drive or a gesture acts on.
pub struct DrivenElement {
    /// The name of the contact, or of the body whose tension it is.
    name: String,
    /// Its numbers in the system; of a tension that of its form.
    parts: ops::Range<usize>,
    /// What the bodies that it joins are measured in, and whether it acts along one of them.
    measure: Measure,
    along: bool,
    /// What the drive's value is.
    quantity: DriveQuantity,
    /// `motion`, `rate`, `control`, `fingering`, `place` or `tension_of`.
    key: &'static str,
    /// The values that it takes as far as its number of bores or its path says so.
    allowed: Range,
    /// The value that holds without a drive.
    own: f64,
    /// The body whose tension it is.
    strained: Option<Arc<Placed>>,
}

impl DrivenElement {
    /// What is added to the tension of a body, the form of this number.
    pub fn tension(name: &str, form: usize, quantity: DriveQuantity, body: Arc<Placed>) -> Self {
        Self {
            name: name.into(),
            parts: form..form + 1,
            measure: Measure::Length,
            along: false,
            quantity,
            key: TENSION_OF,
            allowed: Range::ANY,
            own: 0.0,
            strained: Some(body),
        }
    }

    /// The body whose tension it is.
    pub fn strained(&self) -> Option<&Arc<Placed>> {
        self.strained.as_ref()
    }

    /// What its value is.
    pub fn quantity(&self) -> DriveQuantity {
        self.quantity
    }

    /// The key of the scene that named it.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// The name of the contact.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value that holds without a drive: the control that the contact itself has, or 0, where its obstacle is.
    pub fn own(&self) -> f64 {
        self.own
    }

    /// Whether two drives or gestures of a score cannot act on it together, as sums.
    pub fn is_alone(&self) -> bool {
        matches!(self.key, "control" | "fingering" | "place")
    }

    /// The values that it takes as far as its number of bores or its path says so.
    pub fn allowed(&self) -> Range {
        self.allowed
    }

    /// The number of its first part in the system.
    pub fn first(&self) -> usize {
        self.parts.start
    }

    /// What the drive's numbers mean.
    fn circumstances<'a>(&self, plain: Circumstances<'a>) -> Circumstances<'a> {
        Circumstances {
            measure: Some(self.measure),
            along: Some(self.along),
            drive: DriveValue::OfElement(self.quantity),
            ..plain
        }
    }

    /// The unit of the drive's value.
    pub fn unit(&self) -> Cow<'static, str> {
        let forces = Forces { measure: self.measure, per_length: self.along, drive: Some(self.quantity) };
        Role::Drive.unit(forces, |_| None).unwrap_or_default()
    }

    /// The input of the system.
    pub fn input(&self, name: &str) -> Input {
        match self.quantity {
            DriveQuantity::Reference => Input::motion(name, self.parts.clone()),
            DriveQuantity::Rate | DriveQuantity::Pressure => Input::rate(name, self.parts.clone()),
            DriveQuantity::Branch | DriveQuantity::Path => Input::branch(name, self.parts.clone()),
            DriveQuantity::Tension | DriveQuantity::SurfaceTension => Input::strain(name, self.parts.clone()),
            DriveQuantity::Force
            | DriveQuantity::Opening
            | DriveQuantity::Resistance
            | DriveQuantity::Number => Input::control(name, self.parts.clone()),
        }
    }
}

impl Connections<'_> {
    /// The contact that `key` names, as something that a drive acts on.
    pub fn element(&mut self, section: &Section<'_>, key: &str) -> Option<DrivenElement> {
        let key = match key {
            TENSION_OF => return self.tension(section),
            "motion" => "motion",
            "rate" => "rate",
            "fingering" => "fingering",
            "place" => "place",
            _ => "control",
        };
        let Some(DeValue::String(name)) = section.table.get(key).map(|value| value.get_ref()) else {
            return self.refuse(
                section
                    .problem(key, format!("`{key}` takes the name of a contact"), "not a name")
                    .help(format!("write {key} = \"NAME\" of [contact.NAME]")),
            );
        };
        let Some(known) = self.contacts.get(name.as_ref()) else {
            let problem = section.problem(key, format!("there is no contact `{name}`"), "unknown");
            let names = self.contacts.keys().map(String::as_str);
            let help = match self.contacts.is_empty() {
                true => "add a section [contact.NAME]".to_string(),
                false => suggest(name, names, "contacts"),
            };
            return self.refuse(problem.help(help));
        };
        // A contact that is broken has been complained of already.
        let plan = &self.contact_plans[(*known)?];
        let element = &self.system.elements[plan.parts.start];
        let law = &element.law;
        let branches = match law {
            Law::Port(law) if element.branches() > 1 => Some(law.port.branches()),
            _ => None,
        };
        let quantity = match (key, law) {
            ("motion", Law::Port(law)) if !law.port.measures()[0].moves() => None,
            ("motion", _) => Some(DriveQuantity::Reference),
            ("rate", Law::Port(law)) => Some(law.port.rate()),
            ("rate", _) => None,
            ("fingering", _) => (branches == Some(Branches::Bodies)).then_some(DriveQuantity::Branch),
            ("place", _) => (branches == Some(Branches::Places)).then_some(DriveQuantity::Path),
            _ => law.control().map(|control| control.quantity),
        };
        let Some(quantity) = quantity else {
            let (message, help) = match key {
                "motion" => ("has no obstacle", "use the gesture `blow` or `embouchure`"),
                "rate" => (
                    "knows no speed or pressure",
                    "draw a contact with the law of a bow, or blow one with `reed`, `lips` or `jet`",
                ),
                "place" if BOWS.contains(&plan.law) => (
                    "stays where it is",
                    "name where it can move to: moves_to = \"BODY@0.97\" in [contact.NAME]",
                ),
                "place" => ("is no bow", "name a contact with the law of a bow and `moves_to`"),
                "fingering" if element.is_blown() => {
                    ("has one bore", "name others: fingerings = [\"BORE\"] in [contact.NAME]")
                }
                "fingering" => (
                    "has no bore",
                    "finger a contact with the law `reed`, `lips` or `jet` and with `fingerings`",
                ),
                _ => (
                    "has no control value",
                    "control a contact with the law `damper`, `bow`, `reed` or `jet`",
                ),
            };
            let message = format!("`{key}`: the law `{}` of contact `{name}` {message}", plan.law);
            return self.refuse(section.problem(key, message, "").help(help));
        };
        let own = law.control().filter(|_| key == "control").map_or(0.0, |control| control.own);
        let (parts, measure, along) = (plan.parts.clone(), plan.measure, plan.per_length);
        let allowed = match quantity {
            DriveQuantity::Branch | DriveQuantity::Path => element.branch_range(),
            _ => Range::ANY,
        };
        let strained = None;
        Some(DrivenElement {
            name: name.to_string(),
            parts,
            measure,
            along,
            quantity,
            key,
            allowed,
            own,
            strained,
        })
    }
}
