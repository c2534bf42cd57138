//! A start in the modes of a body with hinged ends (I18 (16)):
//!
//!   u(x, 0) = Σₘ A_m sin(mπx/L),   v(x, 0) = Σₘ 2πf_m B_m sin(mπx/L),   m = 1, 2, …
//!
//! so that, free and without losses, u(x, t) = Σ sin(mπx/L)(A_m cos 2πf_m t + B_m sin 2πf_m t).
//! A_m and B_m are in m; f_m (Hz) is the continuous theory's frequency of partial m, which
//! the body gives.

use super::driving::{Driving, Start};
use hamiltone_core::{
    body::{Extent, Motion},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Rule, Takes, Values},
};
use hamiltone_numerics::math::sin;
use std::f64::consts::{PI, TAU};

const fn amplitudes(name: &'static str, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Numbers(Role::Displacement, Range::ANY), absent: Absent::Rule, doc }
}

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "modes",
        summary: "initial condition: a sum of sine modes of a simply supported body",
        equation: "u(x, 0) = Σₘ A_m sin(mπx/L),  v(x, 0) = Σₘ 2πf_m B_m sin(mπx/L),  m = 1, 2, …",
        source: "I18 (16); C19 §4 (its first mode alone)",
        parameters: &[
            amplitudes("cosine", "A₁, A₂, …: amplitudes of the modes that start at their crest"),
            amplitudes("sine", "B₁, B₂, …: amplitudes of the modes that start through zero"),
        ],
        rules: &[Rule::AnyOf(&["cosine", "sine"])],
    },
    make: |values: &Values| {
        let list = |name| values.list(name).unwrap_or_default().to_vec();
        let modes = Modes { cosine: list("cosine"), sine: list("sine") };
        if modes.cosine.is_empty() && modes.sine.is_empty() {
            return Err(Complaint::new("", "needs at least one amplitude, such as cosine = [\"0.2 mm\"]"));
        }
        Ok(Driving::Start(Box::new(modes)))
    },
};

struct Modes {
    cosine: Vec<f64>,
    sine: Vec<f64>,
}

impl Start for Modes {
    fn on<'a>(&'a self, body: &'a Extent, place: Option<f64>) -> Result<Motion<'a>, Complaint> {
        if place.is_some() {
            return Err(Complaint::new(
                "at",
                "must be the whole body, without @: modes fill it from end to end",
            ));
        }
        if body.sines == 0 {
            return Err(Complaint::new(
                "at",
                "has modes that are no sines: they fit a uniform string or bar between hinged ends; use `pluck` or `strike`",
            ));
        }
        for (name, weights) in [("cosine", &self.cosine), ("sine", &self.sine)] {
            let highest = weights.iter().rposition(|w| *w != 0.0).map_or(0, |m| m + 1);
            if highest > body.sines {
                return Err(Complaint::new(
                    name,
                    format!("asks for mode {highest}, but the body holds only {}", body.sines),
                ));
            }
        }
        let speed = |(m, b): (usize, &f64)| match &body.partials {
            Some(partial) => Ok(TAU * partial(m) * b),
            None => Err(Complaint::new(
                "sine",
                "needs the frequencies of the modes, which this body does not know",
            )),
        };
        let speeds: Vec<f64> = (1..).zip(&self.sine).map(speed).collect::<Result<_, _>>()?;
        let sum = move |weights: &[f64], x: f64| -> f64 {
            (1..).zip(weights).map(|(m, w)| w * sin(f64::from(m) * PI * x / body.length)).sum()
        };
        let at = move |x: f64| (sum(&self.cosine, x), sum(&speeds, x));
        Ok(Motion { at: Box::new(at), corners: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{
        body::{Point, lay_on_points},
        row::Row,
    };

    #[test]
    fn modes_add_up_and_move_at_their_frequencies() {
        let partials: Box<dyn Fn(usize) -> f64 + Send + Sync> = Box::new(|m| 100.0 * m as f64);
        let point = |i: u8| Point { row: Row::unit(i.into()), x: 0.5 * f64::from(i + 1), weight: 0.5 };
        let lay = || lay_on_points(&[]);
        let points: Vec<Point> = (0..3).map(point).collect();
        let body =
            Extent { length: 2.0, points: points.clone(), lay: lay(), partials: Some(partials), sines: 3 };
        let modes = Modes { cosine: vec![1.0, 0.0, 0.25], sine: vec![0.0, 0.5] };
        let motion = modes.on(&body, None).unwrap();
        let (u, v) = (motion.at)(0.5);
        // sin π/4 + sin(3π/4)/4, and 2π·200 Hz·0.5·sin(π/2), each to a few roundings.
        assert!((u - 1.25 * 0.5_f64.sqrt()).abs() < 1e-15 && (v / (TAU * 100.0) - 1.0).abs() < 1e-15);
        assert!(modes.on(&body, Some(0.5)).is_err());
        let silent = Extent { length: 2.0, points, lay: lay(), partials: None, sines: 3 };
        assert!(modes.on(&silent, None).is_err());
        assert!(Modes { cosine: vec![1.0], sine: vec![] }.on(&silent, None).is_ok());
        assert!(Modes { cosine: vec![0.0, 0.0, 0.0, 1.0], sine: vec![] }.on(&silent, None).is_err());
        let free = Extent { sines: 0, ..silent };
        assert!(Modes { cosine: vec![1.0], sine: vec![] }.on(&free, None).is_err());
    }
}
