//! Instruments of Hamiltone that are played in real time: what the program `hamiltone-live` is made of.
//!
//! In the order in which the data flows:
//!
//! 1. [`arguments`] – the command line; [`instrument`] – the plan of the instrument; [`failure`] – why there is no performance
//! 2. [`midi`] and [`keys`] – what is played; [`controls`] – which parameters controllers move; [`queue`] – from there to the thread of the sound
//! 3. [`processor`] – what the thread of the sound does, with its [`clock`] and [`tally`]; [`meter`] – what others learn of it meanwhile
//! 4. [`device`] – sound cards; [`null`] – a device without hardware; [`loan`] – a processor is lent to them and comes back
//! 5. [`recorder`] – the sound and its energy audit as files; [`status`] – what is shown; [`performance`] – all of it together
//!
//! The thread of the sound does not allocate, lock, log or wait: all of that is on its other side.

pub mod arguments;
pub mod choice;
pub mod clock;
pub mod controls;
pub mod device;
pub mod failure;
pub mod instrument;
pub mod keys;
pub mod loan;
pub mod meter;
pub mod midi;
pub mod null;
pub mod performance;
pub mod processor;
pub mod queue;
pub mod recorder;
pub mod status;
pub mod tally;
