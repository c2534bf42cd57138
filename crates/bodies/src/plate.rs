//! The thin rectangular plate, of metal or of wood, with any of its sides simply supported, clamped, free or sliding.
//!
//!   ρh u_tt = −D ∇⁴u − ρh d₁ u_t + ρh d₃ ∇²u_t + f,   D = Eh³/12(1 − ν²)
//!   φ_mn = sin(mπx/a) sin(nπy/b),   f_mn = (π/2) √(D/ρh) ((m/a)² + (n/b)²),   m_mn = ρhab/4
//!
//! u (m) displacement, ρ (kg/m³) density, h (m) thickness, a and b (m) sides, E (Pa) Young's modulus, ν Poisson's
//! ratio, d₁ (1/s) and d₃ (m²/s) losses, f (N/m²) force (Kirchhoff 1850; Leissa 1969, §4.1). φ_mn, f_mn and m_mn are those between
//! four simply supported sides. Where the ends x = 0 and x = a alone are held otherwise, shapes are X(x) sin(nπy/b) and f = k²√(D/ρh)/2π with X and
//! k of `levy.rs`. Of all other sides, and of all but simply supported ones where the plate is orthotropic or stretches, modes are Ritz sums
//! (`modal/ritz.rs`). An orthotropic plate has D₁u_xxxx + 2(D₃ + 2D₆)u_xxyy + D₂u_yyyy in place of D∇⁴u (`orthotropic.rs`).

use crate::{
    ends::End,
    modal::{
        Modal, Mode, Shapes,
        levy::{self, Across, Levy},
        rectangle::Rectangle,
        ritz::{Ritz, Solved},
        sampling,
    },
    orthotropic::{Coefficients, ISOTROPIC_STRETCHING, Orthotropic, isotropic_bending, of_waves},
    surface,
    von_karman::{self, Stretches},
};
use hamiltone_core::{
    geometry::{Geometry, Surface},
    parameter::{Complaint, Range},
};
use hamiltone_numerics::math::square;
use std::{f64::consts::PI, sync::Arc};

/// The most modes that are Ritz sums where the sides of one pair are alike, and where those of neither are: the time to find them rises with
/// its cube.
const MAX_SUMS: usize = 500;
const MAX_MIXED: usize = 250;
/// The most of them, and of those of a plate that stretches, unless `modes` is given.
pub(crate) const MAX_UNSTATED: usize = 100;
/// The least number of products of such sums.
const LEAST_PRODUCTS: usize = 60;

/// The physics of a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plate {
    /// a and b, m.
    pub(crate) sides: [f64; 2],
    /// ρh, kg/m².
    pub(crate) density: f64,
    /// D₁, D₂, D₃ and D₆, N m: D of an isotropic plate is the first.
    pub(crate) bending: Coefficients,
    /// a₁, a₂, a₃ and a₆.
    pub(crate) stretching: Coefficients,
    /// ν of an isotropic plate, which counts where a side of it is free.
    pub(crate) poisson: Option<f64>,
    /// At x = 0 and x = a, at y = 0 and y = b.
    pub(crate) ends: [[End; 2]; 2],
    /// 1/s.
    pub(crate) d1: f64,
    /// m²/s.
    pub(crate) d3: f64,
    /// Where it stretches as it bends.
    pub(crate) stretches: Option<Stretches>,
}

/// What its shapes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Products of sines.
    Sines,
    /// X(x) sin αy.
    Levy,
    /// Sums of products of beam functions.
    Sums,
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
            bending: isotropic_bending(positive("bending_stiffness", bending)?, 0.0),
            stretching: ISOTROPIC_STRETCHING,
            poisson: Some(0.0),
            ends: [[End::Hinged; 2]; 2],
            d1: 0.0,
            d3: 0.0,
            stretches: None,
        })
    }

    /// A lossless orthotropic plate: a and b (m), ρh (kg/m²), h (m).
    ///
    /// ```
    /// use hamiltone_bodies::{Orthotropic, Plate};
    ///
    /// // 3 mm of spruce, 40 cm along the grain and 30 cm across.
    /// let spruce = Orthotropic::new([11e9, 0.8e9], 0.75e9, 0.37)?;
    /// let plate = Plate::orthotropic([0.4, 0.3], 1.2, 3e-3, spruce)?.by_modes(10)?;
    /// assert!((plate.modes()[0].omega / std::f64::consts::TAU - 60.21).abs() < 0.01);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn orthotropic(
        sides: [f64; 2],
        density: f64,
        thickness: f64,
        material: Orthotropic,
    ) -> Result<Self, Complaint> {
        let bending = material.bending(Range::POSITIVE.check("thickness", thickness)?);
        let plate = Self::new(sides, density, bending[0])?;
        Ok(Self { bending, stretching: material.stretching(), poisson: None, ..plate })
    }

    /// The same plate with other boundary conditions at x = 0 and x = a; ν of its material counts where one is free. Of an orthotropic plate
    /// its own ν₁₂ does.
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
        let poisson = Range { min: 0.0, max: 0.5, open: false }.check("poisson_ratio", poisson)?;
        let plate = Self { ends: [ends, self.ends[1]], ..self };
        Ok(match self.poisson {
            Some(_) => {
                let bending = isotropic_bending(self.bending[0], poisson);
                Self { bending, poisson: Some(poisson), ..plate }
            }
            None => plate,
        })
    }

    /// The same plate with other boundary conditions at y = 0 and y = b; where one is free ν is that of `with_ends`, or 0 without.
    ///
    /// ```
    /// use hamiltone_bodies::{End, Plate};
    ///
    /// // A square of 1 m with κ = 1 m²/s, clamped all round: ω = 35.985 rad/s (Leissa 1973).
    /// let clamped = [End::Clamped; 2];
    /// let plate = Plate::new([1.0; 2], 1.0, 1.0)?.with_ends(clamped, 0.3)?.with_front_and_back(clamped);
    /// assert!((plate.by_modes(100)?.modes()[0].omega - 35.985).abs() < 1e-3);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    #[must_use]
    pub fn with_front_and_back(self, ends: [End; 2]) -> Self {
        Self { ends: [self.ends[0], ends], ..self }
    }

    /// The same plate with losses d₁ ≥ 0 (1/s) and d₃ ≥ 0 (m²/s).
    ///
    /// # Errors
    /// A [`Complaint`] where one is negative.
    pub fn damped(self, d1: f64, d3: f64) -> Result<Self, Complaint> {
        let check = |name, d| Range::NOT_NEGATIVE.check(name, d);
        Ok(Self { d1: check("d1", d1)?, d3: check("d3", d3)?, ..self })
    }

    /// The same plate, stretching as it bends by more than its thickness (von Kármán 1910), with Eh > 0 (N/m; E₁h of an orthotropic plate) and so
    /// many modes of Airy's stress function, 1 to 200. Where all sides are simply supported they move in the plane of the plate at right angles to
    /// themselves; otherwise all are free in its plane, whatever holds them across.
    ///
    /// # Errors
    /// A [`Complaint`] where Eh is not positive, or there is no mode or too many.
    pub fn von_karman(self, stiffness: f64, airy_modes: usize) -> Result<Self, Complaint> {
        Ok(Self { stretches: Some(Stretches::new(stiffness, airy_modes)?), ..self })
    }

    /// The same plate, which stretches, with sides free of stress in its plane where they are simply supported, too.
    #[must_use]
    pub fn free_in_plane(self) -> Self {
        Self { stretches: self.stretches.map(|stretches| Stretches { free: true, ..stretches }), ..self }
    }

    /// The plate by its lowest `modes`. σ = (d₁ + d₃∫∫|∇φ|²/∫∫φ²)/2: what d₃ carries from one mode to others between ends
    /// that are not simply supported is left out.
    ///
    /// # Errors
    /// A [`Complaint`] where there are none or too many.
    pub fn by_modes(&self, modes: usize) -> Result<Modal, Complaint> {
        self.with_forms(modes, true)
    }

    /// The same, without the forms of sums where only its frequencies are asked for.
    pub(crate) fn with_forms(&self, modes: usize, forms: bool) -> Result<Modal, Complaint> {
        surface::check(modes)?;
        if self.stretches.is_some() {
            von_karman::check(modes)?;
        }
        match self.form() {
            Form::Sines => Ok(self.sines(modes)),
            Form::Levy => Ok(self.levy(modes)),
            Form::Sums if modes > self.most_sums() => {
                let message = format!(
                    "is {modes}; at most {} of a plate with these sides: the time to find them grows with its cube",
                    self.most_sums()
                );
                let help = "give fewer modes, or hold opposite sides alike: as many as 500 then";
                Err(Complaint::new("modes", message).help(help))
            }
            Form::Sums => Ok(self.sums(modes, forms)),
        }
    }

    /// How many modes may be sums.
    fn most_sums(&self) -> usize {
        if self.ritz().mirrors() == [false; 2] { MAX_MIXED } else { MAX_SUMS }
    }

    /// What its shapes are.
    pub(crate) fn form(&self) -> Form {
        let sides = self.ends.map(|ends| ends == [End::Hinged; 2]);
        match (sides, self.poisson) {
            ([true, true], _) if self.stretches.is_none_or(|stretches| !stretches.free) => Form::Sines,
            ([_, true], Some(_)) if self.stretches.is_none() => Form::Levy,
            _ => Form::Sums,
        }
    }

    /// The mode of this mass (kg), ω (rad/s) and ∫∫|∇φ|²/∫∫φ², 1/m².
    fn mode(&self, mass: f64, omega: f64, slope: f64) -> Mode {
        Mode { mass, omega, sigma: 0.5 * (self.d1 + self.d3 * slope) }
    }

    /// The plate of these modes and shapes.
    fn modal(
        &self,
        modes: Vec<Mode>,
        norms: Vec<f64>,
        shapes: Arc<dyn Shapes>,
        airy: Vec<von_karman::AiryForm>,
    ) -> Modal {
        let surface = Surface::Rectangle { sides: self.sides };
        Modal {
            geometry: Geometry::Surface(surface),
            intervals: sampling::intervals(surface, shapes.half_wavelength()),
            modes,
            norms,
            shapes,
            force: None,
            stretching: None,
            airy: airy.into(),
        }
    }

    fn sines(&self, modes: usize) -> Modal {
        let Self { sides, density, stretching, stretches, .. } = *self;
        let (numbers, mass) = (self.numbers(modes), 0.25 * density * sides[0] * sides[1]);
        let wave2 = |[x, y]: [f64; 2]| x + y;
        let all = numbers.iter().map(|numbers| {
            let waves2 = waves2(sides, *numbers);
            self.mode(mass, self.omega(waves2), wave2(waves2))
        });
        let all = all.collect();
        let highest = numbers.iter().map(|numbers| wave2(waves2(sides, *numbers))).fold(0.0, f64::max);
        let airy = stretches.map_or(Vec::new(), |stretches| {
            let airy = lowest(stretches.airy_modes, |numbers| of_waves(stretching, waves2(sides, numbers)));
            von_karman::rectangle::forms(sides, &numbers, airy, stretching, stretches)
        });
        let shapes = Rectangle { sides, numbers, half_wavelength: PI / highest.sqrt() };
        self.modal(all, vec![0.25 * (sides[0] * sides[1]); modes], Arc::new(shapes), airy)
    }

    fn levy(&self, modes: usize) -> Modal {
        let across = levy::lowest(self.sides, self.ends[0], self.poisson.unwrap_or(0.0), modes);
        let highest = across.last().map_or(0.0, Across::k2);
        let (modes, norms) = across
            .iter()
            .map(|across| {
                let [norm, slope] = across.norms();
                let norm = 0.5 * self.sides[1] * norm;
                (self.mode(self.density * norm, self.kappa() * across.k2(), slope), norm)
            })
            .unzip();
        let shapes = Levy { side: self.sides[1], across, half_wavelength: PI / highest.sqrt() };
        self.modal(modes, norms, Arc::new(shapes), Vec::new())
    }

    /// By sums, with the forms of its stretching or without.
    fn sums(&self, modes: usize, forms: bool) -> Modal {
        let ritz = self.ritz();
        let solved = ritz.lowest(modes, LEAST_PRODUCTS);
        let airy = self.stretches.filter(|_| forms).map_or(Vec::new(), |stretches| {
            von_karman::products::forms(&ritz, &solved, self.stretching, stretches)
        });
        let Solved { products, omega2, slopes } = solved;
        let norm = 0.25 * self.sides[0] * self.sides[1];
        let mode = |(omega2, slope): (&f64, &f64)| self.mode(self.density * norm, omega2.sqrt(), *slope);
        let all: Vec<Mode> = omega2.iter().zip(&slopes).map(mode).collect();
        let norms = vec![norm; all.len()];
        self.modal(all, norms, Arc::new(products), airy)
    }

    /// By sums of products.
    fn ritz(&self) -> Ritz {
        Ritz { sides: self.sides, ends: self.ends, stiffness: self.bending, density: self.density }
    }

    /// √(D/ρh), m²/s.
    fn kappa(&self) -> f64 {
        (self.bending[0] / self.density).sqrt()
    }

    /// ω of sin αx sin βy, of α² and β².
    fn omega(&self, waves2: [f64; 2]) -> f64 {
        match self.poisson {
            Some(_) => self.kappa() * (waves2[0] + waves2[1]),
            None => (of_waves(self.bending, waves2) / self.density).sqrt(),
        }
    }

    /// m and n of the lowest `modes` between simply supported sides.
    fn numbers(&self, modes: usize) -> Vec<[usize; 2]> {
        lowest(modes, |numbers| match (self.poisson, waves2(self.sides, numbers)) {
            (Some(_), [x, y]) => x + y,
            (None, waves2) => of_waves(self.bending, waves2),
        })
    }

    /// ω of the lowest `modes`, of sums about and at most [`MAX_UNSTATED`], rad/s.
    pub(crate) fn frequencies(&self, modes: usize) -> Vec<f64> {
        match self.form() {
            Form::Sines => {
                let omega = |numbers| self.omega(waves2(self.sides, numbers));
                self.numbers(modes).into_iter().map(omega).collect()
            }
            Form::Levy => {
                let all = levy::lowest(self.sides, self.ends[0], self.poisson.unwrap_or(0.0), modes);
                all.iter().map(|across| self.kappa() * across.k2()).collect()
            }
            Form::Sums => {
                let all = self.ritz().about(modes.min(MAX_UNSTATED));
                all.into_iter().map(f64::sqrt).collect()
            }
        }
    }
}

/// α² and β² of a mode, 1/m².
fn waves2([a, b]: [f64; 2], [m, n]: [usize; 2]) -> [f64; 2] {
    [square(m as f64 * PI / a), square(n as f64 * PI / b)]
}

/// The numbers of the lowest of what rises with m and n. Below (m, n) lie m·n − 1 others at least, so that m·n ≤ `modes`.
fn lowest(modes: usize, of: impl Fn([usize; 2]) -> f64) -> Vec<[usize; 2]> {
    let mut all: Vec<[usize; 2]> = (1..=modes).flat_map(|m| (1..=modes / m).map(move |n| [m, n])).collect();
    all.sort_by(|p, q| of(*p).total_cmp(&of(*q)).then(p.cmp(q)));
    all.truncate(modes);
    all
}

#[cfg(test)]
mod tests;
