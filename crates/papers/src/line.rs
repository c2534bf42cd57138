//! Strings between hinged ends by the papers' numbers (I18 (1), (8); C19 (66) with κ = 0), and runs of systems of
//! many coordinates.

use crate::{figure::Unable, method::Method};
pub use hamiltone_bodies::Slope;
use hamiltone_bodies::StiffString;
use hamiltone_bodies::variational::{Edge, Field, Grid};
use hamiltone_core::{
    audit::Audit,
    body::Body,
    ledger::{Bookkeeping, Ledger},
    row::Row,
    system::System,
};
use hamiltone_numerics::math::{powi, sin, square};

/// A string between hinged ends.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// L, m.
    pub length: f64,
    /// N.
    pub intervals: usize,
    /// ρA, kg/m.
    pub density: f64,
    /// c, m/s.
    pub speed: f64,
    /// κ, m²/s.
    pub stiffness: f64,
    /// d₁, 1/s.
    pub d1: f64,
    /// d₃, m²/s.
    pub d3: f64,
    /// How u_x is taken.
    pub slope: Slope,
}

impl Line {
    /// u_1 … u_(N−1) on its grid.
    pub fn field(&self) -> Field {
        Field::nodes(Grid::new(self.length, self.intervals), 0, 1, [Edge::HINGED; 2])
    }

    /// The string at rest.
    ///
    /// # Errors
    /// Where its numbers make no string.
    pub fn system(&self) -> Result<System, Unable> {
        let tension = self.density * self.speed * self.speed;
        let string = StiffString::new(self.length, self.density, tension)?
            .stiff(self.density * self.stiffness * self.stiffness)?
            .damped(self.d1, self.d3)?
            .on_grid(self.intervals)?
            .with_slope(self.slope);
        let mut system = System::default();
        string.add_to(&mut system, "string")?;
        Ok(system)
    }

    /// √λ_m of the continuous string, rad/s: I18 (17).
    pub fn angular_frequency(&self, m: usize) -> f64 {
        let k = m as f64 * std::f64::consts::PI / self.length;
        (self.speed * self.speed * k * k + self.stiffness * self.stiffness * k * k * k * k).sqrt()
    }

    /// The same of its grid with the forward difference, rad/s:
    /// ω̂_m² = (4c²/Δx²) sin²(mπ/2N) + (16κ²/Δx⁴) sin⁴(mπ/2N).
    pub fn grid_frequency(&self, m: usize) -> f64 {
        let n = self.intervals as f64;
        let s = sin(m as f64 * std::f64::consts::PI / (2.0 * n)) / (0.5 * self.length / n);
        (square(self.speed) * s * s + square(self.stiffness) * powi(s, 4)).sqrt()
    }
}

/// A run, looked at every so many steps.
pub struct Course {
    /// The times of the looks, s; the first is 0.
    pub times: Vec<f64>,
    /// What each row read there.
    pub values: Vec<Vec<f64>>,
    /// The stored energy there, J.
    pub energy: Vec<f64>,
    /// Dissipated until there, J.
    pub dissipated: Vec<f64>,
    /// Its energy balance.
    pub audit: Audit,
    /// The positions at the end.
    pub q: Vec<f64>,
    /// The velocities at the end.
    pub v: Vec<f64>,
}

impl Course {
    /// Runs `system` for `looks` times `every` steps, reading `rows` of its positions.
    ///
    /// # Errors
    /// Where the scheme refuses the system or the time step.
    pub fn run(
        method: &Method,
        system: &System,
        dt: f64,
        (looks, every): (usize, usize),
        rows: &[Row],
    ) -> Result<Self, Unable> {
        let mut stepper = method.prepare(system, dt)?;
        let stored = stepper.reset(&[]);
        let n = system.size();
        let mut course = Self {
            times: Vec::with_capacity(looks + 1),
            values: vec![Vec::with_capacity(looks + 1); rows.len()],
            energy: Vec::with_capacity(looks + 1),
            dissipated: Vec::with_capacity(looks + 1),
            audit: Audit::open(stored, stepper.balance()),
            q: vec![0.0; n],
            v: vec![0.0; n],
        };
        for look in 0..=looks {
            if look > 0 {
                for step in 1..=every {
                    let bookkeeping = if step == every { Bookkeeping::Full } else { Bookkeeping::Flows };
                    let ledger: Ledger = stepper.step(&[], bookkeeping);
                    if !course.audit.post(&ledger) {
                        return Ok(course);
                    }
                }
            }
            stepper.snapshot(&mut course.q, &mut course.v);
            course.times.push((look * every) as f64 * dt);
            course.energy.push(course.audit.energy_final);
            course.dissipated.push(course.audit.dissipated);
            rows.iter().zip(&mut course.values).for_each(|(row, values)| values.push(row.dot(&course.q)));
        }
        Ok(course)
    }

    /// (t, value) of a row.
    pub fn output(&self, row: usize) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.times.iter().copied().zip(self.values[row].iter().copied())
    }

    /// max |H − H(0)|, J.
    pub fn energy_gap(&self) -> f64 {
        self.energy.iter().map(|h| (h - self.energy[0]).abs()).fold(0.0, f64::max)
    }
}
