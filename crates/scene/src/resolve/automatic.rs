//! The scheme and the internal rate of a scene that names no scheme.

use super::{
    builder::Builder,
    run::{BALANCE_BOUND, RUN},
};
use crate::{document::section::Section, units::plain};
use hamiltone_bodies::reduction::{HIGHEST_AUDIBLE, MAX_COORDINATES};
use hamiltone_core::{
    coverage::requirements,
    parameter::{Absent, Detail},
    refusal::Refusal,
    scheme::Scheme,
};
use hamiltone_plan::audible;
use hamiltone_schemes::contact_duration::{self, Reason};

impl Builder<'_> {
    /// How finely bodies are represented: up to 20 kHz, or 0.45 of the sample rate. Where links may join them, the bodies
    /// share the coordinates from which modes can be found.
    pub fn choose_detail(&self, root: &Section<'_>) -> Detail {
        let run = root.table.get("run").and_then(|value| Some((value.span(), value.get_ref().as_table()?)));
        let rate = run.and_then(|(span, table)| {
            // What is wrong with it is reported when the section is read.
            let section = Section { title: RUN.name.into(), span, table };
            let values = section.values(&RUN.table(), &RUN.own(), self.at(None), &mut Vec::new()).values;
            values.number("sample_rate")
        });
        let number = |what: &str| {
            let parts = root.table.get(what).and_then(|parts| parts.get_ref().as_table());
            parts.map_or(0, |parts| parts.len())
        };
        let sharing = if number("link") == 0 { 1 } else { number("body").max(1) };
        Detail { highest: rate.map_or(HIGHEST_AUDIBLE, audible), coordinates: MAX_COORDINATES / sharing }
    }

    /// The scheme for what has been built, and the balance bound of all schemes.
    pub fn choose(&mut self, section: &Section<'_>) -> Option<(Box<dyn Scheme>, f64)> {
        if section.table.contains_key("options") {
            let problem =
                section.problem("options", "`options` are those of a scheme, and none is named", "");
            self.problems.push(
                problem.help("add scheme = \"…\" (see `hamiltone list schemes`), or leave `options` out"),
            );
            return None;
        }
        let Some(scheme) = hamiltone_schemes::preferred(&self.system) else {
            let message = "no scheme covers this scene with an exact balance";
            let problem = section.problem("scheme", message, "");
            self.problems.push(problem.help("name one: see `hamiltone list schemes`"));
            return None;
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
        self.choices.push(format!("scheme `{}`: {}{reason}", scheme.name(), entry.kind.summary));
        let Absent::Number(bound) = BALANCE_BOUND.absent else { return None };
        Some((scheme, bound))
    }

    /// Internal steps per sample at this sample rate, Hz: as many as the contacts need, and as `scheme` runs with.
    pub fn choose_oversampling(&mut self, rate: f64, scheme: Option<&dyn Scheme>) -> f64 {
        let mut factor = self.contacts_need(rate);
        let unstable = |factor: f64| {
            let prepared = scheme.map(|scheme| scheme.prepare(&self.system, 1.0 / (rate * factor)));
            matches!(prepared, Some(Err(Refusal::Unstable { .. })))
        };
        let contacts = factor;
        while factor < contact_duration::MAX_OVERSAMPLING as f64 && unstable(factor) {
            factor *= 2.0;
        }
        if factor > contacts {
            self.choices.push(format!("oversampling {factor}: a body is too fast for fewer steps"));
        }
        factor
    }

    /// Internal steps per sample that contacts and links need.
    fn contacts_need(&mut self, rate: f64) -> f64 {
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
        self.choices.push(format!("oversampling {factor}: {why}"));
        factor as f64
    }
}
