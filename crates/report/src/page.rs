//! The report's page: verdict and key numbers, contents, sound, sections of charts and tables, audit, scene.
//!
//! It loads nothing from elsewhere: its content security policy allows the style sheet and the script in it, by their
//! SHA-256, and embedded pictures and sound. Without the script it is complete, with charts that do not zoom.

mod head;
mod player;
mod text;
mod verdict;

use crate::{
    charts::section::Section,
    partials::Partials,
    plot::{self, STYLE, escape},
    table::{Column, Table},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use hamiltone_render::{Outcome, SinkError, sinks::audit::json};
use hamiltone_scene::plan::Plan;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Zooms charts.
const SCRIPT: &str = include_str!("page/zoom.js");

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
    let style = format!("{}{STYLE}", include_str!("page/style.css"));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; media-src data:; \
         style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title} – Hamiltone</title>\
         <style>{style}</style></head><body><main>",
        hash(&style),
        hash(SCRIPT)
    );
    page.push_str(&head::html(plan, outcome, partials));
    page.push_str(&contents(sections));
    page.push_str(&player::html(&outcome.sound)?);
    let mut figures = 0;
    for section in sections {
        let _ = write!(
            page,
            "<section id=\"{}\"><h2>{}</h2><p class=\"note\">{}</p><div class=\"charts\">",
            anchor(section.title),
            section.title,
            escape(&section.note)
        );
        for chart in &section.charts {
            figures += 1;
            page.push_str(&plot::figure(chart, figures));
        }
        page.push_str("</div>");
        section.tables.iter().for_each(|table| page.push_str(&numbers(table)));
        page.push_str("</section>");
    }
    page.push_str(&audit(plan, outcome));
    let _ = writeln!(
        page,
        "<section id=\"scene\"><h2>Scene</h2><details open><summary>{title}</summary><pre>{}</pre></details></section>\
         <footer>Hamiltone {} · scene {}</footer></main><script>{SCRIPT}</script></body></html>",
        escape(scene),
        env!("CARGO_PKG_VERSION"),
        escape(&plan.scene_sha256)
    );
    Ok(page)
}

/// What a content security policy calls an embedded text.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The anchor of a heading.
fn anchor(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

/// The contents of the page: a link to each section.
fn contents(sections: &[Section]) -> String {
    let titles = sections.iter().map(|section| section.title);
    let all = ["Sound"].into_iter().chain(titles).chain(["Energy audit", "Scene"]);
    let links: String =
        all.map(|title| format!("<li><a href=\"#{}\">{title}</a></li>", anchor(title))).collect();
    format!("<nav aria-label=\"Contents\"><ul>{links}</ul></nav>")
}

/// A table of numbers, in a frame that scrolls where it is too wide.
fn numbers(table: &Table) -> String {
    let cells = |tag: &str, row: &mut dyn Iterator<Item = (&Column, &str)>| -> String {
        row.map(|(column, cell)| format!("<{tag} class=\"{}\">{}</{tag}>", column.class(), escape(cell)))
            .collect()
    };
    let head = cells("th", &mut table.columns.iter().map(|column| (column, column.name())));
    let row = |row: &Vec<String>| {
        let cells = cells("td", &mut table.columns.iter().zip(row.iter().map(String::as_str)));
        format!("<tr>{cells}</tr>")
    };
    let rows: String = table.rows.iter().map(row).collect();
    format!(
        "<div class=\"scroll numbers\" tabindex=\"0\"><table><caption>{}</caption><thead><tr>{head}</tr></thead>\
         <tbody>{rows}</tbody></table></div>",
        table.caption
    )
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
