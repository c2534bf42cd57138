//! The forces of contacts over time, averaged over each sample of the sound: impulse × sample rate.

use crate::series::TimeSeries;
use hamiltone_core::state::Archive;
use hamiltone_render::Block;
use hamiltone_scene::plan::{ContactPlan, Plan};
use std::{collections::VecDeque, ops::Range};

/// The largest number of contacts shown.
pub const MAX_CONTACTS: usize = 8;
/// The longest close-up of an impact, s.
pub const CLOSE_UP: f64 = 0.012;

/// The force of one contact over time.
pub struct Force {
    /// The contact's name.
    pub contact: String,
    /// N or Pa.
    pub unit: &'static str,
    /// One value for each sample of the sound.
    pub values: TimeSeries,
    /// The first and the last sample with a force.
    pub in_contact: Option<(u64, u64)>,
    /// The sample with the largest force, and that force.
    pub peak: (u64, f64),
    /// The samples about the largest force so far whose surroundings are known, and the number of the first.
    impact: (u64, Vec<f64>),
    /// The latest samples.
    recent: VecDeque<f64>,
    /// How many samples before and after the largest force are kept.
    reach: usize,
    parts: Range<usize>,
}

impl Force {
    /// Those of the contacts of a plan.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let force = |contact: &ContactPlan| Self {
            contact: contact.name.clone(),
            unit: contact.measure.force(),
            values: TimeSeries::default(),
            in_contact: None,
            peak: (0, 0.0),
            impact: (0, Vec::new()),
            recent: VecDeque::new(),
            // The close-up has margins of less than its half on both sides.
            reach: (CLOSE_UP * plan.sample_rate) as usize + 12,
            parts: contact.parts.clone(),
        };
        plan.contacts.iter().take(MAX_CONTACTS).map(force).collect()
    }

    /// Adds a sample of the sound.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        let impulses = block.contacts[self.parts.clone()].iter().map(|contact| contact.impulse);
        self.push(plan.sample_rate * impulses.sum::<f64>());
    }

    fn push(&mut self, force: f64) {
        let sample = self.values.len();
        self.values.push(force);
        self.recent.push_back(force);
        if self.recent.len() > 2 * self.reach + 1 {
            self.recent.pop_front();
        }
        if force != 0.0 {
            self.in_contact = Some((self.in_contact.map_or(sample, |(first, _)| first), sample));
            if force.abs() >= self.peak.1.abs() {
                self.peak = (sample, force);
            }
        }
        if self.in_contact.is_some() && sample == self.peak.0 + self.reach as u64 {
            self.impact = self.latest();
        }
    }

    fn latest(&self) -> (u64, Vec<f64>) {
        (self.values.len() - self.recent.len() as u64, self.recent.iter().copied().collect())
    }

    /// The samples about the largest force, and the number of the first.
    pub fn impact(&self) -> (u64, Vec<f64>) {
        let known = self.values.len() > self.peak.0 + self.reach as u64;
        if known { self.impact.clone() } else { self.latest() }
    }

    /// Goes through the samples, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        self.values.archive(archive);
        let mut known = self.in_contact.is_some();
        let (mut first, mut last) = self.in_contact.unwrap_or_default();
        archive.flag(&mut known);
        archive.long(&mut first);
        archive.long(&mut last);
        self.in_contact = known.then_some((first, last));
        archive.long(&mut self.peak.0);
        archive.number(&mut self.peak.1);
        archive.long(&mut self.impact.0);
        archive.list(&mut self.impact.1);
        let mut recent: Vec<f64> = self.recent.iter().copied().collect();
        archive.list(&mut recent);
        self.recent = recent.into();
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        let (samples, recent) = (self.values.len(), self.recent.len() as u64);
        let (first, values) = &self.impact;
        self.values.fits()
            && self.in_contact.is_none_or(|(first, last)| first <= last && last < samples)
            && self.peak.0 < samples.max(1)
            && recent == samples.min(2 * self.reach as u64 + 1)
            && first.checked_add(values.len() as u64).is_some_and(|end| end <= samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty(reach: usize) -> Force {
        Force {
            contact: String::new(),
            unit: "N",
            values: TimeSeries::default(),
            in_contact: None,
            peak: (0, 0.0),
            impact: (0, Vec::new()),
            recent: VecDeque::new(),
            reach,
            parts: 0..0,
        }
    }

    /// Impacts of 1, −3, 2 and 5 N at samples 10, 50, 60 and 95 of 100; before, between and after them nothing.
    #[test]
    fn the_hardest_impact_is_kept_with_its_surroundings() {
        let at = |sample| match sample {
            10 => 1.0,
            50 => -3.0,
            60 => 2.0,
            95 => 5.0,
            _ => 0.0,
        };
        let mut force = empty(20);
        (0..95).for_each(|sample| force.push(at(sample)));
        assert_eq!((force.in_contact, force.peak), (Some((10, 60)), (50, -3.0)));
        assert_eq!(force.impact(), (30, (30..71).map(at).collect()));
        (95..100).for_each(|sample| force.push(at(sample)));
        assert_eq!((force.in_contact, force.peak), (Some((10, 95)), (95, 5.0)));
        let (first, values) = force.impact();
        assert!(first <= 75 && values == (first..100).map(at).collect::<Vec<_>>());
    }
}
