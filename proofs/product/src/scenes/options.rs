//! The options of `hamiltone render`, drawn: all but those that only print, and `--resume`, which needs a run before it.

use super::{draw::Draw, scene::Section};
use toml::Value;

/// The options that [`Options`] draws, as `--help` writes them; those of every command follow.
pub const DRAWN: &[&str] = &[
    "--set",
    "--scheme",
    "--duration",
    "--output",
    "--report",
    "--states",
    "--states-every",
    "--states-pickups",
    "--threads",
    "--audit",
    "--audit-every",
    "--format",
    "--limit",
    "--checkpoint",
    "--checkpoint-every",
    "--resume",
    "--keep-partial",
    "--quiet",
    "--help",
];

/// Keys that an option of their own can give.
const SHORT: [(&str, &str, &str); 3] =
    [("run", "scheme", "--scheme"), ("run", "duration", "--duration"), ("output", "format", "--format")];

/// The options of one run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Sections and keys that the command line gives, not the file.
    pub set: Vec<(String, String)>,
    /// Which of those take an option of their own, where there is one.
    pub short: bool,
    /// `--report`.
    pub report: bool,
    /// `--states`.
    pub states: bool,
    /// `--states-every`.
    pub every: Option<u64>,
    /// `--states-pickups`.
    pub pickups: bool,
    /// `--audit`.
    pub audit: bool,
    /// `--audit-every`.
    pub audit_every: Option<u64>,
    /// `--quiet`.
    pub quiet: bool,
    /// `--threads`.
    pub threads: Option<usize>,
    /// `--limit memory=`, GB.
    pub memory: Option<usize>,
    /// `--checkpoint`, and `--checkpoint-every` where it holds, s.
    pub checkpoint: Option<Option<f64>>,
    /// `--keep-partial`.
    pub keep_partial: bool,
}

impl Options {
    /// Options for these sections of a scene.
    pub fn draw(draw: &mut Draw, sections: &[Section]) -> Self {
        let mut options = Self {
            short: draw.chance(0.5),
            report: draw.chance(0.1),
            states: draw.chance(0.4),
            audit: draw.chance(0.5),
            quiet: draw.chance(0.3),
            threads: draw.chance(0.1).then(|| 1 + draw.below(4)),
            memory: draw.chance(0.1).then(|| 1 + draw.below(8)),
            checkpoint: draw.chance(0.1).then(|| draw.chance(0.7).then(|| draw.between(0.001, 0.1))),
            keep_partial: draw.chance(0.1),
            ..Self::default()
        };
        if options.states {
            options.every = draw.chance(0.5).then(|| 1 + draw.below(12) as u64);
            options.pickups = draw.chance(0.3);
        }
        options.audit_every = draw.chance(0.1).then(|| 1 + draw.below(200) as u64);
        for section in sections.iter().filter(|section| !section.is_listed()) {
            for (key, _) in &section.keys {
                if draw.chance(0.04) {
                    options.set.push((section.path(), key.clone()));
                }
            }
        }
        options
    }

    /// Takes from the sections what the command line gives, and returns its arguments.
    pub fn take_from(&self, sections: &mut [Section]) -> Vec<String> {
        let mut arguments = Vec::new();
        for (path, key) in &self.set {
            let Some(section) = sections.iter_mut().find(|section| section.path() == *path) else { continue };
            let Some(value) = section.keys.remove(key) else { continue };
            let short = SHORT.iter().find(|(group, own, _)| self.short && group == path && own == key);
            match (short, &value) {
                (Some((.., option)), Value::String(text)) => {
                    arguments.extend([option.to_string(), text.clone()])
                }
                (Some((.., option)), _) => arguments.extend([option.to_string(), value.to_string()]),
                (None, _) => arguments.extend(["--set".into(), format!("{path}.{key}={value}")]),
            }
        }
        arguments
    }

    /// The arguments besides those of [`Options::take_from`]. Outputs have fixed names.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> = vec!["-o".into(), "sound.wav".into()];
        let mut add = |given: bool, words: &[&str]| {
            if given {
                arguments.extend(words.iter().map(|word| word.to_string()));
            }
        };
        add(self.report, &["--report", "report"]);
        add(self.states, &["--states", "states.npz"]);
        add(self.pickups, &["--states-pickups"]);
        add(self.audit, &["--audit", "audit.json"]);
        add(self.quiet, &["--quiet"]);
        add(self.keep_partial, &["--keep-partial"]);
        add(self.checkpoint.is_some(), &["--checkpoint", "run.checkpoint"]);
        for (option, value) in [
            ("--states-every", self.every.map(|n| n.to_string())),
            ("--audit-every", self.audit_every.map(|n| n.to_string())),
            ("--threads", self.threads.map(|n| n.to_string())),
            ("--limit", self.memory.map(|n| format!("memory={n}GB"))),
            ("--checkpoint-every", self.checkpoint.flatten().map(|seconds| seconds.to_string())),
        ] {
            if let Some(value) = value {
                add(true, &[option, &value]);
            }
        }
        arguments
    }
}
