//! Every example is run, and fails its test where its `main` answers with an error.

use std::{error::Error, fs, path::Path};

/// An example and its test: `NAME` is the file of this name in the folder `examples`.
macro_rules! examples {
    ($($(#[$attribute:meta])* $name:ident = $path:literal;)*) => {
        $($(#[$attribute])* #[path = $path] mod $name;)*

        $($(#[$attribute])* #[test] fn $name() -> Result<(), Box<dyn Error>> { self::$name::main() })*

        /// Those above.
        const LISTED: &[&str] = &[$($path),*];
    };
}

examples! {
    own_body = "../examples/own_body.rs";
    own_contact = "../examples/own_contact.rs";
    own_scheme = "../examples/own_scheme.rs";
    #[cfg(feature = "render")]
    own_sink = "../examples/own_sink.rs";
    #[cfg(feature = "render")]
    pluck_a_string = "../examples/pluck_a_string.rs";
    read_the_energy_balance = "../examples/read_the_energy_balance.rs";
    real_time_blocks = "../examples/real_time_blocks.rs";
    two_strings_on_a_bridge = "../examples/two_strings_on_a_bridge.rs";
}

/// The files of the folder `examples`: their paths as they are listed above, and how many lines each has.
fn files() -> Vec<(String, usize)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let paths = fs::read_dir(folder).expect("the examples").flatten().map(|entry| entry.path());
    let file = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        (format!("../examples/{name}"), fs::read_to_string(path).expect("a text").lines().count())
    };
    paths.map(|path| file(&path)).collect()
}

#[test]
fn no_example_is_forgotten() {
    for (path, _) in files() {
        assert!(LISTED.contains(&path.as_str()), "{path} is not run");
    }
}

#[test]
fn extensions_fit_into_80_lines() {
    let own = files().into_iter().filter(|(path, _)| path.contains("/own_"));
    let long: Vec<_> = own.filter(|(_, lines)| *lines >= 80).collect();
    assert!(long.is_empty(), "{long:?}");
}
