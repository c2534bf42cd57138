//! The values that one parameter takes in a sweep.
//!
//! | text | values |
//! |---|---|
//! | `body.string.tension=60 N:80 N:5` | 5 values from 60 N to 80 N, a + (b − a)k/(n − 1) |
//! | `contact.felt.stiffness=1e7:1e10:4:log` | 4 values with equal ratios, a(b/a)^(k/(n − 1)) |
//! | `drive.finger.at=string@0.1:string@0.3:5` | places, from `string@0.1` to `string@0.3` |
//! | `run.scheme=["ec", "mr"]` | those of a TOML array |
//!
//! Values are rounded to 15 digits, so that 0.1, 0.2, 0.3 are written so.

use hamiltone_numerics::math::{exp, log};
use hamiltone_scene::Set;

/// The most values of one axis.
const MAX_VALUES: usize = 1_000_000;

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The dotted path, such as `contact.felt.gap`.
    pub path: String,
    /// The values as a scene has them: TOML, or a text that is taken as a string.
    pub values: Vec<String>,
}

impl Axis {
    /// Reads `path=from:to:count`, `path=from:to:count:log` or `path=[value, …]`.
    ///
    /// # Errors
    /// A sentence that says what is wrong and how to write it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let usage = "write path=from:to:count, such as body.string.tension=\"60 N:80 N:5\", with :log for equal ratios, or \
                     path=[value, …]";
        let (path, values) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`: {usage}"))?;
        let values = values.trim();
        let values = if values.starts_with('[') { list(values) } else { range(values) };
        let values = values.map_err(|why| format!("`{text}`: {why}; {usage}"))?;
        Ok(Self { path: path.trim().into(), values })
    }

    /// The change that gives the parameter its value of this number.
    pub fn set(&self, number: usize) -> Set {
        let value = self.values[number].clone();
        Set { shown: format!("{}={value}", self.path), path: self.path.clone(), value }
    }
}

/// The entries of a TOML array.
fn list(text: &str) -> Result<Vec<String>, String> {
    let table: toml::Table =
        format!("x = {text}").parse().map_err(|_| "the array is not valid TOML".to_string())?;
    let entries = table["x"].as_array().cloned().unwrap_or_default();
    if entries.is_empty() {
        return Err("the array is empty".into());
    }
    let of = |entry: toml::Value| entry.as_str().map_or_else(|| entry.to_string(), str::to_string);
    Ok(entries.into_iter().map(of).collect())
}

/// The values of `from:to:count`.
fn range(text: &str) -> Result<Vec<String>, String> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (from, to, count, ratios) = match parts[..] {
        [from, to, count] => (from, to, count, false),
        [from, to, count, "log"] => (from, to, count, true),
        _ => return Err(format!("`{text}` is no range")),
    };
    // A place: what stands before its number.
    let [(place, from), (other_place, to)] =
        [from, to].map(|text| text.split_at(text.rfind('@').map_or(0, |at| at + 1)));
    let ((a, unit), (b, other)) = (quantity(from)?, quantity(to)?);
    if place != other_place {
        return Err(format!("`{place}` and `{other_place}` are places of different bodies"));
    }
    if unit != other {
        return Err(format!("`{from}` and `{to}` have different units"));
    }
    let number = count.parse::<usize>().ok().filter(|n| (1..=MAX_VALUES).contains(n));
    let n = number.ok_or_else(|| {
        format!("the count is `{count}`, but must be a whole number from 1 to {MAX_VALUES}")
    })?;
    if n == 1 && a != b {
        return Err(format!("one value cannot be `{from}` and `{to}`"));
    }
    if ratios && (a == 0.0 || b == 0.0 || (a < 0.0) != (b < 0.0)) {
        return Err(format!(
            "equal ratios lead from `{from}` to `{to}` only where both have one sign and neither is 0"
        ));
    }
    let at = |k: usize| {
        let part = k as f64 / (n - 1).max(1) as f64;
        match () {
            () if k == 0 => a,
            () if k + 1 == n => b,
            () if ratios => a * exp(part * log(b / a)),
            () => a + (b - a) * part,
        }
    };
    let number = |x: f64| match x.abs() {
        // As a whole number of TOML it could be too large.
        size if size >= 1e15 || (size > 0.0 && size < 1e-5) => format!("{x:e}"),
        _ => x.to_string(),
    };
    let written = |x: f64| match unit {
        "" => format!("{place}{}", number(x)),
        _ => format!("{place}{} {unit}", number(x)),
    };
    Ok((0..n).map(|k| written(rounded(at(k)))).collect())
}

/// A number with 15 digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.14e}").parse().unwrap_or(x)
}

/// The number and the unit of a quantity such as `60 N`.
fn quantity(text: &str) -> Result<(f64, &str), String> {
    let wrong = || format!("`{text}` is no number with or without a unit");
    // The longest beginning that is a number: units such as `eV` begin with letters of numbers.
    let ends = (1..=text.len()).rev().filter(|end| text.is_char_boundary(*end));
    let number = |end: usize| text[..end].parse::<f64>().ok().filter(|x| x.is_finite()).map(|x| (x, end));
    let (x, end) = ends.filter_map(number).next().ok_or_else(wrong)?;
    let unit = text[end..].trim();
    if unit.starts_with(|c: char| c.is_ascii_digit()) { Err(wrong()) } else { Ok((x, unit)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Axis::parse(text).unwrap().values
    }

    #[test]
    fn ranges_and_arrays_have_their_values() {
        assert_eq!(values("a=0.1:0.5:5"), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(values("a=60 N : 80 N:3"), ["60 N", "70 N", "80 N"]);
        assert_eq!(values("a=1:1000:4:log"), ["1", "10", "100", "1000"]);
        assert_eq!(values("a=-1e-3:1e-3:3"), ["-0.001", "0", "0.001"]);
        assert_eq!(values("a=2 m/s:2 m/s:1"), ["2 m/s"]);
        assert_eq!(values("a=1e18:1e20:3:log"), ["1e18", "1e19", "1e20"]);
        assert_eq!(values("a=s@0.1:s@0.2:2"), ["s@0.1", "s@0.2"]);
        assert_eq!(values("run.scheme=[\"ec\", \"mr\"]"), ["ec", "mr"]);
        assert_eq!(values("a=[1, 2.5, [1, 2]]"), ["1", "2.5", "[1, 2]"]);
        assert_eq!(Axis::parse("a.b=1:2:2").unwrap().set(1).shown, "a.b=2");
    }

    #[test]
    fn what_is_no_axis_is_refused_with_the_reason() {
        for (text, why) in [
            ("a", "no `=`"),
            ("a=1", "no range"),
            ("a=1:2", "no range"),
            ("a=1 N:2 m:3", "different units"),
            ("a=s@1:t@2:3", "different bodies"),
            ("a=1:2:0", "whole number"),
            ("a=1:2:2.5", "whole number"),
            ("a=1:2:1", "one value"),
            ("a=0:2:3:log", "one sign"),
            ("a=x:2:3", "no number"),
            ("a=nan:2:3", "no number"),
            ("a=[]", "empty"),
            ("a=[1", "TOML"),
        ] {
            let refused = Axis::parse(text).unwrap_err();
            assert!(refused.contains(why) && refused.contains("write path="), "{text}: {refused}");
        }
    }
}
