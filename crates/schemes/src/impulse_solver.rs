//! The option of schemes with rigid contacts: how their impulses are found.

use hamiltone_core::parameter::{Absent, Parameter, Takes, Values};
use hamiltone_numerics::lcp::Method;

/// How impulses are found.
pub(crate) const SOLVER: Parameter = Parameter {
    name: "solver",
    takes: Takes::Word(&["active-set", "gauss-seidel"]),
    absent: Absent::Word("active-set"),
    doc: "LCP solver of the impulses: the dual active set, or projected Gauss–Seidel, iterated to rounding error",
};

/// The word of [`SOLVER`].
pub(crate) fn solver(values: &Values) -> Method {
    if values.word(SOLVER.name) == Some("gauss-seidel") { Method::GaussSeidel } else { Method::ActiveSet }
}
