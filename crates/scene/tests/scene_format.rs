//! Which formats of scenes are read.

use hamiltone_scene::{Scene, plan::Format};

const SCENE: &str =
    "run = { duration = \"1 ms\" }\nbody.m = { kind = \"mass\", mass = 1 }\npickup.p = { at = \"m\" }\n";

fn read(format: &str) -> Result<Format, String> {
    let text = format!("{format}\n{SCENE}");
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().map(|plan| plan.format).map_err(|e| e.to_string())
}

#[test]
fn formats_1_to_3_are_read() {
    for (line, format) in [
        ("hamiltone = 1", Format::One),
        ("hamiltone = 1.0", Format::One),
        ("hamiltone = 2", Format::Two),
        ("hamiltone = 2.0", Format::Two),
        ("hamiltone = 3", Format::Three),
        // JSON and the schema know no bases.
        ("hamiltone = 0b10", Format::Two),
    ] {
        assert_eq!(read(line), Ok(format), "{line}");
    }
}

#[test]
fn others_are_refused_with_what_to_write() {
    for line in ["hamiltone = 0", "hamiltone = 4", "hamiltone = 1.5", "hamiltone = \"2\"", "hamiltone = [2]"]
    {
        let wrong = read(line).unwrap_err();
        assert!(wrong.contains("x.toml:1:13: this is not a scene of format 1, 2 or 3"), "{wrong}");
        assert!(wrong.contains("write hamiltone = 3"), "{wrong}");
    }
    assert!(read("").unwrap_err().contains("write hamiltone = 3 in the first line"));
}
