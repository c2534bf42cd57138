//! Units: products of real powers of symbols with prefixes.
//!
//! ```text
//! unit   = factor { (" " | "·" | "*" | "/") factor }
//! factor = ( symbol | "1" | "(" unit ")" ) [ "^" exponent | superscript ]
//! ```
//!
//! A cycle is a unit of its own (1 Hz = 1 cycle/s) and a radian is remembered, so that
//! rad/s, 1/s and Hz, which differ by 2π in what people mean, are told apart.

use hamiltone_numerics::math;

/// Symbol, powers of (kg, m, s, cycle, rad), power of ten, factor.
type Symbol = (&'static str, [f64; 5], f64, f64);

const SYMBOLS: [Symbol; 11] = [
    ("m", [0.0, 1.0, 0.0, 0.0, 0.0], 0.0, 1.0),
    ("g", [1.0, 0.0, 0.0, 0.0, 0.0], -3.0, 1.0),
    ("s", [0.0, 0.0, 1.0, 0.0, 0.0], 0.0, 1.0),
    ("min", [0.0, 0.0, 1.0, 0.0, 0.0], 0.0, 60.0),
    ("Hz", [0.0, 0.0, -1.0, 1.0, 0.0], 0.0, 1.0),
    ("rad", [0.0, 0.0, 0.0, 0.0, 1.0], 0.0, 1.0),
    ("deg", [0.0, 0.0, 0.0, 0.0, 1.0], 0.0, std::f64::consts::PI / 180.0),
    ("N", [1.0, 1.0, -2.0, 0.0, 0.0], 0.0, 1.0),
    ("Pa", [1.0, -1.0, -2.0, 0.0, 0.0], 0.0, 1.0),
    ("J", [1.0, 2.0, -2.0, 0.0, 0.0], 0.0, 1.0),
    ("W", [1.0, 2.0, -3.0, 0.0, 0.0], 0.0, 1.0),
];

const PREFIXES: [(char, f64); 12] = [
    ('p', -12.0),
    ('n', -9.0),
    ('µ', -6.0),
    ('μ', -6.0),
    ('u', -6.0),
    ('m', -3.0),
    ('c', -2.0),
    ('d', -1.0),
    ('k', 3.0),
    ('M', 6.0),
    ('G', 9.0),
    ('T', 12.0),
];

/// A product of powers of units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Powers of (kg, m, s, cycle, rad).
    pub(super) powers: [f64; 5],
    /// The power of ten of its prefixes.
    pub(super) ten: f64,
    /// What else it is times the SI unit.
    pub(super) factor: f64,
}

impl Unit {
    /// The unit of plain numbers.
    pub const NONE: Self = Self { powers: [0.0; 5], ten: 0.0, factor: 1.0 };

    /// Reads a unit such as `N/m^1.5`.
    ///
    /// # Errors
    /// A sentence that says which part is no unit.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut rest = text.trim();
        let unit = product(&mut rest, 0)?;
        if rest.is_empty() { Ok(unit) } else { Err(format!("`{rest}` is no unit")) }
    }

    /// Whether both measure the same: radians are no dimension, cycles are one.
    pub fn measures(&self, other: &Unit) -> bool {
        (0..4).all(|i| (self.powers[i] - other.powers[i]).abs() < 1e-9)
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
        self.powers == [0.0, 0.0, 0.0, 0.0, 1.0]
    }

    /// Whether it is a rate, 1/s, apart from cycles.
    pub(super) fn is_rate(&self) -> bool {
        self.powers[..3] == [0.0, 0.0, -1.0]
    }
}

fn product(rest: &mut &str, depth: usize) -> Result<Unit, String> {
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
            return Err("a unit after a divisor could belong above or below the line: use (…)".into());
        }
        unit = unit.times(&factor(rest, depth)?, power);
        power = 1.0;
    }
}

fn factor(rest: &mut &str, depth: usize) -> Result<Unit, String> {
    let base = if let Some(after) = rest.strip_prefix('(') {
        if depth > 8 {
            return Err("its parentheses are nested too deep".into());
        }
        *rest = after;
        let inner = product(rest, depth + 1)?;
        *rest = rest.strip_prefix(')').ok_or("a `)` is missing")?;
        inner
    } else if let Some(after) = rest.strip_prefix('1') {
        *rest = after;
        Unit::NONE
    } else {
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        *rest = after;
        symbol(name).ok_or_else(|| match name {
            "" => format!("`{}` is no unit", after.trim()),
            _ => format!("`{name}` is no unit"),
        })?
    };
    Ok(Unit::NONE.times(&base, exponent(rest)?))
}

fn symbol(name: &str) -> Option<Unit> {
    let exact = |name: &str| SYMBOLS.iter().find(|s| s.0 == name);
    let unit = |s: &Symbol, ten: f64| Unit { powers: s.1, ten: s.2 + ten, factor: s.3 };
    exact(name).map(|s| unit(s, 0.0)).or_else(|| {
        let prefix = name.chars().next()?;
        let (_, ten) = PREFIXES.iter().find(|p| p.0 == prefix)?;
        exact(&name[prefix.len_utf8()..]).filter(|s| s.0 != "min").map(|s| unit(s, *ten))
    })
}

fn exponent(rest: &mut &str) -> Result<f64, String> {
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
    digits.parse().map_err(|_| format!("`^{digits}` is no exponent"))
}
