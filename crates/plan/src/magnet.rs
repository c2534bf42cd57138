//! A magnetic pickup: a coil around a magnet, over which a string of steel moves.
//!
//!   y = dΦ/dt,   Φ(x) = (d/2)((1 − x/d)⁻² − 1)
//!
//! of a string that moves towards the pole, at the distance d (m) at rest; of a tine that moves past it, at the distance d, and at rest s (m) beside its axis
//!
//!   Φ(x) = (r²/2s)(r²/(d² + (s − x)²) − 1),   r² = d² + s²
//!
//! x (m) is the displacement, positive towards the pole or its axis, and Φ the flux through the coil over its slope at rest, so that y is the velocity of what
//! moves little. Flux falls with the square of the distance (chosen: between that of a wide pole and of a small one): a string that swings far sounds with its
//! octave as well, the more the nearer the magnet is. A tine that swings across the axis passes a maximum of the flux twice in a period: its octave grows until it is
//! louder than its fundamental (M. Muenster & F. Pfeifle 2014, Proc. ISMA, 7; Φ there is that of a measured pole). y is the mean over a sample, (Φₙ − Φₙ₋₁)f.

use hamiltone_core::state::Archive;

/// Nearer than this part of d a string touches the magnet: the flux stays there.
const NEAREST: f64 = 0.1;

/// Where a magnet is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Pole {
    /// d, m.
    pub distance: f64,
    /// s, m; 0 of what moves towards it.
    pub offset: f64,
}

impl Pole {
    /// Φ at the displacement x (m), m.
    pub fn flux(&self, x: f64) -> f64 {
        let Self { distance, offset } = *self;
        if offset == 0.0 {
            let left = (1.0 - x / distance).max(NEAREST);
            return 0.5 * distance * (1.0 / (left * left) - 1.0);
        }
        let square = distance * distance + offset * offset;
        let left = offset - x;
        0.5 * square / offset * (square / (distance * distance + left * left) - 1.0)
    }
}

/// The coil of one pickup.
#[derive(Clone, Copy, Debug)]
pub struct Magnet {
    pole: Pole,
    /// f, Hz.
    rate: f64,
    /// Φ at the sample before; `None` at the start.
    before: Option<f64>,
}

impl Magnet {
    /// One for samples at `rate` (Hz).
    ///
    /// ```
    /// # use hamiltone_plan::magnet::{Magnet, Pole};
    /// let mut magnet = Magnet::new(Pole { distance: 3e-3, offset: 0.0 }, 48_000.0);
    /// let [rest, towards, away] = [0.0, 1e-3, 0.0].map(|x| magnet.next(x));
    /// // Φ(1 mm) = 1.5 mm · (1.5² − 1).
    /// assert!(rest == 0.0 && (towards - 1.875e-3 * 48_000.0).abs() < 1e-9 && away == -towards);
    /// // Past the pole: as far beyond its axis as before, the flux is that at rest. It is greatest on the axis; small motion is heard as its velocity.
    /// let pole = Pole { distance: 3e-3, offset: 1e-3 };
    /// assert!(pole.flux(2e-3).abs() < 1e-18 && pole.flux(1e-3) > pole.flux(0.9e-3) && (pole.flux(1e-9) - 1e-9).abs() < 1e-15);
    /// ```
    pub fn new(pole: Pole, rate: f64) -> Self {
        Self { pole, rate, before: None }
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
        let flux = self.pole.flux(x);
        let before = self.before.replace(flux).unwrap_or(flux);
        (flux - before) * self.rate
    }
}
