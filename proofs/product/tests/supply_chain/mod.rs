//! What the program is made of: every package has a licence that `deny.toml` allows and comes from a registry, and
//! `hamiltone licenses` prints the notices of all that is linked in.

mod metadata;
mod notices;

use metadata::{Package, packages, workspace};
use std::{env, fs};

/// How the source of a package from a registry begins; one from a repository or a path begins otherwise.
const REGISTRY: &str = "registry+";

fn deny() -> toml::Table {
    fs::read_to_string(workspace().join("deny.toml")).expect("deny.toml").parse().expect("TOML")
}

/// The licences that single packages may have besides; this test takes them for packages that are not linked in.
fn exceptions(deny: &toml::Table) -> Vec<(&str, Vec<&str>)> {
    let exceptions = deny["licenses"]["exceptions"].as_array().expect("a list");
    exceptions
        .iter()
        .map(|exception| {
            let list = exception["allow"].as_array().expect("a list");
            let name = exception["crate"].as_str().expect("a name");
            (name, list.iter().filter_map(toml::Value::as_str).collect())
        })
        .collect()
}

/// Whether a licence expression can be met by licences of the list.
fn allowed(expression: &str, list: &[&str]) -> bool {
    let parsed = spdx::Expression::parse_mode(expression, spdx::ParseMode::LAX);
    parsed.is_ok_and(|expression| {
        expression.evaluate(|requirement| list.contains(&requirement.to_string().as_str()))
    })
}

#[test]
fn every_package_has_an_allowed_licence() {
    let deny = deny();
    let list: Vec<&str> = deny["licenses"]["allow"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(toml::Value::as_str)
        .collect();
    let packages = packages();
    let exceptions = exceptions(&deny);
    let excepted = |package: &Package| {
        let own = exceptions.iter().find(|(name, _)| *name == package.name);
        own.is_some_and(|(_, list)| !package.linked && allowed(&package.license, list))
    };
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !allowed(&package.license, &list) && !excepted(package))
        .map(|package| format!("{} {}: {}", package.name, package.version, package.license))
        .collect();
    assert!(refused.is_empty(), "licences that deny.toml does not allow: {refused:#?}");
    assert!(allowed("GPL-3.0-only OR MIT", &list) && !allowed("GPL-3.0-only AND MIT", &list));
    assert!(allowed("Unlicense/MIT", &list) && !allowed("GPL-3.0-only", &list) && !allowed("", &list));
}

#[test]
fn every_package_comes_from_the_workspace_or_a_registry() {
    let other =
        |package: &&Package| package.source.as_deref().is_some_and(|source| !source.starts_with(REGISTRY));
    let packages = packages();
    let own = packages.iter().filter(|package| package.source.is_none()).count();
    assert!(packages.len() > own + 50 && own > 10, "{own} of {}", packages.len());
    let other: Vec<_> =
        packages.iter().filter(other).map(|package| (&package.name, &package.source)).collect();
    assert!(other.is_empty(), "{other:?}");
    let banned = deny()["bans"]["deny"].as_array().expect("a list").clone();
    for name in banned.iter().filter_map(|ban| ban["crate"].as_str()) {
        assert!(packages.iter().all(|package| package.name != name), "{name} is banned by deny.toml");
    }
}

/// With HAMILTONE_UPDATE set the file is rewritten instead of compared.
#[test]
fn the_notices_are_those_of_all_that_is_linked_in() {
    let path = workspace().join("crates/study/src/notices.txt");
    let packages = packages();
    let linked: Vec<&Package> = packages.iter().filter(|package| package.linked).collect();
    assert!(linked.len() > 40 && linked.iter().all(|package| package.name != "boon"), "{}", linked.len());
    let text = notices::text(&linked);
    if env::var_os("HAMILTONE_UPDATE").is_some() {
        fs::write(&path, &text).expect("a file that can be written");
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    let header = |text: &str| text.split("\n\n=").next().unwrap_or_default().to_string();
    assert_eq!(header(&stored), header(&text), "the packages of the notices; {}", notices::UPDATE);
    assert!(stored == text, "the texts of the notices differ; {}", notices::UPDATE);
}
