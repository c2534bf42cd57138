//! The step of one damped mode, exact, in a form in which nothing cancels.
//!
//!   q̈ + 2σq̇ + ω²q = 0,   b = σΔt,   a = Δt√|ω² − σ²|,   poles z, z′ = e^(−b ± ja)  (e^(−b ± a) where overdamped)
//!   g = (1 − z)(1 − z′) = (1 − e^(−b))² + 4e^(−b) sin²(a/2),     h = 1 − zz′ = 1 − e^(−2b)
//!   qⁿ⁺¹ − qⁿ = (1 − h)(qⁿ − qⁿ⁻¹) − g qⁿ,     1/W = g/(ωΔt)²,   Δtσ* = hW/2
//!
//! Overdamped, with b − a = x = ω²Δt²/(b + a) and φ(x) = (1 − e^(−x))/x: g = (1 − e^(−x))(1 − e^(−a−b)), 1/W =
//! φ(x)φ(a + b), down to ω = 0. W and σ* are those of Bilbao's exact scheme, without its Taylor tables.

use hamiltone_numerics::math::{cos, exp, expm1, sin};

/// What a step needs of a mode of unit mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pole {
    /// g.
    pub spring: f64,
    /// g′ = (1 + z)(1 + z′) = (1 − e^(−b))² + 4e^(−b) cos²(a/2).
    pub opposed: f64,
    /// h.
    pub damper: f64,
    /// b.
    pub decay: f64,
    /// 1/W.
    pub mobility: f64,
    /// The exact first increment is −first·q⁰ + push·(Δtv⁰ + bq⁰).
    pub first: f64,
    pub push: f64,
    /// The exact velocity is (forward·(qⁿ⁺¹ − qⁿ⁻¹) + turn·(qⁿ⁺¹ − 2qⁿ + qⁿ⁻¹))/Δt + hold·qⁿ.
    pub forward: f64,
    pub turn: f64,
    pub hold: f64,
}

/// (1 − e^(−x))/x.
fn phi(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { -expm1(-x) / x }
}

/// Above so much damping a step, and as near to a multiple of π, two positions do not tell a velocity: their
/// difference over the time stands for it.
pub(crate) const DAMPED: f64 = 1.0;
const NEAR: f64 = 1e-3;

impl Pole {
    /// Of a mode with ω² = `stiffness` (1/s²) and σ (1/s).
    pub fn new(stiffness: f64, sigma: f64, dt: f64) -> Self {
        let (square, b) = (stiffness * dt * dt, sigma * dt);
        let damper = -expm1(-2.0 * b);
        let plain = Self {
            spring: 0.0,
            opposed: 4.0,
            damper,
            decay: b,
            mobility: 1.0,
            first: 0.0,
            push: 1.0,
            forward: 0.5,
            turn: 0.0,
            hold: 0.0,
        };
        if square > b * b {
            let a = (square - b * b).sqrt();
            let (decay, fast, half) = (exp(-b), expm1(-b), sin(0.5 * a));
            // 1 − cos a by the half angle: of slow modes it would be the rounding of 1.
            let round = 2.0 * decay * half * half;
            let other = cos(0.5 * a);
            // Seen at the same phase in every step, a mode has no spring to the eye, but its mobility stays a number.
            let spring = (fast * fast + 2.0 * round).max(f64::MIN_POSITIVE / f64::EPSILON);
            let pole = Self {
                spring,
                opposed: fast * fast + 4.0 * decay * other * other,
                mobility: spring / square,
                first: round - fast,
                push: decay * sin(a) / a,
                ..plain
            };
            // `plain` has the central difference for the velocity.
            if b > DAMPED || sin(a).abs() < NEAR * a.min(1.0) {
                return pole;
            }
            // q⁺e^b − q⁻e^(−b) = cosh b·(q⁺ − q⁻) + sinh b·(q⁺ + q⁻), of which 2 sin a/a is Δt(v + σq)/e^…
            let (grown, scale) = (exp(b), a / (2.0 * sin(a)));
            let (even, odd) = (0.5 * (grown + decay) * scale, 0.5 * (grown - decay) * scale);
            return Self { forward: even, turn: odd, hold: (2.0 * odd - b) / dt, ..pole };
        }
        let a = (b * b - square).sqrt();
        let sum = a + b;
        // b − a cancels where the damping is far above critical: their product is known instead.
        let x = if sum == 0.0 { 0.0 } else { square / sum };
        let (slow, quick) = (expm1(-x), expm1(-sum));
        let pole = Self {
            spring: slow * quick,
            opposed: (2.0 + slow) * (2.0 + quick),
            // g/(ωΔt)² would be 0/0 of a mode without a spring.
            mobility: phi(x) * phi(sum),
            first: -0.5 * (slow + quick),
            push: exp(-x) * phi(2.0 * a),
            ..plain
        };
        if b > DAMPED || sum == 0.0 {
            return pole;
        }
        let (grown, decay) = (exp(b), exp(-b));
        // A damping of a rounding makes a so small that e^a and e^(−a) are equal.
        let scale = if a == 0.0 { 0.5 } else { a / (expm1(a) - expm1(-a)) };
        let (even, odd) = (0.5 * (grown + decay) * scale, 0.5 * (grown - decay) * scale);
        Self { forward: even, turn: odd, hold: (2.0 * odd - b) / dt, ..pole }
    }

    /// cos²(ωΔt/2): the discrete over the physical energy of an undamped mode.
    pub fn energy_ratio(stiffness: f64, dt: f64) -> f64 {
        let half = cos(0.5 * stiffness.sqrt() * dt);
        half * half
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of SIC for small steps: Δtσ* and 1/W to Δt⁷.
    #[test]
    fn small_steps_are_their_series() {
        for (w, s, t) in [(1.0_f64, 0.3_f64, 0.02_f64), (0.5, 1.2, 0.02), (1.0, 0.0, 0.03)] {
            let pole = Pole::new(w * w, s, t);
            let damping = 0.5 * pole.damper / pole.mobility;
            let series = t * s
                + t.powi(3) * s * w * w / 12.0
                + t.powi(5) * (w.powi(4) * s / 240.0 - w * w * s.powi(3) / 180.0);
            assert!((damping - series).abs() < 1e-13 * t, "{damping} {series}");
            let mobility = 1.0 - t * s
                + t * t * (2.0 * s * s / 3.0 - w * w / 12.0)
                + t.powi(3) * (w * w * s / 12.0 - s.powi(3) / 3.0)
                + t.powi(4) * (w.powi(4) / 360.0 - w * w * s * s / 20.0 + 2.0 * s.powi(4) / 15.0)
                + t.powi(5) * (w * w * s.powi(3) / 45.0 - w.powi(4) * s / 360.0 - 2.0 * s.powi(5) / 45.0)
                + t.powi(6)
                    * (w.powi(4) * s * s / 630.0 - w.powi(6) / 20160.0 - w * w * s.powi(4) / 126.0
                        + 4.0 * s.powi(6) / 315.0);
            assert!((pole.mobility - mobility).abs() < 1e-12, "{} {mobility}", pole.mobility);
        }
    }

    /// From q⁰ and v⁰ exact positions, and from three positions the exact velocity.
    #[test]
    fn starts_and_velocities_are_exact() {
        let t = 0.1_f64;
        for (w, s) in [
            (3.0_f64, 0.4_f64),
            (3.0, 0.0),
            (40.0, 1.0),
            (0.3, 2.0),
            (0.0, 2.0),
            (0.0, 0.0),
            (2.0, 2.0),
            (0.0, 1e-17),
        ] {
            let at = |t: f64| {
                let square = w * w - s * s;
                let (c, f) = match square {
                    d if d > 0.0 => ((d.sqrt() * t).cos(), (d.sqrt() * t).sin() / d.sqrt()),
                    d if d < 0.0 => (((-d).sqrt() * t).cosh(), ((-d).sqrt() * t).sinh() / (-d).sqrt()),
                    _ => (1.0, t),
                };
                let (q, v) = (0.7, -1.1);
                let position = (-s * t).exp() * (c * q + f * (v + s * q));
                (position, (-s * t).exp() * (c * v - f * (s * v + w * w * q)))
            };
            let pole = Pole::new(w * w, s, t);
            let (q, v) = (0.7, -1.1);
            let d = -pole.first * q + pole.push * (t * v + pole.decay * q);
            assert!((q + d - at(t).0).abs() < 4e-16, "{w} {s}: {} {}", q + d, at(t).0);
            let d2 = d - pole.damper * d - pole.spring * (q + d);
            assert!((q + d + d2 - at(2.0 * t).0).abs() < 1e-15, "{w} {s}");
            let speed = (pole.forward * (d + d2) + pole.turn * (d2 - d)) / t + pole.hold * (q + d);
            // a/sin a of up to 8 and differences over Δt.
            assert!((speed - at(t).1).abs() < 2e-13 * (1.0 + w), "{w} {s}: {speed} {}", at(t).1);
        }
    }
}
