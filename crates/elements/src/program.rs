//! A formula of one variable as a program: steps of a stack machine on a stack of fixed size.
//!
//!   V[x, y], V[x, y, y] of V(x) over a step from x to y = x + s
//!
//! What depends on constants alone is computed when the program is made, and must be finite. The same program runs on
//! [`Slope`]s, for the rounding of V′ on [`crate::rounding::Rounded`] expressions, and for V near 0 on [`crate::series::Series`].

use crate::{arithmetic::Arithmetic, expansion::Near, exponent::Exponent, functions::Function, slope::Slope};
use hamiltone_numerics::{
    formula::{Binary, Step, Wrong},
    math,
};
use std::{collections::BTreeMap, ops::Range};

/// How many values may wait for their operators.
const STACK: usize = 24;
/// How many steps a program may have: it runs at every step of a simulation.
const LONGEST: usize = 256;
/// The largest whole exponent of a power that is taken by products.
const WHOLE: f64 = 64.0;

/// The variable.
pub(crate) const VARIABLE: &str = "x";
/// π, unless a constant has its name.
const PI: &str = "pi";

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
    /// The value of the next so many operations by a series, where that holds.
    Near {
        series: usize,
        skip: usize,
    },
}

/// A formula, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    operations: Vec<Op>,
    near: Vec<Near>,
}

impl Program {
    /// The program of the steps of a formula of x with these constants.
    ///
    /// # Errors
    /// What is wrong with the formula.
    pub fn new(steps: &[Step<'_>], constants: &BTreeMap<String, f64>) -> Result<Self, Wrong> {
        let mut program = Self { operations: Vec::new(), near: Vec::new() };
        let mut depth = 0_usize;
        for step in steps {
            match *step {
                Step::Number(c) => program.operations.push(Op::Constant(c)),
                Step::Name { name: VARIABLE, .. } => program.operations.push(Op::Variable),
                Step::Name { name, at } => {
                    program.operations.push(Op::Constant(constant(name, at, constants)?))
                }
                Step::Call { name, arguments, at } => {
                    program.one(Op::Apply(function(name, arguments, at)?));
                    program.finite(at)?;
                }
                Step::Negate => program.one(Op::Negate),
                Step::Binary { operation, at } => {
                    program.two(operation, at)?;
                    program.finite(at)?;
                }
            }
            depth = match step {
                Step::Number(_) | Step::Name { .. } => depth + 1,
                Step::Binary { .. } => depth - 1,
                Step::Call { .. } | Step::Negate => depth,
            };
            if depth > STACK || program.operations.len() > LONGEST {
                let message = "the formula is too long for a law that is computed at every step".into();
                let help =
                    format!("at most {LONGEST} operations, of which {STACK} wait for others, are taken");
                return Err(Wrong { at: 0, message, help });
            }
        }
        Ok(program)
    }

    /// V(y), V[x, y], V′(y) and V[x, y, y].
    pub fn run(&self, x: f64, s: f64) -> Slope {
        self.on(x, s)
    }

    /// The first exponent p of a power that negative numbers have not.
    pub fn power(&self) -> Option<f64> {
        self.operations.iter().find_map(|op| match op {
            Op::Apply(Function::Real(less)) => Some(less.alpha + 1.0),
            _ => None,
        })
    }

    /// Where the operations of sums, differences and quotients lie, parts before what they are part of.
    pub fn sums(&self) -> Vec<Range<usize>> {
        // Where the operations of each waiting value begin.
        let (mut begins, mut found): (Vec<usize>, _) = (Vec::new(), Vec::new());
        for (at, op) in self.operations.iter().enumerate() {
            match op {
                Op::Constant(_) | Op::Variable => begins.push(at),
                Op::Negate | Op::Invert | Op::Apply(_) | Op::Near { .. } => {}
                Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power => {
                    begins.pop();
                    if let (Op::Add | Op::Subtract | Op::Divide, Some(begin)) = (op, begins.last()) {
                        found.push(*begin..at + 1);
                    }
                }
            }
        }
        found
    }

    /// Where all operations lie.
    pub fn all(&self) -> Range<usize> {
        0..self.operations.len()
    }

    /// A part of a program without series, with those of parts of it.
    pub fn part(&self, part: &Range<usize>, series: &[(Range<usize>, Near)]) -> Self {
        let within =
            |inner: &Range<usize>, outer: &Range<usize>| outer.start <= inner.start && inner.end <= outer.end;
        let own = || series.iter().filter(|(range, _)| within(range, part));
        let mut made = Self { operations: Vec::new(), near: own().map(|(_, near)| near.clone()).collect() };
        for at in part.clone() {
            // Those that begin here, the longest first: they were found last.
            let all: Vec<_> = own().enumerate().filter(|(_, (range, _))| range.start == at).collect();
            for (series, (range, _)) in all.into_iter().rev() {
                let inner = own().take(series).filter(|(other, _)| within(other, range)).count();
                made.operations.push(Op::Near { series, skip: range.len() + inner });
            }
            made.operations.push(self.operations[at]);
        }
        made
    }

    /// The program on another arithmetic.
    pub fn on<T: Arithmetic>(&self, x: f64, s: f64) -> T {
        let mut stack: [T; STACK] = std::array::from_fn(|_| T::constant(0.0));
        let mut top = 0;
        let mut next = 0;
        while let Some(op) = self.operations.get(next) {
            next += 1;
            if let Op::Near { series, skip } = *op {
                if let Some(value) = T::near(&self.near[series], x, s) {
                    stack[top] = value;
                    top += 1;
                    next += skip;
                }
                continue;
            }
            // The last value is the right operand.
            let last = stack[top.max(1) - 1].clone();
            let (taken, made) = match *op {
                Op::Constant(c) => (0, T::constant(c)),
                Op::Variable => (0, T::variable(x, s)),
                Op::Negate => (1, last.negated()),
                Op::Invert => (1, T::constant(1.0).over(last)),
                Op::Apply(function) => (1, last.apply(function, s)),
                two => {
                    let left = stack[top - 2].clone();
                    let made = match two {
                        Op::Add => left.plus(last),
                        Op::Subtract => left.plus(last.negated()),
                        Op::Multiply => left.times(last),
                        Op::Divide => left.over(last),
                        _ => last.times(left.apply(Function::Log, s)).apply(Function::Exp, s),
                    };
                    (2, made)
                }
            };
            top = top + 1 - taken;
            stack[top - 1] = made;
        }
        let [result, ..] = stack;
        result
    }

    /// Adds an operation on the last value, at once where that is a constant.
    fn one(&mut self, op: Op) {
        let constant = matches!(self.operations.last(), Some(Op::Constant(_)));
        self.operations.push(op);
        if constant {
            self.fold(2);
        }
    }

    /// Adds an operation on the last two values, at once where both are constants.
    fn two(&mut self, operation: Binary, at: usize) -> Result<(), Wrong> {
        let op = match operation {
            Binary::Add => Op::Add,
            Binary::Subtract => Op::Subtract,
            Binary::Multiply => Op::Multiply,
            Binary::Divide => Op::Divide,
            Binary::Power => Op::Power,
            _ => {
                let message = "a comparison has no slope".into();
                let help = "write a smooth formula, or use law = \"table\" for a force in pieces".into();
                return Err(Wrong { at, message, help });
            }
        };
        match (op, &self.operations[..]) {
            (Op::Power, [.., Op::Constant(base), Op::Constant(p)]) => {
                let power = math::pow(*base, *p);
                self.operations.truncate(self.operations.len() - 2);
                self.operations.push(Op::Constant(power));
            }
            (Op::Divide, [.., Op::Constant(0.0)]) => {
                let help = "what it divides by is the constant 0".into();
                return Err(Wrong { at, message: "the formula divides by 0".into(), help });
            }
            (_, [.., Op::Constant(_), Op::Constant(_)]) => {
                self.operations.push(op);
                self.fold(3);
            }
            (Op::Power, [.., Op::Constant(p)]) => {
                let p = *p;
                self.operations.pop();
                self.push_power(p);
            }
            _ => self.operations.push(op),
        }
        Ok(())
    }

    /// Adds the power p of the last value.
    fn push_power(&mut self, p: f64) {
        let whole = p.fract() == 0.0 && p.abs() <= WHOLE;
        match whole {
            // u⁰ = 1, also at u = 0.
            true if p == 0.0 => {
                self.operations.extend([Op::Constant(0.0), Op::Multiply, Op::Constant(1.0), Op::Add])
            }
            true if p.abs() == 1.0 => {}
            true => self.operations.push(Op::Apply(Function::Whole(p.abs() as usize))),
            false if p == 0.5 => self.operations.push(Op::Apply(Function::Sqrt)),
            false => self.operations.push(Op::Apply(Function::Real(Exponent::any(p - 1.0)))),
        }
        if whole && p < 0.0 {
            self.operations.push(Op::Invert);
        }
    }

    /// Complains of a last operation, at this byte, whose value is a constant that is not finite.
    fn finite(&self, at: usize) -> Result<(), Wrong> {
        match self.operations.last() {
            Some(Op::Constant(c)) if !c.is_finite() => {
                let message = format!("this operation on constants gives {c}");
                Err(Wrong { at, message, help: "the constant parts of a formula must be finite".into() })
            }
            _ => Ok(()),
        }
    }

    /// Puts the value of the last operations, which depend on constants alone, in their place.
    fn fold(&mut self, count: usize) {
        let operations = self.operations.split_off(self.operations.len() - count);
        let constant = Self { operations, near: Vec::new() };
        self.operations.push(Op::Constant(constant.run(0.0, 0.0).to));
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

fn constant(name: &str, at: usize, constants: &BTreeMap<String, f64>) -> Result<f64, Wrong> {
    match constants.get(name) {
        Some(c) if c.is_finite() => Ok(*c),
        Some(c) => Err(Wrong { at, message: format!("the constant `{name}` is {c}"), help: String::new() }),
        None if name == PI => Ok(std::f64::consts::PI),
        None => {
            let names: Vec<&str> =
                [VARIABLE, PI].into_iter().chain(constants.keys().map(String::as_str)).collect();
            let help = format!("it can use {}; add `{name}` to `constants`", names.join(", "));
            Err(Wrong { at, message: format!("there is no constant `{name}`"), help })
        }
    }
}
