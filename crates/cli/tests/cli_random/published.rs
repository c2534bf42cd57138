//! What the generator and the judge must know is what the program publishes.

use hamiltone_core::parameter::Takes;
use hamiltone_product::scenes::{
    law::{Law, is_judged},
    options::DRAWN,
    program::predicted,
    scene::Section,
};
use hamiltone_scene::catalogue::Category;
use std::{fs, process::Command};
use toml::{Table, Value};

#[test]
fn every_option_of_render_is_drawn() {
    let help = Command::new(super::program()).args(["render", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let words = help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2);
    let unknown: Vec<&str> = words
        .filter(|word| {
            !DRAWN.contains(&word.trim_end_matches([',', '.', ':', '`']).split('=').next().unwrap())
        })
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn what_check_predicts_is_read() {
    let folder = std::env::temp_dir().join(format!("hamiltone-predicted-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let scene = "hamiltone = 1\n[run]\nduration = 0.01\n[body.a]\nkind = \"mass\"\nmass = 1.0\n[pickup.a]\nat = \"a\"\n";
    fs::write(folder.join("scene.toml"), scene).unwrap();
    let told = predicted(&super::program(), &folder, &[]);
    fs::remove_dir_all(&folder).unwrap();
    assert!(told.is_some_and(|seconds| seconds < 10.0), "{told:?}");
}

#[test]
fn every_contact_law_has_an_energy_of_the_judge() {
    for kind in Category::Contacts.kinds().into_iter().filter(|kind| is_judged(kind.name)) {
        let pairs = Value::from(vec![vec![0.0, 0.0], vec![1.0, 1.0]]);
        let plain = Table::from_iter([("law".into(), Value::from(kind.name)), ("points".into(), pairs)]);
        let formulas = kind.parameters.iter().filter_map(|parameter| match parameter.takes {
            Takes::Formula(examples) => Some((parameter.name, examples)),
            _ => None,
        });
        let given =
            formulas.flat_map(|(name, examples)| examples.iter().map(move |text| Some((name, *text))));
        let given: Vec<Option<(&str, &str)>> = given.collect();
        for formula in if given.is_empty() { vec![None] } else { given } {
            let mut keys = plain.clone();
            keys.extend(formula.map(|(name, text)| (name.to_string(), Value::from(text))));
            let section = Section { group: "contact", name: None, keys };
            assert!(Law::of(&section, &[]).is_some(), "{} {formula:?}", kind.name);
        }
    }
}
