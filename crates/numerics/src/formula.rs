//! Formulas as text, read into steps of a stack machine (postfix order).
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
//! The evaluator of the steps defines names and functions. Every step takes its operands from the stack and leaves one value
//! there, so that one value is left at the end.

/// How deep parentheses, powers and signs may be nested.
const MAX_DEPTH: u32 = 64;

/// A step of the stack machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// Puts a number on the stack.
    Number(f64),
    /// Puts what a name stands for on the stack.
    Name {
        /// The name.
        name: &'a str,
        /// The byte at which it begins.
        at: usize,
    },
    /// Takes so many values, the last argument first, and puts the value of the function there.
    Call {
        /// The function.
        name: &'a str,
        /// How many arguments it is given, at least one.
        arguments: usize,
        /// The byte at which it begins.
        at: usize,
    },
    /// Changes the sign of the last value.
    Negate,
    /// Takes two values, the right one first.
    Binary {
        /// What is computed of them.
        operation: Binary,
        /// The byte of its operator.
        at: usize,
    },
}

impl Step<'_> {
    /// Whether it pushes the value of this name.
    pub fn reads(&self, own: &str) -> bool {
        matches!(self, Step::Name { name, .. } if *name == own)
    }
}

/// A binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// left + right.
    Add,
    /// left − right.
    Subtract,
    /// left · right.
    Multiply,
    /// left / right.
    Divide,
    /// left to the power of right.
    Power,
    /// left < right.
    Less,
    /// left ≤ right.
    AtMost,
    /// left > right.
    Greater,
    /// left ≥ right.
    AtLeast,
    /// left = right.
    Equal,
    /// left ≠ right.
    Unequal,
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

/// The steps of a formula.
///
/// ```
/// use hamiltone_numerics::formula::{Binary, Step, parse};
///
/// let steps = parse("2*x")?;
/// let times = Step::Binary { operation: Binary::Multiply, at: 1 };
/// assert_eq!(steps, [Step::Number(2.0), Step::Name { name: "x", at: 2 }, times]);
/// # Ok::<(), hamiltone_numerics::formula::Wrong>(())
/// ```
///
/// # Errors
/// What is wrong with its text; a number that is too large for an `f64`.
pub fn parse(formula: &str) -> Result<Vec<Step<'_>>, Wrong> {
    let mut reader = Reader { text: formula, at: 0, depth: 0, steps: Vec::new() };
    reader.comparison()?;
    reader.skip();
    if reader.at < formula.len() {
        return Err(reader.wrong(format!("`{}` is not expected here", reader.shown()), ""));
    }
    Ok(reader.steps)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    steps: Vec<Step<'a>>,
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

    /// Reads the first of these operators that comes next, if one does, and makes a step of it.
    fn operator(&mut self, operators: &[(&str, Binary)]) -> Option<Step<'a>> {
        let (token, operation) = *operators.iter().find(|(token, _)| self.takes(token))?;
        Some(Step::Binary { operation, at: self.at - token.len() })
    }

    /// Reads this token, if it comes next.
    fn takes(&mut self, token: &str) -> bool {
        self.skip();
        let comes = self.rest().starts_with(token);
        self.at += if comes { token.len() } else { 0 };
        comes
    }

    fn comparison(&mut self) -> Result<(), Wrong> {
        // Operands push their steps first, the operator follows: postfix order.
        self.sum()?;
        // Longer operators first, since `<` begins `<=`. There is one comparison at most: `a < b < c` is refused as
        // not expected.
        let operator = self.operator(&[
            ("<=", Binary::AtMost),
            (">=", Binary::AtLeast),
            ("==", Binary::Equal),
            ("!=", Binary::Unequal),
            ("<", Binary::Less),
            (">", Binary::Greater),
        ]);
        if let Some(step) = operator {
            self.sum()?;
            self.steps.push(step);
        }
        Ok(())
    }

    fn sum(&mut self) -> Result<(), Wrong> {
        self.product()?;
        while let Some(step) = self.operator(&[("+", Binary::Add), ("-", Binary::Subtract)]) {
            self.product()?;
            self.steps.push(step);
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), Wrong> {
        self.factor()?;
        while let Some(step) = self.operator(&[("*", Binary::Multiply), ("/", Binary::Divide)]) {
            self.factor()?;
            self.steps.push(step);
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<(), Wrong> {
        // Every recursion of this grammar passes here, so that this count bounds the stack.
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let help = format!("at most {MAX_DEPTH} levels are read");
            return Err(self.wrong("the formula is nested too deeply", help));
        }
        // A sign binds less than a power: −x^2 is −(x²).
        if self.takes("-") {
            self.factor()?;
            self.steps.push(Step::Negate);
        } else if self.takes("+") {
            self.factor()?;
        } else {
            self.value()?;
            // The exponent is a factor: powers associate to the right, and x^-2 needs no parentheses.
            if let Some(step) = self.operator(&[("^", Binary::Power)]) {
                self.factor()?;
                self.steps.push(step);
            }
        }
        // Errors leave it as it is: they end the reading.
        self.depth -= 1;
        Ok(())
    }

    fn value(&mut self) -> Result<(), Wrong> {
        if self.takes("(") {
            self.comparison()?;
            return self.close();
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
        if self.takes(")") { Ok(()) } else { Err(self.wrong("a `)` is missing", "")) }
    }

    fn number(&mut self) -> Result<(), Wrong> {
        let bytes = self.rest().as_bytes();
        let mut end = 0;
        while let Some(&byte) = bytes.get(end) {
            // A sign belongs to a number only behind its e. The first byte is a digit or a point, so that one precedes it.
            let sign = matches!(byte, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            // An e without a digit or a sign behind it begins a name, which the grammar then refuses.
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
        let value: f64 = text.parse().map_err(|_| self.wrong(format!("`{text}` is not a number"), ""))?;
        if !value.is_finite() {
            let help = format!("numbers go up to {:e}", f64::MAX);
            return Err(self.wrong(format!("the number `{text}` is too large"), help));
        }
        self.at += end;
        self.steps.push(Step::Number(value));
        Ok(())
    }

    fn name(&mut self) -> Result<(), Wrong> {
        let end = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (name, at) = (&self.rest()[..end.unwrap_or(self.rest().len())], self.at);
        self.at += name.len();
        if !self.takes("(") {
            self.steps.push(Step::Name { name, at });
            return Ok(());
        }
        let mut arguments = 1;
        self.comparison()?;
        while self.takes(",") {
            self.comparison()?;
            arguments += 1;
        }
        self.close()?;
        self.steps.push(Step::Call { name, arguments, at });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_in_postfix_order() {
        let (a, b) = (Step::Name { name: "a", at: 1 }, Step::Name { name: "b", at: 7 });
        let call = Step::Call { name: "max", arguments: 2, at: 3 };
        let minus = Step::Binary { operation: Binary::Subtract, at: 2 };
        let all = [a, b, Step::Number(2.0), call, minus, Step::Negate];
        assert_eq!(parse("(a"), Err(Wrong { at: 2, message: "a `)` is missing".into(), help: "".into() }));
        assert_eq!(parse("-(a)-0").unwrap().len(), 4);
        let shifted: Vec<Step<'_>> = parse(" a-max(b,2)").unwrap();
        assert_eq!(shifted[..], all[..5]);
    }

    #[test]
    fn numbers_are_finite() {
        let wrong = parse("2 * 1e400").unwrap_err();
        assert_eq!((wrong.at, wrong.message.as_str()), (4, "the number `1e400` is too large"));
    }

    #[test]
    fn nesting_has_an_end() {
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"-".repeat(100_000)).is_err());
        assert_eq!(parse(&["1"; 100_000].join("+")).unwrap().len(), 199_999);
    }
}
