//! What to write instead of a unit that is none.

use super::symbols::{PREFIXES, SYMBOLS, WITHOUT_PREFIX};

/// Why a text is no unit, and what was probably meant.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitError {
    /// A sentence that names the part that cannot be read.
    pub message: String,
    /// The part, and the unit that it should be.
    pub instead: Option<Instead>,
}

/// A unit in place of a part of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Instead {
    /// The part as it is written.
    pub wrong: String,
    /// What to write.
    pub right: String,
    /// How many of these the part is: an hour is 60 min.
    pub factor: f64,
}

impl From<String> for UnitError {
    fn from(message: String) -> Self {
        Self { message, instead: None }
    }
}

impl std::fmt::Display for UnitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match &self.instead {
            Some(Instead { wrong, right, factor: 1.0 }) => write!(f, "; write `{right}` for `{wrong}`"),
            Some(Instead { wrong, right, factor }) => write!(f, "; 1 {wrong} = {factor} {right}"),
            None => Ok(()),
        }
    }
}

/// Units that people write, and what they are in units that are known.
const OTHERS: [(&str, f64, &str); 24] = [
    ("h", 60.0, "min"),
    ("hour", 60.0, "min"),
    ("hours", 60.0, "min"),
    ("minute", 1.0, "min"),
    ("minutes", 1.0, "min"),
    ("sec", 1.0, "s"),
    ("second", 1.0, "s"),
    ("seconds", 1.0, "s"),
    ("msec", 1.0, "ms"),
    ("degree", 1.0, "deg"),
    ("degrees", 1.0, "deg"),
    ("hertz", 1.0, "Hz"),
    ("herz", 1.0, "Hz"),
    ("newton", 1.0, "N"),
    ("pascal", 1.0, "Pa"),
    ("gram", 1.0, "g"),
    ("grams", 1.0, "g"),
    ("meter", 1.0, "m"),
    ("metre", 1.0, "m"),
    ("inch", 25.4, "mm"),
    ("in", 25.4, "mm"),
    ("bar", 100.0, "kPa"),
    ("psi", 6.894_757, "kPa"),
    ("lbf", 4.448_222, "N"),
];

/// No unit has this name, and these digits behind it.
pub fn unknown(name: &str, digits: &str) -> UnitError {
    let message = format!("`{name}{digits}` is no unit");
    let other = OTHERS.iter().find(|(other, ..)| other.eq_ignore_ascii_case(name));
    let instead = match other {
        Some((_, factor, right)) => Some((*factor, (*right).to_string())),
        None => spelled(name).map(|right| (1.0, right)),
    };
    let power = if digits.is_empty() { String::new() } else { format!("^{digits}") };
    let instead = instead.filter(|(factor, _)| digits.is_empty() || *factor == 1.0);
    let wrong = format!("{name}{digits}");
    UnitError {
        message,
        instead: instead.map(|(factor, right)| Instead { wrong, right: right + &power, factor }),
    }
}

/// The unit that differs from `name` in capital letters alone.
fn spelled(name: &str) -> Option<String> {
    let prefixed = || SYMBOLS.iter().filter(|symbol| !WITHOUT_PREFIX.contains(&symbol.0));
    let with_prefix =
        PREFIXES.iter().flat_map(|(prefix, _)| prefixed().map(move |symbol| format!("{prefix}{}", symbol.0)));
    let all = SYMBOLS.iter().map(|symbol| symbol.0.to_string()).chain(with_prefix);
    let same: Vec<String> = all.filter(|unit| unit.eq_ignore_ascii_case(name)).collect();
    // Of MPa and mPa for "MPA" the one whose prefix is written the same.
    same.iter().find(|unit| unit.chars().next() == name.chars().next()).or(same.first()).cloned()
}
