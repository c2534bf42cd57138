//! The guitar is heard through its body: what the body's pickup to the left reads of a partial is what the bridge exerts, times the mobility
//! that the modes of the table have from the bridge to there at its frequency.

use crate::partials::{hz, shipped};
use hamiltone_play::Engine;
use hamiltone_report::measure::amplitude::amplitude;
use std::f64::consts::PI;

const RATE: f64 = 48_000.0;
/// Over how long a partial is measured, s.
const TIME: f64 = 1.0;

/// |Y| of the body from the bridge to the left at a frequency, s/kg:  Y(ω) = Σₖ iωφₖ/(mₖ(ωₖ² − ω² + iωωₖ/Qₖ)).
fn mobility(frequency: f64) -> f64 {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/guitar_body.csv");
    let table = std::fs::read_to_string(path).unwrap();
    let (mut real, mut imaginary) = (0.0, 0.0);
    for line in table.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        let [f, q, mass, left, 1.0, _] = row[..] else { panic!("{line}") };
        let (own, omega) = (2.0 * PI * f, 2.0 * PI * frequency);
        let (a, b) = (mass * (own * own - omega * omega), mass * omega * own / q);
        // iω/(a + ib)
        real += left * omega * b / (a * a + b * b);
        imaginary += left * omega * a / (a * a + b * b);
    }
    (real * real + imaginary * imaginary).sqrt()
}

#[test]
fn the_body_has_its_mobility() {
    // Forces and velocities in channels of their own; 10 N and 10 m/s have one level.
    let sets = [
        "output.level=\"reference\"",
        "bus.bridge.channels=\"stereo\"",
        "string.pickup.bridge.bus=\"bridge\"",
        "string.pickup.bridge.ac_coupling=0",
        "pickup.left.ac_coupling=0",
        "pickup.left.gain=\"0 dB\"",
        "pickup.left.pan=0",
        "pickup.right.gain=\"-200 dB\"",
    ];
    let plan = shipped("guitar", &sets, RATE);
    let buses: Vec<&str> = plan.plan.output.buses.iter().map(|bus| bus.name.as_str()).collect();
    let (bridge, body) = match buses[..] {
        ["bridge", _] => (0, 2),
        _ => (2, 0),
    };
    // E2 below the resonances, G3 at that of the top, E4 among many.
    for key in [40, 55, 64] {
        let mut engine = Engine::new(&plan).unwrap();
        assert_eq!(engine.channels_of_buses(), [2, 2], "{buses:?}");
        assert!(engine.note_on(key, 0.5));
        let mut sound = vec![0.0_f64; 4 * (2.0 * TIME * RATE) as usize];
        engine.render(&mut sound);
        let late = &sound[4 * (TIME * RATE) as usize..];
        let channel = |number: usize| -> Vec<f64> { late.iter().skip(number).step_by(4).copied().collect() };
        let frequency = hz(key);
        let of = |number: usize| amplitude(&channel(number), RATE, frequency);
        let measured = of(body) / of(bridge);
        let expected = mobility(frequency);
        // The decay of the string moves its frequency off the axis by 0.2 %, up to a tenth of the half width of a mode.
        assert!((measured / expected - 1.0).abs() < 0.05, "key {key}: {measured:.5} and {expected:.5} s/kg");
        assert!(engine.is_balanced());
    }
}
