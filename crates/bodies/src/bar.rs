//! The slender (Euler–Bernoulli) bar.
//!
//!   ρA u_tt = −(EI u_xx)_xx − ρA d₁ u_t + ρA d₃ u_txx + f,   A = w h,   I = w h³/12
//!
//! u (m) displacement, ρ (kg/m³) density, E (Pa) Young's modulus, w and h (m) width and thickness, d₁, d₃ losses as
//! of a string, f (N/m) force. A uniform bar's partials are f_m = (β_m/L)² √(EI/ρA)/2π with
//!
//!   cos β cosh β = 1    free–free, clamped–clamped        sin β = 0       hinged–hinged
//!   cos β cosh β = −1   clamped–free                      tan β = tanh β  clamped–hinged, free–hinged
//!
//! It is stated by the energy of I18 (6) without tension; a thickness that varies along x makes ρA and EI vary.

use crate::{
    beam::{Beam, Beams},
    grid::{self, ACCURACY, FINENESS, INTERVALS_OF_EITHER, PARTIALS},
    losses::{LOSS, losses},
    modal::{Modal, Mode},
    modal_grid::{self, MODES, OF_MODES},
    modal_losses::Law,
    parameters::{DENSITY, LENGTH, METHODS, THICKNESS, WIDTH, YOUNGS_MODULUS, end},
    profile,
    root::root,
    transverse::{End, Slope, Transverse},
};
use hamiltone_core::{
    body::{Body, Placed},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Rule, Takes, Values},
    system::System,
};
use hamiltone_numerics::math::{cos, cosh, sin, tanh};
use std::{f64::consts::PI, sync::Arc};

/// A bar on its grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    transverse: Transverse,
    uniform: bool,
}

impl Bar {
    /// A lossless, uniform bar with free ends: L (m), N ≥ 4 intervals, ρA (kg/m), EI (N m²).
    ///
    /// ```
    /// use hamiltone_bodies::{Bar, End};
    /// use hamiltone_core::{body::Body, system::System};
    ///
    /// // A steel bar of 30 cm, 2 cm by 5 mm, clamped at its left end.
    /// let bar = Bar::new(0.3, 100, 7850.0 * 1e-4, 2e11 * 2e-2 * 5e-3_f64.powi(3) / 12.0)?;
    /// let mut system = System::default();
    /// let placed = bar.held([End::Clamped, End::Free]).add_to(&mut system, "bar")?;
    /// let first = placed.extent.unwrap().partials.unwrap()(1);
    /// assert!((first - 45.30).abs() < 0.01);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive, or the grid too coarse.
    pub fn new(length: f64, intervals: usize, density: f64, bending: f64) -> Result<Self, Complaint> {
        let nodes = intervals + 1;
        let transverse = Transverse {
            grid: grid::new(length, intervals)?,
            ends: [End::Free; 2],
            slope: Slope::Forward,
            density: vec![Range::POSITIVE.check("linear_density", density)?; nodes],
            tension: 0.0,
            bending: vec![Range::POSITIVE.check("bending_stiffness", bending)?; nodes],
            d1: 0.0,
            d3: 0.0,
        };
        Ok(Self { transverse, uniform: true })
    }

    /// The same bar held otherwise at its left and right end.
    pub fn held(mut self, ends: [End; 2]) -> Self {
        self.transverse.ends = ends;
        self
    }

    /// The same bar with losses d₁ ≥ 0 (1/s) and d₃ ≥ 0 (m²/s).
    ///
    /// # Errors
    /// A [`Complaint`] where one is negative.
    pub fn damped(mut self, d1: f64, d3: f64) -> Result<Self, Complaint> {
        self.transverse.d1 = Range::NOT_NEGATIVE.check("d1", d1)?;
        self.transverse.d3 = Range::NOT_NEGATIVE.check("d3", d3)?;
        Ok(self)
    }

    /// The same bar with its thickness multiplied by `factor(x)`: ρA grows with it, EI with its cube.
    #[must_use]
    pub fn shaped(mut self, factor: impl Fn(f64) -> f64) -> Self {
        let Transverse { grid, density, bending, .. } = &mut self.transverse;
        for (l, (density, bending)) in density.iter_mut().zip(bending).enumerate() {
            let h = factor(l as f64 * grid.step);
            *density *= h;
            *bending *= h * h * h;
        }
        self.uniform = false;
        self
    }

    /// The same uniform bar by its first `modes` modes, rigid motions among them, touched at the inner nodes of more
    /// intervals than that. d₃ acts on each mode by its wave number alone, σ = (d₁ + d₃β²/L²)/2: what it carries from
    /// one mode to others between ends that are not hinged is left out.
    ///
    /// # Errors
    /// A [`Complaint`] where the thickness varies, or `intervals` does not exceed `modes`.
    pub fn modal(&self, modes: usize, intervals: usize) -> Result<Modal, Complaint> {
        let Transverse { grid, ends, density, bending, d1, d3, .. } = &self.transverse;
        if !self.uniform {
            let message = "has modes of its own: it needs method = \"finite-difference\"";
            return Err(Complaint::new("profile", message));
        }
        modal_grid::check(modes, intervals)?;
        let spans = vec![0.5 * grid.length; modes];
        let (length, density, bending) = (grid.length, density[0], bending[0]);
        let rigid = Beam::rigid(*ends);
        let bent = (1..).map(|m| Beam::bent(*ends, m));
        let beams: Vec<Beam> = rigid.iter().copied().chain(bent).take(modes).collect();
        let mode = |beam: &Beam| {
            let k2 = (beam.beta() / length).powi(2);
            let (omega, sigma) = (k2 * (bending / density).sqrt(), 0.5 * (d1 + d3 * k2));
            Mode { mass: 0.5 * density * length, omega, sigma }
        };
        let modes = beams.iter().map(mode).collect();
        let shapes = Arc::new(Beams { length, beams });
        Ok(Modal { length, intervals, modes, spans, shapes, stiffness: Some([0.0, bending]) })
    }
}

/// β_m of a uniform bar with these ends; partial 1 is the first that is not rigid.
pub(crate) fn beta(ends: [End; 2], m: usize) -> f64 {
    let m = m as f64;
    use End::{Clamped, Free, Hinged};
    match ends {
        [Hinged, Hinged] => m * PI,
        [Free, Free] | [Clamped, Clamped] => root(m * PI, (m + 1.0) * PI, |x| cos(x) - 1.0 / cosh(x)),
        [Clamped, Free] | [Free, Clamped] => root((m - 1.0) * PI, m * PI, |x| cos(x) + 1.0 / cosh(x)),
        _ => root(m * PI, (m + 0.5) * PI, |x| sin(x) - cos(x) * tanh(x)),
    }
}

impl Body for Bar {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let Transverse { grid, ends, density, bending, .. } = &self.transverse;
        let (length, ends, kappa) = (grid.length, *ends, (bending[0] / density[0]).sqrt());
        let theory = move |m: usize| (beta(ends, m) / length).powi(2) * kappa / (2.0 * PI);
        Ok(self.transverse.add_to(system, name, self.uniform.then(|| Box::new(theory) as _)))
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
            METHODS,
            MODES,
            INTERVALS_OF_EITHER,
            ACCURACY,
            PARTIALS,
            LENGTH,
            THICKNESS,
            WIDTH,
            DENSITY,
            YOUNGS_MODULUS,
            Parameter {
                name: "profile",
                takes: Takes::Pairs((Role::Length, Range::NOT_NEGATIVE), (Role::Length, Range::from(1e-4))),
                absent: Absent::Optional("the same thickness everywhere"),
                doc: "pairs [x, thickness at x], linear between: an undercut bar",
            },
            LOSS,
            end("left", "free"),
            end("right", "free"),
        ],
        rules: &[
            FINENESS,
            OF_MODES,
            Rule::OnlyWith {
                parameters: &["accuracy", "accuracy_partials", "profile"],
                key: "method",
                word: "finite-difference",
            },
        ],
    },
    make: read,
};

fn read(values: &Values) -> Result<Box<dyn Body>, Complaint> {
    let number = |name| values.required(name);
    let (length, thickness, width) = (number("length")?, number("thickness")?, number("width")?);
    let density = number("density")? * width * thickness;
    let bending = number("youngs_modulus")? * width * thickness.powi(3) / 12.0;
    let ends = ["left", "right"].map(|end| End::read(values.word(end)));
    let kappa2 = bending / density;
    let modal = modal_grid::wanted(values);
    let law = Law::read(values.table("loss"), None, modal)?;
    let (d1, d3) = match law {
        None => losses(values.table("loss"), 0.0, kappa2)?,
        Some(_) => (0.0, 0.0),
    };
    if modal {
        let rigid = Beam::rigid(ends).len();
        let frequency = |k: usize| match k.checked_sub(rigid) {
            None | Some(0) => 0.0,
            Some(m) => (beta(ends, m) / length).powi(2) * kappa2.sqrt() / (2.0 * PI),
        };
        let (modes, n) = modal_grid::counts(values, frequency)?;
        let modal = Bar::new(length, n, density, bending)?.held(ends).damped(d1, d3)?.modal(modes, n)?;
        return Ok(Box::new(modal.following(law.as_ref())));
    }
    let frequencies = |n: usize, p: usize| {
        let k = beta(ends, p) / length;
        (grid::lattice_wave(k, length / n as f64).powi(2), k * k)
    };
    let n = grid::intervals(values, frequencies)?;
    let bar = Bar::new(length, n, density, bending)?.held(ends).damped(d1, d3)?;
    match values.pairs("profile") {
        None => Ok(Box::new(bar)),
        Some(pairs) => {
            let height = profile::read("profile", pairs, length)?;
            Ok(Box::new(bar.shaped(|x| height(x) / thickness)))
        }
    }
}
