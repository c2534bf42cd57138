//! Published figures and tables, made again with Hamiltone.
//!
//! A folder a paper, a function a figure: each opens with what the paper shows, its
//! equations and parameters, and what we correct. Everything is data
//! ([`figure::Figure`], [`figure::Table`]): the program draws and prints it, the
//! proofs assert it.
//!
//! - [`chatziioannou_vanwalstijn_2015`] – conserved quantities of damped oscillators (C15)
//! - [`chatziioannou_2019`] – structure-preserving schemes with linear damping (C19 §2–4)
//! - [`ducceschi_2017`] – nonlinear forces and collisions without an iteration (D17)
//! - [`ishikawa_2018`] – a piano string and its hammer by symplectic methods (I18)
//! - [`siconos_modal_moreau_jean`] – rigid contacts of exact modes (SIC)
//!
//! What they share: [`method`] (a scheme by name), [`lumped`] (one-coordinate
//! systems), [`mod@line`] (strings, and runs of many coordinates), [`trace`] (a run kept whole), and the measures [`balance`] (K, 𝒦, H_dev),
//! [`area`] (the determinant of a step), [`order`], [`spectrum`]; [`decay`] is the
//! damped oscillator's exact solution.

pub mod area;
pub mod balance;
pub mod decay;
pub mod figure;
pub mod line;
pub mod lumped;
pub mod method;
pub mod order;
mod paper;
pub mod reed;
pub mod spectrum;
mod table;
pub mod trace;

pub mod chatziioannou_2019;
pub mod chatziioannou_vanwalstijn_2015;
pub mod ducceschi_2017;
pub mod ishikawa_2018;
pub mod siconos_modal_moreau_jean;

pub use paper::Paper;

/// Every paper, oldest first.
pub fn catalogue() -> &'static [Paper] {
    &[
        chatziioannou_vanwalstijn_2015::PAPER,
        ducceschi_2017::PAPER,
        ishikawa_2018::PAPER,
        chatziioannou_2019::PAPER,
        siconos_modal_moreau_jean::PAPER,
    ]
}
