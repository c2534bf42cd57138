//! Laws of instruments, which every file in `instruments/` keeps:
//!
//! - it loads without a warning, is balanced, quiet when it is damped, and asleep in the end (`plays`)
//! - its level rises with velocity, and keys beside each other are about as loud; both channels sound; its peaks are those that
//!   `docs/instruments.md` states, and a key that is let go does not thump (`level`)
//! - a note is the same again, from rest, while it rings, and in a piece (`again`)
//! - partials decay as its file asks (`decay`)
//! - its parameters move over their whole range while it sounds (`moves`), and with its presets notes are about as loud (`presets`)
//!
//! - mallets harden, and the drum kit has all of its keys (`timbre`), which only some have
//!
//! Nothing else here names an instrument: where a law cannot hold, the parts of the instrument say so. Each is loaded once.

mod again;
mod decay;
mod level;
mod moves;
mod plays;
mod presets;
mod shipped;
mod timbre;

use shipped::Shipped;
use std::thread;

/// What is known to break a law: the law and the instrument. One that keeps it is an error, too.
const NOT_YET: [(&str, &str); 0] = [];

/// All instruments keep a law, which returns what breaks it.
fn all_keep(law: &str, keeps: impl Fn(&Shipped) -> Vec<String> + Sync) {
    let broken = |shipped: &'static Shipped| (shipped.name.as_str(), keeps(shipped));
    let all: Vec<(&str, Vec<String>)> = thread::scope(|scope| {
        let begun: Vec<_> =
            shipped::all().iter().map(|shipped| scope.spawn(move || broken(shipped))).collect();
        begun.into_iter().map(|thread| thread.join().expect("a law that ends")).collect()
    });
    let mut faults = Vec::new();
    for (name, broken) in all {
        match (NOT_YET.contains(&(law, name)), broken.is_empty()) {
            (true, true) => {
                faults.push(format!("{name} keeps the law \"{law}\" now: take it out of NOT_YET"))
            }
            (false, false) => faults.extend(broken.iter().map(|fault| format!("{name}: {fault}"))),
            _ => {}
        }
    }
    assert!(faults.is_empty(), "{law}:\n{}", faults.join("\n"));
}

#[test]
fn every_instrument_plays_and_falls_asleep() {
    all_keep("plays", plays::plays);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn parameters_move_over_their_range() {
    all_keep("parameters", moves::moves);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn presets_sound() {
    all_keep("presets", presets::presets);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn level_rises_with_velocity() {
    all_keep("velocity", level::rises);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn neighbouring_keys_are_about_as_loud() {
    all_keep("neighbours", level::neighbours);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn both_channels_sound() {
    all_keep("channels", level::channels);
}

#[test]
fn peaks_are_those_that_the_page_states() {
    all_keep("peaks", level::peaks);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn a_key_that_is_let_go_does_not_thump() {
    all_keep("ends", level::ends);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn a_note_is_the_same_again() {
    all_keep("again", again::same);
}

#[test]
fn notes_of_a_piece_have_the_level_of_their_keys() {
    all_keep("piece", again::in_a_piece);
}

#[test]
fn partials_decay_as_the_file_asks() {
    all_keep("decay", decay::as_asked);
}
