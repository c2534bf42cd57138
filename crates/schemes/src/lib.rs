//! Time-stepping schemes. One file, one method, one line in [`catalogue`].
//!
//! Each method's file opens with its equations and claims. Methods that differ in
//! one term share a stepper: [`mod@ec`], [`mr`], [`tr`], [`ck`], [`ec_cs`],
//! [`ec_strang`] and [`mr_strang`] the implicit increment form; [`leapfrog`], [`vv`] and [`iim`] the
//! staggered explicit one; [`vv_cs`] and [`vv_strang`] the split Verlet step;
//! [`sprk`] the symplectic partitioned Runge–Kutta methods of [`tableaux`];
//! [`mod@modal_ec`] and [`modal_moreau_jean`] take modes by their exact poles;
//! [`composition`] raises the order of the symmetric ones;
//! [`quadratic`], [`average_gradient`] and [`cubic_explicit`] the one-coordinate form of D17.
//!
//! Short names: C19 is Chatziioannou 2019, C15 Chatziioannou & van Walstijn 2015,
//! D17 Ducceschi 2017, I18 Ishikawa, Michels & Yaguchi 2018.
//!
//! **Architecture Invariant:** no scheme knows a body, an instrument or a file.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

mod accelerations;
mod amplification;
mod assembly;
mod catalogue;
mod choice;
mod compensation;
mod contact;
mod contact_solver;
mod damping_flow;
mod exact_damping;
mod exponential;
mod implicit;
mod impulse;
mod impulse_solver;
mod interaction;
mod linear;
mod modal;
mod row_block;
mod scalar;
mod separation;
mod staggered;
mod stencil;
mod verlet;

pub mod average_gradient;
pub mod ck;
pub mod composition;
pub mod contact_duration;
pub mod cubic_explicit;
pub mod dispersion;
pub mod ec;
pub mod ec_cs;
pub mod ec_strang;
pub mod eigenfrequencies;
pub mod iim;
pub mod instructions;
pub mod leapfrog;
pub mod modal_ec;
pub mod modal_moreau_jean;
pub mod moreau_jean;
pub mod mr;
pub mod mr_strang;
pub mod quadratic;
pub mod sprk;
pub mod tableaux;
pub mod tr;
pub mod vv;
pub mod vv_cs;
pub mod vv_strang;

pub use catalogue::{catalogue, named};
pub use choice::{alternatives, coverage_table, covering_by_modes, preferred};
