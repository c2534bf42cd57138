//! The Taylor table: 1/W and Δtσ* to Δt⁷, where the page proposes them, against the closed forms.
//!
//!   Δtσ* = Δtσ + Δt³σω²/12 + Δt⁵(ω⁴σ/240 − ω²σ³/180) + Δt⁷(ω⁶σ/6048 − ω⁴σ³/1512 + ω²σ⁵/1890)
//!   1/W  = 1 − Δtσ + Δt²(2σ²/3 − ω²/12) + Δt³(ω²σ/12 − σ³/3) + Δt⁴(ω⁴/360 − ω²σ²/20 + 2σ⁴/15) + …
//!
//! As printed the closed form takes γ = 2/(ωΔt)² − A/(1 + e − A) and 1 − γ, whose digits cancel at small steps: hence
//! the table. g = (1 − e^(−σΔt))² + 4e^(−σΔt) sin²(aΔt/2), 1/W = g/(ωΔt)², Δtσ* = (1 − e^(−2σΔt))W/2 needs none.

use crate::figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable};
use hamiltone_numerics::math::{cos, cosh, exp, pow, powi};
use hamiltone_schemes::modal_moreau_jean::constants;

/// σ/ω of the curves.
pub const RATIOS: [f64; 4] = [0.01, 0.3, 1.0, 3.0];
/// Relative accuracies that are asked for.
pub const ACCURACIES: [f64; 4] = [1e-12, 1e-9, 1e-6, 1e-3];

/// 1/W and Δtσ* by the page's series; `w` = ωΔt, `s` = σΔt.
pub fn taylor(w: f64, s: f64) -> [f64; 2] {
    let (w2, s2) = (w * w, s * s);
    let mobility = [
        1.0,
        -s,
        2.0 * s2 / 3.0 - w2 / 12.0,
        s * (w2 / 12.0 - s2 / 3.0),
        w2 * w2 / 360.0 - w2 * s2 / 20.0 + 2.0 * s2 * s2 / 15.0,
        s * (w2 * s2 / 45.0 - w2 * w2 / 360.0 - 2.0 * s2 * s2 / 45.0),
        w2 * w2 * s2 / 630.0 - powi(w2, 3) / 20160.0 - w2 * s2 * s2 / 126.0 + 4.0 * powi(s2, 3) / 315.0,
        s * (powi(w2, 3) / 20160.0 - w2 * w2 * s2 / 1512.0 + w2 * s2 * s2 / 420.0 - powi(s2, 3) / 315.0),
    ];
    let damping = [
        s,
        s * w2 / 12.0,
        s * (w2 * w2 / 240.0 - w2 * s2 / 180.0),
        s * (powi(w2, 3) / 6048.0 - w2 * w2 * s2 / 1512.0 + w2 * s2 * s2 / 1890.0),
    ];
    [mobility.iter().rev().sum(), damping.iter().rev().sum()]
}

/// 1/W and Δtσ* by the closed form as printed.
pub fn printed(w: f64, s: f64) -> [f64; 2] {
    let square = w * w - s * s;
    let root = square.abs().sqrt();
    let a = 2.0 * exp(-s) * if square < 0.0 { cosh(root) } else { cos(root) };
    let e = exp(-2.0 * s);
    let gamma = 2.0 / (w * w) - a / (1.0 + e - a);
    let damping = (1.0 + 0.5 * w * w - 0.5 * gamma * w * w) * (1.0 - e) / (1.0 + e);
    [1.0 / (1.0 + 0.5 * w * w * (1.0 - gamma) + damping), damping]
}

/// 1/W and Δtσ* as the scheme takes them.
pub fn closed(w: f64, s: f64) -> [f64; 2] {
    let (mobility, damping) = constants(w * w, s, 1.0);
    [mobility, damping]
}

/// ωΔt from 10⁻⁴ to 8.
fn angles() -> impl DoubleEndedIterator<Item = f64> {
    (0..=400).map(|i| 1e-4 * pow(8e4_f64, f64::from(i) / 400.0))
}

/// (ωΔt, relative error) of a form of 1/W (0) or Δtσ* (1) with σ = `ratio`·ω.
pub fn errors(form: fn(f64, f64) -> [f64; 2], which: usize, ratio: f64) -> Vec<(f64, f64)> {
    let error = |w: f64| (form(w, ratio * w)[which] / closed(w, ratio * w)[which] - 1.0).abs();
    angles().map(|w| (w, error(w))).collect()
}

/// The largest ωΔt up to which the series keeps `accuracy`, and the smallest from which on the printed form does.
pub fn reach(which: usize, ratio: f64, accuracy: f64) -> (Option<f64>, Option<f64>) {
    let (series, printed) = (errors(taylor, which, ratio), errors(printed, which, ratio));
    let good = |&&(_, error): &&(f64, f64)| error <= accuracy;
    let up_to = series.iter().take_while(good).last().map(|(w, _)| *w);
    (up_to, printed.iter().rev().take_while(good).last().map(|(w, _)| *w))
}

/// Makes the figure and the table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let columns = [
        "constant",
        "σ/ω",
        "relative error",
        "series, up to ωΔt",
        "closed as printed, from ωΔt",
        "closed as used",
    ];
    let mut table = Table::new("SIC: where the Taylor table holds", &columns);
    let mut panels = Vec::new();
    for (which, name) in ["1/W", "Δtσ*"].into_iter().enumerate() {
        let (mut expanded, mut as_printed) = (Vec::new(), Vec::new());
        for ratio in RATIOS {
            for accuracy in ACCURACIES {
                let (up_to, from) = reach(which, ratio, accuracy);
                table.row([
                    name.into(),
                    format!("{ratio}").into(),
                    format!("{accuracy:e}").into(),
                    up_to.into(),
                    from.into(),
                    "everywhere".into(),
                ]);
            }
            // An error of 0 has no logarithm.
            let drawn = |points: Vec<(f64, f64)>| points.into_iter().map(|(w, e)| (w, e.max(1e-17)));
            let legend = format!("σ = {ratio}ω");
            expanded.push(Series::line(legend.clone(), drawn(errors(taylor, which, ratio))));
            as_printed.push(Series::points(legend, drawn(errors(printed, which, ratio))));
        }
        for (form, series) in [("series", expanded), ("closed form as printed", as_printed)] {
            let title = format!("{name}, {form}");
            panels.push(Panel::new(title, ("ωΔt", ""), ("relative error", ""), series).log_x().log_y());
        }
    }
    table.note(
        "Against g/(ωΔt)² and similar forms, which are accurate to 2e-15 everywhere. – where an accuracy is never reached.",
    );
    table.note("Strong damping narrows the range of the series: it is a series in σΔt as well as in ωΔt.");
    let figure = Figure {
        name: "series",
        title: "SIC: the Taylor table and the printed closed form".into(),
        caption: "The series to Δt⁷ fails towards large steps; the printed form has cancellation errors towards small ones."
            .into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
