//! Copies the instruments of the repository, with their presets, to where the wheel takes them from (`include` in pyproject.toml).

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let instruments = "../instruments";
    println!("cargo::rerun-if-changed={instruments}");
    let to = PathBuf::from(env::var("OUT_DIR")?).join("instruments");
    // What was removed since is not shipped.
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    Ok(copy(instruments.as_ref(), &to)?)
}
