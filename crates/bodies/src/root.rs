//! Where a function changes its sign, by halving.

/// The root of f between `low` and `high`, at which it differs in sign.
pub(crate) fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rises = f(high) > f(low);
    // 60 halvings of less than 10⁴ reach the last bits.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (f(middle) > 0.0) == rises { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}
