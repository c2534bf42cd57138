//! A bow whose friction depends on how warm the rosin is.
//!
//!   |F| ≤ N μ(T),   w = 0 where |F| is below that,   F w ≥ 0
//!   μ(T) = μ_d + (μ_s − μ_d)/(1 + e^(2(T − T_r)/δ))
//!   C N Ṫ = F w − κ N T
//!
//! w (m/s) is the speed of the string relative to the hair, N (N) the force with which the bow presses, T (K) the temperature of the contact above
//! that of the room, C N (J/K) its heat capacity and κ N (W/K) how fast it cools: as of a soft body the contact is the larger the harder it is pressed. Sliding warms
//! the rosin, which softens around T_r: friction falls with what was rather than with the speed itself (J. Woodhouse 2003, Acta Acustica 89; J. H.
//! Smith & J. Woodhouse 2000, J. Mech. Phys. Solids 48). C and κ are chosen here so that a cello string slips once a period from 0.1 to 0.6 N.
//!
//! In a step μ is that of the temperature at its beginning. With w = w_f − YF there is one force then, F = w_f/Y within ± Nμ, whatever Y is. The heat
//! of the step is what the balance has as dissipated, but in steps that do not converge: T by the rule of the midpoint.

use crate::bow::{FORCE, HAIR, coefficient, falling, pressed};
use hamiltone_core::{
    element::ElementLaw,
    identity::Identity,
    parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes, Values},
    port::{Branches, Port, PortStep},
};
use hamiltone_numerics::math::exp;

/// Friction with a temperature, which is its memory, K. A lifted bow forgets it: a contact cools within C/κ, a fraction of a millisecond by default.
///
/// ```
/// use hamiltone_core::port::{Port, PortStep};
/// use hamiltone_elements::ThermalBow;
///
/// // 1 N that slides at 1 m/s for 0.1 ms: 0.11 mJ would warm it by 11 K, of which it loses 2 in that time.
/// let bow = ThermalBow { cold: 1.2, hot: 0.3, softening: 20.0, range: 20.0, capacity: 1e-5, cooling: 0.04 };
/// let (mut memory, mut force) = ([0.0], [0.0]);
/// let step = PortStep { dt: 1e-4, free: &[1.0], mobility: &[0.0], control: 1.0, places: &[0.0], halfway: &[0.0] };
/// bow.meet(&step, &mut memory, &mut force);
/// assert!((force[0] - 1.093).abs() < 0.001 && (9.1..9.2).contains(&memory[0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThermalBow {
    /// μ_s.
    pub cold: f64,
    /// μ_d.
    pub hot: f64,
    /// T_r, K.
    pub softening: f64,
    /// δ, K.
    pub range: f64,
    /// C, J/(K N).
    pub capacity: f64,
    /// κ, W/(K N).
    pub cooling: f64,
}

impl ThermalBow {
    /// μ at T, K.
    pub fn friction(&self, temperature: f64) -> f64 {
        let softens = exp((2.0 * (temperature - self.softening) / self.range).min(700.0));
        self.hot + (self.cold - self.hot) / (1.0 + softens)
    }
}

impl Port for ThermalBow {
    fn memory(&self) -> usize {
        1
    }

    fn branches(&self) -> Branches {
        Branches::Places
    }

    fn meet(&self, step: &PortStep<'_>, memory: &mut [f64], force: &mut [f64]) -> u32 {
        let (free, y) = (step.free[0], step.mobility[0].max(0.0));
        let most = step.control * self.friction(memory[0]);
        let sticks = free.abs() <= y * most;
        force[0] = match free {
            0.0 => 0.0,
            _ if sticks => (free / y).max(-most).min(most),
            _ => free.signum() * most,
        };
        let rate = if sticks { 0.0 } else { free - y * force[0] };
        // A step longer than the contact takes to cool leaves it no colder than the room.
        let (holds, cools) = (self.capacity / step.dt, 0.5 * self.cooling);
        let heats = if step.control > 0.0 { force[0] / step.control * rate } else { 0.0 };
        memory[0] = (((holds - cools) * memory[0] + heats) / (holds + cools)).max(0.0);
        0
    }

    fn identity(&self) -> Identity {
        let Self { cold, hot, softening, range, capacity, cooling } = self;
        Identity::of("thermal bow").numbers(&[*cold, *hot, *softening, *range, *capacity, *cooling])
    }
}

/// A plain number: kelvins and what is counted by them have no unit in scenes.
const fn thermal(name: &'static str, value: f64, [min, max]: [f64; 2], doc: &'static str) -> Parameter {
    let takes = Takes::Number(Role::Number, Range { min, max, open: false });
    Parameter { name, takes, absent: Absent::Number(value), doc }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "thermal-bow",
        summary: "a bow whose friction falls as sliding warms the rosin: it depends on what was before, not on the speed",
        equation: "|F| ≤ N μ(T);  μ = μ_d + (μ_s − μ_d)/(1 + e^(2(T − T_r)/δ));  C N dT/dt = F w − κ N T;  w = d/dt(first − second) − speed",
        source: "Woodhouse 2003; Smith & Woodhouse 2000",
        parameters: &[
            FORCE,
            HAIR,
            coefficient("static_friction", 0.0, 1.2, "μ_s, of cold rosin"),
            coefficient("dynamic_friction", 0.0, 0.3, "μ_d, of warm rosin"),
            thermal("softening_temperature", 20.0, [0.1, 1e3], "T_r above that of the room, a number in K"),
            thermal("softening_range", 20.0, [0.1, 1e3], "δ, over which the rosin softens, a number in K"),
            thermal(
                "heat_capacity",
                1e-5,
                [1e-9, 1.0],
                "C of the contact for each newton, a number in J/(K N)",
            ),
            thermal(
                "heat_loss",
                0.04,
                [1e-6, 1e3],
                "κ, by which it cools with the time constant C/κ, a number in W/(K N)",
            ),
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let [cold, hot] = falling(values)?;
        let number = |name| values.required(name);
        let bow = ThermalBow {
            cold,
            hot,
            softening: number("softening_temperature")?,
            range: number("softening_range")?,
            capacity: number("heat_capacity")?,
            cooling: number("heat_loss")?,
        };
        pressed(bow, values)
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const ROSIN: ThermalBow =
        ThermalBow { cold: 1.2, hot: 0.3, softening: 20.0, range: 20.0, capacity: 1e-5, cooling: 0.04 };

    /// The contract of a port over 10⁵ cases, with Y = 0, N = 0 and w_f = 0 among them: finite; within the friction of the temperature, at it
    /// where it slides; it takes energy; the heat is what was dissipated.
    #[test]
    fn every_step_is_passive_and_meets_the_law() {
        let mut random = Random(2);
        for _ in 0..100_000 {
            let bow = ThermalBow { capacity: random.size(-7.0, -3.0).max(1e-7), ..ROSIN };
            let (free, y, n) = (random.signed(-9.0, 2.0), random.size(-12.0, 4.0), random.size(-16.0, 3.0));
            let before = random.size(-3.0, 4.0);
            let (mut memory, mut force) = ([before], [f64::NAN]);
            let dt = 1e-5;
            let step =
                PortStep { dt, free: &[free], mobility: &[y], control: n, places: &[0.0], halfway: &[0.0] };
            bow.meet(&step, &mut memory, &mut force);
            let (f, w, most) = (force[0], free - y * force[0], n * bow.friction(before));
            let context = format!("w_f {free:e} Y {y:e} N {n:e} T {before:e}: F {f:e} w {w:e} {memory:?}");
            assert!(f.is_finite() && memory[0].is_finite() && memory[0] >= 0.0, "{context}");
            let known = 4.0 * f64::EPSILON * (free.abs() + y * f.abs());
            assert!(f * w >= -f.abs() * known, "{context}");
            assert!(f.abs() <= most && (w.abs() <= known || f.abs() == most), "{context}");
            // Where the contact cools within a step it stays as warm as the room.
            if memory[0] == 0.0 {
                continue;
            }
            let both = memory[0] + before;
            let heat = n * (bow.capacity * (memory[0] - before) + 0.5 * dt * bow.cooling * both);
            let size = n * (bow.capacity + dt * bow.cooling) * both;
            assert!(
                (heat - dt * f * w).abs() <= 8.0 * f64::EPSILON * size + dt * f.abs() * known,
                "{context}"
            );
        }
    }
}
