//! The slender (Euler–Bernoulli) bar.
//!
//!   ρA u_tt = −(EI u_xx)_xx − ρA d₁ u_t + ρA d₃ u_txx + f,   A = w h,   I = w h³/12
//!
//! u (m) displacement, ρ (kg/m³) density, E (Pa) Young's modulus, w and h (m) width and thickness, d₁, d₃ losses as
//! of a string, f (N/m) force. A uniform bar's partials are f_m = (β_m/L)² √(EI/ρA)/2π with
//!
//!   cos β cosh β = 1    free–free, clamped–clamped        sin β = 0       hinged–hinged
//!   cos β cosh β = −1   clamped–free                      tan β = tanh β  clamped–hinged, free–hinged
//!   tan β = −tanh β     clamped–sliding, free–sliding              cos β = 0   hinged–sliding,   sin β = 0 sliding–sliding
//!
//! A thickness that varies along x makes ρA and EI vary. Of `frequency` and `tuning` the dimensions follow (`bar_size.rs`). [`Bar::on_grid`] represents it by values on nodes,
//! [`Bar::by_modes`] by its modes.

use crate::{
    bar_size::{self, PROFILE, SIZE_OR_STIFFNESS, TUNING, UNDERCUT},
    beam_roots::beta,
    built::Built,
    ends::End,
    finite_difference::{
        Theory,
        transverse::{Slope, TransverseGrid},
    },
    grid::{self, ACCURACY, FINENESS, INTERVALS_OF_EITHER, PARTIALS},
    losses::{LOSS, losses_of, slope_of_bar, wave},
    modal::{
        Force, Modal, Mode,
        beams::{Beam, Beams},
    },
    modal_grid::{self, MODES, OF_MODES},
    modal_losses::{self, Law},
    mode_slopes,
    numerical::Numerical,
    parameters::{DENSITY, METHOD, WIDTH, YOUNGS_MODULUS, end_of_bar},
    pitched::PITCH,
    profile::Along,
    section::{self, BORE, SECTION},
    suspension::{SUSPENSION, suspended},
};
use hamiltone_core::{
    body::Body,
    geometry::Geometry,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Rule, Takes, Values},
};
use hamiltone_numerics::math::{powi, square};
use std::{f64::consts::PI, sync::Arc};

/// The physics of a slender bar.
#[derive(Clone)]
pub struct Bar {
    /// L, m.
    length: f64,
    /// ρA, kg/m, of the thickness that is not multiplied.
    density: f64,
    /// EI, N m², likewise.
    bending: f64,
    /// What multiplies the thickness at x (m), where it varies.
    thickness: Option<Along>,
    /// 1/s.
    d1: f64,
    /// m²/s.
    d3: f64,
    ends: [End; 2],
}

impl Bar {
    /// A lossless, uniform bar with free ends: L (m), ρA (kg/m), EI (N m²).
    ///
    /// ```
    /// use hamiltone_bodies::{Bar, End};
    ///
    /// // A steel bar of 30 cm, 2 cm by 5 mm, clamped at its left end.
    /// let bar = Bar::new(0.3, 7850.0 * 1e-4, 2e11 * 2e-2 * 5e-3_f64.powi(3) / 12.0)?;
    /// let first = bar.with_ends([End::Clamped, End::Free]).partial(1).unwrap();
    /// assert!((first - 45.30).abs() < 0.01);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn new(length: f64, density: f64, bending: f64) -> Result<Self, Complaint> {
        Ok(Self {
            length: Range::POSITIVE.check("length", length)?,
            density: Range::POSITIVE.check("linear_density", density)?,
            bending: Range::POSITIVE.check("bending_stiffness", bending)?,
            thickness: None,
            d1: 0.0,
            d3: 0.0,
            ends: [End::Free; 2],
        })
    }

    /// The same bar with other boundary conditions at its left and right end.
    #[must_use]
    pub fn with_ends(self, ends: [End; 2]) -> Self {
        Self { ends, ..self }
    }

    /// The same bar with losses d₁ ≥ 0 (1/s) and d₃ ≥ 0 (m²/s).
    ///
    /// # Errors
    /// A [`Complaint`] where one is negative.
    pub fn damped(self, d1: f64, d3: f64) -> Result<Self, Complaint> {
        let check = |name, d| Range::NOT_NEGATIVE.check(name, d);
        Ok(Self { d1: check("d1", d1)?, d3: check("d3", d3)?, ..self })
    }

    /// The same bar with its thickness multiplied by `factor(x)`: ρA grows with it, EI with its cube.
    #[must_use]
    pub fn shaped(self, factor: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self { thickness: Some(Arc::new(factor)), ..self }
    }

    /// The undamped frequency of partial m, Hz, the first that is not rigid being 1; `None` where the thickness varies.
    pub fn partial(&self, m: usize) -> Option<f64> {
        self.thickness.is_none().then(|| self.uniform_partial(m))
    }

    /// The same of the bar whose thickness does not vary.
    fn uniform_partial(&self, m: usize) -> f64 {
        let kappa = (self.bending / self.density).sqrt();
        square(beta(self.ends, m) / self.length) * kappa / (2.0 * PI)
    }

    /// σ = (d₁ + d₃∫φ′²/∫φ²)/2 of partial m, 1/s, φ its shape; `None` where the thickness varies.
    pub fn decay(&self, m: usize) -> Option<f64> {
        let sigma = || {
            let k = beta(self.ends, m) / self.length;
            0.5 * (self.d1 + self.d3 * slope_of_bar(self.ends, self.length, k))
        };
        self.thickness.is_none().then(sigma)
    }

    /// The bar on a grid of N ≥ 4 intervals, by the energy of I18 (6) without tension.
    ///
    /// # Errors
    /// A [`Complaint`] where the grid is too coarse.
    pub fn on_grid(&self, intervals: usize) -> Result<TransverseGrid, Complaint> {
        let (grid, bar, copy) = (grid::new(self.length, intervals)?, self.clone(), self.clone());
        let (mut density, mut bending) =
            (vec![self.density; intervals + 1], vec![self.bending; intervals + 1]);
        if let Some(factor) = &self.thickness {
            for (l, (density, bending)) in density.iter_mut().zip(&mut bending).enumerate() {
                let h = factor(l as f64 * grid.step);
                *density *= h;
                *bending *= h * h * h;
            }
        }
        Ok(TransverseGrid {
            grid,
            ends: self.ends,
            slope: Slope::Forward,
            density,
            tension: 0.0,
            bending,
            d1: self.d1,
            d3: self.d3,
            theory: Theory {
                partial: Arc::new(move |m| bar.partial(m)),
                decay: Arc::new(move |m| copy.decay(m)),
            },
        })
    }

    /// The uniform bar by its first `modes` modes, rigid motions among them; its sample points are the inner nodes of
    /// more intervals than that. σ = (d₁ + d₃∫φ′²/∫φ²)/2: what d₃ carries from one mode to others between ends that are not
    /// simply supported is left out.
    ///
    /// # Errors
    /// A [`Complaint`] where the thickness varies, or `intervals` does not exceed `modes`.
    pub fn by_modes(&self, modes: usize, intervals: usize) -> Result<Modal, Complaint> {
        if self.thickness.is_some() {
            let message = "has modes that no formula gives";
            return Err(Complaint::new("profile", message));
        }
        modal_grid::check(modes, intervals)?;
        let Self { length, density, bending, d1, d3, ends, .. } = *self;
        let rigid = Beam::rigid(ends);
        let bent = (1..).map(|m| Beam::bent(ends, m));
        let beams: Vec<Beam> = rigid.iter().copied().chain(bent).take(modes).collect();
        let mode = |beam: &Beam| {
            let k2 = square(beam.beta() / length);
            // A rigid motion has no wave number.
            let slope = if k2 == 0.0 { 0.0 } else { slope_of_bar(ends, length, k2.sqrt()) };
            let (omega, sigma) = (k2 * (bending / density).sqrt(), 0.5 * (d1 + d3 * slope));
            Mode { mass: 0.5 * density * length, omega, sigma }
        };
        let modes: Vec<Mode> = beams.iter().map(mode).collect();
        let shapes = Arc::new(Beams { length, beams });
        Ok(Modal {
            geometry: Geometry::Line { length },
            intervals: [intervals, 1],
            norms: vec![0.5 * length; modes.len()],
            modes,
            force: Some(Force { shapes: shapes.clone(), length, tension: 0.0, bending }),
            stretching: None,
            airy: Arc::default(),
            shapes,
        })
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "bar",
        summary: "slender (Euler–Bernoulli) bar, also undercut: a xylophone bar, a tine",
        equation: "ρA u_tt = −(EI u_xx)_xx − ρA d₁ u_t + ρA d₃ u_txx + f,  A = w h,  I = w h³/12",
        source: "I18 (6) without tension; partials: Fletcher & Rossing 1998, §2.15",
        parameters: &[
            METHOD,
            MODES,
            INTERVALS_OF_EITHER,
            ACCURACY,
            PARTIALS,
            bar_size::LENGTH,
            bar_size::THICKNESS,
            bar_size::FREQUENCY,
            PITCH,
            SECTION,
            WIDTH,
            BORE,
            DENSITY,
            YOUNGS_MODULUS,
            Parameter {
                name: "bending_stiffness",
                takes: Takes::Number(Role::BendingStiffness, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "EI, in place of thickness, section and material",
            },
            Parameter {
                name: "linear_density",
                takes: Takes::Number(Role::LinearDensity, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "ρA, with bending_stiffness",
            },
            PROFILE,
            TUNING,
            UNDERCUT,
            LOSS,
            end_of_bar("left"),
            end_of_bar("right"),
            SUSPENSION,
        ],
        rules: &[
            FINENESS,
            OF_MODES,
            SIZE_OR_STIFFNESS,
            Rule::Needs { parameter: "bending_stiffness", needs: &["linear_density"] },
            Rule::Needs { parameter: "linear_density", needs: &["bending_stiffness"] },
            instead("section"),
            instead("width"),
            instead("bore"),
            instead("density"),
            instead("youngs_modulus"),
            instead("profile"),
            instead("tuning"),
            section::OF_RECTANGLES,
            section::OF_TUBES,
            bar_size::OF_PROFILE,
            bar_size::OF_TUNING,
            bar_size::OF_UNDERCUT,
            bar_size::OF_LEFT,
            bar_size::OF_RIGHT,
            Rule::OnlyWith {
                parameters: &["accuracy", "accuracy_partials"],
                key: "method",
                word: "finite-difference",
            },
        ],
    },
    make: |values| suspended(values, make(values)?),
};

/// What the stiffness stands for.
const fn instead(parameter: &'static str) -> Rule {
    Rule::Unused { parameter, beside: "bending_stiffness", unless: None }
}

fn make(values: &Values) -> Result<Box<dyn Body>, Complaint> {
    bar_size::make(values, |values| Ok(uniform(values)?.uniform_partial(1)), build)
}

/// The bar of these values where its thickness does not vary, without losses.
fn uniform(values: &Values) -> Result<Bar, Complaint> {
    let number = |name| values.required(name);
    let ends = ["left", "right"].map(|end| End::read(values.word(end)));
    let (density, bending) = match values.number("bending_stiffness") {
        Some(bending) => (number("linear_density")?, bending),
        None => {
            let (density, modulus) = (number("density")?, number("youngs_modulus")?);
            match section::ring(values)? {
                Some([area, inertia]) => (density * area, modulus * inertia),
                None => {
                    let (thickness, width) = (number("thickness")?, number("width")?);
                    (density * width * thickness, modulus * width * powi(thickness, 3) / 12.0)
                }
            }
        }
    };
    Ok(Bar::new(number("length")?, density, bending)?.with_ends(ends))
}

/// The bar whose length and thickness are known.
fn build(values: &Values, shape: Option<Along>) -> Result<Built, Complaint> {
    let bar = uniform(values)?;
    let Bar { length, ends, .. } = bar;
    let kappa2 = bar.bending / bar.density;
    let modal = modal_grid::wanted(values);
    let loss = values.table("loss");
    let uncut = shape.is_none();
    let bar = Bar { thickness: shape, ..bar };
    let (law, [d1, d3]) = if modal {
        let of_modes = ends != [End::Hinged; 2] || !uncut;
        modal_losses::read(loss, None, 0.0, kappa2, of_modes)?
    } else {
        Law::read(loss, None, false)?;
        let (d1, d3) = match uncut {
            true => losses_of(loss, |f| slope_of_bar(ends, length, wave(0.0, kappa2, f).sqrt()))?,
            false => mode_slopes::losses(loss, |n| bar.clone().damped(0.0, 1.0)?.on_grid(n))?,
        };
        (None, [d1, d3])
    };
    let bar = bar.damped(d1, d3)?;
    if modal && uncut {
        let rigid = Beam::rigid(ends).len();
        let frequency = |k: usize| match k.checked_sub(rigid) {
            None | Some(0) => 0.0,
            Some(m) => bar.partial(m).unwrap_or(0.0),
        };
        let (modes, n) = modal_grid::counts(values, frequency)?;
        return Ok(Built::exact(bar.by_modes(modes, n)?.following(law.as_ref())));
    }
    let frequencies = |n: usize, p: usize| {
        let k = beta(ends, p) / length;
        (square(grid::lattice_wave(k, length / n as f64)), k * k)
    };
    Numerical {
        coordinates: 1,
        accurate: || grid::intervals(values, frequencies),
        // Those of the bar that is not undercut.
        frequency: |k| square(beta(ends, k) / length) * kappa2.sqrt() / (2.0 * PI),
        grid: |n| bar.on_grid(n),
        law,
    }
    .read(values)
}
