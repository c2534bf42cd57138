//! Figure 4: the error of each step in the first 9 ms of figure 3.
//!
//!   K_err = Kⁿ⁺¹ − Kⁿ,  J/m²
//!
//! The paper observes that it "varies by a small (quantised) amount": multiples of
//! the spacing of doubles at the size of the energies.

use super::setup::{DT, REED};
use crate::{
    figure::{Cell, Effort, Figure, Outcome, Panel, Series, Table, Unable},
    reed::{Phase, Run},
};

/// 9 ms.
pub const STEPS: usize = 397;

/// Makes the figure and its table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let run = Run::record(REED, Phase::Cosine, STEPS)?;
    let mut table = Table::new(
        "C15 fig. 4: clarinet reed, error of each step in the first 9 ms (cosine phases)",
        &["quantity", "printed", "computed"],
    );
    table.row(["max H, J/m²".into(), Cell::Blank, run.energy_max.into()]);
    table.row(["max|Kⁿ⁺¹ − Kⁿ|, J/m²".into(), Cell::Blank, run.step_error().into()]);
    table.row([
        "the same in eps of max H".into(),
        "small, quantised".into(),
        (run.step_error() / run.energy_max / f64::EPSILON).into(),
    ]);
    let points = run.steps().enumerate().map(|(n, e)| ((n + 1) as f64 * DT, e));
    let figure = Figure {
        name: "fig4",
        title: "C15 fig. 4: energy error of each step".into(),
        caption: "Quantised: a few spacings of doubles.".into(),
        panels: vec![Panel::new(
            "Clarinet reed",
            ("time", "s"),
            ("Kⁿ⁺¹ − Kⁿ", "J/m²"),
            vec![Series::points("", points)],
        )],
    };
    Ok(Outcome::new(table, figure))
}
