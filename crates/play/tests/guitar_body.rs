//! The strings of the guitar stand on its body: both move each other.
//!
//! An open string by itself on its bridge is the continuous string on the body, both as the files state them. Its partials are the poles of
//!
//!   1/C(s) + k(s),   C(s) = Σ φ²/(m(s² + sω/Q + ω²)),   k(s) = Σ Kₙbₙ²(1 − Kₙ/(mₙs² + Rₙs + Kₙ)),   bₙ = 2(−1)ⁿ⁺¹/nπ
//!
//! of a string with the displacement w at x = L and all its modes; its tension is that at which the first of them has the frequency of the
//! open string. The pickups hear the body: to its left as far as its shape there goes.

use crate::partials::{hz, shipped, t60};
use hamiltone_numerics::complex::Complex;
use hamiltone_play::{Engine, Player};
use hamiltone_report::measure::{amplitude::amplitude, centroid};
use std::f64::consts::{LN_10, PI, TAU};
use toml::{Table, Value};

const RATE: f64 = 48_000.0;
const LENGTH: f64 = 0.65;
/// The open strings.
const STRINGS: [(&str, u8); 6] = [("E2", 40), ("A2", 45), ("D3", 50), ("G3", 55), ("B3", 59), ("E4", 64)];
/// (string, partial, s): T60 of the strings of Woodhouse 2004 on a representative body of other modes, from the poles of coupled continuous
/// strings.
const REFERENCE: [(&str, usize, f64); 7] = [
    ("E2", 1, 10.2),
    ("E2", 2, 7.1),
    ("E2", 3, 6.7),
    ("G3", 1, 1.65),
    ("E4", 1, 5.5),
    ("E4", 2, 2.5),
    ("E4", 3, 3.1),
];
/// Softly, so that a string clears its frets.
const PIANO: f64 = 0.3;

/// (frequency, Q, mass, shape to the left) of the modes of the body, whose shape at the bridge is 1.
fn body() -> Vec<[f64; 4]> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/guitar_body.csv");
    let table = std::fs::read_to_string(path).unwrap();
    let mode = |line: &str| {
        let row: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        let [f, q, mass, left, 1.0, _] = row[..] else { panic!("{line}") };
        [f, q, mass, left]
    };
    table.lines().skip(1).map(mode).collect()
}

/// Σ φ/(m(s² + sω/Q + ω²)), with φ at the bridge and to the left.
fn compliances(body: &[[f64; 4]], s: Complex) -> [Complex; 2] {
    let mode = |[f, q, mass, _]: &[f64; 4]| {
        let omega = TAU * f;
        Complex::from(1.0) / ((s * s + s * (omega / q) + (omega * omega).into()) * *mass)
    };
    [body.iter().map(mode).sum(), body.iter().map(|own| mode(own) * own[3]).sum()]
}

/// An open string: what the tables of the file say of it.
struct String {
    density: f64,
    bending: f64,
    /// (frequency, T60), Hz and s.
    decay: [(f64, f64); 3],
}

impl String {
    fn of(name: &str, key: u8) -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/guitar.toml");
        let file: Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        let number = |value: &Value| value.as_float().or(value.as_integer().map(|n| n as f64)).unwrap();
        let table = |of: &str| {
            let points = file["table"][of]["points"].as_array().unwrap();
            number(&points.iter().find(|point| point[0].as_str() == Some(name)).unwrap()[1])
        };
        let decay = [(hz(key), table("decay1")), (1e3, table("decay2")), (5e3, table("decay3"))];
        Self { density: 1e-3 * table("density"), bending: table("bending"), decay }
    }

    /// σ at a frequency, 1/s: T60 goes by straight lines in the logarithms.
    fn decay(&self, f: f64) -> f64 {
        let (first, last) = (self.decay[0], self.decay[2]);
        let f = f.clamp(first.0, last.0);
        let two = if f < self.decay[1].0 { &self.decay[..2] } else { &self.decay[1..] };
        let part = (f / two[0].0).ln() / (two[1].0 / two[0].0).ln();
        3.0 * LN_10 / (two[0].1 * (two[1].1 / two[0].1).powf(part))
    }

    /// m, R and K of a mode, its first one without its bridge at `first` (Hz).
    fn mode(&self, n: usize, first: f64) -> [f64; 3] {
        let square = |n: f64| {
            let bent = |n: f64| (self.bending * (n * PI / LENGTH).powi(2)).powi(2);
            ((TAU * first).powi(2) - bent(1.0)) * n * n + bent(n)
        };
        let (m, omega) = (0.5 * self.density * LENGTH, square(n as f64).sqrt());
        [m, 2.0 * m * self.decay(omega / TAU), m * omega * omega]
    }

    /// k(s).
    fn stiffness(&self, first: f64, s: Complex) -> Complex {
        // What is left out is a mass below 0.1 % of that of the string.
        const MODES: usize = 400;
        let follows = |n: usize| {
            let ([m, r, k], lift) = (self.mode(n, first), 2.0 / (n as f64 * PI));
            let own = s * s * m + s * r;
            own / (own + k.into()) * (k * lift * lift)
        };
        (1..=MODES).map(follows).sum()
    }

    /// The pole that partial n becomes as the body grows lighter, in `STEPS` steps, from infinitely heavy to its mass: Newton's method for
    /// 1 + λCk, times what has a zero where k has its pole.
    fn pole(&self, body: &[[f64; 4]], n: usize, first: f64) -> Complex {
        const STEPS: usize = 30;
        let [m, r, k] = self.mode(n, first);
        let mut s = Complex::new(-0.5 * r / m, (k / m).sqrt());
        for step in 1..=STEPS {
            let lambda = (step as f64 / STEPS as f64).powi(2);
            let missed = |s: Complex| {
                let own = s * s * m + s * r + k.into();
                (Complex::from(1.0) + compliances(body, s)[0] * self.stiffness(first, s) * lambda) * own
            };
            for _ in 0..6 {
                let apart = Complex::from(1e-4);
                let slope = (missed(s + apart) - missed(s - apart)) / (apart * 2.0);
                s = s - missed(s) / slope;
            }
        }
        s
    }

    /// The first frequency without the bridge with which the first partial on it has `frequency`, Hz.
    fn tuned(&self, body: &[[f64; 4]], frequency: f64) -> f64 {
        let mut first = frequency;
        (0..12).for_each(|_| first *= frequency / (self.pole(body, 1, first).im / TAU));
        first
    }
}

/// A note of one string alone, and its left channel after the body's own modes have died away: the slowest, at 101 Hz, by 60 dB in 0.65 s.
fn note(string: &str, key: u8, seconds: f64) -> Vec<f64> {
    const DIED: f64 = 0.7;
    let strings = format!("instrument.strings=[\"{string}\"]");
    let sets =
        [&strings, "string.pickup.bridge.gain=\"-200 dB\"", "pickup.left.pan=-1", "pickup.right.pan=1"];
    let plan = shipped("guitar", &sets, RATE);
    let mut engine = Engine::new(&plan).unwrap();
    assert!(engine.note_on(key, PIANO));
    let mut sound = vec![0.0_f64; 2 * ((DIED + seconds) * RATE) as usize];
    engine.render(&mut sound);
    assert!(engine.is_balanced());
    sound.chunks_exact(2).skip((DIED * RATE) as usize).map(|frame| frame[0]).collect()
}

/// The first three partials of every open string decay as those of the continuous string on the body.
#[test]
fn open_strings_decay_as_continuous_strings_on_the_body() {
    let body = body();
    for (name, key) in STRINGS {
        let string = String::of(name, key);
        let first = string.tuned(&body, hz(key));
        // Sixteen periods keep other partials 90 dB down.
        let window = 0.5_f64.max(16.0 / hz(key));
        let sound = note(name, key, 2.0 * window + 0.01);
        for n in 1..=3 {
            let pole = string.pole(&body, n, first);
            let (frequency, expected) = (pole.im / TAU, -3.0 * LN_10 / pole.re);
            let measured = t60(&sound, RATE, frequency, window);
            println!("{name}, partial {n}: {frequency:.2} Hz, T60 {measured:.3} s, expected {expected:.3} s");
            let reference = REFERENCE.iter().find(|(of, partial, _)| (*of, *partial) == (name, n));
            let apart = reference.map_or(0.0, |(.., reference)| measured / reference - 1.0);
            assert!(
                apart.abs() < 0.3,
                "{name}, partial {n}: {measured} s is not within 30 % of the reference"
            );
            // Modes beyond the last, N = 80 to 40, are a mass of 2µL/π²N at the bridge, 10 mg: 10⁻⁴ of a mode of the body. Other
            // partials through the window leave 0.03 dB of the 3 dB or more by which this one falls.
            assert!(
                (measured / expected - 1.0).abs() < 0.01,
                "{name}, partial {n}: {measured} s, {expected} s"
            );
        }
    }
}

/// What the left pickup hears of a partial is what the body does at the bridge, times the ratio of its modes' sums.
#[test]
fn the_body_is_heard_by_its_shapes() {
    let body = body();
    // Both in channels of their own.
    let sets = [
        "pickup.right.at=\"top@0.18 m\"",
        "pickup.left.pan=-1",
        "pickup.right.pan=1",
        "string.pickup.bridge.gain=\"-200 dB\"",
    ];
    let plan = shipped("guitar", &sets, RATE);
    // E2 below the resonances, G3 at that of the top, E4 among many.
    for key in [40, 55, 64] {
        let mut engine = Engine::new(&plan).unwrap();
        assert!(engine.note_on(key, 0.5));
        let mut sound = vec![0.0_f64; 2 * (2.0 * RATE) as usize];
        engine.render(&mut sound);
        let late = &sound[2 * RATE as usize..];
        let of = |number: usize| {
            let channel: Vec<f64> = late.iter().skip(number).step_by(2).copied().collect();
            amplitude(&channel, RATE, hz(key))
        };
        let measured = of(0) / of(1);
        let [bridge, left] = compliances(&body, Complex::new(0.0, TAU * hz(key)));
        let expected = (left / bridge).square().sqrt();
        // The decay of the string moves its frequency off the axis by 0.2 %, up to a tenth of the half width of a mode.
        assert!((measured / expected - 1.0).abs() < 0.05, "key {key}: {measured:.4} and {expected:.4}");
        assert!(engine.is_balanced());
    }
}

/// A string that is plucked close to the bridge is brighter than one that is plucked over the hole: the centroid by power is higher.
#[test]
fn a_pluck_at_the_bridge_is_brighter() {
    const HEARD: f64 = 0.4;
    const BRIGHTER: f64 = 1.5;
    // So softly that a string which is plucked at a quarter of its length clears its frets.
    const VELOCITY: f64 = 0.6;
    let centroids = |place: f64| {
        let set = format!("table.place.points=[[\"E2\", {place}], [\"E4\", {place}]]");
        let plan = shipped("guitar", &[&set], RATE);
        let mut player = Player::new(Engine::new(&plan).unwrap());
        STRINGS.map(|(_, key)| {
            let sound = player.note(key, VELOCITY, HEARD).unwrap();
            let both: Vec<f64> = sound.chunks_exact(2).map(|frame| frame[0] + frame[1]).collect();
            centroid::centroids(&both, RATE).unwrap()[1]
        })
    };
    let (bridge, hole) = (centroids(0.94), centroids(0.75));
    for ((name, _), (bridge, hole)) in STRINGS.iter().zip(bridge.iter().zip(&hole)) {
        println!("{name}: {bridge:.0} Hz at the bridge, {hole:.0} Hz over the hole");
        assert!(bridge / hole >= BRIGHTER, "{name}: {bridge:.0} Hz, over the hole {hole:.0} Hz");
    }
}
