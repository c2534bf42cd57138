//! The partials of a long body: heard, by the continuous theory, and of its grid.
//!
//!   cents = 1200 log₂(f/f_theory)
//!
//! Heard frequencies come from a spectrum under Gauss's window, whose logarithm has a
//! parabola for a summit also where the partial dies away, so that three lines give its
//! frequency; partials that die soon are found in shorter stretches of the sound. The grid's are the eigenvalues of the body's own K x = ω²M x, alone and
//! without contacts; what the time step does to them is in the heard ones.

use hamiltone_core::system::{Block, Quantity, System};
use hamiltone_render::sound::Sound;
use hamiltone_scene::plan::{BodyPlan, Plan};
use hamiltone_schemes::eigenfrequencies;
use realfft::RealFftPlanner;
use std::f64::consts::TAU;

/// How many partials are shown.
const SHOWN: usize = 16;
/// The most coordinates of a body whose grid is asked.
const LARGEST: usize = 20_000;
/// The longest stretch of sound that is looked at, samples.
const LONGEST: usize = 1 << 18;
/// The stretches of sound in which a partial is looked for, as parts of the longest.
const STRETCHES: [usize; 3] = [1, 4, 16];
/// How far from where it is expected a partial is looked for, as a part of its frequency.
const ASIDE: f64 = 0.01;
/// How far below the strongest line a partial is still heard, as a ratio.
const FAINT: f64 = 1e-5;
/// How far a partial stands above half of its surroundings, as a ratio.
const CLEAR: f64 = 10.0;

/// One partial: its frequencies, Hz.
pub struct Partial {
    /// Its number, from 1.
    pub number: usize,
    /// As it is heard.
    pub heard: Option<f64>,
    /// By the continuous theory.
    pub theory: Option<f64>,
    /// Of the body's grid.
    pub grid: Option<f64>,
}

/// The partials of one body.
pub struct Partials {
    /// The body.
    pub body: String,
    /// The pickups that hear it.
    pub pickups: String,
    /// The partials, in order.
    pub list: Vec<Partial>,
    /// Half the width of a line of the spectrum, Hz: what frequencies closer than this do to each other shows.
    pub line: f64,
}

/// Cents from `reference` to `f`.
pub fn cents(f: f64, reference: f64) -> f64 {
    1200.0 * (f / reference).log2()
}

/// The same in words: with its sign, to a hundredth.
pub fn in_cents(f: f64, reference: f64) -> String {
    let text = format!("{:+.2}", cents(f, reference));
    if text.ends_with("0.00") && text.len() == 5 { "0.00".into() } else { text.replace('-', "−") }
}

/// Those of the long bodies that are heard; `end` is where the sound has died away, s.
pub fn all(plan: &Plan, sound: &Sound, end: Option<f64>) -> Vec<Partials> {
    plan.bodies.iter().filter_map(|body| of(plan, body, sound, end)).collect()
}

fn of(plan: &Plan, body: &BodyPlan, sound: &Sound, end: Option<f64>) -> Option<Partials> {
    body.placed.geometry.length()?;
    let reads = |quantity: &Quantity| match quantity {
        Quantity::Displacement(row) | Quantity::Velocity(row) => {
            row.last_dof().is_some_and(|dof| body.placed.dofs.contains(&dof))
        }
        Quantity::ContactForce(_) | Quantity::ContactForces(_) => false,
    };
    let channels: Vec<usize> =
        (0..plan.pickups.len()).filter(|i| reads(&plan.system.outputs[*i].quantity)).collect();
    let frames = end.map_or(sound.frames(), |end| (end * sound.rate) as usize).min(LONGEST);
    let stretch = |channel: usize, part: usize| {
        let samples: Vec<f64> = sound.channel(channel).take(frames / part).collect();
        Stretch::new(&samples, sound.rate)
    };
    // The longest first; of as long ones, the first channel that hears a partial tells its frequency.
    let stretches: Vec<Stretch> = STRETCHES
        .iter()
        .flat_map(|part| channels.iter().filter_map(|channel| stretch(*channel, *part)))
        .collect();
    let width = stretches.first()?.width;
    let grid = discrete(plan, body, SHOWN);
    // What a time step makes of a frequency grows as its square: each partial is looked for where the last
    // one that was heard shortly before puts it.
    let (mut warp, mut last) = (0.0, 0);
    let mut partial = |number: usize| {
        let theory = body.placed.representation.partial(number);
        let grid = grid.get(number - 1).copied();
        let reference = grid.or(theory).filter(|f| *f < 0.45 * sound.rate)?;
        let warped = if number <= last + 3 { warp * reference * reference } else { 0.0 };
        let expected = reference * (1.0 + warped);
        let heard = stretches.iter().find_map(|stretch| stretch.hears(expected));
        if let Some(heard) = heard {
            (warp, last) = ((heard / reference - 1.0) / (reference * reference), number);
        }
        Some(Partial { number, heard, theory, grid })
    };
    let list: Vec<Partial> = (1..=SHOWN).map_while(&mut partial).collect();
    let names: Vec<&str> = channels.iter().map(|i| plan.pickups[*i].name.as_str()).collect();
    let pickups = names.join(" or ");
    (!list.is_empty()).then(|| Partials { body: body.name.clone(), pickups, list, line: 0.5 * width })
}

/// The lowest frequencies of a body's own grid that are not 0, Hz.
pub fn discrete(plan: &Plan, body: &BodyPlan, count: usize) -> Vec<f64> {
    let dofs = &body.placed.dofs;
    if dofs.len() > LARGEST {
        return Vec::new();
    }
    let own = |block: &&Block| dofs.start <= block.dofs.start && block.dofs.end <= dofs.end;
    let moved = |block: &Block| Block {
        dofs: block.dofs.start - dofs.start..block.dofs.end - dofs.start,
        ..block.clone()
    };
    let system = System {
        mass: plan.system.mass[dofs.clone()].to_vec(),
        blocks: plan.system.blocks.iter().filter(own).map(moved).collect(),
        ..System::default()
    };
    // A free body has up to two modes in which it moves as a whole; rounding leaves them near 0.
    let all = eigenfrequencies::lowest(&system, count + 2);
    let still = 1e-4 * all.last().copied().unwrap_or(0.0);
    all.into_iter().filter(|omega| *omega > still).take(count).map(|omega| omega / TAU).collect()
}

/// The beginning of a sound, in lines.
struct Stretch {
    lines: Vec<f64>,
    /// The distance of lines, Hz.
    width: f64,
    strongest: f64,
}

impl Stretch {
    fn new(samples: &[f64], rate: f64) -> Option<Self> {
        let lines = gaussian(samples)?;
        let strongest = lines.iter().copied().fold(0.0, f64::max);
        Some(Self { lines, width: rate / samples.len() as f64, strongest })
    }

    /// The frequency of the partial near `expected`, Hz.
    fn hears(&self, expected: f64) -> Option<f64> {
        summit(&self.lines, expected / self.width, FAINT * self.strongest).map(|line| line * self.width)
    }
}

/// Magnitudes of the lines under Gauss's window, five deviations to each side.
fn gaussian(sound: &[f64]) -> Option<Vec<f64>> {
    let n = sound.len();
    if n < 256 {
        return None;
    }
    let mean = sound.iter().sum::<f64>() / n as f64;
    let window = |i: usize| {
        let z = 10.0 * (i as f64 / n as f64 - 0.5);
        (-0.5 * z * z).exp()
    };
    let mut input: Vec<f64> = sound.iter().enumerate().map(|(i, x)| window(i) * (x - mean)).collect();
    let transform = RealFftPlanner::new().plan_fft_forward(n);
    let mut lines = transform.make_output_vec();
    transform.process(&mut input, &mut lines).ok()?;
    Some(lines.iter().map(|line| line.norm()).collect())
}

/// The summit near the line `at`, in lines, where there is one above `floor` that stands clear of its
/// surroundings: nothing stronger around it, and half of what is around it 20 dB below.
fn summit(lines: &[f64], at: f64, floor: f64) -> Option<f64> {
    let around = |reach: f64| {
        let to = ((at + reach) as usize).min(lines.len().checked_sub(2)?);
        Some((at - reach).max(1.0) as usize..=to)
    };
    let near = (ASIDE * at).max(3.0);
    let k = around(near)?.max_by(|a, b| lines[*a].total_cmp(&lines[*b]))?;
    let mut surroundings = lines[around((3.0 * near).max(16.0))?].to_vec();
    surroundings.sort_by(f64::total_cmp);
    let strongest = surroundings.last().is_some_and(|strongest| *strongest == lines[k]);
    let clear = lines[k] > CLEAR * surroundings[surroundings.len() / 2];
    let [left, middle, right] = [k - 1, k, k + 1].map(|k| lines[k].ln());
    let bend = left - 2.0 * middle + right;
    let is_summit = middle >= left && middle >= right && bend < 0.0 && strongest && clear && lines[k] > floor;
    is_summit.then(|| k as f64 + 0.5 * (left - right) / bend)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dying partial beside a stronger one, 300 lines away.
    #[test]
    fn a_dying_partial_is_heard_where_it_is() {
        let n = 44_100;
        let wave = |f: f64, decay: f64, t: f64| (-decay * t).exp() * (TAU * f * t).sin();
        let sound: Vec<f64> = (0..n)
            .map(|i| f64::from(i) / f64::from(n))
            .map(|t| wave(523.17, 6.0, t) + 0.1 * wave(261.633, 3.0, t))
            .collect();
        let whole = Stretch::new(&sound, f64::from(n)).unwrap();
        for f in [261.633, 523.17] {
            let heard = whole.hears(f * 1.002).unwrap();
            // The window is cut at 5 deviations, e^(−12.5) = 4e-6: that far the parabola is one, and the
            // image of the other partial is fainter still. A line is 1 Hz.
            assert!((heard - f).abs() < 1e-4, "{heard}");
            assert!(cents(heard, f).abs() < 1e-3);
        }
        assert_eq!(whole.hears(1000.0), None);
    }

    /// Gone by e^(−60) in the middle of the whole, where the window looks.
    #[test]
    fn a_partial_that_dies_soon_is_heard_in_a_shorter_stretch() {
        let sound: Vec<f64> = (0..44_100)
            .map(|i| f64::from(i) / 44_100.0)
            .map(|t| (TAU * 262.0 * t).sin() + (-120.0 * t).exp() * (TAU * 4600.0 * t).sin())
            .collect();
        let heard = |part| Stretch::new(&sound[..sound.len() / part], 44_100.0).unwrap().hears(4601.0);
        assert_eq!(heard(1), None);
        // A line of the sixteenth is 16 Hz; at Gauss's centre the decay only scales it.
        assert!((heard(16).unwrap() - 4600.0).abs() < 0.1, "{:?}", heard(16));
    }
}
