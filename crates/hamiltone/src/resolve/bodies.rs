//! Bodies: each adds itself to the system.

use super::Builder;
use crate::{
    plan::BodyPlan,
    scene::{
        Problem,
        problem::suggest,
        section::{Circumstances, Section},
    },
};
use hamiltone_core::{body::Placed, parameter::Entry};

/// The entry of a catalogue that a section's `key` names.
pub fn entry<T>(
    section: &Section<'_>,
    key: &str,
    (example, plural): (&str, &str),
    catalogue: &'static [Entry<T>],
    problems: &mut Vec<Problem>,
) -> Option<&'static Entry<T>> {
    let name = section.required_text(key, example, problems)?;
    let found = catalogue.iter().find(|entry| entry.kind.name == name);
    if found.is_none() {
        let names: Vec<&str> = catalogue.iter().map(|entry| entry.kind.name).collect();
        let problem = section.problem(key, format!("there is no {key} `{name}`"), "unknown");
        problems.push(problem.help(format!("{} (see `hamiltone list {plural}`)", suggest(name, names, plural))));
    }
    found
}

impl Builder<'_> {
    /// Reads `[body.NAME]`.
    pub fn body(&mut self, name: &str, section: &Section<'_>) {
        let placed = self.placed(name, section);
        self.bodies.insert(name.into(), placed);
    }

    fn placed(&mut self, name: &str, section: &Section<'_>) -> Option<Placed> {
        let catalogue = hamiltone_bodies::catalogue();
        let entry = entry(section, "kind", ("kind = \"oscillator\"", "bodies"), catalogue, self.problems)?;
        section.refuse_unknown(entry.kind.parameters, &["kind"], self.problems);
        let circumstances = Circumstances { base: self.base, per_area: Some(false) };
        let values = section.values(entry.kind.parameters, circumstances, self.problems)?;
        let placed = (entry.make)(&values).and_then(|body| body.add_to(&mut self.system, name));
        match placed {
            Ok(placed) => {
                let (dofs, per_area) = (placed.dofs.clone(), placed.per_area);
                if let Some(other) = self.body_plans.iter().find(|other| other.per_area != per_area) {
                    let (yes, no) = if per_area { (name, other.name.as_str()) } else { (other.name.as_str(), name) };
                    let message = format!("`{yes}` is per unit area (Pa, J/m²), but `{no}` is not (N, J)");
                    let help = "their forces and energies cannot be added: describe all bodies per unit area, or none";
                    self.problems.push(section.problem("", message, "").help(help));
                }
                self.body_plans.push(BodyPlan { name: name.into(), dofs, per_area });
                Some(placed)
            }
            Err(complaint) => {
                self.problems.push(section.complaint(&complaint));
                None
            }
        }
    }
}
