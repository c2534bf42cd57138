//! A part that overflows is silent alone, and no sample is no number.

use crate::host::{Doing::*, Plugged, state};
use std::fs;

#[test]
fn a_part_that_overflows_is_silent_alone() {
    let file = std::env::temp_dir().join(format!("hamiltone-fault-{}.toml", std::process::id()));
    let text = "hamiltone = 2\noutput.level = \"reference 0 dB\"\n[instrument]\nkeys = \"C4..C5\"\n[key.body.tine]\nkind = \"oscillator\"\n\
        mass = \"2 g\"\nfrequency = \"{frequency} Hz\"\ndecay_time = \"3 s\"\n[key.pickup.tine]\nat = \"tine\"\nquantity = \"velocity\"\n\
        [[note_on]]\ngesture = \"strike\"\nat = \"tine\"\nspeed = \"{if(velocity > 0.99, 1e200, if(velocity > 0.98, 1e60, velocity))} m/s\"\n";
    fs::write(&file, text).unwrap();
    let play = |extreme: Option<f32>| {
        let mut plugged = Plugged::new();
        plugged.load(&state("file", file.to_str().unwrap()));
        plugged.activate(48_000.0);
        let mut doings = vec![(0, On(62, 0.5))];
        doings.extend(extreme.map(|velocity| (100, On(66, velocity))));
        doings.push((400, On(64, 0.5)));
        plugged.play(&doings, 4000, &[64])
    };
    // Of one the engine has numbers still, which the samples of a host have not.
    let [sound, beyond, expected] = [Some(1.0), Some(0.985), None].map(play);
    assert!(beyond.iter().flatten().all(|sample| sample.is_finite()));
    assert!(sound.iter().flatten().all(|sample| sample.is_finite()));
    // Until it was muted it was heard.
    assert_eq!(sound[0][1000..], expected[0][1000..]);
    assert!(expected[0][1000..].iter().any(|x| x.abs() > 1e-3));
    fs::remove_file(&file).unwrap();
}
