//! From ticks to seconds.
//!
//!   t(n) = tₖ + (n − nₖ) · s(k)
//!
//! Between two changes of tempo, nₖ ≤ n < nₖ₊₁, a tick lasts s(k) seconds: T/(10⁶ Q) where a quarter note lasts T µs and has Q
//! ticks, or 1/(F·S) where a second has F frames of S ticks (SMPTE). tₖ is the time of the change. A score is counted in
//! ticks, too, so that notes of different parts which coincide in it do so exactly.

/// The longest performance, s: a day.
pub const LONGEST: f64 = 86_400.0;
/// Microseconds of a quarter note until a tempo is stated: 120 quarter notes per minute.
pub const DEFAULT: f64 = 500_000.0;

/// What a tick is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// So many ticks make a quarter note, at least 1.
    Quarter(u64),
    /// So many ticks make a second; tempo has no effect.
    Second(f64),
}

/// The seconds of every tick.
#[derive(Clone, Debug)]
pub struct TempoMap {
    /// The tick of a change, its time, and the seconds of a tick from there on.
    changes: Vec<(u64, f64, f64)>,
}

impl TempoMap {
    /// From the changes of tempo: at which tick, and the microseconds of a quarter note from there on. Of several at one tick
    /// the last holds.
    ///
    /// ```
    /// use hamiltone_gestures::tempo::{Division, TempoMap};
    ///
    /// let map = TempoMap::new(Division::Quarter(480), vec![(960, 1e6)]);
    /// assert_eq!(map.seconds(960), 1.0);
    /// assert_eq!(map.seconds(960 + 240), 1.5);
    /// ```
    pub fn new(division: Division, mut tempos: Vec<(u64, f64)>) -> Self {
        let per_tick = |tempo: f64| match division {
            Division::Quarter(ticks) => tempo / (1e6 * ticks as f64),
            Division::Second(ticks) => 1.0 / ticks,
        };
        tempos.sort_by_key(|(tick, _)| *tick);
        let mut map = Self { changes: vec![(0, 0.0, per_tick(DEFAULT))] };
        for (tick, tempo) in tempos {
            map.changes.push((tick, map.seconds(tick), per_tick(tempo)));
        }
        map
    }

    /// The time of a tick, s.
    pub fn seconds(&self, tick: u64) -> f64 {
        let after = self.changes.partition_point(|(change, ..)| *change <= tick);
        // The first change is at tick 0.
        let (change, time, per_tick) = self.changes[after.saturating_sub(1)];
        time + (tick - change) as f64 * per_tick
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tempo_changes_take_effect_where_they_stand() {
        let map = TempoMap::new(Division::Quarter(96), vec![(192, 250e3), (96, 1e6), (96, 750e3)]);
        // 0.5 s a quarter, then 0.75 s, then 0.25 s; all exact in binary.
        assert_eq!([0, 96, 192, 288].map(|tick| map.seconds(tick)), [0.0, 0.5, 1.25, 1.5]);
        assert_eq!(map.seconds(144), 0.875);
        let first = TempoMap::new(Division::Quarter(2), vec![(0, 1e6)]);
        assert_eq!(first.seconds(3), 1.5);
    }

    #[test]
    fn frames_know_no_tempo() {
        let map = TempoMap::new(Division::Second(1000.0), vec![(10, 1.0)]);
        assert!((map.seconds(2500) - 2.5).abs() < 4.0 * f64::EPSILON);
    }
}
