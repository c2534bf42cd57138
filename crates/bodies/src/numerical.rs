//! Bodies on a grid, or by the modes of that grid where no formula gives any.
//!
//! Of N intervals, mode k of a string has a frequency that is off by (kπ/N)²/24, of a bar by (kπ/N)²/12: at k = N/4 by 44
//! and 87 cents.

use crate::{
    built::Built,
    modal_grid::{DEFAULT_MODES, audible, smooth, wanted},
    modal_losses::Law,
    pitched::FOUND_INTERVALS,
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
/// The same where the scene leaves the representation open: the highest mode of a bar is then off by (π/54)²/12, 0.5
/// cents.
const FINE_INTERVALS_PER_MODE: usize = 54;
/// At least so many then: the corners of a profile lie between nodes, which detunes an undercut bar on 600 intervals by 1 cent.
const FINE_INTERVALS: usize = 2000;

/// How a body is put on a grid.
pub(crate) struct Numerical<A, F, G> {
    /// The intervals that the values ask for by number or by accuracy.
    pub accurate: A,
    /// About the frequency of mode k, Hz, rising.
    pub frequency: F,
    /// The body on a grid of so many intervals.
    pub grid: G,
    /// How many coordinates each interval has.
    pub coordinates: usize,
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
    /// The body on its grid or, as its values say, by the modes of that; then the grid, unless it is given, has four intervals
    /// a mode at least, and 54 where the scene leaves the representation open.
    ///
    /// # Errors
    /// A [`Complaint`] where the accuracy cannot be reached, or the body refuses the grid.
    pub fn read(self, values: &Values) -> Result<Built, Complaint> {
        let intervals = (self.accurate)()?;
        if !wanted(values) {
            return Ok(Built { body: Box::new((self.grid)(intervals)?), intervals: Some(intervals) });
        }
        let count = values.count("modes");
        let modes = count.unwrap_or_else(|| audible(values, DEFAULT_MODES, self.frequency));
        let least = intervals.max(INTERVALS_PER_MODE * modes);
        let intervals = match (values.count("intervals"), values.detail()) {
            (Some(intervals), _) => intervals,
            (None, None) => least,
            (None, Some(detail)) => {
                // A grid of N intervals has up to N + 1 nodes.
                let most = (detail.coordinates / self.coordinates).saturating_sub(1);
                (FINE_INTERVALS_PER_MODE * modes).max(FINE_INTERVALS).min(most).max(least)
            }
        };
        // Who states the intervals states where contacts lie; else there are as many as tell the modes apart, however fine the
        // grid is on which these are found.
        let stated = values.is_given("intervals") && !values.is_given(FOUND_INTERVALS);
        let pieces = (!stated).then(|| smooth(modes));
        let decay = self.law.map(|law| Arc::new(move |f: f64| law.sigma(f)) as _);
        let request = ModalRequest { count, decay, pieces };
        let body = reduction::by_modes((self.grid)(intervals)?, request);
        // N intervals have N − 3 unknowns at least, between clamped ends: as many as modes where there are four for each. A coarser
        // grid that the scene asks for may have fewer, and the body says so now as well as when it is added.
        if count.is_some_and(|count| INTERVALS_PER_MODE * count > intervals) {
            body.add_to(&mut System::default(), "")?;
        }
        Ok(Built { body: Box::new(body), intervals: Some(intervals) })
    }
}
