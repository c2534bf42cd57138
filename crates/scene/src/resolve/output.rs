//! How the sound is written: what `[output]` states for all files.
//!
//! | left out | format 1 | format 2 | format 3 | with `level = "raw"` |
//! |---|---|---|---|---|
//! | `level` | `"peak -1 dBFS"` | `"reference"` | `"peak -6 dBFS"` above the noise floor | – |
//! | `channels` | `"pickups"` | `"stereo"` | `"stereo"` | `"pickups"` |
//! | `fade` | 0 | 20 ms | 20 ms | 0 |
//! | `ac_coupling` of a pickup of a force or pressure | 0 | 5 Hz | 5 Hz | 0 |
//!
//! An instrument is heard while it is played, when its peak is not known: without `level` it is at the reference level.

use super::{
    frame::{Form, Frame, Key, Sections},
    reader::Reader,
};
use crate::document::section::Section;
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Table, Takes, Values};
use hamiltone_plan::{Channels, Format, FullScale, Level, SampleFormat, output::DEFAULT_PEAK};
use toml::de::DeTable;

/// The peak of scenes of format 1 without a level, dBFS.
const PEAK_OF_ONE: f64 = -1.0;
/// The fade-out from format 2 on, s.
const FADE: f64 = 0.02;
/// The cut-off of the AC coupling of forces and pressures from format 2 on, Hz.
const AC_COUPLING: f64 = 5.0;

/// How samples are stored.
pub const FORMAT: Parameter = Parameter {
    name: "format",
    takes: Takes::Word(&["16-bit", "24-bit", "32-bit float", "64-bit float"]),
    absent: Absent::Word("24-bit"),
    doc: "how samples are stored; integers are dithered; FLAC files take integers only",
};

/// `[output]`.
pub const OUTPUT: Frame = Frame {
    name: "output",
    summary: "how the sound is written",
    sections: Sections::One,
    keys: &[Key {
        name: "level",
        required: false,
        form: Form::Level,
        example: "\"reference\"",
        doc: "\"reference\" gives every quantity a full scale in SI units (see full_scale), so that loudness is kept from run to run, \"reference -6 dB\" the same with a gain (\"reference\" is the default in format 2, and of instruments); \"peak -1 dBFS\" scales the largest sample, of all channels of one unit or of all mixes, to that level (default in format 1; \"peak -6 dBFS\" in format 3, where sweeps keep the reference); \"gain 80 dB\" scales SI values by that much; \"raw\" keeps SI values",
    }],
    one_of: &[],
    parameters: &[
        FORMAT,
        Parameter {
            name: "channels",
            takes: Takes::Word(&Channels::WORDS),
            absent: Absent::Optional(
                "\"stereo\" from format 2 on, \"pickups\" in format 1 and with level = \"raw\"",
            ),
            doc: "the channels of the files: left and right, one, or one for each pickup; a bus may have its own",
        },
        Parameter {
            name: "fade",
            takes: Takes::Number(Role::Time, Range::NOT_NEGATIVE),
            absent: Absent::Optional("20 ms from format 2 on; 0 in format 1 and with level = \"raw\""),
            doc: "length of the fade-out at the end of the sound, half a period of a cosine; 0: none",
        },
        Parameter {
            name: "full_scale",
            takes: Takes::Table(FULL_SCALE),
            absent: Absent::Optional("the defaults of its keys"),
            doc: "what is 0 dBFS at the reference level, and how quantities compare in a mix",
        },
    ],
    rules: &[],
};

/// `full_scale` of `[output]`.
const FULL_SCALE: Table<'static> = Table {
    parameters: &[
        full_scale("displacement", Role::Displacement, 0.01),
        full_scale("velocity", Role::Velocity, 10.0),
        full_scale("force", Role::Force, 10.0),
        full_scale("pressure", Role::Pressure, 10_000.0),
        full_scale("flow", Role::Flow, 1e-3),
    ],
    rules: &[],
};

/// Far beyond any sound, and such that no factor overflows.
const FULL_SCALES: Range = Range { min: 1e-12, max: 1e12, open: false };

const fn full_scale(name: &'static str, role: Role, default: f64) -> Parameter {
    Parameter {
        name,
        takes: Takes::Number(role, FULL_SCALES),
        absent: Absent::Number(default),
        doc: "full scale of pickups of this quantity",
    }
}

/// What `[output]` states.
#[derive(Clone, Copy)]
pub struct Settings {
    /// How samples are scaled.
    pub level: Level,
    /// Whether the scene states it.
    pub is_level_stated: bool,
    /// How samples are stored.
    pub format: SampleFormat,
    /// The channels of buses that do not say.
    pub channels: Channels,
    /// The full scale of each quantity.
    pub full_scale: FullScale,
    /// The length of the fade-out, s.
    pub fade: f64,
    /// The cut-off of the AC coupling of forces and pressures, Hz.
    pub ac_coupling: f64,
}

impl Reader<'_> {
    /// Reads `[output]`.
    pub fn output(&mut self, root: &Section<'_>) -> Option<Settings> {
        let empty = DeTable::new();
        let section = match root.table.contains_key("output") {
            true => self.section(root, "output")?,
            false => Section { title: "output".into(), span: 0..0, table: &empty },
        };
        let circumstances = self.at(None);
        let values = section.values(&OUTPUT.table(), &OUTPUT.own(), circumstances, self.problems).sound();
        let stated = section.text("level", self.problems);
        let is_level_stated = stated.is_some();
        let level = match stated {
            None => Some(match self.format {
                Format::One => Level::Peak(PEAK_OF_ONE),
                Format::Three if !self.played => Level::Normalised(DEFAULT_PEAK),
                Format::Two | Format::Three => Level::Reference(0.0),
            }),
            Some(text) => level(text).or_else(|| {
                let problem = section.problem("level", format!("`level` is not \"{text}\""), "unknown");
                let help = "write \"reference\", \"reference -6 dB\", \"peak -1 dBFS\" (at most 0), \"gain 80 dB\" or \"raw\"";
                self.refuse(problem.help(help))
            }),
        };
        let (values, level) = (values?, level?);
        if matches!(level, Level::Gain(_) | Level::Raw) && values.is_given("full_scale") {
            let message = format!("`full_scale` has no effect: the level is {level}");
            let problem = section.problem("full_scale", message, "unused");
            self.problems.push(problem.help("write level = \"reference\", or leave `full_scale` out"));
        }
        let format = sample_format(&values)?;
        // What is raw is not altered unless that is asked for.
        let alters = self.format >= Format::Two && level != Level::Raw;
        let channels = values.word("channels").map(Channels::named);
        Some(Settings {
            level,
            is_level_stated,
            format,
            channels: channels.unwrap_or(if alters { Channels::Stereo } else { Channels::Pickups }),
            full_scale: values.table("full_scale").map(of_table).unwrap_or_default(),
            fade: values.number("fade").unwrap_or(if alters { FADE } else { 0.0 }),
            ac_coupling: if alters { AC_COUPLING } else { 0.0 },
        })
    }
}

/// How samples are stored by the values of a section with [`FORMAT`].
pub fn sample_format(values: &Values) -> Option<SampleFormat> {
    Some(match values.word(FORMAT.name)? {
        "16-bit" => SampleFormat::Int16,
        "24-bit" => SampleFormat::Int24,
        "32-bit float" => SampleFormat::Float32,
        _ => SampleFormat::Float64,
    })
}

/// The full scales that a table states; its defaults are those of [`FullScale`].
fn of_table(table: &Values) -> FullScale {
    let usual = FullScale::default();
    let value = |name: &str, usual: f64| table.number(name).unwrap_or(usual);
    FullScale {
        displacement: value("displacement", usual.displacement),
        velocity: value("velocity", usual.velocity),
        force: value("force", usual.force),
        pressure: value("pressure", usual.pressure),
        flow: value("flow", usual.flow),
    }
}

/// `reference -6 dB`, `peak -1 dBFS`, `gain 80 dB` or `raw`; 1000 dB are beyond any sound.
fn level(text: &str) -> Option<Level> {
    let decibels = |x: &str| x.trim().parse().ok().filter(|x: &f64| x.abs() <= 1000.0);
    match text.trim().split_once(' ') {
        None if text.trim() == "reference" => Some(Level::Reference(0.0)),
        None => (text.trim() == "raw").then_some(Level::Raw),
        Some(("reference", x)) => decibels(x.strip_suffix("dB")?).map(Level::Reference),
        Some(("peak", x)) => decibels(x.strip_suffix("dBFS")?).filter(|x| *x <= 0.0).map(Level::Peak),
        Some(("gain", x)) => decibels(x.strip_suffix("dB")?).map(Level::Gain),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table that `describe` prints and the defaults of a library user are the same numbers.
    #[test]
    fn the_defaults_of_the_table_are_those_of_the_plan() {
        let defaults = Values::defaults(FULL_SCALE.parameters);
        assert_eq!(of_table(&defaults), FullScale::default());
    }
}
