//! All gestures on one input, known beforehand:
//!
//!   u(t) = x(t) + Σᵢ pᵢ(t − tᵢ)
//!
//! pᵢ are the pulses and x is the level: that of the last level gesture which began at t or before, from the value that
//! the one before it had reached there, so that x is continuous. Before the first it is the input's own level.
//!
//! A value is found in O(log n + k) for k pulses that act at t: levels by bisection, pulses in a tree of intervals. Their
//! sum runs in the order of their begins, whatever was asked before: the same bits for any order of t.

use crate::shape::Shape;
use crate::signal::Signal;

/// The gestures on one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Events {
    /// The level before the first gesture.
    own: f64,
    /// By their begin.
    pulses: Vec<Pulse>,
    /// By their begin.
    levels: Vec<Level>,
}

#[derive(Clone, Debug, PartialEq)]
struct Pulse {
    begin: f64,
    shape: Shape,
    /// The last end of the pulses in the part of the list of which this is the middle.
    latest: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct Level {
    begin: f64,
    shape: Shape,
    /// The level that it replaces, at its begin.
    before: f64,
}

impl Events {
    /// Gestures, each with its begin (s), in any order, on an input that has the level `own` before the first of them.
    ///
    /// Of levels that begin at the same time the later in the list counts.
    ///
    /// ```
    /// use hamiltone_gestures::{Events, Shape, Signal};
    ///
    /// let level = |value| Shape::Level { value, ramp: 0.1 };
    /// let press = Events::new(0.0, vec![(1.0, level(3.0)), (2.0, level(0.0))]);
    /// assert_eq!([0.5, 1.5, 2.5].map(|t| press.value(t)), [0.0, 3.0, 0.0]);
    /// ```
    pub fn new(own: f64, mut events: Vec<(f64, Shape)>) -> Self {
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut this = Self { own, pulses: Vec::new(), levels: Vec::new() };
        for (begin, shape) in events {
            if shape.is_level() {
                let before = this.level(begin);
                this.levels.push(Level { begin, shape, before });
            } else {
                let latest = begin + shape.duration();
                this.pulses.push(Pulse { begin, shape, latest });
            }
        }
        index(&mut this.pulses);
        this
    }

    fn level(&self, t: f64) -> f64 {
        let next = self.levels.partition_point(|level| level.begin <= t);
        let Some(Level { begin, shape, before }) = next.checked_sub(1).map(|last| &self.levels[last]) else {
            return self.own;
        };
        shape.value(t - begin, *before)
    }
}

/// Writes into the middle of each part of the list the last end in it; that of the whole.
fn index(pulses: &mut [Pulse]) -> f64 {
    let middle = pulses.len() / 2;
    let Some((before, rest)) = pulses.split_at_mut_checked(middle) else { return f64::NEG_INFINITY };
    let Some((pulse, after)) = rest.split_first_mut() else { return f64::NEG_INFINITY };
    pulse.latest = pulse.latest.max(index(before)).max(index(after));
    pulse.latest
}

/// Adds the pulses of a part of the list that act at t.
fn add(pulses: &[Pulse], t: f64, sum: &mut f64) {
    let (before, rest) = pulses.split_at(pulses.len() / 2);
    let Some((pulse, after)) = rest.split_first() else { return };
    if pulse.latest <= t {
        return;
    }
    add(before, t, sum);
    if pulse.begin <= t {
        *sum += pulse.shape.value(t - pulse.begin, 0.0);
        add(after, t, sum);
    }
}

impl Signal for Events {
    fn value(&self, t: f64) -> f64 {
        let mut sum = self.level(t);
        add(&self.pulses, t, &mut sum);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blow(duration: f64) -> Shape {
        Shape::Blow { impulse: duration, duration }
    }

    /// Times and durations without pattern, below 1.
    fn scattered(n: usize) -> Vec<(f64, Shape)> {
        let part = |i: usize, by: usize| (i * by % 1009) as f64 / 1009.0;
        let of = |i| match i % 3 {
            0 => Shape::Level { value: part(i, 389), ramp: 0.1 * part(i, 151) },
            1 => Shape::Pull { force: 1.0, rise: 0.3 * part(i, 613), release: 0.1 * part(i, 71) },
            _ => blow(0.5 * part(i, 97)),
        };
        (0..n).map(|i| (part(i + 1, 571), of(i))).collect()
    }

    /// Against the plain sum over all pulses in the order of their begins: bit by bit.
    #[test]
    fn many_overlapping_pulses_are_the_plain_sum() {
        let mut events = scattered(400);
        let signal = Events::new(0.25, events.clone());
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Backwards, and each twice: a value does not depend on what was asked before.
        for i in (0..3000).rev().chain(0..3000) {
            let t = f64::from(i) / 2000.0;
            let (mut level, mut since, mut from) = (Shape::Level { value: 0.25, ramp: 0.0 }, 0.0, 0.25);
            for (begin, shape) in events.iter().filter(|(begin, shape)| shape.is_level() && *begin <= t) {
                from = level.value(begin - since, from);
                (level, since) = (shape.clone(), *begin);
            }
            let mut sum = level.value(t - since, from);
            for (begin, shape) in events.iter().filter(|(begin, shape)| !shape.is_level() && *begin <= t) {
                sum += shape.value(t - begin, 0.0);
            }
            assert_eq!(signal.value(t).to_bits(), sum.to_bits(), "{t}");
        }
    }

    /// A tree, not a list: of one long pulse and n short ones those that are over are not looked at one by one.
    #[test]
    fn what_is_over_takes_no_time() {
        let looked = |n: usize| {
            let mut events: Vec<(f64, Shape)> = (0..n).map(|i| (i as f64 / n as f64, blow(1e-9))).collect();
            events.push((0.0, blow(10.0)));
            let pulses = Events::new(0.0, events).pulses;
            fn visits(pulses: &[Pulse], t: f64) -> usize {
                let (before, rest) = pulses.split_at(pulses.len() / 2);
                match rest.split_first() {
                    Some((pulse, after)) if pulse.latest > t => 1 + visits(before, t) + visits(after, t),
                    _ => 1,
                }
            }
            visits(&pulses, 5.0)
        };
        // Two a level of the tree, of which there are log₂ n.
        assert!(looked(1000) <= 2 * 11 && looked(64_000) <= 2 * 17, "{}", looked(64_000));
    }

    /// At half its ramp a level from 0 to 2 is at 1, from where the next goes on: nothing jumps.
    #[test]
    fn a_level_that_is_replaced_goes_on_from_where_it_is() {
        let level = |value| Shape::Level { value, ramp: 1.0 };
        let signal = Events::new(0.0, vec![(1.5, level(-3.0)), (1.0, level(2.0))]);
        for (t, x) in [(1.0, 0.0), (1.5, 1.0), (2.0, -1.0), (2.5, -3.0)] {
            // cos(π/2) is rounded by 6e-17.
            assert!((signal.value(t) - x).abs() < 4.0 * f64::EPSILON, "{t}");
        }
        let both = Events::new(0.5, vec![(1.0, level(2.0)), (1.0, level(-3.0))]);
        assert_eq!([0.0, 1.0, 2.0].map(|t| both.value(t)), [0.5, 0.5, -3.0]);
    }

    #[test]
    fn no_gesture_is_the_own_level() {
        assert_eq!(Events::new(0.5, Vec::new()).value(1.0), 0.5);
    }
}
