//! Writes the list of all files of `instruments/` with their contents, and a number that tells this build from others: it is of those files and of the sources of
//! all crates, which plans of instruments depend on. Files have their paths within the repository, so that the number does not depend on where it lies.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap()).join("..").canonicalize().unwrap();
    let mut hash = DefaultHasher::new();
    for part in ["crates", "instruments"] {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
        for file in files(&root.join(part)) {
            (within(&root, &file), fs::read(&file).unwrap()).hash(&mut hash);
        }
    }
    let folder = root.join("instruments");
    let entry = |file: &PathBuf| {
        let name = within(&folder, file);
        format!("({name:?}, include_bytes!({file:?})),\n")
    };
    let entries: String = files(&folder).iter().map(entry).collect();
    let list = format!("[\n{entries}]");
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap()).join("files.rs"), list).unwrap();
    println!("cargo::rustc-env=HAMILTONE_BUILD={:016x}", hash.finish());
}

/// The path of a file from a folder on, with slashes on every system.
fn within(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/")
}

/// All files in a folder and in those within it, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
