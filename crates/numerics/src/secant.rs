//! One equation in one unknown: the secant method, kept in a bracket.
//!
//!   x ← x − f(x) (x − x′)/(f(x) − f(x′))
//!
//! converges with the order 1.6 where f is smooth. Once f has been seen below and above 0, a step that leaves the interval
//! between, or a fourth one that does not halve it, is replaced by its middle; before, a step is at most as long as `longest` and
//! grows by a factor of 2. f may be −∞ or ∞, which says on which side of the root x lies.

/// Where the search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Root {
    /// The root; where f jumps across 0 or the evaluations end, the last x, at which |f| may exceed the tolerance.
    At(f64),
    /// There is none between the limits: f keeps its sign up to this one, where it has this value.
    Beyond {
        /// The limit.
        limit: f64,
        /// f there.
        value: f64,
    },
}

/// Evaluations in all.
const EVALUATIONS: usize = 200;
/// Steps within a bracket before it must have been halved.
const PATIENCE: usize = 3;

/// Where the search for a root begins and may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// The first x.
    pub start: f64,
    /// About df/dx there.
    pub slope: f64,
    /// The longest first step.
    pub longest: f64,
    /// The least and the largest x.
    pub limits: [f64; 2],
    /// What |f| is good enough.
    pub tolerance: f64,
}

/// The root of a function that rises, or falls where `slope` is negative.
///
/// # Errors
/// That of f.
pub fn root<E>(search: &Search, mut f: impl FnMut(f64) -> Result<f64, E>) -> Result<Root, E> {
    let Search { start, slope, mut longest, limits: [least, largest], tolerance } = *search;
    // Turned so that it rises.
    let mut rising = |x: f64| f(x).map(|value| slope.signum() * value);
    let mut x = start.clamp(least, largest);
    let mut value = rising(x)?;
    let mut step = -value / slope.abs();
    // The nearest places where it was below and above 0.
    let (mut below, mut above): (Option<f64>, Option<f64>) = (None, None);
    let (mut width, mut waited) = (f64::INFINITY, 0);
    for _ in 0..EVALUATIONS {
        if value.abs() <= tolerance {
            break;
        }
        *(if value < 0.0 { &mut below } else { &mut above }) = Some(x);
        let next = match (below, above) {
            (Some(low), Some(high)) => {
                waited += 1;
                if high - low <= 0.5 * width {
                    (width, waited) = (high - low, 0);
                }
                let inside = x + step > low && x + step < high;
                if inside && waited < PATIENCE {
                    x + step
                } else {
                    (width, waited) = (high - low, 0);
                    0.5 * (low + high)
                }
            }
            _ => {
                let (limit, towards) = if value < 0.0 { (largest, 1.0) } else { (least, -1.0) };
                if x == limit {
                    return Ok(Root::Beyond { limit, value: slope.signum() * value });
                }
                let wanted = step * towards;
                // Also where the chord gave no step (NaN) or one that leads away from the root.
                let length = if wanted > 0.0 { wanted.min(longest) } else { longest };
                longest *= 2.0;
                (x + towards * length).clamp(least, largest)
            }
        };
        // Beside two neighbours nothing lies between.
        if [Some(x), below, above].contains(&Some(next)) {
            break;
        }
        let (before, old) = (x, value);
        (x, value) = (next, rising(next)?);
        let chord = (value - old) / (x - before);
        step = if chord.is_finite() && chord > 0.0 { -value / chord } else { f64::NAN };
    }
    Ok(Root::At(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEARCH: Search =
        Search { start: 1.0, slope: 1.0, longest: 1.0, limits: [-100.0, 100.0], tolerance: 1e-14 };

    /// The root, and how many evaluations it took.
    fn found(search: Search, f: impl Fn(f64) -> f64) -> (Root, usize) {
        let mut count = 0;
        let counted = |x| {
            count += 1;
            Ok::<_, ()>(f(x))
        };
        let root = root(&search, counted).unwrap();
        (root, count)
    }

    #[test]
    fn roots_are_found_fast() {
        for (f, slope, expected, most) in [
            ((|x| x * x * x - 8.0) as fn(f64) -> f64, 3.0, 2.0, 12),
            (|x| 1.0 - x.exp(), -1.0, 0.0, 12),
            (|x| (x - 50.0) / 7.0, 1.0, 50.0, 12),
            (|x| (x + 50.0).atan(), 1.0, -50.0, 20),
            (|x| if x < 3.0 { f64::NEG_INFINITY } else { x - 4.0 }, 1.0, 4.0, 12),
            (|x| if x > 30.0 { f64::INFINITY } else { (x - 4.0).powi(5) }, 1.0, 4.0, 60),
        ] {
            let (at, count) = found(Search { slope, ..SEARCH }, f);
            let Root::At(x) = at else { panic!("{at:?}") };
            // A fifth power is below the tolerance 10⁻³ beside its root.
            assert!((x - expected).abs() < 2e-3 && f(x).abs() <= 1e-14, "{x} {expected}");
            assert!(count < most, "{count}");
        }
    }

    #[test]
    fn limits_are_told() {
        let limit = |slope: f64, f: fn(f64) -> f64| found(Search { slope, ..SEARCH }, f).0;
        assert_eq!(limit(1.0, |x| x + 101.0), Root::Beyond { limit: -100.0, value: 1.0 });
        assert_eq!(limit(1.0, |x| x - 101.0), Root::Beyond { limit: 100.0, value: -1.0 });
        assert_eq!(limit(-1.0, |x| 101.0 - x), Root::Beyond { limit: 100.0, value: 1.0 });
        assert_eq!(limit(-1.0, |x| -101.0 - x), Root::Beyond { limit: -100.0, value: -1.0 });
        assert_eq!(root(&SEARCH, |_| Err::<f64, _>("none")), Err("none"));
    }
}
