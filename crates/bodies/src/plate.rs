//! The thin rectangular plate, simply supported all around.
//!
//!   ρh u_tt = −D ∇⁴u − ρh d₁ u_t + ρh d₃ ∇²u_t + f,   D = Eh³/12(1 − ν²)
//!   φ_mn = sin(mπx/a) sin(nπy/b),   f_mn = (π/2) √(D/ρh) ((m/a)² + (n/b)²),   m_mn = ρhab/4
//!
//! u (m) displacement, ρ (kg/m³) density, h (m) thickness, a and b (m) sides, E (Pa) Young's modulus, ν Poisson's
//! ratio, d₁ (1/s) and d₃ (m²/s) losses, f (N/m²) force (Kirchhoff 1850; Leissa 1969, §4.1).

use crate::{
    built::Built,
    losses::LOSS,
    modal::{Modal, Mode, rectangle::Rectangle, sampling},
    modal_losses,
    parameters::{DENSITY, POISSON_RATIO, THICKNESS, THICKNESSES, YOUNGS_MODULUS, sized},
    pitched::{self, FINEST, FREQUENCY, PITCH, Unknown},
    surface::{self, MODES},
};
use hamiltone_core::{
    body::Body,
    geometry::{Geometry, Surface},
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Rule, Values},
};
use hamiltone_numerics::math::{powi, square};
use std::{
    f64::consts::{PI, TAU},
    sync::Arc,
};

/// The physics of a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plate {
    /// a and b, m.
    sides: [f64; 2],
    /// ρh, kg/m².
    density: f64,
    /// D, N m.
    bending: f64,
    /// 1/s.
    d1: f64,
    /// m²/s.
    d3: f64,
}

impl Plate {
    /// A lossless plate: a and b (m), ρh (kg/m²), D (N m).
    ///
    /// ```
    /// use hamiltone_bodies::Plate;
    ///
    /// // 1 mm of steel, 40 cm by 30 cm.
    /// let plate = Plate::new([0.4, 0.3], 7.85, 2e11 * 1e-9 / (12.0 * 0.91))?.by_modes(10)?;
    /// assert!((plate.modes()[0].omega / std::f64::consts::TAU - 41.655).abs() < 1e-3);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn new(sides: [f64; 2], density: f64, bending: f64) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        Ok(Self {
            sides: [positive("length", sides[0])?, positive("width", sides[1])?],
            density: positive("surface_density", density)?,
            bending: positive("bending_stiffness", bending)?,
            d1: 0.0,
            d3: 0.0,
        })
    }

    /// The same plate with losses d₁ ≥ 0 (1/s) and d₃ ≥ 0 (m²/s).
    ///
    /// # Errors
    /// A [`Complaint`] where one is negative.
    pub fn damped(self, d1: f64, d3: f64) -> Result<Self, Complaint> {
        let check = |name, d| Range::NOT_NEGATIVE.check(name, d);
        Ok(Self { d1: check("d1", d1)?, d3: check("d3", d3)?, ..self })
    }

    /// The plate by its lowest modes, so many.
    ///
    /// # Errors
    /// A [`Complaint`] where there are none or too many.
    pub fn by_modes(&self, modes: usize) -> Result<Modal, Complaint> {
        surface::check(modes)?;
        let Self { sides, density, bending, d1, d3 } = *self;
        let (kappa, numbers) = ((bending / density).sqrt(), lowest(sides, modes));
        let mass = 0.25 * density * sides[0] * sides[1];
        let mode = |numbers: &[usize; 2]| {
            let k2 = wave2(sides, *numbers);
            Mode { mass, omega: kappa * k2, sigma: 0.5 * (d1 + d3 * k2) }
        };
        let shortest = numbers.last().map_or(0.0, |numbers| wave2(sides, *numbers));
        let (surface, half_wavelength) = (Surface::Rectangle { sides }, PI / shortest.sqrt());
        Ok(Modal {
            geometry: Geometry::Surface(surface),
            intervals: sampling::intervals(surface, half_wavelength),
            modes: numbers.iter().map(mode).collect(),
            norms: vec![0.25 * surface.area(); modes],
            shapes: Arc::new(Rectangle { sides, numbers, half_wavelength }),
            force: None,
        })
    }
}

/// k² of a mode.
fn wave2([a, b]: [f64; 2], [m, n]: [usize; 2]) -> f64 {
    square(m as f64 * PI / a) + square(n as f64 * PI / b)
}

/// The modes of the lowest k². Below (m, n) lie m·n − 1 others at least, so that m·n ≤ `modes`.
fn lowest(sides: [f64; 2], modes: usize) -> Vec<[usize; 2]> {
    let mut all: Vec<[usize; 2]> = (1..=modes).flat_map(|m| (1..=modes / m).map(move |n| [m, n])).collect();
    all.sort_by(|p, q| wave2(sides, *p).total_cmp(&wave2(sides, *q)).then(p.cmp(q)));
    all.truncate(modes);
    all
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "plate",
        summary: "thin rectangular plate, simply supported all around, by its modes",
        equation: "ρh u_tt = −D ∇⁴u − ρh d₁ u_t + ρh d₃ ∇²u_t + f,  D = Eh³/12(1 − ν²)",
        source: "Leissa 1969, §4.1",
        parameters: &[
            MODES,
            sized("length", 1e-3, 100.0, "a, along x"),
            sized("width", 1e-3, 100.0, "b, along y"),
            Parameter { doc: "h", absent: Absent::Rule, ..THICKNESS },
            Parameter {
                doc: "the frequency at which the lowest mode sounds, with losses: h follows",
                ..FREQUENCY
            },
            Parameter { doc: "the note at which the lowest mode sounds, in place of frequency", ..PITCH },
            DENSITY,
            YOUNGS_MODULUS,
            POISSON_RATIO,
            LOSS,
        ],
        rules: &[Rule::OneOf(OneOf {
            states: "the thickness",
            alternatives: &[&["thickness"], &["frequency"], &["pitch"]],
            required: true,
        })],
    },
    make: |values: &Values| {
        let Some(request) = pitched::requested(values) else { return Ok(build(values)?.body) };
        let one = Plate::read(&values.clone().with("thickness", 1.0))?;
        let start = request.frequency * TAU / (one.kappa() * wave2(one.sides, [1, 1]));
        let thickness = Unknown { name: "thickness", unit: "m", range: THICKNESSES, start, power: 1.0 };
        pitched::solve(values, request, thickness, FINEST, build)
    },
};

impl Plate {
    /// The plate of these values, without losses.
    fn read(values: &Values) -> Result<Self, Complaint> {
        let number = |name| values.required(name);
        let (sides, h) = ([number("length")?, number("width")?], number("thickness")?);
        let density = number("density")? * h;
        let bending =
            number("youngs_modulus")? * powi(h, 3) / (12.0 * (1.0 - square(number("poisson_ratio")?)));
        Plate::new(sides, density, bending)
    }

    /// √(D/ρh), m²/s.
    fn kappa(&self) -> f64 {
        (self.bending / self.density).sqrt()
    }
}

/// The plate whose thickness is known.
fn build(values: &Values) -> Result<Built, Complaint> {
    let plate = Plate::read(values)?;
    let (sides, kappa) = (plate.sides, plate.kappa());
    let frequency = |numbers: &[usize; 2]| kappa * wave2(sides, *numbers) / TAU;
    let modes = surface::count(values, |most| lowest(sides, most).iter().map(frequency).collect());
    let kappa2 = plate.bending / plate.density;
    let (law, [d1, d3]) = modal_losses::read(values.table("loss"), None, 0.0, kappa2, false)?;
    Ok(Built::exact(plate.damped(d1, d3)?.by_modes(modes)?.following(law.as_ref())))
}
