//! Pictures of Hamiltone: charts as SVG, and the report of a run as one HTML page.
//!
//! 1. [`plot`] – charts as data, drawn as SVG
//! 2. [`Report`] – a sink that writes the report: waveform, spectrum, partials, contacts, energies, audit

mod charts;
mod contactogram;
mod contacts;
mod forces;
mod page;
mod partials;
mod picture;
pub mod plot;
mod report;
mod shape;
mod spectrum;
mod surface;
mod trace;

pub use report::Report;
