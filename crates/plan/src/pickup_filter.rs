//! What a pickup goes through before it is mixed: the coil of a magnetic pickup, and AC coupling.

use crate::{high_pass::HighPass, magnet::Magnet, output::PickupMix};
use hamiltone_core::state::Archive;

/// The filters of one pickup.
#[derive(Clone, Copy, Debug)]
pub struct PickupFilter {
    magnet: Option<Magnet>,
    high_pass: Option<HighPass>,
}

impl PickupFilter {
    /// Those that a mix states, for samples at `rate` (Hz); `None` where it states none.
    pub fn new(mix: &PickupMix, rate: f64) -> Option<Self> {
        let magnet = mix.magnet.map(|pole| Magnet::new(pole, rate));
        let high_pass = HighPass::new(mix.ac_coupling, rate);
        (magnet.is_some() || high_pass.is_some()).then_some(Self { magnet, high_pass })
    }

    /// The same before their first sample.
    #[must_use]
    pub fn at_rest(self) -> Self {
        Self { magnet: self.magnet.map(Magnet::at_rest), high_pass: self.high_pass.map(HighPass::at_rest) }
    }

    /// Goes through every number that the next sample depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        self.magnet.iter_mut().for_each(|magnet| magnet.archive(archive));
        self.high_pass.iter_mut().for_each(|filter| filter.archive(archive));
    }

    /// The next sample.
    pub fn next(&mut self, x: f64) -> f64 {
        let y = self.magnet.as_mut().map_or(x, |magnet| magnet.next(x));
        self.high_pass.as_mut().map_or(y, |filter| filter.next(y))
    }
}
