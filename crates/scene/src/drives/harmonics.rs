//! A sum of harmonics of one fundamental f₀ (Hz):
//!
//!   u(t) = Σₙ Aₙ sin(2πn f₀t)   or   u(t) = Σₙ Aₙ cos(2πn f₀t),   n = 1, 2, …
//!
//! C19 §3.1 and C15 §4.1 drive a clarinet reed so and print amplitudes but no
//! phases; both are offered. The phase is reduced to one cycle, f₀t − ⌊f₀t⌋, before
//! its sine is taken, and harmonic n follows by n − 1 rotations, each of which adds
//! a rounding or two: harmonic n is good to about 2n eps·Aₙ.

use super::{
    driving::Driving,
    envelope::{ENVELOPE, shaped},
};
use hamiltone_core::parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes};
use hamiltone_numerics::math::sincos;
use hamiltone_plan::Signal;
use std::f64::consts::TAU;

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "harmonics",
        summary: "a periodic force, given by the amplitudes of its harmonics",
        equation: "u(t) = Σₙ Aₙ sin(2πn f₀t)  or  Σₙ Aₙ cos(2πn f₀t),  n = 1, 2, …",
        source: "chatziioannou_2019 §3.1 and chatziioannou_vanwalstijn_2015 §4.1 (a reed's pressure difference)",
        parameters: &[
            Parameter {
                name: "fundamental",
                takes: Takes::Number(Role::Frequency, Range::POSITIVE),
                absent: Absent::Required,
                doc: "f₀, the frequency of the first harmonic",
            },
            Parameter {
                name: "amplitudes",
                takes: Takes::Numbers(Role::Drive, Range::ANY),
                absent: Absent::Required,
                doc: "A₁, A₂, …: one amplitude per harmonic (in Pa on a body per unit area)",
            },
            Parameter {
                name: "phase",
                takes: Takes::Word(&["sine", "cosine"]),
                absent: Absent::Word("sine"),
                doc: "whether all harmonics start at zero (sine) or at their crest (cosine)",
            },
            ENVELOPE,
        ],
        rules: &[],
    },
    make: |values| {
        let amplitudes = values.list("amplitudes").unwrap_or_default().to_vec();
        if amplitudes.is_empty() {
            return Err(Complaint::new("amplitudes", "needs at least one number, such as [100]"));
        }
        let cosine = values.word("phase") == Some("cosine");
        shaped(Harmonics { fundamental: values.required("fundamental")?, amplitudes, cosine }, values)
    },
};

struct Harmonics {
    fundamental: f64,
    amplitudes: Vec<f64>,
    cosine: bool,
}

impl Signal for Harmonics {
    fn value(&self, t: f64) -> f64 {
        let cycles = self.fundamental * t;
        let (s, c) = sincos(TAU * (cycles - cycles.floor()));
        let (mut sine, mut cosine, mut sum) = (s, c, 0.0);
        for a in &self.amplitudes {
            sum += a * if self.cosine { cosine } else { sine };
            (sine, cosine) = (sine * c + cosine * s, cosine * c - sine * s);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::math;

    #[test]
    fn equals_the_plain_sum() {
        let amplitudes = vec![2000.0, 40.0, 400.0, 40.0, 100.0, 40.0, 28.0];
        for cosine in [false, true] {
            let signal = Harmonics { fundamental: 146.0, amplitudes: amplitudes.clone(), cosine };
            for i in 0..1000 {
                let t = f64::from(i) / 44100.0;
                let wave = |x: f64| if cosine { math::cos(x) } else { math::sin(x) };
                let plain: f64 =
                    amplitudes.iter().zip(1..).map(|(a, n)| a * wave(TAU * f64::from(n) * 146.0 * t)).sum();
                // ΣAₙ·2n eps from the rotations; the plain sum's arguments, up to 2π·7·3.3,
                // are rounded twice more: ΣAₙ·145·2 eps/2 at worst.
                let tolerance = 2648.0 * (14.0 + 145.0) * f64::EPSILON;
                assert!((signal.value(t) - plain).abs() < tolerance, "{i}");
            }
        }
    }
}
