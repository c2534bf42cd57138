//! Quantities as a regular expression, for the JSON Schema.
//!
//! It describes every text that [`Quantity::parse`](super::Quantity::parse) reads, and a few more: no regular expression
//! counts parentheses, and units after a second `/` are refused by the reader alone.

use super::symbols::{PREFIXES, SYMBOLS, WITHOUT_PREFIX};

/// A decimal number, with `_` between digits.
const NUMBER: &str = r"_*[-+]?_*(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\._*[0-9][0-9_]*)(?:[eE][-+]?0*[0-9]{1,18})?";
/// An exponent of a unit.
const EXPONENT: &str = r"(?:\^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)";

/// A number with a unit, or also without one where that is `optional`.
pub fn quantity(optional: bool) -> String {
    let unit = unit();
    let optional = if optional { "?" } else { "" };
    format!(r"{NUMBER}(?:{unit}){optional}\s*")
}

/// A product of powers of symbols that is not empty, with the blanks before it.
fn unit() -> String {
    let prefixes: String = PREFIXES.iter().map(|(prefix, _)| *prefix).collect();
    let (alone, prefixed): (Vec<&str>, Vec<&str>) =
        SYMBOLS.iter().map(|symbol| symbol.0).partition(|symbol| WITHOUT_PREFIX.contains(symbol));
    let symbol = format!("(?:[{prefixes}]?(?:{})|{})", prefixed.join("|"), alone.join("|"));
    // A symbol ends with its exponent or before what is no letter or digit.
    let closed = format!(r"{symbol}(?:{EXPONENT}|[\s*·/(]|\){EXPONENT}?)");
    let plain = format!(r"1{EXPONENT}?|\){EXPONENT}?|{closed}");
    let rest = format!(r"(?:[\s*·/(]|{plain})*{symbol}?");
    // The last digit of a number is no unit 1.
    format!(r"\s*(?:[*·/()]|{closed}){rest}|\s+1{EXPONENT}?{rest}|\s*{symbol}")
}
