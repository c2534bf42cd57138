//! The shipped song is what its example writes, lasts about two minutes and fits the instruments; a dense piece for tests of
//! load is as dense as it says.

#[path = "../examples/write_song/prelude.rs"]
mod prelude;

use crate::pieces;
use hamiltone_play::{Action, Performance, midi};
use std::{collections::BTreeSet, error::Error, fs, path::Path};

/// Time, key and velocity of the notes that begin.
fn notes(performance: &Performance) -> Vec<(f64, u8, f64)> {
    let note = |event: &hamiltone_play::Event| match event.action {
        Action::NoteOn { key, velocity } => Some((event.time, key, velocity)),
        _ => None,
    };
    performance.events().iter().filter_map(note).collect()
}

#[test]
fn the_stored_song_is_what_the_example_writes() -> Result<(), Box<dyn Error>> {
    let stored = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../songs/prelude_in_c.mid"))?;
    assert!(
        stored == prelude::song()?,
        "cargo run -p hamiltone-play --example write_song songs/prelude_in_c.mid"
    );
    Ok(())
}

#[test]
fn the_song_fits_the_instruments() -> Result<(), Box<dyn Error>> {
    let song = midi::read(&prelude::song()?)?;
    assert!(song.warnings().is_empty(), "{:?}", song.warnings());
    assert!((110.0..=140.0).contains(&song.duration()), "{} s", song.duration());
    let notes = notes(&song);
    // 32 bars of 16, two of 15 and 16, and a chord of 4.
    assert_eq!(notes.len(), 32 * 16 + 15 + 16 + 4);
    // E2 and C6.
    assert!(notes.iter().all(|(_, key, velocity)| (40..=84).contains(key) && (0.3..0.8).contains(velocity)));
    let pedal = |event: &&hamiltone_play::Event| matches!(event.action, Action::Control { number: 64, .. });
    assert_eq!(song.events().iter().filter(pedal).count(), 71);
    // No key goes down while it is down.
    let mut down = BTreeSet::new();
    for event in song.events() {
        match event.action {
            Action::NoteOn { key, .. } => assert!(down.insert(key), "key {key} at {} s", event.time),
            Action::NoteOff { key, .. } => assert!(down.remove(&key), "key {key} at {} s", event.time),
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn the_dense_piece_is_dense() -> Result<(), Box<dyn Error>> {
    let dense = midi::read(&pieces::dense(20, 10, 21..=108))?;
    let notes = notes(&dense);
    assert_eq!((notes.len(), dense.duration()), (200, 10.0));
    for second in 0..10 {
        let within = f64::from(second)..f64::from(second + 1);
        let count = |range: std::ops::Range<f64>| notes.iter().filter(|note| range.contains(&note.0)).count();
        assert_eq!(count(within), 20);
    }
    let keys: BTreeSet<u8> = notes.iter().map(|note| note.1).collect();
    assert!(keys.len() > 60 && keys.iter().all(|key| (21..=108).contains(key)), "{keys:?}");
    let pedal: Vec<_> =
        dense.events().iter().filter(|event| matches!(event.action, Action::Control { .. })).collect();
    assert_eq!(pedal.iter().map(|event| event.time).collect::<Vec<_>>(), [0.0, 10.0]);
    Ok(())
}
