//! What schemes of uncoupled modes share: exact poles, rows against many modes at once, and the forces of all elements in
//! one step.

pub(crate) mod closing;
pub(crate) mod dense_rows;
pub(crate) mod diagonals;
pub(crate) mod eights;
pub(crate) mod element_forces;
pub(crate) mod followed_energy;
pub(crate) mod links;
pub(crate) mod owners;
pub(crate) mod pole;
pub(crate) mod reach;
pub(crate) mod rest;
pub(crate) mod rows;
pub(crate) mod sine_points;
pub(crate) mod terminals;

pub mod modal_ec;
pub mod modal_moreau_jean;
