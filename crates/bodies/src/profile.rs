//! A function of x from a table of points, linear between them and constant beyond.

use hamiltone_core::parameter::Complaint;
use std::sync::Arc;

/// A factor along x, m.
pub(crate) type Along = Arc<dyn Fn(f64) -> f64 + Send + Sync>;

/// The function through `pairs` (x, y), m, x ascending, on a body of this length (m).
///
/// # Errors
/// A [`Complaint`] of `name` where a pair lies off the body.
pub(crate) fn read(
    name: &'static str,
    pairs: &[(f64, f64)],
    length: f64,
) -> Result<impl Fn(f64) -> f64 + Clone + Send + Sync + use<>, Complaint> {
    if let Some((x, _)) = pairs.iter().find(|(x, _)| !(0.0..=length).contains(x)) {
        let message = format!("has a pair at x = {x} m, off the body, which reaches from 0 to {length} m");
        return Err(Complaint::new(name, message));
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
