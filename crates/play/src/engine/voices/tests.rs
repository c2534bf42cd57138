//! Notes on keys and strings, pedals, pressure, controllers and slurs.

use super::*;
use hamiltone_plan::notes::{LEVELS, Levels};

fn notes(units: Vec<Unit>) -> Notes {
    Notes { units, programs: Vec::new(), program: None, gestures: 0 }
}

/// Strings of these open keys with five frets; gesture 100·unit + key begins a note, 1000 more ends it.
fn strings(open: &[u8]) -> Voices {
    let unit = |(unit, open): (usize, &u8)| {
        let of = |key: u8| {
            let number = 100 * unit as u32 + u32::from(key);
            let always = |number: u32| Levels::new(vec![vec![number]]);
            let on = [number, 5000 + number].map(always);
            let none = Levels::default;
            OfKey {
                key,
                on,
                slur: none(),
                give_way: none(),
                off: always(1000 + number),
                pressure: none(),
                controllers: Vec::new(),
            }
        };
        let keys = (*open..=open + 5).map(of).collect();
        let [pedal_down, pedal_up] = [2000, 3000].map(|number| vec![number + unit as u32]);
        Unit { keys, pedal_down, pedal_up, pedal_move: Levels::default() }
    };
    Voices::new(&notes(open.iter().enumerate().map(unit).collect()), false)
}

fn done(act: impl FnOnce(&mut Begin<'_>)) -> Vec<u32> {
    let mut all = Vec::new();
    act(&mut |gestures| all.extend_from_slice(gestures.numbers));
    all
}

#[test]
fn notes_take_the_best_string() {
    let mut voices = strings(&[40, 45]);
    // 45 is open on string 1; 46 then goes to string 0, and 47 takes the string that was struck first.
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [145]);
    assert_eq!(done(|begin| assert!(voices.note_on(44, 1.0, begin))), [44]);
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [145]);
    assert_eq!(done(|begin| assert!(voices.note_on(43, 1.0, begin))), [1044, 43]);
    assert_eq!(done(|begin| voices.note_off(44, begin)), [0; 0]);
    assert_eq!(done(|begin| voices.note_off(43, begin)), [1043]);
    assert!(!voices.note_on(39, 1.0, &mut |_| ()) && voices.held() == 1);
}

/// Strings of one pitch are played in turn.
#[test]
fn strings_in_unison_take_turns() {
    let mut voices = strings(&[40, 40]);
    for string in [0, 100, 0] {
        assert_eq!(done(|begin| assert!(voices.note_on(40, 1.0, begin))), [string + 40]);
        done(|begin| voices.note_off(40, begin));
    }
    done(|begin| assert!(voices.note_on(40, 1.0, begin)));
    assert_eq!(done(|begin| assert!(voices.note_on(40, 1.0, begin))), [140]);
}

#[test]
fn pedals_hold_notes() {
    let mut voices = strings(&[40, 45]);
    done(|begin| assert!(voices.note_on(40, 1.0, begin)));
    assert_eq!(done(|begin| voices.sustain(127, begin)), [2000, 2001]);
    assert_eq!(done(|begin| voices.note_off(40, begin)), [0; 0]);
    assert_eq!(done(|begin| voices.sustain(63, begin)), [1040, 3000, 3001]);
    done(|begin| assert!(voices.note_on(41, 1.0, begin)));
    assert_eq!(done(|begin| voices.sostenuto(true, begin)), [0; 0]);
    assert_eq!(done(|begin| voices.note_off(41, begin)), [0; 0]);
    assert_eq!(done(|begin| voices.sostenuto(false, begin)), [1041]);
    done(|begin| assert!(voices.note_on(42, 0.5, begin)));
    assert_eq!(done(|begin| voices.all_off(begin)), [1042]);
    assert!(voices.has_soft());
    voices.soft(true);
    assert_eq!(done(|begin| assert!(voices.note_on(40, 0.5, begin))), [5040]);
    assert_eq!(done(|begin| voices.note_off(40, begin)), [1040]);
    assert_eq!(voices.held(), 0);
}

/// Two keys; gesture 1000·unit + level is that of the key going up, 100 000 more of the pedal, 200 000 more of pressure.
fn dampers() -> Voices {
    let unit = |unit: u32| {
        let levels = |kind: u32| {
            Levels::new((0..LEVELS as u32).map(|level| vec![100_000 * kind + 1000 * unit + level]).collect())
        };
        let on = [Levels::default(), Levels::default()];
        let keys = vec![OfKey {
            key: 60 + unit as u8,
            on,
            slur: Levels::default(),
            give_way: Levels::default(),
            off: levels(0),
            pressure: levels(2),
            controllers: vec![(2, levels(3))],
        }];
        Unit { keys, pedal_down: Vec::new(), pedal_up: Vec::new(), pedal_move: levels(1) }
    };
    Voices::new(&notes((0..2).map(unit).collect()), false)
}

#[test]
fn keys_that_are_up_follow_the_pedal() {
    let mut voices = dampers();
    done(|begin| assert!(voices.note_on(60, 1.0, begin)));
    // However often it moves, the last position is followed, once.
    for position in [3, 127, 40] {
        assert_eq!(done(|begin| voices.sustain(position, begin)), [0; 0]);
    }
    assert_eq!(done(|begin| voices.follow(begin)), [101_040]);
    assert_eq!(done(|begin| voices.follow(begin)), [0; 0]);
    // A key that goes up falls onto the pedal as it is by then.
    voices.sustain(50, &mut |_| ());
    assert_eq!(done(|begin| voices.note_off(60, begin)), [50]);
    assert_eq!((done(|begin| voices.follow(begin)), voices.held()), (vec![100_050, 101_050], 1));
    // There and back is no move.
    done(|begin| voices.sustain(127, begin));
    done(|begin| voices.sustain(50, begin));
    assert_eq!(done(|begin| voices.follow(begin)), [0; 0]);
    done(|begin| voices.sustain(0, begin));
    assert_eq!((done(|begin| voices.follow(begin)), voices.held()), (vec![100_000, 101_000], 0));
    // The sostenuto pedal keeps its notes from the other.
    done(|begin| assert!(voices.note_on(61, 1.0, begin)));
    voices.sostenuto(true, &mut |_| ());
    assert_eq!(done(|begin| voices.note_off(61, begin)), [0; 0]);
    voices.sustain(20, &mut |_| ());
    assert_eq!(done(|begin| voices.follow(begin)), [100_020]);
    assert_eq!(done(|begin| voices.sostenuto(false, begin)), [1020]);
    assert_eq!((done(|begin| voices.all_off(begin)), voices.held()), (vec![100_000, 101_000], 0));
}

#[test]
fn pressure_is_on_keys_that_were_struck() {
    let mut voices = dampers();
    assert!(voices.has_pressure() && !strings(&[40]).has_pressure());
    voices.pressure(None, 90);
    assert!(!voices.is_pending());
    done(|begin| assert!(voices.note_on(60, 1.0, begin)));
    voices.pressure(None, 90);
    voices.pressure(Some(61), 5);
    voices.pressure(Some(60), 70);
    assert_eq!(done(|begin| voices.follow(begin)), [200_070]);
    // It rings on, and can be damped, when its key is up; struck again it is free.
    voices.note_off(60, &mut |_| ());
    voices.pressure(Some(60), 0);
    assert_eq!(done(|begin| voices.follow(begin)), [200_000]);
    voices.pressure(Some(60), 80);
    done(|begin| assert!(voices.note_on(60, 1.0, begin)));
    assert_eq!(done(|begin| voices.follow(begin)), [0; 0]);
}

/// Held notes follow a controller; one that has moved goes on with the next note, before the gestures of the note that it replaces.
#[test]
fn held_notes_follow_controllers() {
    let mut voices = dampers();
    assert!(voices.has_controller(2) && !voices.controller(3, 9) && voices.controller(2, 50));
    assert_eq!(done(|begin| voices.follow(begin)), [0; 0]);
    let mut all = Vec::new();
    voices.note_on(60, 1.0, &mut |gestures: Gestures<'_>| {
        all.push((gestures.cause, gestures.numbers.to_vec(), gestures.replaced.to_vec()));
    });
    assert_eq!(all, [(Cause::Struck, vec![], vec![300_050]), (Cause::Moved, vec![300_050], vec![])]);
    assert!(voices.controller(2, 60) && voices.controller(2, 70));
    assert_eq!(done(|begin| voices.follow(begin)), [300_070]);
    done(|begin| voices.note_off(60, begin));
    voices.controller(2, 10);
    assert_eq!(done(|begin| voices.follow(begin)), [0; 0]);
}

/// A slur takes the place of the end of one note and of the begin of the next.
#[test]
fn notes_of_a_string_are_slurred() {
    let mut voices = strings(&[40]);
    for of in &mut voices.units[0].keys {
        of.slur = Levels::new(vec![vec![7000 + u32::from(of.key)]]);
    }
    let mut fingered = voices.clone();
    assert_eq!(done(|begin| assert!(voices.note_on(40, 1.0, begin))), [40]);
    assert_eq!(done(|begin| assert!(voices.note_on(42, 1.0, begin))), [7042]);
    assert_eq!(done(|begin| voices.note_off(40, begin)), [0; 0]);
    assert_eq!(done(|begin| voices.note_off(42, begin)), [1042]);
    // A trill comes back to the key that is still down, of several the last.
    assert_eq!(done(|begin| assert!(voices.note_on(40, 1.0, begin))), [40]);
    for key in [41, 43] {
        assert_eq!(done(|begin| assert!(voices.note_on(key, 1.0, begin))), [7000 + u32::from(key)]);
    }
    assert_eq!(done(|begin| voices.note_off(43, begin)), [7041]);
    assert_eq!(done(|begin| assert!(voices.note_on(43, 1.0, begin))), [7043]);
    assert_eq!(done(|begin| voices.note_off(41, begin)), [0; 0]);
    assert_eq!(done(|begin| voices.note_off(43, begin)), [7040]);
    assert_eq!(done(|begin| voices.note_off(40, begin)), [1040]);
    assert_eq!(done(|begin| assert!(voices.note_on(40, 1.0, begin))), [40]);
    // The note before lifts its finger, slurred or not.
    for of in &mut fingered.units[0].keys {
        of.give_way = Levels::new(vec![vec![8000 + u32::from(of.key)]]);
    }
    assert_eq!(done(|begin| assert!(fingered.note_on(40, 1.0, begin))), [40]);
    assert_eq!(done(|begin| assert!(fingered.note_on(42, 1.0, begin))), [8040, 7042]);
    assert_eq!(done(|begin| fingered.note_off(42, begin)), [8042, 7040]);
    assert_eq!(done(|begin| fingered.note_off(40, begin)), [1040]);
    assert_eq!(done(|begin| assert!(fingered.note_on(41, 1.0, begin))), [8040, 41]);
}

/// A note follows on the string with its lowest fret; one of a chord, and one without a slur, takes a free string.
#[test]
fn notes_of_a_chord_take_strings_of_their_own() {
    let on = |voices: &mut Voices, now: f64, key| {
        voices.now = now;
        done(|begin| assert!(voices.note_on(key, 1.0, begin)))
    };
    let mut voices = strings(&[40, 43]);
    assert_eq!([on(&mut voices, 0.0, 43), on(&mut voices, 1.0, 44)], [[143], [44]]);
    let mut voices = strings(&[40, 43]);
    for of in voices.units.iter_mut().flat_map(|unit| &mut unit.keys) {
        of.slur = Levels::new(vec![vec![7000 + u32::from(of.key)]]);
    }
    assert_eq!([on(&mut voices, 0.0, 43), on(&mut voices, 0.02, 44)], [[143], [44]]);
    assert_eq!([on(&mut voices, 1.0, 45), on(&mut voices, 2.0, 41)], [[7045], [7041]]);
}

/// What is under a note is forgotten where all keys are let go, belongs to a key on whatever string, and begins anew where it has no slur; the sostenuto pedal holds what it caught.
#[test]
fn notes_under_others_end() {
    let slurred = |open: &[u8], without: u8| {
        let mut voices = strings(open);
        for of in voices.units.iter_mut().flat_map(|unit| &mut unit.keys).filter(|of| of.key != without) {
            of.slur = Levels::new(vec![vec![7000 + u32::from(of.key)]]);
        }
        voices
    };
    let on = |voices: &mut Voices, key| done(|begin| assert!(voices.note_on(key, 1.0, begin)));
    let off = |voices: &mut Voices, key| done(|begin| voices.note_off(key, begin));
    let mut voices = slurred(&[40], 0);
    assert_eq!([on(&mut voices, 40), on(&mut voices, 44)], [[40], [7044]]);
    voices.sustain(127, &mut |_| ());
    assert_eq!(done(|begin| voices.keys_off(begin)), [0; 0]);
    assert_eq!([on(&mut voices, 45), off(&mut voices, 45)], [vec![7045], vec![]]);
    assert_eq!(done(|begin| voices.sustain(0, begin)), [1045, 3000]);
    // 44 is struck a second time, on the other string.
    let mut voices = slurred(&[40, 43], 0);
    assert_eq!([on(&mut voices, 44), on(&mut voices, 47), on(&mut voices, 41)], [[144], [7047], [41]]);
    assert_eq!([off(&mut voices, 41), on(&mut voices, 44)], [[1041], [44]]);
    assert_eq!([off(&mut voices, 44), off(&mut voices, 47)], [[1044], [1147]]);
    // The lower note has no slur: it begins as any note does.
    let mut voices = slurred(&[40], 40);
    assert_eq!([on(&mut voices, 40), on(&mut voices, 44)], [[40], [7044]]);
    assert_eq!([off(&mut voices, 44), off(&mut voices, 40)], [vec![1044, 40], vec![1040]]);
    let mut voices = slurred(&[40], 0);
    on(&mut voices, 40);
    voices.sostenuto(true, &mut |_| ());
    assert_eq!(
        [on(&mut voices, 44), off(&mut voices, 40), off(&mut voices, 44)],
        [vec![7044], vec![], vec![1044]]
    );
}

/// A slur is of one program: a bowed note does not follow a plucked one, which does not come back when that one ends. A key that is held in another
/// program is struck on its own string.
#[test]
fn no_slur_joins_programs() {
    let mut units = strings(&[40, 45]).units;
    for unit in &mut units {
        for of in &mut unit.keys {
            of.slur = Levels::new(vec![vec![7000 + u32::from(of.key)]]);
        }
        let plucked = unit.keys.clone().into_iter().map(|mut of| {
            of.on.iter_mut().chain([&mut of.off]).for_each(|levels| levels.shift(500));
            OfKey { slur: Levels::default(), ..of }
        });
        unit.keys.extend(plucked.collect::<Vec<_>>());
    }
    let mut voices = Voices::new(&Notes { programs: vec![45], program: Some(45), ..notes(units) }, false);
    voices.now = 1.0;
    assert_eq!(done(|begin| assert!(voices.note_on(47, 1.0, begin))), [647]);
    voices.choose(0);
    voices.now = 2.0;
    assert_eq!(done(|begin| assert!(voices.note_on(48, 1.0, begin))), [1647, 148]);
    voices.now = 3.0;
    // In one program it is slurred, and comes back.
    assert_eq!(done(|begin| assert!(voices.note_on(49, 1.0, begin))), [7049]);
    assert_eq!(done(|begin| voices.note_off(49, begin)), [7048]);
    voices.choose(45);
    assert_eq!(done(|begin| assert!(voices.note_on(48, 1.0, begin))), [1148, 648]);
    assert_eq!(done(|begin| voices.note_off(48, begin)), [1648]);
    assert_eq!((done(|begin| voices.note_off(48, begin)), voices.held()), (vec![], 0));
}

/// A key that is held on a string which does not have it in another program moves to one that has it: the first note ends, and one note-off ends the second.
#[test]
fn a_held_key_moves_where_the_program_has_it() {
    let mut units = strings(&[40, 45]).units;
    for (unit, keys) in units.iter_mut().map(|unit| &mut unit.keys).enumerate() {
        let other = keys.clone().into_iter().map(|mut of| {
            of.on.iter_mut().chain([&mut of.off]).for_each(|levels| levels.shift(500));
            // The upper string has nothing in the other program.
            if unit == 1 { OfKey { on: [Levels::default(), Levels::default()], ..of } } else { of }
        });
        keys.extend(other.collect::<Vec<_>>());
    }
    let mut voices = Voices::new(&Notes { programs: vec![31], ..notes(units) }, false);
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [145]);
    voices.choose(31);
    assert!(voices.has(45) && !voices.has(46));
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [545, 1145]);
    assert_eq!((done(|begin| voices.note_off(45, begin)), voices.held()), (vec![1545], 0));
    assert_eq!(done(|begin| assert!(!voices.note_on(46, 1.0, begin))), [0; 0]);
}

/// A note has what its program does, until it ends; a key of another program on its string is another note. What no list names is that of none.
#[test]
fn programs_choose_what_notes_do() {
    let mut units = strings(&[40, 45]).units;
    for unit in &mut units {
        let plucked = unit.keys.clone().into_iter().map(|mut of| {
            of.on.iter_mut().chain([&mut of.off]).for_each(|levels| levels.shift(500));
            of
        });
        unit.keys.extend(plucked.collect::<Vec<_>>());
    }
    let plan = Notes { programs: vec![45], ..notes(units) };
    assert!(plan.has_programs() && !Notes { programs: Vec::new(), ..plan.clone() }.has_programs());
    let mut voices = Voices::new(&plan, false);
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [145]);
    voices.choose(45);
    // The note that was struck before ends as it began.
    assert_eq!(done(|begin| assert!(voices.note_on(44, 1.0, begin))), [544]);
    assert_eq!(voices.stopped().0, 1);
    assert_eq!(done(|begin| voices.note_off(45, begin)), [1145]);
    assert_eq!(done(|begin| voices.note_off(44, begin)), [1544]);
    // The lowest fret is chosen in any program. What is chosen is saved.
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [645]);
    let mut saved = Vec::new();
    voices.archive(&mut Archive::Write(&mut saved));
    voices.choose(44);
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [1645, 145]);
    voices.archive(&mut Archive::Read(&saved));
    assert_eq!(done(|begin| voices.note_off(45, begin)), [1645]);
    assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [645]);
    let first = Voices::new(&Notes { program: Some(45), ..plan }, false);
    assert_eq!(first.program, 1);
}
