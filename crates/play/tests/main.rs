//! The tests of instruments that are played, and of what readers make of files.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod bend;
mod bowed;
mod documents;
mod ending;
mod engine_allocation;
mod engine_blocks;
mod engine_budget;
mod engine_faults;
mod engine_long;
mod engine_notes;
mod engine_sleep;
mod guitar_body;
mod half_pedal;
mod instrument_laws;
mod instruments;
mod midi_files;
mod midi_oracle;
mod palm_mute;
mod parameters;
mod partials;
mod piano_bridge;
mod pieces;
mod pressure;
mod random;
mod reader_fuzz;
mod short_notes;
mod song;
mod stored;
mod transfer;
mod tuning_oracle;
mod winds;
