//! The parameters of an instrument with their values, and what the pitch wheel and volume controllers do beside them.

use hamiltone_core::state::Archive;
use hamiltone_plan::parameter::{Changes, ParameterPlan};

/// The farthest that strings are bent, semitones.
pub const MAX_BEND: f64 = 24.0;

/// The parameters of an instrument with their values.
pub struct Parameters {
    pub plans: Vec<ParameterPlan>,
    pub values: Vec<f64>,
    /// The inputs or pickups that each multiplies: the part and the number in it.
    pub targets: Vec<Vec<(usize, usize)>>,
    /// How far the pitch wheel and a parameter bend all strings, semitones.
    pub wheel: f64,
    pub tension: f64,
    /// Factors of the level: of the volume controllers, and of a parameter.
    pub volume: f64,
    pub expression: f64,
    pub level: f64,
}

impl Parameters {
    /// Those of an instrument whose inputs and pickups have these numbers in these parts.
    pub fn new(plans: &[ParameterPlan], of_input: &[(usize, usize)], of_pickup: &[(usize, usize)]) -> Self {
        let targets = |plan: &ParameterPlan| match &plan.changes {
            Changes::Inputs(inputs) => inputs.iter().map(|input| of_input[*input]).collect(),
            Changes::Pickups(pickups) => pickups.iter().map(|pickup| of_pickup[*pickup]).collect(),
            Changes::Tension | Changes::Level | Changes::Controller(_) => Vec::new(),
        };
        Self {
            values: plans.iter().map(|plan| plan.initial).collect(),
            targets: plans.iter().map(targets).collect(),
            plans: plans.to_vec(),
            wheel: 0.0,
            tension: 0.0,
            volume: 1.0,
            expression: 1.0,
            level: 1.0,
        }
    }

    /// The factor of the level of the sound.
    pub fn gain(&self) -> f64 {
        self.volume * self.expression * self.level
    }

    /// How far all strings are bent, semitones.
    pub fn bend(&self) -> f64 {
        (self.wheel + self.tension).clamp(-MAX_BEND, MAX_BEND)
    }

    /// Goes through every number.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.numbers(&mut self.values);
        // Of another file they could lie beyond.
        self.values.iter_mut().zip(&self.plans).for_each(|(value, plan)| *value = plan.within(*value));
        let Self { wheel, tension, volume, expression, level, .. } = self;
        [wheel, tension, volume, expression, level].into_iter().for_each(|x| archive.number(x));
    }
}
