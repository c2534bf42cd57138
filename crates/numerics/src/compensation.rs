//! Sums of many terms without a bias: velocities, positions, energies.
//!
//! A velocity that changes by nearly the same small amount in every step, as of a heavy mass
//! under a small constant force, is rounded the same way for thousands of steps, and the energy
//! drifts by up to an eps a step; so does a position that slides slowly under a large force. The
//! rounding of each sum is therefore carried to the next (Kahan 1965): each step's balance is
//! off by as much as before, their sum no longer grows. After a loud note, what its tail dissipates in a step is below the last digit of the total.

use crate::double::Double;

/// x + change + remainder; the remainder, 0 at first, becomes that of this sum.
///
/// ```
/// use hamiltone_numerics::compensation::add;
///
/// let mut remainder = 0.0;
/// assert_eq!((add(1.0, 1e-17, &mut remainder), remainder), (1.0, 1e-17));
/// ```
#[inline]
pub fn add(x: f64, change: f64, remainder: &mut f64) -> f64 {
    // Exact also where the change is larger than x, at a turning point.
    let sum = Double::sum(x, change + *remainder);
    // |low| ≤ ½ ulp(high): the remainder never grows with the number of steps.
    *remainder = sum.low;
    sum.high
}

#[cfg(test)]
mod tests {
    use super::add;

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
