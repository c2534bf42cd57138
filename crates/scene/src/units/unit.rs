//! Units: products of real powers of symbols with prefixes.
//!
//! ```text
//! unit   = factor { (" " | "·" | "*" | "/") factor }
//! factor = ( symbol | "1" | "(" unit ")" ) [ "^" exponent | superscript ]
//! ```
//!
//! A cycle is a unit of its own (1 Hz = 1 cycle/s) and a radian is remembered, so that
//! rad/s, 1/s and Hz, which differ by 2π in what people mean, are distinguished. So is a decibel, of which no other unit
//! is made: a level is no plain number.

use super::{
    advice::{self, UnitError},
    symbols::{PREFIXES, Powers, SYMBOLS, Symbol, WITHOUT_PREFIX},
};
use hamiltone_numerics::math;

/// A product of powers of units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Powers of (kg, m, s, cycle, rad, dB).
    pub(super) powers: Powers,
    /// The power of ten of its prefixes.
    pub(super) ten: f64,
    /// What else it is times the SI unit.
    pub(super) factor: f64,
}

impl Unit {
    /// The unit of plain numbers.
    pub const NONE: Self = Self { powers: [0.0; 6], ten: 0.0, factor: 1.0 };

    /// Reads a unit such as `N/m^1.5`.
    ///
    /// # Errors
    /// A sentence that says which part is no unit, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let mut rest = text.trim();
        let unit = product(&mut rest, 0)?;
        if rest.is_empty() { Ok(unit) } else { Err(format!("`{rest}` is no unit").into()) }
    }

    /// Whether both measure the same: radians are no dimension, cycles are one.
    pub fn measures(&self, other: &Unit) -> bool {
        [0, 1, 2, 3, 5].into_iter().all(|i| (self.powers[i] - other.powers[i]).abs() < 1e-9)
    }

    fn times(&self, other: &Unit, power: f64) -> Self {
        Self {
            powers: std::array::from_fn(|i| self.powers[i] + power * other.powers[i]),
            ten: self.ten + power * other.ten,
            factor: self.factor * if other.factor == 1.0 { 1.0 } else { math::pow(other.factor, power) },
        }
    }

    /// Whether it is an angle: radians alone.
    pub fn is_angle(&self) -> bool {
        self.powers == [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    }

    /// Whether it is a rate, 1/s, apart from cycles.
    pub(super) fn is_rate(&self) -> bool {
        self.powers[..3] == [0.0, 0.0, -1.0]
    }
}

fn product(rest: &mut &str, depth: usize) -> Result<Unit, UnitError> {
    let text = *rest;
    let (mut unit, mut divided, mut power) = (Unit::NONE, false, 1.0);
    loop {
        *rest = rest.trim_start();
        if rest.is_empty() || rest.starts_with(')') {
            return Ok(unit);
        }
        if let Some(after) = rest.strip_prefix(['*', '·']) {
            *rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix('/') {
            (*rest, power, divided) = (after, -1.0, true);
            continue;
        }
        if divided && power == 1.0 {
            return Err(ambiguous(text).into());
        }
        unit = unit.times(&factor(rest, depth)?, power);
        power = 1.0;
    }
}

/// What could be meant by several units after a `/`.
fn ambiguous(text: &str) -> String {
    let (above, below) = text.trim().split_once('/').unwrap_or((text, ""));
    let mut parts = below.split([' ', '*', '·']).filter(|part| !part.is_empty());
    let (first, others) = (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>().join(" "));
    if others.contains(['/', '(', ')']) || first.contains(['/', '(', ')']) {
        return "its `/` can be read in two ways; use one, with parentheses, as in kg/(m s)".into();
    }
    let above = above.trim();
    format!(
        "`{}` can be read in two ways; write {above}/({first} {others}) or {above} {others}/{first}",
        text.trim()
    )
}

fn factor(rest: &mut &str, depth: usize) -> Result<Unit, UnitError> {
    let base = if let Some(after) = rest.strip_prefix('(') {
        if depth > 8 {
            return Err("its parentheses are nested too deep".to_string().into());
        }
        *rest = after;
        let inner = product(rest, depth + 1)?;
        *rest = rest.strip_prefix(')').ok_or_else(|| "a `)` is missing".to_string())?;
        inner
    } else if let Some(after) = rest.strip_prefix('1') {
        *rest = after;
        Unit::NONE
    } else {
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        *rest = after;
        let end = after.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(after.len());
        let unit = match (symbol(name), name, end) {
            (_, "", _) => return Err(format!("`{}` is no unit", after.trim()).into()),
            (Some(unit), _, 0) => Some(unit),
            _ => None,
        };
        unit.ok_or_else(|| advice::unknown(name, &after[..end]))?
    };
    Ok(Unit::NONE.times(&base, exponent(rest)?))
}

fn symbol(name: &str) -> Option<Unit> {
    let exact = |name: &str| SYMBOLS.iter().find(|s| s.0 == name);
    let unit = |s: &Symbol, ten: f64| Unit { powers: s.1, ten: s.2 + ten, factor: s.3 };
    exact(name).map(|s| unit(s, 0.0)).or_else(|| {
        let prefix = name.chars().next()?;
        let (_, ten) = PREFIXES.iter().find(|p| p.0 == prefix)?;
        exact(&name[prefix.len_utf8()..]).filter(|s| !WITHOUT_PREFIX.contains(&s.0)).map(|s| unit(s, *ten))
    })
}

fn exponent(rest: &mut &str) -> Result<f64, UnitError> {
    const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
    let digits = if let Some(after) = rest.strip_prefix('^') {
        let end = after.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(after.len());
        let (digits, after) = after.split_at(end);
        *rest = after;
        digits.to_string()
    } else {
        let raised = |c: char| SUPERSCRIPTS.chars().position(|s| s == c);
        let digits: String = rest.chars().map_while(raised).map(|i| b"0123456789-"[i] as char).collect();
        *rest = rest.trim_start_matches(|c| SUPERSCRIPTS.contains(c));
        if digits.is_empty() {
            return Ok(1.0);
        }
        digits
    };
    digits.parse().map_err(|_| format!("`^{digits}` is no exponent").into())
}
