//! The parameters, systems and methods of the paper that its figures share.

use crate::{figure::Unable, method::Method};

/// The scheme, impacts solved by active sets.
///
/// # Errors
/// Where the catalogue has none.
pub fn modal() -> Result<Method, Unable> {
    Method::new("modal Moreau–Jean", "modal-moreau-jean")
}

/// The scheme, impacts solved by Gauss–Seidel.
///
/// # Errors
/// Where the catalogue has none.
pub fn swept() -> Result<Method, Unable> {
    Method::worded("Gauss–Seidel", "modal-moreau-jean", &[("solver", "gauss-seidel")])
}
