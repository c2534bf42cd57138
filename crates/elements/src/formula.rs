//! A contact law whose potential is a formula V(x) of the penetration x (m), J; per metre along a body, per m² where
//! forces are pressures.
//!
//!   f = V′(x) (1 + μẋ),   x = c·q − h,   |x| ≤ X;      f = V′(X) + V″(X)(x − X) beyond
//!
//! On one side V counts for x > 0 and is 0 before, else on both. X (m) is the reach of the formula: beyond it the law
//! goes on along its tangent, so that a formula that overflows or has a pole beyond X cannot fail. V − V(0) is what is
//! stored.
//!
//! The quotient is the divided difference V[x, x+s] of [`crate::slope`], in which nothing is divided by s; where terms of V
//! cancel near 0 that of their series is taken ([`crate::near_zero`]). A step across 0 or X is the mean of its parts,
//! weighted by their lengths. V must have V′(0) = 0 and be convex: see
//! [`crate::convexity`] for how this is tested.

use crate::{
    convexity::check,
    near_zero::with_series,
    power::{GAP, LOSS},
    program::{Program, VARIABLE},
};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    identity::Identity,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Rule, Takes, Values},
    potential::Potential,
};
use hamiltone_numerics::formula::{Wrong, parse};
use std::collections::BTreeMap;

/// Where a potential counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// For x > 0.
    One,
    /// Everywhere.
    Both,
}

/// The straight line by which the force goes on beyond a place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tangent {
    at: f64,
    force: f64,
    stiffness: f64,
}

impl Tangent {
    /// The force at a distance beyond.
    fn force(&self, beyond: f64) -> f64 {
        self.force + self.stiffness * beyond
    }
}

/// V from a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    program: Program,
    sides: Sides,
    low: Tangent,
    high: Tangent,
    /// Of the text and the numbers that all of this follows from.
    identity: Identity,
}

impl Formula {
    /// The law of a formula of `x` with these constants, used up to the reach X > 0 (m).
    ///
    /// ```
    /// use hamiltone_core::potential::Potential;
    /// use hamiltone_elements::{Formula, Sides};
    ///
    /// let constants = [("K".to_string(), 1e9)].into();
    /// let felt = Formula::new("K*x^3.5/3.5", &constants, Sides::One, 1.0)?;
    /// assert!((felt.force(1e-3) / (1e9 * 1e-3_f64.powf(2.5)) - 1.0).abs() < 1e-15);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where the formula cannot be read or is not a convex potential, or a constant is not used.
    pub fn new(
        potential: &str,
        constants: &BTreeMap<String, f64>,
        sides: Sides,
        reach: f64,
    ) -> Result<Self, Complaint> {
        let reach = Range::POSITIVE.check("reach", reach)?;
        if let Some(name) = constants.keys().find(|name| !is_name(name)) {
            let complaint = Complaint::new("constants", format!("has the name `{name}`"));
            return Err(
                complaint.help("names begin with a letter, have letters, digits and _, and are not `x`")
            );
        }
        let wrong = |Wrong { at, message, help }| {
            Complaint::new("potential", format!("cannot be used: {message}")).help(help).at(at)
        };
        let steps = parse(potential).map_err(wrong)?;
        let program = Program::new(&steps, constants).map_err(wrong)?;
        if let Some(name) = constants.keys().find(|name| !steps.iter().any(|step| step.reads(name))) {
            let complaint =
                Complaint::new("constants", format!("has `{name}`, which the formula does not use"));
            return Err(complaint.help("leave it out, or write it in the formula"));
        }
        let signs: &[f64] = if sides == Sides::Both { &[1.0, -1.0] } else { &[1.0] };
        check(&program, signs, reach)?;
        let program = with_series(program, signs, reach);
        let end = |x: f64| {
            let slope = program.run(x, 0.0);
            Tangent { at: x, force: slope.mean, stiffness: (2.0 * slope.bend).max(0.0) }
        };
        let named = |identity: Identity, (name, value): (&String, &f64)| identity.text(name).number(*value);
        let identity = Identity::of("formula").text(potential).each(constants, named);
        let identity = identity.count(sides as usize).number(reach);
        let rest = Tangent { at: 0.0, force: 0.0, stiffness: 0.0 };
        let low = if sides == Sides::Both { end(-reach) } else { rest };
        Ok(Self { high: end(reach), low, sides, program, identity })
    }

    /// The law along a row, acting beyond the gap h, m.
    pub fn at_gap(self, gap: f64) -> ElementLaw {
        ElementLaw { law: Law::Compliant(Compliant::new(self)), gap }
    }

    /// The place nearest to x at which the formula is used.
    fn inside(&self, x: f64) -> f64 {
        // NaN stays NaN.
        if x < self.low.at {
            self.low.at
        } else if x > self.high.at {
            self.high.at
        } else {
            x
        }
    }

    /// The end of the formula that x lies beyond, where it does.
    fn end(&self, x: f64) -> &Tangent {
        if x < self.low.at { &self.low } else { &self.high }
    }
}

/// Whether formulas can use a name for a constant.
fn is_name(name: &str) -> bool {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    letters && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name != VARIABLE
}

impl Potential for Formula {
    fn energy(&self, x: f64) -> f64 {
        if x <= self.onset() {
            return 0.0;
        }
        let inside = self.inside(x);
        let beyond = x - inside;
        let within = if inside == 0.0 { 0.0 } else { inside * self.program.run(0.0, inside).mean };
        within + beyond * self.end(x).force(0.5 * beyond)
    }

    fn force(&self, x: f64) -> f64 {
        if x <= self.onset() {
            return 0.0;
        }
        let inside = self.inside(x);
        if inside == x { self.program.run(x, 0.0).mean } else { self.end(x).force(x - inside) }
    }

    fn curvature(&self, x: f64) -> f64 {
        if x <= self.onset() {
            return 0.0;
        }
        let within = || (2.0 * self.program.run(x, 0.0).bend).max(0.0);
        if self.inside(x) == x { within() } else { self.end(x).stiffness }
    }

    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let y = x + s;
        let onset = self.onset();
        if x <= onset && y <= onset {
            return (0.0, 0.0);
        }
        if x <= onset || y <= onset {
            let mean = (self.energy(y) - self.energy(x)) / s;
            return (mean, ((self.force(y) - mean) / s).max(0.0));
        }
        let (from, to) = (self.inside(x), self.inside(y));
        if from == x && to == y {
            let slope = self.program.run(x, s);
            return (slope.mean, slope.bend.max(0.0));
        }
        if from == to {
            let end = self.end(if from == x { y } else { x });
            return (end.force(0.5 * ((x - from) + (y - to))), 0.5 * end.stiffness);
        }
        let way = to - from;
        let (before, behind) = (from - x, if from == x { s - way } else { y - to });
        let within = way * self.program.run(from, way).mean;
        let outside = before * self.end(x).force(-0.5 * before) + behind * self.end(y).force(0.5 * behind);
        let mean = (outside + within) / s;
        (mean, ((self.force(y) - mean) / s).max(0.0))
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn onset(&self) -> f64 {
        if self.sides == Sides::One { 0.0 } else { f64::NEG_INFINITY }
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "formula",
        summary: "a potential given as a formula, on one side or both, with Hunt–Crossley loss",
        equation: "f = V′(x) (1 + μẋ),  x = first − second − h,  V convex",
        source: "Rall and Reps 2001 (divided differences of programs)",
        parameters: &[
            Parameter {
                name: "potential",
                takes: Takes::Formula(&[
                    "1e9*K*x^2.5/2.5",
                    "1e6*K*x^2*exp(x/d)",
                    "1e6*(x^2 + 3e5*x^4)/2",
                    "2e5*K*d^2*sinh(x/(2*d))^2",
                    "1e9*abs(x)^3",
                    "1e6*x^2/(1 + sqrt(1 + (x/1e-4)^2))",
                    "1e8*x^2*log1p(x/1e-3)",
                    "1e6*K*d^2*(exp(x/d) - 1 - x/d)",
                    "1e6*K*d*(x - d*tanh(x/d))",
                ]),
                absent: Absent::Required,
                doc: "V, J, of the penetration x, m, with V′(0) = 0 and a force that never falls (J/m along a body, J/m² on a body per unit area); terms may cancel near 0; pi; functions sqrt exp expm1 log ln log1p sin cos sinh cosh tanh abs",
            },
            Parameter {
                name: "constants",
                takes: Takes::Constants(&["K", "d"]),
                absent: Absent::Optional("the formula has numbers alone"),
                doc: "the names that the formula uses besides x, with their numbers, SI or with a unit",
            },
            Parameter {
                name: "sides",
                takes: Takes::Word(&["one", "both"]),
                absent: Absent::Word("one"),
                doc: "whether V counts for x > 0 alone, and is 0 before, or everywhere",
            },
            Parameter {
                name: "reach",
                takes: Takes::Number(Role::Displacement, Range::POSITIVE),
                absent: Absent::Number(1.0),
                doc: "X, up to which |x| the formula is used; beyond, the force goes on along its tangent",
            },
            GAP,
            LOSS,
        ],
        rules: &[Rule::OnlyWith { parameters: &["loss"], key: "sides", word: "one" }],
    },
    make: |values: &Values| {
        let sides = if values.word("sides") == Some("both") { Sides::Both } else { Sides::One };
        let none = BTreeMap::new();
        let constants = values.constants("constants").unwrap_or(&none);
        let text = values.word("potential").ok_or_else(|| Complaint::new("potential", "is missing"))?;
        let law = Formula::new(text, constants, sides, values.required("reach")?)?;
        law.at_gap(values.required("gap")?).with_loss(values.required("loss")?)
    },
};
