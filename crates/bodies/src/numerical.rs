//! Bodies on a grid, or by the modes of that grid where no formula gives any.
//!
//! Of N intervals, mode k of a string has a frequency that is off by (kπ/N)²/24, of a bar by (kπ/N)²/12: at k = N/4 by 44
//! and 87 cents.

use crate::{
    modal_grid::{audible, wanted},
    modal_losses::Law,
    reduction,
};
use hamiltone_core::{
    body::{Body, ModalRequest},
    parameter::{Complaint, Values},
    system::System,
};
use std::sync::Arc;

/// Intervals for each mode, unless they are given.
const INTERVALS_PER_MODE: usize = 4;

/// How a body is put on a grid.
pub(crate) struct Numerical<A, F, G> {
    /// The intervals that the values ask for by number or by accuracy.
    pub accurate: A,
    /// About the frequency of mode k, Hz, rising.
    pub frequency: F,
    /// The body on a grid of so many intervals.
    pub grid: G,
    /// Losses by frequency of its modes.
    pub law: Option<Law>,
}

impl<A, F, G, B> Numerical<A, F, G>
where
    A: FnOnce() -> Result<usize, Complaint>,
    F: Fn(usize) -> f64,
    G: FnOnce(usize) -> Result<B, Complaint>,
    B: Body + 'static,
{
    /// The body on its grid or, as its values say, by the modes of that; then the grid has four intervals a mode at
    /// least, unless it is given.
    ///
    /// # Errors
    /// A [`Complaint`] where the accuracy cannot be reached, or the body refuses the grid.
    pub fn read(self, values: &Values) -> Result<Box<dyn Body>, Complaint> {
        let intervals = (self.accurate)()?;
        if !wanted(values) {
            return Ok(Box::new((self.grid)(intervals)?));
        }
        let count = values.count("modes");
        let fine = INTERVALS_PER_MODE * count.unwrap_or_else(|| audible(self.frequency));
        let intervals = values.count("intervals").unwrap_or(intervals.max(fine));
        let decay = self.law.map(|law| Arc::new(move |f: f64| law.sigma(f)) as _);
        let body = reduction::by_modes((self.grid)(intervals)?, ModalRequest { count, decay });
        // How many unknowns a given grid has depends on its ends: more modes are refused here, as other values are.
        if count.is_some_and(|count| count > intervals / 2) {
            body.add_to(&mut System::default(), "")?;
        }
        Ok(Box::new(body))
    }
}
