//! Strings between hinged ends by their modes, plucked, over rigid obstacles.
//!
//!   f_k = (kc/2L)√(1 + Bk²),  c = √(T/μ),     u(x, 0) = Σ a_k sin(kπx/L),  a_k = 2h/(k²π²r(1 − r)) sin(kπr)
//!
//! L (m) length, T (N) tension, μ (kg/m) mass per length, B inharmonicity; plucked by h (m) at rL into a triangle, of
//! which the string has the first N sines. The page's examples lose energy to the air and in the wire, mode by mode
//! (Issanchou et al. 2017), by quality factors.

use crate::figure::Unable;
use hamiltone_core::{
    body::Placed,
    element::{Element, Law},
    geometry::Place,
    parameter::Values,
    row::Row,
    system::System,
};
use std::f64::consts::PI;

/// A plucked string.
#[derive(Clone, Copy, Debug)]
pub struct Plucked {
    /// L, m.
    pub length: f64,
    /// T, N.
    pub tension: f64,
    /// μ, kg/m.
    pub density: f64,
    /// B.
    pub inharmonicity: f64,
    /// d (m), δ_ve and 1/Q_te of its losses.
    pub quality: Option<[f64; 3]>,
    /// N.
    pub modes: usize,
    /// rL, m.
    pub at: f64,
    /// h, m.
    pub height: f64,
}

/// The ideal string with L = c = 1, plucked by 1 at its centre: T = 2.
pub const IDEAL: Plucked = Plucked {
    length: 1.0,
    tension: 1.0,
    density: 1.0,
    inharmonicity: 0.0,
    quality: None,
    modes: 199,
    at: 0.5,
    height: 1.0,
};

/// The guitar string of the convergence study, plucked by 1.5 mm at its centre.
pub const GUITAR: Plucked = Plucked {
    length: 1.002,
    tension: 180.5,
    density: 6.69e-3,
    inharmonicity: 1.78e-5,
    quality: None,
    modes: 100,
    at: 0.501,
    height: 1.5e-3,
};

/// Losses of a wound string.
pub const WOUND: [f64; 3] = [1.14e-3, 1e-2, 6e-6];

/// The string of an electric bass, plucked by 3.6 mm, without losses.
pub const BASS: Plucked = Plucked {
    length: 0.863,
    tension: 191.6,
    density: 6.69e-3,
    inharmonicity: 3.5e-5,
    quality: None,
    modes: 862,
    at: 0.64,
    height: 3.6e-3,
};

/// The frets of the bass: place and height, mm.
const FRETS: [(f64, f64); 20] = [
    (48.0, -0.63),
    (94.0, -0.88),
    (137.0, -1.13),
    (178.0, -1.33),
    (216.0, -1.58),
    (253.0, -1.73),
    (287.0, -1.88),
    (319.0, -1.98),
    (350.0, -2.13),
    (379.0, -2.18),
    (406.0, -2.23),
    (432.0, -2.33),
    (456.0, -2.33),
    (479.0, -2.33),
    (501.0, -2.33),
    (521.0, -2.33),
    (540.0, -2.33),
    (558.0, -2.335),
    (576.0, -2.335),
    (591.0, -2.335),
];

/// The frets of [`BASS`]: place and height, m.
pub fn frets() -> Vec<(f64, f64)> {
    FRETS.iter().map(|(x, y)| (1e-3 * x, 1e-3 * y)).collect()
}

impl Plucked {
    /// Of its grid: even, so that the centre is a point.
    pub fn intervals(&self) -> usize {
        2 * (self.modes / 2 + 1)
    }

    /// 2L/c, s.
    pub fn period(&self) -> f64 {
        2.0 * self.length * (self.density / self.tension).sqrt()
    }

    /// An obstacle of this height (m) at every point of the grid: places and heights, m.
    pub fn everywhere(&self, height: f64) -> Vec<(f64, f64)> {
        let n = self.intervals();
        (1..n).map(|i| (i as f64 / n as f64 * self.length, height)).collect()
    }

    fn placed(&self, system: &mut System) -> Result<Placed, Unable> {
        let entry = hamiltone_bodies::catalogue().iter().find(|entry| entry.kind.name == "string");
        let entry = entry.ok_or(Unable("there is no string".into()))?;
        let mut values = Values::defaults(entry.kind.parameters);
        values.set("method", "modal");
        for (name, x) in [
            ("length", self.length),
            ("linear_density", self.density),
            ("tension", self.tension),
            ("inharmonicity", self.inharmonicity),
            ("modes", self.modes as f64),
            ("intervals", self.intervals() as f64),
        ] {
            values.set(name, x);
        }
        if let Some([diameter, viscoelastic, thermoelastic]) = self.quality {
            let quality = Values::default()
                .with("diameter", diameter)
                .with("viscoelastic", viscoelastic)
                .with("thermoelastic", thermoelastic);
            values.set("loss", Values::default().with("quality", quality));
        }
        Ok(entry.build(&values)?.add_to(system, "string")?)
    }

    /// The plucked string over rigid obstacles, each at a place x (m) with its height (m).
    ///
    /// # Errors
    /// Where its numbers make no string.
    pub fn over(&self, obstacles: &[(f64, f64)], restitution: f64) -> Result<System, Unable> {
        let mut system = System::default();
        let string = self.placed(&mut system)?;
        let row = |x: f64| string.row(Place::Length(x)).map_err(Unable);
        let r = self.at / self.length;
        for (i, sine) in row(self.at)?.entries() {
            let wave = (i + 1) as f64 * PI;
            system.initial.position[i] = 2.0 * self.height / (wave * wave * r * (1.0 - r)) * sine;
        }
        for (j, &(x, height)) in obstacles.iter().enumerate() {
            let law = Law::Rigid { restitution };
            system.elements.push(Element::new(format!("obstacle[{j}]"), row(x)?.scaled(-1.0), -height, law));
        }
        Ok(system)
    }

    /// The row that reads u(x).
    ///
    /// # Errors
    /// Where x (m) is not on the string.
    pub fn ear(&self, x: f64) -> Result<Row, Unable> {
        let string = self.placed(&mut System::default())?;
        string.row(Place::Length(x)).map_err(Unable)
    }
}
