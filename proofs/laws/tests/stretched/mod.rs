//! Strings whose tension grows with their amplitude, against what averaging over a period says of them (Kirchhoff 1876; Carrier 1945), under every
//! scheme that covers quadratic forms:
//!
//!   ωⱼ² = (Kⱼ + Bⱼ ΔT)/mⱼ,   ΔT = (EA/4L)(Σ Bₙaₙ² + ½Bⱼaⱼ²) + u
//!
//! aₙ (m) are the amplitudes, u (N) what is added to the tension. All tests are within what the weights of a form leave
//! at 44.1 and 48 kHz, about the pitch that the scheme gives a mode of this frequency.

mod bend;
mod glide;
mod phantoms;
mod precession;

use crate::forms::{schemes, sounding};
use hamiltone_bodies::StiffString;
use hamiltone_core::{
    body::Body,
    input::Input,
    row::Row,
    system::{Output, Quantity, System},
};
use std::f64::consts::{PI, TAU};

/// A string with what the formulas above need of it.
struct Stretched {
    system: System,
    /// EA/L, N/m, and B of the modes.
    modulus: f64,
    gradients: Vec<f64>,
    stiffness: Vec<f64>,
}

impl Stretched {
    /// Of so many modes, with EA (N), plucked to a height (m) at a place (a part of the length); an input is u.
    fn plucked(
        string: StiffString,
        length: f64,
        modes: usize,
        axial: f64,
        (height, place): (f64, f64),
    ) -> Self {
        let string = string.elastic(axial).unwrap().by_modes(modes, 2 * modes).unwrap();
        let mut system = System::default();
        let placed = string.add_to(&mut system, "string").unwrap();
        for n in 1..=modes {
            let k = n as f64 * PI;
            system.initial.position[n - 1] =
                2.0 * height / (k * k * place * (1.0 - place)) * (k * place).sin();
        }
        assert_eq!(placed.dofs, 0..modes);
        system.inputs.push(Input::strain("tension", 0..1));
        Self {
            modulus: axial / length,
            gradients: (1..=modes).map(|n| 0.5 * (n as f64 * PI).powi(2) / length).collect(),
            stiffness: system.diagonal_stiffness().unwrap(),
            system,
        }
    }

    /// What is read from now on are the positions of these modes.
    fn read(&mut self, modes: &[usize]) {
        let output =
            |j: &usize| Output { name: "mode".into(), quantity: Quantity::Displacement(Row::unit(*j)) };
        self.system.outputs = modes.iter().map(output).collect();
    }

    /// The frequency of mode j under a tension that is higher by this, Hz, with its damping.
    fn frequency(&self, j: usize, more: f64) -> f64 {
        let mass = self.system.mass[j];
        let sigma = 0.5 * self.system.diagonal_damping().unwrap()[j] / mass;
        ((self.stiffness[j] + self.gradients[j] * more) / mass - sigma * sigma).sqrt() / TAU
    }
}

/// By how many cents a sound is above a frequency (Hz), by its phase in two windows of Hann that lie side by side around `centre` and are so many samples
/// wide.
fn cents(sound: &[f64], rate: f64, frequency: f64, (centre, width): (usize, usize)) -> f64 {
    let phase = |first: usize| {
        let part = sound[first..first + width].iter().enumerate();
        let (re, im) = part.fold((0.0, 0.0), |(re, im), (i, x)| {
            let window = (PI * (i as f64 + 0.5) / width as f64).sin().powi(2);
            let (s, c) = (TAU * frequency * (first + i) as f64 / rate).sin_cos();
            (re + window * x * c, im - window * x * s)
        });
        f64::atan2(im, re)
    };
    let turned = phase(centre) - phase(centre - width);
    let turned = turned - TAU * (turned / TAU).round();
    1200.0 * (1.0 + turned * rate / (TAU * width as f64 * frequency)).log2()
}
