//! Every item of every paper is made, is complete, and is proven somewhere.

use hamiltone_papers::{
    catalogue,
    figure::{Cell, Effort, Item},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use syn::{
    punctuated::Punctuated,
    visit::{self, Visit},
};

fn items() -> impl Iterator<Item = &'static Item> {
    catalogue().iter().flat_map(|paper| paper.items)
}

/// Both efforts make tables whose rows fit and numbers are numbers, and figures that show something.
#[test]
#[ignore = "long: .ci/run runs it"]
fn every_item_is_complete() {
    for item in items() {
        let outcome =
            (item.make)(Effort::Short).unwrap_or_else(|e| panic!("{} {}: {e}", item.paper, item.name));
        assert!(!outcome.tables.is_empty(), "{} {}", item.paper, item.name);
        for table in &outcome.tables {
            assert!(!table.rows.is_empty(), "{}", table.title);
            for row in &table.rows {
                assert_eq!(row.len(), table.columns.len(), "{}", table.title);
                let sound = |cell: &Cell| !matches!(cell, Cell::Number(x) if !x.is_finite());
                assert!(row.iter().all(sound), "{}: {row:?}", table.title);
            }
        }
        for figure in &outcome.figures {
            assert!(!figure.caption.is_empty() && !figure.panels.is_empty(), "{}", figure.title);
            for panel in &figure.panels {
                let drawn = panel.series.iter().flat_map(|series| &series.points).filter(|p| p.1.is_finite());
                assert!(drawn.count() > 2, "{}: {}", figure.title, panel.title);
            }
        }
    }
}

#[test]
fn names_are_addresses() {
    let names: BTreeSet<_> = items().map(|item| (item.paper, item.name)).collect();
    assert_eq!(names.len(), items().count());
    for paper in catalogue() {
        assert!(paper.items.iter().all(|item| item.paper == paper.name));
    }
}

/// The text of every file of proofs, of which each proves a paper that it imports from.
fn sources() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = fs::read_dir(folder).expect("the proofs").flatten().map(|entry| entry.path());
    let papers = files.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("papers_") && name != "papers_catalogue.rs"
    });
    papers.map(|path| fs::read_to_string(path).expect("text")).collect()
}

/// What a function does that may prove something: the names that it calls or refers to, inside macros as well, and
/// whether it asserts by itself.
struct Function {
    is_test: bool,
    asserts: bool,
    names: BTreeSet<String>,
}

fn functions(source: &str) -> BTreeMap<String, Function> {
    let file = syn::parse_file(source).expect("Rust");
    let function = |item: &syn::Item| {
        let syn::Item::Fn(function) = item else { return None };
        let is_test = function.attrs.iter().any(|attribute| attribute.path().is_ident("test"));
        let mut body = Function { is_test, asserts: false, names: BTreeSet::new() };
        body.visit_block(&function.block);
        Some((function.sig.ident.to_string(), body))
    };
    file.items.iter().filter_map(function).collect()
}

impl<'ast> Visit<'ast> for Function {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.names.extend(path.segments.iter().map(|segment| segment.ident.to_string()));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let Some(name) = call.path.segments.last() else { return };
        let all = call.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated);
        let arguments = all.unwrap_or_default();
        // What is asserted of literals alone is nothing that is proven.
        let before = self.names.len();
        arguments.iter().for_each(|argument| self.visit_expr(argument));
        self.asserts |= name.ident.to_string().starts_with("assert") && self.names.len() > before;
    }
}

/// Whether a function asserts something, by itself or by another function of its file.
fn proves(functions: &BTreeMap<String, Function>, name: &str) -> bool {
    functions.get(name).is_some_and(|function| {
        let others = || function.names.iter().filter(|other| *other != name);
        function.asserts || others().any(|other| proves(functions, other))
    })
}

/// The test of an item: `figure_2` of `fig2`, `table_1` of `table1`, else its own name.
fn test_name(item: &str) -> String {
    let numbered = |prefix, word| item.strip_prefix(prefix).map(|number| format!("{word}_{number}"));
    numbered("fig", "figure").or(numbered("table", "table")).unwrap_or_else(|| item.into())
}

/// Whether a test of this name, or of one that goes on with `_`, asserts something.
fn is_proven(functions: &BTreeMap<String, Function>, test: &str) -> bool {
    let named =
        |name: &str| name.strip_prefix(test).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    functions.iter().any(|(name, function)| function.is_test && named(name) && proves(functions, name))
}

/// Each item has a test named after it, in a file that imports from its paper, and this test asserts something.
#[test]
fn every_item_is_proven() {
    let sources = sources();
    for item in items() {
        let own = sources.iter().filter(|source| source.contains(&format!("{}::", item.paper)));
        let test = test_name(item.name);
        let proven = own.map(|source| functions(source)).any(|functions| is_proven(&functions, &test));
        assert!(proven, "{} {} has no test `{test}` that asserts something", item.paper, item.name);
    }
}

#[test]
fn what_asserts_nothing_proves_nothing() {
    let proof = |source: &str| is_proven(&functions(source), "figure_1");
    assert!(proof("#[test] fn figure_1() { let x = make(); assert!(x > 1.0, \"{x}\"); }"));
    assert!(proof("fn close(x: f64) { assert_eq!(x, 1.0) } #[test] fn figure_1() { close(make()) }"));
    for nothing in [
        "#[test] fn figure_1() { make().unwrap(); }",
        "#[test] fn figure_1() { assert!(true); }",
        "fn figure_1() { assert!(make() > 1.0); }",
        "// #[test] fn figure_1() { assert!(make() > 1.0); }",
        "#[test] fn figure_10() { assert!(make() > 1.0); }",
    ] {
        assert!(!proof(nothing), "{nothing}");
    }
}
