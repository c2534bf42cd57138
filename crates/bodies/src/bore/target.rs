//! What a fit compares: Σ a_n B_n(f) and Z(f) at many frequencies, each error relative to |Z|.
//!
//!   min Σ w²|Σ a_n B_n − Z|²,   a_n ≥ 0,   w = 1/|Z|
//!
//! B_n is the response of a mode of unit mass as the scheme steps it (`stepped.rs`).

use super::stepped::Stepped;
use hamiltone_numerics::{complex::Complex, nnls};

/// A mode of a fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// ω, rad/s.
    pub omega: f64,
    /// σ, 1/s.
    pub sigma: f64,
    /// a_n, Pa/m³.
    pub weight: f64,
    /// ω and σ of its pole, where it may move away from there.
    pub home: Option<[f64; 2]>,
}

/// Frequencies (Hz), Z (Pa s/m³) and w at them, and Δt (s).
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub f: Vec<f64>,
    pub z: Vec<Complex>,
    pub weights: Vec<f64>,
    pub dt: f64,
}

/// Real parts, and imaginary parts below them.
pub(super) fn stacked(values: &[Complex]) -> Vec<f64> {
    values.iter().map(|z| z.re).chain(values.iter().map(|z| z.im)).collect()
}

impl Target {
    /// wZ.
    pub fn weighted(&self) -> Vec<Complex> {
        self.z.iter().zip(&self.weights).map(|(z, w)| *z * *w).collect()
    }

    /// w a_n B_n; `None` of a mode that would alias.
    pub fn response(&self, term: &Term) -> Option<Vec<Complex>> {
        let mode = Stepped::new(term.omega, term.sigma, self.dt)?;
        let at = |(f, w): (&f64, &f64)| mode.mobility(*f) * (term.weight * w);
        Some(self.f.iter().zip(&self.weights).map(at).collect())
    }

    /// The terms with the best a_n ≥ 0. Those that would alias get 0.
    pub fn weigh(&self, terms: &mut [Term]) {
        let response = |term: &Term| self.response(&Term { weight: 1.0, ..*term });
        let columns = terms.iter().map(|term| response(term).map(|column| stacked(&column)));
        let (places, columns): (Vec<usize>, Vec<Vec<f64>>) =
            columns.enumerate().filter_map(|(k, column)| Some((k, column?))).unzip();
        let weights = nnls::nonnegative(columns, stacked(&self.weighted()));
        terms.iter_mut().for_each(|term| term.weight = 0.0);
        places.into_iter().zip(weights).for_each(|(k, a)| terms[k].weight = a);
    }
}
