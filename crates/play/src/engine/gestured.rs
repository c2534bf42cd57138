//! The inputs of a part with the gestures on them: their values at both ends of a step.

use hamiltone_core::{
    element::{Element, Law},
    input::{Action, Input},
    port::Ported,
    state::Archive,
    system::System,
};
use hamiltone_gestures::{Playing, Shape, TooMany};

/// The time in which a factor approaches where it goes to to 1/e, s.
const GLIDE: f64 = 7e-3;
/// What is left of it is taken at once below this.
const NEAR: f64 = 1e-6;

/// Approaches an aim by a part of what is left.
pub(super) fn glide(factor: &mut f64, aim: f64, part: f64) {
    let left = aim - *factor;
    *factor = if left.abs() < NEAR { aim } else { *factor + part.min(1.0) * left };
}

/// A factor among the numbers of a state; 1 where that of another file is not finite.
pub(super) fn archive_factor(archive: &mut Archive, factor: &mut f64) {
    archive.number(factor);
    if !factor.is_finite() {
        *factor = 1.0;
    }
}

/// The inputs of a part.
#[derive(Clone)]
pub(super) struct Gestured {
    inputs: Vec<Played>,
    /// Those whose values can differ at the next step.
    changing: Vec<usize>,
    /// First all at the start of a step, then all at its end.
    values: Vec<f64>,
    /// The ports that an input prescribes a rate of.
    drawn: Vec<Drawn>,
    /// The inputs that prescribe pressures.
    blown: Vec<usize>,
}

/// A port with the inputs that prescribe its rate, and that which controls it.
#[derive(Clone, Debug)]
struct Drawn {
    law: Ported,
    rates: Vec<usize>,
    control: Option<usize>,
}

/// An input with the gestures on it.
#[derive(Clone, Debug)]
struct Played {
    playing: Playing,
    /// By what a parameter multiplies what gestures make it, and where that goes to.
    factor: f64,
    aim: f64,
    /// Whether it can supply energy, be it by letting a bow on the string.
    wakes: bool,
}

impl Gestured {
    /// Inputs that have these values without any gesture.
    pub fn new(system: &System, own: &[f64]) -> Self {
        let is_port = |element: &Element| matches!(element.law, Law::Port(_));
        let played = |(input, own): (&Input, &f64)| {
            let wakes = match &input.action {
                Action::Control(elements) => system.elements[elements.clone()].iter().any(is_port),
                _ => true,
            };
            Played { playing: Playing::new(*own), factor: 1.0, aim: 1.0, wakes }
        };
        let numbered = || system.inputs.iter().enumerate();
        let drawn = |(j, element): (usize, &Element)| {
            let Law::Port(law) = &element.law else { return None };
            let acts = |(_, input): &(usize, &Input), rate: bool| match &input.action {
                Action::Rate(elements) => rate && elements.contains(&j),
                Action::Control(elements) => !rate && elements.contains(&j),
                _ => false,
            };
            let rates: Vec<usize> = numbered().filter(|input| acts(input, true)).map(|(k, _)| k).collect();
            let control = numbered().find(|input| acts(input, false)).map(|(k, _)| k);
            (!rates.is_empty()).then(|| Drawn { law: law.clone(), rates, control })
        };
        Self {
            blown: numbered().filter(|(_, input)| system.is_blown_by(input)).map(|(k, _)| k).collect(),
            inputs: system.inputs.iter().zip(own).map(played).collect(),
            changing: Vec::with_capacity(system.inputs.len()),
            values: [own, own].concat(),
            drawn: system.elements.iter().enumerate().filter_map(drawn).collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Their values at both ends of the step.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Their values at its end.
    pub fn now(&self) -> &[f64] {
        &self.values[self.len()..]
    }

    /// Whether a port can supply energy, as a bow that is drawn or a reed that is blown: what it gives at its next step is not known from what is
    /// stored.
    pub fn supply(&self) -> bool {
        let now = self.now();
        self.drawn.iter().any(|Drawn { law, rates, control }| {
            let control = control.map_or(law.control, |k| now[k]);
            rates.iter().any(|k| now[*k] != 0.0) && !law.port.is_idle(law.seen(control))
        })
    }

    /// Whether anything is blown.
    pub fn blow(&self) -> bool {
        self.blown.iter().any(|k| self.now()[*k] != 0.0)
    }

    /// Whether any can have another value at the next step.
    pub fn change(&self) -> bool {
        !self.changing.is_empty()
    }

    /// Begins a gesture at a time, s, and answers whether it can supply energy.
    ///
    /// # Errors
    /// Where too many gestures act on this input.
    pub fn begin(&mut self, input: usize, shape: Shape, time: f64) -> Result<bool, TooMany> {
        let Played { playing, wakes, .. } = &mut self.inputs[input];
        playing.begin(shape, time)?;
        if !self.changing.contains(&input) {
            self.changing.push(input);
        }
        Ok(*wakes)
    }

    /// Goes on by a step of dt to its end, a time in s.
    pub fn advance(&mut self, dt: f64, end: f64) {
        let (before, after) = self.values.split_at_mut(self.inputs.len());
        before.copy_from_slice(after);
        self.changing.retain(|k| {
            let Played { playing, factor, aim, .. } = &mut self.inputs[*k];
            glide(factor, *aim, dt / GLIDE);
            after[*k] = *factor * playing.value(end);
            !playing.is_idle(end) || factor != aim
        });
    }

    /// Multiplies what gestures make an input by a factor, which is approached; where nothing moves it holds at once. The answer is whether it is
    /// to move from now, s, on.
    pub fn scale(&mut self, input: usize, factor: f64, (now, moves): (f64, bool)) -> bool {
        let played = &mut self.inputs[input];
        played.aim = factor;
        let value = played.playing.value(now);
        if moves || played.wakes && value != 0.0 {
            if !self.changing.contains(&input) {
                self.changing.push(input);
            }
            return true;
        }
        played.factor = factor;
        let count = self.len();
        [0, count].into_iter().for_each(|end| self.values[end + input] = factor * value);
        false
    }

    /// Multiplies the pressures that gestures make at the end of the step, a time in s.
    pub fn vary(&mut self, factor: f64, end: f64) {
        let (_, after) = self.values.split_at_mut(self.inputs.len());
        for k in &self.blown {
            let Played { playing, factor: own, .. } = &mut self.inputs[*k];
            after[*k] = factor * *own * playing.value(end);
        }
    }

    /// The value of an input at the end of the step, where no gesture gives it.
    pub fn set(&mut self, input: usize, value: f64) {
        let count = self.len();
        self.values[count + input] = value;
    }

    /// The value of an input from now on, where no gesture gives it and nothing moves.
    pub fn hold(&mut self, input: usize, value: f64) {
        self.values[input] = value;
        self.set(input, value);
    }

    /// Takes up the values that controls have by now, s.
    pub fn wake(&mut self, now: f64) {
        let (_, after) = self.values.split_at_mut(self.inputs.len());
        for (input, value) in self.inputs.iter().zip(after).filter(|(input, _)| !input.wakes) {
            *value = input.factor * input.playing.value(now);
        }
    }

    /// Goes through every number that the next step depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        for (k, input) in self.inputs.iter_mut().enumerate() {
            input.playing.archive(archive);
            archive_factor(archive, &mut input.factor);
            archive_factor(archive, &mut input.aim);
            // The list keeps its room.
            let place = self.changing.iter().position(|other| *other == k);
            let mut changes = place.is_some();
            archive.flag(&mut changes);
            match (place, changes) {
                (Some(place), false) => _ = self.changing.swap_remove(place),
                (None, true) => self.changing.push(k),
                _ => {}
            }
        }
        self.changing.sort_unstable();
        archive.numbers(&mut self.values);
    }
}
