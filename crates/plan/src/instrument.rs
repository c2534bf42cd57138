//! An instrument that is ready to be played.

use crate::{
    control_curve::ControlCurve,
    notes::{Notes, level},
    parameter::ParameterPlan,
    plan::Plan,
};
use hamiltone_core::input::Action;
use hamiltone_gestures::Shape;
use std::{collections::BTreeSet, ops::Range};

/// An instrument that is ready to be played.
pub struct InstrumentPlan {
    /// All of its parts, at rest.
    pub plan: Plan,
    /// What notes and pedals do.
    pub notes: Notes,
    /// The gestures, by the numbers that notes refer to.
    pub gestures: Vec<GesturePlan>,
    /// Which pickups drive other bodies.
    pub transfers: Vec<TransferPlan>,
    /// The strings whose tension can change.
    pub tensions: Vec<TensionPlan>,
    /// What a player moves while it sounds.
    pub parameters: Vec<ParameterPlan>,
    /// Below this energy a part that nothing connects with others sleeps, J.
    pub sleep: f64,
    /// How the velocity of a key is mapped, 0 to 1, before formulas have it.
    pub velocity_curve: ControlCurve,
    /// How the position of the sustain pedal is mapped, 0 to 1, before anything follows it.
    pub pedal_curve: ControlCurve,
    /// The vibrato of its strings and of the pressures with which it is blown.
    pub vibrato: Vibrato,
    /// The frequency of A4 where no tuning says otherwise, Hz.
    pub a4: f64,
    /// Whether a formula asks for the frequency of a key.
    pub is_tuned: bool,
    /// Steps a sample of all parts, where the instrument states them.
    pub oversampling: Option<usize>,
}

/// A vibrato: the tension of all strings varies while a finger stops one; of strings without frets and of keys, while any note is held. The pressures in mouths vary while any note is held.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Vibrato {
    /// By how much the pitch of strings varies either way, cents; 0 for none.
    pub depth: f64,
    /// By which part of it each pressure varies either way; 0 for none.
    pub pressure: f64,
    /// Its frequency, Hz.
    pub rate: f64,
    /// How long after the onset of a note it begins, s; it has its depth after twice that.
    pub delay: f64,
}

impl InstrumentPlan {
    /// The keys that it plays in the program that is chosen at first, ascending.
    pub fn keys(&self) -> Vec<u8> {
        let keys: BTreeSet<u8> = self.notes.keys_at_first().map(|of| of.key).collect();
        keys.into_iter().collect()
    }

    /// Whether its notes sound for as long as a player moves a bow or blows, so that their sound repeats itself: whether a note of the program that is chosen at
    /// first sets a rate at half of the velocity.
    pub fn is_sustained(&self) -> bool {
        let sets_rate = |gesture: &u32| {
            let input = self.gestures[*gesture as usize].input;
            matches!(self.plan.system.inputs[input].action, Action::Rate(_))
        };
        self.notes.keys_at_first().any(|of| of.on[0].at(level(0.5)).iter().any(sets_rate))
    }

    /// Gives the parameters these values at first, in their order and units, as a preset does.
    pub fn begin_with(&mut self, values: &[f64]) {
        for (parameter, value) in self.parameters.iter_mut().zip(values) {
            parameter.initial = parameter.within(*value);
        }
    }
}

/// A string or membrane whose tension can change, for bends and a vibrato.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct TensionPlan {
    /// Its degrees of freedom.
    pub dofs: Range<usize>,
    /// Which part of the stiffness of each comes from tension ([`hamiltone_core::body::Representation::tension_stiffness`]); none of a membrane.
    pub share: Vec<f64>,
    /// The input of the system that adds to its tension, N, where that grows with its amplitude; it has no drive of its own.
    pub strain: Option<usize>,
}

/// A gesture of an instrument.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct GesturePlan {
    /// The input of the system on which it acts.
    pub input: usize,
    /// What it does.
    pub shape: Shape,
    /// How long after the note or pedal it begins, s.
    pub delay: f64,
}

/// Forces that go elsewhere, where nothing acts back.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct TransferPlan {
    /// The pickups that read them.
    pub pickups: Vec<usize>,
    /// Where their sum goes.
    pub to: TransferTo,
}

/// Where the sum of forces goes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub enum TransferTo {
    /// It drives a body: the input of the system.
    Body(usize),
    /// It is heard through an impulse response.
    Response(Response),
}

/// The impulse response of a body, from a force to what is heard.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Response {
    /// One channel, or a left and a right one.
    pub channels: Vec<Vec<f64>>,
    /// Its gain, dB.
    pub gain: f64,
    /// The name of the bus that it goes into.
    pub bus: String,
}
