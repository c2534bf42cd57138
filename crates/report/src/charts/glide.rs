//! The pitch of a string over time, as it is heard and as the tension that a pickup reads makes it.
//!
//!   f(t) = f₁ √(1 + (ΔT̄ + ½ΔT̂)B₁/K₁)
//!
//! f₁ (Hz), K₁ (N/m) and B₁ (m) are the frequency at rest, the stiffness and the form of the first mode, ΔT̄ (N) the mean over a window of what is added to the tension and
//! ΔT̂ the amplitude of its part at 2f₁, of which the mode itself feels half (Kirchhoff 1876; Carrier 1945). What is heard is found from the phases of the first
//! partial in windows of Hann that follow each other, whose whole turns are those that the tension makes.

use super::section::{Section, WIDE, time};
use crate::plot::{Axis, Chart, Style};
use hamiltone_core::{
    form::Form,
    operator::Operator,
    row::Row,
    system::{Quantity, System},
};
use hamiltone_numerics::math::{atan2, log2, sin, sincos};

use hamiltone_render::{SinkError, Sound};
use hamiltone_scene::{Plan, plan::BodyPlan};
use std::f64::consts::{PI, TAU};

/// Periods of the first partial in a window.
const PERIODS: f64 = 12.0;
/// At most so many windows.
const WINDOWS: usize = 1000;
/// Below this part of the loudest window a partial is not heard.
const AUDIBLE: f64 = 1e-3;

/// A chart for each string or membrane whose tension a pickup reads and which another pickup hears.
///
/// # Errors
/// Where the sound cannot be read.
pub fn section(plan: &Plan, sound: &Sound, shown: Option<f64>) -> Result<Section, SinkError> {
    let note = "The first partial, relative to its pitch at rest: as it is heard, and as the tension that is read makes it (Kirchhoff and Carrier).";
    let mut charts = Vec::new();
    for (tension, output) in plan.system.outputs.iter().enumerate() {
        let Quantity::Tension(forms, _) = &output.quantity else { continue };
        let form = forms.entries().next().map(|(form, _)| form);
        let Some((body, glide)) = form.and_then(|form| Glide::of(plan, form, sound.rate)) else { continue };
        if let Some(heard) = heard(plan, body) {
            charts.extend(glide.chart(&body.name, sound, (heard, tension), shown)?);
        }
    }
    Ok(Section { title: "Pitch", note: note.into(), charts, ..Section::default() })
}

/// The first pickup that reads the body's own motion.
fn heard(plan: &Plan, body: &BodyPlan) -> Option<usize> {
    let reads = |row: &Row| row.entries().any(|(dof, w)| w != 0.0 && body.placed.dofs.contains(&dof));
    let motion =
        |quantity: &Quantity| !matches!(quantity, Quantity::Tension(..)) && quantity.rows().any(reads);
    plan.system.outputs.iter().position(|output| motion(&output.quantity))
}

/// What the pitch of a body follows from.
struct Glide {
    /// f₁, Hz, and B₁/K₁, 1/N.
    pitch: f64,
    softness: f64,
    /// Samples a second and in a window.
    rate: f64,
    window: usize,
}

/// The mean, and the size and the phase of the part at a frequency, of a window.
fn look(part: &[f64], turn: f64) -> (f64, f64, f64) {
    let (mut mean, mut re, mut im) = (0.0, 0.0, 0.0);
    for (i, x) in part.iter().enumerate() {
        let side = sin(PI * (i as f64 + 0.5) / part.len() as f64);
        let (s, c) = sincos(turn * i as f64);
        let weighed = 2.0 / part.len() as f64 * side * side * x;
        (mean, re, im) = (mean + weighed, re + 2.0 * weighed * c, im - 2.0 * weighed * s);
    }
    (mean, (re * re + im * im).sqrt(), atan2(im, re))
}

impl Glide {
    /// Of the body that a form stretches.
    fn of(plan: &Plan, form: usize, rate: f64) -> Option<(&BodyPlan, Self)> {
        let form: &Form = plan.system.forms.get(form)?;
        let (first, ..) = form.quadratic.first()?;
        let body = plan.bodies.iter().find(|body| body.placed.dofs.start == *first)?;
        let pitch = body.placed.representation.partial(1)?;
        let window = (PERIODS * rate / pitch).ceil() as usize;
        // A tension of 1 N makes the mode stiffer by 1/(straining for 1 N/m).
        let softness = 1.0 / (form.straining(*first, 1.0)? * stiffness(&plan.system, *first)?);
        Some((body, Self { pitch, softness, rate, window }))
    }

    fn chart(
        &self,
        name: &str,
        sound: &Sound,
        (heard, tension): (usize, usize),
        shown: Option<f64>,
    ) -> Result<Option<Chart>, SinkError> {
        let frames = shown.map_or(sound.frames(), |end| (end * sound.rate).ceil() as u64).min(sound.frames());
        let hop = self.window.max((frames as usize).div_ceil(WINDOWS)) as u64;
        let cents = |ratio: f64| 1200.0 * log2(ratio);
        let turn = TAU * self.pitch / self.rate;
        let (mut times, mut predicted, mut found, mut sizes) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        while at + 2 * self.window as u64 <= frames {
            let end = at + 2 * self.window as u64;
            let both = sound.part(heard, at..end)?;
            let (before, after) = both.split_at(self.window);
            let [(_, size, one), (.., other)] = [before, after].map(|part| look(part, turn));
            // The carrier itself turns by this from one window to the next.
            let turned = other - one - turn * self.window as f64;
            let (mean, swing, _) = look(&sound.part(tension, at..end)?, 2.0 * turn);
            let ratio = (1.0 + self.softness * (mean + 0.5 * swing)).max(0.0).sqrt();
            // Of the angles that are whole turns apart the one that is nearest to what the tension says.
            let expected = (ratio - 1.0) * turn * self.window as f64;
            let turned = turned + TAU * ((expected - turned) / TAU).round();
            times.push((at + self.window as u64) as f64 / self.rate);
            predicted.push(cents(ratio));
            found.push(cents(1.0 + turned / (turn * self.window as f64)));
            sizes.push(size);
            at += hop;
        }
        let loudest = sizes.iter().fold(0.0_f64, |most, size| most.max(*size));
        let audible = |(_, size): &((f64, f64), f64)| *size > AUDIBLE * loudest;
        let heard = times.iter().copied().zip(found).zip(sizes).filter(audible).map(|(point, _)| point);
        let (x, y): (Vec<f64>, Vec<f64>) = heard.unzip();
        if x.is_empty() {
            return Ok(None);
        }
        let chart = Chart::new(
            format!("Pitch of {name}"),
            time(shown),
            Axis::new("above the pitch at rest", "cents"),
        );
        let chart = chart.points("heard", x, y).with(Style::Line, "by the tension", times, predicted);
        Ok(Some(chart.sized(WIDE.0, WIDE.1)))
    }
}

/// K of a coordinate, N/m, where it is that of a mode.
fn stiffness(system: &System, dof: usize) -> Option<f64> {
    let block = system.blocks.iter().find(|block| block.dofs.contains(&dof))?;
    match &block.stiffness {
        Operator::Diagonal(stiffness) => stiffness.get(dof - block.dofs.start).copied(),
        _ => None,
    }
}
