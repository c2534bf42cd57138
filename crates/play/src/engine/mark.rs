//! A state that an engine goes back to while it plays, such as that at rest: without memory that it would take, as a plugin is reset.

use super::Engine;
use hamiltone_core::{saved::Saved, state::Archive};

/// The state of an engine, in memory that only this engine reads.
pub struct Mark {
    simulations: Vec<Saved>,
    numbers: Vec<f64>,
}

impl Engine {
    /// The state now. All samples that have passed are to be computed before.
    pub fn mark(&mut self) -> Mark {
        let simulations = self.islands.iter_mut().map(|island| island.mark()).collect();
        let mut numbers = Vec::new();
        self.archive(&mut Archive::Write(&mut numbers));
        Mark { simulations, numbers }
    }

    /// Goes back to a state of this engine: the next blocks have the same bits as those after [`Engine::mark`]. It does not allocate.
    ///
    /// # Panics
    /// Where it is the state of another instrument.
    pub fn return_to(&mut self, mark: &Mark) {
        for (island, saved) in self.islands.iter_mut().zip(&mark.simulations) {
            island.return_to(saved);
        }
        self.archive(&mut Archive::Read(&mark.numbers));
    }
}
