//! A bow that bounces: hair between the string and a body that stands for the stick.
//!
//!   N = F₀ + H,   H = (V(x⁺) − V(x))/(x⁺ − x),   V = ½k[x]₊²,   x⁺ = x + Δt (w_x − Y_x H)
//!
//! x (m) is the displacement of that body towards the string, which lies at x = 0, [x]₊ the larger of x and 0, w_x (m/s) the mean rate of the body in the step without H (N), the force of the hair,
//! and Y_x (m/(N s)) how much H slows it; k (N/m) is the stiffness of the hair across the string and F₀ (N) the control value, which presses the string but not the body. With a spring
//! and a loss of its own the body is the bow in the hand of the player: thrown on the string it leaves it after about half a period of its mass on both springs
//! (A. Askenfelt & K. Guettler 1997, TMH-QPSR 38(2-3), 53–57).
//!
//! The friction is that of any other bow with this N. Its two rows, along the hair and across it, are met one after the other: nothing else may
//! connect the string with the body, so that H does not depend on the friction. H is the exact quotient (`lay.rs`), so that the energy of the hair
//! balances.

use crate::lay;
use hamiltone_core::{
    identity::Identity,
    measure::Measure,
    port::{Branches, Port, PortStep},
};
use hamiltone_numerics::math::square;

/// A bow on a body: the rows are that of the bow and the displacement of the body towards the string.
///
/// ```
/// use hamiltone_core::port::{Port, PortStep};
/// use hamiltone_elements::{Bow, Friction, SprungBow};
///
/// // A heavy bow that lies 0.1 mm deep in hair of 10 kN/m presses by 1 N, by which a string at 0.1 m/s slides.
/// let bow = SprungBow { bow: Bow { friction: Friction::SteadySliding }, hair: 1e4 };
/// let (mut memory, mut force) = ([0.0], [0.0; 2]);
/// let (places, halfway) = (&[0.0, 1e-4], &[0.0, 1e-4]);
/// let step = PortStep { dt: 1e-5, free: &[0.1, 0.0], mobility: &[0.0; 4], control: 0.0, places, halfway };
/// bow.meet(&step, &mut memory, &mut force);
/// assert!((force[1] - 1.0).abs() < 1e-12 && (0.5..0.6).contains(&force[0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SprungBow<B> {
    /// The friction.
    pub bow: B,
    /// k, N/m.
    pub hair: f64,
}

impl<B: Port> Port for SprungBow<B> {
    fn memory(&self) -> usize {
        self.bow.memory()
    }

    fn branches(&self) -> Branches {
        Branches::Places
    }

    fn reads_places(&self) -> bool {
        true
    }

    fn meet(&self, step: &PortStep<'_>, memory: &mut [f64], force: &mut [f64]) -> u32 {
        let ([along, across], [y, v]) = ([step.free[0], step.free[1]], [step.mobility[0], step.mobility[3]]);
        force[1] = lay::force(self.hair, step.places[1], step.dt * across, step.dt * v.max(0.0));
        let pressed = PortStep {
            free: &[along],
            mobility: &[y],
            control: step.control + force[1],
            places: &step.places[..1],
            halfway: &step.halfway[..1],
            ..*step
        };
        self.bow.meet(&pressed, memory, &mut force[..1])
    }

    fn stored(&self, memory: &[f64]) -> f64 {
        self.bow.stored(memory)
    }

    fn energy(&self, place: &dyn Fn(usize) -> f64) -> f64 {
        0.5 * self.hair * square(place(1).max(0.0))
    }

    fn is_apart(&self) -> bool {
        true
    }

    /// Never: the body may reach the string.
    fn is_idle(&self, _: f64) -> bool {
        false
    }

    fn measures(&self) -> &'static [Measure] {
        &[Measure::Length, Measure::Length]
    }

    fn identity(&self) -> Identity {
        Identity::of("sprung bow").numbers(&[self.hair]).with(self.bow.identity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bow, Friction, random::Random};

    /// The contract of a port over 10⁵ cases without a coordinate in common: finite; both forces take energy, or give what the hair holds; the friction is
    /// that of a bow pressed by F₀ and the hair.
    #[test]
    fn every_step_is_passive_and_presses_with_the_hair() {
        let mut random = Random(7);
        let inner = Bow { friction: Friction::SteadySliding };
        for _ in 0..100_000 {
            let sprung = SprungBow { bow: inner, hair: random.size(2.0, 6.0) };
            let (free, y) = ([random.signed(-9.0, 2.0), random.signed(-9.0, 2.0)], random.size(-12.0, 2.0));
            let (v, depth) = (random.size(-6.0, 3.0), random.signed(-9.0, -2.0));
            let control = if random.next() < 0.5 { 0.0 } else { random.size(-6.0, 1.0) };
            let mobility = [y, 0.0, 0.0, v];
            let places = [0.0, depth];
            let dt = 1e-5;
            let step =
                PortStep { dt, free: &free, mobility: &mobility, control, places: &places, halfway: &places };
            let (mut memory, mut force) = ([0.0], [f64::NAN; 2]);
            sprung.meet(&step, &mut memory, &mut force);
            let rates = [free[0] - y * force[0], free[1] - v * force[1]];
            let context = format!("w_f {free:?} Y {mobility:?} x {depth:e} k {:e}: {force:?}", sprung.hair);
            assert!(force.iter().all(|f| f.is_finite()) && force[1] >= 0.0, "{context}");
            assert!(force[0] * rates[0] >= -4.0 * f64::EPSILON * force[0].abs() * free[0].abs(), "{context}");
            let end = depth + dt * rates[1];
            let [before, after] = [depth, end].map(|x| sprung.energy(&|_| x));
            // The way is known to a rounding of what it is added up from, and by it the energy to that times its slope.
            let known = dt * (free[1].abs() + v * force[1]) + depth.abs();
            let size = before + after + (force[1] + sprung.hair * end.max(0.0)) * known;
            let left = dt * force[1] * rates[1] - (after - before);
            assert!(left.abs() <= 16.0 * f64::EPSILON * size, "{context}: {left:e}");
            let alone = PortStep {
                free: &free[..1],
                mobility: &[y],
                control: control + force[1],
                places: &[0.0],
                halfway: &[0.0],
                ..step
            };
            let (mut other, mut expected) = ([0.0], [f64::NAN]);
            inner.meet(&alone, &mut other, &mut expected);
            assert_eq!((force[0], memory), (expected[0], other), "{context}");
        }
    }
}
