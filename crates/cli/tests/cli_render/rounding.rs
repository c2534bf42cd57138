//! Scenes whose energy balance was lost to rounding alone, `../rounding/*.toml`: formula laws whose terms cancel near 0, so that
//! energies had few digits left and steps did not converge; and a linear bed along a string, whose stiffness did not count among
//! that of the springs.

use crate::program::{audit, folder, hamiltone};
use std::{fs, path::Path};

#[test]
fn terms_that_cancel_and_stiff_elements_leave_the_balance_exact() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rounding");
    let mut paths: Vec<_> = fs::read_dir(scenes).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 14);
    let folder = folder("rounding");
    for path in paths {
        let arguments = ["render", &path.display().to_string(), "-o", "x.wav", "--audit", "x.json"];
        let (output, out, err) = hamiltone(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{}: {out}{err}", path.display());
        let found = audit(&folder.join("x.json"));
        let numbers = (&found["verdict"], &found["unconverged_steps"]);
        assert_eq!(numbers, (&"green".into(), &0.into()), "{}: {out}{err}", path.display());
    }
}
