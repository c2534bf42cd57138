//! No module imports from one that imports from it, directly or by way of others: each can be read after those it needs.
//!
//! A module is a file; `use` items and paths in its code are its imports, those of tests aside. What a module and its
//! children share has a module of its own: a parent that calls its children is not imported by them.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::Path,
};
use syn::visit::{self, Visit};

/// The path of a module from the root of its crate.
type Module = Vec<String>;
/// The modules that each module imports from.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// Collects the imports of one file.
struct Collector<'a> {
    module: &'a Module,
    modules: &'a BTreeSet<Module>,
    found: BTreeSet<Module>,
}

impl Collector<'_> {
    /// Enters the module that a path leads into, where it is one of this crate.
    fn enter(&mut self, path: &[String]) {
        let mut target = match path.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            // A plain path begins in a child module, or in another crate.
            Some(first)
                if path.len() > 1 && self.modules.contains(&[self.module, &[first.into()][..]].concat()) =>
            {
                self.module.clone()
            }
            _ => return,
        };
        for name in path {
            match name.as_str() {
                "crate" | "self" => {}
                "super" => drop(target.pop()),
                name => target.push(name.into()),
            }
        }
        // The last names are those of items.
        while !self.modules.contains(&target) && target.pop().is_some() {}
        if target != *self.module {
            self.found.insert(target);
        }
    }

    fn tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => self.enter(&with(&name.ident)),
            syn::UseTree::Rename(rename) => self.enter(&with(&rename.ident)),
            syn::UseTree::Glob(_) => self.enter(before),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(before, tree)),
        }
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let test = |attribute: &syn::Attribute| {
            attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
        };
        if !item.attrs.iter().any(test) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&[], &item.tree);
    }

    /// `pub(super)` imports nothing.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.enter(&names);
        visit::visit_path(self, path);
    }
}

/// The imports of a crate, given the text of each module.
fn imports(texts: &BTreeMap<Module, String>) -> Imports {
    let modules: BTreeSet<Module> = texts.keys().cloned().collect();
    let of = |(module, text): (&Module, &String)| {
        let file = syn::parse_file(text).expect("Rust");
        let mut collector = Collector { module, modules: &modules, found: BTreeSet::new() };
        collector.visit_file(&file);
        (module.clone(), collector.found)
    };
    texts.iter().map(of).collect()
}

/// The shortest way from a module by its imports back to it.
fn cycle<'a>(imports: &'a Imports, start: &'a Module) -> Option<Vec<&'a Module>> {
    let (mut ways, mut known) = (VecDeque::from([vec![start]]), BTreeSet::new());
    while let Some(way) = ways.pop_front() {
        for next in &imports[way[way.len() - 1]] {
            let longer = [&way[..], &[next]].concat();
            if next == start {
                return Some(longer);
            }
            if known.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    None
}

/// Every cycle, in words.
fn cycles(texts: &BTreeMap<Module, String>) -> Vec<String> {
    let imports = imports(texts);
    let name = |module: &Module| ["crate", &module.join("::")].join("::").trim_end_matches(':').to_string();
    let words = |way: Vec<&Module>| way.into_iter().map(name).collect::<Vec<_>>().join(" → ");
    imports.keys().filter_map(|module| cycle(&imports, module)).map(words).collect()
}

/// The text of every module of a crate.
fn texts(src: &Path, module: &Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(src).expect("a folder of sources").flatten() {
        let path = entry.path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let child = [&module[..], std::slice::from_ref(&stem)].concat();
        if path.is_dir() {
            texts(&path, &child, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own = matches!(stem.as_str(), "lib" | "main" | "mod");
            let text = fs::read_to_string(&path).expect("text");
            found.insert(if own { module.clone() } else { child }, text);
        }
    }
}

#[test]
fn no_modules_import_from_each_other() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut found = Vec::new();
    for entry in fs::read_dir(crates).expect("crates").flatten() {
        let mut modules = BTreeMap::new();
        texts(&entry.path().join("src"), &Vec::new(), &mut modules);
        let name = entry.file_name().to_string_lossy().into_owned();
        found.extend(cycles(&modules).into_iter().map(|cycle| format!("{name}: {cycle}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn cycles_are_found_in_every_form_of_an_import() {
    let module = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(String::from).collect();
    let found = |texts: &[(&str, &str)]| {
        let root = [("", "")];
        let all = root.iter().chain(texts);
        cycles(&all.map(|(path, text)| (module(path), text.to_string())).collect())
    };
    let a = ("a", "pub struct A; pub(super) fn f() { crate::b::g() }");
    assert_eq!(found(&[a, ("b", "fn g() {}")]), Vec::<String>::new());
    for b in [
        "use crate::a::A;",
        "use super::{a::{A as B}, c};",
        "fn g(_: super::a::A) {}",
        "pub use crate::a::*;",
    ] {
        assert_eq!(found(&[a, ("b", b)]).len(), 2, "{b}");
    }
    assert_eq!(found(&[a, ("b", "#[cfg(test)] mod tests { use crate::a::A; }")]), Vec::<String>::new());
    let parent = [("", "mod a; fn f() { a::g() }"), ("a", "use crate::f; pub fn g() {}")];
    assert_eq!(found(&parent), ["crate → crate::a → crate", "crate::a → crate → crate::a"]);
}
