//! The thin circular plate: a gong, a cymbal, a bell plate.
//!
//!   ρh u_tt = −D ∇⁴u − ρh d₁ u_t + ρh d₃ ∇²u_t + f,   D = Eh³/12(1 − ν²)
//!   φ_ns = R_ns(r/a) cos nθ, for n > 0 also with sin nθ,   R = N (J_n(λρ) + c I_n(λρ)/I_n(λ)),   ω = λ²√(D/ρh)/a²
//!
//! u (m) displacement, ρ (kg/m³) density, h (m) thickness, a (m) radius, E (Pa) Young's modulus, ν Poisson's ratio, d₁ (1/s) and
//! d₃ (m²/s) losses, f (N/m²) force (Kirchhoff 1850; Leissa 1969, ch. 2). λ and c follow from the edge (`modal/round/roots.rs`). All shapes have
//! ∫∫φ² = πa²/4, so that each mode has a quarter of the mass. A plate with a free edge has three rigid motions, 1/2 and (r/a) cos θ, (r/a) sin θ,
//! before all others.

use crate::{
    built::Built,
    ends::End,
    losses::LOSS,
    modal::{
        Modal, Mode, Shapes,
        round::{Round, radial::Radial, roots::Edge},
        sampling,
    },
    modal_losses,
    parameters::{DENSITY, POISSON_RATIO, THICKNESS, THICKNESSES, YOUNGS_MODULUS, sized},
    pitched::{self, FINEST, FREQUENCY, PITCH, Unknown},
    surface::{self, MODES},
    von_karman::{self, AIRY_MODES, RISE, Stretches, VON_KARMAN},
};
use hamiltone_core::{
    body::Body,
    geometry::{Geometry, Surface},
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Rule, SWITCH, Takes, Values},
};
use hamiltone_numerics::math::{powi, square};
use std::{f64::consts::TAU, sync::Arc};

/// The physics of a circular plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircularPlate {
    /// a, m.
    radius: f64,
    /// ρh, kg/m².
    density: f64,
    /// D, N m.
    bending: f64,
    edge: Edge,
    /// 1/s.
    d1: f64,
    /// m²/s.
    d3: f64,
    /// Where it stretches as it bends.
    stretches: Option<Stretches>,
}

impl CircularPlate {
    /// A lossless plate: a (m), ρh (kg/m²), D (N m), what holds its edge, and ν of its material.
    ///
    /// ```
    /// use hamiltone_bodies::{CircularPlate, End};
    ///
    /// // ωa²√(ρh/D) = 5.262 and 9.069 of a free plate with ν = 0.33, the first of them twice, after three rigid motions.
    /// let plate = CircularPlate::new(1.0, 1.0, 1.0, End::Free, 0.33)?.by_modes(6)?;
    /// for (mode, omega) in plate.modes().iter().zip([0.0, 0.0, 0.0, 5.2620, 5.2620, 9.0689]) {
    ///     assert!((mode.omega - omega).abs() < 5.1e-5);
    /// }
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where a, ρh or D is not positive, or ν not from 0 to ½.
    pub fn new(radius: f64, density: f64, bending: f64, edge: End, poisson: f64) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        let poisson = Range { min: 0.0, max: 0.5, open: false }.check("poisson_ratio", poisson)?;
        Ok(Self {
            radius: positive("radius", radius)?,
            density: positive("surface_density", density)?,
            bending: positive("bending_stiffness", bending)?,
            edge: Edge { end: edge, poisson, loose: true },
            d1: 0.0,
            d3: 0.0,
            stretches: None,
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

    /// The same plate, hung so softly that its rigid motions are no sound: it neither shifts nor turns.
    #[must_use]
    pub fn hung(self) -> Self {
        Self { edge: Edge { loose: false, ..self.edge }, ..self }
    }

    /// The same plate, stretching as it bends by more than its thickness (von Kármán 1910), with Eh > 0 (N/m) and so many modes of Airy's
    /// stress function, 1 to 200. Its edge is free in the plane of the plate, whatever holds it across.
    ///
    /// ```
    /// use hamiltone_bodies::{CircularPlate, End};
    /// use hamiltone_core::{body::Body, system::System};
    ///
    /// let plate = CircularPlate::new(0.2, 7.85, 18.3, End::Free, 0.3)?.von_karman(2e8, 6)?.by_modes(20)?;
    /// let mut system = System::default();
    /// plate.add_to(&mut system, "gong")?;
    /// assert_eq!(system.forms.len(), 6);
    /// // Rigid motions do not stretch it.
    /// assert!(system.forms.iter().all(|form| form.dofs().all(|dof| dof >= 3)));
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where Eh is not positive, or there is no mode or too many.
    pub fn von_karman(self, stiffness: f64, airy_modes: usize) -> Result<Self, Complaint> {
        Ok(Self { stretches: Some(Stretches::new(stiffness, airy_modes)?), ..self })
    }

    /// The same plate, which stretches, as a shallow spherical cap of this rise H (m) from its edge to its centre, without stress at rest:
    /// w₀ = H(1 − r²/a²). The masses and frequencies of [`Modal::modes`] stay those of the flat plate, whose modes are the coordinates;
    /// the cap has the partials that its placed [`Representation`](hamiltone_core::body::Representation) tells.
    ///
    /// # Errors
    /// A [`Complaint`] where it does not stretch, or H is negative or above a/4.
    pub fn risen(self, rise: f64) -> Result<Self, Complaint> {
        let Some(stretches) = self.stretches else {
            return Err(Complaint::new("rise", "needs von_karman = true"));
        };
        von_karman::check_rise(rise, self.radius)?;
        Ok(Self { stretches: Some(Stretches { rise, ..stretches }), ..self })
    }

    /// The plate by its lowest modes, so many, rigid motions among them. σ = (d₁ + d₃∫∫|∇φ|²/∫∫φ²)/2: what d₃ carries from one mode to
    /// others is left out.
    ///
    /// # Errors
    /// A [`Complaint`] where there are none or too many.
    pub fn by_modes(&self, modes: usize) -> Result<Modal, Complaint> {
        surface::check(modes)?;
        let Self { radius, density, d1, d3, edge, stretches, .. } = *self;
        if stretches.is_some() {
            von_karman::check(modes)?;
        }
        let shapes = edge.lowest(modes);
        let surface = Surface::Disc { radius };
        let norm = 0.25 * surface.area();
        let mode = |(radial, _): &(Radial, bool)| {
            // A rigid motion has no wave number.
            let slope = if d3 == 0.0 || radial.lambda == 0.0 { 0.0 } else { radial.squares()[1] / norm };
            Mode {
                mass: density * norm,
                omega: self.kappa() * square(radial.lambda / radius),
                sigma: 0.5 * (d1 + d3 * slope),
            }
        };
        let all = shapes.iter().map(mode).collect();
        let airy =
            stretches.map_or(Vec::new(), |stretches| von_karman::disc::forms(radius, &shapes, stretches));
        let shapes = Round { radius, shapes };
        Ok(Modal {
            geometry: Geometry::Surface(surface),
            intervals: sampling::intervals(surface, shapes.half_wavelength()),
            modes: all,
            norms: vec![norm; modes],
            shapes: Arc::new(shapes),
            force: None,
            stretching: None,
            airy: airy.into(),
        })
    }

    /// √(D/ρh), m²/s.
    fn kappa(&self) -> f64 {
        (self.bending / self.density).sqrt()
    }

    /// The frequencies of the lowest `modes` without losses, Hz.
    fn frequencies(&self, modes: usize) -> Vec<f64> {
        let frequency = |lambda: f64| self.kappa() * square(lambda / self.radius) / TAU;
        self.edge.lowest(modes).iter().map(|(radial, _)| frequency(radial.lambda)).collect()
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "disc",
        summary: "thin circular plate with a free, clamped or simply supported edge, by its modes: a gong, a cymbal, a bell plate",
        equation: "ρh u_tt = −D ∇⁴u + L(u + w₀, F) − ρh d₁ u_t + ρh d₃ ∇²u_t + f,  ∇⁴F = −(Eh/2) L(u, u + 2w₀),  D = Eh³/12(1 − ν²)",
        source: "Kirchhoff 1850; Leissa 1969, ch. 2; F with von_karman: von Kármán 1910; Touzé, Thomas & Chaigne 2002",
        parameters: &[
            MODES,
            sized("radius", 1e-3, 100.0, "a"),
            Parameter { doc: "h", absent: Absent::Rule, ..THICKNESS },
            Parameter {
                doc: "the frequency at which the lowest mode that is no rigid motion sounds, with losses: h follows",
                ..FREQUENCY
            },
            Parameter { doc: "the note at which it sounds, in place of frequency", ..PITCH },
            DENSITY,
            YOUNGS_MODULUS,
            POISSON_RATIO,
            Parameter {
                name: "edge",
                takes: Takes::Word(End::WORDS),
                absent: Absent::Word("free"),
                doc: "boundary condition of the edge: free (no moment, no force: three of the modes are rigid motions), clamped, or hinged (simply supported)",
            },
            Parameter {
                name: "rigid_motions",
                takes: Takes::Word(&SWITCH),
                absent: Absent::Word("true"),
                doc: "with a free edge, whether the disc also shifts and turns, its first three modes; false where it hangs on soft cords, as a gong: what strikes it then meets its vibrations alone, and links to hold it are not needed",
            },
            LOSS,
            VON_KARMAN,
            AIRY_MODES,
            RISE,
        ],
        rules: &[
            von_karman::RULE,
            Rule::OnlyWith { parameters: &["rigid_motions"], key: "edge", word: "free" },
            Rule::OnlyWith { parameters: &[RISE.name], key: VON_KARMAN.name, word: "true" },
            Rule::OneOf(OneOf {
                states: "the thickness",
                alternatives: &[&["thickness"], &["frequency"], &["pitch"]],
                required: true,
            }),
        ],
    },
    make: |values: &Values| {
        let Some(request) = pitched::requested(values) else { return Ok(build(values)?.body) };
        if values.number(RISE.name).is_some_and(|rise| rise > 0.0) {
            let message = "of a disc with a rise is not solved for";
            return Err(
                Complaint::new(request.key, message).help("give the thickness, or leave out the rise")
            );
        }
        let one = CircularPlate::read(&values.clone().with("thickness", 1.0))?;
        // After three rigid motions at most.
        let lowest = one.frequencies(4).into_iter().find(|f| *f > 0.0).unwrap_or(1.0);
        let start = request.frequency / lowest;
        let thickness = Unknown { name: "thickness", unit: "m", range: THICKNESSES, start, power: 1.0 };
        pitched::solve(values, request, thickness, FINEST, build)
    },
};

impl CircularPlate {
    /// The plate of these values, without losses.
    fn read(values: &Values) -> Result<Self, Complaint> {
        let number = |name| values.required(name);
        let (h, poisson) = (number("thickness")?, number("poisson_ratio")?);
        let bending = number("youngs_modulus")? * powi(h, 3) / (12.0 * (1.0 - square(poisson)));
        let (radius, density) = (number("radius")?, number("density")? * h);
        let plate = Self::new(radius, density, bending, End::read(values.word("edge")), poisson)?;
        Ok(if values.word("rigid_motions") == Some("false") { plate.hung() } else { plate })
    }
}

/// The plate whose thickness is known.
fn build(values: &Values) -> Result<Built, Complaint> {
    let plate = CircularPlate::read(values)?;
    let modes = surface::count(values, |most| plate.frequencies(most));
    let (law, [d1, d3]) =
        modal_losses::read(values.table("loss"), None, 0.0, plate.bending / plate.density, true)?;
    let stretches = Stretches::read(values, modes)?;
    stretches.map_or(Ok(()), |stretches| von_karman::check_rise(stretches.rise, plate.radius))?;
    let plate = CircularPlate { stretches, ..plate };
    Ok(Built::exact(plate.damped(d1, d3)?.by_modes(modes)?.following(law.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{modal::round::radial::points, sounding};
    use std::f64::consts::PI;

    /// A free plate is tuned by its first mode that is no rigid motion: by losses and any number of modes.
    #[test]
    fn a_thickness_follows_from_a_pitch() {
        for modes in [4.0, 40.0] {
            let values = Values::defaults(ENTRY.kind.parameters)
                .with("radius", 0.15)
                .with("frequency", 220.0)
                .with("modes", modes)
                .with("loss", Values::default().with("d1", 30.0));
            let body = (ENTRY.make)(&values).unwrap();
            let sounds = sounding::partials(&*body, 1).unwrap()[0];
            assert!((sounds / 220.0 - 1.0).abs() < 1e-10, "{sounds}");
            let h = body.solved()[0].value;
            // ω = 5.358 κ/a² with ν = 0.3.
            let kappa = h * (2e11 / (12.0 * 7850.0 * 0.91_f64)).sqrt();
            assert!((5.3583 * kappa / square(0.15) / TAU - 220.0).abs() < 0.02, "{h}");
        }
    }

    /// A plate that hangs has the modes that follow the rigid motions, and is tuned by the first of them.
    #[test]
    fn a_plate_that_hangs_has_no_rigid_motions() {
        let plate = CircularPlate::new(0.2, 1.0, 1.0, End::Free, 0.3).unwrap();
        let [loose, hung] = [(plate, 13), (plate.hung(), 10)].map(|(plate, n)| plate.by_modes(n).unwrap());
        assert_eq!(loose.modes()[3..], *hung.modes());
        let values = Values::defaults(ENTRY.kind.parameters).with("radius", 0.2).with("frequency", 100.0);
        let body = (ENTRY.make)(&values.with("rigid_motions", "false").with("modes", 1.0)).unwrap();
        assert!((sounding::partials(&*body, 1).unwrap()[0] - 100.0).abs() < 1e-8);
    }

    /// A rigid motion is damped by d₁ alone; of a clamped edge ∫∫|∇φ|² = −∫∫φ∇²φ.
    #[test]
    fn losses_follow_slopes() {
        let plate = |end| CircularPlate::new(0.2, 1.0, 1.0, end, 0.3).unwrap().damped(2.0, 0.1).unwrap();
        let sigmas = |end, count: usize| -> Vec<f64> {
            plate(end).by_modes(count).unwrap().modes().iter().map(|mode| mode.sigma).collect()
        };
        assert_eq!(sigmas(End::Free, 3), [1.0; 3]);
        let (own, radial) = (sigmas(End::Clamped, 1)[0], plate(End::Clamped).edge.lowest(1)[0].0);
        let laplacian = |rho: f64| radial.curvatures(rho).radial + radial.curvatures(rho).circular;
        let term = |(rho, w): (f64, f64)| -TAU * w * rho * radial.at(rho) * laplacian(rho);
        let slope: f64 = points(radial.lambda).map(term).sum();
        let exact = 1.0 + 0.05 * slope / (0.25 * PI * square(0.2));
        assert!((own / exact - 1.0).abs() < 1e-12, "{own} {exact}");
    }
}
