//! Inputs: what acts on a system from outside, each one number at each instant.

use crate::row::Row;

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
    /// The moving reference h_ref(t) = u (m) of the element of this number: supplied power −f ḣ_ref.
    Motion(usize),
    /// The control value u of the resistive element of this number; it supplies no energy.
    Control(usize),
    /// An input to the element of this number that only schemes know which state its kind.
    Custom {
        /// Its kind, as schemes state it in their coverage.
        kind: &'static str,
        /// The element.
        element: usize,
    },
}

impl Input {
    /// A force along `row`.
    pub fn force(name: impl Into<String>, row: Row) -> Self {
        Self { name: name.into(), action: Action::Force(row) }
    }

    /// The moving reference of an element.
    pub fn motion(name: impl Into<String>, element: usize) -> Self {
        Self { name: name.into(), action: Action::Motion(element) }
    }

    /// The control of a resistive element.
    pub fn control(name: impl Into<String>, element: usize) -> Self {
        Self { name: name.into(), action: Action::Control(element) }
    }

    /// The row of a force; `None` for any other action.
    pub fn row(&self) -> Option<&Row> {
        match &self.action {
            Action::Force(row) => Some(row),
            Action::Motion(_) | Action::Control(_) | Action::Custom { .. } => None,
        }
    }
}
