//! What goes wrong is told, and the rest plays on.

use crate::instruments::{BLOCK, Stand, TINES, engine};
use hamiltone_live::{meter::Meter, processor::Processor, queue::Sender};
use hamiltone_play::{Action, recording};
use std::{sync::Arc, time::Instant};

#[test]
fn a_part_that_is_not_finite_is_muted_alone_and_named() {
    let text = TINES.replace("{velocity} m/s", "{if(velocity > 0.99, 1e200, velocity)} m/s");
    assert_ne!(text, TINES);
    let mut stand = Stand::new(engine(&text), 2);
    stand.act(0.0, Action::NoteOn { key: 64, velocity: 1.0 });
    let counted = allocation_counter::measure(|| {
        let mut out = [0.0; 2 * 1000];
        stand.processor.process(&mut out, 0.0);
    });
    assert_eq!(counted.count_total, 0);
    stand.frames = 1000;
    assert_eq!(stand.meter.muted().collect::<Vec<_>>(), [4]);
    let now = stand.now();
    stand.act(now, Action::NoteOn { key: 60, velocity: 0.5 });
    let sound = stand.block(1000);
    assert!(sound.iter().any(|x| x.abs() > 1e-3) && sound.iter().all(|x| x.is_finite()));
    let (engine, _) = stand.processor.finish();
    let trouble = recording::trouble(&engine).expect("trouble");
    assert!(trouble.contains("64` was muted at step"), "{trouble}");
    assert!(!engine.is_balanced() && engine.islands()[0].audit().ok(0.0));
}

/// Where a release may have been dropped, no note stays.
#[test]
fn actions_that_come_too_fast_leave_no_note() {
    let engine = engine(TINES);
    let meter = Arc::new(Meter::new(engine.islands().len()));
    let (sender, actions) = Sender::new(Instant::now(), meter.clone());
    let mut processor = Processor::new(engine, (2, BLOCK), actions, None, meter.clone());
    let mut out = [0.0; 2 * BLOCK];
    for _ in 0..5000 {
        sender.send(Action::NoteOn { key: 60, velocity: 0.5 });
    }
    assert_eq!(meter.lost_actions(), 5000 - 4096);
    processor.process(&mut out, 0.0);
    assert_eq!(meter.notes_and_parts().0, 0);
    // Then it goes on.
    sender.send(Action::NoteOn { key: 62, velocity: 0.5 });
    processor.process(&mut out, 9.0);
    assert_eq!(meter.notes_and_parts().0, 1);
}

/// A recording that nobody takes lacks samples, and says how many.
#[test]
fn samples_that_cannot_be_recorded_are_counted() {
    let mut stand = Stand::new(engine(TINES), 2);
    // The ring has room for 2¹⁵ frames.
    for _ in 0..33 {
        stand.block(1024);
    }
    assert_eq!(stand.meter.unrecorded(), 1024);
}
