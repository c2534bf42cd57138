//! The loop itself: rows, rates, bits, failures.

use super::{
    altered::Altered,
    reed::{blown, plucked, render, row, scaled},
};
use hamiltone_core::{ledger::Fault, refusal::Refusal};
use hamiltone_plan::{Level, Plan};
use hamiltone_render::{Block, Outcome, RunError, Sink, SinkError, Staged, run};

/// Counts rows and checks that none is lost or given twice.
#[derive(Default)]
struct Counter {
    every: Option<u64>,
    rows: u64,
    ends: Vec<u64>,
    finished: bool,
}

impl Sink for Counter {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }
    fn stride(&self, _: &Plan) -> Option<u64> {
        self.every
    }
    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        assert_eq!((block.first, block.outputs.len()), (self.rows, 2 * block.ledgers.len()));
        assert_eq!(block.q.len(), plan.system.size());
        self.rows += block.ledgers.len() as u64;
        self.ends.push(block.last());
        Ok(())
    }
    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        self.finished = true;
        Ok(Vec::new())
    }
}

#[test]
fn every_row_comes_once_and_blocks_end_where_states_are_wanted() {
    let plan = plucked(500, 3);
    let (mut free, mut four, mut six) = (
        Counter::default(),
        Counter { every: Some(4), ..Counter::default() },
        Counter { every: Some(6), ..Counter::default() },
    );
    let mut last = (0, 0);
    run(&plan, &mut [&mut free, &mut four, &mut six], &mut |done, total| last = (done, total)).unwrap();
    assert_eq!((free.rows, four.rows, six.rows, last), (1501, 1501, 1501, (1500, 1500)));
    assert!((0..=1500).filter(|n| n % 4 == 0 || n % 6 == 0).all(|n| four.ends.contains(&n)));
    assert!(free.finished && six.finished);
}

#[test]
fn the_block_length_changes_no_bit() {
    let plan = blown(2000, 2);
    let whole = render(&plan, &mut []);
    let pieces = render(&plan, &mut [&mut Counter { every: Some(7), ..Counter::default() }]);
    assert!(whole.ok, "{}", whole.audit.residual_max_relative());
    assert_eq!(whole.audit, pieces.audit);
    assert!((0..2).all(|c| whole.sound.channel(c).unwrap() == pieces.sound.channel(c).unwrap()));
    assert_eq!((whole.sound.peak, &whole.sound.factors), (pieces.sound.peak, &pieces.sound.factors));
}

#[test]
fn the_first_sample_is_the_start_and_oversampling_keeps_time() {
    let plain = render(&plucked(300, 1), &mut []).sound;
    let fine = render(&plucked(300, 8), &mut []).sound;
    assert_eq!((row(&plain, 0), plain.frames(), fine.frames()), (vec![2e-4, 0.0], 300, 300));
    // The reed's 2.5 kHz are a twentieth of the rate: EC at 44.1 kHz shifts the frequency by (ωΔt)²/24,
    // half a per cent, so that the two displacements stay together for the first quarter period.
    let [plain, fine] = [plain, fine].map(|sound| sound.part(0, 1..5).unwrap());
    let near = plain.iter().zip(&fine).all(|(a, b)| (a - b).abs() < 0.05 * 2e-4);
    assert!(near, "{plain:?} {fine:?}");
}

#[test]
fn a_sound_that_memory_cannot_hold_is_refused() {
    let refused = run(&plucked(1 << 56, 1), &mut [], &mut |_, _| panic!("it ran"));
    assert!(matches!(&refused, Err(RunError::Memory(_))));
    assert!(refused.err().unwrap().to_string().contains("render a shorter duration"));
}

#[test]
fn levels_scale_and_silence_stays_silent() {
    let mut plan = plucked(400, 1);
    let sound = render(&plan, &mut []).sound;
    let peak = 10_f64.powf(-1.0 / 20.0);
    // Channels of different units each reach the level: one factor for both would leave metres silent.
    for (c, factor) in sound.factors.iter().enumerate() {
        let largest = sound.channel(c).unwrap().into_iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        assert!((largest * factor - peak).abs() < 4.0 * f64::EPSILON);
    }
    plan.output.level = Level::Gain(20.0);
    assert_eq!(render(&plan, &mut []).sound.factors[0], 10.0);
    plan.output.level = Level::Raw;
    assert_eq!(render(&plan, &mut []).sound.factors[0], 1.0);
    plan.output.level = Level::Peak(-1.0);
    plan.system.initial.position[0] = 0.0;
    let silent = render(&plan, &mut []);
    assert_eq!((silent.sound.factors[0], silent.sound.peak, silent.ok), (1.0, 0.0, true));
    assert!(silent.warnings.iter().any(|w| w.contains("silent")));
}

/// 10^(−1/20)/10⁻³¹⁵ overflows: the samples are stored as they are.
#[test]
fn a_subnormal_peak_has_a_finite_factor() {
    let mut plan = plucked(400, 1);
    plan.system.initial.position[0] = 1e-315;
    plan.pickups.truncate(1);
    plan.system.outputs.truncate(1);
    let tiny = render(&plan, &mut []);
    assert_eq!((tiny.sound.peak, tiny.sound.factors[0], tiny.sound.clipped()), (1e-315, 1.0, 0));
    assert!(scaled(&tiny.sound).iter().all(|x| x.abs() <= 1e-315));
    assert!(tiny.warnings.iter().any(|w| w.contains("too small to be normalised")), "{:?}", tiny.warnings);
}

#[test]
fn clipped_samples_are_counted_and_reported() {
    let mut plan = plucked(400, 1);
    plan.output.level = Level::Gain(0.0);
    let loud = render(&plan, &mut []);
    // The velocity reaches ω·0.2 mm ≈ 3 m/s, above full scale; the displacement never does.
    let above = loud.sound.channel(1).unwrap().into_iter().filter(|v| v.abs() > 1.0).count() as u64;
    assert!(above > 10 && loud.sound.clipped() == above);
    assert!(loud.warnings.iter().any(|w| w.contains("clipped")));
}

/// A scheme that breaks in step 5, and takes no rate below 20 kHz.
pub const BREAKING: Altered = Altered {
    scheme: "ec",
    longest: 1.0 / 20_000.0,
    ledger: |step, mut ledger| {
        if step == 5 {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        ledger
    },
    output: |step, output| {
        if step == 5 {
            output.fill(f64::NAN);
        }
    },
    ..Altered::NOTHING
};

#[test]
fn a_fault_ends_the_run_and_a_refusal_prevents_it() {
    let mut plan = plucked(400, 1);
    plan.scheme = Box::new(BREAKING);
    let mut counter = Counter::default();
    let outcome = render(&plan, &mut [&mut counter]);
    assert_eq!((outcome.ok, counter.rows, counter.finished), (false, 6, true));
    assert!(matches!(outcome.audit.fault, Some((5, Fault::NonFinite))));
    assert_eq!(outcome.sound.frames(), 5);

    plan.sample_rate = 8000.0;
    let refused = run(&plan, &mut [&mut counter], &mut |_, _| {});
    assert!(matches!(refused, Err(RunError::Refused(Refusal::Unstable { .. }))));
}
