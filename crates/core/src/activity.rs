//! What elements did over some steps: the impulse and the least gap of each.

use crate::state::Archive;

/// Which gaps [`crate::stepper::Stepper::activity`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// The least since it was last asked.
    Since,
    /// From now on also the least of all steps so far, which is enough for whoever takes the least of
    /// what it is told: a method need not read contacts that cannot have come nearer. Impulses still begin anew.
    SoFar,
    /// None from now on, told as ∞, until another kind is asked for; where a method keeps them, contacts that stay away then cost next to nothing.
    Never,
}

/// What an element did over some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activity {
    /// The impulse that it gave, N s: its force over the time.
    pub impulse: f64,
    /// The least gap h − c·q that was met, m: negative where bodies overlap; ∞ before the first step. See
    /// [`Gaps`].
    pub gap: f64,
}

impl Activity {
    /// Before the first step.
    pub const NONE: Self = Self { impulse: 0.0, gap: f64::INFINITY };

    /// The numbers of what elements did so far, for a complete state.
    pub fn archive(all: &mut [Self], archive: &mut Archive) {
        for activity in all {
            archive.number(&mut activity.impulse);
            archive.number(&mut activity.gap);
        }
    }
}
