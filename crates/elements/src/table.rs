//! A one-sided contact law from a table of forces fᵢ ≥ 0 (N; N/m along a body, Pa per unit area) at penetrations xᵢ (m).
//!
//!   f = fᵢ + kᵢ(x − xᵢ),   V = Vᵢ + (fᵢ + f)/2 (x − xᵢ),   kᵢ = (fᵢ₊₁ − fᵢ)/(xᵢ₊₁ − xᵢ),   xᵢ ≤ x < xᵢ₊₁
//!
//! from (0, 0) on; beyond the last pair with the last slope; times 1 + μẋ. Forces must not fall, since V is then convex
//! and every implicit step has one solution (C15 §4).
//!
//! Quotient over pieces of lengths wⱼ, mean forces mⱼ and rises rⱼ = kⱼwⱼ, R = Σ rⱼ, from x in the direction of s:
//!
//!   D = Σ wⱼmⱼ/|s|,   ∂D/∂s = (R − Σ wⱼ(r₀ + … + rⱼ₋₁ + rⱼ/2)/|s|)/|s|
//!
//! Lengths are counted from x, so that a step may be smaller than a rounding of x. No force is subtracted from another
//! in D, and only rises are in its slope.

use crate::power::{GAP, LOSS};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    identity::Identity,
    parameter::{Absent, Column, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
    potential::Potential,
};

/// The pieces of a table, each from its knot on.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    pieces: Vec<Piece>,
    onset: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Piece {
    /// xᵢ.
    at: f64,
    /// fᵢ.
    force: f64,
    /// kᵢ.
    stiffness: f64,
    /// Vᵢ.
    energy: f64,
}

/// What has been passed of a step.
#[derive(Default)]
struct Passed {
    /// Σ wⱼmⱼ.
    energy: f64,
    /// Σ wⱼ(r₀ + … + rⱼ₋₁ + rⱼ/2).
    moment: f64,
    /// Σ rⱼ.
    rise: f64,
}

impl Passed {
    fn pass(&mut self, width: f64, mean: f64, rise: f64) {
        self.energy += width * mean;
        self.moment += width * (self.rise + 0.5 * rise);
        self.rise += rise;
    }
}

impl Table {
    /// The law through these pairs of penetration (m) and force (N), x increasing and forces not falling; a first pair
    /// beyond 0 is joined to (0, 0).
    ///
    /// # Errors
    /// A [`Complaint`] of `points` where they are not so.
    pub fn new(points: &[(f64, f64)]) -> Result<Self, Complaint> {
        let wrong = |message: String, help: &str| Err(Complaint::new("points", message).help(help));
        let first = points.first().copied().unwrap_or_default();
        if first.0 == 0.0 && first.1 != 0.0 {
            let help = "the force of a contact begins at 0: write [0, 0]; `gap` says where it begins";
            return wrong(format!("has the force {} at x = 0", first.1), help);
        }
        let origin = (first.0 != 0.0).then_some((0.0, 0.0));
        let all: Vec<(f64, f64)> = origin.into_iter().chain(points.iter().copied()).collect();
        if all.len() < 2 {
            return wrong("needs a pair with x > 0".into(), "add the force at a penetration");
        }
        let (mut pieces, mut energy): (Vec<Piece>, f64) = (Vec::new(), 0.0);
        for two in all.windows(2) {
            let ((x, f), (next, force)) = (two[0], two[1]);
            if !(next > x && next.is_finite()) {
                return wrong(format!("has x = {next} after {x}"), "penetrations must increase");
            }
            if !(force >= f && force.is_finite()) {
                let help =
                    "forces must not fall as x grows: steps of the schemes would have several solutions";
                return wrong(format!("has the force {force} at x = {next} after {f} at {x}"), help);
            }
            let stiffness = (force - f) / (next - x);
            if !stiffness.is_finite() {
                return wrong(format!("is too steep between x = {x} and {next}"), "give fewer pairs");
            }
            pieces.push(Piece { at: x, force: f, stiffness, energy });
            energy += 0.5 * (f + force) * (next - x);
        }
        if let (Some(last), Some((at, force))) = (pieces.last().copied(), all.last().copied()) {
            pieces.push(Piece { at, force, energy, ..last });
        }
        let idle = pieces.iter().take_while(|piece| piece.force == 0.0).last();
        Ok(Self { onset: idle.map_or(0.0, |piece| piece.at), pieces })
    }

    /// The law along a row, acting beyond the gap h, m.
    pub fn at_gap(self, gap: f64) -> ElementLaw {
        ElementLaw { law: Law::Compliant(Compliant::new(self)), gap }
    }

    /// The number of the piece in which x ≥ 0 lies, and how far.
    fn place(&self, x: f64) -> (usize, f64) {
        let i = self.pieces.partition_point(|piece| piece.at <= x).max(1) - 1;
        (i, x - self.pieces[i].at)
    }

    /// A step of this length to larger x.
    fn up(&self, x: f64, length: f64) -> Passed {
        let mut passed = Passed::default();
        let (mut i, mut done, mut force) = (self.place(x.max(0.0)).0, (-x).max(0.0), self.force(x));
        while done < length {
            let piece = &self.pieces[i];
            let next = self.pieces.get(i + 1);
            let until = next.map_or(length, |next| (next.at - x).min(length));
            let (width, rise) = (until - done, piece.stiffness * (until - done));
            passed.pass(width, force + 0.5 * rise, rise);
            (done, force, i) = (until, next.map_or(force, |next| next.force), i + 1);
        }
        passed
    }

    /// A step of this length to smaller x.
    fn down(&self, x: f64, length: f64) -> Passed {
        let mut passed = Passed::default();
        if x <= 0.0 {
            return passed;
        }
        let (mut i, mut done, mut force) = (self.place(x).0, 0.0, self.force(x));
        loop {
            let piece = &self.pieces[i];
            let until = (x - piece.at).min(length);
            let (width, rise) = (until - done, piece.stiffness * (until - done));
            let end = if until < length { piece.force } else { force - rise };
            passed.pass(width, 0.5 * (force + end), rise);
            (done, force) = (until, end);
            if done >= length || i == 0 {
                break;
            }
            i -= 1;
        }
        // Out of contact.
        passed.pass((length - done).max(0.0), 0.0, 0.0);
        passed
    }
}

impl Potential for Table {
    fn energy(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let (i, beyond) = self.place(x);
        let piece = &self.pieces[i];
        piece.energy + beyond * (piece.force + 0.5 * piece.stiffness * beyond)
    }

    fn force(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let (i, beyond) = self.place(x);
        self.pieces[i].force + self.pieces[i].stiffness * beyond
    }

    fn curvature(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.pieces[self.place(x).0].stiffness }
    }

    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        if s == 0.0 {
            return (self.force(x), 0.5 * self.curvature(x));
        }
        let length = s.abs();
        let passed = if s > 0.0 { self.up(x, length) } else { self.down(x, length) };
        let slope = (passed.rise - passed.moment / length) / length;
        (passed.energy / length, slope.max(0.0))
    }

    fn identity(&self) -> Identity {
        // The pieces have the energies and the onset, which follow from these.
        let Self { pieces, onset: _ } = self;
        let piece = |identity: Identity, &Piece { at, force, stiffness, energy: _ }: &Piece| {
            identity.number(at).number(force).number(stiffness)
        };
        Identity::of("table").each(pieces, piece)
    }

    fn onset(&self) -> f64 {
        self.onset
    }
}

/// Where the pairs come from.
const PAIRS: OneOf =
    OneOf { states: "forces against penetrations", alternatives: &[&["points"], &["file"]], required: true };

const X: Range = Range::NOT_NEGATIVE;

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "table",
        summary: "forces measured against penetrations, straight lines between them, with Hunt–Crossley loss",
        equation: "f = (fᵢ + kᵢ(x − xᵢ))(1 + μẋ),  xᵢ ≤ x < xᵢ₊₁,  x = first − second − h",
        source: "the exact integral of a piecewise linear force",
        parameters: &[
            Parameter {
                name: "points",
                takes: Takes::Curve { x: (Role::Displacement, X), y: (Role::ContactForce, X), least: 1 },
                absent: Absent::Rule,
                doc: "pairs of penetration and force that do not fall, from [0, 0] on; beyond the last with the last slope",
            },
            Parameter {
                name: "file",
                takes: Takes::Columns(&[
                    Column { name: "penetration", role: Role::Displacement, range: X, required: true },
                    Column { name: "force", role: Role::ContactForce, range: X, required: true },
                ]),
                absent: Absent::Rule,
                doc: "the same as columns `penetration` and `force`, SI (N/m along a body, Pa on a body per unit area)",
            },
            GAP,
            LOSS,
        ],
        rules: &[Rule::OneOf(PAIRS)],
    },
    make: |values: &Values| {
        let law = match (values.pairs("points"), values.columns("file")) {
            (None, Some(columns)) => {
                let column = |name: &str| columns.named.get(name).map_or(&[][..], Vec::as_slice);
                let pairs = column("penetration").iter().copied().zip(column("force").iter().copied());
                let law = Table::new(&pairs.collect::<Vec<_>>());
                law.map_err(|complaint| Complaint { parameter: "file".into(), ..complaint })?
            }
            (points, _) => Table::new(points.unwrap_or_default())?,
        };
        law.at_gap(values.required("gap")?).with_loss(values.required("loss")?)
    },
};
