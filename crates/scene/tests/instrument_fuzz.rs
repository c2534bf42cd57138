//! Whatever the text of an instrument, reading it ends in a plan or in problems that point into the file, never in a panic, and its
//! limits bound what a short text may stand for.
//!
//! 150 texts, or as many as `HAMILTONE_FUZZ_CASES` says, are made from the shipped instruments and small ones by changes of bytes,
//! lines, values and formulas, several at a time. The shipped ones are cut to a few keys: what is read does not depend on their number.
//!
//! `HAMILTONE_FUZZ_CASES=100000 cargo test --release -p hamiltone-scene --test all instrument_fuzz` is the long run.

use hamiltone_scene::{Limits, Set, instrument::Instrument};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::collections::BTreeSet;

/// The number of texts, unless `HAMILTONE_FUZZ_CASES` says another.
const CASES: usize = 150;

const FORKS: &str = r#"hamiltone = 2
title = "Forks"
[instrument]
keys = "C4..E4"
sleep = "1e-12 J"
[table.weight]
points = [["C4", 3], ["D4", 2], ["G4", 1]]
interpolation = "geometric"
[key.body.fork]
kind = "oscillator"
mass = "{weight} g"
frequency = "{if(key > 61, frequency, hz(key + 0.5))} Hz"
decay_time = "3 s"
[key.contact.damper]
when = "{key < 64}"
between = ["fork", "ground"]
law = "damper"
[key.pickup.fork]
at = "fork"
quantity = "velocity"
[[note_on]]
gesture = "strike"
at = "fork"
speed = "{0.1 + velocity^2} m/s"
[[note_off]]
when = "{key < 64}"
gesture = "damp"
control = "damper"
resistance = "1 N s/m"
"#;

const STRINGS: &str = r#"hamiltone = 2
run.oversampling = 2
[instrument]
strings = ["E2", "A2"]
frets = 2
[body.plate]
kind = "oscillator"
mass = "0.1 kg"
frequency = "200 Hz"
[link.bridge]
between = ["plate", "ground"]
stiffness = "1000 N/m"
[string.body.string]
kind = "string"
modes = 5
length = "0.65 m"
linear_density = "{6 - string} g/m"
frequency = "{frequency} Hz"
[fret.contact.fret]
between = ["ground", "string@{650*(1 - frequency/hz(open + fret))} mm"]
law = "rigid"
restitution = 0
gap = "1 mm"
[string.contact.hand]
between = ["string@0.9", "ground"]
law = "damper"
[string.pickup.end]
at = "string@1"
quantity = "force"
[[note_on]]
gesture = "pluck"
at = "string@0.8"
force = "{1 + 2*velocity} N"
[[note_on]]
when = "{fret > 0}"
gesture = "press"
at = "string@{600*(1 - frequency/hz(open + fret))} mm"
force = "-1 N"
[[pedal_move]]
gesture = "damp"
control = "hand"
resistance = "{1 - pedal} N s/m"
[[pressure]]
gesture = "damp"
control = "hand"
resistance = "{if(fret > 1, 2, 3)*pressure} N s/m"
"#;

const VALUES: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "1e999",
    "nan",
    "true",
    "[]",
    "[[1, 2]]",
    "{}",
    "\"\"",
    "\"{\"",
    "\"}\"",
    "\"{}\"",
    "\"{{key}}\"",
    "\"{key\"",
    "\"{key} {key} {key}\"",
    "\"{1e308*10} g\"",
    "\"{0/0}\"",
    "\"{hz(1e300)} Hz\"",
    "\"{hz(-1e300)} Hz\"",
    "\"{weight}\"",
    "\"{frequency}\"",
    "\"{velocity}\"",
    "\"{é}\"",
    "\"{key}é{key}\"",
    "'{key}'",
    "\"\"\"{key}\"\"\"",
    "\"a\\\"{key}\"",
    "\"C4\"",
    "\"A0..C8\"",
    "\"C8..A0\"",
    "[\"C4\", \"C4\"]",
    "[60, 61.5]",
    "\"C-1..G9\"",
    "128",
    "60",
    "[[\"C4\", 1], [\"C4\", 2]]",
    "[[\"C4\", -1], [\"D4\", 2]]",
    "\"fork\"",
    "\"string@{string/10}\"",
    "[\"fork\", \"ground\"]",
    "\"damper\"",
    "\"when\"",
    "{ t60 = [[\"{frequency} Hz\", \"2 s\"], [\"5000 Hz\", \"0.1 s\"]] }",
    "\"{min(1)}\"",
    "\"{if(1, 2)}\"",
    "\"{sqrt(-1)}\"",
    "\"{2^1024}\"",
    "\"{((((((((((1))))))))))} g\"",
    "\"🎻\"",
    "\"{🎻}\"",
    "[\"{key}\", \"x # {key}\"]",
    "1979-05-27",
    "\"\\u007bkey\\u007d\"",
];

const LINES: &[&str] = &[
    "[instrument]",
    "[key]",
    "[key.body]",
    "[key.body.fork]",
    "[[key.body.fork]]",
    "[key.body.\"\"]",
    "[fret.body.x]",
    "[string]",
    "[table]",
    "[table.key]\npoints = [[1, 2]]",
    "[[table]]",
    "[[instrument]]",
    "[note_on]",
    "[[note_on]]",
    "[[pedal_down]]",
    "[[pedal_move]]\n[[pressure]]",
    "[[pedal_up]]\ngesture = \"undamp\"\ncontrol = \"damper\"",
    "key = 3",
    "key = { body = { x = { kind = \"mass\" } } }",
    "note_on = []",
    "note_on = 3",
    "when = \"{1}\"",
    "when = \"{0}\"",
    "when = 1",
    "when = \"{key > }\"",
    "run = { oversampling = 2 }",
    "run = 3",
    "[run]\nsample_rate = 8000",
    "[run]\nduration = \"1 h\"",
    "[run.options]\nx = 1",
    "[drive.x]\nat = \"fork\"",
    "[[score]]\ntime = 1",
    "[[gesture]]\ngesture = \"strike\"",
    "[body.fork-60]\nkind = \"mass\"\nmass = 1",
    "[key.drive.x]\nat = \"fork\"\nkind = \"sine\"",
    "[key.run]\nduration = 1",
    "[key.bus.x]\nlevel = 1",
    "[key.key.body]\nx = 1",
    "frets = 60",
    "keys = \"A0..C8\"",
    "strings = [\"E2\"]",
    "delay = \"{velocity} s\"",
    "over = \"string\"",
    "over = \"nothing\"",
    "sleep = -1",
    "# {key",
    "at = \"fork-60\"",
    "\"a{key}b\" = 1",
    "[key.body.\"{key}\"]\nkind = \"mass\"",
    "modes = 1e9",
    "modes = \"{10^9}\"",
];

const SETS: &[&str] = &[
    "key.body.fork.mass=\"{key} g\"",
    "key.body.fork.mass=\"{kay} g\"",
    "instrument.keys=\"C4..D4\"",
    "instrument.frets=3",
    "string.body.string.modes=3",
    "run.oversampling=1",
    "note_on=3",
    "key={}",
    "table.weight.points=[[1, 2]]",
    "instrument={}",
    "instrument.keys=",
];

/// Pieces of formulas.
const PIECES: &[&str] = &[
    "key",
    "frequency",
    "velocity",
    "string",
    "fret",
    "open",
    "weight",
    "hz(",
    "if(",
    "min(",
    "sqrt(",
    "(",
    ")",
    ",",
    "+",
    "-",
    "*",
    "/",
    "^",
    "<",
    ">=",
    "==",
    "1",
    "2.5",
    "1e308",
    ".",
    "e",
    "1e",
    "0",
    " ",
    "é",
    "_",
    "!",
    "}",
    "{",
    "x(",
    "-",
    "^-",
    "ln(0)",
];

struct Random(TestRng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n.max(1) as u64) as usize
    }

    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    fn formula(&mut self) -> String {
        (0..self.below(9)).map(|_| self.of(PIECES)).collect()
    }
}

/// One change of a text.
fn change(text: &mut String, random: &mut Random) {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let at = random.below(lines.len());
    match random.below(10) {
        0 if !lines.is_empty() => drop(lines.remove(at)),
        1 if !lines.is_empty() => lines.insert(at, lines[random.below(lines.len())].clone()),
        2 => lines.insert(at, random.of(LINES).into()),
        3 | 4 if !lines.is_empty() => {
            if let Some((key, _)) = lines[at].clone().split_once('=') {
                lines[at] = format!("{key}= {}", random.of(VALUES));
            }
        }
        5 => {
            let mut bytes = std::mem::take(text).into_bytes();
            let at = random.below(bytes.len());
            match (random.below(3), bytes.is_empty()) {
                (0, false) => bytes[at] = (random.0.next_u32() % 128) as u8,
                (1, false) => drop(bytes.remove(at)),
                _ => bytes.insert(at, (random.0.next_u32() % 256) as u8),
            }
            *text = String::from_utf8_lossy(&bytes).into_owned();
            return;
        }
        6 => {
            let end = random.below(text.len());
            text.truncate((0..=end).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0));
            return;
        }
        7 | 8 => {
            // A formula, or a piece of one.
            let opens: Vec<usize> = text.match_indices('{').map(|(at, _)| at + 1).collect();
            if let Some(&open) = opens.get(random.below(opens.len())) {
                let length = text[open..].find('}').unwrap_or(0);
                let (from, to) = if random.below(2) == 0 { (open, open + length) } else { (open, open) };
                text.replace_range(from..to, &random.formula());
            }
            return;
        }
        _ => {
            let other = random.below(lines.len());
            if !lines.is_empty() {
                lines.swap(at, other);
            }
        }
    }
    *text = lines.join("\n");
}

/// A few keys, strings, frets and modes.
fn few(text: &str) -> String {
    let line = |line: &str| match line {
        line if line.starts_with("keys =") => "keys = [48, 60]".to_string(),
        line if line.starts_with("strings =") => "strings = [\"E2\", \"E3\"]".into(),
        line if line.starts_with("frets =") => "frets = 2".into(),
        line if line.starts_with("modes =") => "modes = 3".into(),
        line if line.starts_with("highest =") => "highest = \"300 Hz\"".into(),
        line if line.starts_with("fingerings = [\"tube-1") => "fingerings = [\"tube\"]".into(),
        line => line.into(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn cases() -> usize {
    match std::env::var("HAMILTONE_FUZZ_CASES") {
        Ok(cases) => cases.parse().expect("HAMILTONE_FUZZ_CASES is a whole number"),
        Err(_) => CASES,
    }
}

/// What a text is read as: `Ok` of a plan, else what is said. It is said at a line of the file, and once.
fn read(text: &str, sets: &[Set]) -> Result<(), Vec<String>> {
    let result = Instrument::new(text, "x.toml", INSTRUMENTS.as_ref(), sets).plan(48_000.0, None);
    let diagnostics = match result {
        Ok(_) => return Ok(()),
        Err(diagnostics) => diagnostics,
    };
    let said = diagnostics.lines();
    assert!(!said.is_empty(), "refused without a word:\n{text}");
    let lines = text.lines().count().max(1);
    for said in &said {
        let place = said.strip_prefix("x.toml:").and_then(|rest| rest.split_once(": "));
        let line = place.and_then(|(place, _)| place.split_once(':')?.0.parse::<usize>().ok());
        // A text that ends with a line break has a place behind it.
        let in_file = line.is_some_and(|line| (1..=lines + 1).contains(&line));
        assert!(in_file || said.starts_with("--set "), "{said}\nin a file of {lines} lines:\n{text}");
    }
    let numberless = |said: &String| {
        let (place, message) = said.split_once(": ").unwrap_or((said, ""));
        (place.to_string(), message.chars().filter(|c| !c.is_ascii_digit()).collect::<String>())
    };
    let distinct: BTreeSet<(String, String)> = said.iter().map(numberless).collect();
    assert_eq!(distinct.len(), said.len(), "said twice: {said:#?}\n{text}");
    for report in diagnostics.reports() {
        let mut page = String::new();
        miette::NarratableReportHandler::new().render_report(&mut page, &report).expect("a report");
    }
    Err(said)
}

/// The shipped instruments, with the files that they read.
const INSTRUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments");

#[test]
fn no_text_makes_the_reader_panic() {
    let mut files: Vec<_> = std::fs::read_dir(INSTRUMENTS)
        .expect("instruments")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut texts: Vec<String> =
        files.iter().map(|file| few(&std::fs::read_to_string(file).expect("a text"))).collect();
    // Small ones are as many.
    while texts.len() < 3 * files.len() {
        texts.extend([FORKS, STRINGS].map(String::from));
    }
    texts.iter().for_each(|text| assert_eq!(read(text, &[]), Ok(())));
    let mut random = Random(TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (mut plans, cases) = (0, cases()); // 2 % and more of 2000 are plans
    for _ in 0..cases {
        let mut text = texts[random.below(texts.len())].clone();
        for _ in 0..=random.below(3) {
            change(&mut text, &mut random);
        }
        let sets = if random.below(3) > 0 {
            Vec::new()
        } else {
            vec![Set::parse(random.of(SETS)).expect("a change")]
        };
        plans += usize::from(read(&text, &sets).is_ok());
    }
    let problems = cases - plans;
    assert!(plans > cases / 100 && problems > cases / 50, "{plans} plans, {problems} refusals");
}

/// A mistake in a section of 88 keys with 128 velocities each is one.
#[test]
fn a_mistake_is_told_once() {
    for text in [FORKS.replace("C4..E4", "A0..C8"), STRINGS.replace("frets = 2", "frets = 20")] {
        for (from, to) in [
            ("} g", "*kay} g"),
            ("} g", "/0} g"),
            ("frequency = \"{", "frequency = \"{2 + * "),
            ("m/s\"", "m/g\""),
            ("velocity", "volume"),
            ("at = \"fork\"\nspeed", "at = \"fork-200\"\nspeed"),
            ("at = \"string@0.8\"", "at = \"string@8\""),
            ("law = ", "lav = "),
            ("when = \"{", "when = \"{0/0 + "),
            ("} N\"", " N\""),
        ] {
            if text.contains(from) {
                let said = read(&text.replacen(from, to, 1), &[]).err().unwrap_or_default();
                assert_eq!(said.len(), 1, "{from} → {to}: {said:#?}");
            }
        }
        assert_eq!(read(&text, &[]), Ok(()));
    }
}

/// Two mistakes are two, also where one is in a section and the other in a gesture.
#[test]
fn all_mistakes_are_told() {
    let text =
        FORKS.replace("} g", "*kay} g").replace("velocity^2", "volume^2").replace("key < 64", "kay < 64");
    let said = read(&text, &[]).expect_err("mistakes");
    assert_eq!(said.len(), 4, "{said:#?}");
}

/// Short texts that stand for long ones are refused by the limits, in time.
#[test]
fn short_texts_take_no_unbounded_time_or_memory() {
    let huge = |text: &str| {
        let said = read(text, &[]).expect_err("too much");
        assert_eq!(said.len(), 1, "{said:#?}");
        said[0].clone()
    };
    let all = FORKS.replace("C4..E4", "C-1..G9");
    // A long formula for each of 128 keys and velocities.
    let long = format!("{{{}velocity}}", "0+".repeat(100_000));
    assert!(huge(&all.replace("{0.1 + velocity^2}", &long)).contains("--limit scene="));
    // Strings without end, of which each has 61 frets of 128 velocities.
    let many = format!("strings = [{}]", "40,".repeat(200_000));
    let strings = STRINGS.replace("strings = [\"E2\", \"A2\"]", &many).replace("frets = 2", "frets = 60");
    assert!(huge(&strings).contains("--limit scene="));
    // Modes and contacts of all keys together.
    let modes = STRINGS
        .replace("[\"E2\", \"A2\"]", &format!("[{}]", "40,".repeat(128)))
        .replace("modes = 5", "modes = 20000")
        .replace("{6 - string}", "5");
    assert!(huge(&modes).contains("--limit coordinates="));
    // Braces within braces, parentheses without end, a million mistakes.
    let deep = |open: &str| FORKS.replace("{weight}", &format!("{{{}}}", open.repeat(50_000)));
    for open in ["(", "-", "{", "hz(", "2^", "if(1,"] {
        assert!(read(&deep(open), &[]).is_err());
    }
    let mistakes: String = (0..20_000).map(|n| format!("x{n} = \"{{kay}}\"\n")).collect();
    let said = read(&all.replace("decay_time = \"3 s\"\n", &mistakes), &[]).expect_err("mistakes");
    assert!((50..=200).contains(&said.len()), "{}", said.len());
    // A table of 10 000 points for 128 keys is no trouble.
    let points: Vec<String> = (0..10_000).map(|n| format!("[{}, {}]", n as f64 / 50.0, 1 + n % 3)).collect();
    let table = all.replace("[[\"C4\", 3], [\"D4\", 2], [\"G4\", 1]]", &format!("[{}]", points.join(", ")));
    assert_eq!(read(&table, &[]), Ok(()));
}

/// A limit that is raised lets more through.
#[test]
fn limits_can_be_raised_and_lowered() {
    let mut limits = Limits::default();
    limits.raise("scene=20kB").expect("a limit");
    let folder = std::env::temp_dir().join(format!("hamiltone-instrument-{}.toml", std::process::id()));
    std::fs::write(&folder, FORKS).expect("a file");
    let plan =
        |limits| Instrument::open(&folder, &[], limits).expect("a text").plan(48_000.0, None).map(|_| ());
    let small = plan(limits).expect_err("too much").to_string();
    std::fs::write(&folder, FORKS).expect("a file");
    let whole = plan(Limits::default());
    std::fs::remove_file(&folder).expect("it is there");
    assert!(small.contains("to copy its sections takes ") && whole.is_ok(), "{small}");
}
