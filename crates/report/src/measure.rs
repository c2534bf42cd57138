//! Measurements of the sound of one note, shared by surveys, checks and the tests of instruments.
//!
//! 1. [`level`] – mean square, level and peak
//! 2. [`onset`] – the first audible sample, and the time of the attack
//! 3. [`centroid`] – the spectral centroid
//! 4. [`pitch`] – the frequency of one partial by the advance of its phase; [`amplitude`] – its amplitude
//! 5. [`band`] – the level in a narrow band; [`slope`] – the decay time in a window of time, averaged over beats

pub mod amplitude;
pub mod band;
pub mod centroid;
pub mod level;
pub mod onset;
pub mod pitch;
pub mod slope;
