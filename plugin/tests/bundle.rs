//! What a host loads: the plugin as a file of its own.

use crate::host::{Doing::*, Plugged, assert_same, engine, played};
use clack_host::prelude::PluginEntry;
use std::{path::Path, thread};

/// The file is made by `.ci/plugin`.
#[test]
#[ignore = "needs the bundle: .ci/plugin"]
fn the_bundle_has_the_bits_of_the_engine() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bundled/hamiltone-plugin.clap");
    // SAFETY: it is a plugin that was built here.
    let entry = unsafe { PluginEntry::load(file) }.unwrap();
    let mut plugged = Plugged::of(&entry, thread::current().id());
    plugged.choose("kalimba");
    plugged.activate(48_000.0);
    let doings = [(3, On(60, 0.8)), (900, On(67, 0.4))];
    let expected = played(&mut engine("kalimba", 48_000.0), &doings, 3000, |_, _, _| {});
    assert_same(&plugged.play(&doings, 3000, &[100]), &expected, "the bundle");
}
