//! Lists of gestures for each velocity, position of the pedal and pressure: made at load, and no more of them than differ.

use hamiltone_numerics::parallel;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_scene::{Set, instrument::Instrument};

/// Three keys, each an oscillator with a damper.
pub const FORK: &str = r#"hamiltone = 2
[instrument]
keys = "C4..D4"
[key.body.fork]
kind = "oscillator"
mass = "2 g"
frequency = "{frequency} Hz"
[key.contact.felt]
between = ["fork", "ground"]
law = "damper"
[key.pickup.fork]
at = "fork"
[[note_on]]
gesture = "undamp"
control = "felt"
[[note_on]]
gesture = "strike"
at = "fork"
speed = "{velocity} m/s"
"#;

fn plan(lists: &str) -> Result<InstrumentPlan, String> {
    let text = format!("{FORK}{lists}");
    let plan = Instrument::new(&text, "fork.toml", ".".as_ref(), &[]).plan(48_000.0, None);
    plan.map_err(|error| error.to_string())
}

/// A damper whose resistance is this formula.
fn damp(list: &str, formula: &str) -> String {
    format!("[[{list}]]\ngesture = \"damp\"\ncontrol = \"felt\"\nresistance = \"{{{formula}}} N s/m\"\n")
}

/// Of three keys 128 strikes each, one undamping, and what the lists add.
#[test]
fn gestures_are_as_many_as_differ() {
    let count = |lists: &str| plan(lists).unwrap().gestures.len() - 3 * (128 + 1);
    assert_eq!(count(""), 0);
    assert_eq!(count(&damp("note_off", "key/60")), 3);
    assert_eq!(count(&damp("note_off", "1 - pedal")), 3 * 128);
    assert_eq!(count(&damp("pedal_move", "min(1, 2*pedal)")), 3 * (64 + 1));
    // Those of both lists are the same.
    assert_eq!(count(&(damp("note_off", "1 - pedal") + &damp("pedal_move", "1 - pedal"))), 3 * 128);
    // A table over the pedal asks for it, too.
    let table = "[table.weight]\nover = \"pedal\"\npoints = [[0, 1], [1, 0]]\n";
    assert_eq!(count(&(damp("pedal_move", "weight") + table)), 3 * 128);
    let when = damp("pressure", "3").replace("gesture", "when = \"{pressure > 0.5}\"\ngesture");
    let with = plan(&when).unwrap();
    let lists = &with.notes.units[0].keys[0].pressure;
    assert_eq!(
        (lists.at(63).len(), lists.at(64).len(), with.notes.units[0].pedal_move.is_empty()),
        (0, 1, true)
    );
}

#[test]
fn the_gesture_of_a_level_has_its_value() {
    let plan = plan(&damp("pedal_move", "1 - pedal")).unwrap();
    for level in 0..128_u8 {
        let [gesture] = plan.notes.units[1].pedal_move.at(level) else { panic!("{level}") };
        let value = plan.gestures[*gesture as usize].shape.value(1.0, 0.0);
        assert_eq!(value.to_bits(), (1.0 - f64::from(level) / 127.0).to_bits(), "{level}");
    }
}

#[test]
fn what_a_list_cannot_have_is_told_at_its_place() {
    for (lists, says) in [
        (
            damp("pedal_move", "pedal") + &damp("pedal_up", "1"),
            "fork.toml:24:3: `pedal_move` and `pedal_up` exclude one another",
        ),
        (damp("pedal_move", "velocity"), "there is no variable or table `velocity`"),
        (damp("pedal_move", "pressure"), "there is no variable or table `pressure`"),
        (damp("pressure", "pedal"), "there is no variable or table `pedal`"),
        (damp("pedal_down", "pedal"), "there is no variable or table `pedal`"),
        (damp("note_on", "pedal"), "it can use key, frequency, program, soft, velocity"),
        (damp("note_off", "0.5 - pedal"), "must be ≥ 0 N s/m"),
        ("[pressure]\nx = 1\n".into(), "`pressure` must be a list of gestures"),
        (damp("controller", "value"), "`number` is missing; write number = 2 for breath"),
        (damp("controller", "value") + "number = 64\n", "controller 64 has a meaning of its own"),
        (damp("controller", "value") + "number = 120\n", "`number` takes a whole number from 0 to 119"),
        (damp("controller", "value") + "number = 2.5\n", "`number` takes a whole number from 0 to 119"),
        (damp("controller", "pressure") + "number = 2\n", "there is no variable or table `pressure`"),
        (
            "[controller]\nnumber = 2\n".into(),
            "`controller` must be a list of gestures; write [[controller]]",
        ),
        (damp("slur", "velocity"), "`slur` is of an instrument with `strings`"),
    ] {
        let error = plan(&lists).err().unwrap_or_default();
        assert!(error.contains(says), "{lists}: {error}");
    }
}

/// `program` is that which is chosen, in all lists of notes; without one in a formula `programs` has no effect, and is told so.
#[test]
fn programs_have_their_own_entries() {
    let listed = |lists: &str, sets: &[&str]| {
        let sets = [&["instrument.programs=[45, 7]"], sets].concat();
        let sets: Vec<Set> = sets.into_iter().map(|set| Set::parse(set).unwrap()).collect();
        let text = format!("{FORK}{lists}");
        Instrument::new(&text, "fork.toml", ".".as_ref(), &sets).plan(48_000.0, None)
    };
    let lists = damp("note_off", "2 + program");
    let plan = listed(&lists, &["instrument.program=7"]).unwrap();
    assert!(
        (&plan.notes.programs[..], plan.notes.program) == (&[45, 7], Some(7)) && plan.notes.has_programs()
    );
    let unit = &plan.notes.units[1];
    let resistance = |number: usize| {
        let [gesture] = unit.keys[number].off.at(0) else { panic!("{unit:?}") };
        plan.gestures[*gesture as usize].shape.value(1.0, 0.0)
    };
    assert_eq!((unit.keys.len(), [0, 1, 2].map(resistance)), (3, [1.0, 47.0, 9.0]));
    let warned = listed(&damp("note_off", "2"), &[]).unwrap().plan.warnings.join("\n");
    assert!(warned.contains("no formula of a gesture of notes names `program`"), "{warned}");
    let warned = listed(&damp("note_off", "if(program == 44, 1, 2)"), &[]).unwrap().plan.warnings.join("\n");
    assert!(warned.contains("notes do the same in all of them"), "{warned}");
    let warned = self::plan(&damp("note_off", "2 + program")).unwrap().plan.warnings.join("\n");
    assert!(warned.contains("`program` is −1 in all formulas"), "{warned}");
    for (lists, set, says) in [
        (&lists, "instrument.program=8", "`program` is 8, which is none of `programs`; add it"),
        (&lists, "instrument.program=128", "`program` is 128, but must be ≥ -1 and ≤ 127"),
        (
            &lists,
            "instrument.programs=45",
            "takes a list of programs; write numbers from 0 to 127, such as [45]",
        ),
        (&lists, "instrument.programs=[]", "takes a list of programs"),
        (&lists, "instrument.programs=[45, 45]", "has 45 twice; write each program once"),
        (&lists, "instrument.programs=[-1]", "must be ≥ 0 and ≤ 127"),
        (&lists, "instrument.programs=[1.5]", "whole"),
        (&damp("pedal_down", "program"), "run.a4=440", "there is no variable or table `program`"),
    ] {
        let told = listed(lists, &[set]).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains(says), "{set}: {told}");
    }
}

/// Each controller has the entries with its number, at every value.
#[test]
fn controllers_have_their_own_entries() {
    let lists = damp("controller", "value") + "number = 2\n" + &damp("controller", "3") + "number = 1\n";
    let plan = plan(&lists).unwrap();
    let of = &plan.notes.units[2].keys[0];
    let value = |number: u32| plan.gestures[number as usize].shape.value(1.0, 0.0);
    let [(1, modulation), (2, breath)] = &of.controllers[..] else { panic!("{of:?}") };
    assert_eq!([0, 127].map(|level| value(modulation.at(level)[0])), [3.0, 3.0]);
    assert_eq!([0, 127].map(|level| value(breath.at(level)[0])), [0.0, 1.0]);
}

/// What is solved side by side knows nothing of each other: the same system, gestures and lists to the bit.
#[test]
fn an_instrument_is_the_same_on_any_number_of_threads() {
    const BARS: &str = r#"hamiltone = 2
[instrument]
keys = "C4..A4"
[key.body.bar]
kind = "bar"
modes = 5
frequency = "{frequency} Hz"
tuning = [4]
length = "{20000/key} mm"
suspension = {}
[key.contact.hand]
between = ["bar@0.1", "ground"]
law = "damper"
[key.pickup.bar]
at = "bar@0.4"
[[note_on]]
gesture = "undamp"
control = "hand"
[[pressure]]
gesture = "damp"
control = "hand"
resistance = "{key*pressure} N s/m"
"#;
    let plan = |threads| {
        let read = || Instrument::new(BARS, "bars.toml", ".".as_ref(), &[]).plan(48_000.0, None);
        let plan = parallel::at_most(threads, read).map_err(|error| error.to_string()).unwrap();
        let solved: Vec<_> = plan.plan.bodies.iter().map(|body| body.solved.clone()).collect();
        (format!("{:?} {solved:?} {:?}", plan.plan.system, plan.notes), plan.gestures)
    };
    let one = plan(1);
    assert_eq!(one.1.len(), 10 * (1 + 128));
    for threads in [2, 3, 16] {
        assert!(one == plan(threads), "{threads} threads");
    }
}

/// A mistake in the gestures of all keys is told once, where it stands in the file, with those of other sections.
#[test]
fn mistakes_in_gestures_are_told_once_at_their_places() {
    let wrong = damp("note_off", "-key") + &damp("pressure", "2*presure");
    let said = plan(&wrong).err().unwrap();
    let line =
        |text: &str| format!("{FORK}{wrong}").lines().position(|line| line.contains(text)).unwrap() + 1;
    // A formula that cannot be read is told before its values are.
    assert!(said.lines().count() == 1 && said.contains(&format!("fork.toml:{}:", line("presure"))), "{said}");
    let wrong = damp("note_off", "-key")
        + "[[pressure]]\ngesture = \"damp\"\ncontrol = \"flet\"\nresistance = \"1 N s/m\"\n";
    let said = plan(&wrong).err().unwrap();
    let line =
        |text: &str| format!("{FORK}{wrong}").lines().position(|line| line.contains(text)).unwrap() + 1;
    assert_eq!(said.lines().count(), 2, "{said}");
    for text in ["-key", "flet"] {
        assert!(said.contains(&format!("fork.toml:{}:", line(text))), "{text}: {said}");
    }
}
