//! The losses of strings and slender bars, as a scene states them.
//!
//!   σ(ω) = 3 ln 10/T₆₀ = (d₁ + d₃k²)/2,   k² = 2ω²/(c² + √(c⁴ + 4κ²ω²))
//!
//! d₁ (1/s) and d₃ (m²/s) are given, or found from the times T₆₀ (s) in which partials of one or two frequencies fall
//! by 60 dB.
//!
//! On a grid the operator d₃u_txx takes d₃∫φ′²/∫φ² of a shape φ, which is d₃k² between hinged ends alone: of a bar, with
//! β = kL and α of its ends (Blevins 1979, table 8-1),
//!
//!   ∫φ′²/∫φ² = αβ(αβ + s)/L²,   s = 6 free–free, 2 clamped–free, −2 clamped–clamped, 3 free–hinged, −1 clamped–hinged
//!
//! An end that slides is the middle of a bar of twice the length, whose other end is like its first.

use crate::ends::End;
use hamiltone_core::parameter::{
    Absent, Complaint, OneOf, Parameter, Range, Role, Rule, Table, Takes, Values,
};
use hamiltone_numerics::math::{cos, exp, sin, square};
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
    doc: "pairs [frequency, T₆₀], the times in which partials of these frequencies decay by 60 dB: one or two pairs give d₁ and d₃; a modal body also takes three or more, and two that no d₁ and d₃ give, interpolated linearly in the logarithms and constant outside",
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

/// k² of waves of the frequency f (Hz) for c² and κ².
pub(crate) fn wave(c2: f64, kappa2: f64, f: f64) -> f64 {
    let w2 = square(TAU * f);
    // A rigid motion of a bar has f = 0, and c² = 0.
    if w2 == 0.0 { 0.0 } else { 2.0 * w2 / (c2 + (c2 * c2 + 4.0 * kappa2 * w2).sqrt()) }
}

/// ∫φ′²/∫φ² (1/m²) of the shape of a bar with these ends and the length L (m) at the wave number k (1/m).
pub(crate) fn slope_of_bar(ends: [End; 2], length: f64, k: f64) -> f64 {
    use End::{Clamped, Free, Hinged, Sliding};
    let whole = match ends {
        [Hinged | Sliding, Hinged | Sliding] => return k * k,
        [Sliding, end] | [end, Sliding] => return slope_of_bar([end; 2], 2.0 * length, k),
        ends => ends,
    };
    let beta = k * length;
    let (c, s) = (cos(beta), sin(beta));
    // cosh β and sinh β times 2e^(−β), which do not overflow.
    let small = exp(-2.0 * beta);
    let (ch, sh, e) = (1.0 + small, 1.0 - small, 2.0 * exp(-beta));
    let same = (ch - e * c) / (sh - e * s);
    let (alpha, shift) = match whole {
        [Free, Free] => (same, 6.0),
        [Clamped, Clamped] => (same, -2.0),
        [Clamped, Free] | [Free, Clamped] => ((sh - e * s) / (ch + e * c), 2.0),
        [Free, _] | [_, Free] => (same, 3.0),
        _ => (same, -1.0),
    };
    (alpha * beta * (alpha * beta + shift)).max(0.0) / square(length)
}

/// d₁ (1/s) and d₃ (m²/s) for c² and κ².
pub(crate) fn losses(table: Option<&Values>, c2: f64, kappa2: f64) -> Result<(f64, f64), Complaint> {
    losses_of(table, |f| wave(c2, kappa2, f))
}

/// d₁ (1/s) and d₃ (m²/s), where d₃ takes d₃·`wave`(f) of a partial of the frequency f, Hz.
pub(crate) fn losses_of(table: Option<&Values>, wave: impl Fn(f64) -> f64) -> Result<(f64, f64), Complaint> {
    let Some(table) = table else { return Ok((0.0, 0.0)) };
    let (d1, d3) = (table.number("d1"), table.number("d3"));
    let Some(pairs) = table.pairs("t60") else { return Ok((d1.unwrap_or(0.0), d3.unwrap_or(0.0))) };
    let twice = |t: f64| 6.0 * LN_10 / t;
    match pairs {
        [(_, t)] => Ok((twice(*t), 0.0)),
        [(f, t), (g, u)] if f != g => {
            let d3 = (twice(*u) - twice(*t)) / (wave(*g) - wave(*f));
            let d1 = twice(*t) - d3 * wave(*f);
            if d1 < 0.0 || d3 < 0.0 {
                let message = format!(
                    "gives d1 = {d1:.3e} 1/s and d3 = {d3:.3e} m²/s, which must not be negative: T₆₀ must decrease with frequency, but not faster than 1/k²; by its modes (method = \"modal\") a body takes any times"
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
    use crate::beam_roots::beta;
    use std::f64::consts::PI;

    /// Against ∫φ″φ″ = k⁴∫φ² and integrals of the shapes on 20 000 points, for the first four modes of all ends.
    #[test]
    fn slopes_are_those_of_the_shapes() {
        use End::{Clamped, Free, Hinged};
        for ends in [[Free, Free], [Clamped, Clamped], [Clamped, Free], [Free, Hinged], [Clamped, Hinged]] {
            for m in 1..=4 {
                let b = beta(ends, m);
                // φ = cosh ± cos − α(sinh ± sin) from a clamped (−) or free (+) left end.
                let sign = if ends[0] == Free { 1.0 } else { -1.0 };
                let other = if ends == [Clamped, Free] { 1.0 } else { -1.0 };
                let a = match ends {
                    [Clamped, Free] => (b.sinh() - b.sin()) / (b.cosh() + b.cos()),
                    _ => (b.cosh() + other * b.cos()) / (b.sinh() + other * b.sin()),
                };
                let shape = |x: f64| {
                    let z = b * x;
                    let value = z.cosh() + sign * z.cos() - a * (z.sinh() + sign * z.sin());
                    (value, b * (z.sinh() - sign * z.sin() - a * (z.cosh() + sign * z.cos())))
                };
                let n = 20_000;
                let points = (0..n).map(|i| shape((f64::from(i) + 0.5) / f64::from(n)));
                let (area, slope) = points.fold((0.0, 0.0), |(p, q), (u, d)| (p + u * u, q + d * d));
                let own = slope_of_bar(ends, 1.0, b);
                assert!((own / (slope / area) - 1.0).abs() < 2e-3, "{ends:?} {m}: {own} {}", slope / area);
            }
        }
    }

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
