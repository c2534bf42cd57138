//! The thin rectangular plate, simply supported all around, by its modes.
//!
//!   ρh u_tt = −D ∇⁴u − ρh d₁ u_t + ρh d₃ ∇²u_t + f,   D = Eh³/12(1 − ν²)
//!   φ_mn = sin(mπx/a) sin(nπy/b),   f_mn = (π/2) √(D/ρh) ((m/a)² + (n/b)²),   m_mn = ρhab/4
//!
//! u (m) displacement, ρ (kg/m³) density, h (m) thickness, a and b (m) sides, E (Pa) Young's modulus, ν Poisson's
//! ratio, f (N/m²) force (Kirchhoff 1850; Leissa 1969, §4.1).

use crate::{
    losses::LOSS,
    modal::Mode,
    parameters::{DENSITY, POISSON_RATIO, THICKNESS, YOUNGS_MODULUS, sized},
    sines::sincos_pi,
    surface::{self, MODES},
};
use hamiltone_core::{
    body::{Body, Place, Placed},
    parameter::{Complaint, Entry, Kind, Parameter, Range, Values},
    system::System,
};
use std::f64::consts::{PI, TAU};

/// A plate by its lowest modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plate {
    sides: [f64; 2],
    /// m and n.
    numbers: Vec<[usize; 2]>,
    modes: Vec<Mode>,
}

impl Plate {
    /// A lossless plate by so many modes: a and b (m), ρh (kg/m²), D (N m).
    ///
    /// ```
    /// use hamiltone_bodies::Plate;
    /// use hamiltone_core::{body::Body, system::System};
    ///
    /// // 1 mm of steel, 40 cm by 30 cm.
    /// let plate = Plate::new([0.4, 0.3], 7.85, 2e11 * 1e-9 / (12.0 * 0.91), 10)?;
    /// let mut system = System::default();
    /// plate.add_to(&mut system, "plate")?;
    /// let stiffness = system.diagonal_stiffness().unwrap();
    /// let lowest = (stiffness[0] / system.mass[0]).sqrt() / std::f64::consts::TAU;
    /// assert!((lowest - 41.655).abs() < 1e-3);
    /// # Ok::<(), hamiltone_core::parameter::Complaint>(())
    /// ```
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive.
    pub fn new(sides: [f64; 2], density: f64, bending: f64, modes: usize) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        let [a, b] = [positive("length", sides[0])?, positive("width", sides[1])?];
        let kappa = (positive("bending_stiffness", bending)? / positive("surface_density", density)?).sqrt();
        let numbers = lowest(sides, modes);
        let mode = |numbers: &[usize; 2]| {
            let omega = kappa * wave2(sides, *numbers);
            Mode { mass: 0.25 * density * a * b, omega, sigma: 0.0 }
        };
        Ok(Self { sides, modes: numbers.iter().map(mode).collect(), numbers })
    }

    /// The same plate with the decay rate σ(f, k²) (1/s) of each mode by its frequency (Hz) and wave number (1/m).
    #[must_use]
    pub fn losing(mut self, sigma: impl Fn(f64, f64) -> f64) -> Self {
        for (mode, numbers) in self.modes.iter_mut().zip(&self.numbers) {
            mode.sigma = sigma(mode.omega / TAU, wave2(self.sides, *numbers));
        }
        self
    }
}

/// k² of a mode.
fn wave2([a, b]: [f64; 2], [m, n]: [usize; 2]) -> f64 {
    (m as f64 * PI / a).powi(2) + (n as f64 * PI / b).powi(2)
}

/// The modes of the lowest k². Below (m, n) lie m·n − 1 others at least, so that m·n ≤ `modes`.
fn lowest(sides: [f64; 2], modes: usize) -> Vec<[usize; 2]> {
    let mut all: Vec<[usize; 2]> = (1..=modes).flat_map(|m| (1..=modes / m).map(move |n| [m, n])).collect();
    all.sort_by(|p, q| wave2(sides, *p).total_cmp(&wave2(sides, *q)).then(p.cmp(q)));
    all.truncate(modes);
    all
}

impl Body for Plate {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let (sides, numbers) = (self.sides, self.numbers.clone());
        surface::add(system, name, &self.modes, move |place| {
            let Place::Pair(x, y) = place else {
                return Err("it is a plate: two numbers say where, such as @0.3,0.4 or @0.1 m,0.2 m".into());
            };
            let (x, y) = (x.along(sides[0])? / sides[0], y.along(sides[1])? / sides[1]);
            let shape = |[m, n]: &[usize; 2]| sincos_pi(*m, x).0 * sincos_pi(*n, y).0;
            Ok(numbers.iter().map(shape).collect())
        })
    }
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
            Parameter { doc: "h", ..THICKNESS },
            DENSITY,
            YOUNGS_MODULUS,
            POISSON_RATIO,
            LOSS,
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let number = |name| values.required(name);
        let (sides, h) = ([number("length")?, number("width")?], number("thickness")?);
        let density = number("density")? * h;
        let bending =
            number("youngs_modulus")? * h.powi(3) / (12.0 * (1.0 - number("poisson_ratio")?.powi(2)));
        let kappa2 = bending / density;
        let frequency = |numbers: &[usize; 2]| kappa2.sqrt() * wave2(sides, *numbers) / TAU;
        let modes = surface::count(values, |most| lowest(sides, most).iter().map(frequency).collect());
        let damping = surface::damping(values, 0.0, kappa2)?;
        Ok(Box::new(Plate::new(sides, density, bending, modes)?.losing(damping)))
    },
};
