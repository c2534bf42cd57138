//! The tests of scenes, instruments and their errors.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod instrument_fuzz;
mod instrument_levels;
mod instrument_parameters;
mod scene_bars_tubes;
mod scene_bridges;
mod scene_cavities;
mod scene_contacts;
mod scene_driven;
mod scene_errors;
mod scene_format;
mod scene_fuzz;
mod scene_laws;
mod scene_modes;
mod scene_output;
mod scene_pitch;
mod scene_score;
mod scene_tension;
mod scene_together;
mod scene_warnings;
mod scene_winds;
mod schema_agrees;
