//! What all charts look like: colours, text and lines.
//!
//! Colours are written as attributes, so that any viewer shows them, and as classes, so that a dark scheme can replace
//! them.

use std::fmt::Write as _;

/// The colours of series in the light scheme, distinguishable for colour-blind readers.
pub const COLOURS: [&str; 7] = ["#2563c9", "#d9541e", "#12855f", "#8b46b5", "#b98500", "#0e8fa8", "#c2356f"];

/// The height of text, px.
pub const TEXT: f64 = 14.0;
/// The width of a character, px, about.
pub const CHARACTER: f64 = 8.2;

/// What a dark scheme replaces, and what every chart's text looks like.
pub const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-variant-numeric:tabular-nums}\
@media screen and (prefers-color-scheme:dark){\
.paper{fill:#14181f}.ink{fill:#e6e9ee}.faint{fill:#9aa4b2}.grid{stroke:#2a313c}.axis{stroke:#4b5563}\
.s0{stroke:#6ea8ff}.f0{fill:#6ea8ff}.s1{stroke:#ff9461}.f1{fill:#ff9461}.s2{stroke:#3fd0a0}.f2{fill:#3fd0a0}\
.s3{stroke:#c792ea}.f3{fill:#c792ea}.s4{stroke:#e8c15a}.f4{fill:#e8c15a}.s5{stroke:#4fc8de}.f5{fill:#4fc8de}\
.s6{stroke:#f283b0}.f6{fill:#f283b0}}";

/// Text with what XML and HTML reserve replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c < ' ' && c != '\n' && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

/// The width of a text, px, about.
pub fn width(text: &str) -> f64 {
    CHARACTER * text.chars().count() as f64
}

/// A straight line.
pub fn line(out: &mut String, class: &str, colour: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = write!(
        out,
        "<path class=\"{class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\"/>",
        from.0, from.1, to.0, to.1
    );
}

/// A line of text, `ink` or `faint`, with further attributes.
pub fn text(out: &mut String, at: (f64, f64), class: &str, attributes: &str, text: &str) {
    let colour = if class == "ink" { "#1c2430" } else { "#5b6675" };
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-size=\"{TEXT}\" {attributes}>{}</text>",
        at.0,
        at.1,
        escape(text)
    );
}

/// A picture that fills a rectangle.
pub fn picture(out: &mut String, (left, top): (f64, f64), (width, height): (f64, f64), data_uri: &str) {
    let _ = write!(
        out,
        "<image x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         preserveAspectRatio=\"none\" href=\"{}\"/>",
        escape(data_uri)
    );
}
