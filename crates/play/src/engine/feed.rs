//! Forces that parts exert on another one, as far as its next window.

use super::block::BLOCK;

/// A force that other parts exert: see `hamiltone_plan::instrument::TransferPlan`.
#[derive(Clone, Debug)]
pub struct Feed {
    /// The input of the part.
    pub input: usize,
    /// The number of the transfer.
    pub transfer: usize,
    /// Its values at the samples of this block.
    pub(super) block: Vec<f64>,
}

impl Feed {
    /// Of a transfer to an input.
    pub fn new(input: usize, transfer: usize) -> Self {
        Self { input, transfer, block: vec![0.0; BLOCK] }
    }
}
