//! The jet of a flute, a recorder or an organ pipe: air that is blown across the window of a pipe, and that the flow through the window bends.
//!
//!   u = √(2p_m/ρ),   U_j = Hhu,   η = (h/u) e^(gW/h) v(t − W/c),   c = 0.4u,   Q = bHu(1 + tanh((η − y₀)/b)),   b = 0.4h
//!   SΔp = ρδ dQ/dt,   S = HW,   δ = (4/π)√(2hW),   F_w = −½ρS(v/0.6)² sgn v
//!
//! p_m (Pa) is the pressure of the player and u (m/s) the speed of the jet, h (m) its thickness, H (m) the width of the window and W (m) the
//! distance from where the jet begins to the edge. v (m/s), into the pipe, is the speed of the air in the window, which has a mass of its own.
//! It bends the jet where it begins; the bend grows by e^g on each h of the way, and at the edge the jet is off by η (m) and sends Q (m³/s) into the
//! pipe. What it sends there flows back through the window, on a way δ (m): the pressure that this takes is Δp. F_w is the loss of the flow that
//! separates at the edge. y₀ (m) is how far the edge is off the middle of the jet, towards the pipe where it is positive. Sources: Fletcher 1976, J. Acoust. Soc.
//! Am. 60; Verge et al. 1997, J. Acoust. Soc. Am. 101; Chaigne & Kergomard 2016, ch. 10. The jet that turns has the profile sech² with the scale b, of which the flow is 2bHu = 0.8 U_j;
//! the player supplies that of the slit.
//!
//! Only slow bends grow: v is smoothed by three poles at 0.11 u/h, which is chosen here. Without them the pipe plays some kilohertz. No measured flute was compared.
//!
//! As a port it has three rows: one that nothing moves, at which the player supplies p_mU_j, that of the air in the pipe, Φ, and that of the air in the
//! window, x, which a = −S couples (`coupled.rs`). Δp follows from what was, so that v is the root of a quadratic: no step iterates. What the jet gives
//! to the pipe is at most what the player gives to it: in a step in which SΔpv would be more than p_mU_j, Δp is less by that ratio. The rest of p_mU_j is
//! dissipated, so that every step takes energy.

use crate::coupled::Coupled;
use hamiltone_core::{
    element::{ElementLaw, Law},
    identity::Identity,
    measure::Measure,
    parameter::{Absent, Complaint, DriveQuantity, Entry, Kind, Parameter, Range, Role, Takes, Values},
    port::{Port, PortStep, Ported},
};
use hamiltone_numerics::math::{exp, expm1, square, tanh};
use std::f64::consts::{PI, TAU};

/// c/u, b/h, and f h/u of the poles.
const CONVECTION: f64 = 0.4;
const SPREAD: f64 = 0.4;
const SMOOTHING: f64 = 0.11;
/// The contraction of a flow that separates.
const CONTRACTION: f64 = 0.6;
/// How many v are remembered, about how far apart, s: 20 ms in all. A jet that is longer under way is taken to be that long.
const ENTRIES: usize = 960;
const APART: f64 = 2.1e-5;
/// The slowest jet whose smoothing counts, m/s: one at rest forgets what bent it within milliseconds.
const SLOWEST: f64 = 1.0;
/// What is remembered: the place of the latest v among all, the steps since then, three smoothed v, Q, and v in the past.
const PLACE: usize = 0;
const SINCE: usize = 1;
const SMOOTHED: usize = 2;
const FLOW: usize = 5;
const PAST: usize = 6;
/// The most e-folds by which a bend grows, and how far the edge may be off the middle of the jet over b: beyond, the jet never reaches it.
const MOST_GROWTH: f64 = 30.0;
const FARTHEST: f64 = 4.0;
/// The distance of the edge, m.
const DISTANCES: Range = Range { min: 1e-4, max: 0.1, open: false };

/// A jet.
///
/// ```
/// use hamiltone_core::port::{Port, PortStep};
/// use hamiltone_elements::Jet;
///
/// // The air in a window that flows at 1 m/s is slowed by ½ · 1.2 kg/m³ · (1/0.6 m/s)² on 40 mm².
/// let jet = Jet { width: 0.01, thickness: 1e-3, growth: 0.35, offset: 0.0, density: 1.2 };
/// let (mut memory, mut force) = (vec![0.0; jet.memory()], [0.0; 3]);
/// let step = PortStep { dt: 1e-5, free: &[0.0, 0.0, 1.0], mobility: &[0.0; 9], control: 4e-3, places: &[0.0; 3], halfway: &[0.0; 3] };
/// jet.meet(&step, &mut memory, &mut force);
/// assert!((force[2] - 6.667e-5).abs() < 1e-8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Jet {
    /// H, m.
    pub width: f64,
    /// h, m.
    pub thickness: f64,
    /// g.
    pub growth: f64,
    /// y₀, m.
    pub offset: f64,
    /// ρ, kg/m³.
    pub density: f64,
}

impl Jet {
    /// Q where v, smoothed, was what the jet carries now, m³/s.
    fn flow(&self, speed: f64, distance: f64, carried: f64) -> f64 {
        let b = SPREAD * self.thickness;
        let grown = exp((self.growth * distance / self.thickness).min(MOST_GROWTH));
        // uη, so that a jet at rest has no flow.
        let bent = self.thickness * grown * carried;
        let turned = if speed > 0.0 { tanh((bent / speed - self.offset) / b) } else { 0.0 };
        b * self.width * speed * (1.0 + turned)
    }
}

/// What v, smoothed, was `ago` steps before the latest, straight between two that are remembered, one of `every` steps.
fn past(memory: &[f64], ago: f64, every: f64) -> f64 {
    let at = |back: usize| memory[PAST + (memory[PLACE] as usize + ENTRIES - back) % ENTRIES];
    let since = memory[SINCE];
    if ago < since {
        let latest = memory[FLOW - 1];
        return latest + ago / since * (at(0) - latest);
    }
    let back = ((ago - since) / every).min((ENTRIES - 2) as f64);
    at(back as usize) + back.fract() * (at(back as usize + 1) - at(back as usize))
}

impl Port for Jet {
    fn memory(&self) -> usize {
        PAST + ENTRIES
    }

    fn meet(&self, step: &PortStep<'_>, memory: &mut [f64], force: &mut [f64]) -> u32 {
        let &[_, _, _, _, y, cross, _, _, v] = step.mobility else {
            force.fill(0.0);
            return 0;
        };
        let (dt, distance, pressure) = (step.dt, step.control, (-step.free[0]).max(0.0));
        let speed = (2.0 * pressure / self.density).sqrt();
        let area = self.width * distance;
        let coupled = Coupled::new([step.free[1], step.free[2]], [y, cross, v], -area);
        // v of the step before is one step old, and the difference of Q half of one; the three poles are short of nearly half a step each.
        let every = (APART / dt).floor().max(1.0);
        let flow = self.flow(speed, distance, past(memory, distance / (CONVECTION * speed * dt), every));
        let apart = 4.0 / PI * (2.0 * self.thickness * distance).sqrt();
        let source = self.density * apart * (flow - memory[FLOW]) / dt;
        let loss = 0.5 * self.density * area / square(CONTRACTION);
        // v + P Y₂₂ loss |v|v = free + P Y₂₂ SΔp.
        let own = coupled.mobility[1][1];
        let moved = |push: f64| {
            let free = coupled.free[1] + own * push;
            2.0 * free / (1.0 + (1.0 + 4.0 * own * loss * free.abs()).sqrt())
        };
        let (given, blown) = (moved(source) * source, pressure * self.width * self.thickness * speed);
        let push = if given > blown { source * (blown / given) } else { source };
        let rate = moved(push);
        let of_window = push - loss * rate.abs() * rate;
        let [across, rate] = coupled.rates([0.0, of_window]);
        force[0] = -self.width * self.thickness * speed;
        force[1] = -area * rate;
        force[2] = area * across - of_window;
        memory[FLOW] = flow;
        let keeps = -expm1(-TAU * SMOOTHING * speed.max(SLOWEST) / self.thickness * dt);
        let mut into = rate;
        for smoothed in &mut memory[SMOOTHED..FLOW] {
            *smoothed += keeps * (into - *smoothed);
            into = *smoothed;
        }
        memory[SINCE] += 1.0;
        if memory[SINCE] >= every {
            let place = (memory[PLACE] as usize + 1) % ENTRIES;
            (memory[PLACE], memory[SINCE], memory[PAST + place]) = (place as f64, 0.0, into);
        }
        0
    }

    /// Never: also air that is not blown flows through the window.
    fn is_idle(&self, _: f64) -> bool {
        false
    }

    fn control(&self) -> (&'static str, DriveQuantity) {
        ("distance", DriveQuantity::Opening)
    }

    fn rate(&self) -> DriveQuantity {
        DriveQuantity::Pressure
    }

    fn measures(&self) -> &'static [Measure] {
        &[Measure::Pressure, Measure::Pressure, Measure::Length]
    }

    /// That at which it is blown: what flows there flows nowhere else.
    fn still(&self) -> usize {
        1
    }

    fn allowed(&self) -> Range {
        DISTANCES
    }

    fn identity(&self) -> Identity {
        let Self { width, thickness, growth, offset, density } = self;
        Identity::of("jet").numbers(&[*width, *thickness, *growth, *offset, *density])
    }
}

/// H and h, m.
const SIZES: Range = Range { min: 1e-5, max: 0.5, open: false };

const fn number(name: &'static str, role: Role, range: Range, value: f64, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Number(role, range), absent: Absent::Number(value), doc }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "jet",
        summary: "a jet across the window of a pipe, between a mass of air in the window and a bore: flute, recorder, organ pipe; pressure by the gesture blow",
        equation: "Δp = (ρδ/HW) dQ/dt,  Q = bHu (1 + tanh((η − y₀)/b)),  η = (h/u) e^(gW/h) v(t − W/0.4u),  u = √(2p/ρ),  b = 0.4h,  δ = (4/π)√(2hW);  loss ½ρ(v/0.6)²",
        source: "Fletcher 1976; Verge et al. 1997; Chaigne & Kergomard 2016, ch. 10",
        parameters: &[
            number(
                "distance",
                Role::Length,
                DISTANCES,
                4e-3,
                "W from where the jet begins to the edge, where no drive controls it; a jet that is longer than 20 ms under way is taken to be that long",
            ),
            number("width", Role::Length, SIZES, 0.01, "H of jet and window"),
            number("thickness", Role::Length, SIZES, 1e-3, "h of the jet"),
            number(
                "growth",
                Role::Number,
                Range { min: 0.0, max: 2.0, open: false },
                0.5,
                "g, by which a bend of the jet grows on a way of h: e^g",
            ),
            number(
                "offset",
                Role::Displacement,
                Range { min: -0.01, max: 0.01, open: false },
                1e-4,
                "y₀, how far the edge is off the middle of the jet, towards the pipe; at most 1.6 h either way",
            ),
            number(
                "air_density",
                Role::Density,
                Range { min: 0.01, max: 100.0, open: false },
                1.2,
                "ρ of the air that is blown",
            ),
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let number = |name| values.required(name);
        let jet = Jet {
            width: number("width")?,
            thickness: number("thickness")?,
            growth: number("growth")?,
            offset: number("offset")?,
            density: number("air_density")?,
        };
        let distance = number("distance")?;
        let farthest = FARTHEST * SPREAD * jet.thickness;
        if jet.offset.abs() > farthest {
            let message =
                format!("is {} m: a jet {} m thick never reaches the edge", jet.offset, jet.thickness);
            let help = format!("write an offset from {} to {farthest} m", -farthest);
            return Err(Complaint::new("offset", message).help(help));
        }
        let growth = jet.growth * distance / jet.thickness;
        if growth > MOST_GROWTH {
            let message = format!(
                "is {}: on a way of {} thicknesses a bend would grow by e^{growth:.0}",
                jet.growth,
                distance / jet.thickness
            );
            let help = format!("write a growth of at most {}", MOST_GROWTH * jet.thickness / distance);
            return Err(Complaint::new("growth", message).help(help));
        }
        Ok(ElementLaw { law: Law::Port(Ported::new(jet, distance)), gap: 0.0 })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The contract of a port over 10⁵ cases, with Y of any rank, at any speed of the jet and with any past: finite; it takes energy to roundings of what its work
    /// is added up from; the air in the window meets its equation wherever the jet gives less than it has.
    #[test]
    fn every_step_is_passive_and_meets_the_law() {
        let mut random = Random(4);
        let mut bounded = 0;
        for _ in 0..100_000 {
            let jet = Jet {
                width: random.size(-4.0, -1.0).max(1e-5),
                thickness: random.size(-4.0, -2.0).max(1e-5),
                growth: random.size(-2.0, 0.0),
                offset: random.signed(-5.0, -3.0),
                density: 1.2,
            };
            let (l, turn) = ([random.size(0.0, 4.0), random.size(-5.0, 3.0)], random.next());
            let turn = if random.next() < 0.5 { 0.0 } else { turn };
            let (cross, y, v) = (l[0] * l[1] * turn, l[0] * l[0], l[1] * l[1]);
            let (pressure, distance) = (random.signed(-3.0, 5.0), random.size(-4.0, -1.0).max(1e-4));
            let free = [-pressure, random.signed(-3.0, 5.0), random.signed(-6.0, 2.0)];
            let mobility = [0.0, 0.0, 0.0, 0.0, y, cross, 0.0, cross, v];
            let places = [0.0; 3];
            let step = PortStep {
                dt: 1e-5,
                free: &free,
                mobility: &mobility,
                control: distance,
                places: &places,
                halfway: &places,
            };
            let mut memory = vec![0.0; jet.memory()];
            let fastest = random.size(-6.0, 2.0);
            memory[PAST..].fill_with(|| fastest * (2.0 * random.next() - 1.0));
            memory[PLACE] = (random.next() * ENTRIES as f64).floor();
            memory[FLOW] = random.size(-9.0, -2.0);
            let before = memory[FLOW];
            let mut force = [f64::NAN; 3];
            jet.meet(&step, &mut memory, &mut force);
            let context = format!("{jet:?} {free:?} {mobility:?} {distance:e}: {force:?}");
            assert!(force.iter().chain(&memory).all(|x| x.is_finite()), "{context}");
            assert!(memory[PLACE] >= 0.0 && memory[PLACE] < ENTRIES as f64, "{context}");
            let w = [0, 1, 2].map(|i| free[i] - (0..3).map(|j| mobility[3 * i + j] * force[j]).sum::<f64>());
            // Without forces the rates are Pw_f, each a sum of two that may cancel.
            let (a, p, x) = (jet.width * distance, free[1].abs(), free[2].abs());
            let coupled = [0.0, a * (cross * p + y * x), a * (v * p + cross * x)];
            let size = [0, 1, 2].map(|i| {
                let of = |j: usize| (mobility[3 * i + j] * force[j]).abs();
                free[i].abs() + of(0) + of(1) + of(2) + coupled[i]
            });
            let taken: f64 = (0..3).map(|i| force[i] * w[i]).sum();
            let known: f64 = (0..3).map(|i| force[i].abs() * size[i]).sum();
            assert!(taken >= -32.0 * f64::EPSILON * known, "{taken:e} of {known:e}, {context}");
            // SΔp and the power that it gives.
            let apart = 4.0 / PI * (2.0 * jet.thickness * distance).sqrt();
            let push = 1.2 * apart * (memory[FLOW] - before) / step.dt;
            let speed = (2.0 * pressure.max(0.0) / 1.2).sqrt();
            let blown = pressure.max(0.0) * jet.width * jet.thickness * speed;
            let loss = 0.5 * 1.2 * a * (w[2] / CONTRACTION).abs() * w[2] / CONTRACTION;
            let acting = a * w[1] + loss - force[2];
            // The force is what is left of these.
            let parts = push.abs() + loss.abs();
            let [air, moved] = [size[1] + cross * parts, size[2] + v * parts];
            let slope = 2.0 * loss.abs() * (1.0 + moved / (w[2].abs() + f64::MIN_POSITIVE));
            // 1 + a²(yv − c²) is known to the rounding of its parts.
            let (both, minor) = (a * a * (y * v + cross * cross), a * a * (y * v - cross * cross));
            let known = 32.0 * f64::EPSILON * (1.0 + both / (1.0 + minor.max(0.0)));
            let rounding = known * (force[2].abs() + a * air + parts + slope);
            if (acting - push).abs() > rounding {
                // No more than there is, of the same sign and not stronger.
                bounded += 1;
                assert!(acting * w[2] <= blown + rounding * w[2].abs(), "{acting:e} {push:e} {context}");
                assert!(acting * push >= 0.0 || acting.abs() <= rounding, "{acting:e} {push:e} {context}");
                assert!(acting.abs() <= push.abs() + rounding, "{acting:e} {push:e} {context}");
            }
        }
        assert!((1000..90_000).contains(&bounded), "{bounded}");
    }

    /// Steps in which the air in the window moves at `rate`, m/s, whatever the jet does, under this pressure, Pa.
    fn held(jet: Jet, memory: &mut [f64], pressure: f64, rate: f64, steps: usize, dt: f64) {
        let (free, places) = ([-pressure, 0.0, rate], [0.0; 3]);
        for _ in 0..steps {
            let step = PortStep {
                dt,
                free: &free,
                mobility: &[0.0; 9],
                control: 4e-3,
                places: &places,
                halfway: &places,
            };
            jet.meet(&step, memory, &mut [0.0; 3]);
        }
    }

    const USUAL: Jet = Jet { width: 0.01, thickness: 1e-3, growth: 0.35, offset: 0.0, density: 1.2 };

    /// At 60 Pa the jet has 10 m/s. v = 1 cm/s bends it by 0.1 ms · e^1.4 · 1 cm/s = 4.055 µm, and sends 4 · 10⁻⁵ (1 + tanh 0.010138) m³/s into the pipe. It does so after
    /// W/0.4u = 1 ms and the smoothing: three equal poles reach half of a step after 2.674 of their time constants, 0.387 ms. The same at any rate.
    #[test]
    fn the_jet_follows_what_bent_it() {
        for dt in [2e-6, 1e-5, 1.0 / 48_000.0] {
            let mut memory = vec![0.0; USUAL.memory()];
            held(USUAL, &mut memory, 60.0, 0.0, (5e-3 / dt) as usize, dt);
            assert!((memory[FLOW] - 4e-5).abs() < 1e-17);
            let mut middle = 0;
            while memory[FLOW] < 4.020_275e-5 && middle < 10_000 {
                held(USUAL, &mut memory, 60.0, 0.01, 1, dt);
                middle += 1;
            }
            let time = f64::from(middle) * dt;
            assert!((time - 1.387e-3).abs() < 3.0 * dt + 3e-6, "{time} s in steps of {dt}");
            held(USUAL, &mut memory, 60.0, 0.01, (20e-3 / dt) as usize, dt);
            assert!((memory[FLOW] / 4.040_55e-5 - 1.0).abs() < 1e-6, "{}", memory[FLOW]);
        }
    }

    /// A jet that rests forgets what bent it: a note that begins later begins as the first one does.
    #[test]
    fn a_jet_at_rest_forgets() {
        let dt = 1.0 / 48_000.0;
        let mut memory = vec![0.0; USUAL.memory()];
        held(USUAL, &mut memory, 250.0, 0.5, 2000, dt);
        held(USUAL, &mut memory, 0.0, 0.0, 4800, dt);
        assert!(memory[SMOOTHED..].iter().all(|x| x.abs() < 1e-12));
    }
}
