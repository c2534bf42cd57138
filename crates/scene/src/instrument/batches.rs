//! The gestures of an instrument, those of some keys or strings at a time.
//!
//! For a piano they are a text of many megabytes, of which a document with the place of every value takes ten times as much. So
//! the text of a few keys is written, read and dropped before that of the next is written.

use super::{
    expand::{Expander, Part},
    sink::Sink,
};
use crate::{
    document::{expanded::Expanded, problem::Problem},
    limits::Limits,
};
use hamiltone_numerics::parallel;
use hamiltone_plan::notes::{Notes, Unit};

/// How many keys or strings are read at a time.
const AT_A_TIME: usize = 4;

/// The gestures of all keys or strings, in their order.
pub struct Batches<'a> {
    expander: Expander<'a>,
    parts: std::vec::IntoIter<Part>,
    limits: &'a Limits,
    /// The problems and the work so far.
    sink: Sink<'a>,
    units: Vec<Unit>,
    /// The number of gestures so far.
    count: u32,
}

impl<'a> Batches<'a> {
    /// Of all keys or strings of an instrument, after this work.
    pub fn new(expander: Expander<'a>, limits: &'a Limits, sink: Sink<'a>) -> Self {
        let parts = expander.units().into_iter();
        Self { expander, parts, limits, sink, units: Vec::new(), count: 0 }
    }

    /// The next texts that could be written; `None` where there are no more. What is wrong with formulas is added to the problems.
    pub fn next(&mut self, problems: &mut Vec<Problem>) -> Option<Vec<Expanded>> {
        let parts: Vec<Part> = self.parts.by_ref().take(AT_A_TIME).collect();
        if parts.is_empty() || self.sink.is_full() {
            return None;
        }
        let of_unit = |part: Part| {
            let mut sink = Sink::new(self.limits);
            (self.expander.gestures(&part, &mut sink), sink)
        };
        let mut texts = Vec::with_capacity(parts.len());
        for (mut of_unit, sink) in parallel::map(parts, of_unit) {
            let is_sound = sink.is_sound();
            let new = self.sink.take(sink).iter().cloned();
            problems.extend(new.map(|problem| problem.of_instrument(Clone::clone)));
            of_unit.unit.shift(self.count);
            self.count += of_unit.count;
            self.units.push(of_unit.unit);
            // Of one whose formulas are wrong values are missing.
            texts.extend(is_sound.then_some(of_unit.text));
        }
        Some(texts)
    }

    /// What notes and pedals do, by the numbers of the gestures in the order of the texts.
    pub fn notes(self) -> Notes {
        Notes { units: self.units, gestures: self.count as usize }
    }
}
