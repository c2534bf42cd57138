//! How an instrument answers to a controller: a piecewise linear map of the velocity of a key, or of the position of a pedal,
//!
//!   y = yᵢ + (yᵢ₊₁ − yᵢ)(x − xᵢ)/(xᵢ₊₁ − xᵢ),   0 ≤ x, y ≤ 1,
//!
//! level before its first and after its last point, with x ascending and y not falling.

use hamiltone_core::parameter::Range;
use hamiltone_numerics::piecewise::linear;
use std::fmt;

/// What x and y may be.
const UNIT: Range = Range { min: 0.0, max: 1.0, open: false };
/// A curve as an option takes it.
const EXAMPLE: &str = "0 0, 0.5 0.35, 1 1";
/// What a curve of too few points lacks.
const FEW: &str = "add a point, such as x = 1 with y = 1";

/// What a curve maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controlled {
    /// The velocity of a key.
    Velocity,
    /// The position of the sustain pedal, which is up where nobody presses it: 0 is mapped to 0.
    Pedal,
}

/// A piecewise linear map of \[0, 1\] to \[0, 1\] that never falls.
///
/// ```
/// use hamiltone_plan::control_curve::{ControlCurve, Controlled};
///
/// let soft = ControlCurve::parse("0 0, 0.5 0.25, 1 1", Controlled::Velocity)?;
/// assert_eq!([0.25, 0.5, 0.75].map(|x| soft.at(x)), [0.125, 0.25, 0.625]);
/// assert_eq!(ControlCurve::default().at(0.3), 0.3);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct ControlCurve(Vec<(f64, f64)>);

/// What is wrong with a point of a curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongPoint {
    /// Its number from 0.
    pub number: usize,
    /// What it is.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Default for ControlCurve {
    /// The value itself.
    fn default() -> Self {
        Self(vec![(0.0, 0.0), (1.0, 1.0)])
    }
}

impl ControlCurve {
    /// A curve through these points, (x, y) each.
    ///
    /// # Errors
    /// Fewer than two points, numbers outside 0 to 1, x that does not ascend, y that falls, and of a pedal y above 0 at x = 0.
    pub fn new(points: Vec<(f64, f64)>, of: Controlled) -> Result<Self, WrongPoint> {
        let wrong =
            |number, message: String, help: &str| Err(WrongPoint { number, message, help: help.into() });
        for (number, (x, y)) in points.iter().enumerate() {
            if let Some(value) = [x, y].into_iter().find(|value| !UNIT.holds(**value)) {
                let message = format!("{value} is outside 0 to 1");
                return wrong(number, message, "velocities and positions of a pedal are numbers from 0 to 1");
            }
        }
        for (number, pair) in points.windows(2).enumerate() {
            let [(x0, y0), (x1, y1)] = pair else { continue };
            if x1 <= x0 {
                let message = format!("x = {x1} is not above {x0}, that of the point before");
                return wrong(number + 1, message, "write the points in ascending order of x, each x once");
            }
            if y1 < y0 {
                let message = format!("y = {y1} is below {y0}, that of the point before");
                return wrong(
                    number + 1,
                    message,
                    "more velocity or pedal must not give less: let y ascend or stay",
                );
            }
        }
        match points[..] {
            [] => wrong(0, "it has no points, 2 at least are needed".into(), FEW),
            [_] => wrong(0, "it has 1 point, 2 at least are needed".into(), FEW),
            [(_, y), ..] if of == Controlled::Pedal && y > 0.0 => {
                let message = format!("a pedal that nobody presses would be at {y}");
                wrong(0, message, "let the curve of a pedal begin with y = 0, such as x = 0 with y = 0")
            }
            _ => Ok(Self(points)),
        }
    }

    /// A curve as an option states it: pairs of numbers, between them commas.
    ///
    /// # Errors
    /// What cannot be read, or what [`ControlCurve::new`] refuses, by the number of its point from 1.
    pub fn parse(text: &str, of: Controlled) -> Result<Self, String> {
        let point = |(number, pair): (usize, &str)| {
            let numbers: Option<Vec<f64>> = pair.split_whitespace().map(|text| text.parse().ok()).collect();
            match numbers.as_deref() {
                Some([x, y]) => Ok((*x, *y)),
                _ => Err(format!(
                    "point {} is `{}`, but must be two numbers; write for example \"{EXAMPLE}\"",
                    number + 1,
                    pair.trim()
                )),
            }
        };
        let points: Result<Vec<(f64, f64)>, String> = text.split(',').enumerate().map(point).collect();
        Self::new(points?, of).map_err(|wrong| wrong.to_string())
    }

    /// y at x; beyond the points, and where x is no number, that of the nearest or the first one.
    pub fn at(&self, x: f64) -> f64 {
        linear(&self.0, x)
    }

    /// Its points, (x, y) each.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.0
    }
}

impl fmt::Display for ControlCurve {
    /// As [`ControlCurve::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points: Vec<String> = self.0.iter().map(|(x, y)| format!("{x} {y}")).collect();
        f.write_str(&points.join(", "))
    }
}

impl fmt::Display for WrongPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "point {}: {}; {}", self.number + 1, self.message, self.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_linear_between_its_points_and_level_beyond() {
        let curve = ControlCurve::new(vec![(0.25, 0.0), (0.5, 0.5), (0.75, 0.5)], Controlled::Pedal).unwrap();
        let read = [-1.0, 0.0, 0.25, 0.375, 0.5, 0.6, 1.0, f64::NAN].map(|x| curve.at(x));
        assert_eq!(read, [0.0, 0.0, 0.0, 0.25, 0.5, 0.5, 0.5, 0.0]);
        assert_eq!(ControlCurve::parse(&curve.to_string(), Controlled::Pedal).unwrap(), curve);
        // Without one every value stays as it is, to the bit.
        for value in 0..=127 {
            let x = f64::from(value) / 127.0;
            assert_eq!(ControlCurve::default().at(x).to_bits(), x.to_bits());
        }
    }

    #[test]
    fn what_is_no_curve_is_refused_with_its_point() {
        for (text, says) in [
            ("0 0, 1.5 1", "point 2: 1.5 is outside 0 to 1"),
            ("0 0, 1 -0.1", "point 2: -0.1 is outside 0 to 1"),
            ("0 0, nan 1", "point 2: NaN is outside 0 to 1"),
            ("0 0, 0.5 0.5, 0.5 1", "point 3: x = 0.5 is not above 0.5"),
            ("0 0.5, 1 0.25", "point 2: y = 0.25 is below 0.5"),
            ("0 0", "it has 1 point, 2 at least are needed; add a point"),
            ("", "point 1 is ``"),
            ("0 0, 1", "point 2 is `1`"),
            ("0 0 1, 1 1", "two numbers; write for example"),
        ] {
            let wrong = ControlCurve::parse(text, Controlled::Velocity).unwrap_err();
            assert!(wrong.contains(says), "{text}: {wrong}");
        }
        assert!(ControlCurve::parse("0 0.1, 1 1", Controlled::Velocity).is_ok());
        let wrong = ControlCurve::parse("0 0.1, 1 1", Controlled::Pedal).unwrap_err();
        assert!(wrong.contains("nobody presses"), "{wrong}");
    }
}
