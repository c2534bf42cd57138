//! What Moreau–Jean makes of an undamped mode: its frequency and decay, beside the exact ones.
//!
//!   z = (1 + j(1 − θ)ωΔt)/(1 − jθωΔt)
//!   ω′Δt = atan θωΔt + atan (1 − θ)ωΔt,   |z|² = (1 + (1 − θ)²ω²Δt²)/(1 + θ²ω²Δt²)
//!
//! θ = ½: ω′Δt = 2 atan(ωΔt/2), no decay. θ = 1: ω′Δt = atan ωΔt, |z| = 1/√(1 + ω²Δt²). The poles are measured from
//! runs: positions of one mode obey qⁿ⁺² = 2|z|cos ω′Δt qⁿ⁺¹ − |z|²qⁿ.

use super::setup::modal;
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    lumped::Lumped,
    method::Method,
    trace::Trace,
};
use hamiltone_numerics::math::{asin, atan, hypot, log2, log10, square};
use std::f64::consts::{PI, TAU};

/// Steps of a run, all of which tell the pole.
const STEPS: usize = 400;

/// A pole |z|e^(jω′Δt).
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// ω′Δt.
    pub angle: f64,
    /// |z|.
    pub radius: f64,
}

impl Measured {
    /// The decay of a period of the mode itself, dB.
    pub fn decay(self, angle: f64) -> f64 {
        20.0 * log10(self.radius.recip()) * TAU / angle
    }
}

/// The pole of an undamped mode of ωΔt = `angle` by `method`: the least squares of its recurrence, in increments so
/// that slow modes keep their digits.
///
/// # Errors
/// Where the scheme refuses.
pub fn pole(method: &Method, angle: f64) -> Result<Measured, Unable> {
    let mode = Lumped { mass: 1.0, omega: angle, position: 1.0, velocity: 0.3 * angle, ..Lumped::default() };
    let trace = Trace::free(method, &mode.system()?, 1.0, STEPS)?;
    // d⁺ = (1 − h)d − gq, g = |1 − z|², 1 − h = |z|².
    let [mut dd, mut dq, mut qq, mut dn, mut qn] = [0.0; 5];
    let mut scale = 1.0;
    for w in trace.q.windows(3) {
        let (q, d, next) = (w[1], w[1] - w[0], w[2] - w[1]);
        let size = hypot(q, d / angle);
        scale = if size > 0.0 { 1.0 / size } else { scale };
        let (q, d, next) = (scale * q, scale * d / angle, scale * (next - d) / angle);
        dd += d * d;
        dq += d * q;
        qq += q * q;
        dn += d * next;
        qn += q * next;
    }
    let determinant = dd * qq - dq * dq;
    let h = -(dn * qq - qn * dq) / determinant;
    let g = -angle * (qn * dd - dn * dq) / determinant;
    let squared_radius = 1.0 - h;
    // 2 − g − h = 2|z|cos ω′Δt and g = (1 − |z|)² + 4|z|sin²(ω′Δt/2).
    let radius = squared_radius.sqrt();
    let half = ((g - square(h / (1.0 + radius))) / (4.0 * radius)).clamp(0.0, 1.0).sqrt();
    Ok(Measured { angle: 2.0 * asin(half), radius })
}

/// The pole in theory.
pub fn theory(theta: f64, angle: f64) -> Measured {
    let (ahead, behind) = (theta * angle, (1.0 - theta) * angle);
    Measured {
        angle: atan(ahead) + atan(behind),
        radius: ((1.0 + behind * behind) / (1.0 + ahead * ahead)).sqrt(),
    }
}

/// θ of the page's Moreau–Jean that are tried.
pub const THETAS: [f64; 3] = [0.5, 0.75, 1.0];

/// Makes the figure and the table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let columns = [
        "method",
        "ωΔt",
        "ω′Δt in theory",
        "measured",
        "out of tune, cents",
        "dB per period in theory",
        "measured",
    ];
    let mut table = Table::new("SIC: frequency and decay of an undamped mode", &columns);
    let (mut tuning, mut decays) = (Vec::new(), Vec::new());
    let methods = THETAS.iter().map(|&theta| Ok((Some(theta), Method::moreau_jean(theta)?)));
    for entry in methods.chain([modal().map(|method| (None, method))]) {
        let (theta, method): (Option<f64>, Method) = entry?;
        let name =
            if theta.is_some() { format!("Moreau–Jean, {}", method.label) } else { method.label.clone() };
        let expected = |angle: f64| match theta {
            Some(theta) => theory(theta, angle),
            None => Measured { angle, radius: 1.0 },
        };
        for angle in [0.01, 0.1, 0.5, 1.0, 2.0, 3.0] {
            let (measured, expected) = (pole(&method, angle)?, expected(angle));
            table.row([
                name.clone().into(),
                format!("{angle}").into(),
                expected.angle.into(),
                measured.angle.into(),
                (1200.0 * log2(measured.angle / angle)).into(),
                expected.decay(angle).into(),
                measured.decay(angle).into(),
            ]);
        }
        let angles = || (1..=60).map(|i| f64::from(i) * PI / 61.0);
        let poles = angles().map(|angle| Ok((angle, pole(&method, angle)?)));
        let poles: Vec<(f64, Measured)> = poles.collect::<Result<_, Unable>>()?;
        tuning
            .push(Series::line(name.clone(), poles.iter().map(|(angle, pole)| (*angle, pole.angle / angle))));
        decays.push(Series::line(name, poles.iter().map(|(angle, pole)| (*angle, pole.decay(*angle)))));
    }
    table.note("A cent is a hundredth of a semitone; 5 are audible. θ = ½ is 5 cents flat at ωΔt = 0.19, θ = 1 at 0.09 already, where it dissipates 2.5 dB per period.");
    let figure = Figure {
        name: "warping",
        title: "SIC: warped frequencies and numerical damping of Moreau–Jean".into(),
        caption: "Measured over exact frequency, and the numerical decay of an undamped mode.".into(),
        panels: vec![
            Panel::new("frequency", ("ωΔt", ""), ("ω′/ω", ""), tuning),
            Panel::new("decay", ("ωΔt", ""), ("decay of a period", "dB"), decays),
        ],
    };
    Ok(Outcome::new(table, figure))
}
