//! Instruments are in tune: the sounding fundamental within a cent of what was asked for. `docs/tuning.md` has every note at three rates.

use hamiltone_product::instruments::{PITCHED, measure};

/// What a listener may not hear, cents.
const LARGEST: f64 = 1.0;

/// Every so manyth note.
const STEP: usize = 11;

#[test]
fn notes_sound_at_the_pitch_that_was_asked_for() {
    for (name, from) in PITCHED {
        for note in measure(name, from, 44_100.0, STEP) {
            assert!(note.cents.abs() <= LARGEST, "{name}: {note:?}");
        }
    }
}

/// Bodies and frets are tuned at every rate: what differs between rates is the time step alone.
#[test]
fn they_are_in_tune_at_other_rates() {
    for name in ["guitar", "kalimba"] {
        for note in measure(name, 0.1, 96_000.0, 2 * STEP) {
            assert!(note.cents.abs() <= LARGEST, "{name}: {note:?}");
        }
    }
}
