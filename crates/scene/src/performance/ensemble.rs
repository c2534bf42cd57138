//! Ensembles: instruments that play together, each its part of a song.
//!
//! ```toml
//! title = "String quartet"
//! gain = "-6 dB"                                                  # of all together
//! player = [
//!     { instrument = "violin.toml", part = 1, pan = -0.6 },       # part 1 of the song: of a MIDI file its channel
//!     { instrument = "cello.toml", part = 4, gain = "2 dB" },
//! ]
//! ```
//!
//! They do not act on each other: the output is the sum of their sounds ([`hamiltone_plan::output::stereo`] has the pan).

use super::entries::circumstances;
use crate::{
    digest::sha256,
    document::{
        diagnostics::Diagnostics,
        problem::{Problem, printable_path},
        reading::Reading,
        section::Section,
        syntax,
        text::SceneText,
    },
    limits::{Limited, Limits},
    resolve::{
        PLAYER,
        bus::GAIN,
        output::{FORMAT, sample_format},
        stem,
    },
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Table, Takes};
use hamiltone_plan::SampleFormat;
use std::path::{Path, PathBuf};

/// 256 MIDI ports of 16 channels.
const MOST_PARTS: f64 = 4096.0;
/// The key of a player that names the file of its instrument.
const INSTRUMENT: &str = "instrument";
const PAN: &str = "pan";
const OUTPUT: &str = "output";

/// What a player states besides its instrument.
const PLAYERS: Table<'static> = Table {
    parameters: &[
        Parameter {
            name: "part",
            takes: Takes::Number(Role::Count, Range { min: 1.0, max: MOST_PARTS, open: false }),
            absent: Absent::Optional("all parts of the song"),
            doc: "the part of the song that it plays, of a MIDI file the channel",
        },
        GAIN,
        Parameter {
            name: PAN,
            takes: Takes::Number(Role::Number, Range { min: -1.0, max: 1.0, open: false }),
            absent: Absent::Number(0.0),
            doc: "place between the loudspeakers: -1 left, 0 centre, 1 right",
        },
    ],
    rules: &[],
};
/// What an ensemble states of all players together.
const ALL: Table<'static> = Table {
    parameters: &[
        GAIN,
        Parameter {
            name: OUTPUT,
            takes: Takes::Table(Table { parameters: &[FORMAT], rules: &[] }),
            absent: Absent::Optional("24-bit"),
            doc: "how samples are stored",
        },
    ],
    rules: &[],
};

/// An ensemble.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    /// Its title; without one the name of its file.
    pub title: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// The SHA-256 of its text, with changes made.
    pub sha256: String,
    /// The gain of all together, dB, which those of the players have in them.
    pub gain: f64,
    /// How samples are stored.
    pub format: SampleFormat,
    /// The players, of which there is one or more.
    pub players: Vec<PlayerFile>,
}

/// An instrument of an ensemble.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerFile {
    /// The file of the instrument.
    pub path: PathBuf,
    /// The part that it plays, from 1; `None` for all parts.
    pub part: Option<u16>,
    /// Its gain and that of all together, dB.
    pub gain: f64,
    /// Its place between the loudspeakers: −1 left, 0 centre, 1 right.
    pub pan: f64,
}

impl Ensemble {
    /// Reads the text of an ensemble; files start from `base`.
    ///
    /// # Errors
    /// All that is wrong with it, with the `problems` that were found before.
    pub(crate) fn read(
        text: SceneText,
        (base, limits): (&Path, &Limits),
        mut problems: Vec<Problem>,
    ) -> Result<Self, Diagnostics> {
        let read = syntax::parse(&text.merged, &mut problems).and_then(|document| {
            let root = Section { title: "the ensemble".into(), span: 0..0, table: document.get_ref() };
            let identity = (stem(&text.name), sha256(text.merged.as_bytes()));
            ensemble(&root, (base, limits), identity, &mut problems)
        });
        match read {
            Some(ensemble) if problems.is_empty() => Ok(ensemble),
            _ => Err(Diagnostics::new(text, problems)),
        }
    }
}

/// What an ensemble states; `None` where it cannot be read.
fn ensemble(
    root: &Section<'_>,
    (base, limits): (&Path, &Limits),
    (stem, sha256): (String, String),
    problems: &mut Vec<Problem>,
) -> Option<Ensemble> {
    let reading = Reading::new(limits);
    let own = ["title", "source", PLAYER];
    let all = root.values(&ALL, &own, circumstances(base, &reading), problems).sound()?;
    let gain = all.number(GAIN.name).unwrap_or(0.0);
    let format = all.table(OUTPUT).and_then(sample_format).unwrap_or(SampleFormat::Int24);
    let text = |key, problems: &mut Vec<Problem>| root.text(key, problems).map(String::from);
    let (title, source) = (text("title", problems).unwrap_or(stem), text("source", problems));
    let sections = root.listed(PLAYER, PLAYER, problems);
    if root.find(PLAYER).is_none_or(|list| list.get_ref().as_array().is_some_and(|list| list.is_empty())) {
        let problem = Problem::new("the ensemble has no player", 0..0, "");
        problems.push(problem.help("write [[player]] with instrument = \"violin.toml\" and part = 1"));
    }
    if let Err(exceeded) = limits.check(Limited::Players, sections.len() as u128) {
        let span = root.find(PLAYER).map_or(0..0, |list| list.span());
        problems.push(Problem::new(format!("the ensemble has {exceeded}"), span, "too many"));
        return None;
    }
    let mut player = |(_, section): (usize, Section<'_>)| {
        let file = section.required_text(INSTRUMENT, "instrument = \"violin.toml\"", problems);
        let values = section.values(&PLAYERS, &[INSTRUMENT], circumstances(base, &reading), problems).sound();
        let (path, values) = (base.join(file?), values?);
        if !path.is_file() {
            let message = format!("`{INSTRUMENT}`: there is no file `{}`", printable_path(&path));
            let help = "write the file of an instrument, from the folder of the ensemble on";
            problems.push(section.problem(INSTRUMENT, message, "no file").help(help));
        }
        let number = |name| values.number(name);
        Some(PlayerFile {
            path,
            part: number("part").map(|part| part as u16),
            gain: number(GAIN.name).unwrap_or(0.0) + gain,
            pan: number(PAN).unwrap_or(0.0),
        })
    };
    let players = sections.into_iter().filter_map(&mut player).collect();
    Some(Ensemble { title, source, sha256, gain, format, players })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instruments are in the folder of the shipped ones.
    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments");

    fn read(text: &str) -> Result<Ensemble, Diagnostics> {
        let text = SceneText::new("x.toml", text, &[], &mut Vec::new());
        Ensemble::read(text, (FOLDER.as_ref(), &Limits::default()), Vec::new())
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let all =
            read("title = \"Duo\"\ngain = \"-6 dB\"\n[[player]]\ninstrument = \"viola.toml\"\n").unwrap();
        let path = Path::new(FOLDER).join("viola.toml");
        let player = PlayerFile { path, part: None, gain: -6.0, pan: 0.0 };
        assert_eq!((all.title.as_str(), &all.players[..]), ("Duo", &[player][..]));
    }

    #[test]
    fn mistakes_have_their_place_and_a_correction() {
        for (text, message, help) in [
            ("player = []", "the ensemble has no player", "[[player]]"),
            ("player = 1", "must be a list", "[[player]]"),
            ("player = [1]", "player 1 must be a section", "[[player]]"),
            ("[[player]]\npart = 1", "x.toml:1:1: player 1: `instrument` is missing", "violin.toml"),
            (
                "[[player]]\ninstrument = \"a\"",
                "x.toml:2:14: player 1: `instrument`: there is no file",
                "folder",
            ),
            ("[[player]]\ninstrument = VIOLA\npart = 0", "x.toml:3:8: player 1: `part` is 0", "channel"),
            ("[[player]]\ninstrument = VIOLA\npan = 2", "`pan` is 2", "left"),
            ("[[player]]\ninstrument = VIOLA\ngain = \"2 m\"", "`gain`", "dB"),
            ("[[player]]\ninstrument = VIOLA\nparts = 1", "there is no key `parts`", "part"),
            ("[[player]]\ninstrument = VIOLA\n[body.a]", "there is no key `body`", "player"),
        ] {
            let errors = read(&text.replace("VIOLA", "\"viola.toml\"")).unwrap_err();
            let lines = errors.lines();
            let found = lines.iter().find(|line| line.contains(message) && line.contains(help));
            assert!(found.is_some(), "{text}: {errors}");
        }
    }
}
