//! What is watched of a run at every sample of the sound besides the pickups: contacts, and the physical energy.
//!
//! A scheme of impacts keeps what each of its contacts did between two samples, as a touch may last one step: the
//! impulse p (N s) and the least gap (m). Of any other scheme both are those of the state at the sample,
//!
//!   p = T·V′(x)(1 + μẋ),   gap = −x,   x = c·q − h,   T = 1/sample rate,
//!
//! which tells the impulse of touches that last several samples: a higher sample rate resolves shorter ones.

use hamiltone_core::{
    scheme::{Stepper, Touched},
    system::Contact,
};
use hamiltone_scene::Plan;

/// What a contact did over a run; times are counted in samples of the sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The least h − c·q, m, negative where bodies overlapped; ∞ where the law acts on both sides.
    pub gap: f64,
    /// Σ p, N s.
    pub impulse: f64,
    /// The largest impulse within a sample, N s.
    pub strongest: f64,
    /// How often it closed.
    pub touches: u64,
    /// How many samples it was closed in.
    pub closed: u64,
    /// The sample in which it first closed.
    pub first: Option<u64>,
    /// The samples of the longest touch.
    pub longest: u64,
    /// The samples of the touch that lasts.
    lasts: u64,
}

impl Record {
    const NEW: Self = Self {
        gap: f64::INFINITY,
        impulse: 0.0,
        strongest: 0.0,
        touches: 0,
        closed: 0,
        first: None,
        longest: 0,
        lasts: 0,
    };

    fn enter(&mut self, sample: u64, touched: Touched) {
        self.gap = self.gap.min(touched.gap);
        self.impulse += touched.impulse;
        self.strongest = self.strongest.max(touched.impulse.abs());
        if touched.impulse == 0.0 {
            self.lasts = 0;
            return;
        }
        self.touches += u64::from(self.lasts == 0);
        self.first.get_or_insert(sample);
        (self.closed, self.lasts) = (self.closed + 1, self.lasts + 1);
        self.longest = self.longest.max(self.lasts);
    }

    /// The greatest penetration, m.
    pub fn penetration(&self) -> f64 {
        (-self.gap).max(0.0)
    }
}

/// A contact of the scene over a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Touching {
    /// All its parts as one: closed where one of them is.
    pub whole: Record,
    /// Each part.
    pub parts: Vec<Record>,
}

/// The physical energy ½vᵀMv + ½qᵀKq + ΣV over a run, J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Physical {
    /// At t = 0.
    pub initial: f64,
    /// The largest.
    pub peak: f64,
    /// At the end.
    pub last: f64,
}

/// Watches a run.
pub(crate) struct Watch {
    /// Each contact of the system since the sample before.
    pub touched: Vec<Touched>,
    /// The physical energy at the sample, J.
    pub energy: Option<f64>,
    /// Whether the stepper keeps what its contacts do.
    kept: bool,
    contacts: Vec<Touching>,
    physical: Option<Physical>,
}

impl Watch {
    /// Watches a stepper at its start.
    pub fn new(plan: &Plan, stepper: &mut dyn Stepper) -> Self {
        let mut touched = vec![Touched::NOTHING; plan.system.contacts.len()];
        let kept = stepper.touched(&mut touched);
        let touching = |parts: usize| Touching { whole: Record::NEW, parts: vec![Record::NEW; parts] };
        let contacts = plan.contacts.iter().map(|contact| touching(contact.parts.len())).collect();
        Self { touched, energy: stepper.physical_energy(), kept, contacts, physical: None }
    }

    /// Whether there is anything to watch.
    pub fn wants_samples(&self) -> bool {
        !self.touched.is_empty() || self.energy.is_some()
    }

    /// Whether it reads positions and velocities at this sample.
    pub fn wants_state(&self, sample: u64) -> bool {
        !self.touched.is_empty() && (sample == 0 || !self.kept)
    }

    /// Looks at a sample.
    pub fn look(&mut self, plan: &Plan, stepper: &mut dyn Stepper, sample: u64, q: &[f64], v: &[f64]) {
        if self.wants_state(sample) {
            let at = plan.system.contacts.iter().map(|contact| state(contact, 1.0 / plan.sample_rate, q, v));
            at.zip(&mut self.touched).for_each(|(now, touched)| *touched = now);
        } else {
            stepper.touched(&mut self.touched);
        }
        for (plan, touching) in plan.contacts.iter().zip(&mut self.contacts) {
            let touched = &self.touched[plan.parts.clone()];
            let impulse = touched.iter().map(|part| part.impulse).sum();
            let gap = touched.iter().map(|part| part.gap).fold(f64::INFINITY, f64::min);
            touching.whole.enter(sample, Touched { impulse, gap });
            touching.parts.iter_mut().zip(touched).for_each(|(record, part)| record.enter(sample, *part));
        }
        self.energy = stepper.physical_energy();
        if let Some(energy) = self.energy {
            let so_far =
                self.physical.get_or_insert(Physical { initial: energy, peak: energy, last: energy });
            so_far.peak = so_far.peak.max(energy);
            so_far.last = energy;
        }
    }

    /// What was seen.
    pub fn close(self) -> (Vec<Touching>, Option<Physical>) {
        (self.contacts, self.physical)
    }
}

/// A contact in this state, as if it lasted `time`.
fn state(contact: &Contact, time: f64, q: &[f64], v: &[f64]) -> Touched {
    let x = contact.row.dot(q) - contact.gap;
    let Some(potential) = contact.law.potential() else { return Touched { impulse: 0.0, gap: -x } };
    if x <= potential.onset() {
        return Touched { impulse: 0.0, gap: -x };
    }
    let force = potential.force(x) * (1.0 + potential.loss() * contact.row.dot(v));
    let gap = if potential.onset().is_finite() { -x } else { f64::INFINITY };
    Touched { impulse: time * force, gap }
}
