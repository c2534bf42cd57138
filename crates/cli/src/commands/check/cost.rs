//! What a render will take, by the steps that were timed.

use super::findings::SceneFindings;
use crate::{numbers::two_digits, resources::peak_memory};
use hamiltone_render::run::TIMED_BLOCK;
use hamiltone_scene::{Plan, limits::size, units::plain};

/// Renders that take longer than so many times their sound are worth a warning.
const SLOW: f64 = 100.0;

/// The processor time of a render.
pub struct Cost {
    /// Of all steps, s; the least that it can be where [`Cost::at_least`].
    steps: Option<f64>,
    at_least: bool,
    /// Of what comes before the first step, s.
    preparation: f64,
    /// Of what comes after the last, s.
    ending: f64,
}

impl Cost {
    /// Of what was found out, the plan having taken so long, s.
    pub fn of(plan: &Plan, found: &SceneFindings, planning: f64) -> Self {
        let timed = found.pace.total(plan.steps());
        // The steps that did not end are slower than all before them, or one of them took the whole budget.
        let rest = (plan.steps() - found.pace.done().min(plan.steps())) as f64;
        // A rehearsal takes one step, then two, four and so on at a time.
        let block = (found.pace.done() + 1).min(TIMED_BLOCK) as f64;
        let open = found.pace.seconds() + found.under_way / block * rest;
        let at_least = found.under_way > 0.0 && timed.is_none_or(|timed| open > timed);
        // A render also compares its partials with theory.
        let tuning = found.tuning.as_ref().map_or(0.0, |(_, taken)| *taken);
        Self {
            steps: if at_least { Some(open) } else { timed },
            at_least,
            preparation: planning + found.preparation.unwrap_or(0.0),
            ending: found.sound.unwrap_or(0.0) + tuning,
        }
    }

    /// In words.
    pub fn sentence(&self, plan: &Plan, found: &SceneFindings) -> String {
        let Some(seconds) = self.steps else {
            return format!("preparation {} s or more", two_digits(self.preparation));
        };
        let each = seconds / plan.steps() as f64;
        let memory = found.memory.or_else(peak_memory).map(|used| format!(", {} of memory", size(used)));
        let [or_more, or_less] = if self.at_least { [" or more", " or less"] } else { [""; 2] };
        format!(
            "{} µs per step{or_more}: {} times real time{or_less}, {} s of processor time in all{or_more}, {} s of it preparation{}; {}",
            two_digits(each * 1e6),
            two_digits(1.0 / (each * plan.internal_rate())),
            two_digits(self.total(seconds)),
            two_digits(self.preparation),
            memory.unwrap_or_default(),
            measured(plan, found),
        )
    }

    fn total(&self, seconds: f64) -> f64 {
        self.preparation + seconds + self.ending
    }

    /// The warning where a render takes very long.
    pub fn warning(&self, plan: &Plan) -> Option<String> {
        let seconds = self.total(self.steps?);
        let sound = plan.frames as f64 / plan.sample_rate;
        let times = seconds / sound;
        let contacts = plan.system.elements.len();
        (self.steps? > SLOW * sound).then(|| {
            format!(
                "a render takes {} s of processor time, {} times as long as its sound: use fewer degrees of freedom ({}), contacts ({contacts}) or steps ({} per sample)",
                two_digits(seconds),
                two_digits(times),
                plan.system.size(),
                plan.oversampling,
            )
        })
    }
}

/// By which steps it was measured.
fn measured(plan: &Plan, found: &SceneFindings) -> String {
    let done = found.pace.done();
    if done == 0 {
        return "measured in the first step, which did not end".into();
    }
    if done == plan.steps() {
        return "measured in all steps".into();
    }
    let sound = plain((done as f64 / plan.internal_rate() * 1e6).round() / 1e6);
    let untouched = match plan.system.elements.is_empty() || found.touched {
        true => "",
        false => ", in which no contact closes: steps in which one does take longer",
    };
    format!("measured in {done} steps, the first {sound} s{untouched}")
}
