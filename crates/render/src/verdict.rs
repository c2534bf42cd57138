//! The verdict on a run, in one of three colours.
//!
//! | colour | meaning | `ok`, exit code |
//! |---|---|---|
//! | green | balanced, passive, and audible partials in tune | yes, 0 |
//! | amber | balanced and passive; audible partials are out of tune, a string is stretched beyond its equations, or a plate has too few modes, and what to change is said | yes, 0 |
//! | red | not balanced, not passive, not finite, not complete, or out of tune so far that it is another note | no, 1 |

use std::fmt;

/// The verdict, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing is wrong.
    Green,
    /// It can be used; what is not right is said, with what to change.
    Amber,
    /// It is no result.
    Red,
}

impl Verdict {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Green => "green",
            Verdict::Amber => "amber",
            Verdict::Red => "red",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A change of the scene that mends what is reported: `--set KEY=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Such as `body.string.modes`.
    pub key: String,
    /// In the notation of scenes.
    pub value: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--set {}={}", self.key, self.value)
    }
}
