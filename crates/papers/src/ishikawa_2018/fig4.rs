//! Figure 4: the free string with the central difference for u_x (remark 2): slower to converge.

use super::fig3::shapes;
use crate::{
    figure::{Effort, Outcome, Unable},
    line::Slope,
};

/// Makes the figure and a table of its errors.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    shapes(Slope::Central, "fig4", "the free string at 0.1 s with the central difference for u_x")
}
