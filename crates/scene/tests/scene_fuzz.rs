//! Whatever the text of a scene, reading it ends in a plan or in problems, never in a panic.
//!
//! 500 texts, or as many as `HAMILTONE_FUZZ_CASES` says, are made from the shipped
//! scenes by changes of bytes, lines and values, several at a time, and half of them
//! with a change from the command line as well. What is wrong is rendered too, since
//! messages point into the text.
//!
//! `HAMILTONE_FUZZ_CASES=100000 cargo test -p hamiltone-scene --test all scene_fuzz` is the long run.

use hamiltone_scene::{Scene, Set};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::path::Path;

/// The number of texts, unless `HAMILTONE_FUZZ_CASES` says another.
const CASES: usize = 500;

/// Values that have broken readers before, or might.
const VALUES: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "1e-308",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "true",
    "[]",
    "[[1, 2]]",
    "{}",
    "\"\"",
    "\"ground\"",
    "0x10",
    "\"reed@1e999 m\"",
    "\"@\"",
    "\"1e9999999999999999999 m\"",
    "\"1 m^1e300\"",
    "\"1 ((((\"",
    "\"1 N/m^-1.5\"",
    "\"µ\"",
    "9e15",
    "99999999999999999999999",
    "\"mass@0.5\"",
    "\"string\"",
    "\"string@0.3\"",
    "\"string@-1 m\"",
    "{ d1 = 1, d3 = -1 }",
    "[[0, 0], [\"0.1 m\", \"-1 mm\"]]",
    "\"pressure\"",
    "1979-05-27",
    "'''x'''",
    "\"-0 Hz\"",
    "\"1 kg/m^2/s\"",
    "\"ec\"",
    "\"quadratic\"",
    "\"peak -1 dBFS\"",
    "\"gain 1e308 dB\"",
    "\"/dev/zero\"",
    "[1, \"2 N\", []]",
    "\"\\u0000\"",
    "\"🎻\"",
];

const LINES: &[&str] = &[
    "[run.options]",
    "s = 0.5",
    "[body.reed]",
    "[[body]]",
    "[contact.\"\"]",
    "[link.a]\nbetween = [\"mass\", \"ground\"]\nstiffness = 1",
    "[drive.w]\nat = \"mass\"\nkind = \"wav\"\nfile = \"x\"",
    "[body]",
    "body = 3",
    "run.x.y = 1",
    "\"\" = 1",
    "quantity = \"force\"",
    "envelope = [[0, 1], [1, 0]]",
    "[pickup.p]\nat = \"mass\"\nquantity = \"velocity\"",
    "law = \"odd-power\"",
    "profile = [[0, 0], [0.5, -1e-3]]",
    "frets = [[0.1, 0], [0.5, -1e-3]]",
    "equal_frets = { count = 20, height = \"-1 mm\" }",
    "parabola = { from = 0, to = \"5 cm\", rise = \"1 mm\" }",
    "interpolation = \"cubic\"",
    "law = \"rigid\"",
    "between = [\"ground\", \"string\"]",
    "[drive.p]\nat = \"string@0.3\"\nkind = \"pluck\"\nheight = \"1 mm\"",
    "[drive.s]\nat = \"string@0.3\"\nkind = \"strike\"\nvelocity = 1\nwidth = 0.2",
    "[drive.m]\nat = \"string\"\nkind = \"modes\"\nsine = [1, 2]",
    "loss.d1 = 3",
    "exponent = 3",
    "[[score]]\ntime = 0.1\ngesture = \"pluck\"\nat = \"string@0.3\"\nheight = \"1 mm\"",
    "[[score]]\ntime = \"1 ms\"\ngesture = \"strike\"\nat = \"mass\"\nspeed = 1e300\nduration = 1e-300",
    "[[score]]\ntime = 1e308\ngesture = \"press\"\nat = \"reed\"\ncurve = [[0, 1e308], [1e-308, -1e308]]",
    "[[score]]",
    "[score]",
    "score = [{ gesture = \"damp\", control = \"palm\", time = 0, resistance = 1 }]",
    "gesture = \"move\"",
    "width = \"1 mm\"",
];

const SETS: &[&str] = &[
    "run.duration=1",
    "run.scheme=vv",
    "run.options.s=1",
    "body.string.loss.d1=0",
    "body.string.loss={}",
    "contact.bridge.profile=[[0, 0], [1, 1]]",
    "contact.bridge.law=rigid",
    "contact.bridge.equal_frets={ heights = [0, 1] }",
    "body.reed.mass=1",
    "body.new.kind=mass",
    "a=1",
    "\"a.b\".c=[",
    "run={}",
    "contact.lay.gap=\"0.3 mm\"",
    "pickup.left.at=ground",
    "hamiltone=",
    "=",
    "body.reed=1",
    "output.level=raw",
    "x.y.z.\"é\"=\"ü\"",
    "score=[]",
    "score=3",
    "score.time=1",
];

struct Random(TestRng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n.max(1) as u64) as usize
    }

    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// One change of a text.
fn change(text: &mut String, random: &mut Random) {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let at = random.below(lines.len());
    match random.below(8) {
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
        _ => {
            let other = random.below(lines.len());
            if !lines.is_empty() {
                lines.swap(at, other);
            }
        }
    }
    *text = lines.join("\n");
}

/// The text with coarse grids and few modes: every plan is prepared once, and what is read does not depend on them.
fn coarse(text: &str) -> String {
    let line = |line| match line {
        line if str::starts_with(line, "intervals =") => "intervals = 8",
        line if line.starts_with("modes =") => "modes = 7",
        line => line,
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_text_makes_the_reader_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let scenes: Vec<String> =
        files.iter().map(|file| coarse(&std::fs::read_to_string(file).unwrap())).collect();
    let mut random = Random(TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let cases = match std::env::var("HAMILTONE_FUZZ_CASES") {
        Ok(cases) => cases.parse().expect("HAMILTONE_FUZZ_CASES is a whole number"),
        Err(_) => CASES,
    };
    let (mut plans, mut problems) = (0, 0);
    for _ in 0..cases {
        let mut text = scenes[random.below(scenes.len())].clone();
        for _ in 0..=random.below(4) {
            change(&mut text, &mut random);
        }
        let sets = if random.below(2) == 0 { Vec::new() } else { vec![Set::parse(random.of(SETS)).unwrap()] };
        match Scene::new(&text, "x.toml", Path::new(""), &sets).plan() {
            Ok(_) => plans += 1,
            Err(diagnostics) => {
                assert!(!diagnostics.problems.is_empty(), "refused without a word:\n{text}");
                let shown = diagnostics.to_string();
                assert!(shown.lines().all(|line| line.contains(": ")), "{shown}");
                for report in diagnostics.reports() {
                    let mut page = String::new();
                    miette::NarratableReportHandler::new().render_report(&mut page, &report).unwrap();
                }
                problems += 1;
            }
        }
    }
    // Both ways out are walked often, or the changes are too wild or too tame to prove anything.
    assert!(plans > cases / 50 && problems > cases / 50, "{plans} plans, {problems} refusals");
}
