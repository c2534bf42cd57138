//! From the plan of an instrument to an engine at rest: its parts, their rates, and where gestures and pickups go.

use super::{
    bend::{Bend, Strain, Tension},
    block::BLOCK,
    console::Console,
    feed::Feed,
    island::Island,
    mixer::{Rate, ResponseOutput, Route},
    parameters::Parameters,
    stage::{Target, settled},
    voices::Voices,
};
use hamiltone_core::{
    element::Element,
    input::Action,
    islands::{self, islands},
    operator::Operator,
    refusal::Refusal,
    simulation::Simulation,
    system::{Block, System},
};
use hamiltone_gestures::Shape;
use hamiltone_numerics::convolution::Convolution;
use hamiltone_plan::mix;
use hamiltone_plan::{
    BusPlan, PickupMix, Plan,
    instrument::{GesturePlan, InstrumentPlan, Response, TensionPlan, TransferTo},
};
use hamiltone_schemes::contact_duration::{self, MAX_OVERSAMPLING, STEPS_PER_CONTACT};
use std::{fmt, sync::Arc};

/// Why an instrument cannot be played.
#[derive(Debug)]
pub enum Unplayable {
    /// The scheme refuses a part of it.
    Refused(Refusal),
    /// Its scheme keeps the balance of a part only within a bound: the name of the scheme.
    Bounded(&'static str),
    /// A body that other parts drive is to drive another one.
    TransferredTwice,
    /// It moves before anyone plays: an initial condition, or a body with a velocity.
    NotAtRest,
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplayable::Refused(refusal) => refusal.fmt(f),
            Unplayable::Bounded(scheme) => write!(
                f,
                "`{scheme}` does not keep the energy balance of this instrument exactly, and what is played is judged by it: leave `scheme` out of [run]"
            ),
            Unplayable::TransferredTwice => write!(
                f,
                "a transfer begins at a body that is driven by a transfer: leave out one of them, or join the bodies by a link"
            ),
            Unplayable::NotAtRest => write!(
                f,
                "the instrument is not at rest before it is played: leave out initial positions, velocities and drives, and use gestures"
            ),
        }
    }
}

impl std::error::Error for Unplayable {}

impl From<Refusal> for Unplayable {
    fn from(refusal: Refusal) -> Self {
        Unplayable::Refused(refusal)
    }
}

/// What an engine is made of.
pub struct Parts {
    /// Hz.
    pub rate: f64,
    pub buses: Vec<BusPlan>,
    /// The number of channels of each bus.
    pub counts: Vec<usize>,
    pub islands: Vec<Island>,
    pub targets: Arc<[Target]>,
    pub voices: Voices,
    pub parameters: Parameters,
    pub console: Console,
    /// Samples.
    pub delay: usize,
}

/// What the engine of an instrument is made of, at rest.
pub fn parts(instrument: &InstrumentPlan) -> Result<Parts, Unplayable> {
    let plan = &instrument.plan;
    let initial = &plan.system.initial;
    if initial.position.iter().chain(&initial.velocity).any(|x| *x != 0.0) {
        return Err(Unplayable::NotAtRest);
    }
    let parts = islands(&plan.system);
    let mut of_input = vec![(0, 0); plan.system.inputs.len()];
    let mut of_pickup = vec![(0, 0); plan.pickups.len()];
    for (island, part) in parts.iter().enumerate() {
        part.inputs.iter().enumerate().for_each(|(local, input)| of_input[*input] = (island, local));
        part.outputs.iter().enumerate().for_each(|(local, pickup)| of_pickup[*pickup] = (island, local));
    }
    // Gestures that draw a bow get a copy with the other sign, behind all others.
    let draws = |gesture: &GesturePlan| {
        let input = &plan.system.inputs[gesture.input];
        matches!(input.action, Action::Rate(_)) && !plan.system.is_blown_by(input)
    };
    let target = |gesture: &GesturePlan| {
        let (island, input) = of_input[gesture.input];
        Target {
            island,
            input,
            is_level: gesture.shape.is_level(),
            delay: gesture.delay,
            settled: settled(gesture),
            reversed: None,
        }
    };
    let mut targets: Vec<Target> = instrument.gestures.iter().map(target).collect();
    let drawn = instrument.gestures.iter().zip(&mut targets).filter(|(gesture, _)| draws(gesture));
    drawn.zip(instrument.gestures.len()..).for_each(|((_, target), number)| target.reversed = Some(number));
    let targets: Arc<[Target]> = targets.into();
    let buses = mix::live(plan);
    let counts: Vec<usize> = buses.iter().map(Vec::len).collect();
    let channels: usize = counts.iter().sum();
    let transfers = &instrument.transfers;
    let gains = gains(&buses, plan.pickups.len());
    // A transfer is a channel behind those of the buses.
    let mut transferred = vec![Vec::new(); plan.pickups.len()];
    for (number, transfer) in transfers.iter().enumerate() {
        transfer.pickups.iter().for_each(|pickup| transferred[*pickup].push((channels + number, 1.0)));
    }
    let mut feeds = vec![Vec::new(); parts.len()];
    let mut responses = Vec::new();
    for (number, transfer) in transfers.iter().enumerate() {
        match &transfer.to {
            TransferTo::Body(input) => {
                let (island, input) = of_input[*input];
                feeds[island].push(Feed::new(input, number));
            }
            TransferTo::Response(response) => responses.push(through(plan, &counts, number, response)),
        }
    }
    for part in parts.iter().zip(&feeds).filter(|(_, feeds)| !feeds.is_empty()).map(|(part, _)| part) {
        if part.outputs.iter().any(|pickup| !transferred[*pickup].is_empty()) {
            return Err(Unplayable::TransferredTwice);
        }
    }
    let ratios = ratios(instrument, &parts, &feeds);
    // What is too short for the steps of its part takes whole ones.
    let shape = |(gesture, target): (&GesturePlan, &Target)| {
        gesture.shape.clone().in_steps(1.0 / (plan.sample_rate * ratios[target.island] as f64))
    };
    let mut shapes: Vec<Shape> = instrument.gestures.iter().zip(&*targets).map(shape).collect();
    let reversed: Vec<Shape> = shapes
        .iter()
        .zip(&*targets)
        .filter(|(_, target)| target.reversed.is_some())
        .map(|(shape, _)| shape.reversed())
        .collect();
    shapes.extend(reversed);
    let shapes: Arc<[Shape]> = shapes.into();
    let islands: Result<Vec<Island>, Unplayable> = parts
        .iter()
        .zip(ratios.iter().zip(feeds))
        .map(|(part, (&ratio, feeds))| {
            let rate = plan.sample_rate * ratio as f64;
            let mut simulation = plan.scheme.prepare(&part.system, 1.0 / rate)?;
            if !simulation.balance().is_exact() {
                return Err(Unplayable::Bounded(plan.scheme.name()));
            }
            let own: Vec<f64> =
                part.inputs.iter().map(|input| plan.drives[*input].signal.value(0.0)).collect();
            let routes = |(output, pickup): (usize, &usize)| {
                let direct = (true, plan.pickups[*pickup].mix, &gains[*pickup]);
                let both = [direct, (false, PickupMix::default(), &transferred[*pickup])].into_iter();
                let used = both.filter(|(_, _, gains)| !gains.is_empty());
                used.map(move |(direct, mix, gains)| Route::new((output, direct), &mix, rate, gains.clone()))
                    .collect::<Vec<Route>>()
            };
            let routes = part.outputs.iter().enumerate().flat_map(routes).collect();
            let channels = (routes, channels + transfers.len());
            let bend = bend(instrument, part, &mut simulation);
            let inputs = (&own[..], feeds, bend);
            Ok(Island::new(simulation, (ratio, instrument.sleep), channels, shapes.clone(), inputs))
        })
        .collect();
    let islands = islands?;
    let mut distinct = ratios;
    distinct.sort_unstable();
    distinct.dedup();
    let delay = distinct.iter().map(|ratio| Rate::delay(*ratio)).max().unwrap_or(0);
    let all = channels + transfers.len();
    let rates = distinct.into_iter().map(|ratio| Rate::new(ratio, all, BLOCK, delay)).collect();
    Ok(Parts {
        rate: plan.sample_rate,
        buses: plan.output.buses.clone(),
        counts,
        islands,
        targets,
        parameters: Parameters::new(&instrument.parameters, &of_input, &of_pickup),
        voices: Voices::new(&instrument.notes, instrument.vibrato.pressure > 0.0 && plan.system.is_blown()),
        console: Console::new(plan.sample_rate, (channels, all), rates, responses),
        delay,
    })
}

/// An impulse response with its gains: a left and a right channel go into those of a stereo bus, and everything into both or all other
/// channels, at constant power.
fn through(plan: &Plan, counts: &[usize], transfer: usize, response: &Response) -> ResponseOutput {
    let number = plan.output.buses.iter().position(|bus| bus.name == response.bus).unwrap_or(0);
    let first: usize = counts[..number].iter().sum();
    let factor = mix::live_factor(plan, &plan.output.buses[number], response.gain, "N");
    let (into, from) = (counts[number], response.channels.len());
    let channel = |(c, h): (usize, &Vec<f64>)| {
        let gains = match (from, into) {
            (2, 2) => vec![(first + c, factor)],
            (_, into) => {
                let gain = factor / (into as f64).sqrt() / if from == into { 1.0 } else { from as f64 };
                (first..first + into).map(|channel| (channel, gain)).collect()
            }
        };
        (Convolution::new(h), gains)
    };
    ResponseOutput::new(transfer, response.channels.iter().enumerate().map(channel).collect())
}

/// The bend and the vibrato of a part; of no strings where the scheme cannot change their tension by two semitones, the usual range of a wheel.
fn bend(instrument: &InstrumentPlan, part: &islands::Island, simulation: &mut Simulation) -> Bend {
    const RANGE: f64 = 2.0;
    let (mut strings, mut strains) = (Vec::new(), Vec::<Strain>::new());
    for TensionPlan { dofs, share, strain } in &instrument.tensions {
        let Ok(first) = part.dofs.binary_search(&dofs.start) else { continue };
        let own = |block: &&Block| block.dofs.start == first && block.dofs.len() == dofs.len();
        let Some(Operator::Diagonal(stiffness)) = part.system.blocks.iter().find(own).map(|b| &b.stiffness)
        else {
            continue;
        };
        let input = strain.and_then(|input| part.inputs.binary_search(&input).ok());
        let form = input.and_then(|input| match &part.system.inputs[input].action {
            Action::Strain(forms) => part.system.forms.get(forms.start),
            _ => None,
        });
        if let (Some(input), Some(tension)) =
            (input, form.and_then(|form| form.straining(first, stiffness[0])))
        {
            // Two polarisations have one tension.
            if strains.iter().all(|known| known.input != input) {
                strains.push(Strain { input, tension });
            }
        } else if share.len() == dofs.len() {
            strings.push(Tension { first, stiffness: stiffness[0], share: share.clone() });
        }
    }
    let blown = part.system.is_blown();
    let bend = |strings| Bend::new((strings, strains.clone()), instrument.vibrato, part.dofs.len(), blown);
    let mut all = bend(strings);
    // A joint can refuse what a string without one takes.
    let mut can = |semitones| {
        all.now = semitones;
        all.apply(simulation)
    };
    if [RANGE, 0.0].into_iter().all(&mut can) { all } else { bend(Vec::new()) }
}

/// For each pickup the channels that it goes into, with its gains.
fn gains(buses: &[Vec<mix::Channel>], pickups: usize) -> Vec<Vec<(usize, f64)>> {
    let mut gains = vec![Vec::new(); pickups];
    for (channel, parts) in buses.iter().flatten().enumerate() {
        for &(pickup, gain) in parts.iter().filter(|(_, gain)| *gain != 0.0) {
            gains[pickup].push((channel, gain));
        }
    }
    gains
}

/// Steps a sample of each part: one of a part that others drive, at the samples; else those that the instrument states, or as many as the contact of its hardest strike needs.
fn ratios(instrument: &InstrumentPlan, parts: &[islands::Island], feeds: &[Vec<Feed>]) -> Vec<usize> {
    let system = &instrument.plan.system;
    let shortest = shortest_contacts(instrument, system);
    let ratio = |(part, feeds): (&islands::Island, &Vec<Feed>)| {
        if !feeds.is_empty() {
            return 1;
        }
        if let Some(stated) = instrument.oversampling {
            return stated;
        }
        let durations = part.elements.iter().map(|element| shortest[*element]);
        let steps =
            STEPS_PER_CONTACT / (durations.fold(f64::INFINITY, f64::min) * instrument.plan.sample_rate);
        (steps.ceil() as usize).next_power_of_two().clamp(1, MAX_OVERSAMPLING)
    };
    parts.iter().zip(feeds).map(ratio).collect()
}

/// For each element the duration of the contact that the hardest blow on one of its coordinates makes, s; ∞ where none does.
fn shortest_contacts(instrument: &InstrumentPlan, system: &System) -> Vec<f64> {
    let mut speeds = vec![0.0_f64; system.size()];
    for gesture in &instrument.gestures {
        if let (Shape::Blow { impulse, .. }, Action::Force(row)) =
            (&gesture.shape, &system.inputs[gesture.input].action)
        {
            row.for_each(|dof, weight| {
                speeds[dof] = speeds[dof].max((impulse * weight / system.mass[dof]).abs());
            });
        }
    }
    let struck = |element: &Element| {
        let of = |(dof, _)| contact_duration::of_speed(system, element, dof, speeds[dof]);
        element.row().entries().filter_map(of).fold(f64::INFINITY, f64::min)
    };
    system.elements.iter().map(struck).collect()
}
