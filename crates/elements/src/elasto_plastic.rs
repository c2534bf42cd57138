//! A bow on whose string rosin bends elastically before it slides: elasto-plastic friction.
//!
//!   F = s₀z + s₁ż,   ż = w (1 − α(z, w) z/z_ss(w)),   z_ss(w) = N μ(|w|)/s₀
//!   μ(v) = μ_d + (μ_s − μ_d) e^(−(v/v₀)²)
//!
//! w (m/s) is the speed of the string relative to the hair, z (m) how far the contact is bent, s₀ (N/m) its stiffness, s₁ (N s/m) its damping, N (N) the
//! force with which the bow presses. α is 0 where z and w have different signs or |z| ≤ z_b = b μ_d N/s₀, so that small motions are elastic, 1 from
//! z_ss on, and ½ + ½ sin π((|z| − z_b)/(z_ss − z_b) − ½) between (P. Dupont et al. 2002, IEEE Trans. Autom. Control 47; S. Serafin, F. Avanzini &
//! D. Rocchesso 2003, SMAC; E. Matusiak & V. Chatziioannou 2025).
//!
//! **A step** takes z, α and F at z̄ = z + θΔt ż, ż = (z⁺ − z)/Δt. θ is ½ up to Δt|w| = 2z_ss; a contact that slides further than that in a step is in its steady state at
//! the end of it, z⁺ = z_ss of a fully sliding one, by θ = 1 − z_ss/(Δt|w|), where the midpoint would overshoot in turns. For a given w
//!
//!   z_ss x + θΔt|w| α(x) x = ± z + θΔt|w|,   x = |z̄|/z_ss       (± z along w)
//!
//! rises with x, which gives z̄(w); then w + YF(w) = w_f is one equation in w. It can have several solutions, as with every friction that falls: it is
//! that next to the w of the step before, from where it is searched for.
//!
//! **Balance.** It stores ½s₀z². What it takes beyond, F w − s₀(z + z⁺)ż/2 = α s₀z̄²|w|/z_ss + s₁żw + s₀(θ − ½)Δt ż², is not negative where
//! s₁|w| ≤ 4s₀z_ss: s₁ is the smaller of what is asked for and that. A step begins with |z| ≤ μ_sN/s₀: where the bow presses less than before, what that frees is taken.

use crate::bow::{FORCE, HAIR, coefficient, falling, friction_speed, pressed};
use hamiltone_core::{
    element::ElementLaw,
    identity::Identity,
    parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes, Values},
    port::{Branches, Port, PortStep},
};
use hamiltone_numerics::{
    math::{cos, exp, sin, square},
    secant::{Root, Search, root},
};
use std::{convert::Infallible, f64::consts::PI};

/// Friction that is elastic first. It remembers z (m) and w (m/s).
///
/// ```
/// use hamiltone_core::port::{Port, PortStep};
/// use hamiltone_elements::ElastoPlasticBow;
///
/// // At 0.1 m/s for 10 µs it bends by 1 µm: 0.05 N in the mean, and 0.05 N of its damping.
/// let bow = ElastoPlasticBow { at_rest: 1.2, sliding: 0.35, speed: 0.1, stiffness: 1e5, damping: 0.5, break_away: 0.7 };
/// let (mut memory, mut force) = ([0.0; 2], [0.0]);
/// let step = PortStep { dt: 1e-5, free: &[0.1], mobility: &[0.0], control: 1.0, places: &[0.0], halfway: &[0.0] };
/// bow.meet(&step, &mut memory, &mut force);
/// assert!((memory[0] - 1e-6).abs() < 1e-12 && (force[0] - 0.1).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ElastoPlasticBow {
    /// μ_s.
    pub at_rest: f64,
    /// μ_d.
    pub sliding: f64,
    /// v₀, m/s.
    pub speed: f64,
    /// s₀, N/m.
    pub stiffness: f64,
    /// s₁, N s/m.
    pub damping: f64,
    /// b, below 1.
    pub break_away: f64,
}

/// Newton steps within a bracket, which halve it at least: as many as a number has digits.
const MAX_ITERATIONS: u32 = 60;

impl ElastoPlasticBow {
    /// z̄, ż and F where the contact, pressed by N, is bent by z and slides at w.
    fn bent(&self, (z, pressed, dt): (f64, f64, f64), w: f64) -> [f64; 3] {
        let side = if w < 0.0 { -1.0 } else { 1.0 };
        let (half, s0) = (0.5 * dt * w.abs(), self.stiffness);
        let friction = self.sliding + (self.at_rest - self.sliding) * exp(-square(w / self.speed));
        let steady = pressed * friction / s0;
        // θΔt|w|.
        let way = half.max(2.0 * half - steady);
        let elastic = elastic_part(side * z, way, steady, self.break_away * self.sliding / friction);
        let damping = self.damping.min(4.0 * s0 * steady / w.abs());
        let (bent, rate) = (z + side * way * elastic, w * elastic);
        [bent, rate, s0 * bent + damping * rate]
    }
}

/// 1 − α(x) x of the root of z_ss x + a α(x) x = z + a, where α rises from 0 at x = `elastic` to 1 at x = 1: which part of w bends the contact.
fn elastic_part(z: f64, way: f64, steady: f64, elastic: f64) -> f64 {
    let a = z + way;
    if a <= elastic * steady {
        return 1.0;
    }
    if z >= steady {
        return (steady - z) / (steady + way);
    }
    let (mut low, mut high) = (elastic.max(a / (steady + way)), (a / steady).min(1.0));
    let turn = PI / (1.0 - elastic);
    let mut x = 0.5 * (low + high);
    for _ in 0..MAX_ITERATIONS {
        let angle = turn * (x - elastic) - 0.5 * PI;
        let alpha = 0.5 + 0.5 * sin(angle);
        let miss = steady * x + way * alpha * x - a;
        *(if miss < 0.0 { &mut low } else { &mut high }) = x;
        let newton = x - miss / (steady + way * (alpha + 0.5 * turn * cos(angle) * x));
        let next = if (low..=high).contains(&newton) { newton } else { 0.5 * (low + high) };
        let change = (next - x).abs();
        x = next;
        if change <= f64::EPSILON * x {
            break;
        }
    }
    1.0 - (0.5 + 0.5 * sin(turn * (x - elastic) - 0.5 * PI)) * x
}

impl Port for ElastoPlasticBow {
    fn memory(&self) -> usize {
        2
    }

    fn branches(&self) -> Branches {
        Branches::Places
    }

    fn meet(&self, step: &PortStep<'_>, memory: &mut [f64], force: &mut [f64]) -> u32 {
        let (free, y, pressed) = (step.free[0], step.mobility[0].max(0.0), step.control);
        let most = self.at_rest * pressed / self.stiffness;
        if most == 0.0 {
            memory.copy_from_slice(&[0.0, free]);
            force[0] = 0.0;
            return 0;
        }
        let z = memory[0].min(most).max(-most);
        let mut evaluations = 0;
        let miss = |w: f64| {
            evaluations += 1;
            Ok::<_, Infallible>(w + y * self.bent((z, pressed, step.dt), w)[2] - free)
        };
        // |F| ≤ s₀ |z̄| + s₁ |ż|, |z̄| is at most the largest z, and θ at least ½.
        let reach = free.abs() + y * most * (self.stiffness + 4.0 * self.damping / step.dt);
        if !reach.is_finite() {
            // A run that overflows ends by its forces.
            force[0] = f64::NAN;
            return 0;
        }
        let steepest = 0.5 * self.stiffness * step.dt + self.damping;
        let size = free.abs() + memory[1].abs() + y * self.stiffness * z.abs();
        let search = Search {
            start: memory[1],
            slope: 1.0 + y * steepest,
            longest: size.max(f64::MIN_POSITIVE),
            limits: [-reach, reach],
            tolerance: f64::EPSILON * size,
        };
        let w = match root(&search, miss) {
            Ok(Root::At(w)) => w,
            Ok(Root::Beyond { limit, .. }) => limit,
            Err(never) => match never {},
        };
        let [_, rate, law] = self.bent((z, pressed, step.dt), w);
        // Of forces that change the speed by more than what is left of it, w is a small difference.
        let parts = self.stiffness * z.abs() + steepest * w.abs();
        force[0] = if y * parts <= w.abs() { law } else { (free - w) / y };
        memory.copy_from_slice(&[z + step.dt * rate, w]);
        evaluations
    }

    fn stored(&self, memory: &[f64]) -> f64 {
        0.5 * self.stiffness * square(memory[0])
    }

    fn identity(&self) -> Identity {
        let Self { at_rest, sliding, speed, stiffness, damping, break_away } = self;
        Identity::of("elasto-plastic bow").numbers(&[
            *at_rest,
            *sliding,
            *speed,
            *stiffness,
            *damping,
            *break_away,
        ])
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "elasto-plastic-bow",
        summary: "a bow whose rosin bends elastically before it slides: friction with bristles",
        equation: "F = s₀ z + s₁ dz/dt;  dz/dt = w (1 − α(z, w) z/z_ss(w));  z_ss = N μ(|w|)/s₀;  μ = μ_d + (μ_s − μ_d) e^(−(w/v₀)²);  w = d/dt(first − second) − speed",
        source: "Dupont et al. 2002; Serafin, Avanzini & Rocchesso 2003; Matusiak & Chatziioannou 2025",
        parameters: &[
            FORCE,
            HAIR,
            coefficient("static_friction", 0.0, 1.2, "μ_s, of slow sliding"),
            coefficient("dynamic_friction", 1e-3, 0.35, "μ_d, of fast sliding: z_ss is never 0"),
            friction_speed(0.1, "v₀, the sliding speed by which friction has fallen"),
            Parameter {
                name: "bristle_stiffness",
                takes: Takes::Number(Role::SpringStiffness, Range { min: 1.0, max: 1e9, open: false }),
                absent: Absent::Number(1e5),
                doc: "s₀, how stiff the rosin is before it slides",
            },
            Parameter {
                name: "bristle_damping",
                takes: Takes::Number(Role::Resistance, Range { min: 0.0, max: 1e3, open: false }),
                absent: Absent::Number(0.5),
                doc: "s₁, how much it resists being bent faster; at most 4 N μ/|w|, above which it would give energy",
            },
            Parameter {
                name: "break_away",
                takes: Takes::Number(Role::Number, Range { min: 0.0, max: 0.99, open: false }),
                absent: Absent::Number(0.7),
                doc: "b: which part of μ_d N the force has before anything slides",
            },
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let [at_rest, sliding] = falling(values)?;
        let number = |name| values.required(name);
        let bow = ElastoPlasticBow {
            at_rest,
            sliding,
            speed: number("friction_speed")?,
            stiffness: number("bristle_stiffness")?,
            damping: number("bristle_damping")?,
            break_away: number("break_away")?,
        };
        pressed(bow, values)
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const ROSIN: ElastoPlasticBow = ElastoPlasticBow {
        at_rest: 1.2,
        sliding: 0.35,
        speed: 0.1,
        stiffness: 1e5,
        damping: 0.5,
        break_away: 0.7,
    };

    /// The contract of a port over 10⁵ cases, with Y = 0, N = 0, w_f = 0, w = 0 before and memories of another N among them: finite; w = w_f − YF; F and z⁺ are those
    /// of w; what it takes less what it stores more is not negative but for a rounding of what that is added up from.
    #[test]
    fn every_step_is_passive_and_meets_the_law() {
        let mut random = Random(3);
        let (mut worst, mut evaluations) = (0.0_f64, 0);
        for _ in 0..100_000 {
            let bow = ElastoPlasticBow {
                at_rest: 1.2,
                sliding: random.size(-3.0, 0.0).max(1e-3),
                speed: 0.1,
                stiffness: random.size(2.0, 7.0).max(1.0),
                damping: random.size(-2.0, 2.0),
                break_away: 0.9 * random.next(),
            };
            let (free, y, n) = (random.signed(-9.0, 2.0), random.size(-12.0, 2.0), random.size(-9.0, 2.0));
            let before = [1.5 * random.signed(-6.0, 0.0) * n / bow.stiffness, random.signed(-9.0, 2.0)];
            let (mut memory, mut force) = (before, [f64::NAN]);
            let dt = 1e-5;
            let step =
                PortStep { dt, free: &[free], mobility: &[y], control: n, places: &[0.0], halfway: &[0.0] };
            let count = bow.meet(&step, &mut memory, &mut force);
            evaluations += count;
            let (f, w) = (force[0], free - y * force[0]);
            let context =
                format!("{bow:?} w_f {free:e} Y {y:e} N {n:e} {before:?}: F {f:e} w {w:e} {memory:?}");
            assert!(
                f.is_finite() && memory.iter().all(|x| x.is_finite()) && count <= 100,
                "{context} {count}"
            );
            let most = bow.at_rest * n / bow.stiffness;
            let z = before[0].clamp(-most, most);
            let size = free.abs() + y * f.abs() + before[1].abs() + y * bow.stiffness * z.abs();
            assert!((w - memory[1]).abs() <= 16.0 * f64::EPSILON * size, "{context}");
            if n > 0.0 {
                follows(&bow, (z, n, dt), (memory, f), (y, size), &context);
            }
            let taken = dt * f * w + bow.stored(&before) - bow.stored(&memory);
            let rounding = dt * f.abs() * size + bow.stored(&before) + bow.stored(&memory);
            worst = worst.max(-taken / (f64::EPSILON * rounding + f64::MIN_POSITIVE));
            assert!(taken >= -64.0 * f64::EPSILON * rounding, "{context}: {taken:e} J");
        }
        println!("{worst} roundings, {} evaluations in the mean", f64::from(evaluations) / 1e5);
    }

    /// ż of z⁺ by the law as it is written, and F of both: to a rounding of w over Y, or of what F is added up from.
    fn follows(
        bow: &ElastoPlasticBow,
        (z, n, dt): (f64, f64, f64),
        ([next, w], force): ([f64; 2], f64),
        (y, size): (f64, f64),
        context: &str,
    ) {
        let mu = bow.sliding + (bow.at_rest - bow.sliding) * exp(-square(w / bow.speed));
        let (steady, elastic) = (n * mu / bow.stiffness, bow.break_away * bow.sliding * n / bow.stiffness);
        let theta = if dt * w.abs() > 2.0 * steady { 1.0 - steady / (dt * w.abs()) } else { 0.5 };
        let bent = z + theta * (next - z);
        let alpha = match bent.abs() {
            _ if bent * w < 0.0 => 0.0,
            u if u <= elastic => 0.0,
            u if u >= steady => 1.0,
            u => 0.5 + 0.5 * sin(PI * ((u - elastic) / (steady - elastic) - 0.5)),
        };
        let rate = w * (1.0 - alpha * bent.abs() / steady);
        // ż is known to a rounding of w, z⁺ to that over a step, and by it α to that over the part of z_ss in which it rises.
        let slope = w.abs() * (1.0 + PI / (1.0 - elastic / steady)) / steady;
        let size_of_z = z.abs() + next.abs() + dt * w.abs();
        let known = 32.0 * f64::EPSILON * size_of_z * (1.0 / dt + slope);
        assert!(((next - z) / dt - rate).abs() <= known, "{context}: {:e} {rate:e}", (next - z) / dt);
        let law = bow.bent((z, n, dt), w)[2];
        let parts = bow.stiffness * (bent.abs() + z.abs()) + bow.damping * w.abs();
        let miss = (force - law).abs();
        assert!(y * miss <= 64.0 * f64::EPSILON * (size + y * parts), "{context}: {force:e} {law:e}");
    }

    /// A contact that slides on at the same speed has a steady force, however far it goes in a step.
    #[test]
    fn steady_sliding_has_a_steady_force() {
        let (mut memory, mut force) = ([0.0; 2], [0.0]);
        for n in 0..20 {
            let step = PortStep {
                dt: 2e-5,
                free: &[0.9],
                mobility: &[0.0],
                control: 0.5,
                places: &[0.0],
                halfway: &[0.0],
            };
            ROSIN.meet(&step, &mut memory, &mut force);
            assert!(n < 2 || (force[0] - 0.175).abs() < 1e-12, "step {n}: {} N", force[0]);
        }
    }

    /// Small motions are elastic: what was stored comes back.
    #[test]
    fn small_motions_are_elastic() {
        let bow = ElastoPlasticBow { damping: 0.0, ..ROSIN };
        let (mut memory, mut force, mut work) = ([0.0; 2], [0.0], 0.0);
        for n in 0..40 {
            let free = [if n < 20 { 0.01 } else { -0.01 }];
            let step = PortStep {
                dt: 1e-5,
                free: &free,
                mobility: &[0.0],
                control: 1.0,
                places: &[0.0],
                halfway: &[0.0],
            };
            bow.meet(&step, &mut memory, &mut force);
            work += 1e-5 * force[0] * free[0];
        }
        assert!(memory[0].abs() < 1e-20 && work.abs() < 1e-20, "{memory:?} {work:e} J");
    }
}
