//! The reed or the lips of a player between the mouth and a bore: a valve that the pressure across it moves.
//!
//!   h = H + x,   d = p_m − p,   U = U_B − εSẋ,   U_B = w[h]₊ √(2/ρ) sgn(d)√|d|,   f_x = −εSd + F_c
//!
//! x (m) is how far the reed moves, upwards where it opens, p (Pa) the pressure in the bore, p_m (Pa) that in the mouth, U (m³/s) the flow into the
//! bore, H (m) the opening at rest, w (m) its width, S (m²) the area on which the pressure acts, ρ (kg/m³) the density of the air, f_x (N) the force
//! on the reed and F_c ≥ 0 (N) that of its lay. ε = 1: the pressure in the mouth closes it (reeds); ε = −1: it opens it (lips). Sources: Backus
//! 1963; Wilson & Beavers 1974, J. Acoust. Soc. Am. 56; Fletcher 1979.
//!
//! As a port it has the rows (Φ, x), p = Φ̇, and the rates w = (−d, ẋ), coupled by a = εS (`coupled.rs`): w = Pw_f + PY (U_B, F_c).
//!
//! The opening is that of half a step at the speed at its beginning, h = H + x + ½Δt v: known beforehand and right to second order. So d is the
//! root of a quadratic in √|d|, and no step iterates. Where the reed is open and meets its lay, flow is U_B = rd with r of the step without lay: h
//! is of order Δt there. U_B d ≥ 0 whatever h ≥ 0 is: every step takes energy.

use crate::{coupled::Coupled, lay};
use hamiltone_core::{
    identity::Identity,
    measure::Measure,
    parameter::{DriveQuantity, Range},
    port::{Port, PortStep},
};
use hamiltone_numerics::math::square;

/// How far a reed or lips may be open, m.
pub(crate) const OPENINGS: Range = Range { min: 0.0, max: 0.02, open: false };

/// A reed or lips.
///
/// ```
/// use hamiltone_core::port::{Port, PortStep};
/// use hamiltone_elements::Valve;
///
/// // Held open by 0.1 mm × 10 mm between 1800 Pa and a wide bore, it lets 54.8 cm³/s through.
/// let valve = Valve { inward: true, width: 0.01, area: 0.0, density: 1.2, stiffness: 0.0, lay: 0.0, loss: 0.0 };
/// let mut force = [0.0; 2];
/// let (places, halfway) = (&[0.0; 2], &[0.0; 2]);
/// let step = PortStep { dt: 1e-5, free: &[-1800.0, 0.0], mobility: &[0.0; 4], control: 1e-4, places, halfway };
/// valve.meet(&step, &mut [], &mut force);
/// assert!((force[0] + 54.77e-6).abs() < 1e-8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Valve {
    /// Whether the pressure in the mouth closes it.
    pub inward: bool,
    /// w, m.
    pub width: f64,
    /// S, m².
    pub area: f64,
    /// ρ, kg/m³.
    pub density: f64,
    /// k of the lay, N/m.
    pub stiffness: f64,
    /// How far the reed closes until it meets the lay, m.
    pub lay: f64,
    /// μ of the lay, s/m: its force is V′(1 + μξ̇).
    pub loss: f64,
}

impl Coupled {
    /// d and U_B where no lay acts: d + zA sgn(d)√|d| = b, z = PY₁₁.
    fn flow(&self, a: f64) -> (f64, f64) {
        let b = -self.free[0];
        let zeta = self.mobility[0][0] * a;
        let root = 2.0 * b.abs() / (zeta + (zeta * zeta + 4.0 * b.abs()).sqrt());
        let root = if b == 0.0 { 0.0 } else { root };
        (b.signum() * root * root, b.signum() * a * root)
    }

    /// ẋ and by how much a force on the reed changes it, m/s and m/(N s), where the flow is rd.
    fn reed(&self, r: f64) -> (f64, f64) {
        let [[z, up], [down, v]] = self.mobility;
        let part = r / (1.0 + z * r);
        (self.free[1] - down * part * self.free[0], v - down * up * part)
    }
}

impl Valve {
    fn sign(&self) -> f64 {
        if self.inward { 1.0 } else { -1.0 }
    }

    /// F_c, N, of a reed that moves at `rate` without it, and by `mobility` with it.
    fn lay_force(&self, step: &PortStep<'_>, (rate, mobility): (f64, f64)) -> f64 {
        let depth = -self.lay - step.places[1];
        // Its loss is that of a damper in this step, as strong as the lay halfway.
        let damper = self.loss * self.stiffness * (-self.lay - step.halfway[1]).max(0.0);
        let share = 1.0 / (1.0 + mobility * damper);
        let spring = lay::force(self.stiffness, depth, -step.dt * rate * share, step.dt * mobility * share);
        let force = spring - damper * share * (rate + mobility * spring);
        // A reed that leaves faster than its lay follows is let go.
        force.max(0.0)
    }
}

impl Port for Valve {
    fn memory(&self) -> usize {
        0
    }

    fn reads_places(&self) -> bool {
        true
    }

    fn meet(&self, step: &PortStep<'_>, _: &mut [f64], force: &mut [f64]) -> u32 {
        let a = self.sign() * self.area;
        let open = (step.control + step.halfway[1]).max(0.0);
        let through = self.width * open * (2.0 / self.density).sqrt();
        let &[y, cross, _, v] = step.mobility else { return 0 };
        let coupled = Coupled::new([step.free[0], step.free[1]], [y, cross, v], a);
        let (d, mut flow) = coupled.flow(through);
        let mut lay = 0.0;
        let touches = |rate: f64| self.lay + step.places[1] + step.dt * rate < 0.0;
        let free = coupled.free[1] + coupled.mobility[1][0] * flow;
        if self.stiffness > 0.0 && (self.lay + step.places[1] < 0.0 || touches(free)) {
            let r = if d == 0.0 { 0.0 } else { through / d.abs().sqrt() };
            lay = self.lay_force(step, coupled.reed(r));
            if lay > 0.0 {
                let [[z, up], _] = coupled.mobility;
                flow = -r * (coupled.free[0] + up * lay) / (1.0 + z * r);
            }
        }
        let [across, moved] = coupled.rates([flow, lay]);
        force[0] = a * moved - flow;
        force[1] = -a * across - lay;
        0
    }

    fn energy(&self, place: &dyn Fn(usize) -> f64) -> f64 {
        if self.stiffness == 0.0 {
            0.0
        } else {
            0.5 * self.stiffness * square((-self.lay - place(1)).max(0.0))
        }
    }

    /// Never: also a closed reed is moved by the pressure.
    fn is_idle(&self, _: f64) -> bool {
        false
    }

    fn control(&self) -> (&'static str, DriveQuantity) {
        ("opening", DriveQuantity::Opening)
    }

    fn rate(&self) -> DriveQuantity {
        DriveQuantity::Pressure
    }

    fn measures(&self) -> &'static [Measure] {
        &[Measure::Pressure, Measure::Length]
    }

    fn allowed(&self) -> Range {
        OPENINGS
    }

    fn identity(&self) -> Identity {
        let Self { inward, width, area, density, stiffness, lay, loss } = self;
        Identity::of(if *inward { "reed" } else { "lips" })
            .numbers(&[*width, *area, *density, *stiffness, *lay, *loss])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use hamiltone_numerics::math::cos;

    /// The contract of a port over 10⁵ cases, with Y of any rank: finite; it takes energy to roundings of what its work is added up from; where no
    /// lay acts, d and U_B meet the law of the flow to 8 eps of what d is added up from.
    #[test]
    fn every_step_is_passive_and_meets_the_law() {
        let mut random = Random(1);
        let (mut open, mut touching) = (0, 0);
        for case in 0..100_000 {
            let valve = Valve {
                inward: case % 2 == 0,
                width: 0.01,
                area: random.size(-6.0, -3.0),
                density: 1.2,
                stiffness: random.size(2.0, 7.0),
                lay: 4e-4,
                loss: random.size(-2.0, 2.0),
            };
            let (l, part) = ([random.size(0.0, 4.0), random.size(-5.0, 1.0)], random.next());
            let turn = if random.next() < 0.5 { 0.0 } else { cos(part) };
            let (cross, y, v) = (l[0] * l[1] * turn, l[0] * l[0], l[1] * l[1]);
            let place = -4e-4 + random.signed(-9.0, -3.5);
            let step = PortStep {
                dt: 1e-5,
                free: &[random.signed(-3.0, 6.0), random.signed(-6.0, 2.0)],
                mobility: &[y, cross, cross, v],
                control: random.size(-6.0, -3.0),
                places: &[0.0, place],
                halfway: &[0.0, place + random.signed(-9.0, -4.0)],
            };
            let mut force = [f64::NAN; 2];
            valve.meet(&step, &mut [], &mut force);
            let context = format!("{valve:?} {step:?}: {force:?}");
            assert!(force.iter().all(|f| f.is_finite()), "{context}");
            let w = [0, 1].map(|i| {
                step.free[i] - step.mobility[2 * i] * force[0] - step.mobility[2 * i + 1] * force[1]
            });
            // Without flow and lay the rates are Pw_f, each a sum of two that may cancel.
            let (a, [p, x]) = (valve.area, [0, 1].map(|i| step.free[i].abs()));
            let coupled = [a * (cross.abs() * p + y * x), a * (v * p + cross.abs() * x)];
            let sizes = [0, 1].map(|i| {
                let of = |j: usize| (step.mobility[2 * i + j] * force[j]).abs();
                step.free[i].abs() + of(0) + of(1) + coupled[i]
            });
            let energy = |x: f64| valve.energy(&|i| [0.0, x][i]);
            let [before, after] = [energy(place), energy(place + step.dt * w[1])];
            let taken = force[0] * w[0] + force[1] * w[1] - (after - before) / step.dt;
            // Both depths are differences of places of this size, and the energies known to that times their slopes.
            let slopes =
                valve.stiffness * ((-4e-4 - place).max(0.0) + (-4e-4 - place - step.dt * w[1]).max(0.0));
            let stored = (before + after + slopes * (4e-4 + place.abs())) / step.dt + slopes * sizes[1];
            let size = force[0].abs() * sizes[0] + force[1].abs() * sizes[1] + stored;
            assert!(taken >= -32.0 * f64::EPSILON * size, "{taken:e} of {size:e}, {context}");
            let apart = place.min(step.halfway[1]) > -4e-4 && before + after == 0.0;
            if apart || valve.stiffness == 0.0 {
                open += 1;
                let a = if valve.inward { valve.area } else { -valve.area };
                let (d, u) = (-w[0], a * w[1] - force[0]);
                let through = 0.01 * (step.control + step.halfway[1]).max(0.0) * (2.0 / 1.2_f64).sqrt();
                // U_B is the rest of U and Sẋ, d that of its parts: what they are known to.
                let known = f64::EPSILON * (a.abs() * sizes[1] + force[0].abs());
                let parts = sizes[0] + y * a.abs() * sizes[1];
                let root = through * (d.abs() + 8.0 * f64::EPSILON * parts).sqrt() - through * d.abs().sqrt();
                let miss = (u - d.signum() * through * d.abs().sqrt()).abs();
                assert!(
                    miss <= 8.0 * (known + f64::EPSILON * through * d.abs().sqrt()) + root,
                    "{miss:e} {context}"
                );
            } else if after > 0.0 {
                touching += 1;
            }
        }
        assert!(open > 10_000 && touching > 10_000, "{open} {touching}");
    }
}
