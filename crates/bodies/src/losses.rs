//! The losses of strings and slender bars, as a scene states them.
//!
//!   σ(ω) = 3 ln 10/T₆₀ = (d₁ + d₃k²)/2,   k² = 2ω²/(c² + √(c⁴ + 4κ²ω²))
//!
//! d₁ (1/s) and d₃ (m²/s) are given, or found from the times T₆₀ (s) in which partials of one or two frequencies fall
//! by 60 dB.

use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Takes, Values};
use std::f64::consts::{LN_10, TAU};

/// d₁.
pub(crate) const D1: Parameter = Parameter {
    name: "d1",
    takes: Takes::Number("1/s", Range { min: 0.0, max: 1e9, open: false }),
    absent: Absent::Optional("0, unless t60 is given"),
    doc: "d₁ of −ρA d₁ u_t: e^(−d₁t/2) for every partial (twice Bensa's b₁)",
};

/// d₃.
pub(crate) const D3: Parameter = Parameter {
    name: "d3",
    takes: Takes::Number("m^2/s", Range { min: 0.0, max: 1e9, open: false }),
    absent: Absent::Optional("0, unless t60 is given"),
    doc: "d₃ of +ρA d₃ u_txx: e^(−d₃k²t/2) more at the wave number k (twice Bensa's b₂)",
};

/// T₆₀ by frequency.
pub(crate) const T60: Parameter = Parameter {
    name: "t60",
    takes: Takes::Pairs("Hz", "s"),
    absent: Absent::Optional("d1 and d3 hold"),
    doc: "pairs [frequency, T₆₀], the times in which such partials fall by 60 dB: one or two that give d₁ and d₃; of bodies by their modes three or more, straight between them in the logarithms, constant beyond",
};

/// d₁, d₃ or decay times.
pub(crate) const LOSS: Parameter = Parameter {
    name: "loss",
    takes: Takes::Table(&[D1, D3, T60]),
    absent: Absent::Optional("no losses"),
    doc: "d₁ and d₃, or decay times",
};

/// d₁ (1/s) and d₃ (m²/s) for c² and κ².
pub(crate) fn losses(table: Option<&Values>, c2: f64, kappa2: f64) -> Result<(f64, f64), Complaint> {
    let Some(table) = table else { return Ok((0.0, 0.0)) };
    let (d1, d3) = (table.number("d1"), table.number("d3"));
    let Some(pairs) = table.pairs.get("t60") else { return Ok((d1.unwrap_or(0.0), d3.unwrap_or(0.0))) };
    if d1.or(d3).is_some() {
        return Err(Complaint::new("loss", "takes d1 and d3, or t60, not both"));
    }
    if pairs.iter().any(|(f, t)| !(*f > 0.0 && *t > 0.0)) {
        return Err(Complaint::new("loss", "has a t60 that is not two positive numbers, such as [440, 3]"));
    }
    let wave = |f: f64| {
        let w2 = (TAU * f).powi(2);
        2.0 * w2 / (c2 + (c2 * c2 + 4.0 * kappa2 * w2).sqrt())
    };
    let twice = |t: f64| 6.0 * LN_10 / t;
    match pairs.as_slice() {
        [(_, t)] => Ok((twice(*t), 0.0)),
        [(f, t), (g, u)] if f != g => {
            let d3 = (twice(*u) - twice(*t)) / (wave(*g) - wave(*f));
            let d1 = twice(*t) - d3 * wave(*f);
            if d1 < 0.0 || d3 < 0.0 {
                let message = format!(
                    "gives d1 = {d1:.3e} 1/s and d3 = {d3:.3e} m²/s: the higher partial must decay faster, but by no more than k² does"
                );
                return Err(Complaint::new("loss", message));
            }
            Ok((d1, d3))
        }
        _ => Err(Complaint::new(
            "loss",
            "takes a t60 of one or two pairs of different frequencies, such as [[100, 5], [1000, 1]]",
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
        let mut table = Values::default();
        table.pairs.insert("t60", vec![(f[0], t60[0]), (f[1], t60[1])]);
        let (d1, d3) = losses(Some(&table), c2, kappa2).unwrap();
        assert!((d1 / 1.1 - 1.0).abs() < 1e-12 && (d3 / 2.7e-4 - 1.0).abs() < 1e-11, "{d1} {d3}");
    }
}
