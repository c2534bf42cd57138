//! Plans of instruments as bytes: what was kept plays the same bits, and what is no plan is refused.

use crate::{
    instruments::{bits, plan, seconds},
    partials::shipped,
    transfer::{BOARD, BRIDGE, STRINGS},
};
use hamiltone_core::checksum::{seal, unseal};
use hamiltone_plan::{
    instrument::{InstrumentPlan, TransferTo},
    stored::{LAYOUT, Unreadable},
};
use hamiltone_play::Engine;

/// Two strings whose bridge drives a board.
fn board() -> String {
    let silent = BRIDGE.replace("ac_coupling = 0", "bus = \"none\"");
    format!(
        "{STRINGS}{silent}{BOARD}[pickup.board]\nat = \"board\"\n[transfer.board]\nfrom = [\"bridge\"]\nat = \"board\"\n"
    )
}

/// Notes of the lowest, a middle and the highest key, each let go, with the pedal and a bend.
fn played(plan: &InstrumentPlan) -> Vec<u64> {
    let mut engine = Engine::new(plan).unwrap();
    let keys = plan.keys();
    let mut all = Vec::new();
    for (key, velocity) in [(keys[0], 0.9), (keys[keys.len() / 2], 0.5), (keys[keys.len() - 1], 0.2)] {
        engine.note_on(key, velocity);
        engine.control(64, velocity);
        engine.bend(velocity);
        all.extend(bits(&seconds(&mut engine, 0.1)));
        engine.note_off(key);
        all.extend(bits(&seconds(&mut engine, 0.05)));
    }
    all
}

fn check(name: &str) {
    let plan = shipped(name, &[], 48_000.0);
    let bytes = plan.to_bytes().unwrap_or_else(|| panic!("{name} is not kept"));
    let kept = InstrumentPlan::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let sound = played(&plan);
    assert!(sound.iter().any(|bits| f64::from_bits(*bits) != 0.0), "{name} is silent");
    assert_eq!(sound, played(&kept), "{name}");
    assert_eq!(kept.to_bytes().as_ref(), Some(&bytes), "{name}");
}

/// Strings and dampers, tubes that bars drive, bows, frets, a table of modes as a file, jets and their fingerings.
#[test]
fn what_was_kept_plays_the_same_bits() {
    ["kalimba", "tanpura", "drums", "bass", "guitar", "clarinet", "recorder", "bowed_psaltery"]
        .into_iter()
        .for_each(check);
}

#[test]
#[ignore = "long: .ci/run runs it"]
fn every_shipped_instrument_plays_the_same_bits_when_kept() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            check(path.file_stem().unwrap().to_str().unwrap());
        }
    }
}

#[test]
fn what_is_no_plan_is_refused() {
    let bytes = plan(&board(), 48_000.0).to_bytes().unwrap();
    let refused = |bytes: &[u8]| InstrumentPlan::from_bytes(bytes).err();
    assert_eq!(refused(b"hamiltone = 3"), Some(Unreadable::NotAPlan));
    assert_eq!(refused(&bytes[..6]), Some(Unreadable::NotAPlan));
    let other = [&bytes[..8], &(LAYOUT + 1).to_le_bytes(), &bytes[12..]].concat();
    assert_eq!(refused(&other), Some(Unreadable::Layout(LAYOUT + 1)));
    // Any byte that is another one, and every end that is missing.
    for at in (12..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert_eq!(refused(&damaged), Some(Unreadable::Damaged), "byte {at}");
        assert_eq!(refused(&bytes[..at]), Some(Unreadable::Damaged), "{at} bytes");
    }
    // With a sum of its own nothing panics, whatever is read.
    for at in (12..bytes.len() - 8).step_by(3) {
        let mut changed = unseal(&bytes).unwrap().to_vec();
        changed[at] = changed[at].wrapping_add(1);
        seal(&mut changed);
        let _ = InstrumentPlan::from_bytes(&changed).map(|plan| Engine::new(&plan).map(|_| ()));
    }
}

#[test]
fn what_no_instrument_can_be_is_refused() {
    let wrong = |change: fn(&mut InstrumentPlan)| {
        let mut plan = plan(&board(), 48_000.0);
        change(&mut plan);
        InstrumentPlan::from_bytes(&plan.to_bytes().unwrap()).err()
    };
    assert_eq!(wrong(|_| ()), None);
    for (change, what) in [
        ((|plan| plan.gestures[0].input = 1000) as fn(&mut InstrumentPlan), "a gesture has no input"),
        (|plan| _ = plan.gestures.pop(), "its notes are of other gestures"),
        (|plan| _ = plan.plan.drives.pop(), "it has not one value for each input"),
        (|plan| _ = plan.plan.pickups.pop(), "it has not one pickup for each output"),
        (|plan| plan.plan.pickups[0].mix.bus = Some(7), "a pickup has no bus"),
        (|plan| plan.notes.units[0].pedal_down = vec![99_999], "a note has no gesture"),
        (|plan| plan.notes.programs = vec![1, 2], "a note has no gesture"),
        (|plan| plan.transfers[0].to = TransferTo::Body(99), "a transfer has no end"),
        (|plan| plan.plan.sample_rate = f64::NAN, "it has no rate that a sound has"),
        (|plan| plan.oversampling = Some(1 << 20), "it has too many steps a sample"),
    ] {
        assert_eq!(wrong(change), Some(Unreadable::Wrong(what.into())));
    }
    let Some(Unreadable::Wrong(what)) = wrong(|plan| plan.plan.system.mass[0] = -1.0) else { panic!() };
    assert!(what.contains("mass"), "{what}");
}
