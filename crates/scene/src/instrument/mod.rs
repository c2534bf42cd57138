//! Instruments: a scene with `[instrument]`, sections that are copied for every key or string, and what notes do.
//!
//! 1. `definition` – `[instrument]`, with `keys` and the curves of controllers; `table` – `[table.NAME]`; `formula` – what stands in braces
//! 2. `expand` – the scene that it stands for, by way of `scope`, `writer` and `sink`; `rules` – what notes and pedals do in it, as
//!    [`hamiltone_plan::notes`], some keys at a time (`batches`)
//! 3. [`open`] – from the file to its plan; what its copies have in common is told once (`repeated`); [`cache`] – plans that were made before;
//!    [`preset`] – values of its parameters

mod batches;
pub mod cache;
mod definition;
pub(crate) mod expand;
mod formula;
mod keys;
pub mod open;
pub mod preset;
pub(crate) mod repeated;
mod rules;
mod scope;
mod sink;
mod table;
mod writer;

pub use cache::Cache;
pub use keys::Tuning;
pub use open::Instrument;
