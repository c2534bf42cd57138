//! States: an instance that loads one sounds as the one that saved it.

use crate::host::{Doing::*, Plugged, assert_same, engine, played, state};
use std::{fs, sync::atomic::Ordering};

#[test]
fn a_state_is_the_same_sound() {
    let doings = [(0, On(60, 0.9)), (100, On(64, 0.7)), (900, Off(60))];
    let mut first = Plugged::playing("marimba", 48_000.0);
    let dry = first.value("Preset", "Dry").unwrap();
    let moved =
        [(0, Set("Preset", dry)), (3, Set("P1", 0.3)), (3, Set("P3", 0.613)), (4, Set("Level", 0.777))];
    first.play(&moved, 600, &[64]);
    let state = first.save();
    first.activate(48_000.0);
    let expected = first.play(&doings, 3000, &[64]);

    let mut second = Plugged::new();
    second.load(&state);
    second.activate(48_000.0);
    assert_same(&second.play(&doings, 3000, &[1, 100]), &expected, "a state");
    assert_eq!(second.texts(), first.texts());
    assert_eq!(second.save(), state);
    assert!(second.shared(|shared| shared.rescans.load(Ordering::SeqCst)) > 0);
}

/// While it plays, the instrument of a state comes in the background.
#[test]
fn a_state_is_loaded_while_it_plays() {
    let mut plugged = Plugged::playing("marimba", 48_000.0);
    plugged.block(&[(0, On(60, 0.9))], 256);
    plugged.load(&state("kalimba", "nowhere.toml"));
    plugged.block(&[], 64);
    plugged.wait("pluck 100 %");
    let doings = [(5, On(64, 0.7))];
    let expected = played(&mut engine("kalimba", 48_000.0), &doings, 2000, |_, _, _| {});
    assert_same(&plugged.play(&doings, 2000, &[64]), &expected, "kalimba");
    assert_eq!(plugged.allocations, 0);
}

#[test]
fn the_instrument_of_a_user_is_a_file() {
    let folder = std::env::temp_dir().join(format!("hamiltone-plugin-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("own.toml");
    fs::copy(hamiltone_shipped::path("kalimba").unwrap().unwrap(), &file).unwrap();
    let mut plugged = Plugged::new();
    plugged.load(&state("file", file.to_str().unwrap()));
    plugged.activate(48_000.0);
    let doings = [(7, On(60, 0.9))];
    let expected = played(&mut engine("kalimba", 48_000.0), &doings, 1000, |_, _, _| {});
    assert_same(&plugged.play(&doings, 1000, &[64]), &expected, "a file");
    // Where it is not, the texts tell, and nothing is heard.
    fs::remove_dir_all(&folder).unwrap();
    plugged.activate(44_100.0);
    assert!(plugged.play(&doings, 1000, &[64]).iter().flatten().all(|x| x.to_bits() == 0));
    let text = plugged.text("P1");
    assert!(text.contains("own.toml"), "{text}");
}
