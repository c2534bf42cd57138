//! A part of an instrument that nothing connects with the rest: its simulation, the gestures on it, and its energy balance.
//!
//! It takes `ratio` steps a sample. Gestures are due at steps; the inputs' values at both ends of a step come from them. After
//! every step the ledger is posted to the audit, and the pickups are coupled, weighted and added to the channels.
//!
//! **Sleep.** Where no gesture changes its inputs and its stored energy E falls below a threshold, the part is put at rest: E
//! is booked as dissipated, and steps are no longer taken. A force, a motion or a bow wakes it; another control, which supplies no energy,
//! is kept for when it wakes. A part that a bow or a reed can supply with energy does not sleep.
//!
//! A string on a bridge rests by itself once a damper lies on it and it stores little of the whole ([`Simulation::let_rest`]).
//!
//! **Faults.** A part whose numbers become infinite, or whose energy diverges, is silent from then on; the others play.

mod fading;
mod saved;

use super::{
    bend::{Bend, VibratoOrder},
    block::BLOCK,
    feed::Feed,
    gestured::Gestured,
    mixer::{Channels, Route},
    queue::{Due, Queue},
};
use hamiltone_core::{
    audit::{AUDIT_INTERVAL, Audit},
    ledger::{Bookkeeping, Ledger},
    simulation::Simulation,
    stepper::{self, Gaps},
};
use hamiltone_gestures::Shape;
use std::{collections::VecDeque, ops::Range, sync::Arc};

/// Up to which part of the energy of the whole a body that stands on others, and on which a damper lies, stores little enough to rest.
const REST: f64 = 1e-5;

/// What a part is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It is stepped.
    Awake,
    /// It is at rest.
    Asleep,
    /// It went wrong and is silent.
    Muted,
}

/// What is done to a part at a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// A gesture is to begin at its step, or at once where that is past.
    Begin(Due),
    /// What waits to end a note of this key or string begins now.
    Hasten(usize),
    /// What this key or string (the first) would do to an input after a step is dropped.
    Drop(usize, usize, u64),
    /// Its strings are bent by so many semitones.
    Bend(f64),
    /// Its vibrato.
    Vibrate(VibratoOrder),
    /// What gestures make an input is multiplied.
    Scale(usize, f64),
    /// What is heard of an output is multiplied.
    Sound(usize, f64),
}

/// A part of an instrument.
#[derive(Clone)]
pub struct Island {
    simulation: Simulation,
    /// Steps a sample.
    ratio: usize,
    /// Below this energy it sleeps, J.
    threshold: f64,
    /// The number of steps since the beginning, those asleep included.
    step: u64,
    inputs: Gestured,
    bend: Bend,
    /// The forces of other parts; such a part takes one step a sample.
    feeds: Vec<Feed>,
    /// For how many steps none of them has acted.
    unfed: u64,
    /// The outputs after each of some steps, and what each of these dissipated, J.
    outputs: Vec<f64>,
    dissipated: Vec<f64>,
    routes: Vec<Route>,
    /// The samples of this window at its own rate, as far as it has played, the number of its steps, and whether there are any samples but 0.
    channels: Channels,
    played: usize,
    window: usize,
    sounds: bool,
    gestures: Arc<[Shape]>,
    queue: Queue,
    /// What is done to it at steps that it has not reached; of an instrument that is played live there is nothing.
    orders: VecDeque<(u64, Order)>,
    activity: Activity,
    audit: Audit,
    /// What it held when it was put to sleep, over all times, J; it is among the dissipated energy.
    slept: f64,
    /// The step at which its last gesture began.
    begun: u64,
    /// Whether it is being faded, how often it was, and the sum of squares of what is heard of it.
    fades: bool,
    faded: u64,
    loudness: f64,
    /// How many times a pulse was refused since too many act on an input, or a gesture since too many wait.
    refused: u64,
}

impl Island {
    /// A part at rest that takes `ratio` steps a sample and sleeps below an energy (J). `gestures` are the shapes of all gestures, `own`
    /// the values of its inputs without any.
    pub(super) fn new(
        mut simulation: Simulation,
        (ratio, threshold): (usize, f64),
        (routes, channels): (Vec<Route>, usize),
        gestures: Arc<[Shape]>,
        (own, feeds, bend): (&[f64], Vec<Feed>, Bend),
    ) -> Self {
        let system = simulation.system().clone();
        // Whether its scheme can is all one: the rest is awake as long as any of it is.
        simulation.let_rest(REST);
        // Nothing in a performance asks how near contacts came.
        let mut unused = vec![stepper::Activity::NONE; system.elements.len()];
        simulation.activity(simulation.dt(), Gaps::Never, &mut unused);
        let stored = simulation.reset(own);
        let inputs = Gestured::new(&system, own);
        // A reed that a drive blows from the start.
        let activity = if inputs.supply() { Activity::Awake } else { Activity::Asleep };
        Self {
            audit: Audit::open(stored, simulation.balance()),
            outputs: vec![0.0; AUDIT_INTERVAL as usize * system.outputs.len()],
            dissipated: vec![0.0; AUDIT_INTERVAL as usize],
            simulation,
            ratio,
            threshold,
            step: 0,
            inputs,
            bend,
            feeds,
            unfed: 0,
            routes,
            channels: vec![vec![0.0; BLOCK * ratio]; channels],
            played: 0,
            window: 0,
            sounds: false,
            gestures,
            queue: Queue::new(system.inputs.len()),
            orders: VecDeque::new(),
            activity,
            slept: 0.0,
            begun: 0,
            fades: false,
            faded: 0,
            loudness: 0.0,
            refused: 0,
        }
    }

    /// The name of its first body.
    pub fn name(&self) -> &str {
        self.simulation.system().blocks.first().map_or("", |block| block.name.as_str())
    }

    /// Steps a sample.
    pub fn ratio(&self) -> usize {
        self.ratio
    }

    /// Bytes of a sample of a window.
    pub(super) fn bytes(&self) -> usize {
        self.channels.len() * self.ratio * size_of::<f64>()
    }

    /// Makes room for windows of so many samples.
    pub(super) fn reserve(&mut self, window: usize) {
        self.channels.iter_mut().for_each(|channel| channel.resize(window * self.ratio, 0.0));
        self.feeds.iter_mut().for_each(|feed| feed.block.resize(window, 0.0));
    }

    /// Whether other parts drive it.
    pub fn is_driven(&self) -> bool {
        !self.feeds.is_empty()
    }

    /// The forces of other parts in the next `frames` samples.
    pub(super) fn feed(&mut self, frames: usize, transfers: &[Vec<f64>]) {
        for feed in &mut self.feeds {
            feed.block[..frames].copy_from_slice(&transfers[feed.transfer][..frames]);
        }
    }

    /// What it is doing.
    pub fn activity(&self) -> Activity {
        self.activity
    }

    /// Whether it is stepped.
    pub(super) fn is_awake(&self) -> bool {
        self.activity == Activity::Awake
    }

    /// Draws its energy balance up to now.
    pub fn settle(&mut self) {
        self.audit.settle(self.simulation.energy());
    }

    /// Its energy balance so far, drawn at audit points.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// The energy that it held whenever it was put to sleep, J.
    pub fn slept(&self) -> f64 {
        self.slept
    }

    /// How many gestures were refused, since too many act or wait.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Whether gestures wait for their time.
    pub fn waits(&self) -> bool {
        self.next_due().is_some()
    }

    /// The first step at which a gesture begins or anything is done to it.
    fn next_due(&self) -> Option<u64> {
        let order = self.orders.front().map(|(step, _)| *step);
        self.queue.next_step().into_iter().chain(order).min()
    }

    /// Whether it has strings that can be bent.
    pub fn bends(&self) -> bool {
        self.bend.bends()
    }

    /// Whether it has a vibrato that can be heard.
    pub fn can_vibrate(&self) -> bool {
        self.bend.can_vibrate()
    }

    /// Whether a bend or a vibrato is under way.
    fn varies(&self) -> bool {
        self.bend.moves() || self.breathes()
    }

    /// Whether pressures that are not 0 vary.
    fn breathes(&self) -> bool {
        self.bend.breathes() && self.inputs.blow()
    }

    /// Bends its strings by so many semitones.
    fn bend(&mut self, semitones: f64) {
        let semitones = self.bend.within(semitones);
        self.bend.target = semitones;
        if self.activity == Activity::Asleep {
            // At rest it takes no work.
            self.bend.now = semitones;
            self.bend.strain(|input, tension| self.inputs.hold(input, tension));
            self.bend.apply(&mut self.simulation);
        }
    }

    /// The step at a time (s) since the beginning.
    pub(super) fn step_at(&self, time: f64) -> u64 {
        (time / self.simulation.dt()).round().max(0.0) as u64
    }

    /// Does this at a sample, which it has reached or, where what is played is known before, will reach.
    pub(super) fn order(&mut self, frame: u64, order: Order) {
        let step = frame * self.ratio as u64;
        if step > self.step {
            self.orders.push_back((step, order));
        } else {
            self.obey(order);
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Begin(due) => {
                if !self.queue.insert(Due { step: due.step.max(self.step), ..due }) {
                    self.refused += 1;
                }
            }
            Order::Hasten(unit) => self.queue.hasten(unit, self.step),
            Order::Drop(unit, input, step) => self.queue.drop_later(unit, input, step),
            Order::Bend(semitones) => self.bend(semitones),
            Order::Vibrate(order) => self.bend.vibrate(order, self.step),
            Order::Scale(input, factor) => self.scale(input, factor),
            Order::Sound(output, factor) => {
                let sounds = self.is_awake();
                let of = |route: &&mut Route| route.output == output && route.is_output;
                self.routes.iter_mut().filter(of).for_each(|route| route.scale(factor, sounds));
            }
        }
    }

    /// Multiplies what gestures make an input. What is silent stays so, and a bow that comes to touch wakes it.
    fn scale(&mut self, input: usize, factor: f64) {
        let now = self.step as f64 * self.simulation.dt();
        let moves = self.inputs.scale(input, factor, (now, self.is_awake()));
        if moves && self.activity == Activity::Asleep {
            self.wake();
        }
    }

    /// Adds the samples of this window to those of all parts at its rate.
    pub(super) fn add_to(&self, frames: usize, all: &mut [Vec<f64>]) {
        if self.sounds {
            for (all, own) in all.iter_mut().zip(&self.channels) {
                let steps = frames * self.ratio;
                all[..steps].iter_mut().zip(&own[..steps]).for_each(|(sum, x)| *sum += x);
            }
        }
    }

    /// Begins a window of so many samples.
    pub(super) fn begin_window(&mut self, frames: usize) {
        (self.played, self.window, self.sounds) = (0, frames * self.ratio, false);
    }

    /// Computes the next `frames` samples of the window at its own rate.
    pub(super) fn play(&mut self, frames: usize) {
        let end = self.played + frames * self.ratio;
        while self.played < end {
            self.begin_due();
            if self.activity == Activity::Awake {
                let free = self.advance_freely(end - self.played);
                if free == 0 {
                    self.advance(self.played);
                }
                self.played += free.max(1);
                continue;
            }
            // Nothing sounds until the next gesture.
            let until = |step: u64| (step - self.step) as usize + self.played;
            let due = self.next_due().map_or(end, until).min(end);
            let fed = self.next_force(self.played, due);
            self.step += (fed - self.played) as u64;
            self.played = fed;
            if fed < due && self.activity == Activity::Asleep {
                self.wake();
            }
        }
    }

    /// Adds the pickups to the samples, of these steps among those that `outputs` has, the first of which ends at step `first`.
    fn sound(&mut self, steps: Range<usize>, first: u64) {
        if !steps.is_empty() && !std::mem::replace(&mut self.sounds, true) {
            // Only what sounds is cleared: most parts sleep most of the time.
            self.channels.iter_mut().for_each(|channel| channel[..self.window].fill(0.0));
        }
        let count = self.simulation.system().outputs.len();
        for route in &mut self.routes {
            let outputs = self.outputs[steps.start * count..steps.end * count].chunks_exact(count);
            let output = route.output;
            let values = outputs.map(|of_step| of_step[output]);
            let time = |n: usize| (first + (steps.start + n) as u64) as f64 * self.simulation.dt();
            route.add(values, time, (&mut self.channels, self.played + steps.start));
        }
    }

    /// The first step of this window from `from` on in which another part exerts a force, else `to`; of a part that is muted always `to`.
    fn next_force(&self, from: usize, to: usize) -> usize {
        if self.activity == Activity::Muted {
            return to;
        }
        let of = |feed: &Feed| feed.block[from..to].iter().position(|force| *force != 0.0);
        self.feeds.iter().filter_map(of).min().map_or(to, |first| from + first)
    }

    /// Does what is to be done by now, and begins the gestures that are due.
    fn begin_due(&mut self) {
        while let Some((_, order)) = self.orders.front().copied().filter(|(step, _)| *step <= self.step) {
            self.orders.pop_front();
            self.obey(order);
        }
        while let Some(due) = self.queue.take(self.step) {
            self.come_back();
            let time = due.step as f64 * self.simulation.dt();
            match self.inputs.begin(due.input, self.gestures[due.gesture].clone(), time) {
                Ok(wakes) => {
                    if wakes && self.activity == Activity::Asleep {
                        self.wake();
                    }
                }
                Err(_) => self.refused += 1,
            }
        }
    }

    /// Takes up the values that controls have by now.
    fn wake(&mut self) {
        self.activity = Activity::Awake;
        self.inputs.wake(self.step as f64 * self.simulation.dt());
    }

    /// As many steps in a row as nothing acts in, at most `most`, and their number.
    fn advance_freely(&mut self, most: usize) -> usize {
        let acts = self.is_driven() || self.varies() || self.inputs.change();
        if acts {
            return 0;
        }
        // Up to the next gesture, and to the next audit point.
        let to_audit = AUDIT_INTERVAL - self.step % AUDIT_INTERVAL;
        let due = self.next_due().map_or(u64::MAX, |step| step - self.step);
        let most = most.min(to_audit.min(due) as usize);
        let steps = self.simulation.free_steps(&mut self.dissipated[..most], &mut self.outputs);
        if steps == 0 {
            return 0;
        }
        let first = self.step + 1;
        self.step += steps as u64;
        let is_audited = self.step.is_multiple_of(AUDIT_INTERVAL);
        let stored = is_audited.then(|| self.simulation.energy());
        let entered = self.audit.post_free(&self.dissipated[..steps], stored);
        // The step of a fault is not heard, nor that after which it sleeps.
        self.sound(0..entered - 1, first);
        if self.audit.fault.is_some() {
            self.mute();
        } else if let Some(stored) = stored.filter(|stored| *stored < self.threshold) {
            self.sleep(stored);
        } else if let Some(stored) = stored {
            self.end_fade(stored);
        }
        if self.activity == Activity::Awake {
            self.sound(entered - 1..entered, first);
        }
        steps
    }

    /// One step, number `n` of this window.
    fn advance(&mut self, n: usize) {
        let dt = self.simulation.dt();
        let end = (self.step + 1) as f64 * dt;
        self.inputs.advance(dt, end);
        if self.breathes() {
            self.inputs.vary(self.bend.breathe(self.step + 1, dt), end);
        }
        self.unfed += u64::from(!self.feeds.is_empty());
        for feed in &self.feeds {
            self.inputs.set(feed.input, feed.block[n]);
            if feed.block[n] != 0.0 {
                self.unfed = 0;
            }
        }
        if self.bend.moves() {
            self.bend.advance(&mut self.simulation, &mut self.inputs, self.step);
        }
        self.step += 1;
        let is_audited = self.step.is_multiple_of(AUDIT_INTERVAL);
        let bookkeeping = if is_audited { Bookkeeping::Full } else { Bookkeeping::Flows };
        let ledger = self.simulation.step(self.inputs.values(), bookkeeping);
        if !self.audit.post(&ledger) {
            self.mute();
        } else if is_audited && ledger.stored < self.threshold && !self.inputs.supply() {
            self.sleep(ledger.stored);
        } else if is_audited {
            self.end_fade(ledger.stored);
        }
        if self.activity == Activity::Awake {
            let count = self.simulation.system().outputs.len();
            self.simulation.outputs(&mut self.outputs[..count]);
            self.sound(0..1, self.step);
        }
    }

    /// Nothing is heard of it from now on. Its state, which may not be finite, is replaced by that at rest, so that a saved state can be restored.
    fn mute(&mut self) {
        self.activity = Activity::Muted;
        self.simulation.reset(self.inputs.now());
    }

    /// Puts it at rest, unless something acts on it, or an obstacle that has been moved is in the way.
    fn sleep(&mut self, stored: f64) {
        if self.is_driven() && self.unfed < AUDIT_INTERVAL
            || self.varies()
            || self.inputs.change()
            || !self.queue.is_empty_before(self.step + AUDIT_INTERVAL)
            || self.simulation.initial_energy(self.inputs.now()) > stored
        {
            return;
        }
        let at_rest = self.simulation.reset(self.inputs.now());
        let dissipated = stored - at_rest;
        self.slept += dissipated;
        (self.activity, self.fades) = (Activity::Asleep, false);
        if !self.audit.post(&Ledger { stored: at_rest, dissipated, ..Ledger::default() }) {
            self.mute();
        }
        self.routes.iter_mut().for_each(Route::rest);
    }
}
