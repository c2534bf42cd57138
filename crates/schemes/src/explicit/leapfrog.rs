//! Leapfrog: the classic second-order scheme.
//!
//!   M δₜₜu + R δₜ·u + K u = Bu(t) − Cᵀf,   u^{n+1} = (2 − k²K̄)uⁿ − uⁿ⁻¹ for one free oscillator     D17 (22)
//!
//! Its energy ½M(δₜ₋u)² + ½K uⁿuⁿ⁻¹ balances exactly, damped and driven, without
//! contacts; it is stable for ωΔt < 2. The start u¹ = u⁰ + kv⁰ of D17 is of
//! order 1 where the start is accelerated; `start = "taylor"` adds ½k²a⁰.

use crate::explicit::{
    mean_kick::Start,
    method::{Explicit, Kicks, TWO_STEP},
};
use hamiltone_core::{
    claims::Claims,
    parameter::{Absent, Entry, Kind, Parameter, Takes},
    scheme::Scheme,
};

/// The option `start` of the two-step schemes of D17.
pub(crate) const START: Parameter = Parameter {
    name: "start",
    takes: Takes::Word(&["printed", "taylor"]),
    absent: Absent::Word("printed"),
    doc: "first step: u¹ = u⁰ + kv⁰ (Ducceschi 2017, order 1 from an accelerated start) or u⁰ + kv⁰ + ½k²a⁰ (order 2)",
};

/// By Taylor's start, or by the printed one.
fn leapfrog(taylor: bool) -> Explicit {
    let order = if taylor { 2 } else { 1 };
    let claims = Claims { order, order_free: order, symmetric: taylor, staggered: true, ..TWO_STEP };
    let start = if taylor { Start::Taylor } else { Start::Printed };
    Explicit { name: "leapfrog", kicks: Kicks::Mean(start), claims }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "leapfrog",
        summary: "explicit leapfrog: exact balance in its own energy without contacts, stable for ωΔt < 2",
        equation: "M δₜₜq + R δₜ·q + K q = Bu − Cᵀf(C·q − h)",
        source: "Ducceschi 2017, (22), with damping, drive and contacts",
        parameters: &[START],
        rules: &[],
    },
    make: |values| Ok(Box::new(leapfrog(values.word("start") == Some("taylor")))),
};
