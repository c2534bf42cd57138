//! The stages in which a plan is built: bodies → connections → excitation → sound.
//!
//! Each stage owns the one before it and can be read and written like it. So a section can refer to all that was built before it, and
//! to nothing that comes later: a contact finds bodies, a drive finds contacts, and a scheme is asked about a system in which
//! everything is.

use super::{
    bus::Wanted,
    inputs::{GestureInput, Moment},
    output::Settings,
    reader::Reader,
};
use hamiltone_core::{body::Placed, parameter::Detail, system::System};
use hamiltone_plan::{BodyPlan, BusPlan, ContactPlan, Drive, Pickup, ReducedPlan};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::{Deref, DerefMut, Range},
    sync::Arc,
};

/// The bodies of a scene.
pub struct Bodies<'a> {
    /// How sections are read.
    pub reader: Reader<'a>,
    /// Whether bodies are represented by modes unless they say otherwise.
    pub by_modes: bool,
    /// How finely bodies are represented that do not say so, where no scheme is named.
    pub detail: Option<Detail>,
    /// The time step that the scene states, or one sample, s.
    pub step: f64,
    /// The system so far.
    pub system: System,
    /// By name; `None` where it is broken.
    pub bodies: BTreeMap<String, Option<Arc<Placed>>>,
    /// The bodies that could be built.
    pub body_plans: Vec<BodyPlan>,
    /// The bodies of which the scene says on how many intervals they are.
    pub with_intervals: BTreeSet<String>,
    /// The blocks of the system that are suspensions of bodies.
    pub suspensions: BTreeSet<usize>,
}

/// The links and contacts between them.
pub struct Connections<'a> {
    bodies: Bodies<'a>,
    /// By name: its number in `contact_plans`.
    pub contacts: BTreeMap<String, Option<usize>>,
    /// The contacts that could be built.
    pub contact_plans: Vec<ContactPlan>,
    /// Whether there are more contacts than the limit allows.
    pub contacts_exceeded: bool,
}

/// What sets them in motion: drives and gestures.
pub struct Excitation<'a> {
    connections: Connections<'a>,
    /// One for each input of the system.
    pub drives: Vec<Drive>,
    /// The drives that are initial conditions.
    pub initial: Vec<String>,
    /// The inputs that gestures act on.
    pub gesture_inputs: Vec<GestureInput>,
    /// The number of what this text names in `gesture_inputs`.
    pub gesture_inputs_by: BTreeMap<String, usize>,
    /// The gestures of the score.
    pub gestures: Vec<Moment>,
    /// Which drive controls the contacts whose parts begin at this element.
    pub controlled: BTreeMap<(&'static str, usize), String>,
}

/// What is heard of them: pickups and the buses that they are in.
pub struct Sound<'a> {
    excitation: Excitation<'a>,
    /// What `[output]` states.
    pub settings: Option<Settings>,
    /// By name, `None` where it is broken, with where it stands.
    pub buses: BTreeMap<String, (Option<BusPlan>, Range<usize>)>,
    /// One for each output of the system.
    pub pickups: Vec<Pickup>,
    /// How many the scene states: one that is broken is none of them.
    pub stated: usize,
    /// How each of them goes into the sound.
    pub wanted: Vec<Wanted>,
    /// The buses that are heard without a pickup in them.
    pub heard: Vec<String>,
    /// What was replaced by modes.
    pub reduced: Vec<ReducedPlan>,
}

/// A stage is the one before it and more.
macro_rules! adds_to {
    ($stage:ident, $field:ident: $before:ident) => {
        impl<'a> Deref for $stage<'a> {
            type Target = $before<'a>;

            fn deref(&self) -> &Self::Target {
                &self.$field
            }
        }

        impl DerefMut for $stage<'_> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.$field
            }
        }
    };
}

adds_to!(Bodies, reader: Reader);
adds_to!(Connections, bodies: Bodies);
adds_to!(Excitation, connections: Connections);
adds_to!(Sound, excitation: Excitation);

impl<'a> Bodies<'a> {
    /// No bodies yet.
    pub fn new(reader: Reader<'a>, by_modes: bool, detail: Option<Detail>, step: f64) -> Self {
        Self {
            reader,
            by_modes,
            detail,
            step,
            system: System::default(),
            bodies: BTreeMap::new(),
            body_plans: Vec::new(),
            with_intervals: BTreeSet::new(),
            suspensions: BTreeSet::new(),
        }
    }
}

impl<'a> Connections<'a> {
    /// No links or contacts yet.
    pub fn new(bodies: Bodies<'a>) -> Self {
        Self { bodies, contacts: BTreeMap::new(), contact_plans: Vec::new(), contacts_exceeded: false }
    }
}

impl<'a> Excitation<'a> {
    /// Nothing is driven yet.
    pub fn new(connections: Connections<'a>) -> Self {
        Self {
            connections,
            drives: Vec::new(),
            initial: Vec::new(),
            gesture_inputs: Vec::new(),
            gesture_inputs_by: BTreeMap::new(),
            gestures: Vec::new(),
            controlled: BTreeMap::new(),
        }
    }
}

impl<'a> Sound<'a> {
    /// No pickups yet.
    pub fn new(excitation: Excitation<'a>, settings: Option<Settings>) -> Self {
        Self {
            excitation,
            settings,
            buses: BTreeMap::new(),
            pickups: Vec::new(),
            stated: 0,
            wanted: Vec::new(),
            heard: Vec::new(),
            reduced: Vec::new(),
        }
    }
}
