//! The circular membrane, held at its rim, by its modes.
//!
//!   ρh u_tt = T ∇²u − ρh d₁ u_t + ρh d₃ ∇²u_t + f
//!   φ_ns = J_n(j_ns r/R) cos nθ / max J_n, for n > 0 also with sin nθ,   f_ns = j_ns c/2πR,   c² = T/ρh
//!   m_ns = ρhπR² J_(n+1)(j_ns)² / (max J_n)², half of it for n > 0,   J_n(j_ns) = 0
//!
//! u (m) displacement, ρ (kg/m³) density, h (m) thickness, T (N/m) tension, R (m) radius, f (N/m²) force (Rayleigh
//! 1894, §§200–206).

use crate::{
    bessel,
    losses::LOSS,
    modal::Mode,
    parameters::{DENSITY, sized},
    sines::sincos_pi,
    surface::{self, MODES},
};
use hamiltone_core::{
    body::{Body, Coordinate, Place, Placed},
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
    system::System,
};
use hamiltone_numerics::math::jn;
use std::f64::consts::{PI, TAU};

/// The shape of a mode: n, j_ns, whether sin nθ, max J_n.
type Shape = (usize, f64, bool, f64);

/// A membrane by its lowest modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Membrane {
    radius: f64,
    shapes: Vec<Shape>,
    modes: Vec<Mode>,
}

impl Membrane {
    /// A lossless membrane by so many modes: R (m), ρh (kg/m²), T (N/m).
    ///
    /// ```
    /// use hamiltone_bodies::Membrane;
    /// use hamiltone_core::{body::Body, system::System};
    ///
    /// // f = j c/2πR with j = 2.404826, 3.831706 (twice), 5.135622 (twice), 5.520078.
    /// let membrane = Membrane::new(1.0 / std::f64::consts::TAU, 0.25, 0.25, 6)?;
    /// let mut system = System::default();
    /// membrane.add_to(&mut system, "drum")?;
    /// let stiffness = system.diagonal_stiffness().unwrap();
    /// let own = stiffness.iter().zip(&system.mass).map(|(k, m)| (k / m).sqrt() / std::f64::consts::TAU);
    /// for (f, j) in own.zip([2.404826, 3.831706, 3.831706, 5.135622, 5.135622, 5.520078]) {
    ///     assert!((f - j).abs() < 1e-6);
    /// }
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn new(radius: f64, density: f64, tension: f64, modes: usize) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        let wave = positive("tension", tension)? / positive("surface_density", density)?;
        let speed = wave.sqrt() / positive("radius", radius)?;
        let circle = bessel::circle(modes);
        let highest = circle.iter().map(|mode| mode.0).max().unwrap_or(0);
        let largest: Vec<f64> = (0..=highest).map(bessel::largest).collect();
        let shapes: Vec<Shape> = circle.into_iter().map(|(n, j, odd)| (n, j, odd, largest[n])).collect();
        let mode = |&(n, j, _, largest): &Shape| {
            let area = PI * radius * radius * if n == 0 { 1.0 } else { 0.5 };
            let mass = density * area * (jn(n as i32 + 1, j) / largest).powi(2);
            Mode { mass, omega: speed * j, sigma: 0.0 }
        };
        Ok(Self { radius, modes: shapes.iter().map(mode).collect(), shapes })
    }

    /// The same membrane with the decay rate σ(f, k²) (1/s) of each mode by its frequency (Hz) and wave number (1/m).
    #[must_use]
    pub fn losing(mut self, sigma: impl Fn(f64, f64) -> f64) -> Self {
        for (mode, (_, j, ..)) in self.modes.iter_mut().zip(&self.shapes) {
            mode.sigma = sigma(mode.omega / TAU, (j / self.radius).powi(2));
        }
        self
    }
}

impl Body for Membrane {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let (radius, shapes) = (self.radius, self.shapes.clone());
        surface::add(system, name, &self.modes, move |place| {
            let (r, turns) = match place {
                Place::Whole => return Err("it is a membrane: say where, such as @0.5 or @0.5,30 deg".into()),
                Place::Length(r) => (Coordinate::Length(r), 0.0),
                Place::Fraction(r) => (Coordinate::Fraction(r), 0.0),
                Place::Pair(r, angle) => (r, angle.turns()?),
            };
            let r = r.along(radius)? / radius;
            let shape = |&(n, j, odd, largest): &Shape| {
                // The rim is held, whatever the rounding of j.
                let along = if r == 1.0 { 0.0 } else { jn(n as i32, j * r) / largest };
                let (sin, cos) = sincos_pi(n, 2.0 * turns);
                along * if odd { sin } else { cos }
            };
            Ok(shapes.iter().map(shape).collect())
        })
    }
}

/// T.
const TENSION: OneOf =
    OneOf { states: "the tension", alternatives: &[&["tension"], &["frequency"]], required: true };

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "membrane",
        summary: "circular membrane held at its rim, by its modes: a drum head in a vacuum",
        equation: "ρh u_tt = T ∇²u − ρh d₁ u_t + ρh d₃ ∇²u_t + f",
        source: "Rayleigh 1894, §§200–206",
        parameters: &[
            MODES,
            sized("radius", 1e-3, 100.0, "R"),
            sized("thickness", 1e-6, 0.01, "h"),
            Parameter { absent: Absent::Number(1380.0), doc: "ρ; Mylar unless given", ..DENSITY },
            Parameter {
                name: "tension",
                takes: Takes::Number(Role::SurfaceTension, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "T, per length of a cut",
            },
            Parameter {
                name: "frequency",
                takes: Takes::Number(Role::Frequency, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "of the lowest mode: f = 2.4048 c/2πR",
            },
            LOSS,
        ],
        rules: &[Rule::OneOf(TENSION)],
    },
    make: |values: &Values| {
        let (radius, density) =
            (values.required("radius")?, values.required("density")? * values.required("thickness")?);
        // A tension that is given is used as it is, not squared from its own wave speed.
        let (tension, speed) = match values.one_of(&TENSION) {
            Some("frequency") => {
                let speed = values.required("frequency")? * TAU * radius / bessel::circle(1)[0].1;
                (density * speed * speed, speed)
            }
            _ => {
                let tension = values.required("tension")?;
                (tension, (tension / density).sqrt())
            }
        };
        let frequencies =
            |most| bessel::circle(most).into_iter().map(|(_, j, _)| j * speed / (TAU * radius)).collect();
        let modes = surface::count(values, frequencies);
        let damping = surface::damping(values, speed * speed, 0.0)?;
        Ok(Box::new(Membrane::new(radius, density, tension, modes)?.losing(damping)))
    },
};
