//! The flow in a round tube of viscous air, and its temperature: how much of it follows.
//!
//!   F(z) = I₂(y)/I₀(y) = 1 − 2I₁(y)/(y I₀(y)),   y = √z,   z = sρr²/μ  (sρC_p r²/κ for the temperature)
//!
//! (Zwikker & Kosten 1949; 2I₁(y)/yI₀(y) = 2J₁(x)/xJ₀(x) with x = jy.) F is 0 where the boundary layers fill the tube and tends to 1 in wide
//! ones. By the recurrence I_(k−1) = (2k/y)I_k + I_(k+1) downwards, of which the I_k are the smallest solution, as a continued fraction
//!
//!   r_k = yI_k/I_(k−1) = z/(2k + r_(k+1)),   I₁/yI₀ = 1/(2 + r₂),   F = r₂/(2 + r₂)
//!
//! in which nothing cancels for narrow tubes; for Re y ≥ 20 by the series I₁/I₀ = Σ b_k y^(−k), up to e^(−2 Re y), whose
//! coefficients follow from R′ = 1 − R/y − R² of R = I₁/I₀.

use hamiltone_numerics::{complex::Complex, math::cbrt};

/// Re y from which on e^(−2 Re y) is below the rounding of 1.
const WIDE: f64 = 20.0;
/// |y| from which on the series needs few terms.
const VERY_WIDE: f64 = 100.0;

/// b_k: 2b_m = (m − 2) b_(m−1) − Σ_{0<i<m} b_i b_(m−i).
const SERIES: [f64; 26] = {
    let mut b = [1.0; 26];
    let mut m = 1;
    while m < 26 {
        let mut sum = (m as f64 - 2.0) * b[m - 1];
        let mut i = 1;
        while i < m {
            sum -= b[i] * b[m - i];
            i += 1;
        }
        b[m] = 0.5 * sum;
        m += 1;
    }
    b
};

/// F(z), for z off the negative real axis.
pub(super) fn follows(z: Complex) -> Complex {
    let one = Complex::from(1.0);
    let y = z.sqrt();
    if y.re >= WIDE {
        let inverse = one / y;
        let terms = if y.re >= VERY_WIDE { 11 } else { SERIES.len() };
        let ratio =
            SERIES[..terms].iter().rev().fold(Complex::default(), |sum, b| sum * inverse + (*b).into());
        return one - ratio * inverse * 2.0;
    }
    // Beyond k = |y| the I_k fall faster than exponentially, and the tail is forgotten at their square.
    let size = y.abs();
    let last = (size + 6.0 * cbrt(size) + 8.0) as u32;
    let tail = (2..=last).rev().fold(Complex::default(), |tail, k| z / (tail + f64::from(2 * k).into()));
    tail / (tail + 2.0.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2J₁(x)/xJ₀(x) to 15 digits, by mpmath with 40.
    #[test]
    fn ratios_of_bessel_functions_are_those_of_mpmath() {
        for (x, y, re, im) in [
            (0.5, 0.0, 1.03261055733765, 0.0),
            (1e-3, 1e-3, 0.999999999999917, 2.49999999999971e-07),
            (1.0, 1.0, 0.925505653623499, 0.224410265920981),
            (2.4048, 0.3, 0.517035509504927, 2.77261779451172),
            (3.0, 2.0, 0.331060463456452, 0.406807058000934),
            (7.0, 0.3, 0.00122658854883439, 0.0832941393647195),
            (9.5, 9.4, 0.105400164216496, 0.10070666407227),
            (11.79, 0.002, 40.9784528546979, 53.3837348227215),
            (12.0, 0.5, -0.0872699958296383, 0.314914454716006),
            (13.0, 13.0, 0.0769538419696661, 0.0739362037030726),
            (20.0, 4.0, 0.0214976789988798, 0.0951977454012779),
            (25.0, 25.0, 0.0400041649757187, 0.039196005437239),
            (0.1, 40.0, 0.0493706914403702, 0.000121843934117763),
            (30.0, 0.01, 0.0916377374805191, 0.00186546572142574),
            (60.0, 0.7, -0.00942705163159908, 0.0233756717525863),
            (100.0, 100.0, 0.0100000631298815, 0.00994993750498568),
            (300.0, 2.0, 0.000298915331251862, 0.0066491739401367),
        ] {
            let (x, exact) = (Complex::new(x, y), Complex::new(re, im));
            let own = Complex::from(1.0) - follows(-(x * x));
            // Beside a zero x₀ of J₀ a rounding of x is 1/|x − x₀| as much of it: 0.003 at 11.79.
            let within = if x.re == 11.79 { 2e-12 } else { 1e-13 };
            // 1 − F has lost the digits that F has more of.
            assert!((own - exact).abs() <= within * exact.abs() + 4e-16, "{x:?} {own:?} {exact:?}");
        }
    }

    /// Poiseuille's flow: F → z/8 − z²/48.
    #[test]
    fn narrow_tubes_follow_poiseuille() {
        let z = Complex::new(1e-7, 2e-6);
        let series = z * (Complex::from(0.125) - z * (1.0 / 48.0));
        assert!((follows(z) / series - 1.0.into()).abs() < 1e-12);
    }

    /// The series and the fraction agree where one takes over.
    #[test]
    fn the_series_continues_the_fraction() {
        for angle in [0.0_f64, 0.3, 0.7, 1.2] {
            let at =
                |re: f64| follows(Complex::new(re, re * angle.tan()) * Complex::new(re, re * angle.tan()));
            let (below, above) = (at(WIDE - 1e-9), at(WIDE + 1e-9));
            assert!((below - above).abs() < 1e-11, "{below:?} {above:?}");
            let (below, above) = (at(VERY_WIDE - 1e-9), at(VERY_WIDE + 1e-9));
            assert!((below - above).abs() < 1e-12, "{below:?} {above:?}");
        }
    }
}
