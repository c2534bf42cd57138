//! A page of charts and tables under headings, and what all pages have in common.
//!
//! It loads nothing from elsewhere: its content security policy allows the style sheet and the script in it, by their
//! SHA-256, and embedded pictures and sound. Without the script it is complete, with charts that do not zoom.

use crate::{
    charts::section::Section,
    plot::{self, STYLE, escape},
    table::{Column, Table},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Zooms charts.
const SCRIPT: &str = include_str!("page/zoom.js");

/// A key number: its name, its value and what it means.
pub type Tile = (&'static str, String, String);

/// The page of a study: a title, a sentence on what it shows, key numbers, warnings and sections.
///
/// ```
/// use hamiltone_report::{document, Section};
///
/// let section = Section { title: "Level", note: "In dB.".into(), ..Section::default() };
/// let page = document::html("Forks", "A survey", &[("Keys", "13".into(), "C4 to C5".into())], &[], &[section]);
/// assert!(page.contains("<h1>Forks</h1>") && page.contains("<section id=\"level\">"));
/// ```
pub fn html(
    title: &str,
    subject: &str,
    numbers: &[Tile],
    warnings: &[String],
    sections: &[Section],
) -> String {
    let heading = escape(title);
    let mut page = begin(&heading);
    let _ = write!(
        page,
        "<header><p class=\"brand\">Hamiltone</p><h1>{heading}</h1><p class=\"source\">{}</p>{}",
        escape(subject),
        tiles(numbers)
    );
    page.push_str(&self::warnings(warnings));
    page.push_str("</header>");
    page.push_str(&contents(sections.iter().map(|section| section.title)));
    page.push_str(&self::sections(sections));
    page.push_str(&end(""));
    page
}

/// All up to what the page shows; the title is escaped.
pub(crate) fn begin(title: &str) -> String {
    let style = format!("{}{STYLE}", include_str!("page/style.css"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; media-src data:; \
         style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title} – Hamiltone</title>\
         <style>{style}</style></head><body><main>",
        hash(&style),
        hash(SCRIPT)
    )
}

/// The end of the page: version, and what follows it in the footer.
pub(crate) fn end(more: &str) -> String {
    format!(
        "<footer>Hamiltone {}{more}</footer></main><script>{SCRIPT}</script></body></html>\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// What a content security policy calls an embedded text.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// Key numbers side by side.
pub(crate) fn tiles(numbers: &[Tile]) -> String {
    let mut out = String::from("<div class=\"tiles\">");
    for (name, value, more) in numbers {
        let (value, more) = (escape(value), escape(more));
        let _ = write!(out, "<div class=\"tile\"><h3>{name}</h3><b>{value}</b><small>{more}</small></div>");
    }
    out + "</div>"
}

/// Warnings, one below the other.
pub(crate) fn warnings(all: &[String]) -> String {
    all.iter().map(|warning| format!("<p class=\"warning\">{}</p>", escape(warning))).collect()
}

/// The contents of the page: a link to each section.
pub(crate) fn contents<'a>(titles: impl Iterator<Item = &'a str>) -> String {
    let links: String =
        titles.map(|title| format!("<li><a href=\"#{}\">{title}</a></li>", anchor(title))).collect();
    format!("<nav aria-label=\"Contents\"><ul>{links}</ul></nav>")
}

/// The anchor of a heading.
fn anchor(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

/// Charts and tables under their headings.
pub(crate) fn sections(all: &[Section]) -> String {
    let (mut out, mut figures) = (String::new(), 0);
    for section in all {
        let _ = write!(
            out,
            "<section id=\"{}\"><h2>{}</h2><p class=\"note\">{}</p><div class=\"charts\">",
            anchor(section.title),
            section.title,
            escape(&section.note)
        );
        for chart in &section.charts {
            figures += 1;
            out.push_str(&plot::figure(chart, figures));
        }
        out.push_str("</div>");
        section.tables.iter().for_each(|table| out.push_str(&numbers(table)));
        out.push_str("</section>");
    }
    out
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
