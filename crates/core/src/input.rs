//! Inputs: what acts on a system from outside, each one number at each instant.

use crate::row::Row;
use std::ops::Range;

/// A named input.
#[derive(Clone, Debug)]
pub struct Input {
    /// The drive's name.
    pub name: String,
    /// What its value does.
    pub action: Action,
}

/// What the value u(t) of an input does.
#[derive(Clone, Debug)]
pub enum Action {
    /// A force u (N) along +row: supplied power u·c·q̇.
    Force(Row),
    /// The moving reference h_ref(t) = u (m) of the elements of these numbers: supplied power −f ḣ_ref of each.
    Motion(Range<usize>),
    /// The control value u of the resistive elements of these numbers; it supplies no energy.
    Control(Range<usize>),
    /// An input to the elements of these numbers that only schemes know which state its kind.
    Custom {
        /// Its kind, as schemes state it in their coverage.
        kind: &'static str,
        /// The elements.
        elements: Range<usize>,
    },
}

impl Input {
    /// A force along `row`.
    pub fn force(name: impl Into<String>, row: Row) -> Self {
        Self { name: name.into(), action: Action::Force(row) }
    }

    /// The moving reference of these elements.
    pub fn motion(name: impl Into<String>, elements: Range<usize>) -> Self {
        Self { name: name.into(), action: Action::Motion(elements) }
    }

    /// The control of these resistive elements.
    pub fn control(name: impl Into<String>, elements: Range<usize>) -> Self {
        Self { name: name.into(), action: Action::Control(elements) }
    }

    /// The row of a force; `None` for any other action.
    pub fn row(&self) -> Option<&Row> {
        match &self.action {
            Action::Force(row) => Some(row),
            Action::Motion(_) | Action::Control(_) | Action::Custom { .. } => None,
        }
    }
}
