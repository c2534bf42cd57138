//! With the soft pedal the palm lies on the strings of the guitar and the bass near the bridge, as a damper of the resistance r. A string
//! of the mass M that sounds up to its bridge then loses its partial n by
//!
//!   σₙ = r sin²(nπx/L)/M,   T60 = 6.9/σₙ
//!
//! beside its own losses, where r is small against the impedance that the piece between palm and bridge has.

use crate::partials::{hz, shipped, t60};
use hamiltone_play::Engine;

const RATE: f64 = 48_000.0;

/// Strikes a key; the decay time of its fundamental from 0.1 s after that, over `periods` twice, s.
fn decay(engine: &mut Engine, key: u8, periods: f64) -> f64 {
    assert!(engine.note_on(key, 0.6));
    let window = periods / hz(key);
    let mut sound = vec![0.0_f64; 2 * ((0.1 + 2.0 * window) * RATE) as usize];
    engine.render(&mut sound);
    let both = sound.chunks_exact(2).skip((0.1 * RATE) as usize).map(|frame| frame[0] + frame[1]);
    t60(&both.collect::<Vec<f64>>(), RATE, hz(key), window)
}

#[test]
fn the_palm_shortens_notes() {
    // One string, and of the guitar that itself: the body and strings that sound with it ring on.
    let body = ["pickup.left.gain=\"-200 dB\"", "pickup.right.gain=\"-200 dB\""];
    for (name, string, key) in [
        ("guitar", "E2", 40),
        ("guitar", "A2", 48),
        ("guitar", "B3", 59),
        ("guitar", "E4", 64),
        ("bass", "E1", 28),
        ("bass", "A1", 33),
        ("bass", "G2", 43),
        ("bass", "G2", 50),
    ] {
        let strings = format!("instrument.strings=[\"{string}\"]");
        let changes = [&[strings.as_str()][..], if name == "guitar" { &body } else { &[] }].concat();
        let plan = &shipped(name, &changes, RATE);
        let mut engine = Engine::new(plan).unwrap();
        let open = decay(&mut engine, key, 50.0);
        assert!(engine.control(67, 1.0));
        let muted = decay(&mut engine, key, 10.0);
        assert!(engine.control(67, 0.0));
        let again = decay(&mut engine, key, 50.0);
        println!("{name}, key {key}: T60 {open:.2} s, muted {muted:.3} s, then {again:.2} s");
        assert!(open / muted > 5.0, "{name}, key {key}: {open} s, muted {muted} s");
        assert!((again / open - 1.0).abs() < 0.1, "{name}, key {key}: {open} s, then {again} s");
        assert!(engine.is_balanced() && engine.islands().iter().all(|part| part.refused() == 0));
    }
}
