//! The channels of files, mixed from the pickups: coils of magnetic pickups, AC coupling, tremolo, fade-out, level, gain, pan.
//!
//! With the samples xₚ of the pickups in SI units
//!
//!   y_c = d Σₚ g_cp mₚ Hₚ(xₚ)
//!
//! with the filters H of [`hamiltone_plan::pickup_filter`], the tremolo m of [`Tremolo`], the fade d of [`Fade`], and gains
//! g_cp = factorₚ · w_c(panₚ) ([`hamiltone_plan::mix`]). The factors are known before the run where the level is a reference, a
//! gain or raw. A peak level needs the largest sample: it is found in one reading of all samples when the run has ended, and
//! so nothing of the mix is in the state of a run.

use crate::{error::SinkError, spool::Spool};
use hamiltone_numerics::math::{self, canonical};
use hamiltone_plan::{
    Channels, Level, Pickup, Plan, Tremolo,
    mix::{Channel, bus_of, channels, decibels, live_factor},
    output::NOISE_FLOOR,
    pickup_filter::PickupFilter,
};
use std::{collections::BTreeMap, f64::consts::PI, ops::Range};

/// How pickups become the channels of files, and how loud those are.
#[derive(Clone, Debug, Default)]
pub struct Mix {
    /// What each pickup goes through.
    filters: Vec<Option<PickupFilter>>,
    /// The pickups whose level rises and falls.
    tremolos: Vec<(usize, Tremolo)>,
    /// Frames a second, for their time.
    rate: f64,
    /// The end of the sound.
    fade: Fade,
    /// Whether a level that normalises did so; it does not where the sound is silent or below the noise floor.
    pub is_normalised: bool,
    /// The files.
    pub buses: Vec<Bus>,
}

/// The channels of one file.
#[derive(Clone, Debug, Default)]
pub struct Bus {
    /// Its name in the scene.
    pub name: String,
    /// For each channel the pickups that it adds, and their gains, 1/(unit of the pickup).
    pub channels: Vec<Channel>,
    /// max |y| over all channels; 1 is full scale.
    pub peak: f64,
    /// How many samples exceed full scale in the integer format chosen.
    pub clipped: u64,
}

impl Bus {
    /// Its peak in dB of full scale; −∞ for silence.
    pub fn peak_dbfs(&self) -> f64 {
        20.0 * math::log10(self.peak)
    }
}

/// The fade-out: d = ½(1 + cos(π j/N)) for the last N frames, j = 1 … N, so that the last sample is 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fade {
    /// The first frame that fades.
    from: u64,
    /// N.
    length: u64,
}

impl Fade {
    /// The last `length` of so many frames, or all.
    fn new(frames: u64, length: u64) -> Self {
        let length = length.min(frames);
        Self { from: frames - length, length }
    }

    /// d at a frame; `None` where it is 1.
    fn at(&self, frame: u64) -> Option<f64> {
        let j = (frame + 1).checked_sub(self.from).filter(|j| *j > 0 && self.length > 0)?;
        Some(0.5 * (1.0 + math::cos(PI * j as f64 / self.length as f64)))
    }
}

/// The largest samples of a first reading.
struct Largest {
    /// Of each pickup, coupled, with its tremolo, and faded, in SI units.
    pickups: Vec<f64>,
    /// Of each bus.
    buses: Vec<f64>,
}

impl Mix {
    /// The largest peak of all files; 1 is full scale.
    pub fn peak(&self) -> f64 {
        self.buses.iter().fold(0.0, |peak, bus| peak.max(bus.peak))
    }

    /// One file whose channels are `factors.len()` pickups, each times its factor, of this peak (1 is full scale).
    pub fn separate(factors: &[f64], peak: f64) -> Self {
        let channels = factors.iter().enumerate().map(|(pickup, factor)| vec![(pickup, *factor)]).collect();
        let bus = Bus { channels, peak, ..Bus::default() };
        Self { filters: vec![None; factors.len()], buses: vec![bus], ..Self::default() }
    }

    /// Samples that are channels already, those of the buses in turn, each with the peak of its channels and how many of its
    /// samples exceed full scale.
    pub fn of_channels(buses: impl IntoIterator<Item = Bus>) -> Self {
        let mut first = 0;
        let numbered = |bus: Bus| {
            let count = bus.channels.len();
            first += count;
            Bus { channels: (first - count..first).map(|channel| vec![(channel, 1.0)]).collect(), ..bus }
        };
        let buses: Vec<Bus> = buses.into_iter().map(numbered).collect();
        Self { filters: vec![None; first], buses, ..Self::default() }
    }

    /// The mix of a plan's sound, and the factor of each pickup by which it is multiplied before its pan: 1/(unit), 0 for
    /// one in no file.
    ///
    /// # Errors
    /// Where the samples cannot be read.
    pub(crate) fn new(plan: &Plan, samples: &Spool) -> Result<(Self, Vec<f64>), SinkError> {
        let (rate, output) = (plan.sample_rate, &plan.output);
        let filters = plan.pickups.iter().map(|pickup| PickupFilter::new(&pickup.mix, rate)).collect();
        let tremolo = |(number, pickup): (usize, &Pickup)| Some((number, pickup.mix.tremolo?));
        let tremolos = plan.pickups.iter().enumerate().filter_map(tremolo).collect();
        let frames = samples.len() / plan.pickups.len().max(1) as u64;
        let fade = Fade::new(frames, (output.fade * rate).round() as u64);
        let mut factors: Vec<f64> = (0..plan.pickups.len()).map(|pickup| relative(plan, pickup)).collect();
        let mut mix = Self { filters, tremolos, rate, fade, ..Self::default() };
        mix.buses = buses(plan, &factors);
        let largest = mix.measure(samples, output.format.is_integer())?;
        let target = match output.level {
            Level::Peak(db) => Some((db, 0.0)),
            Level::Normalised(db) => Some((db, NOISE_FLOOR)),
            Level::Reference(_) | Level::Gain(_) | Level::Raw => None,
        };
        if let Some((db, floor)) = target {
            let (mixed, scaled) = normalise(plan, &mut factors, &largest, (decibels(db), floor));
            mix.is_normalised = scaled;
            mix.buses = buses(plan, &factors);
            for (number, bus) in mix.buses.iter_mut().enumerate() {
                let parts = bus.channels.iter().flatten();
                bus.peak = match output.buses[number].channels {
                    Channels::Pickups => {
                        parts.fold(0.0, |peak, (i, gain)| peak.max(largest.pickups[*i] * gain))
                    }
                    Channels::Mono | Channels::Stereo => largest.buses[number] * mixed,
                };
            }
        }
        Ok((mix, factors))
    }

    /// Reads all samples once: peaks and clipped samples of the buses, and the largest sample of each pickup.
    fn measure(&mut self, samples: &Spool, integers: bool) -> Result<Largest, SinkError> {
        let mut pickups = vec![0.0_f64; self.filters.len()];
        let mut found = vec![(0.0_f64, 0_u64); self.buses.len()];
        self.rows(samples, 0..samples.len(), |row| {
            pickups.iter_mut().zip(row).for_each(|(peak, x)| *peak = peak.max(x.abs()));
            for (bus, (peak, clipped)) in self.buses.iter().zip(&mut found) {
                for y in bus.channels.iter().map(|parts| sum(parts, row).abs()) {
                    *peak = peak.max(y);
                    *clipped += u64::from(y > 1.0);
                }
            }
            Ok::<(), SinkError>(())
        })?;
        for (bus, (peak, clipped)) in self.buses.iter_mut().zip(&found) {
            (bus.peak, bus.clipped) = (*peak, if integers { *clipped } else { 0 });
        }
        Ok(Largest { pickups, buses: found.into_iter().map(|(peak, _)| peak).collect() })
    }

    /// Calls `each` with the pickups of every frame, coupled, with their tremolo, and faded, in SI units; `numbers` begins with the first sample,
    /// since the filters do.
    fn rows<E: From<SinkError>>(
        &self,
        samples: &Spool,
        numbers: Range<u64>,
        mut each: impl FnMut(&[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let width = self.filters.len();
        if width == 0 {
            return Ok(());
        }
        let (mut filters, mut frame, mut row) = (self.filters.clone(), 0, vec![0.0; width]);
        samples.for_each(numbers, width, |rows| {
            for read in rows.chunks_exact(width) {
                for ((y, x), filter) in row.iter_mut().zip(read).zip(&mut filters) {
                    *y = filter.as_mut().map_or(*x, |filter| filter.next(*x));
                }
                for (pickup, tremolo) in &self.tremolos {
                    row[*pickup] *= tremolo.gain(frame as f64 / self.rate);
                }
                if let Some(fade) = self.fade.at(frame) {
                    row.iter_mut().for_each(|y| *y *= fade);
                }
                frame += 1;
                each(&row)?;
            }
            Ok(())
        })
    }

    /// Calls `each` with the number of a bus and its channels for the first so many frames of the samples, one frame of each bus
    /// after the other; 1 is full scale. The samples are read once, however many buses there are.
    ///
    /// # Errors
    /// Where the samples cannot be read, and those of `each`.
    pub fn for_each<E: From<SinkError>>(
        &self,
        samples: &Spool,
        frames: u64,
        mut each: impl FnMut(usize, &[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let most = self.buses.iter().map(|bus| bus.channels.len()).max().unwrap_or(0);
        let mut mixed = vec![0.0; most];
        self.rows(samples, 0..frames * self.filters.len() as u64, |row| {
            self.buses.iter().enumerate().try_for_each(|(number, bus)| {
                let mixed = &mut mixed[..bus.channels.len()];
                mixed.iter_mut().zip(&bus.channels).for_each(|(y, parts)| *y = canonical(sum(parts, row)));
                each(number, mixed)
            })
        })
    }
}

/// The sum of a channel.
fn sum(parts: &[(usize, f64)], row: &[f64]) -> f64 {
    match parts {
        // One pickup keeps its bits, those of a negative zero included.
        [(pickup, gain)] => row[*pickup] * gain,
        parts => parts.iter().fold(0.0, |sum, (pickup, gain)| sum + row[*pickup] * gain),
    }
}

/// The factor of a pickup: for a peak level relative to others, else as it is.
fn relative(plan: &Plan, pickup: usize) -> f64 {
    let (output, pickup) = (&plan.output, &plan.pickups[pickup]);
    let Some(bus) = bus_of(plan, pickup) else { return 0.0 };
    match output.level {
        // Each unit is normalised by itself; the noise floor is one of the reference level.
        Level::Peak(_) if bus.channels == Channels::Pickups => decibels(pickup.mix.gain + bus.gain),
        _ => live_factor(plan, bus, pickup.mix.gain, pickup.sound_unit()),
    }
}

/// Scales factors so that the largest sample becomes `peak`: of all mixes together, whose levels relative to each other
/// stay, and of separate channels unit by unit. Returns the scale of the mixes, and whether anything was scaled. What is
/// below `floor`, silent, or so small that no number normalises it (2^−1022 and less), is not scaled.
fn normalise(plan: &Plan, factors: &mut [f64], largest: &Largest, (peak, floor): (f64, f64)) -> (f64, bool) {
    let scales = |most: f64| most >= floor && (peak / most).is_finite();
    let scale = |most: f64| if scales(most) { peak / most } else { 1.0 };
    let is_separate = |bus: usize| plan.output.buses[bus].channels == Channels::Pickups;
    let mixes = largest.buses.iter().enumerate().filter(|(bus, _)| !is_separate(*bus));
    let mixed = mixes.fold(0.0_f64, |most, (_, peak)| most.max(*peak));
    let mut units: BTreeMap<&str, f64> = BTreeMap::new();
    for ((pickup, x), factor) in plan.pickups.iter().zip(&largest.pickups).zip(&*factors) {
        if pickup.mix.bus.is_some_and(is_separate) {
            let most = units.entry(pickup.sound_unit()).or_default();
            *most = most.max(x * factor);
        }
    }
    for (pickup, factor) in plan.pickups.iter().zip(factors) {
        match pickup.mix.bus {
            Some(bus) if is_separate(bus) => {
                *factor *= scale(units.get(pickup.sound_unit()).copied().unwrap_or(0.0))
            }
            Some(_) => *factor *= scale(mixed),
            None => {}
        }
    }
    (scale(mixed), scales(mixed) || units.values().any(|most| scales(*most)))
}

/// The buses with these factors of the pickups.
fn buses(plan: &Plan, factors: &[f64]) -> Vec<Bus> {
    let named = plan.output.buses.iter().zip(channels(plan, factors));
    named.map(|(bus, channels)| Bus { name: bus.name.clone(), channels, ..Bus::default() }).collect()
}
