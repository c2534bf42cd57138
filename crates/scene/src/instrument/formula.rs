//! Formulas in the values of an instrument: `"{8.7 - 0.05*(key - 21)} g"`, in the grammar of
//! [`hamiltone_numerics::formula`].
//!
//! Names are variables and tables, whose values an [`Environment`] knows. Functions: `sqrt exp ln log2 sin cos abs floor ceil
//! round min max if`, where `if(condition, then, else)` takes the second argument where the first is not 0. They are those of
//! [`hamiltone_numerics::math`], so that an instrument is the same on every machine. Formulas have no units: the unit
//! stands behind the braces.

use hamiltone_numerics::{
    formula::{Binary, Step, Wrong, parse},
    math,
};

/// What names mean.
pub trait Environment {
    /// The value of a variable or table.
    fn value(&self, name: &str) -> Option<f64>;

    /// The value of a function that only this environment has.
    fn function(&self, name: &str, arguments: &[f64]) -> Option<f64>;

    /// All names, for messages.
    fn names(&self) -> Vec<String>;
}

/// The value of a formula.
///
/// # Errors
/// What is wrong with its text; a value that is no finite number.
pub fn evaluate(formula: &str, environment: &dyn Environment) -> Result<f64, Wrong> {
    let mut stack: Vec<f64> = Vec::new();
    for step in parse(formula)? {
        let value = match step {
            Step::Number(x) => x,
            Step::Name { name, at } => environment.value(name).ok_or_else(|| {
                let help = format!("it can use {}", environment.names().join(", "));
                Wrong { at, message: format!("there is no variable or table `{name}`"), help }
            })?,
            Step::Call { name, arguments, at } => {
                let given = stack.split_off(stack.len() - arguments);
                let known = function(name, &given).or_else(|| environment.function(name, &given));
                known.ok_or_else(|| {
                    let message = format!("there is no function `{name}` of {arguments} arguments");
                    Wrong { at, message, help: format!("it can use {FUNCTIONS}") }
                })?
            }
            Step::Negate => -taken(&mut stack),
            Step::Binary { operation, .. } => {
                let right = taken(&mut stack);
                binary(operation, taken(&mut stack), right)
            }
        };
        stack.push(value);
    }
    let value = taken(&mut stack);
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

/// The last value; steps never take more than there are.
fn taken(stack: &mut Vec<f64>) -> f64 {
    stack.pop().unwrap_or(f64::NAN)
}

fn binary(operation: Binary, left: f64, right: f64) -> f64 {
    let holds = match operation {
        Binary::Add => return left + right,
        Binary::Subtract => return left - right,
        Binary::Multiply => return left * right,
        Binary::Divide => return left / right,
        Binary::Power => return math::pow(left, right),
        _ if left.is_nan() || right.is_nan() => return f64::NAN,
        Binary::AtMost => left <= right,
        Binary::AtLeast => left >= right,
        Binary::Equal => left == right,
        Binary::Unequal => left != right,
        Binary::Less => left < right,
        Binary::Greater => left > right,
    };
    f64::from(u8::from(holds))
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
