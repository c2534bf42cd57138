//! At which sample of a block an action acts that came at a time.
//!
//!   n = (t − T) f + L
//!
//! with the time t of the action, the time T that the first sample of the block stands for, the rate f and a latency L of one block: what came
//! during the block before acts in this one, at the same distance from its beginning. Blocks are asked for at irregular times t_k, so that T
//! follows them slowly,
//!
//!   T_{k+1} = T_k + N_k/f + g (t_k − T_k),
//!
//! unless they are far apart, as after a pause of the device.

/// The part g of an error that a block corrects.
const GAIN: f64 = 0.05;
/// The error from which on the clock is set anew, s.
const PAUSE: f64 = 0.1;

/// The time of blocks.
#[derive(Clone, Debug)]
pub struct Clock {
    rate: f64,
    latency: f64,
    /// The time of the first sample of this block and of the next, s.
    start: f64,
    next: f64,
}

impl Clock {
    /// A clock at a rate (Hz), with a latency in samples.
    pub fn new(rate: f64, latency: usize) -> Self {
        Self { rate, latency: latency as f64, start: 0.0, next: f64::NEG_INFINITY }
    }

    /// Begins a block of so many samples, which is asked for now (s).
    pub fn begin(&mut self, now: f64, frames: usize) {
        let error = now - self.next;
        self.start = if error.abs() > PAUSE { now } else { self.next + GAIN * error };
        self.next = self.start + frames as f64 / self.rate;
    }

    /// The sample of this block at which an action of a time (s) acts: 0 where it is late, beyond the block where it belongs to a later one.
    pub fn sample(&self, time: f64) -> usize {
        // Negative numbers become 0.
        ((time - self.start) * self.rate + self.latency).round() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_keep_their_distances_by_one_block_of_latency() {
        let mut clock = Clock::new(48_000.0, 256);
        let block = 256.0 / 48_000.0;
        // Blocks are asked for up to 1 ms too early or too late.
        for k in 0..1000_u32 {
            let jitter = 1e-3 * f64::from((k * 7919) % 21) / 10.0 - 1e-3;
            clock.begin(5.0 + f64::from(k) * block + jitter, 256);
        }
        let nominal = 5.0 + 999.0 * block;
        let samples = [-256, -100, -1, 0].map(|n| clock.sample(nominal + f64::from(n) / 48_000.0) as i64);
        for (sample, expected) in samples.into_iter().zip([0, 156, 255, 256]) {
            assert!((sample - expected).abs() <= 15, "{sample} in place of {expected}");
        }
        assert_eq!(samples[2] - samples[1], 99);
        assert_eq!(clock.sample(nominal - 1.0), 0);
    }

    #[test]
    fn after_a_pause_the_clock_is_set_anew() {
        let mut clock = Clock::new(48_000.0, 256);
        clock.begin(1.0, 256);
        clock.begin(9.0, 256);
        assert_eq!(clock.sample(9.0), 256);
    }
}
