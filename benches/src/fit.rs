//! The exponent of a power law through measured points.
//!
//!   y ∝ xᵖ:   p = Σ(ln x − ⟨ln x⟩)(ln y − ⟨ln y⟩) / Σ(ln x − ⟨ln x⟩)²

/// p of the points (x, y) with x, y > 0, by least squares of the logarithms; `None` for fewer than two different x.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logarithms: Vec<[f64; 2]> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| [x.ln(), y.ln()]).collect();
    let mean = |i: usize| logarithms.iter().map(|point| point[i]).sum::<f64>() / logarithms.len() as f64;
    let [x, y] = [mean(0), mean(1)];
    let spread: f64 = logarithms.iter().map(|point| (point[0] - x) * (point[0] - x)).sum();
    let product: f64 = logarithms.iter().map(|point| (point[0] - x) * (point[1] - y)).sum();
    (spread > 0.0).then(|| product / spread)
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn powers_are_found() {
        let square: Vec<(f64, f64)> = [50.0, 100.0, 1000.0].map(|x| (x, 3.0 * x * x)).into();
        assert!((exponent(&square).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(exponent(&[(50.0, 1.0)]), None);
        assert_eq!(exponent(&[]), None);
        // 3 → 12 over a factor 4 in x is x¹.
        assert!((exponent(&[(10.0, 3.0), (40.0, 12.0), (0.0, 1.0)]).unwrap() - 1.0).abs() < 1e-12);
    }
}
