//! Playing at random: no allocation, no note that stays, a balance that is exact. Ten minutes of sound where HAMILTONE_LONG is set, else four seconds.

use crate::host::{
    Doing::{self, *},
    Plugged, assert_same, engine, played,
};
use clack_host::prelude::ProcessStatus;
use hamiltone_plugin::slot;

/// Numbers that are the same in every run (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn doing(&mut self) -> Doing {
        let key = 40 + self.below(50) as u8;
        let value = self.below(128) as u8;
        match self.below(12) {
            0..5 => On(key, f32::from(value.max(1)) / 127.0),
            5..8 => Off(key),
            // Without expression nothing would be heard for a while.
            8 if self.below(6) == 0 => Midi([0xb0, 11, value | 64]),
            8 => Midi([0xb0, [64, 66, 67, 1, 2][self.below(5) as usize], value]),
            9 => Midi([0xe0, 0, value]),
            10 => Pressure(key, f32::from(value) / 127.0),
            _ => Set(["P1", "P2", "P3"][self.below(3) as usize], f64::from(value) / 127.0),
        }
    }
}

#[test]
fn random_playing_takes_no_memory_and_leaves_nothing() {
    let seconds = if std::env::var_os("HAMILTONE_LONG").is_some() { 600 } else { 4 };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut plugged, mut own) = (Plugged::playing("marimba", 48_000.0), engine("marimba", 48_000.0));
    let set = |engine: &mut hamiltone_play::Engine, name: &str, position: f64| {
        let number = name[1..].parse::<usize>().unwrap() - 1;
        let parameter = engine.parameters()[number].clone();
        let value = slot::value(&parameter, parameter.default, f64::from(position as f32));
        if value != engine.parameter(number) {
            engine.set_parameter(number, value);
        }
    };
    let frames = 48_000;
    for second in 0..seconds {
        let mut doings: Vec<(usize, Doing)> =
            (0..30).map(|_| (random.below(frames) as usize, random.doing())).collect();
        doings.sort_by_key(|(at, _)| *at);
        let sizes: Vec<usize> = (0..40).map(|_| 1 + random.below(1000) as usize).collect();
        let expected = played(&mut own, &doings, frames as usize, set);
        assert_same(&plugged.play(&doings, frames as usize, &sizes), &expected, &format!("second {second}"));
    }
    // All keys and pedals are released: it comes to rest, and says so.
    let up = [(0, Midi([0xb0, 120, 0]))];
    plugged.play(&up, 48_000, &[512]);
    played(&mut own, &up, 48_000, set);
    for _ in 0..60 {
        plugged.play(&[], 48_000, &[1024]);
        played(&mut own, &[], 48_000, set);
        if plugged.status == ProcessStatus::ContinueIfNotQuiet {
            break;
        }
    }
    assert_eq!(plugged.status, ProcessStatus::ContinueIfNotQuiet);
    assert!(own.is_at_rest() && own.held() == 0);
    own.settle();
    assert!(own.is_balanced());
    assert_eq!(plugged.allocations, 0);
}
