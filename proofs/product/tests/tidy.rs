//! What the documents promise about the tree, checked: paths exist, sizes hold, physics opens with
//! its equations, and the layers contain only what they may.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// Every file with this extension below `folder`, build outputs aside.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "target" && name != ".git" {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a readable file")
}

#[test]
fn no_file_is_long_and_half_are_short() {
    let mut lines: Vec<(usize, PathBuf)> =
        files(&root(), "rs").into_iter().map(|path| (read(&path).lines().count(), path)).collect();
    lines.sort();
    let (longest, path) = lines.last().expect("there is code");
    assert!(*longest <= 500, "{} has {longest} lines", path.display());
    let median = lines[lines.len() / 2].0;
    assert!(median <= 150, "the median file has {median} lines");
}

/// Whether a file describes a kind of a body, a force law or a scheme.
fn is_physics(text: &str) -> bool {
    text.contains("Kind = Kind {") || text.contains("kind: Kind {")
}

/// Whether the module's doc holds an equation: a line set apart by its indentation, two sides that are not empty, and a
/// sign of equality between them that is neither `==` nor in a name of an option in backticks.
fn opens_with_an_equation(text: &str) -> bool {
    text.lines().map_while(|line| line.strip_prefix("//!")).any(|line| {
        let sides = line.split_once(['=', '≤', '≥', '∝']);
        line.starts_with("   ")
            && !line.contains('`')
            && sides.is_some_and(|(left, right)| {
                !left.trim().is_empty() && right.chars().any(char::is_alphanumeric) && !right.starts_with('=')
            })
    })
}

/// The least number of files that describe a body, a force law or a scheme: each catalogue has more.
const LEAST_KINDS: usize = 4;

#[test]
fn physics_opens_with_its_equations() {
    for folder in ["crates/schemes/src", "crates/bodies/src", "crates/elements/src"] {
        let physics: Vec<PathBuf> =
            files(&root().join(folder), "rs").into_iter().filter(|path| is_physics(&read(path))).collect();
        assert!(physics.len() > LEAST_KINDS, "{folder}: only {physics:?} describe a kind");
        for path in physics {
            assert!(
                opens_with_an_equation(&read(&path)),
                "{} does not open with an equation",
                path.display()
            );
        }
    }
}

#[test]
fn words_are_no_equations() {
    assert!(opens_with_an_equation("//! A mass.\n//!\n//!   m ẍ = F\n"));
    for text in [
        "//! A mass.\n",
        "//! `method = \"modal\"` makes it.\n",
        "//!   `q = 1`\n",
        "//! A mass.\nlet m = 1;\n//!   m ẍ = F\n",
    ] {
        assert!(!opens_with_an_equation(text), "{text}");
    }
}

#[test]
fn layers_contain_only_what_they_may() {
    let forbidden = [
        ("crates/core/src", vec!["std::fs", "std::io", "println!", "serde", "HashMap"]),
        (
            "crates/bodies/src",
            vec!["std::fs", "std::io", "println!", "serde", "HashMap", "hamiltone_schemes"],
        ),
        (
            "crates/elements/src",
            vec!["std::fs", "std::io", "println!", "serde", "HashMap", "hamiltone_schemes"],
        ),
        (
            "crates/schemes/src",
            vec![
                "std::fs",
                "std::io",
                "println!",
                "serde",
                "HashMap",
                "hamiltone_bodies",
                "hamiltone_elements",
            ],
        ),
        ("crates/papers/src", vec!["std::fs", "std::io", "println!", "toml::"]),
    ];
    for (folder, words) in forbidden {
        for path in files(&root().join(folder), "rs") {
            // Tests may use what the sound may not.
            let text = read(&path);
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                // What is kept as data is a feature of the crate, and files of it are called so.
                let attribute =
                    ["derive(serde::", "serde("].iter().any(|begin| line.trim_start().starts_with(begin));
                let is_kept =
                    attribute || line.contains("feature = \"serde\"") || path.ends_with("stored.rs");
                let word = words.iter().find(|word| line.contains(**word) && !(is_kept && **word == "serde"));
                assert!(word.is_none(), "{}: {} in `{}`", path.display(), word.unwrap_or(&""), line.trim());
            }
        }
    }
}

#[test]
fn paths_in_the_documents_exist() {
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = read(&root().join(document));
        for word in text.split(|c: char| c.is_whitespace() || "`()[],;".contains(c)) {
            let folder = [
                "crates/",
                "proofs/",
                "scenes/",
                "benches/",
                ".ci/",
                "docs/",
                "python/",
                "instruments/",
                "songs/",
                "ensembles/",
            ]
            .iter()
            .any(|f| word.starts_with(f));
            let placeholder = word.contains('<') || word.contains('…') || word.contains('*');
            if folder && !placeholder {
                let path = root().join(word.trim_end_matches(['.', ':']));
                assert!(path.exists(), "{document} names {word}, which does not exist");
            }
        }
    }
}

/// Every document in Markdown; the parts of the book are linked when it is built.
fn documents() -> Vec<PathBuf> {
    let documents = files(&root(), "md");
    documents.into_iter().filter(|path| !path.starts_with(root().join("book"))).collect()
}

/// The targets of the links and pictures of a text in Markdown, code blocks aside.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next()).collect()
}

/// The anchor of a heading: its words in lower case, joined by hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
}

#[test]
fn links_lead_to_something_that_exists() {
    let documents = documents();
    let mut followed = 0;
    for document in &documents {
        for link in links(&read(document)).into_iter().filter(|link| !link.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let path =
                if file.is_empty() { document.clone() } else { document.with_file_name("").join(file) };
            assert!(path.exists(), "{} links to {link}, which does not exist", document.display());
            let text = if heading.is_empty() { String::new() } else { read(&path) };
            let found = text.lines().any(|l| l.starts_with('#') && anchor(l.trim_matches('#')) == heading);
            assert!(heading.is_empty() || found, "{}: {link} has no such heading", document.display());
            followed += 1;
        }
    }
    assert!(documents.len() > 20 && followed > 40, "{} documents, {followed} links", documents.len());
}

/// The crates and the repository are not published: nothing may lead a reader there, or name the host of a registry.
#[test]
fn nothing_leads_to_pages_that_do_not_exist() {
    let hosts = [
        concat!("crates", ".io"),
        concat!("docs", ".rs/"),
        concat!("pypi", ".org"),
        concat!("npmjs", ".com"),
        concat!("github", ".com/hamiltone"),
    ];
    for path in documents().into_iter().chain(files(&root(), "toml")).chain(files(&root(), "rs")) {
        let text = read(&path);
        let host = hosts.into_iter().find(|host| text.contains(host));
        assert!(host.is_none(), "{} names {}", path.display(), host.unwrap_or_default());
        let is_manifest = path.file_name().is_some_and(|name| name == "Cargo.toml");
        let key = ["repository", "homepage"].into_iter().find(|key| text.lines().any(|l| l.starts_with(key)));
        assert!(
            !is_manifest || key.is_none(),
            "{}: {} leads nowhere",
            path.display(),
            key.unwrap_or_default()
        );
    }
}

#[test]
fn nothing_is_left_to_do() {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("dbg", "!("),
    ];
    for path in files(&root(), "rs") {
        let text = read(&path);
        let word = words.iter().find(|word| text.contains(**word));
        assert!(word.is_none(), "{} has {}", path.display(), word.unwrap_or(&""));
    }
}

/// A crate has one test program, `tests/main.rs`: a file beside it that is no module of it, nor a target of the manifest, would not be run.
#[test]
fn every_file_of_tests_is_run() {
    let programs: Vec<PathBuf> =
        files(&root(), "rs").into_iter().filter(|path| path.ends_with("tests/main.rs")).collect();
    assert!(programs.len() > 5, "{programs:?}");
    for program in programs {
        let tests = program.parent().expect("a folder");
        let manifest = read(&tests.with_file_name("Cargo.toml"));
        let own = |stem: &str| stem == "main" || manifest.contains(&format!("name = \"{stem}\""));
        for path in files(tests, "rs") {
            let folder = path.parent().expect("a folder");
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            // The file that names a module: `main.rs`, or `mod.rs` beside it or, for itself, one folder up.
            let (name, up) = if stem == "mod" {
                (folder.file_name(), folder.parent())
            } else {
                (path.file_stem(), Some(folder))
            };
            let (name, up) = (name.expect("a name").to_string_lossy(), up.expect("a folder"));
            let parent = up.join(if up == tests { "main.rs" } else { "mod.rs" });
            let named = read(&parent).lines().any(|line| line.trim() == format!("mod {name};"));
            assert!(
                named || up == tests && own(&stem),
                "{} is no module of {}",
                path.display(),
                parent.display()
            );
        }
    }
}
