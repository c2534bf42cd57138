//! From the pickups of all parts to the channels of the sound.
//!
//! A part adds its pickups to the channels of its rate,
//!
//!   y_c += g_cp m_p(t) H_p(x_p)
//!
//! with the gain g_cp of level, bus, pan and a parameter, the tremolo m_p and the high-pass H_p of AC coupling ([`hamiltone_plan::mix`]). The parts of one rate are added
//! up in their order and then decimated together, since both are linear. All rates leave with the same delay.

use super::gestured::{archive_factor, glide};
use hamiltone_core::state::Archive;
use hamiltone_plan::output::{PickupMix, Tremolo};
use hamiltone_plan::{decimate::Decimator, pickup_filter::PickupFilter};

use hamiltone_numerics::convolution::Convolution;

/// An impulse response through which a transfer is heard.
pub struct ResponseOutput {
    /// The number of the transfer.
    transfer: usize,
    /// Its channels, each with the channels of the sound that it goes into and its gains.
    channels: Vec<(Convolution, Vec<(usize, f64)>)>,
}

impl ResponseOutput {
    /// Of a transfer, by these channels of an impulse response with their gains in the channels of the sound.
    pub fn new(transfer: usize, channels: Vec<(Convolution, Vec<(usize, f64)>)>) -> Self {
        Self { transfer, channels }
    }

    /// Adds the next samples to the sound.
    pub fn add(&mut self, frames: usize, transfers: &[Vec<f64>], sound: &mut [Vec<f64>]) {
        for (convolution, gains) in &mut self.channels {
            for (n, x) in transfers[self.transfer][..frames].iter().enumerate() {
                let y = convolution.next(*x);
                gains.iter().for_each(|(channel, gain)| sound[*channel][n] += gain * y);
            }
        }
    }

    /// Goes through every number that the next sample depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        for (convolution, _) in &mut self.channels {
            convolution.each(&mut |numbers| archive.numbers(numbers));
        }
    }
}

/// Samples of each channel.
pub type Channels = Vec<Vec<f64>>;

/// How a pickup goes into the channels.
#[derive(Clone, Debug)]
pub struct Route {
    /// The output of the part.
    pub output: usize,
    /// Whether it goes into the sound, and does not drive another part.
    pub is_output: bool,
    coupling: Option<PickupFilter>,
    tremolo: Option<Tremolo>,
    /// The channels with the gain in each, 1/(unit of the pickup).
    gains: Vec<(usize, f64)>,
    /// By what a parameter multiplies it, where that goes to, whether it goes to 0 instead, and which part of the way a step is.
    factor: f64,
    aim: f64,
    is_muted: bool,
    part: f64,
}

/// The time in which the factor of a pickup approaches where it goes to to 1/e, s.
const GLIDE: f64 = 5e-3;

impl Route {
    /// A pickup that is coupled and has a tremolo as its mix states, read at `rate` (Hz).
    pub fn new(
        (output, is_output): (usize, bool),
        mix: &PickupMix,
        rate: f64,
        gains: Vec<(usize, f64)>,
    ) -> Self {
        let coupling = PickupFilter::new(mix, rate);
        let part = 1.0 / (GLIDE * rate);
        let (factor, aim, is_muted) = (1.0, 1.0, false);
        Self { output, is_output, coupling, tremolo: mix.tremolo, gains, factor, aim, is_muted, part }
    }

    /// Multiplies it by a factor, which is approached; at once where it does not sound.
    pub fn scale(&mut self, factor: f64, sounds: bool) {
        self.aim = factor;
        if !sounds {
            self.factor = factor;
        }
    }

    /// Lets what is heard go to 0, or back.
    pub fn mute(&mut self, muted: bool) {
        self.is_muted = muted && self.is_output;
    }

    /// By what it is multiplied now.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Adds values of the pickup after successive steps to the channels, from sample `at` on; `time` is that of the n-th (s) since the beginning.
    pub fn add(
        &mut self,
        values: impl Iterator<Item = f64>,
        time: impl Fn(usize) -> f64,
        (channels, at): (&mut Channels, usize),
    ) {
        let aim = if self.is_muted { 0.0 } else { self.aim };
        // Copies, which the compiler can keep in registers while it writes to the channels.
        let (mut coupling, mut factor) = (self.coupling, self.factor);
        for (n, x) in values.enumerate() {
            let y = coupling.as_mut().map_or(x, |filter| filter.next(x));
            let y = self.tremolo.map_or(y, |tremolo| y * tremolo.gain(time(n)));
            if factor != aim {
                glide(&mut factor, aim, self.part);
            }
            let y = factor * y;
            for (channel, gain) in &self.gains {
                channels[*channel][at + n] += gain * y;
            }
        }
        (self.coupling, self.factor) = (coupling, factor);
    }

    /// Goes through the numbers of its filter.
    pub fn archive(&mut self, archive: &mut Archive) {
        self.coupling.iter_mut().for_each(|filter| filter.archive(archive));
        archive_factor(archive, &mut self.factor);
        archive_factor(archive, &mut self.aim);
        archive.flag(&mut self.is_muted);
    }

    /// The pickup has come to rest.
    pub fn rest(&mut self) {
        self.factor = self.aim;
        self.is_muted = false;
        self.coupling = self.coupling.map(PickupFilter::at_rest);
    }
}

/// The channels of one rate.
pub struct Rate {
    ratio: usize,
    /// The channels at this rate, for one block.
    pub channels: Channels,
    decimators: Vec<Decimator>,
    /// How many samples the decimators are behind, and the line that delays by the rest.
    lines: Vec<Line>,
}

impl Rate {
    /// The delay of a rate by its decimator, samples.
    pub fn delay(ratio: usize) -> usize {
        if ratio > 1 { Decimator::delay(ratio) } else { 0 }
    }

    /// So many channels with blocks of up to `block` samples, delayed by `delay` samples altogether.
    pub fn new(ratio: usize, channels: usize, block: usize, delay: usize) -> Self {
        let own = Self::delay(ratio);
        let decimators =
            if ratio > 1 { (0..channels).map(|_| Decimator::of_ends(ratio)).collect() } else { Vec::new() };
        Self {
            ratio,
            channels: vec![vec![0.0; block * ratio]; channels],
            decimators,
            lines: vec![Line::new(delay - own, own); channels],
        }
    }

    /// Steps a sample.
    pub fn ratio(&self) -> usize {
        self.ratio
    }

    /// Makes room for blocks of so many samples.
    pub fn reserve(&mut self, block: usize) {
        self.channels.iter_mut().for_each(|channel| channel.resize(block * self.ratio, 0.0));
    }

    /// Goes through every number that the next block depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        self.decimators.iter_mut().for_each(|decimator| decimator.archive(archive));
        for line in &mut self.lines {
            archive.size(&mut line.behind);
            archive.numbers(&mut line.past);
            archive.size(&mut line.at);
            // Of another file it could lie beyond.
            line.at = line.at.min(line.past.len().saturating_sub(1));
        }
    }

    /// Adds the first `frames` samples to the sound and begins the next block.
    pub fn finish(&mut self, frames: usize, sound: &mut Channels) {
        for (c, (channel, sound)) in self.channels.iter_mut().zip(sound).enumerate() {
            let block = &mut channel[..frames * self.ratio];
            let line = &mut self.lines[c];
            for (samples, y) in block.chunks_exact(self.ratio).zip(sound) {
                let sample = match self.decimators.get_mut(c) {
                    Some(decimator) => {
                        samples.iter().for_each(|x| decimator.push(*x));
                        line.decimated(decimator)
                    }
                    None => samples[0],
                };
                *y += line.delayed(sample);
            }
            block.fill(0.0);
        }
    }
}

/// A delay of whole samples.
#[derive(Clone, Debug)]
struct Line {
    /// How many samples of a decimator are still to come.
    behind: usize,
    past: Vec<f64>,
    at: usize,
}

impl Line {
    fn new(delay: usize, behind: usize) -> Self {
        Self { behind, past: vec![0.0; delay], at: 0 }
    }

    /// The next sample of a decimator, 0 until it has its first.
    fn decimated(&mut self, decimator: &mut Decimator) -> f64 {
        if self.behind > 0 {
            self.behind -= 1;
            return 0.0;
        }
        decimator.pull().unwrap_or(0.0)
    }

    fn delayed(&mut self, sample: f64) -> f64 {
        let length = self.past.len();
        let Some(past) = self.past.get_mut(self.at) else { return sample };
        self.at = (self.at + 1) % length;
        std::mem::replace(past, sample)
    }
}
