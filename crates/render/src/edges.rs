//! How a sound begins and ends: with a jump, or before it has decayed.
//!
//!   begin = |x(0)|/max|x|,   end = 20 lg(max|x| of the last 50 ms/max|x|),   rate = 20 lg(x₂/x₁)/(W/2)
//!
//! x₁ and x₂ being the root mean squares of the first and the second half of the last W = min(T/4, 2 s). A sound that falls by
//! less than 1 dB a second is no note that decays, and ends where its scene ends.

use crate::{error::SinkError, sound::Sound};
use hamiltone_core::audit::Audit;
use hamiltone_numerics::math;
use hamiltone_plan::Plan;
use hamiltone_scene::units::plain;

/// The largest first sample that is no jump, as a part of the peak: −20 dB, where a click of one sample is as loud as the note's
/// own partials in a band of a tenth of the spectrum.
const JUMP: f64 = 0.1;
/// The highest end that is no cut, dB: a hundredth of the amplitude.
const CUT: f64 = -40.0;
/// Where a note counts as decayed, dB.
const DECAYED: f64 = -60.0;
/// What ends, s.
const LAST: f64 = 0.05;
/// From what the rate is taken, s at most.
const LONGEST: f64 = 2.0;
/// A slower decay is none, dB/s.
const SUSTAINED: f64 = 1.0;

/// The part of the energy that is lost at least in a run of a note that decays: a hammer may keep most of it.
const LOST: f64 = 1e-3;

/// The begin and end of one channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edges {
    /// |x(0)| over the peak.
    pub begin: f64,
    /// The level of the last 50 ms below the peak, dB.
    pub end: f64,
    /// How fast the level changes there, dB/s.
    pub rate: f64,
}

impl Edges {
    /// Of each channel of a sound; none of one that is silent or shorter than 0.2 s.
    ///
    /// # Errors
    /// Where samples on disk cannot be read.
    pub fn of(sound: &Sound) -> Result<Vec<Option<Self>>, SinkError> {
        let (frames, channels) = (sound.frames(), sound.channels);
        let window = (0.25 * frames as f64).min(LONGEST * sound.rate).floor() as u64;
        let last = (LAST * sound.rate) as u64;
        if window < last.max(2) {
            return Ok(vec![None; channels]);
        }
        let mut first = vec![0.0; channels];
        sound.for_each(0..1, |rows| {
            first.copy_from_slice(rows);
            Ok::<(), SinkError>(())
        })?;
        let (mut squares, mut peaks) = (vec![[0.0; 2]; channels], vec![0.0_f64; channels]);
        let mut frame = 0;
        sound.for_each(frames - window..frames, |rows| {
            for row in rows.chunks_exact(channels) {
                let half = usize::from(frame >= window / 2);
                for ((x, squares), peak) in row.iter().zip(&mut squares).zip(&mut peaks) {
                    squares[half] += x * x;
                    if frame + last >= window {
                        *peak = peak.max(x.abs());
                    }
                }
                frame += 1;
            }
            Ok::<(), SinkError>(())
        })?;
        let decibels = |ratio: f64| 20.0 / std::f64::consts::LN_10 * math::log(ratio.max(1e-15));
        let seconds = 0.5 * window as f64 / sound.rate;
        let edges = |c: usize| {
            let peak = sound.peaks[c];
            let [before, after] = squares[c];
            // Halves of an odd window differ by a frame.
            (peak > 0.0).then(|| Self {
                begin: first[c].abs() / peak,
                end: decibels(peaks[c] / peak),
                rate: if before > 0.0 { decibels((after / before).sqrt()) / seconds } else { 0.0 },
            })
        };
        Ok((0..channels).map(edges).collect())
    }

    /// Whether it begins with a jump.
    pub fn jumps(&self) -> bool {
        self.begin > JUMP
    }

    /// Whether it is cut off while it decays.
    pub fn is_cut(&self) -> bool {
        self.end > CUT && self.rate < -SUSTAINED
    }
}

/// The warnings of a sound by the edges of its channels, each of the worst of them.
pub(crate) fn warnings(plan: &Plan, edges: &[Option<Edges>], audit: &Audit) -> Vec<String> {
    // What is in no file clicks in none.
    let heard = plan.pickups.iter().zip(edges).filter(|(pickup, _)| pickup.mix.bus.is_some());
    let named = || heard.clone().filter_map(|(pickup, edges)| Some((pickup, (*edges)?)));
    // A coupled pickup begins at 0 in its file.
    let jump = named()
        .filter(|(pickup, e)| pickup.mix.ac_coupling == 0.0 && e.jumps())
        .max_by(|a, b| a.1.begin.total_cmp(&b.1.begin));
    let jump = jump.map(|(pickup, edges)| {
        let instead = match &*pickup.quantity {
            "velocity" => "\"displacement\", which begins at 0 there",
            _ => "\"velocity\", which begins at rest",
        };
        format!(
            "`{}` begins with a jump to {} % of its peak, a click: use quantity = {instead}, or a drive that rises over some \
             milliseconds, such as kind = \"envelope\"",
            pickup.name,
            plain((100.0 * edges.begin).round()),
        )
    });
    // Where nothing is lost, levels rise and fall by the beats of partials. A fade that is longer than what is measured is meant.
    let decays = plan.output.fade <= LAST && audit.dissipated > LOST * audit.energy_peak;
    let cut = named().filter(|(_, e)| decays && e.is_cut()).max_by(|a, b| a.1.end.total_cmp(&b.1.end));
    let cut = cut.map(|(pickup, edges)| {
        let duration = plan.frames as f64 / plan.sample_rate;
        let digits = |x: f64| format!("{x:.1e}").parse().map_or(x, |x: f64| x);
        let needed = plain(digits(duration + (edges.end - DECAYED) / -edges.rate));
        format!(
            "the sound is cut off before it has decayed: `{}` ends {:.0} dB below its peak; it falls by {} dB a second, so that 60 dB \
             take about {needed} s: write run.duration = \"{needed} s\", or a longer `fade` in [output]",
            pickup.name,
            -edges.end,
            plain(digits(-edges.rate)),
        )
    });
    jump.into_iter().chain(cut).collect()
}
