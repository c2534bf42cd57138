//! Inputs: what acts on a system from outside, each one number at each instant.

use crate::row::Row;
use std::ops::Range;

/// A named input.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Input {
    /// The drive's name.
    pub name: String,
    /// What its value does.
    pub action: Action,
}

/// What the value u(t) of an input does.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action {
    /// A force u (N) along +row: supplied power u·c·q̇.
    Force(Row),
    /// The moving reference h_ref(t) = u (m) of the elements of these numbers: supplied power −f ḣ_ref of each.
    Motion(Range<usize>),
    /// The rate ḣ_ref(t) = u (m/s) of the reference of the ports of these numbers: supplied power −f ḣ_ref of each. Where nothing knows positions, a
    /// rate keeps the digits that differences of a long way lose.
    Rate(Range<usize>),
    /// What strains the forms of these numbers: e(t) = su (√J), s being [`crate::form::Form::stretch`]; supplied power ψ ė of each.
    Strain(Range<usize>),
    /// Where the rows of the ports of these numbers act, u being the number of a branch or the part of a path, and what lies between two branches a mixture
    /// ([`crate::port::Mixture`]); it supplies no energy.
    Branch(Range<usize>),
    /// The control value u of the resistive elements and ports of these numbers; it supplies no energy.
    Control(Range<usize>),
    /// An input to the elements of these numbers that only schemes know which state its kind. It is not serialised.
    #[cfg_attr(feature = "serde", serde(skip))]
    Custom {
        /// Its kind, as schemes state it in their coverage.
        #[cfg_attr(feature = "serde", serde(skip))]
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

    /// The rate of the reference of these ports.
    pub fn rate(name: impl Into<String>, elements: Range<usize>) -> Self {
        Self { name: name.into(), action: Action::Rate(elements) }
    }

    /// The strain of these forms.
    pub fn strain(name: impl Into<String>, forms: Range<usize>) -> Self {
        Self { name: name.into(), action: Action::Strain(forms) }
    }

    /// The branch of these ports.
    pub fn branch(name: impl Into<String>, elements: Range<usize>) -> Self {
        Self { name: name.into(), action: Action::Branch(elements) }
    }

    /// The control of these resistive elements or ports.
    pub fn control(name: impl Into<String>, elements: Range<usize>) -> Self {
        Self { name: name.into(), action: Action::Control(elements) }
    }

    /// The row of a force; `None` for any other action.
    pub fn row(&self) -> Option<&Row> {
        match &self.action {
            Action::Force(row) => Some(row),
            Action::Motion(_)
            | Action::Rate(_)
            | Action::Strain(_)
            | Action::Branch(_)
            | Action::Control(_)
            | Action::Custom { .. } => None,
        }
    }
}
