//! Strings and membranes whose tension grows with their amplitude ([`hamiltone_bodies::stretching`]): what moves it, and two bodies as the
//! polarisations of one string.

use super::{
    driven::{DrivenElement, TENSION_OF},
    stages::{Bodies, Connections, Excitation},
};
use crate::{
    document::{section::Section, suggest::suggest},
    units::plain,
};
use hamiltone_bodies::stretching;
use hamiltone_core::{
    body::Placed,
    geometry::Geometry,
    input::Input,
    operator::Operator,
    parameter::{Complaint, DriveQuantity},
    system::System,
};
use hamiltone_gestures::Events;
use hamiltone_numerics::math;
use hamiltone_plan::BodyPlan;
use std::{collections::BTreeMap, sync::Arc};

/// The key of a body that names the other polarisation.
pub const POLARISATION_OF: &str = "polarisation_of";

/// The largest difference of the tensions of two polarisations, relative to one: each may be tuned by itself, by up to a third of a semitone.
const DETUNED: f64 = 0.02;

const NONE: &str = "add tension_modulation = true to it, a string by its modes or a membrane";

impl Bodies<'_> {
    /// Joins the bodies that say so to the strings whose other polarisation they are.
    pub fn polarisations(&mut self, root: &Section<'_>) {
        for (name, section) in self.sections(root, "body") {
            if section.table.contains_key(POLARISATION_OF) {
                self.polarisation(name, &section);
            }
        }
    }

    fn polarisation(&mut self, name: &str, section: &Section<'_>) -> Option<()> {
        let other = section.text(POLARISATION_OF, self.problems)?;
        let second = self.body_at(section, POLARISATION_OF, other)?;
        if other == name {
            let problem =
                section.problem(POLARISATION_OF, format!("`{name}` is named as its own polarisation"), "");
            return self.refuse(problem.help("name another string"));
        }
        let first = self.bodies.get(name)?.clone()?;
        let refuse = |message: &str, help: &str| {
            let message = format!("`{name}` is no polarisation of `{other}`: {message}");
            section.problem(POLARISATION_OF, message, "").help(help)
        };
        for (body, who) in [(&second, other), (&first, name)] {
            if form_of(&self.system, body).is_some_and(|form| self.sharing(form) > 1) {
                let message = format!("`{who}` is one of two polarisations already");
                return self.refuse(refuse(&message, "a string has two: name each pair once"));
            }
        }
        let [one, two] = [&second, &first].map(|body| body.representation.rest_tension());
        if let Some((one, two)) = one.zip(two)
            && (one - two).abs() > DETUNED * one
        {
            let message = format!("their tensions are {} N and {} N", plain(two), plain(one));
            return self.refuse(refuse(&message, "give both the same length, density and frequency"));
        }
        let joined = stretching::join(&mut self.system, [&second.dofs, &first.dofs]);
        joined
            .map_err(|Complaint { message, .. }| {
                let help = "write tension_modulation = true, and the same numbers, in both of two strings";
                self.problems.push(refuse(&message, help));
            })
            .ok()
    }

    /// How many bodies have their tension from this form.
    fn sharing(&self, form: usize) -> usize {
        self.body_plans.iter().filter(|plan| form_of(&self.system, &plan.placed) == Some(form)).count()
    }

    /// The body of this name at a key; `None` where there is none or it is broken.
    fn body_at(&mut self, section: &Section<'_>, key: &str, name: &str) -> Option<Arc<Placed>> {
        if let Some(known) = self.bodies.get(name) {
            return known.clone();
        }
        let help = suggest(name, self.bodies.keys().map(String::as_str), "bodies");
        self.refuse(section.problem(key, format!("there is no body `{name}`"), "unknown").help(help))
    }
}

impl Connections<'_> {
    /// The tension of the body that `tension_of` names, as something that a drive acts on.
    pub fn tension(&mut self, section: &Section<'_>) -> Option<DrivenElement> {
        let example = "tension_of = \"BODY\", a string or membrane";
        let name = section.required_text(TENSION_OF, example, self.problems)?;
        let body = self.body_at(section, TENSION_OF, name)?;
        let Some(form) = form_of(&self.system, &body) else {
            let message = format!("the tension of `{name}` stays as it is");
            return self.refuse(section.problem(TENSION_OF, message, "").help(NONE));
        };
        Some(DrivenElement::tension(name, form, quantity(&body), body))
    }
}

impl Excitation<'_> {
    /// Adds an input for each tension that a player can bend, and answers their numbers.
    pub fn bends(&mut self) -> Vec<usize> {
        let mut tensions = BTreeMap::new();
        for BodyPlan { name, placed, .. } in &self.body_plans {
            if let Some(form) = form_of(&self.system, placed) {
                // Of two polarisations the first gives the name.
                tensions.entry(form).or_insert_with(|| (format!("bend: {name}"), unit(placed)));
            }
        }
        let still = || Box::new(Events::new(0.0, Vec::new()));
        let add = |(form, (name, unit)): (usize, (String, &'static str))| {
            self.add_input(Input::strain(name, form..form + 1), unit.into(), still())
        };
        tensions.into_iter().map(add).collect()
    }
}

/// The form of the tension of a body, if it has one that can grow.
pub fn form_of(system: &System, body: &Placed) -> Option<usize> {
    body.representation.rest_tension().and_then(|_| stretching::form_of(system, &body.dofs))
}

/// What the tension of a body is measured in.
fn quantity(body: &Placed) -> DriveQuantity {
    match body.geometry {
        Geometry::Surface(_) => DriveQuantity::SurfaceTension,
        _ => DriveQuantity::Tension,
    }
}

/// The unit of the tension of a body.
pub fn unit(body: &Placed) -> &'static str {
    if quantity(body) == DriveQuantity::SurfaceTension { "N/m" } else { "N" }
}

/// What is added to the tension of a body so that its first mode goes by so many semitones: K₁(2^(s/6) − 1)/B₁.
pub fn bent(system: &System, body: &Placed, semitones: f64) -> Result<f64, String> {
    let first = body.dofs.start;
    let own = system.blocks.iter().find(|block| block.dofs.start == first);
    let stiffness = match own.map(|block| &block.stiffness) {
        Some(Operator::Diagonal(stiffness)) => stiffness[0],
        _ => return Err("its first mode is not known".into()),
    };
    let form = form_of(system, body).map(|form| &system.forms[form]);
    let more = stiffness * (math::pow(2.0, semitones / 6.0) - 1.0);
    form.and_then(|form| form.straining(first, more)).ok_or_else(|| "its tension stays as it is".into())
}
