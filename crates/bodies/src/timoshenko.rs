//! The bar with shear and rotary inertia (Timoshenko), I18 §1.
//!
//!   ρA u_tt = (κGA(u_x − ψ))_x − ρAγ u_t + (ρA d₃ u_tx)_x + f,   ρI ψ_tt = (EI ψ_x)_x + κGA(u_x − ψ) − ρIγ ψ_t
//!
//! u (m) displacement, ψ (rad) rotation of the cross-section; ρA (kg/m) mass per length, ρI (kg m) rotary inertia per
//! length, κ (–) shear correction, G (Pa) shear modulus, E (Pa) Young's modulus, A (m²) and I (m⁴) area and second moment
//! of the cross-section, γ = d₁ (1/s) and d₃ (m²/s) losses, f (N/m) force. [`TimoshenkoBar::on_grid`] represents it by values on nodes.
//!
//! I18 prints ψ_t = ε²φ; H is conserved with ψ_t = φ. Its normalised form is ρA = 1, ρI = ε², κGA = γ_s², EI = ε²γ_l²,
//! L = 1. Between hinged ends the partials are the lower roots of
//!
//!   ρAρI ω⁴ − (ρA EI k² + ρA κGA + ρI κGA k²) ω² + κGA EI k⁴ = 0,   k = mπ/L
//!
//! and between others those of `thick_partials.rs`. A thickness that varies along x makes ρA, ρI, κGA and EI vary. Of
//! `frequency` and `tuning` the dimensions follow (`bar_size.rs`).

use crate::{
    bar_size::{self, PROFILE, SIZE, TUNING, UNDERCUT},
    beam_roots::beta,
    built::Built,
    ends::End,
    grid::{self, ACCURACY, FINENESS, INTERVALS, PARTIALS},
    losses::LOSS,
    modal_grid::{self, MODES, OF_MODES},
    modal_losses::{self, Law},
    mode_slopes,
    numerical::Numerical,
    parameters::{DAMPING, DENSITY, METHOD, POISSON_RATIO, WIDTH, YOUNGS_MODULUS, end_of_bar},
    pitched::PITCH,
    profile::Along,
    section::{self, BORE, SECTION},
    suspension::{SUSPENSION, suspended},
    thick_partials::Thick,
};
use hamiltone_core::{
    body::Body,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
};
use std::{f64::consts::PI, sync::Arc};

/// The physics of a Timoshenko bar.
#[derive(Clone)]
pub struct TimoshenkoBar {
    /// L, m.
    pub(crate) length: f64,
    /// ρA, kg/m, of the thickness that is not multiplied; likewise the others.
    pub(crate) density: f64,
    /// ρI, kg m.
    pub(crate) rotary: f64,
    /// κGA, N.
    pub(crate) shear: f64,
    /// EI, N m².
    pub(crate) bending: f64,
    /// γ, 1/s.
    pub(crate) damping: f64,
    /// m²/s.
    pub(crate) d3: f64,
    pub(crate) ends: [End; 2],
    /// What multiplies the thickness at x (m), where it varies.
    thickness: Option<Along>,
}

impl TimoshenkoBar {
    /// An undamped bar with free ends: L (m), ρA (kg/m), ρI (kg m), κGA (N), EI (N m²).
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn new(
        length: f64,
        [density, rotary]: [f64; 2],
        [shear, bending]: [f64; 2],
    ) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        Ok(Self {
            length: positive("length", length)?,
            density: positive("linear_density", density)?,
            rotary: positive("rotary_inertia", rotary)?,
            shear: positive("shear_stiffness", shear)?,
            bending: positive("bending_stiffness", bending)?,
            damping: 0.0,
            d3: 0.0,
            ends: [End::Free; 2],
            thickness: None,
        })
    }

    /// The same bar with its thickness multiplied by `factor(x)`: ρA and κGA grow with it, ρI and EI with its cube.
    #[must_use]
    pub fn shaped(self, factor: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self { thickness: Some(Arc::new(factor)), ..self }
    }

    /// What multiplies ρA and κGA at x (m); ρI and EI are multiplied by its cube.
    pub(crate) fn factor(&self, x: f64) -> f64 {
        self.thickness.as_ref().map_or(1.0, |factor| factor(x))
    }

    /// The same bar with other boundary conditions at its left and right end.
    #[must_use]
    pub fn with_ends(self, ends: [End; 2]) -> Self {
        Self { ends, ..self }
    }

    /// The same bar with damping γ ≥ 0, 1/s.
    ///
    /// # Errors
    /// A [`Complaint`] where it is negative.
    pub fn damped(self, damping: f64) -> Result<Self, Complaint> {
        Ok(Self { damping: Range::NOT_NEGATIVE.check("damping", damping)?, ..self })
    }

    /// The same bar with a loss d₃ ≥ 0 (m²/s) that grows with the slope of its shapes, ∫φ′²/∫φ², as that of other bars.
    ///
    /// # Errors
    /// A [`Complaint`] where it is negative.
    pub fn diffusive(self, d3: f64) -> Result<Self, Complaint> {
        Ok(Self { d3: Range::NOT_NEGATIVE.check("d3", d3)?, ..self })
    }

    /// The undamped frequency of partial m, Hz, the first that is not rigid being 1; `None` where the thickness varies.
    pub fn partial(&self, m: usize) -> Option<f64> {
        self.thickness.is_none().then(|| self.theory().partial(m))
    }

    /// Its continuous theory.
    fn theory(&self) -> Thick {
        Thick {
            length: self.length,
            density: self.density,
            rotary: self.rotary,
            shear: self.shear,
            bending: self.bending,
            ends: self.ends,
        }
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "timoshenko-bar",
        summary: "bar with shear and rotary inertia, also undercut: thick bars in tune",
        equation: "ρA u_tt = (κGA(u_x − ψ))_x + f,  ρI ψ_tt = (EI ψ_x)_x + κGA(u_x − ψ)",
        source: "I18 §1 with ψ_t = φ; Timoshenko 1921",
        parameters: &[
            METHOD,
            MODES,
            INTERVALS,
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
            Parameter { doc: "ν: G = E/2(1 + ν)", ..POISSON_RATIO },
            Parameter {
                name: "shear_modulus",
                takes: Takes::Number(Role::Modulus, Range { min: 1e7, max: 1e12, open: false }),
                absent: Absent::Optional("E/2(1 + ν)"),
                doc: "G of an anisotropic material: for wood about E/15",
            },
            Parameter {
                name: "shear_correction",
                takes: Takes::Number(Role::Number, Range { min: 0.1, max: 1.0, open: false }),
                absent: Absent::Optional("5/6 of a rectangle; of round bars and tubes by Cowper 1966"),
                doc: "κ of κGA",
            },
            PROFILE,
            TUNING,
            UNDERCUT,
            DAMPING,
            LOSS,
            end_of_bar("left"),
            end_of_bar("right"),
            SUSPENSION,
        ],
        rules: &[
            FINENESS,
            OF_MODES,
            SIZE,
            bar_size::OF_PROFILE,
            bar_size::OF_TUNING,
            bar_size::OF_UNDERCUT,
            bar_size::OF_LEFT,
            bar_size::OF_RIGHT,
            section::OF_RECTANGLES,
            section::OF_TUBES,
            Rule::OneOf(SHEAR),
            Rule::OneOf(LOSSES),
        ],
    },
    make: |values| suspended(values, make(values)?),
};

/// G, also of what is not the same in all directions.
const SHEAR: OneOf = OneOf {
    states: "the shear modulus",
    alternatives: &[&["poisson_ratio"], &["shear_modulus"]],
    required: false,
};

/// What takes energy.
const LOSSES: OneOf =
    OneOf { states: "the losses", alternatives: &[&["damping"], &["loss"]], required: false };

fn make(values: &Values) -> Result<Box<dyn Body>, Complaint> {
    bar_size::make(values, |values| Ok(uniform(values)?.theory().partial(1)), build)
}

/// The bar of these values where its thickness does not vary.
fn uniform(values: &Values) -> Result<TimoshenkoBar, Complaint> {
    let number = |name| values.required(name);
    let length = number("length")?;
    let [area, inertia] = match section::ring(values)? {
        Some(ring) => ring,
        None => {
            let (h, w) = (number("thickness")?, number("width")?);
            [w * h, w * h * h * h / 12.0]
        }
    };
    let (density, modulus) = (number("density")?, number("youngs_modulus")?);
    let correction = match values.number("shear_correction") {
        Some(correction) => correction,
        None => section::shear_correction(values)?,
    };
    let isotropic = modulus / (2.0 * (1.0 + number("poisson_ratio")?));
    let shear = correction * values.number("shear_modulus").unwrap_or(isotropic) * area;
    let ends = ["left", "right"].map(|end| End::read(values.word(end)));
    let bar = TimoshenkoBar::new(length, [density * area, density * inertia], [shear, modulus * inertia])?;
    bar.with_ends(ends).damped(number("damping")?)
}

/// The bar whose length and thickness are known.
fn build(values: &Values, shape: Option<Along>) -> Result<Built, Complaint> {
    let bar = uniform(values)?;
    let (theory, length, ends) = (bar.theory(), bar.length, bar.ends);
    let frequencies = |n: usize, p: usize| {
        let k = beta(ends, p) / length;
        (theory.omega(grid::lattice_wave(k, length / n as f64)), theory.omega(k))
    };
    let bar = TimoshenkoBar { thickness: shape, ..bar };
    let loss = values.table("loss");
    let (law, bar) = match loss {
        None => (None, bar),
        Some(_) => {
            let (law, [d1, d3]) = if modal_grid::wanted(values) {
                modal_losses::read(loss, None, 0.0, bar.bending / bar.density, true)?
            } else {
                Law::read(loss, None, false)?;
                let (d1, d3) = mode_slopes::losses(loss, |n| bar.clone().diffusive(1.0)?.on_grid(n))?;
                (None, [d1, d3])
            };
            (law, bar.damped(d1)?.diffusive(d3)?)
        }
    };
    Numerical {
        coordinates: 2,
        accurate: || grid::intervals(values, frequencies),
        // Those of the bar that is not undercut.
        frequency: |k| theory.omega(beta(ends, k) / length) / (2.0 * PI),
        grid: |n| bar.on_grid(n),
        law,
    }
    .read(values)
}
