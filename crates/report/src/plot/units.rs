//! Quantities as text: SI prefixes, few digits, typeset powers.

use hamiltone_numerics::math::log10;

/// The nearest number to 10ᵉ, which `powi` misses in the last digit.
pub fn power_of_ten(e: i32) -> f64 {
    format!("1e{e}").parse().unwrap_or(f64::INFINITY)
}

/// The SI prefix of 10^(3·thousands) where the unit takes one.
pub fn prefix(unit: &str, thousands: i32) -> Option<&'static str> {
    let base = unit.split(['/', '·']).next().unwrap_or_default();
    let takes = ["m", "s", "N", "J", "Pa", "Hz", "W"].contains(&base) && !(base == "s" && thousands > 0);
    let prefixes = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T"];
    takes.then(|| prefixes.get(usize::try_from(thousands.saturating_add(5)).ok()?).copied()).flatten()
}

/// A unit as it is printed: m³ where scenes write m^3.
pub fn typeset(unit: &str) -> String {
    unit.replace("^2", "²").replace("^3", "³")
}

/// A quantity in four digits, with an SI prefix where its unit takes one.
pub fn quantity(value: f64, unit: &str) -> String {
    let thousands = if value == 0.0 { 0 } else { log10(value.abs()).div_euclid(3.0) as i32 };
    let unit = typeset(unit);
    match prefix(&unit, thousands) {
        _ if value == 0.0 => format!("0 {unit}"),
        Some(letter) => {
            format!("{} {letter}{unit}", significant(value / power_of_ten(thousands.saturating_mul(3))))
        }
        None if (1e-2..1e5).contains(&value.abs()) => format!("{} {unit}", significant(value)),
        None => format!("{value:.3e} {unit}"),
    }
}

/// Four significant digits of a number of ordinary size.
fn significant(v: f64) -> String {
    let digits = (3.0 - log10(v.abs()).floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{v:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A number with so many decimals and a minus sign that is no hyphen; zero has no sign.
pub fn decimals(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$}");
    match text.strip_prefix('-') {
        Some(positive) if positive.chars().any(|c| c.is_ascii_digit() && c != '0') => format!("−{positive}"),
        Some(zero) => zero.into(),
        None => text,
    }
}

/// An exponent in superscript digits.
pub fn superscript(n: i32) -> String {
    let digit = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => char::from_u32('⁰' as u32 + (c as u32 - '0' as u32)).unwrap_or(c),
    };
    n.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([-0.004, -0.006, 0.0, 12.3].map(|x| decimals(x, 2)), ["0.00", "−0.01", "0.00", "12.30"]);
    }

    #[test]
    fn numbers_beyond_all_prefixes_are_written_with_an_exponent() {
        assert_eq!(quantity(1.5e-3, "m"), "1.5 mm");
        assert_eq!(quantity(2.5e300, "J"), "2.500e300 J");
        assert_eq!(quantity(f64::INFINITY, "J"), "inf J");
    }
}
