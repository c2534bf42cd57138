//! Velocities and positions added up without a bias.
//!
//! A velocity that changes by nearly the same small amount in every step, as of a heavy mass
//! under a small constant force, is rounded the same way for thousands of steps, and the energy
//! drifts by up to an eps a step; so does a position that slides slowly under a large force. The
//! rounding of each sum is therefore carried to the next (Kahan 1965): each step's balance is
//! off by as much as before, their sum no longer grows.

use hamiltone_core::state::Motion;
use hamiltone_numerics::double::Double;

/// x + change + remainder; the remainder becomes what rounding left out.
#[inline]
pub(crate) fn add(x: f64, change: f64, remainder: &mut f64) -> f64 {
    // Exact also where the change is larger than x, at a turning point.
    let sum = Double::sum(x, change + *remainder);
    *remainder = sum.low;
    sum.high
}

/// h·(v + rest) as a number and what rounding left out of it.
pub(crate) fn times(h: f64, v: f64, rest: f64) -> (f64, f64) {
    let Double { high, low } = Double::product(h, v);
    (high, low + h * rest)
}

/// (w + remainder)/h as a number and what rounding left out of it.
pub(crate) fn over(h: f64, w: f64, remainder: f64) -> (f64, f64) {
    let v = w / h;
    let Double { high, low } = Double::product(h, v);
    (v, ((w - high) - low + remainder) / h)
}

/// The velocities of `motion` in the unit 1/h: w = h·v with what rounding leaves out.
///
/// A motion without any remainder was given, as initial conditions are: its products are rounded once. One with
/// remainders was handed over by another stepper, and keeps twice the digits.
pub(crate) fn take_over(h: f64, motion: &Motion, w: &mut [f64], remainder: &mut [f64]) {
    let given = motion.v_remainder.iter().all(|rest| *rest == 0.0);
    for (i, (w, remainder)) in w.iter_mut().zip(remainder).enumerate() {
        (*w, *remainder) =
            if given { (h * motion.v[i], 0.0) } else { times(h, motion.v[i], motion.v_remainder[i]) };
    }
}

#[cfg(test)]
mod tests {
    use super::{add, over, times};

    /// Handed to and fro between two units a million times, a third stays a third.
    #[test]
    fn units_are_changed_without_a_drift() {
        let (mut v, mut rest) = (1.0 / 3.0, 0.0);
        for k in 0..1_000_000 {
            let h = if k % 2 == 0 { 1.3e-5 } else { -1.7e-5 };
            let (w, remainder) = times(h, v, rest);
            (v, rest) = over(h, w, remainder);
        }
        assert_eq!(v, 1.0 / 3.0);
    }

    /// 10⁶ additions of 10⁻¹⁰ to 1: the plain sum drifts by a part in 10¹¹, one rounding at a time.
    #[test]
    fn small_changes_are_not_lost() {
        let (mut x, mut plain, mut remainder) = (1.0, 1.0, 0.0);
        for _ in 0..1_000_000 {
            x = add(x, 1e-10, &mut remainder);
            plain += 1e-10;
        }
        assert!((x - 1.0001_f64).abs() <= 2.0 * f64::EPSILON, "{x}");
        assert!((plain - 1.0001_f64).abs() > 1000.0 * f64::EPSILON, "{plain}");
    }
}
