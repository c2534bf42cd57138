//! The stiff string with losses.
//!
//!   ρA u_tt = τ u_xx − EI u_xxxx − ρA d₁ u_t + ρA d₃ u_txx + f,   c² = τ/ρA,   κ² = EI/ρA        I18 (1)
//!
//! u (m) displacement, ρA (kg/m) mass per length, τ (N) tension, EI (N m²) bending stiffness, d₁ (1/s) and d₃ (m²/s)
//! losses, f (N/m) force. A partial of wave number k has ω² = c²k² + κ²k⁴ and decays as e^(−σt),
//! σ = (d₁ + d₃k²)/2. With κ = 0 it is the ideal string of C19 (66).
//!
//! [`StiffString::on_grid`] represents it by the energy of I18 (6) on nodes, [`StiffString::by_modes`] by its modes
//! sin(kπx/L).

use crate::{
    ends::End,
    finite_difference::{
        Theory,
        transverse::{Slope, TransverseGrid},
    },
    grid,
    modal::{Force, Modal, Mode, sines::Sines},
    modal_grid,
    stretching::{Stretching, longitudinal::Longitudinal},
};
use hamiltone_core::{
    geometry::Geometry,
    parameter::{Complaint, Range},
};
use hamiltone_numerics::math::square;
use std::{f64::consts::PI, sync::Arc};

/// The physics of a string.
///
/// ```
/// use hamiltone_bodies::StiffString;
/// use hamiltone_core::{body::Body, system::System};
///
/// // C4 of I18: c = 329.6 m/s, κ = 1.25 m²/s, ρA = 1 kg/m.
/// let c4 = StiffString::new(0.63, 1.0, 329.6 * 329.6)?.stiff(1.25 * 1.25)?.damped(1.1, 2.7e-4)?;
/// assert!((c4.partial(1).unwrap() - 261.634076).abs() < 1e-6);
/// let mut system = System::default();
/// let string = c4.on_grid(1000)?.add_to(&mut system, "string")?;
/// assert_eq!(string.dofs, 0..999);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StiffString {
    /// L, m.
    length: f64,
    /// ρA, kg/m.
    density: f64,
    /// τ, N.
    tension: f64,
    /// EI, N m².
    bending: f64,
    /// 1/s.
    d1: f64,
    /// m²/s.
    d3: f64,
    ends: [End; 2],
    /// EA, N; 0 where the tension stays as it is.
    axial: f64,
    /// How many longitudinal modes, and their quality factor.
    longitudinal: Option<(usize, f64)>,
}

impl StiffString {
    /// An ideal, lossless string between simply supported ends: L (m), ρA (kg/m), τ (N).
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn new(length: f64, density: f64, tension: f64) -> Result<Self, Complaint> {
        Ok(Self {
            length: Range::POSITIVE.check("length", length)?,
            density: Range::POSITIVE.check("linear_density", density)?,
            tension: Range::POSITIVE.check("tension", tension)?,
            bending: 0.0,
            d1: 0.0,
            d3: 0.0,
            ends: [End::Hinged; 2],
            axial: 0.0,
            longitudinal: None,
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

    /// The same string with a stiffness EA > 0 against stretching, N, so that its tension grows with its amplitude ([`crate::stretching`]): by its modes alone.
    ///
    /// # Errors
    /// A [`Complaint`] where it is not positive.
    pub fn elastic(self, axial: f64) -> Result<Self, Complaint> {
        Ok(Self { axial: Range::POSITIVE.check("axial_stiffness", axial)?, ..self })
    }

    /// The same string, which must be elastic, with so many longitudinal modes of a quality factor: the tension then differs along it, and phantom partials
    /// appear.
    ///
    /// # Errors
    /// A [`Complaint`] where the string is not elastic, not at least twice as stiff against stretching as it is tense, or the quality is not positive.
    pub fn longitudinal(self, modes: usize, quality: f64) -> Result<Self, Complaint> {
        let quality = Range::POSITIVE.check("longitudinal_quality", quality)?;
        if self.axial < 2.0 * self.tension {
            let message = format!(
                "needs a stiffness against stretching of at least twice the tension, {:.4} N, and it is {:.4} N",
                2.0 * self.tension,
                self.axial
            );
            let help = "write a larger `axial_stiffness`, or leave `longitudinal_modes` out";
            return Err(Complaint::new("longitudinal_modes", message).help(help));
        }
        Ok(Self { longitudinal: (modes > 0).then_some((modes, quality)), ..self })
    }

    /// The same string with other boundary conditions at its left and right end.
    #[must_use]
    pub fn with_ends(self, ends: [End; 2]) -> Self {
        Self { ends, ..self }
    }

    /// τ, N.
    pub fn tension(&self) -> f64 {
        self.tension
    }

    /// c² = τ/ρA, m²/s².
    pub fn c2(&self) -> f64 {
        self.tension / self.density
    }

    /// κ² = EI/ρA, m⁴/s².
    pub fn kappa2(&self) -> f64 {
        self.bending / self.density
    }

    /// Whether both ends are simply supported: then its modes are sines.
    pub fn is_simply_supported(&self) -> bool {
        self.ends == [End::Hinged; 2]
    }

    /// The undamped frequency of partial m, Hz: any string between simply supported ends, an ideal one between any.
    pub fn partial(&self, m: usize) -> Option<f64> {
        let (c2, kappa2) = (self.c2(), self.kappa2());
        self.wave_number(m).map(|k| (k * k * (c2 + kappa2 * k * k)).sqrt() / (2.0 * PI))
    }

    /// σ = (d₁ + d₃k²)/2 of partial m, 1/s, where its wave number is known.
    pub fn decay(&self, m: usize) -> Option<f64> {
        self.wave_number(m).map(|k| 0.5 * (self.d1 + self.d3 * k * k))
    }

    /// k of partial m, 1/m: its shape is a sine or a cosine between simply supported ends, and of an ideal string
    /// between any.
    fn wave_number(&self, m: usize) -> Option<f64> {
        // A guide asks of an ideal string what a free end does.
        let moves = |end: &&End| matches!(end, End::Free | End::Sliding);
        let free = self.ends.iter().filter(moves).count();
        let known = self.bending == 0.0 || self.ends == [End::Hinged; 2];
        known.then(|| (m as f64 - if free == 1 { 0.5 } else { 0.0 }) * PI / self.length)
    }

    /// The string on a grid of N ≥ 4 intervals.
    ///
    /// # Errors
    /// A [`Complaint`] where the grid is too coarse.
    pub fn on_grid(self, intervals: usize) -> Result<TransverseGrid, Complaint> {
        let nodes = intervals + 1;
        Ok(TransverseGrid {
            grid: grid::new(self.length, intervals)?,
            ends: self.ends,
            slope: Slope::Forward,
            density: vec![self.density; nodes],
            tension: self.tension,
            bending: vec![self.bending; nodes],
            d1: self.d1,
            d3: self.d3,
            theory: Theory {
                partial: Arc::new(move |m| self.partial(m)),
                decay: Arc::new(move |m| self.decay(m)),
            },
        })
    }

    /// The string by its first `modes` modes; its sample points are the inner nodes of more intervals than that.
    ///
    /// # Errors
    /// A [`Complaint`] where an end is not simply supported, or `intervals` does not exceed `modes`.
    pub fn by_modes(&self, modes: usize, intervals: usize) -> Result<Modal, Complaint> {
        if let Some(end) = self.ends.iter().position(|end| *end != End::Hinged) {
            let message = "must be simply supported: no formula gives the modes between other ends";
            return Err(Complaint::new(["left", "right"][end], message));
        }
        modal_grid::check(modes, intervals)?;
        let Self { length, density, tension, bending, d1, d3, axial, longitudinal, .. } = *self;
        let mode = |m: usize| {
            let k2 = square(m as f64 * PI / length);
            let omega = (k2 * (tension / density + bending / density * k2)).sqrt();
            Mode { mass: 0.5 * density * length, omega, sigma: 0.5 * (d1 + d3 * k2) }
        };
        let shapes = Arc::new(Sines::new(length, modes, intervals));
        let gradient = |m: usize| 0.5 * length * square(m as f64 * PI / length);
        let stretching = || Stretching {
            modulus: if longitudinal.is_some() { axial - tension } else { axial } / length,
            rest: tension,
            gradients: (1..=modes).map(gradient).collect(),
            longitudinal: longitudinal.map(|(modes, quality)| Longitudinal {
                length,
                density,
                axial,
                tension,
                modes,
                quality,
            }),
        };
        Ok(Modal {
            geometry: Geometry::Line { length },
            intervals: [intervals, 1],
            modes: (1..=modes).map(mode).collect(),
            norms: vec![0.5 * length; modes],
            force: Some(Force { shapes: shapes.clone(), length, tension, bending }),
            stretching: (axial > 0.0).then(stretching),
            airy: Arc::default(),
            shapes,
        })
    }
}
