//! The plan: a scene resolved, checked and ready to run, in SI units.
//!
//! Every error that a user can make is found on the way here, all at once.
//! Nothing after the plan knows TOML, units or files.

use crate::{
    format::Format,
    output::{OutputPlan, PickupMix},
};
use hamiltone_core::{
    body::{Measure, Placed, Solved},
    geometry::Position,
    measure::HIGHEST_AUDIBLE,
    row::Row,
    scheme::Scheme,
    system::{Block, System},
};
use hamiltone_gestures::Signal;
use std::{borrow::Cow, ops::Range, sync::Arc};

/// The part of the sample rate up to which a sound is taken to go: above it lies the edge of low-passes.
const AUDIBLE_PART: f64 = 0.45;

/// Up to which frequency a sound of this rate (Hz) goes, Hz: 20 kHz, or 0.45 of the rate.
pub fn audible(sample_rate: f64) -> f64 {
    HIGHEST_AUDIBLE.min(AUDIBLE_PART * sample_rate)
}

/// A scene that is ready to run.
pub struct Plan {
    /// The format of the scene.
    pub format: Format,
    /// The scene's title, or its file's name.
    pub title: String,
    /// Where the scene's numbers come from, as the scene says.
    pub source: Option<String>,
    /// SHA-256 of the scene's text with every `--set` applied, hexadecimal.
    pub scene_sha256: String,
    /// The assembled system; its inputs are the drives, its outputs the pickups, in order.
    pub system: System,
    /// The method, its options applied.
    pub scheme: Box<dyn Scheme>,
    /// The rate of the sound, Hz.
    pub sample_rate: f64,
    /// Internal steps per sample of the sound.
    pub oversampling: usize,
    /// Samples of the sound: sample i is the state at t = i/sample_rate.
    pub frames: usize,
    /// The largest relative residual that passes where the scheme's balance is only bounded; below 1.
    pub balance_bound: f64,
    /// How far audible partials may sound from theory, cents, where the scene says so.
    pub tuning_tolerance: Option<f64>,
    /// The drives, one for each input of the system.
    pub drives: Vec<Drive>,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<BodyPlan>,
    /// What was replaced by modes that were found numerically.
    pub reduced: Vec<ReducedPlan>,
    /// The contacts, in the order of the scene.
    pub contacts: Vec<ContactPlan>,
    /// The names of the drives that are initial conditions, in the order of the scene.
    pub initial: Vec<String>,
    /// The gestures of the score, each from its begin until it is over or its level is reached, s; what they act on is among
    /// the drives.
    pub gestures: Vec<Range<f64>>,
    /// The bodies that nothing holds.
    pub free: Vec<FreeBody>,
    /// The pickups, one for each output of the system.
    pub pickups: Vec<Pickup>,
    /// How the sound is written.
    pub output: OutputPlan,
    /// The files that the scene reads, such as the sounds of drives: no output may take their place.
    pub inputs: Vec<std::path::PathBuf>,
    /// Whether the scheme has advice on this run, which is among the warnings.
    pub advised: bool,
    /// What was chosen where `[run]` names no scheme, and why.
    pub choices: Vec<String>,
    /// What the user should know, though it runs.
    pub warnings: Vec<String>,
}

/// A drive: a named external force over time.
pub struct Drive {
    /// Its name in the scene.
    pub name: String,
    /// The unit of its value: N, or Pa for a body per unit area and the air in a tube; of a moving contact m.
    pub unit: Cow<'static, str>,
    /// Its value at time t (s) at the internal rate.
    pub signal: Box<dyn Signal>,
}

/// A body's place in the system.
pub struct BodyPlan {
    /// Its name in the scene.
    pub name: String,
    /// Its degrees of freedom, what they are measured in, and its places.
    pub placed: Arc<Placed>,
    /// What was found so that it sounds as asked.
    pub solved: Vec<Solved>,
}

/// A body that nothing holds, and that drifts once it is set in motion: a hammer after its blow, a bar without supports.
pub struct FreeBody {
    /// Its name in the scene.
    pub name: String,
    /// The row of its mean displacement, weighted by mass, m.
    pub mean: Row,
}

/// Bodies that were replaced by the modes of their common motion.
pub struct ReducedPlan {
    /// Their names.
    pub bodies: Vec<String>,
    /// Whether links act on them, suspensions aside, and the modes are of bodies and links together.
    pub linked: bool,
    /// How many coordinates they had.
    pub coordinates: usize,
    /// The coordinates of the modes in the system.
    pub dofs: Range<usize>,
    /// The modes, the lowest first.
    pub modes: Vec<ReducedMode>,
}

/// A mode that was found numerically.
pub struct ReducedMode {
    /// ω without losses, rad/s; 0 of a rigid motion.
    pub omega: f64,
    /// σ without the damping of supports, 1/s: what the losses of the bodies and links ask for.
    pub requested: f64,
    /// Whether it is a rigid motion on supports, and bends nothing.
    pub is_supported: bool,
}

/// A contact's place in the system.
pub struct ContactPlan {
    /// Its name in the scene.
    pub name: String,
    /// Its law, as `list contacts` calls it.
    pub law: &'static str,
    /// Its contacts in the system: one, or one a point where it acts along a body.
    pub parts: Range<usize>,
    /// What the bodies that it joins are measured in.
    pub measure: Measure,
    /// Whether its law is per unit length of a body.
    pub per_length: bool,
    /// Where its parts lie, if they lie along a body.
    pub along: Option<Along>,
}

/// The parts of a contact along a body.
pub struct Along {
    /// The body's name.
    pub body: String,
    /// Where each lies, m from the left end of a string or bar, or from the first end of a line on a surface.
    pub x: Vec<f64>,
    /// Where each lies on the body.
    pub at: Vec<Position>,
    /// The displacement of the body that closes each, m.
    pub heights: Vec<f64>,
}

impl Plan {
    /// The internal rate 1/Δt, Hz.
    pub fn internal_rate(&self) -> f64 {
        self.sample_rate * self.oversampling as f64
    }

    /// The number of internal steps.
    pub fn steps(&self) -> u64 {
        self.frames as u64 * self.oversampling as u64
    }

    /// The number of channels of the file of a bus; 0 where there is no such bus.
    pub fn channels(&self, bus: usize) -> usize {
        let pickups = self.pickups.iter().filter(|pickup| pickup.mix.bus == Some(bus)).count();
        self.output.buses.get(bus).map_or(0, |bus| bus.channels.count(pickups))
    }

    /// The blocks of the longitudinal modes of strings: `NAME.longitudinal`, NAME being that of a body, which has no point.
    pub fn longitudinal(&self) -> impl Iterator<Item = &Block> {
        let body = |block: &Block| {
            let owner = block.name.strip_suffix(".longitudinal");
            owner.is_some_and(|owner| self.bodies.iter().any(|body| body.name == owner))
        };
        self.system.blocks.iter().filter(move |block| body(block))
    }

    /// The unit of all energies.
    pub fn energy_unit(&self) -> &'static str {
        self.measure().energy()
    }

    /// What the first body is measured in: the energies of all have the same unit.
    pub fn measure(&self) -> Measure {
        self.bodies.first().map_or(Measure::Length, |body| body.placed.measure)
    }
}

/// What is read from the system at every sample.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Pickup {
    /// Its name in the scene.
    pub name: String,
    /// What it reads, such as "displacement" or "pressure".
    pub quantity: Cow<'static, str>,
    /// The unit of what it reads.
    pub unit: Cow<'static, str>,
    /// How it goes into the sound.
    pub mix: PickupMix,
}

impl Pickup {
    /// The unit of what goes into the sound: of a displacement over a magnet that of a velocity.
    pub fn sound_unit(&self) -> &str {
        if self.mix.magnet.is_some() { "m/s" } else { &self.unit }
    }
}
