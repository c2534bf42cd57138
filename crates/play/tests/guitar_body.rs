//! The guitar is heard through its body: what the body's pickup reads of a partial is what the bridge exerts, times the mobility that the
//! modes of the table have at its frequency.

use hamiltone_play::Engine;
use hamiltone_scene::{Limits, Set, instrument::Instrument};
use std::f64::consts::PI;

const RATE: f64 = 48_000.0;
/// Over how long a partial is measured, s.
const TIME: f64 = 1.0;

/// |Y| of the body at a frequency, s/kg:  Y(ω) = Σₖ iω/(mₖ(ωₖ² − ω² + iωωₖ/Qₖ)).
fn mobility(frequency: f64) -> f64 {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/guitar_body.csv");
    let table = std::fs::read_to_string(path).unwrap();
    let (mut real, mut imaginary) = (0.0, 0.0);
    for line in table.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        let [f, q, mass] = row[..] else { panic!("{line}") };
        let (own, omega) = (2.0 * PI * f, 2.0 * PI * frequency);
        let (a, b) = (mass * (own * own - omega * omega), mass * omega * own / q);
        // iω/(a + ib)
        real += omega * b / (a * a + b * b);
        imaginary += omega * a / (a * a + b * b);
    }
    f64::hypot(real, imaginary)
}

/// The amplitude at a frequency, under a window of Hann.
fn amplitude(sound: &[f64], frequency: f64) -> f64 {
    let n = sound.len() as f64;
    let sum = sound.iter().enumerate().fold((0.0, 0.0), |(c, s), (i, x)| {
        let (window, phase) = (1.0 - (2.0 * PI * i as f64 / n).cos(), 2.0 * PI * frequency * i as f64 / RATE);
        (c + window * x * phase.cos(), s + window * x * phase.sin())
    });
    2.0 / n * f64::hypot(sum.0, sum.1)
}

#[test]
fn the_body_has_its_mobility() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/guitar.toml");
    // Forces and velocities in channels of their own; 10 N and 10 m/s have one level.
    let sets = [
        "output.level=\"reference\"",
        "bus.bridge.channels=\"stereo\"",
        "string.pickup.bridge.bus=\"bridge\"",
        "string.pickup.bridge.ac_coupling=0",
        "pickup.body.ac_coupling=0",
        "pickup.body.gain=\"0 dB\"",
    ];
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    let plan = Instrument::open(path, &sets, Limits::default()).and_then(|own| own.plan(RATE, None));
    let plan = plan.unwrap_or_else(|error| panic!("{error}"));
    let buses: Vec<&str> = plan.plan.output.buses.iter().map(|bus| bus.name.as_str()).collect();
    let (bridge, body) = match buses[..] {
        ["bridge", _] => (0, 2),
        _ => (2, 0),
    };
    // E2 below both resonances, G3 at that of the top, E4 between modes.
    for (key, resonance) in [(40, false), (55, true), (64, false)] {
        let mut engine = Engine::new(&plan).unwrap();
        assert_eq!(engine.channels_of_buses(), [2, 2], "{buses:?}");
        assert!(engine.note_on(key, 0.5));
        let mut sound = vec![0.0_f64; 4 * (2.0 * TIME * RATE) as usize];
        engine.render(&mut sound);
        let late = &sound[4 * (TIME * RATE) as usize..];
        let channel = |number: usize| -> Vec<f64> { late.iter().skip(number).step_by(4).copied().collect() };
        let frequency = 440.0 * 2_f64.powf((f64::from(key) - 69.0) / 12.0);
        let measured = amplitude(&channel(body), frequency) / amplitude(&channel(bridge), frequency);
        let expected = mobility(frequency);
        // The decay of the string moves its frequency off the axis by 0.2 %, up to a tenth of the half width of a mode.
        assert!((measured / expected - 1.0).abs() < 0.05, "key {key}: {measured:.5} and {expected:.5} s/kg");
        assert_eq!(measured > 0.05, resonance, "key {key}: {measured:.5} s/kg");
        assert!(engine.is_balanced());
    }
}
