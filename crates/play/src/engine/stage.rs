//! When the gestures of notes and pedals begin.
//!
//! What a key does when it is struck takes time: a finger presses a string down, and then it is plucked. A key that is let go before that
//! would end a note that has not begun, and the pluck would come afterwards, on a string that no finger holds. So what it does when it
//! is let go begins no earlier than
//!
//!   t₀ + max min(dᵢ + Tᵢ, 0.1 s)
//!
//! with the time t₀ of the note, and the delays dᵢ and the durations Tᵢ of its gestures, of a curve 0. Whatever comes next on the same key or
//! string, a note or a gesture of a pedal, does not wait: what has waited then begins just before it. What a note would have done later to the inputs that
//! its key or string now brings to another level is dropped.
//!
//! A bow changes its direction with each note that does not follow another by a slur: what draws it from then on does so the other way.
//! A level is brought from what it is to what it is to be, so that a bow still on the string slows down and turns; a curve begins where it says.

use super::{
    island::{Island, Order},
    queue::Due,
    voices::{Cause, Gestures},
};
use hamiltone_core::state::Archive;
use hamiltone_gestures::Shape;
use hamiltone_plan::instrument::GesturePlan;

/// Where a gesture acts.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub island: usize,
    /// The input of the island.
    pub input: usize,
    /// Whether it brings the input to a level, which replaces the one before.
    pub is_level: bool,
    /// How long after the note it begins, s.
    pub delay: f64,
    /// How long after the note it has done what it does, s.
    pub settled: f64,
    /// The number of the gesture that draws a bow the other way.
    pub reversed: Option<usize>,
}

/// The strokes of a key or string.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stroke {
    /// When the gestures of its last note have done what they do, s.
    settled: f64,
    /// How many notes it has begun without a slur. Its bow is drawn as gestures say with the first, and the other way with every second.
    begun: u64,
}

impl Stroke {
    /// Goes through its numbers.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.settled);
        archive.long(&mut self.begun);
    }
}

/// The longest that a note holds what follows it, s.
const LONGEST: f64 = 0.1;

/// How long after a note this gesture of it has done what it does, s, at most [`LONGEST`].
pub fn settled(gesture: &GesturePlan) -> f64 {
    let duration = match &gesture.shape {
        // It may accompany the whole note.
        Shape::Curve { .. } => 0.0,
        shape => shape.duration(),
    };
    (gesture.delay + duration).min(LONGEST)
}

/// What gestures act on, at a time.
pub struct Stage<'a> {
    /// The number of the sample, and its time, s.
    pub frame: u64,
    pub now: f64,
    pub targets: &'a [Target],
    pub islands: &'a mut [Island],
    /// Of each key or string.
    pub strokes: &'a mut [Stroke],
}

impl Stage<'_> {
    /// Schedules gestures.
    pub fn begin(&mut self, Gestures { unit, cause, numbers, replaced }: Gestures<'_>) {
        if cause == Cause::Pedal && numbers.is_empty() {
            // A pedal without gestures changes nothing, and ends no waiting.
            return;
        }
        let stroke = &mut self.strokes[unit];
        // What is plucked in between does not turn a bow.
        let turns = || numbers.iter().any(|gesture| self.targets[*gesture as usize].reversed.is_some());
        stroke.begun += u64::from(cause == Cause::Struck && turns());
        let Stroke { settled, begun } = *stroke;
        // Before the first note, too, gestures are as they say.
        let back = begun > 0 && begun.is_multiple_of(2);
        let waits = cause == Cause::Released && settled > self.now;
        if !waits && cause != Cause::Moved && settled > self.now {
            self.islands.iter_mut().for_each(|island| island.order(self.frame, Order::Hasten(unit)));
            stroke.settled = self.now;
        }
        let from = if waits { settled } else { self.now };
        let level = |gesture: u32| {
            let Target { island, input, is_level, .. } = self.targets[gesture as usize];
            is_level.then_some((island, input))
        };
        // What a note would have done later to the same inputs is over. Pulses add up.
        for (number, input) in numbers.iter().filter_map(|gesture| level(*gesture)) {
            let island = &mut self.islands[number];
            let step = island.step_at(from);
            island.order(self.frame, Order::Drop(unit, input, step));
        }
        let is_replaced = |gesture: u32| {
            level(gesture).is_some_and(|own| replaced.iter().any(|other| level(*other) == Some(own)))
        };
        for &gesture in numbers.iter().filter(|gesture| !is_replaced(**gesture)) {
            let target = &self.targets[gesture as usize];
            let island = &mut self.islands[target.island];
            let step = island.step_at(from + target.delay);
            let gesture = target.reversed.filter(|_| back).unwrap_or(gesture as usize);
            let due = Due { step, input: target.input, gesture, unit, ends: waits };
            island.order(self.frame, Order::Begin(due));
            if let Cause::Struck | Cause::Slurred = cause {
                stroke.settled = stroke.settled.max(self.now + target.settled);
            }
        }
    }
}
