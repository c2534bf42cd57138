//! How many voices one core plays at 48 kHz in blocks of 128 samples, the energy balance on, beside a plain loop of the same modes
//! measured in the same run.
//!
//! `cargo bench -p hamiltone-benches --bench voices`, with `-- piano` only those named so; `nice -n -8` where others share the machine.
//!
//! A voice is a key or a string of an instrument, struck so often that it never sleeps. The columns: the time of one step of a voice and of
//! the loop's, the fastest of several runs, taken in turns; the voices that take 70 % of a core at this time; of the number of voices that
//! a core must play at least, the longest block of [`SECONDS`] as a part of its duration, and that which 99.9 % of the blocks do not
//! exceed; a sleeping voice. Blocks are measured in processor time, so that other programs count by what they take of the caches alone.
//! The loop moves the modes, qₙ₊₁ = a qₙ − b qₙ₋₁ with the inputs' and the contacts' rows in the middle of each step, and sums one row for the pickup.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use fearless_simd::{Level, Simd, dispatch};
use hamiltone_benches::timing::seconds;
use hamiltone_numerics::aligned::{Aligned, aligned};
use hamiltone_play::Engine;
use hamiltone_scene::instrument::Instrument;
use std::path::Path;

const RATE: f64 = 48_000.0;
const BLOCK: usize = 128;
/// Voices in a measurement: little enough for the second-level cache, as a player's voices are.
const VOICES: usize = 8;
/// Blocks of a run, of which the fastest counts.
const BLOCKS: usize = 60;
const RUNS: usize = 25;
/// The part of a core that voices may take.
const LOAD: f64 = 0.7;
/// How long the longest block is looked for.
const SECONDS: usize = 4;
/// Runs of the same performance, of which the fastest counts block by block.
const REPEATS: usize = 5;

/// A kind of voice.
struct Kind {
    name: &'static str,
    modes: usize,
    /// Steps a sample.
    ratio: usize,
    /// Rows of contacts and inputs that the loop reads and acts on at each step.
    rows: usize,
    /// The text of so many voices, on keys from 0 on.
    text: fn(usize) -> String,
    /// The voices that a core must play.
    asked: usize,
}

const KINDS: [Kind; 3] = [
    Kind { name: "piano string", modes: 60, ratio: 1, rows: 2, text: piano, asked: 60 },
    Kind { name: "fretted bass", modes: 100, ratio: 2, rows: 23, text: bass, asked: 12 },
    Kind { name: "plucked string", modes: 60, ratio: 1, rows: 1, text: plucked, asked: 150 },
];

fn keys(voices: usize) -> String {
    (0..voices).map(|key| key.to_string()).collect::<Vec<_>>().join(", ")
}

/// A string of 60 modes with a hammer of felt and a damper.
fn piano(voices: usize) -> String {
    format!(
        r#"
hamiltone = 2
run.oversampling = 1
output.level = "reference 0 dB"
[instrument]
keys = [{}]
sleep = 0
[key.body.hammer]
kind = "oscillator"
mass = "9 g"
undamped_frequency = "6 Hz"
damping = "75 1/s"
[key.body.string]
kind = "string"
modes = 60
length = "1.2 m"
linear_density = "10 g/m"
frequency = "110 Hz"
stiffness = "1 m^2/s"
loss = {{ t60 = [["110 Hz", "12 s"], ["2000 Hz", "4 s"]] }}
[key.contact.felt]
between = ["hammer", "string@0.12"]
law = "power"
stiffness = "1e9 N/m^2.3"
exponent = 2.3
gap = "2 mm"
loss = "0.2 s/m"
[key.contact.damper]
between = ["string@0.13", "ground"]
law = "damper"
[key.pickup.string]
at = "string@1"
quantity = "force"
[[note_on]]
gesture = "strike"
at = "hammer"
speed = "{{0.3 + 4*velocity}} m/s"
[[note_off]]
gesture = "damp"
control = "damper"
resistance = "5 N s/m"
"#,
        keys(voices)
    )
}

/// A bass string of 100 modes over 20 rigid frets, fingered and plucked, stepped twice a sample.
fn bass(voices: usize) -> String {
    format!(
        r#"
hamiltone = 2
run.oversampling = 2
output.level = "reference 0 dB"
[instrument]
strings = [{}]
frets = 20
sleep = 0
[string.body.string]
kind = "string"
modes = 100
length = "0.863 m"
linear_density = "6.69 g/m"
frequency = "98 Hz"
loss = {{ t60 = [["98 Hz", "8 s"], ["3000 Hz", "1 s"]] }}
[fret.contact.fret]
between = ["ground", "string@{{863*(1 - 2^(-fret/12))}} mm"]
law = "rigid"
restitution = 0
gap = "{{0.8 + 2*(1 - 2^(-fret/12))}} mm"
[string.contact.hand]
between = ["string@0.83", "ground"]
law = "damper"
[string.pickup.bridge]
at = "string@0.9"
quantity = "velocity"
[[note_on]]
gesture = "undamp"
control = "hand"
[[note_on]]
gesture = "pluck"
at = "string@0.75"
force = "{{2 + 4*velocity}} N"
[[note_off]]
gesture = "damp"
control = "hand"
resistance = "2 N s/m"
"#,
        keys(voices)
    )
}

/// A string of 60 modes, plucked.
fn plucked(voices: usize) -> String {
    format!(
        r#"
hamiltone = 2
run.oversampling = 1
output.level = "reference 0 dB"
[instrument]
keys = [{}]
sleep = 0
[key.body.string]
kind = "string"
modes = 60
length = "0.65 m"
linear_density = "2 g/m"
frequency = "147 Hz"
loss = {{ t60 = [["147 Hz", "5 s"], ["3000 Hz", "1 s"]] }}
[key.pickup.bridge]
at = "string@1"
quantity = "force"
[[note_on]]
gesture = "pluck"
at = "string@0.8"
force = "{{1 + 2*velocity}} N"
"#,
        keys(voices)
    )
}

/// An engine of so many voices; keys repeat from 128 on in engines of their own.
fn engines(kind: &Kind, voices: usize) -> Vec<Engine> {
    let engine = |first: usize| {
        let text = (kind.text)(128.min(voices - first));
        let plan = Instrument::new(&text, "bench.toml", Path::new(""), &[]).plan(RATE, None);
        Engine::new(&plan.unwrap_or_else(|problems| panic!("{problems}"))).expect("at rest")
    };
    (0..voices).step_by(128).map(engine).collect()
}

/// Plays a note on every voice.
fn strike(engines: &mut [Engine], velocity: f64) {
    for engine in engines {
        // A string is free, or taken, in the order of their keys.
        (0..128).for_each(|key| _ = engine.note_on(key, velocity));
    }
}

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with("--")).unwrap_or_default();
    println!(
        "{:16}{:>9}{:>9}{:>7}{:>9}{:>7}{:>10}{:>10}{:>12}",
        "", "ns/step", "loop's", "ratio", "voices", "of", "longest", "99.9 %", "asleep, ns"
    );
    for kind in KINDS.iter().filter(|kind| kind.name.contains(&wanted)) {
        let mut voices = engines(kind, VOICES);
        let mut block = vec![0.0_f32; BLOCK * voices[0].channels()];
        let mut plain = Plain::new(kind);
        let (mut ours, mut loops) = (f64::INFINITY, f64::INFINITY);
        for run in 0..RUNS {
            strike(&mut voices, 0.3 + 0.02 * run as f64);
            ours = ours.min(seconds(|| (0..BLOCKS).for_each(|_| voices[0].render(&mut block))));
            loops = loops.min(seconds(|| plain.run(BLOCKS * BLOCK * kind.ratio)));
        }
        assert!(voices[0].is_balanced() && block.iter().any(|x| *x != 0.0));
        let steps = (BLOCKS * BLOCK * kind.ratio) as f64;
        let (ours, loops) = (ours / steps / VOICES as f64, loops / steps);
        let count = (LOAD / (RATE * kind.ratio as f64 * ours)) as usize;
        let (longest, usual) = blocks(kind);
        println!(
            "{:16}{:9.0}{:9.0}{:7.2}{count:9}{:7}{longest:10.2}{usual:10.2}{:12.2}",
            kind.name,
            1e9 * ours,
            1e9 * loops,
            ours / loops,
            kind.asked,
            1e9 * asleep(kind)
        );
    }
}

/// For as many voices as are asked for, each struck twice a second at times of its own: the longest block over its duration, and the
/// 99.9th percentile. Each block is the fastest of [`REPEATS`] runs of the same performance, since what other programs take differs.
fn blocks(kind: &Kind) -> (f64, f64) {
    let mut taken = times(kind);
    for _ in 1..REPEATS {
        taken.iter_mut().zip(times(kind)).for_each(|(least, time)| *least = least.min(time));
    }
    taken.sort_by(f64::total_cmp);
    (taken[taken.len() - 1], taken[taken.len() - 1 - taken.len() / 1000])
}

/// The processor time of each block over its duration.
fn times(kind: &Kind) -> Vec<f64> {
    let voices = kind.asked;
    let mut engines = engines(kind, voices);
    let mut block = vec![0.0_f32; BLOCK * engines[0].channels() * 2];
    let mut taken = Vec::new();
    // The first half second, in which all are struck at once, is left out.
    for n in 0..SECONDS * RATE as usize / BLOCK {
        // The multiples of the golden ratio spread over the half second.
        for voice in 0..voices {
            let period = RATE as usize / 2 / BLOCK;
            if n % period == ((voice as f64 * 0.618_033_988_75).fract() * period as f64) as usize || n == 0 {
                engines[voice / 128].note_on((voice % 128) as u8, 0.7);
            }
        }
        let time = seconds(|| {
            for engine in &mut engines {
                let channels = engine.channels();
                engine.render(&mut block[..BLOCK * channels]);
            }
        });
        if n > RATE as usize / 2 / BLOCK {
            taken.push(time * RATE / BLOCK as f64);
        }
    }
    taken
}

/// The time of a sample of a voice that sleeps, s.
fn asleep(kind: &Kind) -> f64 {
    let mut engine = engines(kind, 128).remove(0);
    let mut block = vec![0.0_f32; BLOCK * engine.channels()];
    let run =
        |engine: &mut Engine, block: &mut [f32]| seconds(|| (0..100).for_each(|_| engine.render(block)));
    let fastest = (0..20).map(|_| run(&mut engine, &mut block)).fold(f64::INFINITY, f64::min);
    fastest / (100 * BLOCK * 128) as f64
}

/// The modes and the rows alone.
struct Plain {
    level: Level,
    a: Aligned,
    b: Aligned,
    q: Aligned,
    before: Aligned,
    rows: Vec<Aligned>,
    pickup: Aligned,
    sum: f64,
}

impl Plain {
    fn new(kind: &Kind) -> Self {
        let row = |k: usize| aligned((0..kind.modes).map(|i| ((i * 37 + k * 101) % 97) as f64 / 97.0 - 0.5));
        // Next to no losses: modes that die away would be subnormal numbers, with which the loop is twenty times as slow.
        let loss: f64 = 1e-9;
        let a = (0..kind.modes).map(|k| 2.0 * (-loss).exp() * (0.01 * (k + 1) as f64).cos());
        Self {
            level: Level::new(),
            a: aligned(a),
            b: aligned(vec![(-2.0 * loss).exp(); kind.modes]),
            q: aligned((0..kind.modes).map(|k| 1e-3 / (k + 1) as f64)),
            before: aligned(vec![0.0; kind.modes]),
            rows: (0..kind.rows).map(row).collect(),
            pickup: row(1000),
            sum: 0.0,
        }
    }

    fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            dispatch!(self.level, simd => self.step(simd));
        }
        std::hint::black_box(self.sum);
    }

    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S) {
        let n = self.q.len();
        let (q, before, a, b) = (&mut self.q[..n], &mut self.before[..n], &self.a[..n], &self.b[..n]);
        let (rows, pickup, sum) = (&self.rows, &self.pickup, &mut self.sum);
        simd.vectorize(
            #[inline(always)]
            || {
                let dot = |row: &[f64], q: &[f64]| -> f64 {
                    let mut sums = [0.0; 8];
                    for (w, x) in row.as_chunks::<8>().0.iter().zip(q.as_chunks::<8>().0) {
                        sums.iter_mut().zip(w.iter().zip(x)).for_each(|(sum, (w, x))| *sum += w * x);
                    }
                    let rest = row.as_chunks::<8>().1.iter().zip(q.as_chunks::<8>().1).map(|(w, x)| w * x);
                    sums.iter().sum::<f64>() + rest.sum::<f64>()
                };
                for i in 0..n {
                    let next = a[i] * q[i] - b[i] * before[i];
                    (before[i], q[i]) = (q[i], next);
                }
                // Each row is read and would be pushed along; no force acts.
                for row in rows {
                    let force = 1e-300 * dot(row, q);
                    for (x, w) in q.iter_mut().zip(row.iter()) {
                        *x += force * w;
                    }
                }
                *sum += dot(pickup, q);
            },
        );
    }
}
