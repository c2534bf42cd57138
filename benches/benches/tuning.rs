//! Writes docs/tuning.md: how many cents every note of every pitched instrument is off, at three rates.
//!
//! `cargo bench -p hamiltone-benches --bench tuning`, or with the names of some instruments, `-- violin cello`, of which the others keep what the page says. See `hamiltone_report::measure::pitch` for the method and its error.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_numerics::parallel;
use hamiltone_product::instruments::{Measured, PITCHED, measure};
use std::{env, fmt::Write, fs};

const RATES: [f64; 3] = [44_100.0, 48_000.0, 96_000.0];
const NOTES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
const TEXT: &str = "# Tuning of the instruments

How many cents a note sounds above the pitch that was asked for: equal temperament with A4 = 440 Hz, of the piano
stretched by its own table. What is measured is the first partial, of bowed and blown notes the frequency with which they repeat themselves, from the phases of their first eight harmonics. Each note is played alone at velocity 0.5 and measured in the sound of the engine 0.1 s after its start (bowed psaltery, cello, clarinet, double bass, grand, guitar, harpsichord,
piano, recorder, reed pipes, saxophone, trombone, trumpet, viola and violin 0.6 s, when their bodies are silent or their motion is found, tanpura 1 s), by the advance of its phase, with an error below 0.02 cents (`crates/report/src/measure/pitch.rs`). Strings are measured at every fret. The body of the guitar pulls fretted notes beside its
resonances, as that of a real one does, most of all beside that of its top at 190 Hz; its open strings are tuned on it. Each string of grand and harpsichord is tuned on its bridge alone;
the strings of a key move the bridge together, and sound up to 3 cents from there. The pitch of a bowed string falls as the bow presses harder, and its motion can settle in ways that are some cents apart; where it has no such period yet, or sounds an octave higher, stands –; that of a reed or of lips depends on the pressure. Drums and prepared strings have no pitch to hold. `cargo bench -p hamiltone-benches --bench tuning` writes this page.
";

/// What the page says of an instrument: its line of the summary, and its section.
fn kept<'p>(page: &'p str, name: &str) -> Option<(&'p str, &'p str)> {
    let line = page.lines().find(|line| line.starts_with(&format!("| [{name}](")))?;
    let (_, section) = page.split_once(&format!("\n## {name}\n"))?;
    Some((line, section.split("\n## ").next()?))
}

fn main() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tuning.md");
    let page = fs::read_to_string(path).unwrap_or_default();
    let asked: Vec<String> = env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let mut all = String::new();
    let mut summary = String::from(
        "\n| instrument | notes | largest deviation at 44.1 kHz | 48 kHz | 96 kHz |\n|---|---|---|---|---|\n",
    );
    for (name, from) in PITCHED {
        let is_asked = asked.is_empty() || asked.iter().any(|asked| asked == name);
        if let Some((line, section)) = kept(&page, name).filter(|_| !is_asked) {
            writeln!(summary, "{line}").expect("text");
            write!(all, "\n## {name}\n{section}").expect("text");
            continue;
        }
        let rates = parallel::map(RATES.to_vec(), |rate| measure(name, from, rate, 1));
        let rates: [Vec<Measured>; 3] = rates.try_into().expect("three rates");
        let largest =
            rates.each_ref().map(|notes| notes.iter().map(|note| note.cents.abs()).fold(0.0, f64::max));
        let [a, b, c] = largest;
        println!("{name}: {a:.2} {b:.2} {c:.2} cents");
        let count = rates[0].len();
        writeln!(summary, "| [{name}](../instruments/{name}.toml) | {count} | {a:.2} | {b:.2} | {c:.2} |")
            .expect("text");
        let strings =
            if rates[0].iter().any(|note| note.string.is_some()) { ("string | ", "---|") } else { ("", "") };
        write!(
            all,
            "\n## {name}\n\n| {}note | 44.1 kHz | 48 kHz | 96 kHz | largest |\n|{}---|---|---|---|---|\n",
            strings.0, strings.1
        )
        .expect("text");
        for (k, note) in rates[0].iter().enumerate() {
            let cents = rates.each_ref().map(|notes| notes[k].cents);
            let largest = cents.iter().map(|x| x.abs()).fold(0.0, f64::max);
            let [a, b, c] = cents.map(|x| if x.is_nan() { "–".into() } else { format!("{:+.2}", x + 0.0) });
            writeln!(all, "| {}{} | {a} | {b} | {c} | {largest:.2} |", string(note), named(note.key))
                .expect("text");
        }
    }
    fs::write(path, format!("{TEXT}{summary}{all}")).expect("docs/tuning.md is written");
}

/// The column of the string, where there is one.
fn string(note: &Measured) -> String {
    note.string.as_ref().map_or_else(String::new, |open| format!("{open} | "))
}

fn named(key: u8) -> String {
    format!("{}{}", NOTES[usize::from(key % 12)], i32::from(key / 12) - 1)
}
