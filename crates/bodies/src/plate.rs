//! The thin rectangular plate, its sides y = 0 and y = b simply supported, its ends x = 0 and x = a as stated.
//!
//!   ρh u_tt = −D ∇⁴u − ρh d₁ u_t + ρh d₃ ∇²u_t + f,   D = Eh³/12(1 − ν²)
//!   φ_mn = sin(mπx/a) sin(nπy/b),   f_mn = (π/2) √(D/ρh) ((m/a)² + (n/b)²),   m_mn = ρhab/4
//!
//! u (m) displacement, ρ (kg/m³) density, h (m) thickness, a and b (m) sides, E (Pa) Young's modulus, ν Poisson's
//! ratio, d₁ (1/s) and d₃ (m²/s) losses, f (N/m²) force (Kirchhoff 1850; Leissa 1969, §4.1). φ_mn, f_mn and m_mn are those between
//! four simply supported sides; between other ends shapes are X(x) sin(nπy/b) and f = k²√(D/ρh)/2π with X and k of `levy.rs`.

use crate::{
    built::Built,
    ends::End,
    losses::LOSS,
    modal::{
        Modal, Mode,
        levy::{self, Across, Levy},
        rectangle::Rectangle,
        sampling,
    },
    modal_losses,
    parameters::{DENSITY, POISSON_RATIO, THICKNESS, THICKNESSES, YOUNGS_MODULUS, side, sized},
    pitched::{self, FINEST, FREQUENCY, PITCH, Unknown},
    surface::{self, MODES},
    von_karman::{self, AIRY_MODES, Stretches, VON_KARMAN},
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
    /// At x = 0 and x = a.
    ends: [End; 2],
    /// ν, which counts where one of them is free.
    poisson: f64,
    /// 1/s.
    d1: f64,
    /// m²/s.
    d3: f64,
    /// Where it stretches as it bends.
    stretches: Option<Stretches>,
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
            ends: [End::Hinged; 2],
            poisson: 0.0,
            d1: 0.0,
            d3: 0.0,
            stretches: None,
        })
    }

    /// The same plate with other boundary conditions at x = 0 and x = a; ν of its material counts where one is free.
    ///
    /// ```
    /// use hamiltone_bodies::{End, Plate};
    ///
    /// // A square of 1 m with κ = 1 m²/s, two sides of it free: k² = 9.6314 (Leissa 1973).
    /// let plate = Plate::new([1.0; 2], 1.0, 1.0)?.with_ends([End::Free; 2], 0.3)?.by_modes(3)?;
    /// assert!((plate.modes()[0].omega - 9.6314).abs() < 1e-4);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where ν is not from 0 to ½.
    pub fn with_ends(self, ends: [End; 2], poisson: f64) -> Result<Self, Complaint> {
        let range = Range { min: 0.0, max: 0.5, open: false };
        Ok(Self { ends, poisson: range.check("poisson_ratio", poisson)?, ..self })
    }

    /// The same plate with losses d₁ ≥ 0 (1/s) and d₃ ≥ 0 (m²/s).
    ///
    /// # Errors
    /// A [`Complaint`] where one is negative.
    pub fn damped(self, d1: f64, d3: f64) -> Result<Self, Complaint> {
        let check = |name, d| Range::NOT_NEGATIVE.check(name, d);
        Ok(Self { d1: check("d1", d1)?, d3: check("d3", d3)?, ..self })
    }

    /// The same plate, stretching as it bends by more than its thickness (von Kármán 1910), with Eh > 0 (N/m) and so many modes of Airy's
    /// stress function, 1 to 200. All its sides must be simply supported; they move in the plane of the plate at right angles to themselves.
    ///
    /// # Errors
    /// A [`Complaint`] where Eh is not positive, or there is no mode or too many.
    pub fn von_karman(self, stiffness: f64, airy_modes: usize) -> Result<Self, Complaint> {
        Ok(Self { stretches: Some(Stretches::new(stiffness, airy_modes)?), ..self })
    }

    /// The plate by its lowest `modes`. σ = (d₁ + d₃∫∫|∇φ|²/∫∫φ²)/2: what d₃ carries from one mode to others between ends
    /// that are not simply supported is left out.
    ///
    /// # Errors
    /// A [`Complaint`] where there are none or too many, or where the plate stretches and not all of its sides are simply supported.
    pub fn by_modes(&self, modes: usize) -> Result<Modal, Complaint> {
        surface::check(modes)?;
        let Self { sides, density, d1, d3, ends, poisson, stretches, .. } = *self;
        if stretches.is_some() {
            von_karman::check(modes)?;
            self.check_sides()?;
        }
        let kappa = self.kappa();
        let mode = |mass, k2, slope| Mode { mass, omega: kappa * k2, sigma: 0.5 * (d1 + d3 * slope) };
        let surface = Surface::Rectangle { sides };
        let half_wavelength = |shortest: Option<f64>| PI / shortest.unwrap_or(0.0).sqrt();
        let modal = |modes, norms, half_wavelength, shapes| Modal {
            geometry: Geometry::Surface(surface),
            intervals: sampling::intervals(surface, half_wavelength),
            modes,
            norms,
            shapes,
            force: None,
            stretching: None,
            airy: Arc::default(),
        };
        if ends == [End::Hinged; 2] {
            let (numbers, mass) = (lowest(sides, modes), 0.25 * density * sides[0] * sides[1]);
            let all: Vec<f64> = numbers.iter().map(|numbers| wave2(sides, *numbers)).collect();
            let half = half_wavelength(all.last().copied());
            let shapes = Arc::new(Rectangle { sides, numbers, half_wavelength: half });
            let norms = vec![0.25 * surface.area(); modes];
            let forms = |stretches: Stretches| {
                von_karman::rectangle::forms(
                    sides,
                    &shapes.numbers,
                    lowest(sides, stretches.airy_modes),
                    stretches,
                )
            };
            let airy = stretches.map_or(Vec::new(), forms).into();
            let modes = all.into_iter().map(|k2| mode(mass, k2, k2)).collect();
            return Ok(Modal { airy, ..modal(modes, norms, half, shapes) });
        }
        let across = levy::lowest(sides, ends, poisson, modes);
        let half = half_wavelength(across.last().map(Across::k2));
        let (modes, norms) = across
            .iter()
            .map(|across| {
                let [norm, slope] = across.norms();
                let norm = 0.5 * sides[1] * norm;
                (mode(density * norm, across.k2(), slope), norm)
            })
            .unzip();
        Ok(modal(modes, norms, half, Arc::new(Levy { side: sides[1], across, half_wavelength: half })))
    }

    /// That all sides are simply supported.
    fn check_sides(&self) -> Result<(), Complaint> {
        let Some(side) = self.ends.iter().position(|end| *end != End::Hinged) else { return Ok(()) };
        let message = "must be \"hinged\" with von_karman = true: the stress function of a rectangle is known between four simply supported sides alone";
        let help = "leave it out, or take kind = \"disc\", whose edge may be free or clamped";
        Err(Complaint::new(["left", "right"][side], message).help(help))
    }

    /// √(D/ρh), m²/s.
    fn kappa(&self) -> f64 {
        (self.bending / self.density).sqrt()
    }

    /// k² of the lowest `modes`, 1/m².
    fn waves2(&self, modes: usize) -> Vec<f64> {
        let Self { sides, ends, poisson, .. } = *self;
        if ends == [End::Hinged; 2] {
            return lowest(sides, modes).into_iter().map(|numbers| wave2(sides, numbers)).collect();
        }
        levy::lowest(sides, ends, poisson, modes).iter().map(Across::k2).collect()
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
        summary: "thin rectangular plate, two opposite sides simply supported, by its modes",
        equation: "ρh u_tt = −D ∇⁴u + L(u, F) − ρh d₁ u_t + ρh d₃ ∇²u_t + f,  ∇⁴F = −(Eh/2) L(u, u),  D = Eh³/12(1 − ν²)",
        source: "Leissa 1969, §4.1; Lévy 1899, Leissa 1973; F with von_karman: von Kármán 1910; Ducceschi et al. 2014",
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
            side(
                "left",
                "boundary condition of the side x = 0: hinged (simply supported), clamped, free or sliding; the two sides along x are always simply supported",
            ),
            side("right", "the same of the side x = a"),
            LOSS,
            VON_KARMAN,
            AIRY_MODES,
        ],
        rules: &[
            von_karman::RULE,
            Rule::OneOf(OneOf {
                states: "the thickness",
                alternatives: &[&["thickness"], &["frequency"], &["pitch"]],
                required: true,
            }),
        ],
    },
    make: |values: &Values| {
        let Some(request) = pitched::requested(values) else { return Ok(build(values)?.body) };
        let one = Plate::read(&values.clone().with("thickness", 1.0))?;
        let start = request.frequency * TAU / (one.kappa() * one.waves2(1)[0]);
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
        let ends = ["left", "right"].map(|side| End::read(values.word(side)));
        Plate::new(sides, density, bending)?.with_ends(ends, number("poisson_ratio")?)
    }
}

/// The plate whose thickness is known.
fn build(values: &Values) -> Result<Built, Complaint> {
    let plate = Plate::read(values)?;
    let frequency = |k2: f64| plate.kappa() * k2 / TAU;
    let modes = surface::count(values, |most| plate.waves2(most).into_iter().map(frequency).collect());
    let kappa2 = plate.bending / plate.density;
    let by_law = plate.ends != [End::Hinged; 2];
    let (law, [d1, d3]) = modal_losses::read(values.table("loss"), None, 0.0, kappa2, by_law)?;
    let plate = Plate { stretches: Stretches::read(values, modes)?, ..plate };
    Ok(Built::exact(plate.damped(d1, d3)?.by_modes(modes)?.following(law.as_ref())))
}
