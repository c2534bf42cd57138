//! What the coordinates of the step are to positions and velocities.
//!
//!   q = ρX,   ẋ = (2p w − κq)/(θΔt),   w = ρY,   κ = bθ − h/2,   θ = e^(−b) sin a/a,   ρ = Δt√(g/m)/ωΔt
//!
//! The midpoint step of the prewarped mode moves q by w + w⁺, the mode itself by q⁺ = (1 − g + κ)q + θΔtẋ, with the
//! poles' a and b and g = (1 − z)(1 − z′)/2: w of the step is what makes these the same, so that q and ẋ of a free mode are exact at every step.
//! Undamped, w = tan(x)/x · Δtẋ/2 with x = ωΔt/2.
//!
//! **What is read.** This ẋ is the velocity with which a free mode would move as far. A mode that decays within a step, σΔt > 1,
//! has nothing of it left at the end of the step, where it creeps at f/2σm under its forces: ẋ would be σΔt times that. There the
//! mean velocity 2w/Δt is read; under forces that vary slowly over a step it is that of the mode. Initial velocities and impulses
//! move a mode as far as they do the exact one in any case.
//!
//! The poles leave the mass of the step free, of which ρ = Δt√(p/2m*) follows. With m* = m(ωΔt)²p/2g the stiffness of the
//! step, K* = (2m*/Δt²) g/p, is the mode's own: forces deflect it as far as they should, an undamped mode moves exactly under
//! a force that is constant over each step, and what it stores is its physical energy. With the mass m in place of m*, a
//! mode would be stiffer by (tan(x)/x)², and impacts of order Δt would be larger.

use crate::modal::pole::{DAMPED, Pole};

/// Below this θ, where a mode decays within a step by a factor of a million, ẋ is not told by its position any more: the
/// mean velocity 2w/Δt stands for it.
const DECAYED: f64 = 1e-6;

/// The constants of one mode.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coordinates {
    /// ρ, m/√J; 0 of a mode that is left out.
    pub scale: f64,
    /// ẋ = speed·Y + place·X.
    pub speed: f64,
    pub place: f64,
    /// The same of the velocity that is read.
    pub read: [f64; 2],
}

/// The largest ratio of the physical energy ½m(ẋ² + ω²q²) of a mode, ω² = `stiffness` (1/s²) and σ = `sigma` (1/s), to
/// what the scheme stores of it.
///
/// It stores ½m(ω²q² + A(ẋ + Bq)²) with A = θ²/(pμ), B = κ/θΔt and μ = 2g/(ωΔt)²: the ratio is the
/// inverse of the smaller eigenvalue of that form on ω²q² + ẋ² = 1. 1 of an undamped mode, 1 + O(σω²Δt³) of a damped one.
///
/// ```
/// use hamiltone_schemes::modal_ec::physical_over_stored;
///
/// let (omega, dt) = (6000.0, 1.0 / 48_000.0);
/// assert!((physical_over_stored(omega * omega, 0.0, dt) - 1.0).abs() < 1e-12);
/// assert!(physical_over_stored(omega * omega, 5.0, dt) < 1.000_01);
/// ```
pub fn physical_over_stored(stiffness: f64, sigma: f64, dt: f64) -> f64 {
    let pole = Pole::new(stiffness, sigma, dt);
    let inertia = 0.25 * pole.opposed;
    let kinetic = pole.push * pole.push / (pole.mobility * inertia);
    if stiffness == 0.0 {
        return 1.0 / kinetic;
    }
    let turn = (pole.decay * pole.push - 0.5 * pole.damper) / (pole.push * dt * stiffness.sqrt());
    // det/λ₁ = λ₂ and the discriminant of λ₁, both in a form in which nothing cancels.
    let (shear, apart) = (kinetic * turn * turn, 1.0 - kinetic);
    let root = (apart * apart + shear * (2.0 * (1.0 + kinetic) + shear)).sqrt();
    0.5 * (1.0 + kinetic + shear + root) / kinetic
}

impl Coordinates {
    /// Of a mode of mass `mass`, kg.
    pub fn new(pole: &Pole, mass: f64, dt: f64) -> Self {
        Self::scaled(pole, dt * (0.5 * pole.mobility / mass).sqrt(), dt)
    }

    /// Of a mode with this ρ, whatever it would be for its stiffness: see `retune` of the stepper.
    pub fn scaled(pole: &Pole, scale: f64, dt: f64) -> Self {
        let (inertia, mean) = (0.25 * pole.opposed, 2.0 * scale / dt);
        // A division by θ → 0 would lose all digits of ẋ.
        if pole.push < DECAYED {
            return Self { scale, speed: mean, place: 0.0, read: [mean, 0.0] };
        }
        let rate = scale / (pole.push * dt);
        let turn = pole.decay * pole.push - 0.5 * pole.damper;
        let (speed, place) = (2.0 * inertia * rate, -turn * rate);
        Self { scale, speed, place, read: if pole.decay > DAMPED { [mean, 0.0] } else { [speed, place] } }
    }

    /// X and Y of q and ẋ.
    pub fn of(&self, q: f64, v: f64) -> (f64, f64) {
        let x = if self.scale == 0.0 { 0.0 } else { q / self.scale };
        (x, self.speed_of(x, v))
    }

    /// Y of X and ẋ.
    pub fn speed_of(&self, x: f64, v: f64) -> f64 {
        if self.scale == 0.0 { 0.0 } else { (v - self.place * x) / self.speed }
    }

    /// q and ẋ of X and Y.
    #[inline(always)]
    pub fn motion(&self, x: f64, y: f64) -> (f64, f64) {
        (self.scale * x, self.speed * y + self.place * x)
    }

    /// q, and the velocity that is read.
    pub fn shown(&self, x: f64, y: f64) -> (f64, f64) {
        (self.scale * x, self.read[0] * y + self.read[1] * x)
    }

    /// The change of Y for an impulse p along this mode's weight c of a row, p c = `impulse`, N s.
    pub fn kick(&self, impulse: f64, mass: f64) -> f64 {
        if self.scale == 0.0 { 0.0 } else { impulse / mass / self.speed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::modal_ec::bank::{EcBank, constants};
    use hamiltone_numerics::math::{cos, exp, sin};

    /// q and ẋ of a free mode t later, undamped to overdamped.
    fn exact(omega: f64, sigma: f64, t: f64, (q, v): (f64, f64)) -> (f64, f64) {
        let square = omega * omega - sigma * sigma;
        let a = square.abs().sqrt();
        let (slow, quick) = (exp(-omega * omega / (sigma + a) * t), exp(-(sigma + a) * t));
        let (c, s) = match square {
            d if d > 0.0 => (exp(-sigma * t) * cos(a * t), exp(-sigma * t) * sin(a * t) / a),
            d if d < 0.0 => (0.5 * (slow + quick), 0.5 * (slow - quick) / a),
            _ => (exp(-sigma * t), exp(-sigma * t) * t),
        };
        (c * q + s * (v + sigma * q), c * v - s * (sigma * v + omega * omega * q))
    }

    /// From any start, q and ẋ after a hundred steps, from ωΔt = 1e-3 to 3.1, undamped, weakly, critically and strongly damped.
    #[test]
    fn a_free_mode_is_exact() {
        let dt = 1.0 / 48_000.0;
        let mut worst = 0.0_f64;
        for product in [1e-3, 0.1, 1.0, 1.5, 1.6, 2.0, 3.0, 3.1] {
            for ratio in [0.0, 1e-3, 0.1, 0.9, 1.0, 1.1, 3.0] {
                let omega = product / dt;
                let sigma = ratio * omega;
                let pole = Pole::new(omega * omega, sigma, dt);
                let mut bank = EcBank::new(&[constants(Some(&pole))]);
                let coordinates = Coordinates::new(&pole, 0.02, dt);
                let start = (1e-3, 0.7e-3 * omega);
                (bank.place[0], bank.speed[0]) = coordinates.of(start.0, start.1);
                for n in 1..=100 {
                    bank.step(false, false, None);
                    let (q, v) = coordinates.motion(bank.place[0], bank.speed[0]);
                    let (at, rate) = exact(omega, sigma, f64::from(n) * dt, start);
                    let off = ((q - at) / start.0).abs().max((v - rate).abs() / start.1);
                    worst = worst.max(off);
                    assert!(off < 2e-11, "ωΔt = {product}, σ/ω = {ratio}, step {n}: {off:e}");
                }
            }
        }
        assert!(worst > 1e-16, "{worst:e}");
    }
}
