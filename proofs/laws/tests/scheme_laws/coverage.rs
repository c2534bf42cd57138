//! Coverage: every scheme takes what it states and refuses, by name, what it does not know.
//!
//! Unknown kinds of laws, inputs and elements are made here; no scheme was written with them in mind.

use super::{Taken, hold, hold_at_random, require};
use hamiltone_core::{
    coverage::{Need, requirements},
    custom::CustomLaw,
    element::{Element, Law},
    identity::Identity,
    input::{Action, Input},
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    system::System,
};
use hamiltone_laws::{parts, smooth, trial::Trial};
use std::{any::Any, sync::Arc};

/// A law that no scheme knows.
#[derive(Debug)]
struct Unknown;

impl CustomLaw for Unknown {
    fn kind(&self) -> &'static str {
        "tension modulation"
    }
    fn identity(&self) -> Identity {
        Identity::of(self.kind())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Systems that need something unknown, with the name that a refusal must mention.
fn strangers() -> Vec<(System, &'static str)> {
    let law = || Law::Custom(Arc::new(Unknown));
    let mut unknown_law = smooth::oscillator();
    unknown_law.elements.push(Element::new("stretch", Row::unit(0), 0.0, law()));

    // An element of several strains.
    let mut unknown_element = smooth::oscillator();
    let rows = vec![Row::unit(0), Row::unit(0).scaled(2.0)];
    unknown_element.elements.push(Element { name: "strains".into(), rows, gap: 0.0, law: law() });

    // An input of an unknown kind, to an element that many schemes know.
    let mut unknown_input = smooth::with_contact(smooth::oscillator(), &smooth::contacts()[0][0].contact);
    let action = Action::Custom { kind: "breath", elements: 0..1 };
    unknown_input.inputs.push(Input { name: "lips".into(), action });
    vec![(unknown_law, "`stretch`"), (unknown_element, "`strains`"), (unknown_input, "`lips`")]
}

/// Whatever is unknown is refused by name.
fn refuses_the_unknown(scheme: &dyn Scheme) -> Result<(), String> {
    for (system, name) in strangers() {
        match scheme.prepare(&system, 1e-5) {
            Err(Refusal::NotCovered { what, .. }) => {
                require(what.iter().any(|what| what.contains(name)), || {
                    format!("the refusal {what:?} does not name {name}")
                })?;
            }
            Err(other) => return Err(format!("{name} is refused for another reason: {other}")),
            Ok(_) => return Err(format!("{name} is ignored")),
        }
    }
    Ok(())
}

/// A system is refused as not covered exactly where something is not on the list, and then all of it is named.
fn as_stated(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let coverage = scheme.coverage();
    let needs = requirements(&trial.system);
    let missing = needs.iter().filter(|requirement| !coverage.covers(requirement.need)).count();
    let outcome = scheme.prepare(&trial.system, 1.0 / trial.rate);
    match (&outcome, missing) {
        (Err(Refusal::NotCovered { what, .. }), 1..) => {
            require(what.len() == missing, || format!("{} of {missing} are named", what.len()))
                .map(|()| false)
        }
        (_, 1..) => Err("something that is not covered is not refused as such".into()),
        _ => Ok(outcome.is_ok()),
    }
}

#[test]
fn unknown_elements_laws_and_inputs_are_refused_by_name() {
    hold(refuses_the_unknown);
}

#[test]
fn what_is_not_on_the_list_is_refused() {
    hold_at_random(parts::wide, 300, 1, 4, as_stated);
}

/// The needs of the strangers are the custom kinds, and nothing else is new in them.
#[test]
fn unknown_kinds_are_needs() {
    for (system, name) in strangers() {
        let custom = |need: Need| matches!(need, Need::Custom(_));
        let needs = requirements(&system);
        assert!(needs.iter().any(|need| custom(need.need) && need.what.contains(name)), "{needs:?}");
    }
}
