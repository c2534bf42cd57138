//! Random playing of a shipped instrument: ten seconds of it, or ten minutes where HAMILTONE_LONG is set.

use crate::instruments::{RATE, Stand};
use hamiltone_live::midi::Translator;
use hamiltone_play::{Engine, recording::Balance};
use hamiltone_scene::instrument::Instrument;
use std::path::Path;

/// The longest block, samples.
const LONGEST: usize = 1500;
/// How long everything may ring when all is released, s.
const RING: f64 = 60.0;

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0.u32(0..n)
    }

    fn byte(&mut self) -> u8 {
        self.below(128) as u8
    }

    /// A message: mostly notes within four octaves, else anything, broken ones included.
    fn message(&mut self) -> Vec<u8> {
        let channel = self.below(16) as u8;
        let (key, value) = (48 + self.below(48) as u8, self.byte());
        match self.below(20) {
            0..=7 => vec![0x90 | channel, key, value],
            8..=13 => vec![0x80 | channel, key, value],
            14 => vec![0xb0 | channel, 64, value],
            15 => vec![0xb0 | channel, self.byte(), value],
            16 => vec![0xe0 | channel, self.byte(), value],
            17 => vec![0xd0 | channel, value],
            18 => vec![0xa0 | channel, key, value],
            _ => (0..self.below(4)).map(|_| self.below(256) as u8).collect(),
        }
    }
}

#[test]
fn ends_in_silence_with_an_exact_balance_and_without_an_allocation() {
    // The counter counts.
    assert_eq!(allocation_counter::measure(|| drop(std::hint::black_box(vec![7_u8]))).count_total, 1);
    // Half of it as ordinary messages, half as MPE.
    let duration = if std::env::var_os("HAMILTONE_LONG").is_some() { 300.0 } else { 5.0 };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../instruments/kalimba.toml");
    let plan = Instrument::open(path, &[], Default::default()).expect("it is there").cached(RATE, None);
    let plan = plan.unwrap_or_else(|wrong| panic!("{wrong}"));
    for mpe in [false, true] {
        let mut stand = Stand::new(Engine::new(&plan).expect("it can be played"), 2);
        let (mut translator, mut random) = (Translator::new(mpe), Random(fastrand::Rng::with_seed(1)));
        let (mut out, mut heard) = (vec![0.0_f32; 2 * LONGEST], 0.0_f32);
        let mut play = |stand: &mut Stand, messages: &[Vec<u8>], frames: usize| {
            let now = stand.now();
            let counted = allocation_counter::measure(|| {
                for message in messages {
                    translator.apply(message, |action| stand.act(now, action));
                }
                stand.processor.process(&mut out[..2 * frames], now);
            });
            assert_eq!(counted.count_total, 0, "at {now} s");
            stand.frames += frames;
            let recorded = stand.recorded.slots();
            assert_eq!(recorded, 2 * frames, "everything is recorded");
            stand.recorded.read_chunk(recorded).expect("that many").commit_all();
            heard = out[..2 * frames].iter().fold(heard, |peak, x| peak.max(x.abs()));
            assert!(out[..2 * frames].iter().all(|x| x.is_finite()));
        };
        while stand.now() < duration {
            let count = random.below(4);
            let messages: Vec<Vec<u8>> = (0..count).map(|_| random.message()).collect();
            let frames = 1 + random.below(LONGEST as u32) as usize;
            play(&mut stand, &messages, frames);
        }
        let releases = (0..16).flat_map(|channel| (0..128).map(move |key| vec![0x80 | channel, key, 64]));
        play(&mut stand, &releases.collect::<Vec<_>>(), LONGEST);
        play(&mut stand, &[vec![0xb0, 120, 0]], LONGEST);
        let end = stand.now() + RING;
        while stand.now() < end && stand.meter.notes_and_parts().1 > 0 {
            play(&mut stand, &[], LONGEST);
        }
        assert!(heard > 1e-3, "{heard}");
        assert_eq!(stand.meter.notes_and_parts(), (0, 0), "notes that are held, and parts that are awake");
        let (engine, tally) = stand.processor.finish();
        let balance = Balance::of([&engine]);
        assert!(engine.is_balanced() && balance.muted == 0, "{balance:?}");
        assert!(tally.notes() as f64 > duration, "{} notes", tally.notes());
    }
}
