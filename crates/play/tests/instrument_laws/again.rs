//! A note is the same again. Dampers, hammers and fingers are then where they were at first; what was played before, and how,
//! is not heard.

use super::{
    plays::LONGEST,
    shipped::{HEARD, Note, Player, RATE, Shipped},
};
use hamiltone_numerics::math;

const MEZZOFORTE: f64 = 80.0 / 127.0;
/// How far the level of a note from rest may lie from that of the first one, dB, and how much it differs from it at its beginning, s, as a part of it:
/// what rattles multiplies rounding, and is another motion of the same level later on.
const SAME: f64 = 0.1;
const DIFFERENCE: f64 = 0.0116;
const BEGINNING: f64 = 0.05;
/// How far its level may lie from that of the first one after half a second of rest, dB: what was damped may still ring.
const SOON: f64 = 1.0;
/// How far notes of a piece may lie from the smooth level of the keyboard, dB, and over how many keys either way that is smooth.
const PIECE: f64 = 3.0;
const SMOOTH: usize = 9;

/// A note that is let go, and struck again once everything sleeps, is the same sound, of a bow upside down; soon after, it has the same level where
/// a key that is let go ends its note.
pub fn same(shipped: &Shipped) -> Vec<String> {
    let (mut player, damped) = (shipped.player(), shipped.is_damped());
    let mut faults = Vec::new();
    for key in shipped.some_keys(5) {
        let mut again = |wait: &dyn Fn(&mut Player)| {
            let first = player.note(key, MEZZOFORTE, HEARD);
            player.engine.note_off(key);
            wait(&mut player);
            player.engine.note_on(key, MEZZOFORTE);
            (first, player.render(HEARD))
        };
        let (first, second) = again(&|player| _ = player.falls_asleep(LONGEST));
        let change = Note::of(key, &second).level() - Note::of(key, &first).level();
        let two = first.iter().zip(&second).take((BEGINNING * RATE) as usize);
        // A bow goes the other way.
        let sign = if shipped.is_bowed() { -1.0 } else { 1.0 };
        let difference: Vec<[f64; 2]> = two.map(|(a, b)| [a[0] - sign * b[0], a[1] - sign * b[1]]).collect();
        let part = Note::of(key, &difference).level() - Note::of(key, &first[..difference.len()]).level();
        let part = math::pow(10.0, 0.05 * part);
        if part > DIFFERENCE || change.abs() > SAME {
            faults.push(format!(
                "key {key}: {:.2} % else, {change:+.2} dB when it is played again from rest",
                100.0 * part
            ));
        }
        if damped {
            let (first, second) = again(&|player| _ = player.render(HEARD));
            let change = Note::of(key, &second).level() - Note::of(key, &first).level();
            if change.abs() > SOON {
                faults.push(format!("key {key}: {change:+.2} dB when it is played again soon"));
            }
        }
    }
    faults
}

/// The beginning of the invention in C major, BWV 772, by J. S. Bach: sixteenths from the beginning, how many it lasts, key.
const PIECE_NOTES: [(u32, u32, u8); 39] = [
    (1, 1, 60),
    (2, 1, 62),
    (3, 1, 64),
    (4, 1, 65),
    (5, 1, 62),
    (6, 1, 64),
    (7, 1, 60),
    (8, 2, 67),
    (9, 1, 48),
    (10, 2, 72),
    (10, 1, 50),
    (11, 1, 52),
    (12, 2, 71),
    (12, 1, 53),
    (13, 1, 50),
    (14, 2, 72),
    (14, 1, 52),
    (15, 1, 48),
    (16, 1, 74),
    (16, 2, 55),
    (17, 1, 67),
    (18, 1, 69),
    (18, 2, 43),
    (19, 1, 71),
    (20, 1, 72),
    (21, 1, 69),
    (22, 1, 71),
    (23, 1, 67),
    (24, 2, 74),
    (25, 1, 55),
    (26, 2, 79),
    (26, 1, 57),
    (27, 1, 59),
    (28, 2, 77),
    (28, 1, 60),
    (29, 1, 57),
    (30, 2, 79),
    (30, 1, 59),
    (31, 1, 55),
];
/// The length of a sixteenth, and how much of it a key is down, s.
const SIXTEENTH: f64 = 0.2083;
const DOWN: f64 = 0.92;

/// In a piece of notes of one velocity each has the level that the keyboard has there, if it has keys that are let go.
///
/// The parts of keys do not act on each other, and a body that is heard adds: so each key is played alone, at the times of its notes.
pub fn in_a_piece(shipped: &Shipped) -> Vec<String> {
    let keys = shipped.keys();
    let plays = PIECE_NOTES.iter().all(|(_, _, key)| keys.contains(key));
    if shipped.has_strings() || !shipped.is_damped() || !plays {
        return Vec::new();
    }
    let mut player = shipped.player();
    let alone =
        |player: &mut Player, key: u8| Note::of(key, &player.note(key, MEZZOFORTE, SIXTEENTH)).level();
    let levels: Vec<f64> = keys.iter().map(|key| alone(&mut player, *key)).collect();
    let smooth = |key: u8| {
        let at = keys.iter().position(|own| *own == key).expect("a key of the piece");
        let near = &levels[at.saturating_sub(SMOOTH)..(at + SMOOTH + 1).min(levels.len())];
        near.iter().sum::<f64>() / near.len() as f64
    };
    let mut faults = Vec::new();
    for key in keys.iter().copied() {
        player.rest();
        let mut now = 0.0;
        for (begin, length, _) in PIECE_NOTES.iter().filter(|note| note.2 == key) {
            let begin = SIXTEENTH * f64::from(*begin);
            player.render(begin - now);
            player.engine.note_on(key, MEZZOFORTE);
            let down = SIXTEENTH * DOWN * f64::from(*length);
            let heard = Note::of(key, &player.render(SIXTEENTH * DOWN)).level();
            player.render(down - SIXTEENTH * DOWN);
            player.engine.note_off(key);
            now = begin + down;
            let apart = heard - smooth(key);
            if apart.abs() > PIECE {
                faults.push(format!("key {key} at {begin:.2} s: {apart:+.1} dB of the keyboard"));
            }
        }
    }
    faults
}
