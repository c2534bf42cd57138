//! Tests of instruments that are played in real time, without a sound device.

mod instruments;
mod program;
mod random_playing;
mod timing;
mod trouble;
