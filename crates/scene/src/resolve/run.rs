//! How long, how fast and by which scheme.

use super::{
    bodies::entry,
    builder::Builder,
    frame::{Frame, Key},
};
use crate::{document::section::Section, plan::OutputPlan, units::plain};
use hamiltone_core::{
    parameter::{Absent, Parameter, Range, Takes},
    refusal::Refusal,
    scheme::Scheme,
};
use toml::de::{DeTable, DeValue};

/// The largest number of steps of one run: about a day where a step takes a microsecond.
const MOST_STEPS: f64 = 1e11;
/// A WAV file counts its bytes in 32 bits.
const MOST_BYTES: f64 = u32::MAX as f64;

/// `[run]`.
pub const RUN: Frame = Frame {
    name: "run",
    summary: "how long, how fast and by which scheme",
    named: false,
    keys: &[
        Key {
            name: "scheme",
            required: true,
            example: "\"ec\"",
            doc: "the time-stepping method: see `list schemes`",
        },
        Key {
            name: "options",
            required: false,
            example: "{}",
            doc: "the scheme's own parameters, and balance_bound",
        },
    ],
    parameters: &[
        Parameter {
            name: "duration",
            takes: Takes::Number("s", Range::POSITIVE),
            absent: Absent::Required,
            doc: "length of the sound",
        },
        Parameter {
            name: "sample_rate",
            takes: Takes::Number("Hz", Range { min: 1.0, max: u32::MAX as f64, open: false }),
            absent: Absent::Number(44100.0),
            doc: "samples of the sound per second, a whole number",
        },
        Parameter {
            name: "oversampling",
            takes: Takes::Number("", Range { min: 1.0, max: 1e6, open: false }),
            absent: Absent::Number(1.0),
            doc: "internal steps per sample, a whole number",
        },
    ],
};

/// An option of every scheme.
pub const BALANCE_BOUND: Parameter = Parameter {
    name: "balance_bound",
    takes: Takes::Number("", Range::POSITIVE),
    absent: Absent::Number(1e-2),
    doc: "the largest relative energy residual that passes where the scheme's balance is only bounded",
};

/// What `[run]` says.
pub struct Run {
    /// The method, its options applied.
    pub scheme: Box<dyn Scheme>,
    /// Hz.
    pub sample_rate: f64,
    /// Steps per sample.
    pub oversampling: usize,
    /// Samples.
    pub frames: usize,
    /// For schemes whose balance is bounded.
    pub balance_bound: f64,
}

impl Builder<'_> {
    /// Reads `[run]` and prepares its scheme once, to hear whether it accepts the system.
    pub fn run(&mut self, root: &Section<'_>, output: Option<&OutputPlan>) -> Option<Run> {
        let Some(section) = self.section(root, "run") else {
            let help = "add [run] with a scheme (see `hamiltone list schemes`) and duration = \"1 s\"";
            self.problems.push(root.problem("run", "the section `run` is missing", "").help(help));
            return None;
        };
        section.refuse_unknown(RUN.parameters, &RUN.own(), self.problems);
        let circumstances = self.at(None);
        let values = section.values(RUN.parameters, circumstances, self.problems);
        let scheme = self.scheme(&section);
        let values = values?;
        let number = |name| values.number(name).unwrap_or_default();
        let (duration, rate, oversampling) =
            (number("duration"), number("sample_rate"), number("oversampling"));
        let broken: Vec<_> = [("sample_rate", rate), ("oversampling", oversampling)]
            .into_iter()
            .filter(|(_, x)| x.fract() != 0.0)
            .collect();
        for (name, x) in &broken {
            let message = format!("`{name}` is {x}, but must be a whole number");
            self.problems
                .push(section.problem(name, message, "not whole").help(format!("write {}", x.round())));
        }
        if !broken.is_empty() {
            return None;
        }
        let frames = (duration * rate).round();
        self.check_length(&section, duration, (rate, oversampling, frames), output)?;
        let (scheme, balance_bound) = scheme?;
        if self.problems.is_empty() {
            self.ask(&section, &*scheme, rate, oversampling);
        }
        let (frames, oversampling) = (frames as usize, oversampling as usize);
        Some(Run { scheme, sample_rate: rate, oversampling, frames, balance_bound })
    }

    /// Whether the scheme accepts the system, and what it advises.
    fn ask(&mut self, section: &Section<'_>, scheme: &dyn Scheme, rate: f64, oversampling: f64) {
        let dt = 1.0 / (rate * oversampling);
        let Err(refusal) = scheme.prepare(&self.system, dt) else {
            for advice in scheme.advice(&self.system, dt) {
                self.warnings.push(section.problem("scheme", advice, ""));
            }
            return;
        };
        let help = match refusal {
            Refusal::Unstable { rate: least, .. } => {
                format!(
                    "write oversampling = {}, or use a scheme that is stable for every step",
                    (least / rate).ceil()
                )
            }
            _ => "see `hamiltone list schemes`".into(),
        };
        self.problems.push(section.problem("scheme", refusal, "refuses this scene").help(help));
    }

    fn check_length(
        &mut self,
        section: &Section<'_>,
        duration: f64,
        (rate, oversampling, frames): (f64, f64, f64),
        output: Option<&OutputPlan>,
    ) -> Option<()> {
        let bytes_a_sample = output.map_or(3.0, |output| output.format.bytes() as f64);
        let channels = self.pickups.len().max(1) as f64;
        let (steps, bytes) = (frames * oversampling, frames * channels * bytes_a_sample);
        let (message, help) = if frames < 1.0 {
            let message = format!("`duration` is {duration} s, less than one sample at {rate} Hz");
            (message, format!("write at least \"{} s\"", plain(1.0 / rate)))
        } else if steps > MOST_STEPS {
            let message = format!("{duration} s are {} steps, more than {MOST_STEPS:e}", plain(steps));
            (
                message,
                format!(
                    "write at most \"{} s\", or fewer steps a second",
                    plain(MOST_STEPS / rate / oversampling)
                ),
            )
        } else if bytes > MOST_BYTES {
            let message = format!(
                "{duration} s are {} bytes of sound, but a WAV file holds {MOST_BYTES}",
                plain(bytes)
            );
            (
                message,
                format!(
                    "write at most \"{} s\"",
                    plain((MOST_BYTES / rate / channels / bytes_a_sample).floor())
                ),
            )
        } else {
            return Some(());
        };
        self.problems.push(section.problem("duration", message, "").help(help));
        None
    }

    fn scheme(&mut self, section: &Section<'_>) -> Option<(Box<dyn Scheme>, f64)> {
        let catalogue = hamiltone_schemes::catalogue();
        let entry = entry(section, "scheme", "schemes", catalogue, self.problems)?;
        let (empty, title) = (DeTable::new(), format!("the options of scheme `{}`", entry.kind.name));
        let options = match section.table.get("options").map(|v| (v.span(), v.get_ref())) {
            None => Section { title, span: section.span.clone(), table: &empty },
            Some((span, DeValue::Table(table))) => Section { title, span, table },
            Some(_) => {
                let problem = section.problem("options", "`options` takes a table", "not a table");
                self.problems.push(problem.help("write [run.options] and its keys below"));
                return None;
            }
        };
        let parameters = [entry.kind.parameters, &[BALANCE_BOUND]].concat();
        let left = self.left_behind((section, "scheme"), &options, &parameters, &[]);
        options.refuse_unknown(&parameters, &left, self.problems);
        let circumstances = self.at(None);
        let values = options.values(&parameters, circumstances, self.problems)?;
        match (entry.make)(&values) {
            Ok(scheme) => Some((scheme, values.number(BALANCE_BOUND.name)?)),
            Err(complaint) => {
                self.problems.push(options.complaint(&complaint));
                None
            }
        }
    }
}
