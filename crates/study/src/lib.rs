//! Many runs of one scene or many notes of one instrument of Hamiltone.
//!
//! 1. [`features`] – what is heard and measured of one run, as named numbers; [`any_sound`] – the partials of any other sound
//! 2. [`source`] – the scene that is run again and again with other values
//! 3. [`axis`] – the values that a parameter takes; [`sweep`] – all combinations, in a journal that survives a kill, and the
//!    table of all; [`table`] – CSV and Parquet
//! 4. [`mod@compare`] – schemes side by side: cost, energy balance, error, order; [`clock`] – processor time;
//!    [`threads`] – what both run on
//! 5. [`mod@survey`] – every key of an instrument at several velocities: level, centroid, pitch, decay, repeated strokes
//! 6. [`music`] – songs and tunings from files, and what there is to say of a song that was played
//! 7. [`failure`] – why a study gave no results; [`notices`] – the licences of what is linked in

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

pub mod any_sound;
pub mod axis;
pub mod clock;
pub mod compare;
pub mod failure;
pub mod features;
pub mod music;
pub mod notices;
pub mod source;
pub mod survey;
pub mod sweep;
pub mod table;
pub mod threads;
