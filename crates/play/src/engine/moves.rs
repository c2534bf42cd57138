//! What a player moves while the instrument sounds: its parameters, and the pitch wheel.

use super::{
    Engine,
    bend::VibratoOrder,
    island::{Island, Order},
    parameters::MAX_BEND,
};
use hamiltone_gestures::performance::controller;
use hamiltone_plan::{
    notes::level,
    parameter::{Changes, ParameterPlan},
};

impl Engine {
    /// The parameters of the instrument, in the order of its file.
    pub fn parameters(&self) -> &[ParameterPlan] {
        &self.parameters.plans
    }

    /// The value that a parameter has or goes to, in its unit; that of no parameter is NaN.
    pub fn parameter(&self, number: usize) -> f64 {
        self.parameters.values.get(number).copied().unwrap_or(f64::NAN)
    }

    /// Moves a parameter to the nearest value in its range: what it changes follows from the next sample on, within some 5 to 10 ms, a controller within
    /// [`super::FOLLOW`] samples. Work that this does is in the energy balance. `false` where there is no parameter of this number.
    ///
    /// ```
    /// use hamiltone_play::engine::Engine;
    /// use hamiltone_scene::instrument::Instrument;
    ///
    /// let text = r#"
    ///     hamiltone = 2
    ///     [instrument]
    ///     keys = [69]
    ///     [key.body.fork]
    ///     kind = "oscillator"
    ///     mass = "2 g"
    ///     frequency = "{frequency} Hz"
    ///     [key.pickup.fork]
    ///     at = "fork"
    ///     [[note_on]]
    ///     gesture = "strike"
    ///     at = "fork"
    ///     speed = "{velocity} m/s"
    ///     [parameter.hammer]
    ///     about = "speed of the hammer"
    ///     at = ["fork"]
    ///     min = 0
    ///     max = 200
    ///     default = 100
    /// "#;
    /// let plan = Instrument::new(text, "fork.toml", ".".as_ref(), &[]).plan(48_000.0, None)?;
    /// let mut energy = [100.0, 50.0].map(|percent| {
    ///     let mut engine = Engine::new(&plan).expect("it can be played");
    ///     engine.set_parameter(0, percent);
    ///     engine.note_on(69, 1.0);
    ///     engine.render(&mut [0.0_f64; 2 * 480]);
    ///     engine.settle();
    ///     engine.audits().map(|audit| audit.supplied).sum::<f64>()
    /// });
    /// assert!((energy[0] / energy[1] - 4.0).abs() < 1e-9);
    /// # Ok::<(), hamiltone_scene::Diagnostics>(())
    /// ```
    pub fn set_parameter(&mut self, number: usize, value: f64) -> bool {
        let Self { parameters, islands, passed, .. } = self;
        let Some(plan) = parameters.plans.get(number) else { return false };
        let value = plan.within(value);
        parameters.values[number] = value;
        let factor = plan.factor(value);
        let mut order = |to: &dyn Fn(usize) -> Order| {
            for (island, own) in &parameters.targets[number] {
                islands[*island].order(*passed, to(*own));
            }
        };
        match plan.changes {
            Changes::Inputs(_) => order(&|input| Order::Scale(input, factor)),
            Changes::Pickups(_) => order(&|output| Order::Sound(output, factor)),
            Changes::Controller(number) => _ = self.follow_controller(number, value / 100.0),
            Changes::Tension => {
                parameters.tension = value / 100.0;
                self.order_bend();
            }
            Changes::Level => {
                parameters.level = factor;
                self.turn();
            }
        }
        true
    }

    /// Moves the parameter that a controller of MIDI moves, to a part of its range; `false` where there is none.
    pub(super) fn move_by(&mut self, controller: u8, position: f64) -> bool {
        let number = self.moved_by(controller);
        number.is_some_and(|number| self.set_parameter(number, self.parameters.plans[number].at(position)))
    }

    /// Lets keys and a vibrato follow a controller; `false` where none does.
    pub(super) fn follow_controller(&mut self, number: u8, value: f64) -> bool {
        let is_wheel = number == controller::MODULATION;
        if is_wheel {
            self.order_vibrato(VibratoOrder::Wheel(value));
        }
        self.voices.controller(number, level(value)) || is_wheel && self.vibrates
    }

    /// The number of the parameter that a controller of MIDI moves.
    pub(super) fn moved_by(&self, controller: u8) -> Option<usize> {
        self.parameters.plans.iter().position(|plan| plan.midi == Some(controller))
    }

    /// Gives all parameters their initial values, where these change anything.
    pub(super) fn begin(&mut self) {
        for number in 0..self.parameters.plans.len() {
            let plan = &self.parameters.plans[number];
            let neutral = match plan.changes {
                // A controller that nobody has moved changes nothing.
                Changes::Controller(_) => plan.initial == plan.default,
                Changes::Tension => plan.initial == 0.0,
                _ => plan.factor(plan.initial) == 1.0,
            };
            if !neutral {
                self.set_parameter(number, plan.initial);
            }
        }
        self.arrive();
    }

    /// The level of the sound is at once where it goes to: for a beginning, where nothing sounds yet that could click.
    pub fn arrive(&mut self) {
        self.console.arrive();
    }

    /// Bends all strings by so many semitones, at most [`MAX_BEND`] either way, by a change of their tension within some
    /// milliseconds; `false` where that is too far, or the instrument has no strings whose tension can be changed.
    pub fn bend(&mut self, semitones: f64) -> bool {
        let within = semitones.abs() <= MAX_BEND;
        self.parameters.wheel = if semitones.is_nan() { 0.0 } else { semitones.clamp(-MAX_BEND, MAX_BEND) };
        self.order_bend();
        self.bends && within
    }

    fn order_bend(&mut self) {
        let bend = Order::Bend(self.parameters.bend());
        self.islands.iter_mut().for_each(|island: &mut Island| island.order(self.passed, bend));
    }

    /// Lets the level of the sound go to what it is to be.
    pub(super) fn turn(&mut self) {
        self.console.turn(self.passed, self.parameters.gain());
    }
}
