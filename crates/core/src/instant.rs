//! What an element does at an instant, by its law.
//!
//!   f = w V′(x)(1 + μẋ) or w[V′(x) + αV″(x)ẋ]₊  (compliant),   f = w f(ẋ; u)  (resistive),   x = c·q − h − h_ref,   ẋ = c·q̇ − ḣ_ref
//!
//! ḣ_ref is the mean rate of the reference over the last step, 0 before the first one. A rigid law has impulses and no force at
//! an instant, and a custom law is known to its scheme alone.

use crate::{
    acting::Acting,
    activity::{Activity, Gaps},
    element::{Element, Law},
    system::System,
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
            // Of a port only its mean force is known, and it has no gap.
            Law::Port(_) => (f64::INFINITY, false),
            Law::Resistive(_) => (f64::NEG_INFINITY, false),
        };
        let has_place = !given.law.has_no_place();
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

    /// What it does in `time` (s) at positions q (m), velocities being w times `rate`: its force stays what it is there.
    #[inline]
    fn activity(
        &self,
        given: &Element,
        (inputs, time): (&Inputs, f64),
        q: &[f64],
        (rate, w): (f64, &[f64]),
    ) -> Activity {
        let row = given.row();
        let place = if self.has_place { row.dot(q) } else { 0.0 };
        let force = self.force(given, inputs, place, || if self.has_rate { rate * row.dot(w) } else { 0.0 });
        self.acted(time * force, self.penetration(given, inputs, place))
    }

    fn acted(&self, impulse: f64, x: f64) -> Activity {
        Activity { impulse, gap: if self.has_gap { -x } else { f64::INFINITY } }
    }
}

/// What a stepper is told when it is asked what elements did.
pub struct Moment<'a> {
    /// Which gaps are wanted of a method that keeps them.
    pub gaps: Gaps,
    pub(crate) system: &'a System,
    pub(crate) instants: &'a [Instant],
    pub(crate) inputs: Inputs<'a>,
    /// How long a force lasts that a method does not keep, s.
    pub(crate) time: f64,
}

impl Moment<'_> {
    /// Writes what each element does where its force stays that of its law at the positions q, m, and the velocities rate·w, m/s: for a
    /// method that does not keep it.
    pub fn activity(&self, q: &[f64], velocity: (f64, &[f64]), activity: &mut [Activity]) {
        let elements = self.instants.iter().zip(&self.system.elements);
        for ((instant, given), activity) in elements.zip(activity) {
            *activity = instant.activity(given, (&self.inputs, self.time), q, velocity);
        }
    }
}
