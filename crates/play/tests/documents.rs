//! The scores in `docs/midi.md` are read without a warning, and its messages are those that readers give.

use hamiltone_play::midi;
use hamiltone_scene::performance;
use std::{fs, path::Path};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/midi.md");
    fs::read_to_string(path).expect("docs/midi.md")
}

#[test]
fn the_scores_are_read() {
    let page = page();
    let scores: Vec<&str> =
        page.split("```toml score\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!scores.is_empty());
    for text in scores {
        let performance =
            performance::read(text, "tune.toml").unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        assert!(performance.warnings().is_empty() && performance.events().len() > 10, "{text}");
    }
}

#[test]
fn the_messages_are_those_of_the_readers() {
    let file = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x03\0\x3c\x40";
    let byte = midi::read(file).expect_err("data without a status").to_string();
    let line = performance::read(
        "title = \"Tune\"\nscore = [\n  { notes = \"e4\", length = \"1/4\" },\n]",
        "tune.toml",
    )
    .expect_err("a small letter")
    .to_string();
    for message in [byte, line] {
        assert!(page().contains(&format!("\n    {message}\n")), "{message}");
    }
}
