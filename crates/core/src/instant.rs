//! What an element does at an instant, by its law.
//!
//!   f = w V′(x)(1 + μẋ)  (compliant),   f = w f(ẋ; u)  (resistive),   x = c·q − h − h_ref,   ẋ = c·q̇ − ḣ_ref
//!
//! ḣ_ref is the mean rate of the reference over the last step, 0 before the first one. A rigid law has impulses and no force at
//! an instant, and a custom law is known to its scheme alone.

use crate::{
    acting::Acting,
    element::{Element, Law},
    stepper::Activity,
};

/// The inputs at an instant and a step before it, what they act on, and the time step, s.
pub(crate) struct Inputs<'a> {
    pub acting: &'a Acting,
    pub now: &'a [f64],
    pub before: &'a [f64],
    pub dt: f64,
}

impl Inputs<'_> {
    /// The moving reference of an element now, m.
    pub fn reference(&self, element: usize) -> f64 {
        self.acting.reference(element, self.now)
    }

    /// Its mean rate over the last step, m/s; 0 before the first one.
    pub fn reference_rate(&self, element: usize) -> f64 {
        (self.reference(element) - self.acting.reference(element, self.before)) / self.dt
    }
}

/// What is constant of an element: where its law begins to act is asked for once.
#[derive(Clone, Debug)]
pub(crate) struct Instant {
    element: usize,
    /// The penetration up to which it has no force, m: ∞ of a law without a force at an instant, −∞ of one that acts everywhere.
    onset: f64,
    /// Whether it has a gap to close: a damper has none, and a law on both sides of 0 neither.
    has_gap: bool,
    /// Whether x is of any use: a damper knows the rate alone.
    has_place: bool,
    /// Whether ẋ is of any use where the law acts: it is for dampers and losses.
    has_rate: bool,
}

impl Instant {
    /// Of the element with this number.
    pub fn of((element, given): (usize, &Element)) -> Self {
        let (onset, has_gap) = match &given.law {
            Law::Compliant(law) => (law.onset(), law.onset().is_finite()),
            Law::Rigid { .. } | Law::Custom(_) => (f64::INFINITY, true),
            Law::Resistive(_) => (f64::NEG_INFINITY, false),
        };
        let has_place = given.law.resistive().is_none();
        let has_rate = !has_place || given.law.compliant().is_some_and(|law| law.loss != 0.0);
        Self { element, onset, has_gap, has_place, has_rate }
    }

    /// Its number.
    pub fn element(&self) -> usize {
        self.element
    }

    /// x where c·q is `place`, m.
    #[inline]
    fn penetration(&self, given: &Element, inputs: &Inputs, place: f64) -> f64 {
        place - given.gap - inputs.reference(self.element)
    }

    /// The force where c·q is `place` (m), N; `rate` gives c·q̇, m/s, and is asked only where the law acts.
    #[inline]
    pub fn force(&self, given: &Element, inputs: &Inputs, place: f64, rate: impl FnOnce() -> f64) -> f64 {
        let x = self.penetration(given, inputs, place);
        if x <= self.onset {
            return 0.0;
        }
        let rate = rate() - inputs.reference_rate(self.element);
        let control = inputs.acting.control(self.element, inputs.now);
        given.law.force(x, rate, control).unwrap_or(0.0)
    }

    /// What it does in `time` (s) at positions q (m) and velocities v (m/s): its force stays what it is there.
    pub fn activity(
        &self,
        given: &Element,
        inputs: &Inputs,
        time: f64,
        (q, v): (&[f64], &[f64]),
    ) -> Activity {
        let row = given.row();
        let place = if self.has_place { row.dot(q) } else { 0.0 };
        let force = self.force(given, inputs, place, || row.dot(v));
        self.acted(time * force, self.penetration(given, inputs, place))
    }

    /// The same by positions alone; `None` where the velocities matter.
    #[inline]
    pub fn without_rate(&self, given: &Element, inputs: &Inputs, time: f64, q: &[f64]) -> Option<Activity> {
        if !self.has_place {
            return None;
        }
        let place = given.row().dot(q);
        let x = self.penetration(given, inputs, place);
        if x <= self.onset {
            return Some(self.acted(0.0, x));
        }
        let force = || self.force(given, inputs, place, || 0.0);
        (!self.has_rate).then(|| self.acted(time * force(), x))
    }

    fn acted(&self, impulse: f64, x: f64) -> Activity {
        Activity { impulse, gap: if self.has_gap { -x } else { f64::INFINITY } }
    }
}
