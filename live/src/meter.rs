//! What other threads learn of the thread of the sound while it plays: numbers that are written and read without a lock.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The numbers. Each is right by itself; together they may be of two blocks.
#[derive(Default)]
pub struct Meter {
    /// The time that computing took, and that of the sound that was computed, ns.
    busy: AtomicU64,
    sounding: AtomicU64,
    /// The greatest load of a block since it was last asked for, and of all, millionths.
    worst: AtomicU64,
    worst_of_all: AtomicU64,
    /// Blocks that took longer than they sound.
    late: AtomicU64,
    /// Gaps that the device told of.
    xruns: AtomicU64,
    /// The delay of the device, ns.
    delay: AtomicU64,
    held: AtomicUsize,
    awake: AtomicUsize,
    faded: AtomicU64,
    /// Whether each part is muted.
    muted: Box<[AtomicBool]>,
    lost_actions: AtomicU64,
    /// Samples of each channel that the recording lacks.
    unrecorded: AtomicU64,
    /// Whether the sound is to fade out, and whether the device has failed.
    ends: AtomicBool,
    failed: AtomicBool,
}

/// What a block tells.
#[derive(Clone, Copy, Debug)]
pub struct BlockReport {
    /// How long it took, s.
    pub busy: f64,
    /// How long it sounds, s.
    pub sounding: f64,
    /// Notes that are held by keys or pedals.
    pub held: usize,
    /// Parts that are stepped.
    pub awake: usize,
    /// How many parts were faded since more were awake than the budget.
    pub faded: u64,
}

/// The part of the time that computing takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Over all blocks.
    pub mean: f64,
    /// Of the longest block, over the time that it sounds.
    pub worst: f64,
}

/// Where a mean begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark(u64, u64);

/// ns of s.
fn nanoseconds(seconds: f64) -> u64 {
    (1e9 * seconds) as u64
}

impl Meter {
    /// Of an instrument of so many parts.
    pub fn new(parts: usize) -> Self {
        Self { muted: (0..parts).map(|_| AtomicBool::new(false)).collect(), ..Self::default() }
    }

    /// A block was computed.
    pub fn report(&self, block: BlockReport) {
        let BlockReport { busy, sounding, held, awake, faded } = block;
        let load = (1e6 * busy / sounding) as u64;
        self.busy.fetch_add(nanoseconds(busy), Relaxed);
        self.sounding.fetch_add(nanoseconds(sounding), Relaxed);
        self.worst.fetch_max(load, Relaxed);
        self.worst_of_all.fetch_max(load, Relaxed);
        self.late.fetch_add(u64::from(busy > sounding), Relaxed);
        self.held.store(held, Relaxed);
        self.awake.store(awake, Relaxed);
        self.faded.store(faded, Relaxed);
    }

    /// A part was muted.
    pub fn mute(&self, part: usize) {
        self.muted[part].store(true, Relaxed);
    }

    /// The numbers of the parts that were muted.
    pub fn muted(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.muted).filter(|(_, muted)| muted.load(Relaxed)).map(|(part, _)| part)
    }

    /// The load since a mark, which moves to now; the worst is that since this was last called.
    pub fn load(&self, mark: &mut Mark) -> Load {
        let Mark(busy, sounding) = *mark;
        *mark = Mark(self.busy.load(Relaxed), self.sounding.load(Relaxed));
        let mean = (mark.0 - busy) as f64 / ((mark.1 - sounding) as f64).max(1.0);
        Load { mean, worst: self.worst.swap(0, Relaxed) as f64 / 1e6 }
    }

    /// The load of the whole performance.
    pub fn load_of_all(&self) -> Load {
        let mean = self.busy.load(Relaxed) as f64 / (self.sounding.load(Relaxed) as f64).max(1.0);
        Load { mean, worst: self.worst_of_all.load(Relaxed) as f64 / 1e6 }
    }

    /// Blocks that took longer to compute than they sound.
    pub fn late(&self) -> u64 {
        self.late.load(Relaxed)
    }

    /// The device told of a gap in the sound.
    pub fn add_xrun(&self) {
        self.xruns.fetch_add(1, Relaxed);
    }

    /// Gaps in the sound that the device told of.
    pub fn xruns(&self) -> u64 {
        self.xruns.load(Relaxed)
    }

    /// The device plays what is computed now after so many seconds.
    pub fn set_delay(&self, seconds: f64) {
        self.delay.store(nanoseconds(seconds), Relaxed);
    }

    /// After how many seconds the device plays what is computed.
    pub fn delay(&self) -> f64 {
        self.delay.load(Relaxed) as f64 / 1e9
    }

    /// Notes that are held by keys or pedals, and parts that are stepped.
    pub fn notes_and_parts(&self) -> (usize, usize) {
        (self.held.load(Relaxed), self.awake.load(Relaxed))
    }

    /// How many parts were faded since more were awake than the budget.
    pub fn faded(&self) -> u64 {
        self.faded.load(Relaxed)
    }

    /// An action was dropped.
    pub fn lose_action(&self) {
        self.lost_actions.fetch_add(1, Relaxed);
    }

    /// How many actions were dropped.
    pub fn lost_actions(&self) -> u64 {
        self.lost_actions.load(Relaxed)
    }

    /// So many samples could not be recorded.
    pub fn lose_samples(&self, frames: usize) {
        self.unrecorded.fetch_add(frames as u64, Relaxed);
    }

    /// How many samples could not be recorded.
    pub fn unrecorded(&self) -> u64 {
        self.unrecorded.load(Relaxed)
    }

    /// Lets the sound fade out.
    pub fn end(&self) {
        self.ends.store(true, Relaxed);
    }

    /// Whether the sound is to fade out.
    pub fn ends(&self) -> bool {
        self.ends.load(Relaxed)
    }

    /// The device has failed.
    pub fn fail(&self) {
        self.failed.store(true, Relaxed);
    }

    /// Whether the device has failed.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_parts_of_the_time_that_sounds() {
        let (meter, mut mark) = (Meter::new(3), Mark::default());
        let report = |busy| {
            meter.report(BlockReport { busy, sounding: 0.01, held: 2, awake: 1, faded: 0 });
        };
        report(0.001);
        report(0.004);
        assert_eq!(meter.load(&mut mark), Load { mean: 0.25, worst: 0.4 });
        report(0.02);
        assert_eq!(meter.load(&mut mark), Load { mean: 2.0, worst: 2.0 });
        assert_eq!((meter.late(), meter.load_of_all().worst, meter.notes_and_parts()), (1, 2.0, (2, 1)));
        meter.mute(1);
        assert_eq!(meter.muted().collect::<Vec<_>>(), [1]);
    }
}
