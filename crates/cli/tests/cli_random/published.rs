//! What the generator and the judge must know is what the program publishes.

use hamiltone_proofs::scenes::{law::Law, options::DRAWN, scene::Section};
use hamiltone_scene::catalogue::Category;
use std::process::Command;
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
fn every_contact_law_has_an_energy_of_the_judge() {
    for kind in Category::Contacts.kinds() {
        let keys = Table::from_iter([("law".to_string(), Value::from(kind.name))]);
        let section = Section { group: "contact", name: None, keys };
        assert!(Law::of(&section).is_some(), "{}", kind.name);
    }
}
