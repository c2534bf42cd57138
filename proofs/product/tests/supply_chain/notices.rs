//! The licence notices of the packages that are linked into the program, from the files in their sources.

use super::metadata::Package;
use std::{collections::BTreeMap, fmt::Write, fs};

/// How the file is written anew.
pub const UPDATE: &str =
    "rewrite them with HAMILTONE_UPDATE=1 cargo test -p hamiltone-product --test all supply_chain";

const RULE: &str = "================================================================================";

/// The notices: a list of the packages, then every text once with the packages that it is of.
pub fn text(packages: &[&Package]) -> String {
    let mut text = String::from(
        "hamiltone is licensed under MIT or Apache-2.0, at your choice. Its programs contain these packages, on some\n\
         platforms; where a licence offers a choice, all of its texts that the package has are below.\n\n\
         the Rust standard library (MIT OR Apache-2.0) https://github.com/rust-lang/rust\n\
         \x20   copyright (c) The Rust Project Contributors; the texts of both licences are below\n",
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let name = |package: &Package| format!("{} {}", package.name, package.version);
    for package in packages.iter().filter(|package| package.source.is_some()) {
        let _ = writeln!(text, "{} ({}) {}", name(package), package.license, package.repository);
        let files = license_files(package);
        if files.is_empty() {
            let authors = package.authors.join(", ");
            let _ = writeln!(
                text,
                "    no licence file in its sources; the texts of its licences are below; authors: {authors}"
            );
        }
        files.into_iter().for_each(|file| texts.entry(file).or_default().push(name(package)));
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    for (file, of) in texts {
        let _ = write!(text, "\n{RULE}\n{}\n\n{file}\n", of.join(", "));
    }
    text
}

/// The texts of the files of a package that are licences, copyrights or notices, with the line ends of Unix.
fn license_files(package: &Package) -> Vec<String> {
    let entries = fs::read_dir(&package.folder).expect("the sources of a package");
    let mut paths: Vec<_> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|part| name.starts_with(part))
    });
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).expect("text"));
    texts
        .map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_string())
        .collect()
}
