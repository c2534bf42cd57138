//! The stiff string with losses.
//!
//!   ρA u_tt = τ u_xx − EI u_xxxx − ρA d₁ u_t + ρA d₃ u_txx + f,   c² = τ/ρA,   κ² = EI/ρA        I18 (1)
//!
//! u (m) displacement, ρA (kg/m) mass per length, τ (N) tension, EI (N m²) bending stiffness, d₁ (1/s) and d₃ (m²/s)
//! losses, f (N/m) force. A partial of wave number k has ω² = c²k² + κ²k⁴ and decays as e^(−σt),
//! σ = (d₁ + d₃k²)/2. With κ = 0 it is the ideal string of C19 (66). It is stated by its energy: see
//! [`crate::Slope`] and I18 (6).

use crate::variational::Grid;
use crate::{
    modal::{Modal, Mode},
    modal_grid,
    sines::Sines,
    transverse::{End, Slope, Transverse},
};
use hamiltone_core::{
    body::{Body, Placed},
    parameter::{Complaint, Range},
    system::System,
};
use std::{f64::consts::PI, sync::Arc};

/// A string of N intervals.
///
/// ```
/// use hamiltone_bodies::StiffString;
/// use hamiltone_core::{body::Body, system::System};
///
/// // C4 of I18: c = 329.6 m/s, κ = 1.25 m²/s, ρA = 1 kg/m.
/// let c4 = StiffString::new(0.63, 1000, 1.0, 329.6 * 329.6)?.stiff(1.25 * 1.25)?.damped(1.1, 2.7e-4)?;
/// let mut system = System::default();
/// let string = c4.add_to(&mut system, "string")?;
/// assert_eq!(string.dofs, 0..999);
/// let f1 = string.extent.unwrap().partials.unwrap()(1);
/// assert!((f1 - 261.634076).abs() < 1e-6);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StiffString {
    length: f64,
    intervals: usize,
    density: f64,
    tension: f64,
    bending: f64,
    d1: f64,
    d3: f64,
    ends: [End; 2],
    slope: Slope,
}

impl StiffString {
    /// An ideal, lossless string with hinged ends: L (m), N ≥ 4 intervals, ρA (kg/m), τ (N).
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive, or the grid too coarse.
    pub fn new(length: f64, intervals: usize, density: f64, tension: f64) -> Result<Self, Complaint> {
        Range::from(4.0).check("intervals", intervals as f64)?;
        Ok(Self {
            length: Range::POSITIVE.check("length", length)?,
            intervals,
            density: Range::POSITIVE.check("linear_density", density)?,
            tension: Range::POSITIVE.check("tension", tension)?,
            bending: 0.0,
            d1: 0.0,
            d3: 0.0,
            ends: [End::Hinged; 2],
            slope: Slope::Forward,
        })
    }

    /// The same string with a bending stiffness EI ≥ 0, N m².
    ///
    /// # Errors
    /// A [`Complaint`] where it is negative.
    pub fn stiff(self, bending: f64) -> Result<Self, Complaint> {
        Ok(Self { bending: Range::NOT_NEGATIVE.check("stiffness", bending)?, ..self })
    }

    /// The same string with losses d₁ ≥ 0 (1/s) and d₃ ≥ 0 (m²/s).
    ///
    /// # Errors
    /// A [`Complaint`] where one is negative.
    pub fn damped(self, d1: f64, d3: f64) -> Result<Self, Complaint> {
        let check = |name, d| Range::NOT_NEGATIVE.check(name, d);
        Ok(Self { d1: check("d1", d1)?, d3: check("d3", d3)?, ..self })
    }

    /// The same string held otherwise at its left and right end.
    pub fn held(self, ends: [End; 2]) -> Self {
        Self { ends, ..self }
    }

    /// The same string with another discrete u_x².
    pub fn slope(self, slope: Slope) -> Self {
        Self { slope, ..self }
    }

    /// The same string on another grid.
    pub(crate) fn on(self, intervals: usize) -> Self {
        Self { intervals, ..self }
    }

    /// The same string by its first `modes` modes, touched at the inner nodes of more intervals than that.
    ///
    /// # Errors
    /// A [`Complaint`] where an end is not hinged, or `intervals` does not exceed `modes`.
    pub fn modal(&self, modes: usize, intervals: usize) -> Result<Modal, Complaint> {
        if let Some(end) = self.ends.iter().position(|end| *end != End::Hinged) {
            let message = "must be \"hinged\" with method = \"modal\"; other ends need \"finite-difference\"";
            return Err(Complaint::new(["left", "right"][end], message));
        }
        modal_grid::check(modes, intervals)?;
        let spans = vec![0.5 * self.length; modes];
        let Self { length, density, tension, bending, d1, d3, .. } = *self;
        let mode = |m: usize| {
            let k2 = (m as f64 * PI / length).powi(2);
            let omega = (k2 * (tension / density + bending / density * k2)).sqrt();
            Mode { mass: 0.5 * density * length, omega, sigma: 0.5 * (d1 + d3 * k2) }
        };
        let (shapes, modes) =
            (Arc::new(Sines::new(length, modes, intervals)), (1..=modes).map(mode).collect());
        Ok(Modal { length, intervals, modes, spans, shapes, stiffness: Some([tension, bending]) })
    }

    /// L, c², κ² and the discrete slope.
    pub(crate) fn waves(&self) -> (f64, f64, f64, Slope) {
        (self.length, self.tension / self.density, self.bending / self.density, self.slope)
    }

    /// The undamped frequency of partial m, Hz: any string between hinged ends, an ideal one between any.
    pub(crate) fn theory(&self) -> Option<impl Fn(usize) -> f64 + Send + Sync + use<>> {
        let free = self.ends.iter().filter(|end| **end == End::Free).count();
        let known = self.bending == 0.0 || self.ends == [End::Hinged; 2];
        let (length, c2, kappa2) = (self.length, self.tension / self.density, self.bending / self.density);
        known.then_some(move |m: usize| {
            let k = (m as f64 - if free == 1 { 0.5 } else { 0.0 }) * PI / length;
            (k * k * (c2 + kappa2 * k * k)).sqrt() / (2.0 * PI)
        })
    }
}

impl Body for StiffString {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let nodes = self.intervals + 1;
        let transverse = Transverse {
            grid: Grid::new(self.length, self.intervals),
            ends: self.ends,
            slope: self.slope,
            density: vec![self.density; nodes],
            tension: self.tension,
            bending: vec![self.bending; nodes],
            d1: self.d1,
            d3: self.d3,
        };
        Ok(transverse.add_to(system, name, self.theory().map(|theory| Box::new(theory) as _)))
    }
}
