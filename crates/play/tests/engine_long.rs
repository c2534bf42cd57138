//! Long random playing, four times as dense as a piece: it stays finite and balanced, allocates nothing, refuses nothing, and at the end
//! every part sleeps.
//!
//! Two seconds of it, or as many as `HAMILTONE_PLAY_SECONDS` says:
//! `HAMILTONE_PLAY_SECONDS=600 cargo test --release -p hamiltone-play --test all engine_long` is the long run.

use crate::instruments::{BASS, assert_balanced, engine, piano};
use crate::partials::shipped;
use crate::random::Random;
use hamiltone_play::{Action, Engine, recording::Balance};
use std::time::Instant;

const RATE: usize = 48_000;

fn seconds() -> usize {
    match std::env::var("HAMILTONE_PLAY_SECONDS") {
        Ok(seconds) => seconds.parse().expect("HAMILTONE_PLAY_SECONDS is a whole number"),
        Err(_) => 2,
    }
}

/// A player with ten fingers or more, two pedals, breath, and controllers that do nothing.
struct Player {
    random: Random,
    /// The keys that are down, with when each goes up, samples.
    down: Vec<(u8, usize)>,
    keys: std::ops::RangeInclusive<u8>,
    /// Notes a second.
    density: usize,
    notes: u64,
}

impl Player {
    /// What happens from one sample to the next event; the number of samples until then.
    fn next(&mut self, engine: &mut Engine, now: usize) -> usize {
        while let Some(i) = self.down.iter().position(|(_, up)| *up <= now) {
            engine.note_off(self.down.swap_remove(i).0);
        }
        let value = self.random.below(128) as f64 / 127.0;
        let action = match self.random.below(20) {
            0 => Action::Control { number: 64, value },
            1 => Action::Control { number: 66, value },
            2 => Action::Control { number: 7, value: 0.5 + 0.5 * value },
            3 => Action::Control { number: 11, value: 0.5 + 0.5 * value },
            4 => Action::Control { number: self.random.below(128) as u8, value },
            5 => Action::Bend { semitones: value },
            6 => Action::Program(3),
            7 => Action::Control { number: 2, value },
            8 => Action::Pressure { key: None, value },
            9 => Action::Pressure { key: Some(self.random.below(128) as u8), value },
            _ => {
                let keys = usize::from(self.keys.end() - self.keys.start()) + 1;
                let key = self.keys.start() + self.random.below(keys) as u8;
                // A key that is down goes up first.
                if let Some(i) = self.down.iter().position(|(down, _)| *down == key) {
                    engine.note_off(self.down.swap_remove(i).0);
                }
                self.down.push((key, now + self.random.below(RATE)));
                self.notes += 1;
                Action::NoteOn { key, velocity: value }
            }
        };
        engine.act(action);
        // 10 of 20 events are notes.
        1 + self.random.below(2 * RATE * 10 / 20 / self.density)
    }
}

fn perform(mut engine: Engine, keys: std::ops::RangeInclusive<u8>, density: usize) {
    let mut block = vec![0.0_f32; 2 * RATE];
    let mut player = Player { random: Random::new(), down: Vec::with_capacity(128), keys, density, notes: 0 };
    let (begin, end) = (Instant::now(), seconds() * RATE);
    let mut largest = 0.0_f32;
    let counted = allocation_counter::measure(|| {
        let mut now = 0;
        while now < end {
            let frames = player.next(&mut engine, now).min(RATE);
            let block = &mut block[..2 * frames];
            engine.render(block);
            largest = block.iter().fold(largest, |most, x| most.max(x.abs()));
            assert!(block.iter().all(|x| x.is_finite()));
            now += frames;
        }
        // Fingers and feet go up one by one.
        player.down.drain(..).for_each(|(key, _)| engine.note_off(key));
        engine.control(66, 0.0);
        engine.control(64, 0.0);
    });
    let played = begin.elapsed().as_secs_f64();
    assert_eq!((counted.count_total, engine.held()), (0, 0));
    let notes = player.notes as usize;
    assert!(notes > seconds() * density / 2 && largest > 0.01, "{notes} notes, {largest}");
    let mut tail = 0;
    while !engine.is_at_rest() && tail < 20 {
        engine.render(&mut block);
        tail += 1;
    }
    let awake: Vec<_> = engine
        .islands()
        .iter()
        .filter(|part| part.activity() == hamiltone_play::engine::Activity::Awake)
        .collect();
    assert!(awake.is_empty(), "{} does not come to rest", awake[0].name());
    let balance = Balance::of([&engine]);
    assert_eq!((balance.refused, balance.muted, balance.stored), (0, 0, 0.0));
    println!("{} s with {notes} notes in {played:.1} s, then {tail} s of tail; {balance:?}", seconds());
    assert_balanced(&engine);
}

#[test]
fn keys_for_a_long_time() {
    perform(engine(&piano(60)), 36..=95, 80);
}

#[test]
fn frets_for_a_long_time() {
    perform(engine(BASS), 40..=50, 32);
}

/// Reeds, jets, lips and bows that sustain their notes, one note after another or many at a time.
#[test]
fn what_sustains_itself_for_a_long_time() {
    for (name, keys, density) in [
        ("clarinet", 50..=86, 12),
        ("saxophone", 49..=81, 12),
        ("recorder", 65..=91, 12),
        ("trumpet", 52..=84, 12),
        ("trombone", 40..=70, 12),
        ("reed_pipes", 36..=84, 12),
        ("bowed_psaltery", 60..=84, 8),
        ("violin", 55..=95, 12),
        ("viola", 48..=88, 12),
        ("cello", 36..=76, 12),
        ("double_bass", 28..=60, 12),
    ] {
        println!("{name}");
        perform(Engine::new(&shipped(name, &[], RATE as f64)).unwrap(), keys, density);
    }
}

/// Dampers that follow pedal and pressure.
#[test]
fn half_pedals_for_a_long_time() {
    let piano = piano(24);
    let (before, _) = piano.split_once("[[note_off]]").unwrap();
    let list = |name: &str, resistance: &str| {
        format!(
            "[[{name}]]\ngesture = \"damp\"\ncontrol = \"damper\"\nresistance = \"{{{resistance}}} N s/m\"\nramp = \"10 ms\"\n"
        )
    };
    let lists =
        [("note_off", "4*(1 - pedal)^3"), ("pedal_move", "4*(1 - pedal)^3"), ("pressure", "4*pressure")];
    let text =
        lists.iter().fold(before.to_string(), |text, (name, resistance)| text + &list(name, resistance));
    perform(engine(&text), 36..=59, 40);
}
