//! The gestures on one input that begin while it runs, in a fixed size and without an allocation:
//!
//!   u(t) = x(t) + Σᵢ pᵢ(t − tᵢ),   i = 1 … 8 at most
//!
//! as in [`super::events`], with the same bits, where gestures begin in the order of time and values are asked for
//! times not before the last begin.
//!
//! A ninth pulse while eight act is refused and reported, and nothing else changes: to end one of the eight would be a
//! jump of the force, which is a click, and to add two of them up is no shape of the same kind. Pulses last milliseconds
//! – a blow 1 ms, a pluck some 20 – so that eight at a time at one place are no playing.

use crate::shape::Shape;
use hamiltone_core::state::Archive;

/// The most pulses that act at a time.
pub const MAX_PULSES: usize = 8;

/// A pulse that was refused, since as many act as there is room for.
#[derive(Clone, Debug, PartialEq)]
pub struct TooMany(pub Shape);

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{MAX_PULSES} pulses act on this input already")
    }
}

impl std::error::Error for TooMany {}

/// The gestures on one input that runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// The pulses in the order of their begins (s), those that are there first.
    pulses: [Option<(f64, Shape)>; MAX_PULSES],
    /// The last level, its begin (s) and the level before it.
    level: Option<(f64, Shape)>,
    before: f64,
}

impl Playing {
    /// An input at rest at its own level.
    pub const fn new(own: f64) -> Self {
        Self { pulses: [const { None }; MAX_PULSES], level: None, before: own }
    }

    /// Begins a gesture at the time t (s), not before the last begin.
    ///
    /// # Errors
    /// The pulse itself where [`MAX_PULSES`] act at t; what acts stays as it is.
    pub fn begin(&mut self, shape: Shape, t: f64) -> Result<(), TooMany> {
        if shape.is_level() {
            self.before = self.level(t);
            self.level = Some((t, shape));
            return Ok(());
        }
        // Those that are over make room; the others keep their order.
        let mut free = 0;
        for i in 0..MAX_PULSES {
            let acts = |(begin, pulse): &(f64, Shape)| t < begin + pulse.duration();
            if self.pulses[i].as_ref().is_some_and(acts) {
                self.pulses.swap(free, i);
                free += 1;
            }
        }
        let Some(place) = self.pulses.get_mut(free) else { return Err(TooMany(shape)) };
        *place = Some((t, shape));
        self.pulses[free + 1..].fill(None);
        Ok(())
    }

    /// Goes through every number that its values depend on.
    pub fn archive(&mut self, archive: &mut Archive) {
        for gesture in self.pulses.iter_mut().chain([&mut self.level]) {
            let mut acts = gesture.is_some();
            archive.flag(&mut acts);
            if !acts {
                *gesture = None;
                continue;
            }
            let (begin, shape) = gesture.get_or_insert((0.0, Shape::Level { value: 0.0, ramp: 0.0 }));
            archive.number(begin);
            shape.archive(archive);
        }
        archive.number(&mut self.before);
    }

    fn level(&self, t: f64) -> f64 {
        self.level.as_ref().map_or(self.before, |(begin, shape)| shape.value(t - begin, self.before))
    }

    /// The value at the time t (s), not before the last begin.
    pub fn value(&self, t: f64) -> f64 {
        let pulses = self.pulses.iter().flatten().filter(|(begin, _)| *begin <= t);
        pulses.fold(self.level(t), |sum, (begin, shape)| sum + shape.value(t - begin, 0.0))
    }

    /// Whether from the time t (s) on its value stays as it is until another gesture begins.
    pub fn is_idle(&self, t: f64) -> bool {
        self.pulses.iter().chain([&self.level]).flatten().all(|(begin, shape)| t >= begin + shape.duration())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{events::Events, signal::Signal};

    fn pull(duration: f64) -> Shape {
        Shape::Pull { force: 1.5, rise: 0.9 * duration, release: 0.1 * duration }
    }

    /// Some 700 gestures, up to eight at a time, those of `Events` bit by bit.
    #[test]
    fn it_has_the_bits_of_the_list_of_events() {
        let part = |i: usize, by: usize| (i * by % 1009) as f64 / 1009.0;
        let events: Vec<(f64, Shape)> = (0..700)
            .map(|i| match i % 5 {
                0 => (0.01 * i as f64, Shape::Level { value: part(i, 389), ramp: 0.1 * part(i, 571) }),
                1 => (0.01 * i as f64, Shape::Curve { points: [(0.0, part(i, 7)), (0.02, 0.5)].into() }),
                _ => (0.01 * i as f64, pull(1e-3 + 0.09 * part(i, 613))),
            })
            .collect();
        let (list, mut playing) = (Events::new(0.25, events.clone()), Playing::new(0.25));
        let mut next = 0;
        for n in 0..60_000 {
            let t = f64::from(n) * 1.2e-4;
            while let Some((begin, shape)) = events.get(next).filter(|(begin, _)| *begin <= t) {
                playing.begin(shape.clone(), *begin).unwrap();
                next += 1;
            }
            assert_eq!(playing.value(t).to_bits(), list.value(t).to_bits(), "{t}");
        }
        assert!(next == 700 && playing.is_idle(7.2) && !playing.is_idle(6.99));
    }

    #[test]
    fn it_continues_from_its_numbers() {
        let mut playing = Playing::new(0.5);
        playing.begin(pull(1.0), 0.0).unwrap();
        playing.begin(Shape::Curve { points: [(0.0, 2.0), (0.5, 3.0)].into() }, 0.25).unwrap();
        playing.begin(Shape::Blow { impulse: 1.0, duration: 0.5 }, 0.25).unwrap();
        let mut numbers = Vec::new();
        playing.archive(&mut Archive::Write(&mut numbers));
        let mut other = Playing::new(0.0);
        other.begin(pull(9.0), 0.0).unwrap();
        let mut archive = Archive::Read(&numbers);
        other.archive(&mut archive);
        assert!(archive.is_read() && other == playing);
    }

    #[test]
    fn a_ninth_pulse_is_refused_without_a_jump() {
        let mut playing = Playing::new(0.0);
        for i in 0..8 {
            playing.begin(pull(1.0 + f64::from(i)), 0.0).unwrap();
        }
        let before = playing.clone();
        assert_eq!(playing.begin(pull(3.0), 0.5), Err(TooMany(pull(3.0))));
        assert_eq!(playing, before);
        // A level has a place of its own, and what is over makes room.
        playing.begin(Shape::Level { value: 1.0, ramp: 0.1 }, 0.5).unwrap();
        playing.begin(pull(3.0), 1.0).unwrap();
        assert!(playing.begin(pull(3.0), 1.5).is_err() && !playing.is_idle(7.9) && playing.is_idle(8.0));
        assert_eq!(playing.value(9.0), 1.0);
    }
}
