//! The published JSON Schema and the program agree on every scene, up to what a schema cannot express.
//!
//! 150 scenes, or as many as `HAMILTONE_SCHEMA_CASES` says, are made from the shipped ones: sections are written anew
//! from the schema itself ([`generate`]), and values, keys and names are changed ([`mutate`]). Both judge the same
//! document. Problems of the kinds in [`outside`] are those that a schema cannot know; any other problem, and only those,
//! must make the schema refuse the scene.
//!
//! `HAMILTONE_SCHEMA_CASES=100000 cargo test -p hamiltone-scene --test all schema_agrees` is the long run.

mod generate;
mod instruments;
mod mutate;
mod outside;
mod random;
mod validator;

use hamiltone_scene::{Scene, schema::schema};
use random::Random;
use serde_json::Value;
use std::path::Path;
use validator::Validator;

/// The number of scenes, unless `HAMILTONE_SCHEMA_CASES` says another.
const CASES: usize = 150;

/// The shipped scenes as JSON, with coarse grids, few modes and a short sound: their plans take little time.
fn scenes() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files.iter().map(|file| coarse(json(&std::fs::read_to_string(file).unwrap()))).collect()
}

fn json(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

fn coarse(mut scene: Value) -> Value {
    for body in scene["body"].as_object_mut().unwrap().values_mut() {
        for (key, least) in [("intervals", 24), ("modes", 7)] {
            if body.get(key).is_some_and(Value::is_u64) {
                body[key] = least.into();
            }
        }
    }
    scene["run"]["duration"] = "10 ms".into();
    scene
}

/// What the program says of a scene, and whether a schema could say it.
fn problems(scene: &Value) -> Vec<(String, bool)> {
    let text = toml::to_string(scene).unwrap();
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let Err(diagnostics) = Scene::new(&text, "x.toml", &base, &[]).plan() else { return Vec::new() };
    let problems = diagnostics.problems.iter();
    problems.map(|problem| (problem.message.clone(), !outside::is(problem, &text))).collect()
}

/// How schema and program disagree, if they do.
fn disagreement(validator: &Validator, scene: &Value) -> Option<String> {
    let problems = problems(scene);
    match (validator.refusal(scene), problems.iter().any(|(_, expressible)| *expressible)) {
        (None, false) | (Some(_), true) => None,
        // A text that is no place is not the name of a body either: both say so in their way.
        (Some(_), false) if !problems.is_empty() => None,
        (None, true) => Some(format!("the schema accepts what the program refuses: {problems:#?}")),
        (Some(why), false) => {
            Some(format!("the schema refuses what the program accepts: {why}\n{problems:#?}"))
        }
    }
}

#[test]
fn the_shipped_scenes_agree() {
    let validator = Validator::new(&schema());
    for scene in scenes() {
        assert_eq!((validator.refusal(&scene), problems(&scene)), (None, Vec::new()), "{scene:#}");
    }
}

#[test]
fn schema_and_program_agree_on_random_scenes() {
    let schema = schema();
    let (validator, scenes) = (Validator::new(&schema), scenes());
    let cases = match std::env::var("HAMILTONE_SCHEMA_CASES") {
        Ok(cases) => cases.parse().expect("HAMILTONE_SCHEMA_CASES is a whole number"),
        Err(_) => CASES,
    };
    let mut random = Random::new();
    let (mut accepted, mut refused) = (0, 0);
    let mut found: Vec<String> = Vec::new();
    for case in 0..cases {
        let mut scene = scenes[random.below(scenes.len())].clone();
        if random.below(2) == 0 {
            generate::replace_section(&mut scene, &schema, &mut random);
        }
        for _ in 0..random.below(3) {
            mutate::change(&mut scene, &mut random);
        }
        if let Some(why) = disagreement(&validator, &scene) {
            found.push(format!("scene {case}: {why}\n{}", toml::to_string(&scene).unwrap()));
        }
        *if validator.refusal(&scene).is_none() { &mut accepted } else { &mut refused } += 1;
    }
    assert!(
        found.is_empty(),
        "{} of {cases} scenes:\n{}",
        found.len(),
        found[..found.len().min(5)].join("\n")
    );
    // Both verdicts are frequent, or the changes are too wild or too tame to prove anything.
    assert!(accepted > cases / 10 && refused > cases / 10, "{accepted} accepted, {refused} refused");
}
