//! How the sound is written.

use super::{
    builder::Builder,
    frame::{Form, Frame, Key},
};
use crate::{
    document::section::Section,
    plan::{Level, OutputPlan, SampleFormat},
};
use hamiltone_core::parameter::{Absent, Parameter, Takes};
use toml::de::DeTable;

/// `[output]`.
pub const OUTPUT: Frame = Frame {
    name: "output",
    summary: "how the sound is written",
    named: false,
    keys: &[Key {
        name: "level",
        required: false,
        form: Form::Level,
        example: "\"peak -1 dBFS\"",
        doc: "\"peak -1 dBFS\" scales the largest sample, of all channels of one unit, to that level (default), \"gain 80 dB\" scales by that much, \"raw\" keeps SI values",
    }],
    one_of: &[],
    parameters: &[Parameter {
        name: "format",
        takes: Takes::Word(&["16-bit", "24-bit", "32-bit float", "64-bit float"]),
        absent: Absent::Word("24-bit"),
        doc: "how samples are stored; integers are dithered",
    }],
    rules: &[],
};

impl Builder<'_> {
    /// Reads `[output]`.
    pub fn output(&mut self, root: &Section<'_>) -> Option<OutputPlan> {
        let empty = DeTable::new();
        let section = match root.table.contains_key("output") {
            true => self.section(root, "output")?,
            false => Section { title: "output".into(), span: 0..0, table: &empty },
        };
        let circumstances = self.at(None);
        let values = section.values(&OUTPUT.table(), &OUTPUT.own(), circumstances, self.problems).sound();
        let level = match section.text("level", self.problems) {
            None => Some(Level::Peak(-1.0)),
            Some(text) => level(text).or_else(|| {
                let problem = section.problem("level", format!("`level` is not \"{text}\""), "unknown");
                self.problems
                    .push(problem.help("write \"peak -1 dBFS\" (at most 0), \"gain 80 dB\" or \"raw\""));
                None
            }),
        };
        let format = match values?.word("format")? {
            "16-bit" => SampleFormat::Int16,
            "24-bit" => SampleFormat::Int24,
            "32-bit float" => SampleFormat::Float32,
            _ => SampleFormat::Float64,
        };
        Some(OutputPlan { level: level?, format })
    }
}

/// `peak -1 dBFS`, `gain 80 dB` or `raw`; 1000 dB are beyond any sound.
fn level(text: &str) -> Option<Level> {
    let decibels = |x: &str| x.trim().parse().ok().filter(|x: &f64| x.abs() <= 1000.0);
    match text.trim().split_once(' ') {
        None => (text.trim() == "raw").then_some(Level::Raw),
        Some(("peak", x)) => decibels(x.strip_suffix("dBFS")?).filter(|x| *x <= 0.0).map(Level::Peak),
        Some(("gain", x)) => decibels(x.strip_suffix("dB")?).map(Level::Gain),
        Some(_) => None,
    }
}
