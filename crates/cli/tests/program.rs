//! The program as the tests run it.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering},
};

/// A folder of its own for each test, removed after it.
pub struct Folder(PathBuf);

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn folder(name: &str) -> Folder {
    // Tests run at the same time, and two may use one name.
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(format!("hamiltone-cli-{name}-{process}-{count}"));
    fs::create_dir_all(&folder).unwrap();
    Folder(folder)
}

pub fn scene(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name).display().to_string()
}

pub fn hamiltone(folder: &Path, arguments: &[&str]) -> (Output, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_hamiltone")).current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output, out, err)
}

/// Renders a text, further arguments behind: the exit code and what is printed as errors.
pub fn render_text(folder: &Path, text: &str, more: &[&str]) -> (Option<i32>, String) {
    fs::write(folder.join("x.toml"), text).unwrap();
    let arguments = [&["render", "x.toml", "--audit", "x.json"], more].concat();
    let (output, _, err) = hamiltone(folder, &arguments);
    (output.status.code(), err)
}

pub fn audit(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The names of a folder, hidden ones included, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}
