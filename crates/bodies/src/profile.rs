//! A function of x from a table of points, linear between them and constant beyond.

use hamiltone_core::parameter::Complaint;

/// The function through `pairs` (x, y), m; every y at least `least`.
///
/// # Errors
/// A [`Complaint`] of `name` where x does not increase, or a y is too small.
pub(crate) fn read(
    name: &'static str,
    pairs: &[(f64, f64)],
    least: f64,
) -> Result<impl Fn(f64) -> f64 + Clone + Send + Sync + use<>, Complaint> {
    if pairs.len() < 2 || pairs.windows(2).any(|w| w[1].0 <= w[0].0) {
        return Err(Complaint::new(name, "takes two or more pairs [x, y] with increasing x"));
    }
    if let Some((x, y)) = pairs.iter().find(|(_, y)| *y < least) {
        return Err(Complaint::new(name, format!("is {y} m at x = {x} m; it must be ≥ {least} m")));
    }
    let pairs = pairs.to_vec();
    Ok(move |x: f64| match pairs.iter().position(|pair| pair.0 > x) {
        Some(0) => pairs[0].1,
        None => pairs[pairs.len() - 1].1,
        Some(i) => {
            let ((a, p), (b, q)) = (pairs[i - 1], pairs[i]);
            p + (q - p) * (x - a) / (b - a)
        }
    })
}
