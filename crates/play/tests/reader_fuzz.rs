//! Whatever a MIDI file, a score, a scale or a keyboard mapping holds, reading it ends in a result or in a refusal that
//! says where, never in a panic.
//!
//! 1000 of each, or as many as `HAMILTONE_FUZZ_CASES` says, are made from good ones by changes of bytes, pieces and values,
//! several at a time.
//!
//! `HAMILTONE_FUZZ_CASES=100000 cargo test -p hamiltone-play --test all reader_fuzz` is the long run.

use crate::pieces;
use crate::random::{Random, cases};
use hamiltone_gestures::tempo::LONGEST;
use hamiltone_play::{
    Action, Performance, midi,
    tuning::{FREQUENCIES, Mapping, Scale, TextError, Tuning},
};
use hamiltone_scene::performance;
use std::{fs, path::Path};

/// The number of files of each kind, unless `HAMILTONE_FUZZ_CASES` says another.
const CASES: usize = 1000;

const SCORE: &str = "score = [\n { tempo = 96 }, # slow\n { dynamic = \"mf\" },\n { notes = \"C4\" , length = \"1/4\" },\n \
                     { notes = \" C4 E4 G4 \" , length = \" 1/2. \" , dynamic = \"ff\" },\n { rest = \"1/8\" },\n \
                     { time = \"3/2\" , pedal = \"down\" },\n { control = 11 , value = 0.8 },\n { bend = -0.5 },\n \
                     { pressure = 0.3 , part = 2 },\n { program = 5 , velocity = 0.9 },\n]\n";
const SCALE: &str = "! meantone.scl\n!\nQuarter-comma meantone\n 12\n!\n 76.04900\n 193.15686\n 310.26471 remark\n 5/4\n \
                     503.42157\n 579.47057\n 696.57843\n 25/16\n 889.73529\n 1006.84314\n 1082.89214\n 2/1\n";
const MAPPING: &str = "! white.kbm\n12\n0\n127\n60\n69\n440.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n";

/// Words that have broken readers before, or might.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "nan",
    "inf.",
    "-0",
    "99999999999999999999",
    "1/0",
    "10000",
    "9999/1.",
    "1e-320",
    "x",
    "",
    "!",
    "#",
    "µ",
    "\u{feff}",
    "C-1",
    "G9",
    "B12",
    "2147483647",
    "-2147483648",
    "1/512",
    "0.001",
    "1000000",
    "\u{1b}[31m",
    "24000.",
    "-24000.0",
    "18446744073709551615/1",
    "at",
    "1",
    "256",
    "127",
];

/// Bytes that mean something in a MIDI file.
const BYTES: &[u8] =
    &[0, 1, 2, 3, 6, 0x2f, 0x40, 0x51, 0x7f, 0x80, 0x90, 0xb0, 0xc0, 0xe8, 0xf0, 0xf7, 0xf8, 0xff];

/// One change of bytes.
fn change_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let byte = if random.below(2) == 0 { BYTES[random.below(BYTES.len())] } else { random.below(256) as u8 };
    match random.below(6) {
        0 | 1 if !bytes.is_empty() => bytes[at] = byte,
        2 if !bytes.is_empty() => drop(bytes.remove(at)),
        3 => bytes.truncate(at),
        4 => {
            let piece = bytes[at..(at + random.below(12)).min(bytes.len())].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => bytes.insert(at, byte),
    }
}

/// One change of a text.
fn change_text(text: &mut String, random: &mut Random) {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let at = random.below(lines.len());
    let word = WORDS[random.below(WORDS.len())];
    match random.below(6) {
        0 if !lines.is_empty() => drop(lines.remove(at)),
        1 if !lines.is_empty() => lines.insert(at, lines[random.below(lines.len())].clone()),
        2 if !lines.is_empty() => {
            let mut words: Vec<&str> = lines[at].split(' ').collect();
            let place = random.below(words.len());
            words[place] = word;
            lines[at] = words.join(" ");
        }
        3 if !lines.is_empty() => lines[at] = format!("{} {word}", lines[at]),
        4 => {
            let mut bytes = std::mem::take(text).into_bytes();
            change_bytes(&mut bytes, random);
            *text = String::from_utf8_lossy(&bytes).into_owned();
            return;
        }
        _ => lines.insert(at, word.into()),
    }
    *text = lines.join("\n");
}

/// What every performance keeps: times in order, within a day, and values within their ranges.
fn check(performance: &Performance) {
    let mut last = 0.0;
    for event in performance.events() {
        assert!((last..=LONGEST).contains(&event.time), "{event:?} after {last} s");
        last = event.time;
        let within = match event.action {
            Action::NoteOn { key, velocity } => key < 128 && velocity > 0.0 && velocity <= 1.0,
            Action::NoteOff { key, velocity } => key < 128 && (0.0..=1.0).contains(&velocity),
            Action::Control { number, value } => number < 120 && (0.0..=1.0).contains(&value),
            Action::Pressure { key, value } => {
                key.is_none_or(|key| key < 128) && (0.0..=1.0).contains(&value)
            }
            Action::Bend { semitones } => semitones.abs() <= 128.27,
            Action::Parameter { .. } => false,
            Action::Program(program) => program < 128,
            Action::AllNotesOff | Action::AllSoundOff => true,
        };
        assert!(within, "{event:?}");
    }
    assert!((last..=LONGEST).contains(&performance.duration()), "{} s", performance.duration());
}

/// What every refusal of a text keeps: a line of the text, and a message of one line.
fn check_error(text: &str, error: &TextError) {
    assert!((1..=text.lines().count() + 1).contains(&error.line) && error.column > 0, "{error}\n{text}");
    assert!(!error.message.is_empty() && !error.help.is_empty(), "{error}");
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
}

/// Whether both ways out are walked often; else the changes are too wild or too tame to prove anything.
fn assert_both(what: &str, read: usize) {
    let cases = cases(CASES);
    assert!(read > cases / 50 && cases - read > cases / 50, "{what}: {read} of {cases} are read");
}

#[test]
fn no_midi_file_makes_the_reader_panic() {
    let mut random = Random::new();
    let song = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../songs/prelude_in_c.mid")).unwrap();
    let tempo: &[u8] = b"MThd\0\0\0\x06\0\x02\0\x02\0\x60MTrk\0\0\0\x13\0\xff\x51\x03\x0f\x42\x40\x60\x90\x3c\x40\0\x40\x7f\0\xff\x2f\0\
                         MTrk\0\0\0\x0e\0\xf0\x02\x01\xf7\x81\x00\xe1\0\x40\0\xff\x2f\0";
    let frames: &[u8] = b"MThd\0\0\0\x06\0\0\0\x01\xe7\x28MTrk\0\0\0\x18\0\xb0\x65\0\0\x64\0\0\x06\x0c\x64\xe0\0\x7f\0\xb0\x79\0\0\x7b\0\0\xff\x2f\0";
    let good = [song, pieces::dense(20, 1, 21..=108), tempo.to_vec(), frames.to_vec()];
    let mut read = 0;
    for _ in 0..cases(CASES) {
        let mut bytes = good[random.below(good.len())].clone();
        for _ in 0..=random.below(4) {
            change_bytes(&mut bytes, &mut random);
        }
        match midi::read(&bytes) {
            Ok(performance) => {
                // A reset of controllers, three bytes, makes seven events at most.
                assert!(
                    performance.events().len() <= 7 * bytes.len()
                        && performance.warnings().len() <= bytes.len()
                );
                check(&performance);
                read += 1;
            }
            Err(error) => {
                assert!(error.offset <= bytes.len(), "{error}, of {} bytes", bytes.len());
                assert!(!error.expected.is_empty() && !error.found.is_empty(), "{error}");
            }
        }
    }
    assert_both("MIDI files", read);
}

#[test]
fn no_score_makes_the_reader_panic() {
    let (mut random, mut read) = (Random::new(), 0);
    for _ in 0..cases(CASES) {
        let mut text = SCORE.to_string();
        for _ in 0..=random.below(4) {
            change_text(&mut text, &mut random);
        }
        match performance::read(&text, "x.toml") {
            Ok(performance) => {
                check(&performance);
                read += 1;
            }
            Err(errors) => {
                let lines = errors.lines();
                assert!(
                    !lines.is_empty() && lines.iter().all(|line| line.starts_with("x.toml:")),
                    "{errors}"
                );
            }
        }
    }
    assert_both("scores", read);
}

#[test]
fn no_scale_and_no_mapping_makes_the_reader_panic() {
    let mut random = Random::new();
    let (mut scales, mut mappings) = (0, 0);
    let mut last = (Scale::parse(SCALE).unwrap(), Mapping::parse(MAPPING).unwrap());
    for _ in 0..cases(CASES) {
        let (mut scale, mut mapping) = (SCALE.to_string(), MAPPING.to_string());
        for _ in 0..=random.below(3) {
            change_text(&mut scale, &mut random);
            change_text(&mut mapping, &mut random);
        }
        match Scale::parse(&scale) {
            Ok(read) => (last.0, scales) = (read, scales + 1),
            Err(error) => check_error(&scale, &error),
        }
        match Mapping::parse(&mapping) {
            Ok(read) => (last.1, mappings) = (read, mappings + 1),
            Err(error) => check_error(&mapping, &error),
        }
        let tuning = Tuning::scala(&last.0, &last.1);
        let [lowest, highest] = FREQUENCIES;
        for frequency in (0..=u8::MAX).filter_map(|key| tuning.frequency(key)) {
            assert!((lowest..=highest).contains(&frequency), "{frequency} Hz");
        }
    }
    assert_both("scales", scales);
    assert_both("mappings", mappings);
}
