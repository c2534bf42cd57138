//! The linear part of a scene, measured: how far its partials sound from theory, and how fast they decay.
//!
//! Contacts are left out, and every body gets a blow at a place that is no node. Of the sound of 6 s, for each of the lowest
//! frequencies of the linear system,
//!
//!   cents = 1200 log₂(f_measured/f),   decay = T₆₀ measured/T₆₀ of the losses − 1
//!
//! f (Hz) being eigenvalues of the system without losses, which are compared with the continuous body in turn: where theory
//! has its partials, as the program does ([`Tuning`]); of bodies by modes that a grid gives, from grids of n and 2n intervals,
//! f = (4f_2n − f_n)/3.

use hamiltone_core::{
    coverage::{Feature, Need, requirements},
    geometry::Place,
};
use hamiltone_render::{
    Outcome, loss, run,
    tuning::{Tuning, cents, discrete, linked},
};
use hamiltone_report::{decay, peak::Window};
use hamiltone_scene::{Plan, Scene, Set, plan::BodyPlan};
use hamiltone_schemes::eigenfrequencies;
use std::{f64::consts::TAU, path::Path};

/// The length of the sound, s.
const DURATION: f64 = 6.0;
/// The most frequencies that are measured of a body.
const COUNT: usize = 16;
/// Where bodies are struck, along each of their coordinates.
const PLACE: f64 = 0.137;
/// Intervals of the coarser of the grids of reference.
const COARSE: usize = 960;
/// The samples of the longest window.
const WINDOW: u64 = 1 << 18;
/// Lower frequencies are of motions on a suspension, Hz.
const LOWEST: f64 = 16.0;

/// What was measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// How many partials of the linear part were found in the sound.
    pub partials: usize,
    /// The largest difference of one of them from its eigenvalue, cents.
    pub step: f64,
    /// The largest difference of audible eigenvalues from the continuous bodies, cents.
    pub body: f64,
    /// How many decay times were measured.
    pub decays: usize,
    /// The largest relative difference of one of them from that asked for.
    pub decay: f64,
}

/// The linear part of the scene in a file.
///
/// # Panics
/// If the scene is refused.
pub fn measure(path: &Path) -> Measured {
    let planned = |sets: &[String]| {
        let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).expect("a change")).collect();
        Scene::read(path, &sets).unwrap_or_else(|error| panic!("{error}"))
    };
    let mut plan = planned(&[format!("run.duration={DURATION}"), "output.level=raw".into()]);
    let theory = Tuning::of(&plan).worst().map_or(0.0, |worst| cents(worst.grid, worst.theory).abs());
    let body = plan.bodies.iter().map(|body| from_grids(&plan, body, &planned)).fold(theory, f64::max);
    linear(&mut plan);
    let outcome = run(&plan, &mut [], &mut |_, _| {}).expect("a run");
    Measured { body, ..heard(&plan, &outcome) }
}

/// The largest difference of the modes of a body that no theory gives from those of fine grids, cents.
fn from_grids(plan: &Plan, body: &BodyPlan, planned: &impl Fn(&[String]) -> Plan) -> f64 {
    let found = plan.reduced.iter().any(|reduced| reduced.bodies == [body.name.clone()]);
    if !found || body.placed.representation.partial(1).is_some() && !linked(plan, body) {
        return 0.0;
    }
    let highest = hamiltone_scene::plan::audible(plan.sample_rate);
    let of = |plan: &Plan| -> Vec<f64> {
        let body = plan.bodies.iter().find(|other| other.name == body.name).expect("the same body");
        discrete(plan, body, body.placed.dofs.len()).into_iter().filter(|f| *f < highest).collect()
    };
    let [coarse, fine] =
        [COARSE, 2 * COARSE].map(|n| of(&planned(&[format!("body.{}.intervals={n}", body.name)])));
    let reference = coarse.iter().zip(&fine).map(|(coarse, fine)| (4.0 * fine - coarse) / 3.0);
    of(plan)
        .into_iter()
        .zip(reference)
        .map(|(own, reference)| cents(own, reference).abs())
        .fold(0.0, f64::max)
}

/// Leaves out the contacts of a plan, and gives every body a blow.
fn linear(plan: &mut Plan) {
    plan.system.elements.clear();
    plan.contacts.clear();
    plan.system.initial.position.fill(0.0);
    plan.system.initial.velocity.fill(0.0);
    for body in &plan.bodies {
        // A body without a spring would drift away.
        let Some(at) =
            body.placed.geometry.inside(PLACE).or(body.placed.geometry.position(Place::Whole).ok())
        else {
            continue;
        };
        if body.placed.representation.partial(1).is_none() && body.placed.geometry.length().is_none() {
            continue;
        }
        for (dof, weight) in body.placed.row_at(at).entries() {
            plan.system.initial.velocity[dof] += weight / plan.system.mass[dof];
        }
    }
}

/// What the sound has of the eigenvalues.
fn heard(plan: &Plan, outcome: &Outcome) -> Measured {
    let sound = &outcome.sound;
    let needs = requirements(&plan.system);
    let joined = needs.iter().any(|need| need.need == Need::Feature(Feature::Links))
        || plan.bodies.iter().any(|body| linked(plan, body));
    // Frequencies, and the decay times that the losses ask for.
    let mut partials: Vec<(f64, Option<f64>)> = Vec::new();
    if joined {
        let all = eigenfrequencies::lowest(&plan.system, 2 * COUNT);
        partials.extend(all.into_iter().map(|omega| (omega / TAU, None)));
    } else {
        for body in &plan.bodies {
            let frequencies = discrete(plan, body, COUNT);
            let times = loss::requested(plan, body, frequencies.len());
            partials.extend(frequencies.into_iter().zip(times));
        }
    }
    partials.retain(|(f, _)| *f > LOWEST && *f < hamiltone_scene::plan::audible(plan.sample_rate));
    // Modes of the same frequency, as of a drum, are one partial.
    partials.sort_by(|a, b| a.0.total_cmp(&b.0));
    partials.dedup_by(|a, b| a.0 < b.0 * (1.0 + 1e-9));
    let channel = sound.part(0, 0..sound.frames()).expect("the sound");
    let window = |divisor: u64| {
        let frames = WINDOW.min(sound.frames()) / divisor;
        Window::new(&channel[..frames as usize], sound.rate).expect("enough samples")
    };
    let windows = [1, 4, 16].map(window);
    let mut measured = Measured::default();
    for (i, (f, asked)) in partials.iter().enumerate() {
        let others = partials.iter().enumerate().filter(|(j, _)| *j != i);
        let apart = others.map(|(_, (other, _))| (other - f).abs()).fold(*f, f64::min);
        // Closer ones are told apart by no window.
        let found = windows.iter().filter(|window| apart > 8.0 * window.resolution);
        let Some(found) = found.filter_map(|window| window.peak_near(*f)).map(|peak| peak.frequency).next()
        else {
            continue;
        };
        if (found - f).abs() > 0.25 * apart {
            continue;
        }
        measured.partials += 1;
        measured.step = measured.step.max(cents(found, *f).abs());
        let Some(asked) = asked.filter(|asked| asked.is_finite()) else { continue };
        let partial = decay::SoundPartial {
            samples: sound.frames(),
            rate: sound.rate,
            frequency: found,
            distance: apart,
        };
        let read = |range: std::ops::Range<u64>| {
            Ok::<_, ()>(channel[range.start as usize..range.end as usize].to_vec())
        };
        if let Ok(Ok(time)) = partial.t60(read) {
            measured.decays += 1;
            measured.decay = measured.decay.max((time / asked - 1.0).abs());
        }
    }
    measured
}
