//! Formulas in the values of an instrument: `"{8.7 - 0.05*(key - 21)} g"`.
//!
//! ```text
//! expression = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]          1 where it holds, else 0
//! sum        = product {("+" | "-") product}
//! product    = factor {("*" | "/") factor}
//! factor     = ("-" | "+") factor | power
//! power      = value ["^" factor]
//! value      = number | name | name "(" expression {"," expression} ")" | "(" expression ")"
//! ```
//!
//! Names are variables and tables, whose values an [`Environment`] knows. Functions: `sqrt exp ln log2 sin cos abs floor ceil
//! round min max if`, where `if(condition, then, else)` takes the second argument where the first is not 0. They are those of
//! [`hamiltone_numerics::math`], so that an instrument is the same on every machine. Formulas have no units: the unit
//! stands behind the braces.

use hamiltone_numerics::math;

/// How deep parentheses, powers and signs may be nested.
const MAX_DEPTH: u32 = 64;

/// What names mean.
pub trait Environment {
    /// The value of a variable or table.
    fn value(&self, name: &str) -> Option<f64>;

    /// The value of a function that only this environment has.
    fn function(&self, name: &str, arguments: &[f64]) -> Option<f64>;

    /// All names, for messages.
    fn names(&self) -> Vec<String>;
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The byte of the formula at which it was noticed.
    pub at: usize,
    /// What it is.
    pub message: String,
    /// What to write instead; empty where the message says it.
    pub help: String,
}

/// The value of a formula.
///
/// # Errors
/// What is wrong with its text; a value that is no finite number.
pub fn evaluate(formula: &str, environment: &dyn Environment) -> Result<f64, Wrong> {
    let mut reader = Reader { text: formula, at: 0, depth: 0, environment };
    let value = reader.comparison()?;
    reader.skip();
    if reader.at < formula.len() {
        return Err(reader.wrong(format!("`{}` is not expected here", reader.shown()), ""));
    }
    if !value.is_finite() {
        let message = format!("the formula has no finite value: it is {value}");
        return Err(Wrong {
            at: 0,
            message,
            help: match formula.contains("hz") {
                true => {
                    "look for a division by 0, a root of a negative number, or hz of a key without a frequency: of a \
                         fraction of a key both neighbours need one"
                }
                false => "look for a division by 0 or a root of a negative number",
            }
            .into(),
        });
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    environment: &'a dyn Environment,
}

impl<'a> Reader<'a> {
    fn wrong(&self, message: impl Into<String>, help: impl Into<String>) -> Wrong {
        Wrong { at: self.at, message: message.into(), help: help.into() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn shown(&self) -> String {
        self.rest().chars().take(12).collect()
    }

    fn skip(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes the first of these that comes next.
    fn take<'t>(&mut self, tokens: &[&'t str]) -> Option<&'t str> {
        self.skip();
        let found = tokens.iter().find(|token| self.rest().starts_with(**token))?;
        self.at += found.len();
        Some(found)
    }

    fn comparison(&mut self) -> Result<f64, Wrong> {
        let left = self.sum()?;
        let Some(token) = self.take(&["<=", ">=", "==", "!=", "<", ">"]) else { return Ok(left) };
        let right = self.sum()?;
        if left.is_nan() || right.is_nan() {
            return Ok(f64::NAN);
        }
        let holds = match token {
            "<=" => left <= right,
            ">=" => left >= right,
            "==" => left == right,
            "!=" => left != right,
            "<" => left < right,
            _ => left > right,
        };
        Ok(f64::from(u8::from(holds)))
    }

    fn sum(&mut self) -> Result<f64, Wrong> {
        let mut value = self.product()?;
        while let Some(token) = self.take(&["+", "-"]) {
            let next = self.product()?;
            value = if token == "+" { value + next } else { value - next };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, Wrong> {
        let mut value = self.factor()?;
        while let Some(token) = self.take(&["*", "/"]) {
            let next = self.factor()?;
            value = if token == "*" { value * next } else { value / next };
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<f64, Wrong> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let help = format!("at most {MAX_DEPTH} levels are read");
            return Err(self.wrong("the formula is nested too deeply", help));
        }
        let value = match self.take(&["-", "+"]) {
            Some("-") => -self.factor()?,
            Some(_) => self.factor()?,
            None => {
                let base = self.value()?;
                match self.take(&["^"]) {
                    Some(_) => math::pow(base, self.factor()?),
                    None => base,
                }
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn value(&mut self) -> Result<f64, Wrong> {
        if self.take(&["("]).is_some() {
            let value = self.comparison()?;
            return self.close().map(|()| value);
        }
        self.skip();
        match self.rest().chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.name(),
            Some(_) => {
                let message = format!("`{}` is not expected here", self.shown());
                Err(self.wrong(message, "write a number, a name or a parenthesis"))
            }
            None => Err(self.wrong("the formula ends here", "write a number, a name or a parenthesis")),
        }
    }

    fn close(&mut self) -> Result<(), Wrong> {
        match self.take(&[")"]) {
            Some(_) => Ok(()),
            None => Err(self.wrong("a `)` is missing", "")),
        }
    }

    fn number(&mut self) -> Result<f64, Wrong> {
        let bytes = self.rest().as_bytes();
        let mut end = 0;
        while let Some(&byte) = bytes.get(end) {
            let sign = matches!(byte, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            let exponent = matches!(byte, b'e' | b'E')
                && bytes
                    .get(end + 1)
                    .is_some_and(|next| next.is_ascii_digit() || matches!(next, b'+' | b'-'));
            if !(byte.is_ascii_digit() || byte == b'.' || exponent || sign) {
                break;
            }
            end += 1;
        }
        let text = &self.rest()[..end];
        let value = text.parse().map_err(|_| self.wrong(format!("`{text}` is not a number"), ""))?;
        self.at += end;
        Ok(value)
    }

    fn name(&mut self) -> Result<f64, Wrong> {
        let end = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &self.rest()[..end.unwrap_or(self.rest().len())];
        let begin = self.at;
        self.at += name.len();
        if self.take(&["("]).is_none() {
            return self.environment.value(name).ok_or_else(|| {
                let help = format!("it can use {}", self.environment.names().join(", "));
                Wrong { at: begin, message: format!("there is no variable or table `{name}`"), help }
            });
        }
        let mut arguments = vec![self.comparison()?];
        while self.take(&[","]).is_some() {
            arguments.push(self.comparison()?);
        }
        self.close()?;
        let known = function(name, &arguments).or_else(|| self.environment.function(name, &arguments));
        known.ok_or_else(|| {
            let message = format!("there is no function `{name}` of {} arguments", arguments.len());
            Wrong { at: begin, message, help: format!("it can use {FUNCTIONS}") }
        })
    }
}

const FUNCTIONS: &str = "sqrt(x), exp(x), ln(x), log2(x), sin(x), cos(x), abs(x), floor(x), ceil(x), round(x), min(x, y), max(x, y), if(x, y, z) and hz(key)";

fn function(name: &str, arguments: &[f64]) -> Option<f64> {
    // Where nothing depends on what is no number, it would be hidden.
    let unknown = || arguments.iter().any(|x| x.is_nan());
    Some(match (name, arguments) {
        ("sqrt", [x]) => x.sqrt(),
        ("exp", [x]) => math::exp(*x),
        ("ln", [x]) => math::log(*x),
        ("log2", [x]) => math::log2(*x),
        ("sin", [x]) => math::sin(*x),
        ("cos", [x]) => math::cos(*x),
        ("abs", [x]) => x.abs(),
        ("floor", [x]) => x.floor(),
        ("ceil", [x]) => x.ceil(),
        ("round", [x]) => x.round(),
        ("min" | "max", [_, _]) if unknown() => f64::NAN,
        ("if", [condition, _, _]) if condition.is_nan() => f64::NAN,
        ("min", [x, y]) => x.min(*y),
        ("max", [x, y]) => x.max(*y),
        ("if", [condition, yes, no]) => {
            if *condition == 0.0 {
                *no
            } else {
                *yes
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl Environment for Two {
        fn value(&self, name: &str) -> Option<f64> {
            (name == "key").then_some(60.0)
        }
        fn function(&self, name: &str, arguments: &[f64]) -> Option<f64> {
            (name == "hz" && arguments.len() == 1).then(|| 2.0 * arguments[0])
        }
        fn names(&self) -> Vec<String> {
            vec!["key".into()]
        }
    }

    #[test]
    fn operators_bind_as_usual() {
        for (formula, value) in [
            ("1 + 2*3 - 4/8", 6.5),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2^3^2", 512.0),
            ("(1 + 2) * key", 180.0),
            ("1.5e2 + 1e-1", 150.1),
            ("if(key >= 60, 3, 4)", 3.0),
            ("max(1, min(key, 5)) + hz(2)", 9.0),
            ("key < 60", 0.0),
            (" .5 ", 0.5),
        ] {
            assert_eq!(evaluate(formula, &Two), Ok(value), "{formula}");
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        for (formula, at, says) in [
            ("1 + kay", 4, "`kay`"),
            ("1 +", 3, "ends here"),
            ("(1", 2, "`)` is missing"),
            ("foo(1, 2)", 0, "`foo` of 2 arguments"),
            ("1 2", 2, "not expected"),
            ("1/0", 0, "no finite value"),
            ("0/0 < 1", 0, "no finite value"),
            ("max(sqrt(-1), 1)", 0, "no finite value"),
            ("if(0/0, 1, 2)", 0, "no finite value"),
            ("hz(0/0)", 0, "no finite value"),
            ("1..2", 0, "not a number"),
            ("é", 0, "not expected"),
            ("", 0, "ends here"),
        ] {
            let wrong = evaluate(formula, &Two).unwrap_err();
            assert!(wrong.at == at && wrong.message.contains(says), "{formula}: {wrong:?}");
        }
        assert!(evaluate(&"(".repeat(100_000), &Two).is_err());
        assert!(evaluate(&"-".repeat(100_000), &Two).is_err());
    }
}
