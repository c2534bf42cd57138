//! The zeros of the Bessel functions J_n.
//!
//!   J_n(j_ns) = 0,   s = 1, 2, …;   j_(n−1)s < j_ns < j_(n−1)(s+1),   J_n′ = J_(n−1) − (n/x) J_n
//!
//! Those of J_0 lie between (s − ½)π and sπ; those of each further order between those of the one before (DLMF 10.21).

use hamiltone_numerics::math::{cbrt, jn};
use std::{f64::consts::PI, sync::LazyLock};

/// J_n′(x), x > 0.
fn slope(n: usize, x: f64) -> f64 {
    let before = if n == 0 { -jn(1, x) } else { jn(n as i32 - 1, x) };
    before - n as f64 / x * jn(n as i32, x)
}

/// The zero of J_n between `low` and `high`.
fn zero(n: usize, mut low: f64, mut high: f64) -> f64 {
    let falls = jn(n as i32, low) > 0.0;
    // A thirty-second of less than two half waves: from there Newton gains three digits for one.
    for _ in 0..5 {
        let middle = 0.5 * (low + high);
        if (jn(n as i32, middle) > 0.0) == falls { low = middle } else { high = middle }
    }
    (0..4).fold(0.5 * (low + high), |x, _| x - jn(n as i32, x) / slope(n, x))
}

/// All zeros (n, j_ns) up to `most`, in ascending order of n and s.
fn zeros(most: f64) -> Vec<(usize, f64)> {
    // Each order has one zero fewer than the one before; j_ns > n and > (s + n/2 − ½)π leave enough of each.
    let count = most.ceil() as usize + 2;
    let mut row: Vec<f64> = (1..=count).map(|s| zero(0, (s as f64 - 0.5) * PI, s as f64 * PI)).collect();
    let mut all = Vec::new();
    for n in 0..count {
        all.extend(row.iter().take_while(|z| **z <= most).map(|z| (n, *z)));
        if row.first().is_none_or(|z| *z > most) {
            break;
        }
        row = row.windows(2).map(|pair| zero(n + 1, pair[0], pair[1])).collect();
    }
    all
}

/// A mode of a circle: n, j_ns, and whether it goes with sin nθ.
type CircleMode = (usize, f64, bool);

/// The modes that most membranes have, once for all of them.
static TABULATED: LazyLock<Vec<CircleMode>> = LazyLock::new(|| lowest(300));

/// The first modes of a circle, j_ns ascending: for n > 0 with cos nθ and with sin nθ.
pub(crate) fn circle(modes: usize) -> Vec<CircleMode> {
    if modes <= TABULATED.len() { TABULATED[..modes].to_vec() } else { lowest(modes) }
}

fn lowest(modes: usize) -> Vec<CircleMode> {
    // About x²/4 − x/2 of them lie below x (Weyl).
    let mut most = 4.0 + (1.0 + 4.0 * modes as f64).sqrt();
    loop {
        let both = |(n, z): (usize, f64)| (0..=usize::from(n > 0)).map(move |odd| (n, z, odd == 1));
        let mut all: Vec<CircleMode> = zeros(most).into_iter().flat_map(both).collect();
        if all.len() >= modes {
            all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(&b.2)));
            all.truncate(modes);
            return all;
        }
        most += 2.0;
    }
}

/// All q > 0 up to `most` with J_n′(q) = 0, ascending.
pub(crate) fn extrema(n: usize, most: f64) -> Vec<f64> {
    // They are more than 1 apart, and none is below n.
    let ends = |i: usize| 0.1 + n as f64 + i as f64;
    let count = (most - n as f64).ceil().max(0.0) as usize;
    let changes = |i: &usize| (slope(n, ends(*i)) > 0.0) != (slope(n, ends(i + 1)) > 0.0);
    let all = (0..count).filter(changes).map(|i| crate::root::root(ends(i), ends(i + 1), |x| slope(n, x)));
    all.filter(|q| *q <= most).collect()
}

/// The largest value of J_n.
pub(crate) fn largest(n: usize) -> f64 {
    if n == 0 {
        return 1.0;
    }
    // It rises to n and falls before its first zero, which is below n + 1.86n^⅓ + 2.
    let order = n as f64;
    jn(n as i32, crate::root::root(order, order + 1.9 * cbrt(order) + 0.5, |x| slope(n, x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abramowitz & Stegun 1964, table 9.5.
    #[test]
    fn zeros_are_as_published() {
        let circle = circle(400);
        let published = [
            (0, 2.4048255577),
            (1, 3.8317059702),
            (2, 5.1356223018),
            (0, 5.5200781103),
            (3, 6.3801618959),
            (1, 7.0155866698),
            (4, 7.5883424345),
            (2, 8.4172441404),
            (0, 8.6537279129),
        ];
        let mut own = circle.iter().filter(|mode| !mode.2);
        for (n, z) in published {
            let (order, own, _) = own.next().unwrap();
            assert!(*order == n && (own - z).abs() < 6e-11, "{n} {z}: {order} {own}");
        }
        // Weyl's count, which wavers by about √x.
        let x = circle[399].1;
        assert!((x * x / 4.0 - x / 2.0 - 400.0).abs() < 2.0 * x.sqrt(), "{x}");
    }

    /// Every zero is one, and none is missing: between those of one order lies one of the next.
    #[test]
    fn zeros_interlace() {
        let all = zeros(60.0);
        let of = |n: usize| -> Vec<f64> { all.iter().filter(|z| z.0 == n).map(|z| z.1).collect() };
        for n in 0..58 {
            let (own, next) = (of(n), of(n + 1));
            assert!(own.iter().all(|z| jn(n as i32, *z).abs() < 2e-15 * z.sqrt()));
            assert!(
                own.iter().zip(&next).all(|(a, b)| a < b)
                    && next.iter().zip(own.iter().skip(1)).all(|(a, b)| a < b)
            );
            assert!(own.len() == next.len() || own.len() == next.len() + 1);
        }
        assert_eq!(of(60), [] as [f64; 0]);
    }

    /// Abramowitz & Stegun 1964, table 9.5, without the zero of J_0′ at 0.
    #[test]
    fn extrema_are_as_published() {
        for (n, published) in [
            (0, [3.83170_597, 7.01558_667]),
            (1, [1.84118_378, 5.33144_277]),
            (8, [9.64742_165, 14.11551_891]),
        ] {
            let own = extrema(n, published[1] + 1.0);
            assert!(
                own.len() == 2 && own.iter().zip(published).all(|(own, q)| (own - q).abs() < 1e-8),
                "{n} {own:?}"
            );
        }
    }

    #[test]
    fn largest_values_are_largest() {
        for n in [1, 2, 10, 50] {
            let seen = (0..40_000).map(|i| jn(n, f64::from(i) * 2e-3)).fold(0.0, f64::max);
            // A step of 10⁻³ from the crest misses less than half its square.
            assert!((0.0..1e-6).contains(&(largest(n as usize) - seen)), "{n}");
        }
    }
}
