//! Loading in the background: instances that go while it is under way, choices that change, rates that are none.

use crate::host::{Doing::*, Plugged, assert_same, engine, played, state};
use std::{fs, path::PathBuf, thread, time::Duration};

/// A copy of an instrument that loads slowly: no plan of it is kept, as its file was just written.
struct Slow(PathBuf);

impl Slow {
    fn new(name: &str) -> Self {
        let file = std::env::temp_dir().join(format!("hamiltone-{name}-{}.toml", std::process::id()));
        fs::copy(hamiltone_shipped::path("clarinet").unwrap().unwrap(), &file).unwrap();
        Self(file)
    }

    /// Lets an instance that plays begin to load it.
    fn begin(&self, plugged: &mut Plugged) {
        plugged.load(&state("file", self.0.to_str().unwrap()));
        // A state comes after a block, and is asked for in the next.
        plugged.block(&[], 64);
        plugged.block(&[], 64);
        thread::sleep(Duration::from_millis(20));
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.0);
    }
}

/// An instance that is deleted while it loads, with a second choice made since, takes nothing from another one.
#[test]
fn an_instance_that_is_deleted_while_it_loads_leaves_others_alone() {
    let slow = Slow::new("deleted");
    let mut other = Plugged::playing("marimba", 48_000.0);
    let mut deleted = Plugged::playing("marimba", 48_000.0);
    slow.begin(&mut deleted);
    let kalimba = deleted.value("Instrument", "kalimba").unwrap();
    deleted.block(&[(0, Set("Instrument", kalimba))], 64);
    drop(deleted);
    other.block(&[(0, Set("Instrument", kalimba))], 64);
    other.wait("pluck 100 %");
    let doings = [(5, On(64, 0.7))];
    let expected = played(&mut engine("kalimba", 48_000.0), &doings, 2000, |_, _, _| {});
    assert_same(&other.play(&doings, 2000, &[64]), &expected, "kalimba");
    assert_eq!(other.allocations, 0);
}

/// The choice that holds when a host activates the plugin is played and shown, also where an older one is being loaded.
#[test]
fn an_older_choice_does_not_replace_a_newer_one() {
    let slow = Slow::new("older");
    let mut plugged = Plugged::playing("marimba", 48_000.0);
    slow.begin(&mut plugged);
    plugged.deactivate();
    plugged.choose("kalimba");
    plugged.activate(48_000.0);
    assert_eq!(plugged.text("P1"), "pluck 100 %");
    let doings = [(5, On(64, 0.7))];
    let expected = played(&mut engine("kalimba", 48_000.0), &doings, 2000, |_, _, _| {});
    assert_same(&plugged.play(&doings, 2000, &[64]), &expected, "kalimba");
    // Nor later, when a load that was under way would be over.
    thread::sleep(Duration::from_millis(2500));
    plugged.block(&[], 64);
    assert_eq!(plugged.text("P1"), "pluck 100 %");
}

#[test]
fn a_rate_that_is_none_is_refused() {
    let mut plugged = Plugged::new();
    plugged.choose("kalimba");
    for rate in [0.0, -48_000.0, f64::NAN, f64::INFINITY] {
        assert!(!plugged.can_activate(rate), "{rate}");
    }
    plugged.activate(48_000.0);
    let doings = [(0, On(60, 0.8))];
    let expected = played(&mut engine("kalimba", 48_000.0), &doings, 1000, |_, _, _| {});
    assert_same(&plugged.play(&doings, 1000, &[64]), &expected, "kalimba");
}
