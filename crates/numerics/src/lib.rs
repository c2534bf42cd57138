//! Numerical kernels of Hamiltone, each module named by its algorithm.
//!
//! In the order in which they build on each other:
//!
//! 1. [`math`] – transcendental functions with the same bits on every machine; [`lanes`] – sums in a fixed order
//!    and [`double`] – numbers to twice the digits; [`aligned`] – arrays that begin at cache lines;
//!    [`list`] – lists whose copies have room
//! 2. [`row`] – linear functionals c·q; [`stencils`] and [`operator`] – sums of squares of them; [`stencil_product`] – their
//!    products in lanes
//! 3. [`banded`] – banded LDLᵀ; `split_solve` – its solves in eight parts side by side; [`selected_inverse`] – entries of its
//!    inverse; [`woodbury`] – a band with a few far couplings
//! 4. [`schur_newton`] and [`banded_newton`] – contact forces of one implicit step; [`lcp`] – impulses of rigid contacts, both by a `compliance`;
//!    [`small_cholesky`] – the factor of a small matrix that is another one in each step; [`gmres`] – a system of which only products are known
//! 5. [`pencil`], [`eigenpairs`], [`jacobi`] and [`dense_pencil`] – eigenfrequencies and modes of K x = ω²M x; `shifted_bands` and
//!    `eight_products` – the factors and products of eight of them side by side
//! 6. [`secant`] and [`difference_newton`] – one equation, and a few, whose derivatives are not known; [`piecewise`] – curves
//!    through points; [`nnls`] – least squares, where asked for without negative unknowns, by a `triangle`
//! 7. [`fourier`] – the discrete Fourier transform; [`sine_transform`] – all points of a body of sine modes at once;
//!    [`convolution`] – a signal through a long impulse response
//! 8. [`formula`] – formulas as text, read into steps of a stack machine
//! 9. [`parallel`] – independent pieces of work on several threads
//!
//! **Architecture Invariant:** nothing here knows a system, a scheme or an instrument.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

pub mod aligned;
pub mod banded;
pub mod banded_newton;
pub mod compensation;
pub mod complex;
mod compliance;
pub mod convolution;
mod coupled;
pub mod dense_pencil;
pub mod difference_newton;
pub mod double;
pub mod eigenpairs;
mod eight_products;
pub mod formula;
pub mod fourier;
mod gauss_seidel;
pub mod gmres;
pub mod jacobi;
pub mod lanes;
pub mod lcp;
mod line_search;
pub mod list;
pub mod math;
pub mod nnls;
pub mod operator;
pub mod parallel;
pub mod pencil;
pub mod piecewise;
pub mod row;
pub mod schur_newton;
pub mod secant;
pub mod selected_inverse;
mod shape;
mod shifted_bands;
pub mod sine_transform;
pub mod small_cholesky;
mod split_solve;
pub mod stencil_product;
pub mod stencils;
mod subset_cholesky;
mod triangle;
pub mod woodbury;
