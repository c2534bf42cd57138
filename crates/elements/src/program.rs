//! A formula of one variable as a program of [`Slope`]s: steps of a stack machine on a stack of fixed size.
//!
//!   V[x, y], V[x, y, y] of V(x) over a step from x to y = x + s
//!
//! What depends on constants alone is worked out when the program is made.

use crate::{exponent::Exponent, functions::Function, slope::Slope};
use hamiltone_numerics::{
    formula::{Binary, Step, Wrong, parse},
    math,
};
use std::collections::BTreeMap;

/// How many values may wait for their operators.
const STACK: usize = 24;
/// How many steps a program may have: it runs at every step of a simulation.
const LONGEST: usize = 256;
/// The largest whole exponent of a power that is taken by products.
const WHOLE: f64 = 64.0;

/// The variable.
pub(crate) const VARIABLE: &str = "x";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Constant(f64),
    Variable,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    /// u^v = exp(v log u).
    Power,
    /// 1/u.
    Invert,
    Apply(Function),
}

/// A formula, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program(Vec<Op>);

impl Program {
    /// The program of a formula of x with these constants.
    ///
    /// # Errors
    /// What is wrong with the formula.
    pub fn new(formula: &str, constants: &BTreeMap<String, f64>) -> Result<Self, Wrong> {
        let mut program = Self(Vec::new());
        let mut depth = 0_usize;
        for step in parse(formula)? {
            match step {
                Step::Number(c) => program.0.push(Op::Constant(c)),
                Step::Name { name: VARIABLE, .. } => program.0.push(Op::Variable),
                Step::Name { name, at } => match constants.get(name) {
                    Some(c) => program.0.push(Op::Constant(*c)),
                    None => return Err(unknown(name, at, constants)),
                },
                Step::Call { name, arguments, at } => program.one(Op::Apply(function(name, arguments, at)?)),
                Step::Negate => program.one(Op::Negate),
                Step::Binary(binary) => program.two(binary)?,
            }
            depth = match step {
                Step::Number(_) | Step::Name { .. } => depth + 1,
                Step::Binary(_) => depth - 1,
                Step::Call { .. } | Step::Negate => depth,
            };
            if depth > STACK || program.0.len() > LONGEST {
                let message = "the formula is too long for a law that is worked out at every step".into();
                let help =
                    format!("at most {LONGEST} operations, of which {STACK} wait for others, are taken");
                return Err(Wrong { at: 0, message, help });
            }
        }
        Ok(program)
    }

    /// V(y), V[x, y], V′(y) and V[x, y, y].
    pub fn run(&self, x: f64, s: f64) -> Slope {
        let mut stack = [Slope::constant(0.0); STACK];
        let mut top = 0;
        for op in &self.0 {
            // The last value is the right operand.
            let last = stack[top.max(1) - 1];
            let (taken, made) = match *op {
                Op::Constant(c) => (0, Slope::constant(c)),
                Op::Variable => (0, Slope::variable(x, s)),
                Op::Negate => (1, last.negated()),
                Op::Invert => (1, Slope::constant(1.0).over(last)),
                Op::Apply(function) => (1, function.of(last, s)),
                two => {
                    let left = stack[top - 2];
                    let made = match two {
                        Op::Add => left.plus(last),
                        Op::Subtract => left.plus(last.negated()),
                        Op::Multiply => left.times(last),
                        Op::Divide => left.over(last),
                        _ => Function::Exp.of(last.times(Function::Log.of(left, s)), s),
                    };
                    (2, made)
                }
            };
            top = top + 1 - taken;
            stack[top - 1] = made;
        }
        stack[0]
    }

    /// Adds an operation on the last value, at once where that is a constant.
    fn one(&mut self, op: Op) {
        let constant = matches!(self.0.last(), Some(Op::Constant(_)));
        self.0.push(op);
        if constant {
            self.fold(2);
        }
    }

    /// Adds an operation on the last two values, at once where both are constants.
    fn two(&mut self, binary: Binary) -> Result<(), Wrong> {
        let op = match binary {
            Binary::Add => Op::Add,
            Binary::Subtract => Op::Subtract,
            Binary::Multiply => Op::Multiply,
            Binary::Divide => Op::Divide,
            Binary::Power => Op::Power,
            _ => {
                let message = "a comparison has no slope".into();
                let help = "write a smooth formula, or use law = \"table\" for a force in pieces".into();
                return Err(Wrong { at: 0, message, help });
            }
        };
        match (op, &self.0[..]) {
            (Op::Power, [.., Op::Constant(base), Op::Constant(p)]) => {
                let power = math::pow(*base, *p);
                self.0.truncate(self.0.len() - 2);
                self.0.push(Op::Constant(power));
            }
            (_, [.., Op::Constant(_), Op::Constant(_)]) => {
                self.0.push(op);
                self.fold(3);
            }
            (Op::Power, [.., Op::Constant(p)]) => {
                let p = *p;
                self.0.pop();
                self.power(p);
            }
            _ => self.0.push(op),
        }
        Ok(())
    }

    /// Adds the power p of the last value.
    fn power(&mut self, p: f64) {
        let whole = p.fract() == 0.0 && p.abs() <= WHOLE;
        match whole {
            // u⁰ = 1, also at u = 0.
            true if p == 0.0 => self.0.extend([Op::Constant(0.0), Op::Multiply, Op::Constant(1.0), Op::Add]),
            true if p.abs() == 1.0 => {}
            true => self.0.push(Op::Apply(Function::Whole(p.abs() as usize))),
            false if p == 0.5 => self.0.push(Op::Apply(Function::Sqrt)),
            false => self.0.push(Op::Apply(Function::Real(Exponent::any(p - 1.0)))),
        }
        if whole && p < 0.0 {
            self.0.push(Op::Invert);
        }
    }

    /// Puts the value of the last operations, which depend on constants alone, in their place.
    fn fold(&mut self, count: usize) {
        let operations = self.0.split_off(self.0.len() - count);
        self.0.push(Op::Constant(Self(operations).run(0.0, 0.0).to));
    }
}

fn function(name: &str, arguments: usize, at: usize) -> Result<Function, Wrong> {
    let known = Function::NAMED.iter().find(|(known, _)| *known == name).map(|(_, function)| *function);
    known.filter(|_| arguments == 1).ok_or_else(|| {
        let plural = if arguments == 1 { "argument" } else { "arguments" };
        let message = format!("there is no function `{name}` of {arguments} {plural}");
        let names: Vec<String> = Function::NAMED.iter().map(|(name, _)| format!("{name}(u)")).collect();
        Wrong { at, message, help: format!("it can use {} and powers u^p", names.join(", ")) }
    })
}

fn unknown(name: &str, at: usize, constants: &BTreeMap<String, f64>) -> Wrong {
    let names: Vec<&str> = [VARIABLE].into_iter().chain(constants.keys().map(String::as_str)).collect();
    let help = format!("it can use {}; add `{name}` to `constants`", names.join(", "));
    Wrong { at, message: format!("there is no constant `{name}`"), help }
}
