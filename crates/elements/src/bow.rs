//! The bow: friction whose force falls with the sliding speed, dry or smooth.
//!
//!   stick   w = 0, |F| ≤ μ_s N        slip   F = sgn(w) N μ(|w|)
//!
//! w (m/s) is the speed of the string relative to the hair, N ≥ 0 (N) the force with which the bow presses, the control value. With
//! w = w_f − YF a step has up to three solutions, whatever its length: the slower sliding one is unstable and never taken, and which of the other
//! two acts depends on what was before (Friedlander 1953; McIntyre, Schumacher & Woodhouse 1983, J. Acoust. Soc. Am. 74), so a string that sticks does
//! so as long as it can, and one that slides slides on until it cannot:
//!
//! 1. stuck before and |w_f| ≤ Yμ_sN: stick
//! 2. else the largest |w| of the side to which it slid before (from stick, of w_f), where there is one
//! 3. else stick where it can, and the other side where it cannot: then that has a solution
//!
//! Smooth friction has no stick: its rising branch |w| ≤ v₀, below the speed v₀ of its largest force, takes its place, and is there where |w_f| ≤ v₀ + Yμ_sN.

use crate::{friction::Friction, sprung::SprungBow};
use hamiltone_core::{
    element::{ElementLaw, Law},
    identity::Identity,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Rule, Takes, Values},
    port::{Branches, Port, PortStep, Ported},
};

/// Friction with memory: −1 or 1 is the side to which it slid, 0 that it stuck.
///
/// ```
/// use hamiltone_core::port::{Port, PortStep};
/// use hamiltone_elements::{Bow, Friction};
///
/// // Hair at 0.1 m/s on a string at rest, pressed by 1 N: it sticks, and then pulls the string along at its own speed.
/// let bow = Bow { friction: Friction::SteadySliding };
/// let (mut memory, mut force) = ([0.0], [0.0]);
/// let step = PortStep { dt: 1e-5, free: &[-0.1], mobility: &[0.5], control: 1.0, places: &[0.0], halfway: &[0.0] };
/// bow.meet(&step, &mut memory, &mut force);
/// assert_eq!((force[0], memory[0]), (-0.2, 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bow {
    /// μ.
    pub friction: Friction,
}

impl Bow {
    /// F of a string that sticks, or is on the rising branch.
    fn stuck(&self, free: f64, y: f64, pressed: f64) -> f64 {
        let most = pressed * self.friction.largest();
        if self.friction.peak_speed() > 0.0 {
            let w = self.friction.rising_root(y * pressed, free.abs());
            return free.signum() * self.at(w, y, free.abs(), pressed).min(most);
        }
        if y > 0.0 { (free / y).clamp(-most, most) } else { 0.0 }
    }

    /// F > 0 at the rate w of what w_f = a drives. Where the force changes the speed by more than what is left of it, w would be a small
    /// difference.
    fn at(&self, w: f64, y: f64, a: f64, pressed: f64) -> f64 {
        let force = pressed * self.friction.at(w).0;
        if y * force <= w { force } else { (a - w) / y }
    }

    /// Sliding to a side, which w_f drives by `a`: F of the largest w, where there is one.
    fn slide(&self, side: f64, (y, a, pressed): (f64, f64, f64)) -> (Option<f64>, u32) {
        let (found, iterations) = self.friction.slides(y * pressed, a);
        (found.map(|w| side * self.at(w, y, a, pressed)), iterations)
    }
}

impl Port for Bow {
    fn memory(&self) -> usize {
        1
    }

    fn branches(&self) -> Branches {
        Branches::Places
    }

    fn meet(&self, step: &PortStep<'_>, memory: &mut [f64], force: &mut [f64]) -> u32 {
        let (free, y, pressed) = (step.free[0], step.mobility[0].max(0.0), step.control);
        let toward = if free == 0.0 { 0.0 } else { free.signum() };
        let most = pressed * self.friction.largest();
        let sticks = free.abs() <= self.friction.peak_speed() + y * most;
        let stuck = || self.stuck(free, y, pressed);
        if pressed == 0.0 || toward == 0.0 || sticks && memory[0] == 0.0 {
            let idle = pressed == 0.0;
            (force[0], memory[0]) = if idle { (0.0, toward) } else { (stuck(), 0.0) };
            return 0;
        }
        let side = if memory[0] == 0.0 { toward } else { memory[0] };
        let (mut found, mut iterations) = self.slide(side, (y, side * free, pressed));
        memory[0] = side;
        if found.is_none() && !sticks {
            let more;
            (found, more) = self.slide(toward, (y, free.abs(), pressed));
            (memory[0], iterations) = (toward, iterations + more);
        }
        force[0] = found.unwrap_or_else(|| {
            memory[0] = 0.0;
            stuck()
        });
        iterations
    }

    fn identity(&self) -> Identity {
        let Self { friction } = self;
        Identity::of("bow").with(friction.identity())
    }
}

/// μ as it is chosen.
const FRICTION: Parameter = Parameter {
    name: "friction",
    takes: Takes::Word(&["steady sliding", "hyperbolic"]),
    absent: Absent::Word("steady sliding"),
    doc: "μ(v): of rosin in steady sliding, 0.35 + 0.45 e^(−v/0.1) + 0.4 e^(−v/0.01) with v in m/s, or the hyperbola μ_d + (μ_s − μ_d) v₀/(v₀ + v)",
};

/// N, where no input controls it.
pub(crate) const FORCE: Parameter = Parameter {
    name: "force",
    takes: Takes::Number(Role::Force, Range::NOT_NEGATIVE),
    absent: Absent::Number(0.0),
    doc: "N, with which the bow presses, where no drive controls it; 0 is a lifted bow unless a body presses it",
};

/// k of the hair, where a body presses it.
pub(crate) const HAIR: Parameter = Parameter {
    name: "hair_stiffness",
    takes: Takes::Number(Role::Stiffness, Range { min: 1e-3, max: 1e9, open: false }),
    absent: Absent::Optional("`force` alone presses"),
    doc: "k of the hair across the string between it and the body that `pressed_by` names, which must be given, too: N = force + k x where the displacement x of that body is above 0; the hair of a violin bow has some 400 N/m in its middle",
};

/// A law of a bow with its `force`, and with the hair that a body presses.
pub(crate) fn pressed(bow: impl Port + 'static, values: &Values) -> Result<ElementLaw, Complaint> {
    let force = values.required(FORCE.name)?;
    let law = match values.number(HAIR.name) {
        Some(hair) => Ported::new(SprungBow { bow, hair }, force),
        None => Ported::new(bow, force),
    };
    Ok(ElementLaw { law: Law::Port(law), gap: 0.0 })
}

pub(crate) const fn friction_speed(value: f64, doc: &'static str) -> Parameter {
    let takes = Takes::Number(Role::Velocity, Range { min: 1e-6, max: 100.0, open: false });
    Parameter { name: "friction_speed", takes, absent: Absent::Number(value), doc }
}

/// Static and dynamic friction.
///
/// # Errors
/// Dynamic friction must not be the larger one.
pub(crate) fn falling(values: &Values) -> Result<[f64; 2], Complaint> {
    let (at_rest, sliding) = (values.required("static_friction")?, values.required("dynamic_friction")?);
    if sliding > at_rest {
        let message = format!("is {sliding}; it must not be above static_friction, {at_rest}");
        let help = format!("write dynamic_friction of at most {at_rest}, or a larger static_friction");
        return Err(Complaint::new("dynamic_friction", message).help(help));
    }
    Ok([at_rest, sliding])
}

/// A coefficient of friction of at least `min`.
pub(crate) const fn coefficient(name: &'static str, min: f64, value: f64, doc: &'static str) -> Parameter {
    let takes = Takes::Number(Role::Number, Range { min, max: 10.0, open: false });
    Parameter { name, takes, absent: Absent::Number(value), doc }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "bow",
        summary: "dry friction of a bow: the string sticks to it and slips; force and speed by drives or the gestures bow and draw",
        equation: "stick: w = 0, |F| ≤ μ(0) N;  slip: F = sgn(w) N μ(|w|);  w = d/dt(first − second) − speed",
        source: "McIntyre, Schumacher & Woodhouse 1983; Smith & Woodhouse 2000",
        parameters: &[
            FORCE,
            HAIR,
            FRICTION,
            coefficient("static_friction", 0.0, 1.2, "μ_s of the hyperbola"),
            coefficient("dynamic_friction", 0.0, 0.35, "μ_d of the hyperbola"),
            friction_speed(0.05, "v₀ of the hyperbola"),
        ],
        rules: &[Rule::OnlyWith {
            parameters: &["static_friction", "dynamic_friction", "friction_speed"],
            key: FRICTION.name,
            word: "hyperbolic",
        }],
    },
    make: |values: &Values| {
        let friction = match values.word(FRICTION.name) {
            Some("hyperbolic") => {
                let [at_rest, sliding] = falling(values)?;
                Friction::Hyperbolic { at_rest, sliding, speed: values.required("friction_speed")? }
            }
            _ => Friction::SteadySliding,
        };
        pressed(Bow { friction }, values)
    },
};

/// The line of smooth friction.
pub(crate) const SMOOTH: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "smooth-bow",
        summary: "a bow whose friction rises with the speed before it falls, so that the string never sticks: a smooth law of published programs",
        equation: "F = N μ_s (w/v₀) e^(½(1 − w²/v₀²));  w = d/dt(first − second) − speed",
        source: "Bilbao 2009, Numerical Sound Synthesis, §4.3.1",
        parameters: &[
            FORCE,
            HAIR,
            coefficient("static_friction", 0.0, 1.0, "μ_s, the largest"),
            friction_speed(0.07, "v₀, at which friction is largest: 1/√(2a), near a = 100 s²/m²"),
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let (most, speed) = (values.required("static_friction")?, values.required("friction_speed")?);
        pressed(Bow { friction: Friction::Smooth { most, speed } }, values)
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The contract of a port, over 10⁵ cases with Y = 0, N = 0 and w_f = 0 among them: finite; w = w_f − YF to 8 eps of what it is added
    /// up from, and there on the curve of the law; F·w ≥ −4 eps |F||w_f|; a string that sticks does not slide at all.
    #[test]
    fn every_step_is_passive_and_meets_the_law() {
        let mut random = Random(1);
        let laws = [
            Friction::SteadySliding,
            Friction::Hyperbolic { at_rest: 1.2, sliding: 0.35, speed: 0.05 },
            Friction::Hyperbolic { at_rest: 0.8, sliding: 0.8, speed: 0.01 },
            Friction::Smooth { most: 1.2, speed: 0.07 },
        ];
        for case in 0..100_000 {
            let bow = Bow { friction: laws[case % 4] };
            let sign = if random.next() < 0.5 { -1.0 } else { 1.0 };
            let (free, y, n) =
                (sign * random.size(-9.0, 2.0), random.size(-12.0, 4.0), random.size(-16.0, 3.0));
            let before = (3.0 * random.next()).floor() - 1.0;
            let (mut memory, mut force) = ([before], [f64::NAN]);
            let step = PortStep {
                dt: 1e-5,
                free: &[free],
                mobility: &[y],
                control: n,
                places: &[0.0],
                halfway: &[0.0],
            };
            bow.meet(&step, &mut memory, &mut force);
            let (f, w) = (force[0], free - y * force[0]);
            let context = format!("w_f {free:e} Y {y:e} N {n:e} before {before}: F {f:e} w {w:e} {memory:?}");
            assert!(f.is_finite() && [-1.0, 0.0, 1.0].contains(&memory[0]), "{context}");
            assert!(f * w >= -4.0 * f64::EPSILON * f.abs() * free.abs(), "{context}");
            let (size, most) = (free.abs() + y * f.abs(), n * bow.friction.largest());
            if n == 0.0 {
                assert_eq!(f, 0.0, "{context}");
            } else if memory[0] == 0.0 && bow.friction.peak_speed() == 0.0 {
                assert!(f.abs() <= most && w.abs() <= 4.0 * f64::EPSILON * size, "{context}");
            } else {
                let side = if memory[0] == 0.0 { w.signum() } else { memory[0] };
                let law = side * n * bow.friction.at(w.abs()).0;
                // w is known to its rounding, and by it the law to that times its slope.
                let known = 8.0 * f64::EPSILON * (f.abs() + size * n * bow.friction.at(w.abs()).1.abs());
                assert!(side * free >= 0.0 && (f - law).abs() <= known, "{context}, law {law:e}");
            }
        }
    }

    /// What is stuck sticks as long as it can, and what slides slides as long as it can: between, the same w_f has both answers.
    #[test]
    fn memory_decides_between_two_answers() {
        let bow = Bow { friction: Friction::SteadySliding };
        let meet = |before: f64| {
            let (mut memory, mut force) = ([before], [0.0]);
            let step = PortStep {
                dt: 1e-5,
                free: &[-0.5],
                mobility: &[0.5],
                control: 1.0,
                places: &[0.0],
                halfway: &[0.0],
            };
            bow.meet(&step, &mut memory, &mut force);
            (force[0], memory[0])
        };
        assert_eq!(meet(0.0), (-1.0, 0.0));
        let (force, side) = meet(-1.0);
        assert!(side == -1.0 && (-0.6..-0.3).contains(&force), "{force}");
        // It cannot slide forwards.
        assert_eq!(meet(1.0), (-1.0, 0.0));
    }
}
