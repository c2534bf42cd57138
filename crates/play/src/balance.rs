//! The energy balance of what is played, in words and numbers.

use crate::engine::Engine;

/// The energy balance of all parts together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Whether every part is finite and balanced.
    pub ok: bool,
    /// What gestures gave, J.
    pub supplied: f64,
    /// What was dissipated, J, with what was slept away.
    pub dissipated: f64,
    /// What parts held when they were put to sleep, J.
    pub slept: f64,
    /// What is still stored, J.
    pub stored: f64,
    /// The work of rigid contacts, J.
    pub contact_work: f64,
    /// The largest relative residual of a part, and its tolerance.
    pub residual: (f64, f64),
    /// The steps of all parts.
    pub steps: u64,
    /// The parts that went wrong, and are silent.
    pub muted: usize,
    /// The largest residual of one step, relative to its part.
    pub residual_per_step: f64,
    /// The gestures that were refused, since too many acted or waited.
    pub refused: u64,
}

impl Balance {
    /// Of an engine so far, or of several together.
    pub fn of<'a>(engines: impl IntoIterator<Item = &'a Engine>) -> Self {
        let mut balance = Self { ok: true, ..Self::default() };
        for island in engines.into_iter().flat_map(Engine::islands) {
            let audit = island.audit();
            balance.ok &= audit.ok(0.0);
            balance.supplied += audit.supplied;
            balance.dissipated += audit.dissipated;
            balance.contact_work += audit.contact_work;
            balance.stored += audit.stored();
            balance.slept += island.slept();
            balance.steps += audit.steps;
            balance.muted += usize::from(audit.fault.is_some());
            balance.residual_per_step = balance.residual_per_step.max(audit.residual_max_relative_per_step());
            balance.refused += island.refused();
            let residual = (audit.residual_max_relative(), audit.tolerance(0.0));
            // The nearest to its tolerance.
            if residual.0 * balance.residual.1.max(f64::MIN_POSITIVE) > balance.residual.0 * residual.1
                || balance.residual.1 == 0.0
            {
                balance.residual = residual;
            }
        }
        balance
    }

    /// Whether every part is finite and balanced, and every gesture was played.
    pub fn is_good(&self) -> bool {
        self.ok && self.refused == 0
    }
}

/// What went wrong, in words: the parts that were muted, gestures that were refused, or a residual beyond its tolerance; `None` where nothing did.
pub fn trouble(engine: &Engine) -> Option<String> {
    let balance = Balance::of([engine]);
    if balance.is_good() {
        return None;
    }
    let faults = engine.islands().iter().filter_map(|island| {
        let (step, fault) = island.audit().fault?;
        Some(format!("`{}` was muted at step {step}: {fault}", island.name()))
    });
    let mut all: Vec<String> = faults.collect();
    if balance.refused > 0 {
        all.push(format!(
            "{} gestures were refused, since too many acted on one part at a time",
            balance.refused
        ));
    }
    if all.is_empty() {
        all.push(format!("the residual is {:.2e} of {:.2e} allowed", balance.residual.0, balance.residual.1));
    }
    Some(all.join("; "))
}
