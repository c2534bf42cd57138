//! Whole scenes at random, the program that renders them, and a judge that recomputes their energy.
//!
//! 1. [`draw`] – numbers at random from a seed
//! 2. [`section`] – one section of a scene, drawn from the published tables; [`place`] – places on its bodies
//! 3. [`generate`] – a scene with the [`options`] of the command that renders it
//! 4. [`program`] – the run of the command, with its limit of time
//! 5. [`npz`], [`law`] with [`formula`] and [`force_table`], [`recompute`] – energy and work from the states, without the program's own energies and forces
//! 6. [`judge`] – whether exit code and recomputation agree
//! 7. [`shrink`] – a smaller scene with the same fault
//!
//! Nothing here knows a body, drive or scheme by name: a new one is drawn as soon as it is listed. A new contact law needs
//! its energy in [`law`], and a test says so.

pub mod draw;
pub mod force_table;
pub mod formula;
pub mod generate;
pub mod judge;
pub mod law;
pub mod npz;
pub mod options;
pub mod place;
pub mod program;
pub mod recompute;
pub mod scene;
pub mod section;
pub mod shrink;
pub mod sustained;
