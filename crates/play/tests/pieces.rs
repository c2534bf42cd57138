//! Pieces for tests of load.

use hamiltone_play::midi::write::{Track, file};
use std::ops::RangeInclusive;

/// `rate` notes per second for so many seconds, spread over the keys, with the sustain pedal down throughout.
///
/// Keys follow the multiples of the golden ratio, whose fractions fill an interval evenly; each note is held for half a
/// second or until its key is struck again.
pub fn dense(rate: u32, seconds: u32, keys: RangeInclusive<u8>) -> Vec<u8> {
    let mut track = Track::default();
    // A quarter note of 0.5 s has 480 ticks.
    let (second, end) = (960, 960 * seconds);
    track.control(0, 0, 64, 127).control(end, 0, 64, 0);
    let mut next = [end; 128];
    for n in (0..rate * seconds).rev() {
        let at = n * second / rate;
        let fraction = (f64::from(n) * 0.618_033_988_749_895).fract();
        let key = keys.start() + (fraction * f64::from(keys.end() - keys.start() + 1)) as u8;
        let length = (next[usize::from(key)] - at).min(second / 2);
        track.note(at, length, 0, key, 40 + (n * 37 % 80) as u8);
        next[usize::from(key)] = at;
    }
    file(480, &[track])
}
