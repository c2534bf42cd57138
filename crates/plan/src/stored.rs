//! The plan of an instrument as bytes: read again it plays the same bits, without a reader of TOML.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `HAMILTON` |
//! | 4 | the version of this layout, [`LAYOUT`], little-endian |
//! | n | the plan in the encoding of postcard |
//! | 8 | the check sum of all before ([`hamiltone_core::checksum`]) |
//!
//! What only `check` and renders ask for is not kept: [`Plan::bodies`], [`Plan::reduced`], [`Plan::contacts`], [`Plan::free`], [`Plan::initial`] and [`Plan::gestures`] are empty
//! in a plan that was read, [`Plan::frames`] is 0 and [`Plan::tuning_tolerance`] none.
//!
//! The check sum finds damage, and what stands for nothing is refused; but bytes that someone made on purpose can still cost any time and memory, as a program can.

use crate::{
    control_curve::ControlCurve,
    format::Format,
    instrument::{GesturePlan, InstrumentPlan, TensionPlan, TransferPlan, TransferTo, Vibrato},
    notes::{Levels, Notes, OfKey, Unit},
    output::OutputPlan,
    parameter::{Changes, ParameterPlan},
    plan::{Drive, Pickup, Plan},
};
use hamiltone_core::{
    check::check,
    checksum::{seal, unseal},
    element::Element,
    form::Form,
    input::Input,
    joint::Joint,
    row::Row,
    system::{Block, Initial, Output, System},
};
use hamiltone_elements::stored::StoredLaw;
use hamiltone_gestures::Events;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt, path::PathBuf};

/// The version of the layout: another one is not read.
pub const LAYOUT: u32 = 5;
/// The most steps a sample, and the highest rate, Hz.
const MAX_OVERSAMPLING: usize = 4096;
const MAX_RATE: f64 = 1e7;
const NAME: &[u8; 8] = b"HAMILTON";

/// Why bytes are no plan that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They do not begin as a plan does.
    NotAPlan,
    /// They have another layout, of this version.
    Layout(u32),
    /// They are not those that were written.
    Damaged,
    /// They say what no instrument can be.
    Wrong(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::NotAPlan => f.write_str("this is no plan of an instrument"),
            Unreadable::Layout(version) => write!(
                f,
                "this plan has the layout {version}, and this program reads {LAYOUT}: make it again from the instrument"
            ),
            Unreadable::Damaged => f.write_str("this plan is damaged: make it again from the instrument"),
            Unreadable::Wrong(what) => write!(f, "this plan cannot be played: {what}"),
        }
    }
}

impl std::error::Error for Unreadable {}

#[derive(Serialize, Deserialize)]
struct StoredElement {
    name: String,
    rows: Vec<Row>,
    gap: f64,
    law: StoredLaw,
}

#[derive(Serialize, Deserialize)]
struct StoredSystem<'a> {
    mass: Cow<'a, [f64]>,
    blocks: Cow<'a, [Block]>,
    joints: Cow<'a, [Joint]>,
    forms: Cow<'a, [Form]>,
    elements: Vec<StoredElement>,
    inputs: Cow<'a, [Input]>,
    outputs: Cow<'a, [Output]>,
    initial: Cow<'a, Initial>,
}

/// An input: its name and unit, and its value until anyone plays.
#[derive(Serialize, Deserialize)]
struct StoredDrive {
    name: String,
    unit: String,
    value: f64,
}

#[derive(Serialize, Deserialize)]
struct StoredPlan<'a> {
    format: Format,
    title: Cow<'a, str>,
    source: Option<String>,
    scene_sha256: Cow<'a, str>,
    system: StoredSystem<'a>,
    scheme: Cow<'a, str>,
    sample_rate: f64,
    steps: usize,
    balance_bound: f64,
    drives: Vec<StoredDrive>,
    pickups: Cow<'a, [Pickup]>,
    output: Cow<'a, OutputPlan>,
    inputs: Cow<'a, [PathBuf]>,
    choices: Cow<'a, [String]>,
    warnings: Cow<'a, [String]>,
    notes: Cow<'a, Notes>,
    gestures: Cow<'a, [GesturePlan]>,
    transfers: Cow<'a, [TransferPlan]>,
    tensions: Cow<'a, [TensionPlan]>,
    parameters: Cow<'a, [ParameterPlan]>,
    sleep: f64,
    velocity_curve: Cow<'a, ControlCurve>,
    pedal_curve: Cow<'a, ControlCurve>,
    vibrato: Vibrato,
    a4: f64,
    is_tuned: bool,
    oversampling: Option<usize>,
}

impl InstrumentPlan {
    /// The plan as bytes; `None` of one with parts that are not kept: a formula as a force law, options of a scheme, a law or an input of another crate.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let plan = &self.plan;
        let named = hamiltone_schemes::named(plan.scheme.name())?;
        if named.identity() != plan.scheme.identity() {
            return None;
        }
        let element = |Element { name, rows, gap, law }: &Element| {
            Some(StoredElement {
                name: name.clone(),
                rows: rows.clone(),
                gap: *gap,
                law: StoredLaw::of(law)?,
            })
        };
        let System { mass, blocks, joints, forms, elements, inputs, outputs, initial } = &plan.system;
        let drive = |Drive { name, unit, signal }: &Drive| StoredDrive {
            name: name.clone(),
            unit: unit.clone().into_owned(),
            value: signal.value(0.0),
        };
        let stored = StoredPlan {
            format: plan.format,
            title: (&plan.title).into(),
            source: plan.source.clone(),
            scene_sha256: (&plan.scene_sha256).into(),
            system: StoredSystem {
                mass: mass.into(),
                blocks: blocks.into(),
                joints: joints.into(),
                forms: forms.into(),
                elements: elements.iter().map(element).collect::<Option<_>>()?,
                inputs: inputs.into(),
                outputs: outputs.into(),
                initial: Cow::Borrowed(initial),
            },
            scheme: plan.scheme.name().into(),
            sample_rate: plan.sample_rate,
            steps: plan.oversampling,
            balance_bound: plan.balance_bound,
            drives: plan.drives.iter().map(drive).collect(),
            pickups: (&plan.pickups).into(),
            output: Cow::Borrowed(&plan.output),
            inputs: (&plan.inputs).into(),
            choices: (&plan.choices).into(),
            warnings: (&plan.warnings).into(),
            notes: Cow::Borrowed(&self.notes),
            gestures: (&self.gestures).into(),
            transfers: (&self.transfers).into(),
            tensions: (&self.tensions).into(),
            parameters: (&self.parameters).into(),
            sleep: self.sleep,
            velocity_curve: Cow::Borrowed(&self.velocity_curve),
            pedal_curve: Cow::Borrowed(&self.pedal_curve),
            vibrato: self.vibrato,
            a4: self.a4,
            is_tuned: self.is_tuned,
            oversampling: self.oversampling,
        };
        let mut bytes = [&NAME[..], &LAYOUT.to_le_bytes()].concat();
        bytes = postcard::to_extend(&stored, bytes).ok()?;
        seal(&mut bytes);
        Some(bytes)
    }

    /// The plan in these bytes.
    ///
    /// # Errors
    /// Where they are none, of another layout, damaged, or say what no instrument can be.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        let rest = bytes.strip_prefix(NAME).ok_or(Unreadable::NotAPlan)?;
        let (layout, _) = rest.split_first_chunk::<4>().ok_or(Unreadable::Damaged)?;
        let layout = u32::from_le_bytes(*layout);
        if layout != LAYOUT {
            return Err(Unreadable::Layout(layout));
        }
        let content =
            unseal(bytes).and_then(|bytes| bytes.get(NAME.len() + 4..)).ok_or(Unreadable::Damaged)?;
        let stored: StoredPlan<'_> = postcard::from_bytes(content).map_err(|_| Unreadable::Damaged)?;
        stored.plan()
    }
}

impl StoredPlan<'_> {
    fn plan(self) -> Result<InstrumentPlan, Unreadable> {
        let wrong = |what: &str| Unreadable::Wrong(what.into());
        let scheme =
            hamiltone_schemes::named(&self.scheme).ok_or_else(|| wrong("its scheme is not known"))?;
        let StoredSystem { mass, blocks, joints, forms, elements, inputs, outputs, initial } = self.system;
        let element =
            |StoredElement { name, rows, gap, law }| Element { name, rows, gap, law: StoredLaw::law(law) };
        let system = System {
            mass: mass.into_owned(),
            blocks: blocks.into_owned(),
            joints: joints.into_owned(),
            forms: forms.into_owned(),
            elements: elements.into_iter().map(element).collect(),
            inputs: inputs.into_owned(),
            outputs: outputs.into_owned(),
            initial: initial.into_owned(),
        };
        let drive = |StoredDrive { name, unit, value }| Drive {
            name,
            unit: unit.into(),
            signal: Box::new(Events::new(value, Vec::new())),
        };
        let plan = Plan {
            format: self.format,
            title: self.title.into_owned(),
            source: self.source,
            scene_sha256: self.scene_sha256.into_owned(),
            system,
            scheme,
            sample_rate: self.sample_rate,
            oversampling: self.steps,
            frames: 0,
            balance_bound: self.balance_bound,
            tuning_tolerance: None,
            drives: self.drives.into_iter().map(drive).collect(),
            bodies: Vec::new(),
            reduced: Vec::new(),
            contacts: Vec::new(),
            initial: Vec::new(),
            gestures: Vec::new(),
            free: Vec::new(),
            pickups: self.pickups.into_owned(),
            output: self.output.into_owned(),
            inputs: self.inputs.into_owned(),
            advised: false,
            choices: self.choices.into_owned(),
            warnings: self.warnings.into_owned(),
        };
        let plan = InstrumentPlan {
            plan,
            notes: self.notes.into_owned(),
            gestures: self.gestures.into_owned(),
            transfers: self.transfers.into_owned(),
            tensions: self.tensions.into_owned(),
            parameters: self.parameters.into_owned(),
            sleep: self.sleep,
            velocity_curve: self.velocity_curve.into_owned(),
            pedal_curve: self.pedal_curve.into_owned(),
            vibrato: self.vibrato,
            a4: self.a4,
            is_tuned: self.is_tuned,
            oversampling: self.oversampling,
        };
        is_whole(&plan).map_err(wrong)?;
        let dt = 1.0 / (plan.plan.sample_rate * plan.plan.oversampling as f64);
        check(&plan.plan.system, dt).map_err(|refusal| Unreadable::Wrong(refusal.to_string()))?;
        Ok(plan)
    }
}

/// Whether every number that stands for something stands for something that is there: what plays does not ask again.
fn is_whole(instrument: &InstrumentPlan) -> Result<(), &'static str> {
    let InstrumentPlan { plan, notes, gestures, transfers, tensions, parameters, .. } = instrument;
    let is = |holds: bool, what: &'static str| if holds { Ok(()) } else { Err(what) };
    let (inputs, pickups) = (plan.system.inputs.len(), plan.pickups.len());
    is(plan.drives.len() == inputs, "it has not one value for each input")?;
    is(plan.system.outputs.len() == pickups, "it has not one pickup for each output")?;
    is(
        plan.pickups.iter().all(|pickup| pickup.mix.bus.is_none_or(|bus| bus < plan.output.buses.len())),
        "a pickup has no bus",
    )?;
    is(gestures.iter().all(|gesture| gesture.input < inputs), "a gesture has no input")?;
    is(notes.gestures == gestures.len(), "its notes are of other gestures")?;
    let known = |list: &[u32]| list.iter().all(|number| (*number as usize) < gestures.len());
    let all = |levels: &Levels| levels.lists().all(known);
    let of_key = |OfKey { key, on, slur, give_way, off, pressure, controllers }: &OfKey| {
        let lists = on.iter().chain([slur, give_way, off, pressure]);
        *key < 128 && lists.chain(controllers.iter().map(|(_, levels)| levels)).all(all)
    };
    let count = notes.programs.len() + 1;
    let of_unit = |Unit { keys, pedal_down, pedal_up, pedal_move }: &Unit| {
        keys.len().is_multiple_of(count)
            && keys.iter().all(of_key)
            && [pedal_down, pedal_up].into_iter().all(|list| known(list))
            && all(pedal_move)
    };
    is(notes.units.iter().all(of_unit), "a note has no gesture")?;
    let transfer = |TransferPlan { pickups: from, to }: &TransferPlan| {
        from.iter().all(|pickup| *pickup < pickups)
            && match to {
                TransferTo::Body(input) => *input < inputs,
                TransferTo::Response(response) => (1..=2).contains(&response.channels.len()),
            }
    };
    is(transfers.iter().all(transfer), "a transfer has no end")?;
    let size = plan.system.size();
    let tension = |tension: &TensionPlan| {
        tension.dofs.start <= tension.dofs.end
            && tension.dofs.end <= size
            && tension.strain.is_none_or(|input| input < inputs)
    };
    is(tensions.iter().all(tension), "a string is not there")?;
    let parameter = |ParameterPlan { range: [low, high], default, initial, changes, .. }: &ParameterPlan| {
        let known = match changes {
            Changes::Inputs(numbers) => numbers.iter().all(|number| *number < inputs),
            Changes::Pickups(numbers) => numbers.iter().all(|number| *number < pickups),
            Changes::Tension | Changes::Level | Changes::Controller(_) => true,
        };
        known && low < high && [default, initial].iter().all(|value| (low..=high).contains(value))
    };
    is(parameters.iter().all(parameter), "a parameter changes nothing")?;
    let steps = plan.oversampling.max(instrument.oversampling.unwrap_or(1));
    is((1..=MAX_OVERSAMPLING).contains(&steps), "it has too many steps a sample")?;
    is((1.0..=MAX_RATE).contains(&plan.sample_rate), "it has no rate that a sound has")
}
