//! The scheme and the internal rate of a scene that names no scheme.

use super::{builder::Builder, run::BALANCE_BOUND};
use crate::{document::section::Section, units::plain};
use hamiltone_core::{parameter::Absent, scheme::Scheme};
use hamiltone_schemes::contact_duration::{self, Reason};

impl Builder<'_> {
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
        self.choices.push(format!("scheme `{}`: {}", scheme.name(), entry.kind.summary));
        let Absent::Number(bound) = BALANCE_BOUND.absent else { return None };
        Some((scheme, bound))
    }

    /// Internal steps per sample at this sample rate, Hz.
    pub fn choose_oversampling(&mut self, rate: f64) -> f64 {
        let Some((factor, reason)) = contact_duration::oversampling(&self.system, rate) else { return 1.0 };
        let why = match reason {
            Reason::Duration(contact, seconds) => {
                let milliseconds = plain((seconds * 1e5).round() / 1e2);
                format!(
                    "contact `{contact}` lasts about {milliseconds} ms, and {} steps resolve it",
                    contact_duration::STEPS
                )
            }
            Reason::Impact(contact) => format!("impacts of contact `{contact}` are off by up to a step"),
        };
        self.choices.push(format!("oversampling {factor}: {why}"));
        factor as f64
    }
}
