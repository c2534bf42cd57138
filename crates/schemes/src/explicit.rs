//! Explicit methods: two-step (leapfrog, velocity Verlet, impulse invariance) and split ones (Verlet with its damping
//! split off, partitioned Runge–Kutta).

pub(crate) mod staggered;
pub(crate) mod verlet;

pub mod iim;
pub mod leapfrog;
pub mod sprk;
pub mod tableaux;
pub mod vv;
pub mod vv_cs;
pub mod vv_strang;
