//! How long, how fast and by which scheme.

use super::{
    bodies::entry,
    frame::{Form, Frame, Key, Sections},
    stages::Sound,
};
use crate::{
    document::{
        expected::Expected,
        problem::Problem,
        section::{Checked, Section},
        value,
    },
    limits::Limited,
    units::plain,
};
use hamiltone_core::{
    check::check,
    coverage::{Feature, Need, requirements},
    islands::{Island, islands},
    parameter::{Absent, Parameter, Range, Role, Table, Takes},
    refusal::Refusal,
    scheme::Scheme,
};
use hamiltone_numerics::parallel;
use toml::de::{DeTable, DeValue};

/// How many oversampling factors are tried before none is recommended.
const MAX_ATTEMPTS: usize = 4;
/// The most schemes that a message recommends.
const MAX_SCHEMES: usize = 4;

/// `[run]`.
pub const RUN: Frame = Frame {
    name: "run",
    summary: "how long, how fast and by which scheme",
    sections: Sections::One,
    keys: &[
        Key {
            name: "scheme",
            required: false,
            form: Form::Text,
            example: "\"modal-ec\"",
            doc: "the time-stepping method: see `list schemes`; without it the method, the representation of bodies and the oversampling are chosen for the scene",
        },
        Key {
            name: "options",
            required: false,
            form: Form::Text,
            example: "{}",
            doc: "the scheme's own parameters, and balance_bound",
        },
    ],
    one_of: &[],
    parameters: &[
        Parameter {
            name: "duration",
            takes: Takes::Number(Role::Time, Range::POSITIVE),
            absent: Absent::Required,
            doc: "length of the sound",
        },
        Parameter {
            name: "sample_rate",
            takes: Takes::Number(Role::SampleRate, Range { min: 1.0, max: u32::MAX as f64, open: false }),
            absent: Absent::Number(SAMPLE_RATE),
            doc: "samples of the sound per second, a whole number",
        },
        Parameter {
            name: "oversampling",
            takes: Takes::Number(Role::Count, Range { min: 1.0, max: 1e6, open: false }),
            absent: Absent::Optional(
                "1 with a scheme; without one as many as the shortest contact needs, 16 at most",
            ),
            doc: "internal steps per sample",
        },
        Parameter {
            name: "tuning_tolerance",
            takes: Takes::Number(Role::Number, Range { min: 0.01, max: 12_000.0, open: false }),
            absent: Absent::Optional(
                "5 cents are reported, and 50 cents of one of the first five partials fail",
            ),
            doc: "cents: a run whose audible partials sound farther from theory than this fails; nothing within it is reported",
        },
        Parameter {
            name: "bandwidth",
            takes: Takes::Number(Role::Frequency, Range::POSITIVE),
            absent: Absent::Optional("the limit of hearing, 20 kHz, or of the sample rate"),
            doc: "up to which frequency the sound is meant to be complete: bodies whose modes end below it are reported",
        },
        Parameter {
            name: A4,
            takes: Takes::Number(Role::Frequency, A4_RANGE),
            absent: Absent::Number(CONCERT_PITCH),
            doc: "the frequency of the note A4, the reference of every `pitch`",
        },
    ],
    rules: &[],
};

/// The sample rate of scenes that state none, Hz.
pub const SAMPLE_RATE: f64 = 44_100.0;
/// The reference of notes.
const A4: &str = "a4";
/// From an octave below to an octave above the pitches that orchestras have had.
const A4_RANGE: Range = Range { min: 200.0, max: 900.0, open: false };
/// ISO 16, Hz.
const CONCERT_PITCH: f64 = 440.0;

/// An option of every scheme.
pub const BALANCE_BOUND: Parameter = Parameter {
    name: "balance_bound",
    // Relative to the peak energy, the residual of a run that multiplies its energy tends to 1: a bound of 1 accepts all.
    takes: Takes::Number(Role::Number, Range { min: 0.0, max: 0.99, open: true }),
    absent: Absent::Number(1e-2),
    doc: "the largest relative energy residual that passes where the scheme's balance is only bounded; below 1, which any run would pass",
};

/// What `[run]` states.
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
    /// Cents that partials may sound from theory, where the scene says so.
    pub tuning_tolerance: Option<f64>,
    /// Up to which frequency the sound is meant to be complete, Hz, where the scene says so.
    pub bandwidth: Option<f64>,
    /// Whether the scheme has advice on the run, which is among the warnings.
    pub advised: bool,
    /// What was chosen where no scheme is named, and why.
    pub choices: Vec<String>,
}

/// Whether `[run]` is there and names no scheme.
pub fn is_automatic(root: &Section<'_>) -> bool {
    let run = root.table.get("run").and_then(|value| value.get_ref().as_table());
    run.is_some_and(|table| !table.contains_key("scheme"))
}

/// The frequency of the note A4, Hz, as `[run]` states it; what is wrong with it is said when `[run]` is read.
pub fn a4(root: &Section<'_>) -> f64 {
    let run = root.table.get("run").and_then(|value| value.get_ref().as_table());
    let expected = Expected { units: vec!["Hz".into()], range: A4_RANGE, whole: false };
    let given = run.and_then(|table| value::number(table.get(A4)?, &expected).ok());
    given.unwrap_or(CONCERT_PITCH)
}

/// The sample rate that `[run]` states, Hz; what is wrong with it is said when `[run]` is read.
pub fn stated_rate(root: &Section<'_>) -> Option<f64> {
    let value = root.table.get("run")?.get_ref().as_table()?.get("sample_rate")?;
    let expected = Expected { units: vec!["Hz".into()], range: Range::POSITIVE, whole: false };
    value::number(value, &expected).ok()
}

/// The time step that `[run]` states, s: that of a sample, unless it states steps a sample.
pub fn stated_step(root: &Section<'_>) -> f64 {
    let number = |name: &str| {
        let value = root.table.get("run")?.get_ref().as_table()?.get(name)?;
        value::number(value, &Expected { units: Vec::new(), range: Range::POSITIVE, whole: true }).ok()
    };
    1.0 / (stated_rate(root).unwrap_or(SAMPLE_RATE) * number("oversampling").unwrap_or(1.0))
}

/// Whether bodies are represented by modes unless they say otherwise: no scheme is named, or one that takes no grids.
pub fn by_modes(root: &Section<'_>) -> bool {
    let run = root.table.get("run").and_then(|value| value.get_ref().as_table());
    let named =
        run.and_then(|table| table.get("scheme")?.get_ref().as_str().and_then(hamiltone_schemes::named));
    let grids = |scheme: Box<dyn Scheme>| scheme.coverage().covers(Need::Feature(Feature::CoupledStiffness));
    is_automatic(root) || named.is_some_and(|scheme| !grids(scheme))
}

impl Sound<'_> {
    /// Reads `[run]`, finds the modes that bodies ask for, and asks the scheme about the system: whether it accepts it, where
    /// the system is `complete`; else whether it covers what there is.
    pub fn run(&mut self, root: &Section<'_>, complete: bool) -> Option<Run> {
        if !root.table.contains_key("run") {
            let help = "add [run] with duration = \"1 s\"";
            self.problems.push(root.problem("run", "the section `run` is missing", "").help(help));
        }
        let section = self.section(root, "run")?;
        let circumstances = self.at(None);
        let Checked { values, sound } =
            section.values(&RUN.table(), &RUN.own(), circumstances, self.problems);
        let rate = values.number("sample_rate");
        let given = values.number("oversampling").or(values.is_readable("oversampling").then_some(1.0));
        let internal = rate.zip(given).map(|(rate, oversampling)| rate * oversampling);
        let reduced = self.reduce(root, internal);
        let (automatic, mut choices, mut advised) = (self.detail.is_some(), Vec::new(), false);
        let scheme = match automatic {
            true => self.choose(&section, &mut choices),
            false => self.scheme(&section),
        };
        let oversampling = match rate {
            Some(rate) if automatic && !section.table.contains_key("oversampling") => {
                let scheme = scheme.as_ref().map(|(scheme, _)| &**scheme);
                Some(self.choose_oversampling(rate, scheme, &mut choices))
            }
            _ => given,
        };
        let dt = rate.zip(oversampling).map(|(rate, oversampling)| 1.0 / (rate * oversampling));
        if let (Some((scheme, _)), Some(())) = (&scheme, reduced) {
            advised = self.ask(&section, &**scheme, rate.zip(dt).filter(|_| complete));
        }
        if let Some(oversampling) = oversampling
            && let Err(exceeded) = self.reading.limits().check(Limited::Oversampling, oversampling as u128)
        {
            let problem =
                section.problem("oversampling", format!("`oversampling` is {}", exceeded.amounts()), "");
            self.problems.push(problem.help(exceeded.help()));
        }
        let (duration, rate, oversampling) = (values.number("duration")?, rate?, oversampling?);
        let frames = (duration * rate).round();
        self.check_length(&section, duration, (rate, oversampling, frames))?;
        let (scheme, balance_bound) = scheme.filter(|_| sound)?;
        let (frames, oversampling) = (frames as usize, oversampling as usize);
        Some(Run {
            scheme,
            sample_rate: rate,
            oversampling,
            frames,
            balance_bound,
            tuning_tolerance: values.number("tuning_tolerance"),
            bandwidth: values.number("bandwidth"),
            advised,
            choices,
        })
    }

    /// Whether the scheme accepts the system at a sample rate (Hz) and time step (s), and what it advises; without
    /// those, what it does not cover. Returns whether it advises anything.
    fn ask(&mut self, section: &Section<'_>, scheme: &dyn Scheme, step: Option<(f64, f64)>) -> bool {
        let Some((rate, dt)) = step else {
            let coverage = scheme.coverage();
            let missing = requirements(&self.system).into_iter().filter(|need| !coverage.covers(need.need));
            let what: Vec<String> = missing.map(|need| need.what).collect();
            if !what.is_empty() {
                let refusal = Refusal::NotCovered { scheme: scheme.name(), what };
                let problem = section.problem("scheme", refusal, "refuses this scene");
                let names = hamiltone_schemes::covering_by_modes(&self.system);
                let help = self.by_defaults(scheme, choice(&names, "no scheme covers this scene"));
                self.problems.push(problem.help(help));
            }
            return false;
        };
        let Err(refusal) = self.try_scheme(scheme, dt) else {
            let advice = scheme.advice(&self.system, dt).into_iter();
            let advice: Vec<Problem> = advice.map(|advice| section.problem("scheme", advice, "")).collect();
            let advised = !advice.is_empty();
            self.warnings.extend(advice);
            return advised;
        };
        let help = match refusal {
            Refusal::Unstable { rate: least, .. } => match self.stable_oversampling(scheme, rate, least) {
                Ok(factor) => format!("write oversampling = {factor}, or {}", self.alternatives(dt)),
                Err(more) => {
                    if let Some(more) = more {
                        self.problems.push(section.problem("scheme", more, "refuses this scene"));
                    }
                    self.alternatives(dt)
                }
            },
            Refusal::NotCovered { .. } => self.by_defaults(scheme, self.covering(dt)),
            Refusal::Invalid { .. } | Refusal::OutOfRange { .. } | Refusal::Option { .. } => String::new(),
        };
        self.problems.push(section.problem("scheme", refusal, "refuses this scene").help(help));
        false
    }

    /// Whether the scheme takes the system at the time step dt (s); that of an instrument is stepped by its islands.
    fn try_scheme(&self, scheme: &dyn Scheme, dt: f64) -> Result<(), Refusal> {
        if !self.played || check(&self.system, dt).is_err() {
            return scheme.prepare(&self.system, dt).map(drop);
        }
        let prepare = |island: Island| scheme.prepare(&island.system, dt).map(drop);
        parallel::map(islands(&self.system), prepare).into_iter().collect()
    }

    /// The oversampling with which an unstable scheme runs this system at a sample rate (Hz), `least` being the internal
    /// rate that it asked for. Where it does not run it then either, the refusal that remains.
    fn stable_oversampling(
        &self,
        scheme: &dyn Scheme,
        rate: f64,
        mut least: f64,
    ) -> Result<f64, Option<Refusal>> {
        // What a scheme asks for is rounded, and other limits may ask for more.
        for _ in 0..MAX_ATTEMPTS {
            let factor = (least / rate).ceil();
            if self.reading.limits().check(Limited::Oversampling, factor as u128).is_err() {
                return Err(None);
            }
            match scheme.prepare(&self.system, 1.0 / (rate * factor)) {
                Ok(_) => return Ok(factor),
                Err(Refusal::Unstable { rate: more, .. }) => least = more.max(rate * (factor + 1.0)),
                Err(refusal) => return Err(Some(refusal)),
            }
        }
        Err(None)
    }

    /// The schemes of the catalogue that run this system at the time step dt (s), in words.
    fn alternatives(&self, dt: f64) -> String {
        choice(&hamiltone_schemes::alternatives(&self.system, dt), "no scheme runs this scene at this step")
    }

    /// The same, and the schemes that run it where its bodies are represented by their modes.
    fn covering(&self, dt: f64) -> String {
        let here = hamiltone_schemes::alternatives(&self.system, dt);
        let mut others = hamiltone_schemes::covering_by_modes(&self.system);
        others.retain(|name| !here.contains(name));
        let modal =
            |others: &[&str]| format!("{}, with bodies represented by their modes", choice(others, ""));
        match (here.as_slice(), others.as_slice()) {
            (_, []) => self.alternatives(dt),
            ([], others) => modal(others),
            (here, others) => format!("{}, or {}", choice(here, ""), modal(others)),
        }
    }

    /// `others`, and before them the scheme itself where it is one of its options that leaves the system uncovered.
    fn by_defaults(&self, scheme: &dyn Scheme, others: String) -> String {
        let name = scheme.name();
        let covers = |scheme: &dyn Scheme| scheme.coverage().covers_system(&self.system);
        match hamiltone_schemes::named(name) {
            Some(default) if covers(&*default) && !covers(scheme) => {
                format!("leave out the options of `{name}`, or {others}")
            }
            _ => others,
        }
    }

    fn check_length(
        &mut self,
        section: &Section<'_>,
        duration: f64,
        (rate, oversampling, frames): (f64, f64, f64),
    ) -> Option<()> {
        let steps = frames * oversampling;
        let (message, help) = if frames < 1.0 {
            let message = format!("`duration` is {} s, less than one sample at {rate} Hz", plain(duration));
            (message, format!("write at least \"{} s\"", plain(1.0 / rate)))
        } else if let Err(exceeded) = self.reading.limits().check(Limited::Steps, steps as u128) {
            let message = format!("{} s are steps: {}", plain(duration), exceeded.amounts());
            let most = plain(exceeded.allowed as f64 / rate / oversampling);
            (message, format!("write at most \"{most} s\", or fewer steps per second; {}", exceeded.help()))
        } else {
            return Some(());
        };
        self.refuse(section.problem("duration", message, "").help(help))
    }

    fn scheme(&mut self, section: &Section<'_>) -> Option<(Box<dyn Scheme>, f64)> {
        let catalogue = hamiltone_schemes::catalogue();
        let entry = entry(section, "scheme", "schemes", catalogue, self.problems)?;
        let (empty, title) = (DeTable::new(), format!("the options of scheme `{}`", entry.kind.name));
        let options = match section.table.get("options").map(|v| (v.span(), v.get_ref())) {
            None => Section { title, span: section.span.clone(), table: &empty },
            Some((span, DeValue::Table(table))) => Section { title, span, table },
            Some(_) => {
                return self.refuse(
                    section
                        .problem("options", "`options` takes a table", "not a table")
                        .help("write [run.options] and its keys below"),
                );
            }
        };
        let parameters = [entry.kind.parameters, &[BALANCE_BOUND]].concat();
        let left = self.left_behind((section, "scheme"), &options, &parameters, &[]);
        let circumstances = self.at(None);
        let table = Table { parameters: &parameters, rules: entry.kind.rules };
        let values = options.values(&table, &left, circumstances, self.problems).sound()?;
        let made = (entry.make)(&values);
        let scheme = made.map_err(|complaint| self.problems.push(options.complaint(&complaint))).ok()?;
        Some((scheme, values.number(BALANCE_BOUND.name)?))
    }
}

/// Some schemes to use, in words; `none` where there are none.
fn choice(names: &[&str], none: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => none.into(),
        [one] => format!("use {one}"),
        [first, .., last] if names.len() <= MAX_SCHEMES => {
            let between = names[1..names.len() - 1].iter().map(|name| format!(", {name}"));
            format!("use {first}{} or {last}", between.collect::<String>())
        }
        _ => {
            let (first, others) = names.split_at(MAX_SCHEMES);
            format!("use {} or one of {} others (`hamiltone list schemes`)", first.join(", "), others.len())
        }
    }
}
