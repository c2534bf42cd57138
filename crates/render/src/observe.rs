//! What is observed of a run at every sample of the sound, besides the pickups: contacts and the physical energy.
//!
//! A scheme with rigid contacts accumulates the impulse p (N s) and the smallest gap (m) of each contact between two
//! samples itself, since a collision may last a single step. For every other scheme both are computed from the state at
//! the sample,
//!
//!   p = T·V′(x)(1 + μẋ),   gap = −x,   x = c·q − h,   T = 1/sample rate,
//!
//! the rectangle rule for the force. It resolves contacts that last several samples; a higher sample rate resolves
//! shorter ones.

use crate::{
    cascade::{Cascade, Cascades},
    physical::{Physical, PhysicalEnergy},
    stretching::{Stretched, Tensions},
};
use hamiltone_core::{
    simulation::Simulation,
    state::Archive,
    stepper::{Activity, Gaps},
};
use hamiltone_plan::Plan;

/// A contact over a run, or one of its parts. Times are counted in samples of the sound.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRecord {
    /// The smallest h − c·q, m: negative where bodies penetrate each other; ∞ where the law acts on both sides.
    pub gap_min: f64,
    /// Σ p, N s.
    pub impulse: f64,
    /// The largest impulse of one sample, N s.
    pub impulse_max: f64,
    /// How many times contact began.
    pub contacts: u64,
    /// The number of samples in contact.
    pub duration: u64,
    /// The first sample in contact.
    pub first: Option<u64>,
    /// The number of samples of the longest contact.
    pub longest: u64,
    /// The number of samples of the contact that is going on.
    current: u64,
}

impl ContactRecord {
    const EMPTY: Self = Self {
        gap_min: f64::INFINITY,
        impulse: 0.0,
        impulse_max: 0.0,
        contacts: 0,
        duration: 0,
        first: None,
        longest: 0,
        current: 0,
    };

    fn add(&mut self, sample: u64, contact: Activity) {
        if contact.gap < self.gap_min {
            self.gap_min = contact.gap;
        }
        // A law without adhesion has a force exactly where it is in contact.
        if contact.impulse == 0.0 {
            self.current = 0;
            return;
        }
        self.impulse += contact.impulse;
        self.impulse_max = self.impulse_max.max(contact.impulse.abs());
        self.contacts += u64::from(self.current == 0);
        self.first.get_or_insert(sample);
        (self.duration, self.current) = (self.duration + 1, self.current + 1);
        self.longest = self.longest.max(self.current);
    }

    /// Goes through the record, to write it into a checkpoint or to take it over.
    fn archive(&mut self, archive: &mut Archive) {
        let Self { gap_min, impulse, impulse_max, contacts, duration, first, longest, current } = self;
        [gap_min, impulse, impulse_max].into_iter().for_each(|x| archive.number(x));
        [contacts, duration, longest, current].into_iter().for_each(|n| archive.long(n));
        // 0 for none.
        let mut next = first.map_or(0, |sample| sample + 1);
        archive.long(&mut next);
        *first = next.checked_sub(1);
    }

    /// The largest penetration, m.
    pub fn penetration_max(&self) -> f64 {
        (-self.gap_min).max(0.0)
    }
}

/// A contact of the scene over a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSummary {
    /// All its parts together: in contact where at least one of them is.
    pub whole: ContactRecord,
    /// Each part, where it acts at several points of a body; a single part otherwise.
    pub parts: Vec<ContactRecord>,
}

/// Observes a run.
pub(crate) struct Observer {
    /// Impulse and smallest gap of each contact of the system since the previous sample.
    pub now: Vec<Activity>,
    /// The physical energy, J, where it is shown.
    pub energy: Option<f64>,
    /// Which gaps are asked for.
    gaps: Gaps,
    contacts: Vec<ContactSummary>,
    physical: Option<Physical>,
    tensions: Option<Tensions>,
    cascades: Option<Cascades>,
}

impl Observer {
    /// An observer of a stepper at its initial condition, which is told from the first step on that these gaps are asked for.
    pub fn new(plan: &Plan, stepper: &mut Simulation, gaps: Gaps) -> Self {
        let mut now = vec![Activity::NONE; plan.system.elements.len()];
        stepper.activity(1.0 / plan.sample_rate, gaps, &mut now);
        let empty = |parts: usize| ContactSummary {
            whole: ContactRecord::EMPTY,
            parts: vec![ContactRecord::EMPTY; parts],
        };
        let contacts = plan.contacts.iter().map(|contact| empty(contact.parts.len())).collect();
        Self {
            now,
            energy: None,
            gaps,
            contacts,
            physical: Physical::of(plan),
            tensions: Tensions::of(plan),
            cascades: Cascades::of(plan),
        }
    }

    /// Every how many steps there is anything to observe, the samples being `sample` steps apart.
    pub fn stride(&self, sample: u64) -> Option<u64> {
        let looks = !self.now.is_empty() || self.tensions.is_some() || self.cascades.is_some();
        match &self.physical {
            Some(physical) if !looks => Some(physical.every),
            Some(physical) => Some(physical.every.min(sample)),
            None => looks.then_some(sample),
        }
    }

    /// The same where nothing acts for many steps, `every` being [`Observer::stride`]: contacts do nothing there, and their least gaps are told later unless each is asked for.
    pub fn stride_where_free(&self, every: u64) -> Option<u64> {
        match (self.gaps, &self.physical) {
            (Gaps::Since, _) => Some(every),
            (Gaps::SoFar | Gaps::Never, physical) => physical.as_ref().map(|physical| physical.every),
        }
    }

    /// Observes the run after a step, or at row 0: each of these is asked for in turn.
    pub fn observe(&mut self, plan: &Plan, stepper: &mut Simulation, row: u64) {
        let sample = plan.oversampling as u64;
        self.observe_energy(stepper, row);
        if let Some(tensions) = &mut self.tensions {
            tensions.observe(stepper, row);
        }
        if let Some(cascades) = &mut self.cascades {
            cascades.observe(plan, stepper, row);
        }
        if row.is_multiple_of(sample) && !self.now.is_empty() {
            self.observe_contacts(plan, stepper, row / sample);
        }
    }

    /// Samples went by in which nothing was in contact: the contacts so far have ended.
    pub fn pass_apart(&mut self) {
        for summary in &mut self.contacts {
            summary.whole.current = 0;
            summary.parts.iter_mut().for_each(|part| part.current = 0);
        }
    }

    /// Observes a sample of the sound.
    fn observe_contacts(&mut self, plan: &Plan, stepper: &mut Simulation, sample: u64) {
        stepper.activity(1.0 / plan.sample_rate, self.gaps, &mut self.now);
        for (plan, summary) in plan.contacts.iter().zip(&mut self.contacts) {
            let mut whole = Activity::NONE;
            for (record, part) in summary.parts.iter_mut().zip(&self.now[plan.parts.clone()]) {
                record.add(sample, *part);
                whole.impulse += part.impulse;
                if part.gap < whole.gap {
                    whole.gap = part.gap;
                }
            }
            summary.whole.add(sample, whole);
        }
    }

    /// Whether a contact was closed at any sample so far.
    pub fn has_touched(&self) -> bool {
        self.contacts.iter().any(|contact| contact.whole.first.is_some())
    }

    /// Observes a step.
    fn observe_energy(&mut self, stepper: &mut Simulation, row: u64) {
        self.energy = None;
        if let Some(physical) = &mut self.physical
            && row.is_multiple_of(physical.every)
        {
            let energy = physical.observe(stepper);
            self.energy = row.is_multiple_of(physical.shown).then_some(energy);
        }
    }

    /// Observes the end of a run.
    pub fn close(&mut self, stepper: &mut Simulation, row: u64) {
        if let Some(physical) = &mut self.physical
            && !row.is_multiple_of(physical.every)
        {
            physical.observe(stepper);
        }
    }

    /// Goes through what was observed, to write it into a checkpoint or to take it over. What there is at the sample is
    /// observed anew at the next.
    pub fn archive(&mut self, archive: &mut Archive, stepper: &mut Simulation) {
        for summary in &mut self.contacts {
            summary.whole.archive(archive);
            summary.parts.iter_mut().for_each(|part| part.archive(archive));
        }
        if let Some(tensions) = &mut self.tensions {
            tensions.archive(archive);
        }
        if let Some(cascades) = &mut self.cascades {
            cascades.archive(archive);
        }
        if let Some(physical) = &mut self.physical {
            physical.archive(archive, stepper);
        }
    }

    /// The contacts, the physical energy, the tensions and the energies of plates over the whole run.
    pub fn finish(self) -> (Vec<ContactSummary>, Option<PhysicalEnergy>, Vec<Stretched>, Vec<Cascade>) {
        let cascades = self.cascades.map_or_else(Vec::new, Cascades::finish);
        let stretched = self.tensions.map_or_else(Vec::new, Tensions::finish);
        (self.contacts, self.physical.and_then(Physical::finish), stretched, cascades)
    }
}
