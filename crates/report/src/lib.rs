//! Plots and reports of Hamiltone: charts as SVG, and a run as one HTML page.
//!
//! 1. [`plot`] – charts as data, drawn as SVG
//! 2. [`Report`] – a sink that writes the report, [`ReportPage`] – one that keeps it: waveform, spectrum, partials, contacts, energy balance, audit
//! 3. [`preview`] – the page of a run that is over
//! 4. [`peak`], [`mod@decay`], [`mod@partials`] and [`spectrum`] – frequencies and decay times measured in a sound
//! 5. [`measure`] – level, onset, centroid, pitch and decay of the sound of one note
//! 6. [`document`] – the page of a study: charts and tables under headings

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

mod charts;
mod contact_table;
pub mod decay;
pub mod document;
mod history;
mod magnitudes;
pub mod measure;
mod page;
pub mod partials;
pub mod peak;
mod picture;
pub mod plot;
pub mod preview;
mod report;
mod series;
pub mod spectrum;
mod table;
mod undisturbed;

pub use charts::section::{HALF, Section, WIDE};
pub use charts::spectra::spectrogram_svg;
pub use report::{Report, ReportPage};
pub use table::{Column, Table};
