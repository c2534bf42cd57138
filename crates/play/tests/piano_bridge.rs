//! The strings of the piano stand on one board, and all of them exchange energy with it: a note decays in two slopes, the soft pedal
//! leaves more of the second one, and strings without dampers sound with others (G. Weinreich 1977, J. Acoust. Soc. Am. 62).
//!
//! All strings of a key have the same losses: without the bridge a partial decays in one slope, and no string moves another.

use crate::partials::{hz, shipped};
use crate::random::is_long;
use hamiltone_core::geometry::Geometry;
use hamiltone_numerics::math;
use hamiltone_play::{Action, Engine, Player};
use hamiltone_report::measure::amplitude::amplitude;

const RATE: f64 = 48_000.0;
const NAME: &str = "grand";
const MEZZOFORTE: f64 = 0.5;

/// What is prompt lasts so many periods of the first partial, from 50 ms on; what is late begins after ten times that, and lasts as long. Of
/// both, the levels of so many parts are taken, each the mean energy at so many instants through a window of so many periods.
const PROMPT: f64 = 66.0;
const BEGIN: f64 = 0.05;
const LATE: f64 = 10.0;
const PARTS: usize = 4;
const INSTANTS: usize = 4;
const WINDOW: f64 = 12.0;

fn player(sets: &[&str]) -> Player {
    Player::new(Engine::new(&shipped(NAME, sets, RATE)).unwrap())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Keys of three strings from C3 to C6.
fn keys() -> impl Iterator<Item = u8> {
    (48..=84).step_by(if is_long() { 1 } else { 6 })
}

/// How the first partial of a note decays: dB/s and mean dB of each of both windows.
struct Decay {
    rates: [f64; 2],
    levels: [f64; 2],
}

impl Decay {
    fn of(player: &mut Player, key: u8, soft: bool) -> Self {
        player.rest();
        let (period, channels) = (1.0 / hz(key), player.engine.channels());
        let prompt = PROMPT * period;
        player.engine.control(67, if soft { 1.0 } else { 0.0 });
        assert!(player.engine.note_on(key, MEZZOFORTE));
        let sound = player.render(BEGIN + (2.0 * LATE + 1.0) * prompt);
        assert!(player.engine.is_balanced());
        let energy = |at: f64| -> f64 {
            let half = 0.5 * WINDOW * period;
            let [from, to] = [at - half, at + half].map(|t| (t * RATE) as usize);
            let channel = |c: usize| -> Vec<f64> {
                sound[from * channels..to * channels].iter().skip(c).step_by(channels).copied().collect()
            };
            (0..channels).map(|c| math::square(amplitude(&channel(c), RATE, hz(key)))).sum()
        };
        let part = |from: f64, to: f64| {
            let at = |n: usize| from + (to - from) * n as f64 / (INSTANTS - 1) as f64;
            10.0 * math::log10((0..INSTANTS).map(|n| energy(at(n))).sum::<f64>() / INSTANTS as f64)
        };
        let window = |from: f64, length: f64| {
            let step = length / PARTS as f64;
            let levels: Vec<f64> =
                (0..PARTS).map(|n| part(from + n as f64 * step, from + (n + 1) as f64 * step)).collect();
            // Least squares, in parts.
            let middle = 0.5 * (PARTS - 1) as f64;
            let products = levels.iter().enumerate().map(|(n, level)| ((n as f64 - middle), level));
            let (product, squares) =
                products.fold((0.0, 0.0), |(p, s), (t, level)| (p + t * level, s + t * t));
            (product / squares / step, levels.iter().sum::<f64>() / PARTS as f64)
        };
        let (prompt, late) = (window(BEGIN, prompt), window(BEGIN + LATE * prompt, LATE * prompt));
        Self { rates: [prompt.0, late.0], levels: [prompt.1, late.1] }
    }
}

/// The first partial decays faster at first than late, twice as fast and more in the median.
#[test]
fn a_note_decays_in_two_slopes() {
    let (mut player, mut ratios) = (player(&[]), Vec::new());
    for key in keys() {
        let [prompt, late] = Decay::of(&mut player, key, false).rates;
        println!("key {key}: {prompt:.1} dB/s, then {late:.1} dB/s");
        assert!(prompt < 1.3 * late, "key {key}: {prompt} dB/s, then {late} dB/s");
        // Strings that beat may rise late.
        ratios.push(if late < 0.0 { prompt / late } else { f64::INFINITY });
    }
    let middle = median(ratios);
    println!("median ratio {middle:.2}");
    assert!(middle >= 2.0, "{middle}");
}

/// With the soft pedal the hammer misses one string of each unison: more of the energy is in motions that the bridge does not take, and what is
/// late is louder against what is prompt.
#[test]
fn una_corda_sounds_longer() {
    let (mut player, mut gains) = (player(&[]), Vec::new());
    for key in keys() {
        let [three, two] = [false, true].map(|soft| Decay::of(&mut player, key, soft).levels);
        let gain = (two[1] - two[0]) - (three[1] - three[0]);
        println!("key {key}: {gain:+.1} dB");
        gains.push(gain);
    }
    let middle = median(gains);
    println!("median {middle:+.1} dB");
    assert!(middle >= 6.0, "{middle} dB");
}

/// With the pedal down the strings of other keys take energy of a note, and keep it.
///
/// A string of the length L under the tension T that exerts the force F at its end stores Σ Fₙ²L/4T = ⟨F²⟩L/2T, Fₙ being the amplitudes of its partials. Of the
/// three strings of a key, which their bridge moves alike, one is measured.
#[test]
fn strings_sound_with_others_while_the_pedal_is_down() {
    const KEYS: [u8; 3] = [48, 53, 72];
    let pickup = |key: u8| {
        [
            format!("pickup.of{key}.at=\"s2-{key}@1\""),
            format!("pickup.of{key}.quantity=\"force\""),
            format!("pickup.of{key}.bus=\"of{key}\""),
            format!("bus.of{key}.channels=\"mono\""),
        ]
    };
    // Forces in N.
    let level = "output.level=\"gain 0 dB\"".to_string();
    let sets: Vec<String> = KEYS.into_iter().flat_map(pickup).chain([level]).collect();
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    let plan = shipped(NAME, &sets, RATE);
    let mut player = Player::new(Engine::new(&plan).unwrap());
    player.engine.control(64, 1.0);
    player.render(0.1);
    assert!(player.engine.note_on(60, MEZZOFORTE));
    player.render(0.03);
    player.engine.settle();
    let struck: f64 = player.engine.audits().map(|audit| audit.stored()).sum();
    player.engine.note_off(60);
    player.render(0.97);
    let (channels, sound) = (player.engine.channels(), player.render(0.5));
    for key in KEYS {
        let counts = player.engine.channels_of_buses();
        let bus = player.engine.buses().iter().position(|bus| bus.name == format!("of{key}")).expect("a bus");
        let forces = sound.iter().skip(counts[..bus].iter().sum()).step_by(channels);
        let square = forces.map(|f| f * f).sum::<f64>() / (sound.len() / channels) as f64;
        let body = plan.plan.bodies.iter().find(|body| body.name == format!("s2-{key}")).expect("a string");
        let tension = body.solved.iter().find(|solved| solved.name == "tension").expect("a tension").value;
        let Geometry::Line { length, .. } = body.placed.geometry else { panic!("a string is a line") };
        let held = 10.0 * math::log10(3.0 * square * length / (2.0 * tension) / struck);
        println!("key {key}: {held:.1} dB of the note");
        assert!(held > -35.0, "key {key}: {held} dB");
    }
    assert!(player.engine.is_balanced());
}

/// All strings follow a bend, on one board.
#[test]
fn a_bend_is_followed() {
    let mut engine = player(&[]).engine;
    assert!(engine.bends() && engine.follows(Action::Bend { semitones: 1.0 }));
    assert!(engine.note_on(60, MEZZOFORTE));
    let mut block = vec![0.0_f64; 2 * 4800];
    engine.render(&mut block);
    assert!(engine.bend(1.0));
    engine.render(&mut block);
    assert!(engine.is_balanced() && block.iter().any(|x| *x != 0.0));
}
