//! Laws of level.

use super::shipped::{FORTE, HEARD, Note, RATE, Shipped};
use hamiltone_numerics::math;
use std::{collections::BTreeSet, fs, ops::RangeInclusive};

/// How far the levels of neighbouring keys may lie apart, and how far the channels of one note, dB.
const NEIGHBOURS: f64 = 4.0;
const CHANNELS: f64 = 20.0;
/// The same of bowed strings, whose motion is one of several; and how far the level of a note may fall where it is played louder, and must rise from the
/// softest to the loudest, dB.
const BOWED: f64 = 5.0;
const ANOTHER_MOTION: f64 = 3.5;
const LOUDER: f64 = 6.0;
/// How far the level of a reed may fall where it is blown harder, dB: once it beats, a note gets brighter more than louder.
const BEATING: f64 = 0.3;
/// What a page that states whole decibels may leave open at either end of a range, dB.
const STATED: f64 = 1.0;
/// A note that is let go: how long its key was down, and how long it is heard before and after that, s. Its peak may rise by so much, dB, unless it
/// stays that far below the peak of the note, dB, as loud as a finger that leaves a string.
const LET_GO: [f64; 3] = [1.0, 0.05, 0.15];
const RISE: f64 = 1.0;
const FAINT: f64 = -40.0;

/// The level rises with velocity, at each step of ten of MIDI's and from 120 to 127.
pub fn rises(shipped: &Shipped) -> Vec<String> {
    let mut player = shipped.player();
    let mut faults = Vec::new();
    for key in shipped.some_keys(5) {
        let velocities: Vec<u8> = (10..=120).step_by(10).chain([127]).collect();
        let level = |v: &u8| Note::of(key, &player.note(key, f64::from(*v) / 127.0, HEARD)).level();
        let levels: Vec<f64> = velocities.iter().map(level).collect();
        let may_fall = match () {
            () if shipped.is_bowed() => ANOTHER_MOTION,
            () if shipped.is_blown() => BEATING,
            () => 0.0,
        };
        let whole = levels[levels.len() - 1] - levels[0];
        if shipped.is_bowed() && whole < LOUDER {
            faults.push(format!("key {key}: {whole:.2} dB from the softest to the loudest"));
        }
        for (v, levels) in velocities.iter().zip(levels.windows(2)) {
            if levels[1] <= levels[0] - may_fall {
                faults.push(format!(
                    "key {key}: {:.2} dB at velocity {v}, {:.2} at the next",
                    levels[0], levels[1]
                ));
            }
        }
    }
    faults
}

/// What a key is made of: the names of its bodies without numbers. Keys of drums or of a prepared piano are of several kinds; strings
/// are shared, and their keys of one. What keys of drums share sounds as each strikes it: they are of no kind.
fn kind(shipped: &Shipped, key: u8) -> BTreeSet<String> {
    if shipped.has_strings() {
        return BTreeSet::new();
    }
    let own = format!("-{key}");
    shipped.plan(|plan| {
        let of = |name: &str| {
            Some(name.strip_suffix(&own)?.trim_end_matches(|c: char| c.is_ascii_digit()).to_string())
        };
        plan.plan.bodies.iter().filter_map(|body| of(&body.name)).collect()
    })
}

/// Each key is about as loud as the next one of its kind.
pub fn neighbours(shipped: &Shipped) -> Vec<String> {
    let notes: Vec<(BTreeSet<String>, &Note)> =
        shipped.forte().iter().map(|note| (kind(shipped, note.key), note)).collect();
    let mut faults = Vec::new();
    let alike = |kind: &BTreeSet<String>| shipped.has_strings() || !kind.is_empty();
    for (n, (kind, note)) in notes.iter().enumerate().filter(|(_, (kind, _))| alike(kind)) {
        let Some((_, next)) = notes[n + 1..].iter().find(|(other, _)| other == kind) else { continue };
        let difference = next.level() - note.level();
        if difference.abs() > if shipped.is_bowed() { BOWED } else { NEIGHBOURS } {
            faults.push(format!("key {}: {difference:+.1} dB to key {}", note.key, next.key));
        }
    }
    faults
}

/// Both channels sound of every note.
pub fn channels(shipped: &Shipped) -> Vec<String> {
    let apart = |note: &Note| 10.0 * math::log10(note.channels[0] / note.channels[1]);
    let fault = |note: &Note| format!("key {}: left {:+.1} dB of right", note.key, apart(note));
    // What is silent on either side is not within any number of decibels.
    let both = |note: &Note| apart(note).abs() <= CHANNELS;
    shipped.forte().iter().filter(|note| !both(note)).map(fault).collect()
}

/// The peaks that `docs/instruments.md` states of an instrument, dB: in its line of the table, in the last column, such as `−24 to −9`.
fn stated(name: &str) -> Option<RangeInclusive<f64>> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/instruments.md")).ok()?;
    let line = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")))?;
    let column = line.trim_end_matches('|').rsplit('|').next()?.trim().replace('−', "-");
    let (low, high) = column.split_once(" to ")?;
    Some(low.parse().ok()?..=high.parse().ok()?)
}

/// Peaks at velocity 100 have the range that the page states, and no smaller one.
pub fn peaks(shipped: &Shipped) -> Vec<String> {
    let peaks = shipped.forte().iter().map(|note| 20.0 * math::log10(note.peak));
    let (low, high) =
        peaks.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let within = |range: &RangeInclusive<f64>| {
        (low - range.start()).abs() <= STATED && (high - range.end()).abs() <= STATED
    };
    let found = stated(&shipped.name);
    if found.as_ref().is_some_and(within) {
        return Vec::new();
    }
    vec![format!("peaks from {low:.1} to {high:.1} dB, docs/instruments.md states {found:?}")]
}

/// A key that is let go ends its note and adds nothing to it: dampers and fingers do not thump.
pub fn ends(shipped: &Shipped) -> Vec<String> {
    if !shipped.is_damped() {
        return Vec::new();
    }
    let ([down, before, after], mut player) = (LET_GO, shipped.player());
    let mut faults = Vec::new();
    for key in shipped.some_keys(8) {
        let decibels = |sound: &[[f64; 2]]| 20.0 * math::log10(Note::of(key, sound).peak);
        let note = player.note(key, FORTE, down);
        player.engine.note_off(key);
        let end = decibels(&player.render(after));
        let left = decibels(&note[note.len() - (before * RATE) as usize..]);
        if end > (left + RISE).max(decibels(&note) + FAINT) {
            faults.push(format!("key {key}: let go at {left:.1} dB, then {end:.1} dB"));
        }
    }
    faults
}
