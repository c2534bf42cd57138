//! The scheme and the internal rate of a scene that names no scheme.

use super::{
    run::{BALANCE_BOUND, SAMPLE_RATE, stated_rate},
    stages::Sound,
};
use crate::{document::section::Section, units::plain};
use hamiltone_bodies::reduction::MAX_COORDINATES;
use hamiltone_core::{
    coverage::requirements,
    parameter::{Absent, Detail},
    refusal::Refusal,
    scheme::Scheme,
};
use hamiltone_plan::audible;
use hamiltone_schemes::contact_duration::{self, Reason};

/// How finely bodies are represented: up to 20 kHz, or 0.45 of the sample rate. Where links may join them, the bodies
/// share the coordinates from which modes can be found.
pub fn choose_detail(root: &Section<'_>) -> Detail {
    let number = |what: &str| {
        let parts = root.table.get(what).and_then(|parts| parts.get_ref().as_table());
        parts.map_or(0, |parts| parts.len())
    };
    let sharing = if number("link") == 0 { 1 } else { number("body").max(1) };
    Detail {
        highest: audible(stated_rate(root).unwrap_or(SAMPLE_RATE)),
        coordinates: MAX_COORDINATES / sharing,
    }
}

impl Sound<'_> {
    /// The scheme for what has been built, and the balance bound of all schemes.
    pub fn choose(
        &mut self,
        section: &Section<'_>,
        choices: &mut Vec<String>,
    ) -> Option<(Box<dyn Scheme>, f64)> {
        if section.table.contains_key("options") {
            return self.refuse(
                section
                    .problem("options", "`options` are those of a scheme, and none is named", "")
                    .help("add scheme = \"…\" (see `hamiltone list schemes`), or leave `options` out"),
            );
        }
        let Some(scheme) = hamiltone_schemes::preferred(&self.system) else {
            let message = "no scheme covers this scene with an exact balance";
            return self.refuse(
                section.problem("scheme", message, "").help("name one: see `hamiltone list schemes`"),
            );
        };
        let entry = hamiltone_schemes::catalogue().iter().find(|entry| entry.kind.name == scheme.name())?;
        let first = hamiltone_schemes::catalogue()
            .first()
            .and_then(|entry| hamiltone_schemes::named(entry.kind.name));
        let missing = first.filter(|first| first.name() != scheme.name()).and_then(|first| {
            let needs = requirements(&self.system);
            let what = needs.into_iter().find(|need| !first.coverage().covers(need.need))?.what;
            Some(format!("; `{}` does not cover {what}", first.name()))
        });
        let reason = missing.unwrap_or_default();
        choices.push(format!("scheme `{}`: {}{reason}", scheme.name(), entry.kind.summary));
        let Absent::Number(bound) = BALANCE_BOUND.absent else { return None };
        Some((scheme, bound))
    }

    /// Internal steps per sample at this sample rate, Hz: as many as the contacts need, and as `scheme` runs with.
    pub fn choose_oversampling(
        &self,
        rate: f64,
        scheme: Option<&dyn Scheme>,
        choices: &mut Vec<String>,
    ) -> f64 {
        let mut factor = self.contacts_need(rate, choices);
        let unstable = |factor: f64| {
            let prepared = scheme.map(|scheme| scheme.prepare(&self.system, 1.0 / (rate * factor)));
            matches!(prepared, Some(Err(Refusal::Unstable { .. })))
        };
        let contacts = factor;
        while factor < contact_duration::MAX_OVERSAMPLING as f64 && unstable(factor) {
            factor *= 2.0;
        }
        if factor > contacts {
            choices.push(format!("oversampling {factor}: a body is too fast for fewer steps"));
        }
        factor
    }

    /// Internal steps per sample that contacts and links need.
    fn contacts_need(&self, rate: f64, choices: &mut Vec<String>) -> f64 {
        let Some((factor, reason)) = contact_duration::oversampling(&self.system, rate) else { return 1.0 };
        let why = match reason {
            Reason::Duration(contact, seconds) => {
                let steps = (seconds * rate * factor as f64).floor();
                format!(
                    "contact `{contact}` lasts about {} µs, {steps} steps",
                    plain((seconds * 1e7).round() / 10.0)
                )
            }
            Reason::Impact(contact) => {
                format!("impacts of the rigid contact `{contact}` are off by up to a step")
            }
            Reason::Compliant(contact) => {
                format!("how long contact `{contact}` lasts is not known beforehand")
            }
            Reason::Link(link) => format!("a step detunes what link `{link}` joins"),
        };
        choices.push(format!("oversampling {factor}: {why}"));
        factor as f64
    }
}
