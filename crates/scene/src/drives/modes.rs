//! An initial condition in the modes of a body (I18 (16)):
//!
//!   u(x, 0) = Σₖ A_k φ_k(x),   v(x, 0) = Σₖ 2πf_k B_k φ_k(x),   k = 1, 2, …
//!
//! so that, free and without losses, u(x, t) = Σ φ_k(x)(A_k cos 2πf_k t + B_k sin 2πf_k t).
//! A_k and B_k are in m; f_k (Hz) is the continuous theory's frequency of partial k and φ_k its shape, which the body
//! knows: sin(kπx/L) of a uniform string or bar between simply supported ends, and those of every body by its modes,
//! rigid motions not counted.

use super::driving::{AtRest, Driving, InitialCondition};
use hamiltone_core::{
    body::{InitialValue, Placed},
    geometry::Position,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Rule, Takes, Values},
};
use std::f64::consts::TAU;

const fn amplitudes(name: &'static str, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Numbers(Role::Displacement, Range::ANY), absent: Absent::Rule, doc }
}

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "modes",
        summary: "initial condition: a sum of a body's modes",
        equation: "u(x, 0) = Σₖ A_k φ_k(x),  v(x, 0) = Σₖ 2πf_k B_k φ_k(x),  k = 1, 2, …",
        source: "I18 (16); C19 §4 (its first mode alone)",
        parameters: &[
            amplitudes(
                "cosine",
                "A₁, A₂, …: amplitudes of the modes that start at their largest displacement",
            ),
            amplitudes("sine", "B₁, B₂, …: amplitudes of the modes that start at zero displacement"),
        ],
        rules: &[Rule::AnyOf(&["cosine", "sine"])],
    },
    make: |values: &Values| {
        let list = |name| values.list(name).unwrap_or_default().to_vec();
        let modes = Modes { cosine: list("cosine"), sine: list("sine") };
        let empty = |name: &&str| values.list(name).is_some_and(<[f64]>::is_empty);
        if let Some(name) = ["cosine", "sine"].into_iter().find(empty) {
            return Err(Complaint::new(name, "needs at least one amplitude, such as [\"0.2 mm\"]"));
        }
        Ok(Driving::Initial(Box::new(modes)))
    },
};

struct Modes {
    cosine: Vec<f64>,
    sine: Vec<f64>,
}

impl InitialCondition for Modes {
    fn on(&self, body: &Placed, at: Option<Position>, _: AtRest<'_>) -> Result<Vec<InitialValue>, Complaint> {
        let body = body.representation.as_ref();
        if at.is_some() {
            let message = "must be the whole body, without @: modes are shapes of all of it";
            return Err(Complaint::new("at", message));
        }
        let count = body.modes();
        if count == 0 {
            let message =
                "is a body whose mode shapes are not known: use method = \"modal\", or `pluck` or `strike`";
            return Err(Complaint::new("at", message));
        }
        for (name, weights) in [("cosine", &self.cosine), ("sine", &self.sine)] {
            let highest = weights.iter().rposition(|w| *w != 0.0).map_or(0, |k| k + 1);
            if highest > count {
                let message = format!(
                    "has an amplitude for mode {highest}, but the body has {count}; leave out those above {count}, or give the body {highest} modes"
                );
                return Err(Complaint::new(name, message));
            }
        }
        let mut values = Vec::new();
        for (k, amplitude) in (1..).zip(&self.cosine).filter(|(_, a)| **a != 0.0) {
            let value = |(dof, shape)| InitialValue { dof, position: amplitude * shape, velocity: 0.0 };
            values.extend(body.mode(k).into_iter().map(value));
        }
        for (k, amplitude) in (1..).zip(&self.sine).filter(|(_, b)| **b != 0.0) {
            let unknown = "needs the frequencies of the modes, which this body does not provide";
            let frequency = body.partial(k).ok_or_else(|| Complaint::new("sine", unknown))?;
            let speed = TAU * frequency * amplitude;
            let value = |(dof, shape)| InitialValue { dof, position: 0.0, velocity: speed * shape };
            values.extend(body.mode(k).into_iter().map(value));
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_bodies::{Bar, End, Plate, StiffString};
    use hamiltone_core::{body::Body, geometry::Place, system::System};

    /// u and v at a place of the body under these modes.
    fn moving(body: &dyn Body, modes: &Modes, place: Place) -> Result<(f64, f64), Complaint> {
        let mut system = System::default();
        let placed = body.add_to(&mut system, "body").unwrap();
        let (mut u, mut v) = (vec![0.0; system.size()], vec![0.0; system.size()]);
        for value in modes.on(&placed, None, &|_| Err(String::new()))? {
            u[value.dof] += value.position;
            v[value.dof] += value.velocity;
        }
        let row = placed.row(place).unwrap();
        Ok((row.dot(&u), row.dot(&v)))
    }

    /// L = 2 m, c = 400 m/s: f_k = 100 k Hz. At x = L/4: sin π/4 + sin(3π/4)/4, and 2π·200 Hz·0.5·sin(π/2).
    #[test]
    fn modes_add_up_and_move_at_their_frequencies() {
        let string = StiffString::new(2.0, 1e-3, 160.0).unwrap();
        let modes = Modes { cosine: vec![1.0, 0.0, 0.25], sine: vec![0.0, 0.5] };
        let bodies: [Box<dyn Body>; 2] =
            [Box::new(string.on_grid(4).unwrap()), Box::new(string.by_modes(3, 4).unwrap())];
        for body in bodies {
            let (u, v) = moving(&*body, &modes, Place::Fraction(0.25)).unwrap();
            // Each to a few roundings.
            assert!((u - 1.25 * 0.5_f64.sqrt()).abs() < 1e-15 && (v / (TAU * 100.0) - 1.0).abs() < 2e-15);
            let fourth = Modes { cosine: vec![0.0, 0.0, 0.0, 1.0], sine: vec![] };
            assert_eq!(moving(&*body, &fourth, Place::Fraction(0.5)).unwrap_err().parameter, "cosine");
            let placed = body.add_to(&mut System::default(), "body").unwrap();
            assert_eq!(
                modes.on(&placed, Some([0.5, 0.0]), &|_| Err(String::new())).unwrap_err().parameter,
                "at"
            );
        }
    }

    /// Bodies by their modes know their shapes, whatever they are; a grid between other ends does not.
    #[test]
    fn every_modal_body_has_mode_shapes() {
        let first = Modes { cosine: vec![1.0], sine: vec![1e-3] };
        let free = Bar::new(0.4, 1.0, 10.0).unwrap();
        let (u, v) = moving(&free.by_modes(5, 8).unwrap(), &first, Place::Fraction(0.0)).unwrap();
        // Partial 1 of a free bar, of norm L/2, is 2/√2 at its ends.
        assert!(
            (u.abs() - 2.0_f64.sqrt()).abs() < 1e-12
                && (v / u - TAU * free.partial(1).unwrap() * 1e-3).abs() < 1e-9
        );
        let plate = Plate::new([0.4, 0.3], 7.8, 18.0).unwrap().by_modes(5).unwrap();
        let half = hamiltone_core::geometry::Coordinate::Fraction(0.5);
        let (u, _) = moving(&plate, &first, Place::Pair(half, half)).unwrap();
        assert_eq!(u, 1.0);
        let clamped = free.with_ends([End::Clamped; 2]).on_grid(16).unwrap();
        assert_eq!(moving(&clamped, &first, Place::Fraction(0.5)).unwrap_err().parameter, "at");
    }
}
