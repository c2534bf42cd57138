//! The losses of strings and slender bars, as a scene states them.
//!
//!   σ(ω) = 3 ln 10/T₆₀ = (d₁ + d₃k²)/2,   k² = 2ω²/(c² + √(c⁴ + 4κ²ω²))
//!
//! d₁ (1/s) and d₃ (m²/s) are given, or found from the times T₆₀ (s) in which partials of one or two frequencies fall
//! by 60 dB.

use hamiltone_core::parameter::{
    Absent, Complaint, OneOf, Parameter, Range, Role, Rule, Table, Takes, Values,
};
use hamiltone_numerics::math::square;
use std::f64::consts::{LN_10, TAU};

/// d₁.
pub(crate) const D1: Parameter = Parameter {
    name: "d1",
    takes: Takes::Number(Role::Damping, Range { min: 0.0, max: 1e9, open: false }),
    absent: Absent::Number(0.0),
    doc: "d₁ of −ρA d₁ u_t: e^(−d₁t/2) for every partial (twice Bensa's b₁)",
};

/// d₃.
pub(crate) const D3: Parameter = Parameter {
    name: "d3",
    takes: Takes::Number(Role::Diffusivity, Range { min: 0.0, max: 1e9, open: false }),
    absent: Absent::Number(0.0),
    doc: "d₃ of +ρA d₃ u_txx: e^(−d₃k²t/2) more at the wave number k (twice Bensa's b₂)",
};

/// T₆₀ by frequency.
pub(crate) const T60: Parameter = Parameter {
    name: "t60",
    takes: Takes::Pairs((Role::Frequency, Range::POSITIVE), (Role::Time, Range::POSITIVE)),
    absent: Absent::Rule,
    doc: "pairs [frequency, T₆₀], the times in which partials of these frequencies decay by 60 dB: one or two pairs give d₁ and d₃; a modal body also takes three or more, interpolated linearly in the logarithms and constant outside",
};

/// d₁, d₃ or decay times.
pub(crate) const LOSS: Parameter = Parameter {
    name: "loss",
    takes: Takes::Table(Table {
        parameters: &[D1, D3, T60],
        rules: &[Rule::OneOf(OneOf {
            states: "the losses",
            alternatives: &[&["d1", "d3"], &["t60"]],
            required: false,
        })],
    }),
    absent: Absent::Optional("no losses"),
    doc: "d₁ and d₃, or decay times",
};

/// d₁ (1/s) and d₃ (m²/s) for c² and κ².
pub(crate) fn losses(table: Option<&Values>, c2: f64, kappa2: f64) -> Result<(f64, f64), Complaint> {
    let Some(table) = table else { return Ok((0.0, 0.0)) };
    let (d1, d3) = (table.number("d1"), table.number("d3"));
    let Some(pairs) = table.pairs("t60") else { return Ok((d1.unwrap_or(0.0), d3.unwrap_or(0.0))) };
    let wave = |f: f64| {
        let w2 = square(TAU * f);
        2.0 * w2 / (c2 + (c2 * c2 + 4.0 * kappa2 * w2).sqrt())
    };
    let twice = |t: f64| 6.0 * LN_10 / t;
    match pairs {
        [(_, t)] => Ok((twice(*t), 0.0)),
        [(f, t), (g, u)] if f != g => {
            let d3 = (twice(*u) - twice(*t)) / (wave(*g) - wave(*f));
            let d1 = twice(*t) - d3 * wave(*f);
            if d1 < 0.0 || d3 < 0.0 {
                let message = format!(
                    "gives d1 = {d1:.3e} 1/s and d3 = {d3:.3e} m²/s, which must not be negative: T₆₀ must decrease with frequency, but not faster than 1/k²"
                );
                return Err(Complaint::new("loss.t60", message));
            }
            Ok((d1, d3))
        }
        _ => Err(Complaint::new(
            "loss.t60",
            "takes one or two pairs of different frequencies, such as [[100, 5], [1000, 1]]",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// T₆₀ at two frequencies gives the d₁ and d₃ that give them back.
    #[test]
    fn decay_times_are_losses() {
        let (c2, kappa2) = (329.6_f64.powi(2), 1.25_f64.powi(2));
        let k = [1.0, 8.0].map(|m: f64| m * PI / 0.63);
        let f = k.map(|k| (c2 * k * k + kappa2 * k.powi(4)).sqrt() / TAU);
        let t60 = k.map(|k| 6.0 * LN_10 / (1.1 + 2.7e-4 * k * k));
        let table = Values::default().with("t60", vec![(f[0], t60[0]), (f[1], t60[1])]);
        let (d1, d3) = losses(Some(&table), c2, kappa2).unwrap();
        assert!((d1 / 1.1 - 1.0).abs() < 1e-12 && (d3 / 2.7e-4 - 1.0).abs() < 1e-11, "{d1} {d3}");
    }
}
