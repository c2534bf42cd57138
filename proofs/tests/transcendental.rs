//! A scene has the same bits on every system: no code that a sound depends on calls a function of `f64` that the C
//! library or the compiler rounds in its own way. Those of `hamiltone_numerics::math` are pure Rust.
//!
//! Square roots, fused products and `x.powi(2)`, which is x·x, are rounded once everywhere. Tests may call what they
//! like, and so may reports and papers, which no sound depends on.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The methods of `f64` whose rounding is not specified.
const FUNCTIONS: [&str; 30] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt",
    "hypot", "gamma", "ln_gamma", "erf", "erfc",
];

/// The crates that a sound depends on.
const CRATES: [&str; 7] = ["numerics", "core", "bodies", "elements", "schemes", "scene", "render"];

/// The calls of such functions in some code, modules of tests aside.
fn calls(code: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let is = |i: usize, text: &str| tokens.get(i).is_some_and(|token| token.to_string() == text);
    let mut test = false;
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if test && group.delimiter() == Delimiter::Brace => test = false,
            TokenTree::Group(group) => {
                test |= group.to_string().replace(' ', "") == "[cfg(test)]";
                calls(group.stream(), found);
            }
            // An attribute of an item without a body, as of a `use`, ends with it.
            TokenTree::Punct(punct) => test &= punct.as_char() != ';',
            TokenTree::Ident(name) if !test && FUNCTIONS.iter().any(|function| name == function) => {
                let method = i > 0 && is(i - 1, ".") && !(name == "powi" && is(i + 1, "(2)"));
                let path = i > 2 && is(i - 1, ":") && (is(i - 3, "f64") || is(i - 3, ">"));
                if (method && matches!(tokens.get(i + 1), Some(TokenTree::Group(_)))) || path {
                    found.push(name.to_string());
                }
            }
            _ => {}
        }
    }
}

fn calls_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    calls(text.parse().expect("Rust"), &mut found);
    found
}

/// The sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).expect("a folder of sources").flatten().map(|entry| entry.path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => Vec::from_iter(path.extension().is_some_and(|end| end == "rs").then_some(path)),
        })
        .collect()
}

#[test]
fn no_sound_depends_on_the_functions_of_a_system() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    for name in CRATES {
        let sources = sources(&crates.join(name).join("src"));
        assert!(sources.len() > 3, "{name} has {} files", sources.len());
        for path in sources {
            let found = calls_in(&fs::read_to_string(&path).expect("text"));
            assert!(found.is_empty(), "{} calls {found:?}: take those of `math`", path.display());
        }
    }
}

#[test]
fn such_calls_are_found_wherever_they_stand() {
    for call in [
        "fn f(x: f64) -> f64 { x.powi(3) }",
        "fn f(x: f64) -> f64 { (1.0 + x).powi(n) }",
        "fn f(x: f64) -> f64 { g(&[x.cbrt()]) }",
        "fn f(x: f64) -> String { format!(\"{}\", x.log10()) }",
        "fn f(x: &[f64]) -> Vec<f64> { x.iter().copied().map(f64::sinh).collect() }",
        "fn f(x: f64) -> f64 { <f64>::exp(x) }",
        "#[cfg(test)] mod tests { fn g() {} } fn f(x: f64) -> f64 { x.sin() }",
        "#[cfg(test)] use a::b; fn f(x: f64) -> f64 { x.sin() }",
    ] {
        assert_eq!(calls_in(call).len(), 1, "{call}");
    }
    for allowed in [
        "fn f(x: f64) -> f64 { x.powi(2) + x.sqrt().mul_add(x, x) }",
        "fn f(x: f64) -> f64 { math::sin(x) + exp(x) }",
        "use math::sin; struct S { exp: f64 } fn f(s: S) -> f64 { s.exp }",
        "#[cfg(test)] mod tests { fn g(x: f64) -> f64 { x.powi(3) } }",
    ] {
        assert!(calls_in(allowed).is_empty(), "{allowed}");
    }
}
