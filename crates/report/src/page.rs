//! The report's page: verdict and key numbers, contents, sound, sections of charts and tables, audit, scene.

mod head;
mod player;
mod text;
mod verdict;

use crate::{charts::section::Section, document, partials::Partials, plot::escape};
use hamiltone_render::{Outcome, SinkError, sinks::audit::json};
use hamiltone_scene::plan::Plan;
use serde_json::Value;
use std::fmt::Write as _;

/// The whole page.
///
/// # Errors
/// Where the sound cannot be read.
pub fn html(
    plan: &Plan,
    outcome: &Outcome,
    sections: &[Section],
    partials: &[Partials],
    scene: &str,
) -> Result<String, SinkError> {
    let title = escape(&plan.title);
    let mut page = document::begin(&title);
    page.push_str(&head::html(plan, outcome, partials));
    let titles = sections.iter().map(|section| section.title);
    page.push_str(&document::contents(["Sound"].into_iter().chain(titles).chain(["Energy audit", "Scene"])));
    page.push_str(&player::html(&outcome.sound)?);
    page.push_str(&document::sections(sections));
    page.push_str(&audit(plan, outcome));
    let _ = write!(
        page,
        "<section id=\"scene\"><h2>Scene</h2><details open><summary>{title}</summary><pre>{}</pre></details></section>",
        escape(scene)
    );
    page.push_str(&document::end(&format!(" · scene {}", escape(&plan.scene_sha256))));
    Ok(page)
}

fn audit(plan: &Plan, outcome: &Outcome) -> String {
    let mut out =
        "<section id=\"energy-audit\"><h2>Energy audit</h2><div class=\"scroll\"><table><tbody>".to_string();
    if let Value::Object(audit) = json(plan, outcome) {
        // Contacts have a table of their own.
        for (name, value) in audit.into_iter().filter(|(name, _)| name != "contacts") {
            let _ =
                write!(out, "<tr><th>{}</th><td>{}</td></tr>", escape(&name), escape(&text::words(&value)));
        }
    }
    out.push_str("</tbody></table></div></section>");
    out
}
