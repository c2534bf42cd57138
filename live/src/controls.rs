//! Controllers of MIDI that move parameters of the instrument as the player wants, beside those that its file names.
//!
//! A controller is given to a parameter on the command line, or learned: the next one that moves is that of the parameter that is chosen. Its
//! position goes over the range of the parameter.

use crate::failure::Failure;
use hamiltone_gestures::performance::controller::FOLLOWED;
use hamiltone_plan::parameter::ParameterPlan;
use hamiltone_play::Action;
use hamiltone_scene::document::{problem::printable, suggest::suggest};
use std::{
    fmt::{self, Display, Formatter},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// No parameter.
const NONE: usize = usize::MAX;
/// The numbers of controllers; beyond them lie the modes of channels.
const NUMBERS: usize = 120;

/// Whether a controller can move a parameter: none that has a meaning of its own, as a pedal.
fn is_free(number: u8) -> bool {
    usize::from(number) < NUMBERS && !FOLLOWED.contains(&number)
}

/// Which parameter each controller moves.
pub struct Controls {
    parameters: Vec<ParameterPlan>,
    /// The number of the parameter, by the number of the controller.
    moved: [AtomicUsize; NUMBERS],
    /// The parameter for which a controller is awaited.
    awaited: AtomicUsize,
}

/// A controller and the name of a parameter, as the command line has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    number: u8,
    parameter: String,
}

impl Control {
    /// Of a text such as `21=hammer`.
    ///
    /// # Errors
    /// Where it has another form, or the controller has a meaning of its own.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = || "a controller and a parameter are needed, such as 21=hammer".to_string();
        let (number, parameter) = text.split_once('=').ok_or_else(form)?;
        let number = number.trim().parse().ok().filter(|number| is_free(*number));
        let number = number.ok_or(
            "a controller has a number of 0 to 119 and no meaning of its own, as pedals and volume have: 20 to 31 and 102 to 119 are free",
        )?;
        Ok(Self { number, parameter: parameter.trim().into() })
    }
}

impl Display for Control {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.number, self.parameter)
    }
}

impl Controls {
    /// For an instrument with these parameters.
    ///
    /// # Errors
    /// Where it has no parameter of a name.
    pub fn new(parameters: &[ParameterPlan], asked: &[Control]) -> Result<Self, Failure> {
        let controls = Self {
            parameters: parameters.to_vec(),
            moved: [const { AtomicUsize::new(NONE) }; NUMBERS],
            awaited: AtomicUsize::new(NONE),
        };
        for Control { number, parameter } in asked {
            if controls.moved[usize::from(*number)].load(Relaxed) != NONE {
                return Err(Failure::input(format!("--control {number}: it can move one parameter only")));
            }
            let of = parameters.iter().position(|plan| plan.name == *parameter).ok_or_else(|| {
                let names = parameters.iter().map(|plan| plan.name.as_str());
                let help = suggest(parameter, names, "parameters");
                let name = printable(parameter);
                Failure::input(format!(
                    "--control {number}: the instrument has no parameter `{name}`; {help}"
                ))
            })?;
            controls.moved[usize::from(*number)].store(of, Relaxed);
        }
        Ok(controls)
    }

    /// The next controller that moves is to move this parameter.
    pub fn learn(&self, parameter: usize) {
        if parameter < self.parameters.len() {
            self.awaited.store(parameter, Relaxed);
        }
    }

    /// Whether a controller is awaited.
    pub fn awaits(&self) -> bool {
        self.awaited.load(Relaxed) != NONE
    }

    /// What an action does: that of a controller with a parameter moves this.
    ///
    /// ```
    /// use hamiltone_live::controls::Controls;
    /// use hamiltone_play::Action;
    ///
    /// let controls = Controls::new(&[], &[])?;
    /// let wheel = Action::Control { number: 1, value: 0.5 };
    /// assert_eq!(controls.apply(wheel), wheel);
    /// # Ok::<(), hamiltone_live::failure::Failure>(())
    /// ```
    pub fn apply(&self, action: Action) -> Action {
        let Action::Control { number, value } = action else { return action };
        if !is_free(number) {
            return action;
        }
        let moved = &self.moved[usize::from(number)];
        let awaited = self.awaited.swap(NONE, Relaxed);
        if awaited != NONE {
            moved.store(awaited, Relaxed);
        }
        let number = moved.load(Relaxed);
        self.parameters.get(number).map_or(action, |plan| Action::Parameter { number, value: plan.at(value) })
    }

    /// What was learned or asked for, a line each, with what keeps it.
    pub fn lines(&self) -> Vec<String> {
        let moved = self.moved.iter().map(|moved| self.parameters.get(moved.load(Relaxed)));
        let line = |(number, plan): (usize, Option<&ParameterPlan>)| {
            let name = &plan?.name;
            Some(format!(
                "{number} moves {name}: again by --control {number}={name}, or midi = {number} in [parameter.{name}]"
            ))
        };
        moved.enumerate().filter_map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_plan::parameter::{Changes, Unit};

    fn plan(name: &str, range: [f64; 2]) -> ParameterPlan {
        let (about, unit, changes) = (String::new(), Unit::Percent, Changes::Level);
        ParameterPlan {
            name: name.into(),
            about,
            unit,
            range,
            default: range[0],
            initial: range[0],
            midi: None,
            changes,
        }
    }

    fn moved(number: u8, value: f64) -> Action {
        Action::Control { number, value }
    }

    #[test]
    fn a_controller_is_learned_and_moves_the_whole_range() {
        let asked = Control::parse("3 = felt").unwrap();
        let controls = Controls::new(&[plan("hammer", [50.0, 150.0]), plan("felt", [0.0, 10.0])], &[asked]);
        let controls = controls.unwrap_or_else(|_| panic!("there is a felt"));
        let set = |number, value| Action::Parameter { number, value };
        assert_eq!(controls.apply(moved(3, 0.5)), set(1, 5.0));
        assert_eq!(controls.apply(moved(21, 1.0)), moved(21, 1.0));
        controls.learn(0);
        // A pedal stays one.
        assert_eq!(controls.apply(moved(64, 1.0)), moved(64, 1.0));
        assert!(controls.awaits());
        let values = [0.0, 0.5, 1.0].map(|value| controls.apply(moved(21, value)));
        assert_eq!(values, [set(0, 50.0), set(0, 100.0), set(0, 150.0)]);
        assert!(!controls.awaits());
        controls.learn(2);
        assert!(!controls.awaits(), "there is no third parameter");
        let lines = controls.lines();
        assert!(lines.len() == 2 && lines[1].contains("--control 21=hammer"), "{lines:?}");
    }

    #[test]
    fn what_no_controller_can_do_is_refused() {
        for text in ["21", "=hammer", "120=hammer", "-1=hammer", "64=hammer", "7=hammer", "1.5=hammer"] {
            assert!(Control::parse(text).is_err(), "{text}");
        }
        let asked = Control::parse("21=hamer").unwrap();
        let Err(Failure::Input(lines)) = Controls::new(&[plan("hammer", [0.0, 1.0])], &[asked]) else {
            panic!("there is no hamer");
        };
        assert!(lines[0].contains("`hamer`") && lines[0].contains("hammer"), "{lines:?}");
    }
}
