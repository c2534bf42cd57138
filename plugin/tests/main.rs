//! The plugin in a host: what it plays has the bits of the engine.

mod bundle;
mod faults;
mod host;
mod loading;
mod notes;
mod parameters;
mod random;
mod states;
