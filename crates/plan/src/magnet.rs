//! A magnetic pickup: a coil around a magnet, over which a string of steel moves.
//!
//!   y = dΦ/dt,   Φ(x) = (d/2)((1 − x/d)⁻² − 1)
//!
//! x (m) is the displacement of the string towards the magnet, d (m) its distance at rest, and Φ the flux through the coil over its slope at rest, so that y is
//! the velocity of a string that moves little. Flux falls with the square of the distance (chosen: between that of a wide pole and of a small one): a string that swings far sounds
//! its octave as well, the more the nearer the magnet is. A tine over a pickup is the same. y is the mean over a sample, (Φₙ − Φₙ₋₁)f.

use hamiltone_core::state::Archive;

/// Nearer than this part of d a string touches the magnet: the flux stays there.
const NEAREST: f64 = 0.1;

/// The coil of one pickup.
#[derive(Clone, Copy, Debug)]
pub struct Magnet {
    /// d, m.
    distance: f64,
    /// f, Hz.
    rate: f64,
    /// Φ at the sample before; `None` at the start.
    before: Option<f64>,
}

impl Magnet {
    /// One at this distance (m) for samples at `rate` (Hz).
    ///
    /// ```
    /// # use hamiltone_plan::magnet::Magnet;
    /// let mut magnet = Magnet::new(3e-3, 48_000.0);
    /// let [rest, towards, away] = [0.0, 1e-3, 0.0].map(|x| magnet.next(x));
    /// // Φ(1 mm) = 1.5 mm · (1.5² − 1).
    /// assert!(rest == 0.0 && (towards - 1.875e-3 * 48_000.0).abs() < 1e-9 && away == -towards);
    /// ```
    pub fn new(distance: f64, rate: f64) -> Self {
        Self { distance, rate, before: None }
    }

    /// The same before its first sample.
    #[must_use]
    pub fn at_rest(self) -> Self {
        Self { before: None, ..self }
    }

    /// Goes through every number that its next sample depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        let mut begun = self.before.is_some();
        archive.flag(&mut begun);
        self.before = begun.then(|| self.before.unwrap_or_default());
        self.before.iter_mut().for_each(|flux| archive.number(flux));
    }

    /// The next sample, m/s, of a displacement (m).
    pub fn next(&mut self, x: f64) -> f64 {
        let left = (1.0 - x / self.distance).max(NEAREST);
        let flux = 0.5 * self.distance * (1.0 / (left * left) - 1.0);
        let before = self.before.replace(flux).unwrap_or(flux);
        (flux - before) * self.rate
    }
}
