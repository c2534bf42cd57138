//! A profile: a height b(x) through given pairs (x_k, b_k), by straight lines or a monotone cubic.
//!
//!   b = b_k + s(d + (1 − s)((1 − s)(m_k h − d) − s(m_{k+1} h − d))),   h = x_{k+1} − x_k,  d = b_{k+1} − b_k,
//!                                                                       s = (x − x_k)/h
//!
//! is the cubic with slopes m_k at the pairs. Inside they are 0 where the slopes δ_k = d/h on both sides differ in sign,
//! else the weighted harmonic mean of both,
//!
//!   m_k = 3(h_{k−1} + h_k) / ((2h_k + h_{k−1})/δ_{k−1} + (h_k + 2h_{k−1})/δ_k)
//!
//! (Fritsch & Butland 1984), so that b rises and falls only where the pairs do; at an end it is that of the parabola
//! through three pairs, kept between 0 and 3δ.

use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes, Values};

/// How far outside its range, as a part of it, an obstacle still reaches: the rounding of a point that lies at its end.
const REACH: f64 = 1e-9;

/// The pairs.
pub const PROFILE: Parameter = Parameter {
    name: "profile",
    takes: Takes::Curve { x: (Role::Length, Range::ANY), y: (Role::Displacement, Range::ANY), least: 2 },
    absent: Absent::Rule,
    doc: "pairs of x and the height of the obstacle along a body, between the first x and the last",
};

/// What runs between them.
pub const INTERPOLATION: Parameter = Parameter {
    name: "interpolation",
    takes: Takes::Word(&["linear", "cubic"]),
    absent: Absent::Word("linear"),
    doc: "how a profile runs between its pairs: straight, or smoothly as a monotone cubic (Fritsch & Butland 1984)",
};

/// The height at x of the curve through the pairs; `None` beyond them.
pub fn read(values: &Values) -> Box<dyn Fn(f64) -> Option<f64>> {
    let pairs = values.pairs(PROFILE.name).unwrap_or_default().to_vec();
    let slopes = match values.word(INTERPOLATION.name) {
        Some("cubic") => Some(slopes(&pairs)),
        _ => None,
    };
    let reach = REACH * pairs.first().zip(pairs.last()).map_or(0.0, |(first, last)| last.0 - first.0);
    Box::new(move |x| {
        let within = |two: &[(f64, f64)]| (two[0].0 - reach..=two[1].0 + reach).contains(&x);
        let k = pairs.windows(2).position(within)?;
        let ((x0, b0), (x1, b1)) = (pairs[k], pairs[k + 1]);
        let (h, d, s) = (x1 - x0, b1 - b0, (x - x0) / (x1 - x0));
        let bend = slopes
            .as_ref()
            .map_or(0.0, |m| (1.0 - s) * ((1.0 - s) * (m[k] * h - d) - s * (m[k + 1] * h - d)));
        Some(b0 + s * (d + bend))
    })
}

/// The slopes m_k.
fn slopes(pairs: &[(f64, f64)]) -> Vec<f64> {
    let h: Vec<f64> = pairs.windows(2).map(|two| two[1].0 - two[0].0).collect();
    let delta: Vec<f64> = pairs.windows(2).map(|two| (two[1].1 - two[0].1) / (two[1].0 - two[0].0)).collect();
    let inner = |k: usize| {
        let (a, b) = (delta[k - 1], delta[k]);
        if a * b <= 0.0 {
            return 0.0;
        }
        3.0 * (h[k - 1] + h[k]) / ((2.0 * h[k] + h[k - 1]) / a + (h[k] + 2.0 * h[k - 1]) / b)
    };
    let end = |near: usize, far: Option<usize>| {
        let Some(far) = far.filter(|far| *far < h.len()) else { return delta[near] };
        let m = delta[near] + (delta[near] - delta[far]) * h[near] / (h[near] + h[far]);
        let (low, high) = (0_f64.min(3.0 * delta[near]), 0_f64.max(3.0 * delta[near]));
        m.clamp(low, high)
    };
    let last = h.len() - 1;
    let mut slopes = vec![end(0, Some(1))];
    slopes.extend((1..pairs.len() - 1).map(inner));
    slopes.push(end(last, last.checked_sub(1)));
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(pairs: &[(f64, f64)], word: &str) -> impl Fn(f64) -> f64 {
        let values = Values::default().with(PROFILE.name, pairs.to_vec()).with(INTERPOLATION.name, word);
        let curve = read(&values);
        move |x| curve(x).unwrap()
    }

    /// Through the pairs exactly, a line stays a line, and no bump where the pairs have none.
    #[test]
    fn a_cubic_is_smooth_and_monotone() {
        let pairs = [(0.0, 0.0), (1.0, -1.0), (1.5, -1.25), (3.0, -1.25), (4.0, -4.0)];
        let smooth = curve(&pairs, "cubic");
        assert!(pairs.iter().all(|(x, b)| smooth(*x) == *b));
        let values: Vec<f64> = (0..=4000).map(|i| smooth(f64::from(i) * 1e-3)).collect();
        // Where the pairs are level the terms cancel to rounding.
        assert!(values.windows(2).all(|two| two[1] <= two[0] + 8.0 * f64::EPSILON));
        // Slopes do not jump: at a corner of straight lines they would by 0.5 and more. Curvatures here stay below
        // 10/m, which makes 10 mm/m a step.
        let slopes: Vec<f64> = values.windows(2).map(|two| (two[1] - two[0]) / 1e-3).collect();
        assert!(slopes.windows(2).all(|two| (two[1] - two[0]).abs() < 1e-2));
        let corners = curve(&pairs, "linear");
        assert_eq!([0.5, 1.25, 2.0, 3.5].map(corners), [-0.5, -1.125, -1.25, -2.625]);
        let line = curve(&[(0.0, 1.0), (1.0, 3.0), (3.0, 7.0)], "cubic");
        assert_eq!([0.25, 0.5, 2.0].map(line), [1.5, 2.0, 5.0]);
        assert_eq!([0.25, 0.5].map(curve(&[(0.0, 1.0), (1.0, 3.0)], "cubic")), [1.5, 2.0]);
    }

    /// b = x² at 0, 1, 2: m = 0, 3·2/(3/1 + 3/3) = 3/2, and the parabola's 4 at the end.
    #[test]
    fn slopes_are_those_of_the_formula() {
        assert_eq!(slopes(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)]), [0.0, 1.5, 4.0]);
    }
}
