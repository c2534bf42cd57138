//! Playing in real time is carried out by a program of its own; where it is not, that is said.

use std::process::Command;

#[test]
fn a_missing_program_is_named_with_how_it_is_built() {
    // A copy, since the program may be beside the one that is tested.
    let folder = std::env::temp_dir().join(format!("hamiltone-live-missing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join(format!("hamiltone{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(env!("CARGO_BIN_EXE_hamiltone"), &copy).unwrap();
    let run = |path: &std::path::Path, arguments: &[&str]| {
        let output = Command::new(&copy).args(arguments).env("PATH", path).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let missing = run(&folder, &["live", "guitar"]);
    assert_eq!(missing.0, Some(2));
    assert!(missing.1.contains("cargo build --release -p hamiltone-live"), "{}", missing.1);
    let limited = run(&folder, &["--threads", "1", "live", "guitar"]);
    assert!(limited.0 == Some(2) && limited.1.contains("neither --threads nor --limit"), "{}", limited.1);
    // Where it is, it takes all arguments and gives the exit code.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let program = folder.join("hamiltone-live");
        std::fs::write(&program, "#!/bin/sh\necho \"got $*\"\nexit 3\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(run(&folder, &["live", "guitar", "--help"]), (Some(3), "got guitar --help\n".into()));
    }
    std::fs::remove_dir_all(folder).unwrap();
}
