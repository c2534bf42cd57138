//! Instruments: a scene with `[instrument]`, sections that are copied for every key or string, and what notes do.
//!
//! 1. `definition` – `[instrument]`, with `keys` and the curves of controllers ([`control_curve`]); `table` – `[table.NAME]`; `formula` – what stands in braces
//! 2. `expand` – the scene that it stands for, by way of `scope`, `writer` and `sink`; `rules` – what notes and pedals do in it, as
//!    [`notes`], some keys at a time (`batches`)
//! 3. [`open`] – from the file to an instrument's [`plan`]; what its copies have in common is told once (`repeated`)

mod batches;
pub mod control_curve;
mod definition;
pub(crate) mod expand;
mod formula;
mod keys;
pub mod notes;
pub mod open;
pub mod plan;
pub(crate) mod repeated;
mod rules;
mod scope;
mod sink;
mod table;
mod writer;

pub use control_curve::{ControlCurve, Controlled};
pub use open::Instrument;
pub use plan::{GesturePlan, InstrumentPlan, Response, TransferPlan, TransferTo, Tuning};
