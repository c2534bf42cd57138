//! Parameters of the instrument by slots, presets, the level, and their texts.

use crate::host::{
    Doing::{self, *},
    Plugged, assert_same, engine, played,
};
use hamiltone_play::Engine;
use hamiltone_plugin::slot;

/// Slots of an engine without a preset.
fn set(engine: &mut Engine, name: &str, position: f64) {
    let number = name[1..].parse::<usize>().unwrap() - 1;
    let parameter = engine.parameters()[number].clone();
    // Positions have 32 bits.
    engine.set_parameter(number, slot::value(&parameter, parameter.default, f64::from(position as f32)));
}

#[test]
fn automation_acts_at_its_sample() {
    let doings: [(usize, Doing); 8] = [
        (0, On(52, 0.8)),
        (137, Set("P1", 0.9)),
        (700, Set("P4", 0.1)),
        (700, Set("P3", 0.25)),
        (1500, On(57, 0.8)),
        (1501, Set("P1", 0.2)),
        (2400, Set("P4", 0.5)),
        (2400, On(60, 0.4)),
    ];
    let expected = played(&mut engine("guitar", 48_000.0), &doings, 4000, set);
    let unmoved = played(&mut engine("guitar", 48_000.0), &doings, 4000, |_, _, _| {});
    assert_ne!(expected, unmoved);
    for sizes in [&[17][..], &[512], &[3, 0, 1024, 256, 1]] {
        let mut plugged = Plugged::playing("guitar", 48_000.0);
        assert_same(&plugged.play(&doings, 4000, sizes), &expected, &format!("{sizes:?}"));
        assert_eq!(plugged.allocations, 0);
    }
}

/// Values that are there before the first note hold from its first sample on, as they do with `hamiltone play`.
#[test]
fn a_beginning_has_its_level_at_once() {
    let (doings, positions) = ([(0, On(52, 0.8))], [("P3", 0.25), ("P4", 0.7), ("P5", 0.2)]);
    let mut own = engine("guitar", 48_000.0);
    positions.iter().for_each(|(name, position)| set(&mut own, name, *position));
    own.arrive();
    let expected = played(&mut own, &doings, 2000, |_, _, _| {});
    let mut plugged = Plugged::new();
    plugged.choose("guitar");
    positions.iter().for_each(|(name, position)| plugged.set(name, *position));
    plugged.activate(48_000.0);
    assert_same(&plugged.play(&doings, 2000, &[64]), &expected, "as it was loaded");
    plugged.reset();
    assert_same(&plugged.play(&doings, 2000, &[64]), &expected, "after a reset");
}

/// A factor for all samples once it is there.
#[test]
fn the_level_is_in_decibels() {
    let doings = [(0, On(60, 0.9))];
    let mut plugged = Plugged::new();
    plugged.choose("kalimba");
    plugged.set("Level", (60.0 - 20.0) / 72.0);
    plugged.activate(48_000.0);
    let level = plugged.text("Level");
    assert!(level.starts_with("-20.0"), "{level}");
    let mut expected = played(&mut engine("kalimba", 48_000.0), &doings, 2000, |_, _, _| {});
    expected.iter_mut().flatten().for_each(|sample| *sample *= 0.1);
    let sound = plugged.play(&doings, 2000, &[100]);
    for (own, expected) in sound.iter().flatten().zip(expected.iter().flatten()) {
        assert!((own - expected).abs() <= 1e-6 * expected.abs(), "{own} {expected}");
    }
    // It moves without a step.
    let moved = plugged.play(&[(0, Set("Level", 1.0))], 960, &[64]);
    assert!(moved[0].iter().zip(&moved[0][1..]).all(|(x, y)| (x - y).abs() < 0.2));
}

#[test]
fn texts_are_those_of_the_instrument() {
    let mut plugged = Plugged::playing("guitar", 48_000.0);
    let names: Vec<String> = plugged.texts().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names[..4], ["Instrument", "Preset", "Level", "P1"]);
    assert_eq!((names.len(), names[18].as_str()), (19, "P16"), "{names:?}");
    let texts = ["P1", "P2", "P3", "P4", "P5", "P6"].map(|name| plugged.text(name));
    assert_eq!(texts, ["hand 100 %", "palm 100 %", "string 0 dB", "tuning 0 cents", "level 0 dB", "–"]);
    // A user may write a value.
    let range = engine("guitar", 48_000.0).parameters()[0].range;
    for (text, position) in [(range[0], 0.0), (100.0, 0.5), (range[1], 1.0)] {
        assert_eq!(plugged.value("P1", &format!("hand {text} %")), Some(position));
        assert_eq!(plugged.value("P1", &format!("{text}")), Some(position));
    }
    assert_eq!(plugged.value("P6", "1"), None);
}

/// A preset is where slots begin: it moves them without another instrument being loaded.
#[test]
fn presets_are_the_middle_of_slots() {
    let mut plugged = Plugged::playing("marimba", 48_000.0);
    let dry = plugged.value("Preset", "Dry").expect("the preset `Dry`");
    let path = hamiltone_shipped::path("marimba").unwrap().unwrap();
    let mut own = engine("marimba", 48_000.0);
    let file = hamiltone_scene::instrument::preset::find(&path, "dry").unwrap();
    let values = hamiltone_scene::instrument::preset::read(&file, own.parameters()).unwrap().values;
    assert!(values.iter().zip(own.parameters()).any(|(value, parameter)| *value != parameter.default));
    let doings = [(0, On(60, 0.9)), (300, Set("Preset", dry)), (900, On(64, 0.9))];
    let expected = played(&mut own, &doings, 3000, |engine, _, _| {
        values.iter().enumerate().for_each(|(number, value)| {
            if *value != engine.parameter(number) {
                engine.set_parameter(number, *value);
            }
        });
    });
    assert_same(&plugged.play(&doings, 3000, &[64]), &expected, "dry");
    assert_eq!(plugged.text("Preset"), "Dry");
}
