//! A comparison as rows of a table, one a run.
//!
//! | column | what |
//! |---|---|
//! | `scheme`, `rate_hz` | which |
//! | `verdict`, `reason` | `ok`, `red`, or `refused` with its reason |
//! | `cost` | processor time of the steps for a second of sound, s |
//! | `residual`, `residual_tolerance`, `passive` | the energy balance, and whether no energy was gained |
//! | `iterations_mean`, `iterations_max` | per step |
//! | `cents`, `cents_of` | how far the audible partial that is farthest from theory sounds from it as measured, and which it is |
//! | `t60_s` | the decay time of the first partial as measured |
//! | `error` | the relative error against the reference |
//! | `order`, `order_with_impacts`, `order_claimed` | of the scheme: before the first impact, over all, for smooth motion and short steps |
//! | `omega_dt` | ω_max Δt of the longest step that the order is measured with |
//! | `best` | whether no run beats it in both cost and error |

use super::{Comparison, Figures, Run};
use crate::features::Row;
use serde_json::json;

/// The rows.
pub fn of(comparison: &Comparison) -> Vec<Row> {
    let row = |run: &Run| {
        let figures = run.figures.as_ref().ok();
        let number = |of: fn(&Figures) -> Option<f64>| json!(figures.and_then(of));
        let worst = figures.and_then(|f| f.worst.as_ref());
        let order = comparison.orders.iter().find(|order| order.scheme == run.scheme);
        Row::from_iter([
            ("scheme".into(), json!(run.scheme)),
            ("rate_hz".into(), json!(run.rate)),
            ("verdict".into(), json!(figures.map_or("refused", |f| if f.ok { "ok" } else { "red" }))),
            ("reason".into(), json!(run.figures.as_ref().err())),
            ("cost".into(), number(|f| Some(f.cost))),
            ("residual".into(), number(|f| Some(f.residual.0))),
            ("residual_tolerance".into(), number(|f| Some(f.residual.1))),
            ("passive".into(), json!(figures.map(|f| f.passive))),
            ("iterations_mean".into(), number(|f| Some(f.iterations.0))),
            ("iterations_max".into(), json!(figures.map(|f| f.iterations.1))),
            ("cents".into(), number(|f| f.worst.as_ref().map(|worst| worst.cents))),
            ("cents_of".into(), json!(worst.map(|worst| format!("{} {}", worst.body, worst.number)))),
            ("t60_s".into(), number(|f| f.t60)),
            ("error".into(), number(|f| f.error)),
            ("order".into(), json!(order.and_then(|order| order.smooth.order()))),
            ("order_with_impacts".into(), json!(order.and_then(|order| order.with_impacts))),
            ("omega_dt".into(), json!(order.map(|order| order.longest).filter(|x| x.is_finite()))),
            ("order_claimed".into(), json!(order.map(|order| order.claimed))),
            ("best".into(), json!(figures.map(|f| f.best))),
        ])
    };
    comparison.runs.iter().map(row).collect()
}
