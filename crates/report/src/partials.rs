//! The partials of a body: as measured in the sound, by continuous theory, of its spatial grid, and as the time step
//! sounds them; and how fast they decay, as its losses ask for and as measured.
//!
//!   cents = 1200 log₂(f/f_theory)
//!
//! Measured frequencies come from a spectrum with a Gaussian window. The logarithm of its peaks is a parabola, also for
//! decaying partials, so that three bins give the frequency; short-lived partials are found in shorter windows. The
//! frequencies of the grid are the eigenvalues of K x = ω²M x of the body alone, without contacts; the measured ones
//! include the effect of the time step. Decay times are those of [`crate::decay`].

use crate::{
    decay::{self, Obstacle},
    peak::Window,
    undisturbed,
};
use hamiltone_core::{row::Row, system::Quantity};
use hamiltone_render::{
    Outcome, SinkError, Sound, loss,
    tuning::{cents, discrete, linked, stepped},
};
use hamiltone_scene::plan::{BodyPlan, Plan, audible};
use std::ops::Range;

/// The number of partials shown.
const COUNT: usize = 16;
/// A partial is audible down to this level beside the strongest, dB: so far a decay is followed for T₆₀.
pub const AUDIBLE_LEVEL: f64 = -60.0;
/// The longest window, samples.
const MAX_WINDOW: u64 = 1 << 18;
/// The windows in which a partial is searched: the longest, divided by these.
const DIVISORS: [u64; 3] = [1, 4, 16];
/// Partials nearer to each other than this part of their frequency are one: degenerate modes.
const SAME: f64 = 1e-9;

/// One partial: its frequencies, Hz, and decay times, s.
pub struct Partial {
    /// Its number, from 1.
    pub number: usize,
    /// Measured in the sound.
    pub measured: Option<f64>,
    /// Of the continuous body without losses.
    pub theory: Option<f64>,
    /// Of its spatial discretisation.
    pub grid: Option<f64>,
    /// As the time step sounds that, known before the run.
    pub predicted: Option<f64>,
    /// T₆₀ that the scene asks for; infinite without losses.
    pub requested: Option<f64>,
    /// T₆₀ of the mode of the system that is stepped.
    pub system: Option<f64>,
    /// T₆₀ measured in the sound, or why there is none.
    pub decay: Result<f64, Obstacle>,
    /// Its level beside the strongest peak of the same spectrum, dB: at most 0.
    pub level: Option<f64>,
    /// Whether its frequency, where it has one, is below what is audible: 20 kHz and 0.45 of the sample rate.
    in_range: bool,
}

impl Partial {
    /// How far it is from theory as measured, cents.
    pub fn cents(&self) -> Option<f64> {
        Some(cents(self.measured?, self.theory?))
    }

    /// Whether it is heard: it was found in the sound, at most 60 dB below the strongest, below 20 kHz and 0.45 of the sample rate.
    pub fn is_audible(&self) -> bool {
        self.in_range && self.level.is_some_and(|level| level >= AUDIBLE_LEVEL)
    }
}

/// The partials of one body.
pub struct Partials {
    /// The body.
    pub body: String,
    /// The pickups on it.
    pub pickups: String,
    /// The partials, in order.
    pub list: Vec<Partial>,
    /// The distance of the bins of the longest window, Hz.
    pub resolution: f64,
    /// Where they were measured, s, of a sound that a score plays.
    pub part: Option<(f64, f64)>,
}

/// Cents from `reference` to `f` as text, with its sign and two digits.
pub fn in_cents(f: f64, reference: f64) -> String {
    let text = format!("{:+.2}", cents(f, reference));
    if text.ends_with("0.00") && text.len() == 5 { "0.00".into() } else { text.replace('-', "−") }
}

/// Those of all bodies with a pickup that are lines or have partials by theory; `end` is the time when the sound has
/// decayed, s.
///
/// # Errors
/// Where the sound cannot be read.
pub fn all(plan: &Plan, outcome: &Outcome, end: Option<f64>) -> Result<Vec<Partials>, SinkError> {
    let of = |body| of(plan, body, outcome, end).transpose();
    plan.bodies.iter().filter_map(of).collect()
}

fn of(
    plan: &Plan,
    body: &BodyPlan,
    outcome: &Outcome,
    end: Option<f64>,
) -> Result<Option<Partials>, SinkError> {
    let sound = &outcome.sound;
    // Of common modes with other bodies there is no theory.
    let theory = |k: usize| body.placed.representation.partial(k).filter(|_| !linked(plan, body));
    if body.placed.geometry.length().is_none() && body.placed.representation.partial(1).is_none() {
        return Ok(None);
    }
    let channels = channels(plan, body);
    let until = end.map_or(sound.frames(), |end| (end * sound.rate) as u64);
    let free = undisturbed::longest(plan, sound.frames(), sound.rate);
    let (start, frames) = (free.start, free.end.min(until).saturating_sub(free.start).min(MAX_WINDOW));
    // The longest windows first. A partial is measured in the first window that shows it.
    let mut windows = Vec::new();
    for divisor in DIVISORS {
        for channel in &channels {
            windows.extend(Window::new(&sound.part(*channel, start..start + frames / divisor)?, sound.rate));
        }
    }
    let Some(resolution) = windows.first().map(|window| window.resolution) else { return Ok(None) };
    // One more than is shown, as the neighbour of the last.
    let grid = discrete(plan, body, COUNT + 1);
    let requested = loss::requested(plan, body, COUNT);
    let system = loss::of_system(plan, body, COUNT);
    let reference = |number: usize| grid.get(number - 1).copied().or_else(|| theory(number));
    // The relative frequency error of a time step grows with the square of the frequency: each partial is searched
    // where the error of the last one found, at most three below, predicts it.
    let (mut warp, mut last) = (0.0, 0);
    let mut list = Vec::new();
    for number in 1..=COUNT {
        let Some(f) = reference(number).filter(|f| *f < 0.45 * sound.rate) else { break };
        let expected = |f: f64| if number <= last + 3 { f * (1.0 + warp * f * f) } else { f };
        let others: Vec<f64> = (1..=COUNT + 1).filter_map(reference).map(expected).collect();
        let found = |window: &Window| {
            let peak = window.peak_near(expected(f)).filter(|peak| own(peak.frequency, expected(f), &others));
            peak.map(|peak| (peak.frequency, (peak.level - window.strongest()).min(0.0)))
        };
        let (measured, level) = windows.iter().find_map(found).unzip();
        if let Some(measured) = measured {
            (warp, last) = ((measured / f - 1.0) / (f * f), number);
        }
        let decay = match measured {
            Some(frequency) => {
                t60(sound, &channels, &free, (frequency, distance(number, reference, sound.rate)))?
            }
            None => Err(Obstacle::Silent),
        };
        list.push(Partial {
            number,
            measured,
            theory: theory(number),
            grid: grid.get(number - 1).copied(),
            predicted: grid.get(number - 1).and_then(|f| stepped(plan, *f)),
            requested: requested[number - 1],
            system: system[number - 1],
            decay,
            level,
            in_range: measured.is_some_and(|measured| measured < audible(plan.sample_rate)),
        });
    }
    let names: Vec<&str> = channels.iter().map(|i| plan.pickups[*i].name.as_str()).collect();
    let pickups = names.join(" or ");
    let seconds = |frame: u64| frame as f64 / sound.rate;
    let part = (!plan.gestures.is_empty()).then(|| (seconds(free.start), seconds(free.end)));
    Ok((!list.is_empty()).then(|| Partials { body: body.name.clone(), pickups, list, resolution, part }))
}

/// Whether a peak is nearer to the partial that is searched than to any other.
fn own(peak: f64, expected: f64, others: &[f64]) -> bool {
    others.iter().all(|other| (peak - expected).abs() <= (peak - other).abs() + SAME * peak)
}

/// The channels that read the motion of a body.
fn channels(plan: &Plan, body: &BodyPlan) -> Vec<usize> {
    let of_body = |row: &Row| row.last_dof().is_some_and(|dof| body.placed.dofs.contains(&dof));
    let reads = |quantity: &Quantity| quantity.rows().any(of_body);
    (0..plan.pickups.len()).filter(|i| reads(&plan.system.outputs[*i].quantity)).collect()
}

/// How far a partial is from its nearest neighbour, from 0 and from Nyquist, Hz.
fn distance(number: usize, reference: impl Fn(usize) -> Option<f64>, rate: f64) -> f64 {
    let f = reference(number).unwrap_or(0.0);
    let others = (1..=COUNT + 1).filter_map(reference);
    let distances = others.map(|other| (other - f).abs()).filter(|distance| *distance > SAME * f);
    distances.fold(f.min(0.5 * rate - f), f64::min)
}

/// T₆₀ of the partial of this frequency and distance (Hz) within a part of the sound, in the first channel that shows its
/// decay, or why the first does not.
fn t60(
    sound: &Sound,
    channels: &[usize],
    part: &Range<u64>,
    (frequency, distance): (f64, f64),
) -> Result<Result<f64, Obstacle>, SinkError> {
    let samples = part.end - part.start;
    let partial = decay::SoundPartial { samples, rate: sound.rate, frequency, distance };
    let mut first = Err(Obstacle::Silent);
    for (i, channel) in channels.iter().enumerate() {
        let read =
            |samples: Range<u64>| sound.part(*channel, part.start + samples.start..part.start + samples.end);
        let found = partial.t60(read)?;
        if found.is_ok() {
            return Ok(found);
        }
        if i == 0 {
            first = found;
        }
    }
    Ok(first)
}
