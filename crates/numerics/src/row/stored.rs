//! Rows of sines as data: in place of their table the number of its intervals.

use super::Sine;
use serde::{Deserialize, Serialize};
use std::{cell::RefCell, sync::Arc};

/// The most intervals: more than any body has modes.
const MAX_INTERVALS: usize = 1 << 24;

/// What is kept of a [`Sine`].
#[derive(Serialize, Deserialize)]
pub(super) struct Parts {
    first: usize,
    modes: usize,
    point: usize,
    scale: f64,
    intervals: usize,
}

thread_local! {
    /// The table that was made last: rows of one comb stand side by side and share it.
    static LAST: RefCell<Arc<[f64]>> = RefCell::new(Arc::new([]));
}

impl From<Sine> for Parts {
    fn from(sine: Sine) -> Self {
        let intervals = sine.intervals();
        let Sine { first, modes, point, scale, table: _ } = sine;
        Self { first, modes, point, scale, intervals }
    }
}

impl TryFrom<Parts> for Sine {
    type Error = &'static str;

    fn try_from(Parts { first, modes, point, scale, intervals }: Parts) -> Result<Self, Self::Error> {
        if intervals > MAX_INTERVALS || modes >= intervals || point > intervals {
            return Err("a row of sines that no comb has");
        }
        let table = LAST.with_borrow_mut(|last| {
            if last.len() != 2 * intervals {
                *last = Sine::table(intervals);
            }
            last.clone()
        });
        Ok(Self { first, modes, point, scale, table })
    }
}
