//! The cross-section of a bar.
//!
//!   rectangle   A = w h,                I = w h³/12,               κ = 5/6
//!   round       A = πd²/4,              I = πd⁴/64,                κ = 6(1 + ν)/(7 + 6ν)
//!   tube        A = πd²(1 − b²)/4,      I = πd⁴(1 − b⁴)/64,        κ = 6(1 + ν)(1 + b²)²/((7 + 6ν)(1 + b²)² + (20 + 12ν)b²)
//!
//! A (m²) area, I (m⁴) second moment about the axis of bending, κ (–) shear correction (Cowper 1966, J. Appl. Mech. 33, 335);
//! w and h (m) width and thickness, d (m) the outer diameter, which a scene states as thickness, b the inner diameter over the
//! outer one, ν Poisson's ratio.

use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Role, Rule, Takes, Values};
use hamiltone_numerics::math::{powi, square};
use std::f64::consts::PI;

/// Its shape.
pub(crate) const SECTION: Parameter = Parameter {
    name: "section",
    takes: Takes::Word(&["rectangle", "round", "tube"]),
    absent: Absent::Word("rectangle"),
    doc: "its cross-section; of a round bar and a tube `thickness` is the outer diameter",
};

/// b.
pub(crate) const BORE: Parameter = Parameter {
    name: "bore",
    takes: Takes::Number(Role::Number, Range { min: 0.0, max: 0.999, open: false }),
    absent: Absent::Number(0.8),
    doc: "of a tube, its inner diameter over the outer one: 1 − 2t/d for a wall t",
};

/// What only a rectangle has; a cut changes its area with h and its second moment with h³.
pub(crate) const OF_RECTANGLES: Rule =
    Rule::OnlyWith { parameters: &["width", "profile", "tuning"], key: "section", word: "rectangle" };
/// What only a tube has.
pub(crate) const OF_TUBES: Rule = Rule::OnlyWith { parameters: &["bore"], key: "section", word: "tube" };

/// A (m²) and I (m⁴) of a round bar or tube; `None` of a rectangle.
pub(crate) fn ring(values: &Values) -> Result<Option<[f64; 2]>, Complaint> {
    let inner = match values.word("section") {
        Some("round") => 0.0,
        Some("tube") => values.required("bore")?,
        _ => return Ok(None),
    };
    let d = values.required("thickness")?;
    let [area, inertia] = [0.25 * PI * square(d), PI * powi(d, 4) / 64.0];
    Ok(Some([area * (1.0 - square(inner)), inertia * (1.0 - powi(inner, 4))]))
}

/// κ of the section that the values state.
pub(crate) fn shear_correction(values: &Values) -> Result<f64, Complaint> {
    let nu = values.required("poisson_ratio")?;
    let inner = match values.word("section") {
        Some("round") => 0.0,
        Some("tube") => values.required("bore")?,
        _ => return Ok(5.0 / 6.0),
    };
    let whole = square(1.0 + square(inner));
    Ok(6.0 * (1.0 + nu) * whole / ((7.0 + 6.0 * nu) * whole + (20.0 + 12.0 * nu) * square(inner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(section: &'static str, bore: f64) -> Values {
        let values = Values::default().with("thickness", 0.02).with("width", 0.03).with("bore", bore);
        values.with("section", section).with("poisson_ratio", 0.3)
    }

    /// By sums over the ring: 2π∫r dr and π∫r³ dr on 20 000 midpoints.
    #[test]
    fn rings_have_the_area_and_moment_of_their_integrals() {
        for (section, bore) in [("round", 0.0), ("tube", 0.0), ("tube", 0.6), ("tube", 0.95)] {
            let (n, [low, high]) = (20_000, [0.01 * bore, 0.01]);
            let radii = (0..n).map(|i| low + (f64::from(i) + 0.5) * (high - low) / f64::from(n));
            let (area, inertia) = radii.fold((0.0, 0.0), |(a, i), r| (a + 2.0 * PI * r, i + PI * r * r * r));
            let step = (high - low) / f64::from(n);
            let [a, i] = ring(&values(section, bore)).unwrap().unwrap();
            assert!((a / (area * step) - 1.0).abs() < 1e-8 && (i / (inertia * step) - 1.0).abs() < 1e-8);
        }
        assert_eq!(ring(&values("rectangle", 0.0)), Ok(None));
    }

    /// Cowper's table for ν = 0.3: a circle 0.886, a thin tube 0.53.
    #[test]
    fn shear_corrections_are_those_of_the_table() {
        let kappa = |section, bore| shear_correction(&values(section, bore)).unwrap();
        assert!((kappa("round", 0.0) - 0.886).abs() < 5e-4);
        assert!((kappa("tube", 0.999) - 2.0 * 1.3 / 4.9).abs() < 1e-3);
        assert_eq!(kappa("rectangle", 0.0), 5.0 / 6.0);
    }
}
