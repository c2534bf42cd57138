//! Plots and reports of Hamiltone: charts as SVG, and a run as one HTML page.
//!
//! 1. [`plot`] – charts as data, drawn as SVG
//! 2. [`Report`] – a sink that writes the report: waveform, spectrum, partials, contacts, energy balance, audit

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

mod charts;
mod contact_table;
mod decay;
mod history;
mod page;
mod partials;
mod peak;
mod picture;
pub mod plot;
mod report;
mod series;
mod spectrum;
mod table;

pub use report::Report;
