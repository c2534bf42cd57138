//! The gestures of an instrument, those of some keys or strings at a time.
//!
//! For a piano they are a text of many megabytes, of which a document with the place of every value takes ten times as much. So
//! the texts of a few keys are written, and a few of them read at a time, before those of the next are written.

use super::{
    definition::Definition,
    expand::{Expander, Part},
    sink::Sink,
};
use crate::{
    document::{expanded::Expanded, problem::Problem},
    limits::Limits,
};
use hamiltone_numerics::parallel;
use hamiltone_plan::notes::{Notes, Unit};
use std::collections::{BTreeSet, VecDeque};

/// How many keys or strings are written, and how many texts read at a time.
const AT_A_TIME: usize = 4;

/// The gestures of all keys or strings, in their order.
pub struct Batches<'a> {
    expander: Expander<'a>,
    parts: std::vec::IntoIter<Part>,
    limits: &'a Limits,
    /// The problems and the work so far.
    sink: Sink<'a>,
    units: Vec<Unit>,
    /// The texts that were written and are not read yet.
    written: VecDeque<Expanded>,
    /// The number of gestures so far.
    count: u32,
    /// Whether any formula of theirs asked for the program.
    pub asks_program: bool,
}

impl<'a> Batches<'a> {
    /// Of all keys or strings of an instrument, after this work.
    pub fn new(expander: Expander<'a>, limits: &'a Limits, sink: Sink<'a>) -> Self {
        let parts = expander.units().into_iter();
        Self {
            expander,
            parts,
            limits,
            sink,
            units: Vec::new(),
            written: VecDeque::new(),
            count: 0,
            asks_program: false,
        }
    }

    /// The names of what is copied.
    pub fn templates(&self) -> BTreeSet<&'a str> {
        self.expander.templates().collect()
    }

    /// The next texts that could be written; `None` where there are no more. What is wrong with formulas is added to the problems.
    pub fn next(&mut self, problems: &mut Vec<Problem>) -> Option<Vec<Expanded>> {
        if self.written.is_empty() {
            self.write(problems)?;
        }
        Some(self.written.drain(..AT_A_TIME.min(self.written.len())).collect())
    }

    /// Writes the texts of the next keys or strings; `None` where there are no more.
    fn write(&mut self, problems: &mut Vec<Problem>) -> Option<()> {
        let parts: Vec<Part> = self.parts.by_ref().take(AT_A_TIME).collect();
        if parts.is_empty() || self.sink.is_full() {
            return None;
        }
        let of_unit = |part: Part| {
            let mut sink = Sink::new(self.limits);
            (self.expander.gestures(&part, &mut sink), sink)
        };
        for (mut of_unit, sink) in parallel::map(parts, of_unit) {
            let is_sound = sink.is_sound();
            let new = self.sink.take(sink).iter().cloned();
            problems.extend(new.map(|problem| problem.of_instrument(Clone::clone)));
            of_unit.unit.shift(self.count);
            self.count += of_unit.count;
            self.asks_program |= of_unit.asks_program;
            self.units.push(of_unit.unit);
            // Of one whose formulas are wrong values are missing.
            if is_sound {
                self.written.extend(of_unit.texts);
            }
        }
        Some(())
    }

    /// What notes and pedals do, by the numbers of the gestures in the order of the texts.
    pub fn notes(self) -> Notes {
        let Definition { programs, program, .. } = self.expander.definition;
        let (programs, program) = (programs.clone(), *program);
        Notes { units: self.units, programs, program, gestures: self.count as usize }
    }
}
