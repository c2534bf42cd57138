//! Time-stepping schemes. One file, one method, one line in [`catalogue`].
//!
//! Each method's file opens with its equations and claims. Methods that differ in
//! one term share a stepper: [`mod@ec`], [`mr`], [`tr`], [`ck`], [`ec_cs`],
//! [`ec_strang`] and [`mr_strang`] the implicit increment form; [`leapfrog`], [`ieq`], [`vv`], [`iim`], [`vv_cs`], [`vv_strang`],
//! [`sprk`] with the methods of [`tableaux`] and the compositions of Verlet's method the explicit splitting;
//! [`mod@modal_ec`] and [`modal_moreau_jean`] take modes by their exact poles;
//! [`quadratic`], [`average_gradient`] and [`cubic_explicit`] the one-coordinate form of D17.
//!
//! Short names: C19 is Chatziioannou 2019, C15 Chatziioannou & van Walstijn 2015,
//! D17 Ducceschi 2017, I18 Ishikawa, Michels & Yaguchi 2018.
//!
//! **Architecture Invariant:** no scheme knows a body, an instrument or a file.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

mod amplification;
mod assembly;
mod catalogue;
mod choice;
mod contact;
mod contact_solver;
mod exact_damping;
mod explicit;
mod implicit;
mod impulse;
mod impulse_solver;
mod interaction;
mod linear;
mod modal;
mod one_coordinate;
mod separation;

pub mod contact_duration;
pub mod dispersion;
pub mod eigenfrequencies;
pub mod instructions;

pub use explicit::{ieq, iim, leapfrog, sprk, tableaux, vv, vv_cs, vv_strang};
pub use implicit::{ck, ec, ec_cs, ec_strang, moreau_jean, mr, mr_strang, tr};
pub use modal::{modal_ec, modal_moreau_jean};
pub use one_coordinate::{average_gradient, cubic_explicit, quadratic};

pub use catalogue::{catalogue, named};
pub use choice::{alternatives, coverage_table, covering_by_modes, preferred};
