//! What an expansion leaves besides its text: what is wrong, each mistake once, and how much work it was.
//!
//! A short text can stand for a long one: 128 keys of 128 velocities each read every formula of a gesture. The work is counted in
//! bytes that are read or written, and is limited like the text of a scene.

use super::repeated::same;
use crate::{
    document::problem::Problem,
    limits::{Limited, Limits},
};

/// After so many problems nothing more is read.
const MAX_PROBLEMS: usize = 100;

/// Problems and work.
#[derive(Clone)]
pub struct Sink<'a> {
    problems: Vec<Problem>,
    limits: &'a Limits,
    work: u128,
    full: bool,
}

impl<'a> Sink<'a> {
    /// Nothing is done yet.
    pub fn new(limits: &'a Limits) -> Self {
        Self { problems: Vec::new(), limits, work: 0, full: false }
    }

    /// The problems.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// Adds the problems and the work of another; the problems that are new.
    pub fn take(&mut self, other: Self) -> &[Problem] {
        let before = self.problems.len();
        other.problems.into_iter().for_each(|problem| self.problem(problem));
        self.count(other.work);
        &self.problems[before..]
    }

    /// Adds a problem, unless it is one that another copy has told.
    pub fn problem(&mut self, problem: Problem) {
        if !self.full && !self.problems.iter().any(|known| same(known, &problem)) {
            self.problems.push(problem);
        }
        self.full |= self.problems.len() >= MAX_PROBLEMS;
    }

    /// Counts some bytes of work.
    pub fn work(&mut self, bytes: usize) {
        self.count(bytes as u128);
    }

    fn count(&mut self, bytes: u128) {
        self.work += bytes;
        if !self.full
            && let Err(exceeded) = self.limits.check(Limited::Scene, self.work)
        {
            let message = format!("to copy its sections takes {}", exceeded.amounts());
            self.problems.push(Problem::new(message, 0..0, "").help(exceeded.help()));
            self.full = true;
        }
    }

    /// Whether nothing more is to be read.
    pub fn is_full(&self) -> bool {
        self.full
    }
}
