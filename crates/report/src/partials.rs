//! The partials of a one-dimensional body: measured in the sound, by continuous theory, and of its spatial grid.
//!
//!   cents = 1200 log₂(f/f_theory)
//!
//! Measured frequencies come from a spectrum with a Gaussian window. The logarithm of its peaks is a parabola, also for
//! decaying partials, so that three bins give the frequency; short-lived partials are found in shorter windows. The
//! frequencies of the grid are the eigenvalues of K x = ω²M x of the body alone, without contacts; the measured ones
//! include the effect of the time step.

use crate::peak::Window;
use hamiltone_core::system::Quantity;
use hamiltone_render::{
    SinkError, Sound,
    tuning::{cents, discrete},
};
use hamiltone_scene::plan::{BodyPlan, Plan};

/// The number of partials shown.
const COUNT: usize = 16;
/// The longest window, samples.
const MAX_WINDOW: u64 = 1 << 18;
/// The windows in which a partial is searched: the longest, divided by these.
const DIVISORS: [u64; 3] = [1, 4, 16];

/// One partial: its frequencies, Hz.
pub struct Partial {
    /// Its number, from 1.
    pub number: usize,
    /// Measured in the sound.
    pub measured: Option<f64>,
    /// Of the continuous body without losses.
    pub theory: Option<f64>,
    /// Of its spatial discretisation.
    pub grid: Option<f64>,
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
}

/// Cents from `reference` to `f` as text, with its sign and two digits.
pub fn in_cents(f: f64, reference: f64) -> String {
    let text = format!("{:+.2}", cents(f, reference));
    if text.ends_with("0.00") && text.len() == 5 { "0.00".into() } else { text.replace('-', "−") }
}

/// Those of all one-dimensional bodies with a pickup; `end` is the time when the sound has decayed, s.
///
/// # Errors
/// Where the sound cannot be read.
pub fn all(plan: &Plan, sound: &Sound, end: Option<f64>) -> Result<Vec<Partials>, SinkError> {
    let of = |body| of(plan, body, sound, end).transpose();
    plan.bodies.iter().filter_map(of).collect()
}

fn of(plan: &Plan, body: &BodyPlan, sound: &Sound, end: Option<f64>) -> Result<Option<Partials>, SinkError> {
    if body.placed.geometry.length().is_none() {
        return Ok(None);
    }
    let reads = |quantity: &Quantity| match quantity {
        Quantity::Displacement(row) | Quantity::Velocity(row) => {
            row.last_dof().is_some_and(|dof| body.placed.dofs.contains(&dof))
        }
        Quantity::Force(_) | Quantity::MeanForce(_) => false,
    };
    let channels: Vec<usize> =
        (0..plan.pickups.len()).filter(|i| reads(&plan.system.outputs[*i].quantity)).collect();
    let frames = end.map_or(sound.frames(), |end| (end * sound.rate) as u64).min(MAX_WINDOW);
    // The longest windows first. A partial is measured in the first window that shows it.
    let mut windows = Vec::new();
    for divisor in DIVISORS {
        for channel in &channels {
            windows.extend(Window::new(&sound.part(*channel, 0..frames / divisor)?, sound.rate));
        }
    }
    let Some(resolution) = windows.first().map(|window| window.resolution) else { return Ok(None) };
    let grid = discrete(plan, body, COUNT);
    // The relative frequency error of a time step grows with the square of the frequency: each partial is searched
    // where the error of the last one found, at most three below, predicts it.
    let (mut warp, mut last) = (0.0, 0);
    let mut partial = |number: usize| {
        let theory = body.placed.representation.partial(number);
        let grid = grid.get(number - 1).copied();
        let reference = grid.or(theory).filter(|f| *f < 0.45 * sound.rate)?;
        let warped = if number <= last + 3 { warp * reference * reference } else { 0.0 };
        let expected = reference * (1.0 + warped);
        let measured = windows.iter().find_map(|window| window.frequency_near(expected));
        if let Some(measured) = measured {
            (warp, last) = ((measured / reference - 1.0) / (reference * reference), number);
        }
        Some(Partial { number, measured, theory, grid })
    };
    let list: Vec<Partial> = (1..=COUNT).map_while(&mut partial).collect();
    let names: Vec<&str> = channels.iter().map(|i| plan.pickups[*i].name.as_str()).collect();
    let pickups = names.join(" or ");
    Ok((!list.is_empty()).then(|| Partials { body: body.name.clone(), pickups, list, resolution }))
}
