//! An instrument loads without a warning, is at rest, and plays its lowest, a middle and its highest note softly and
//! loudly: finite, balanced, audible, below full scale, quiet when it is damped, and asleep in the end.

use super::shipped::{Note, Player, Shipped};
use hamiltone_play::engine::Island;

/// How long a key is down, and how long after that a damped note is quiet, s.
const DOWN: f64 = 0.6;
const DAMPED: f64 = 0.6;
/// A note is louder than this at its peak, −50 dB, and is quiet below this part of it, −30 dB; −24 dB where other strings, which nothing
/// damps, have been set ringing.
const AUDIBLE: f64 = 3e-3;
const QUIET: f64 = 0.03;
const RINGING_ALONG: f64 = 0.06;
/// The longest time that a note takes to fall asleep, s: the hum of the largest bell, with a T60 of 70 s, loses 100 dB.
pub const LONGEST: usize = 120;

/// A note that is played and let go; how quiet it then is, if it is damped, and whether it is the last one.
fn play(player: &mut Player, (key, velocity): (u8, f64), quiet: Option<f64>, last: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let mut law = |holds: bool, fault: String| {
        if !holds {
            faults.push(format!("key {key} at {velocity}: {fault}"));
        }
    };
    let peak = |sound: &[[f64; 2]]| Note::of(key, sound).peak;
    let loudest = peak(&player.note(key, velocity, DOWN));
    law((AUDIBLE..1.0).contains(&loudest), format!("peak {loudest}"));
    player.engine.note_off(key);
    if let Some(quiet) = quiet {
        player.render(DAMPED);
        let left = peak(&player.render(0.1));
        law(left < quiet * loudest, format!("{left} of {loudest} are left"));
    }
    if last {
        law(player.falls_asleep(LONGEST), "does not fall asleep".into());
        law(peak(&player.render(0.01)) == 0.0, "sounds asleep".into());
    }
    law(player.engine.is_balanced(), format!("{:?}", player.engine.audits().collect::<Vec<_>>()));
    law(player.engine.islands().iter().map(Island::refused).sum::<u64>() == 0, "refused a gesture".into());
    faults
}

/// The law.
pub fn plays(shipped: &Shipped) -> Vec<String> {
    let mut faults = shipped.plan(|plan| plan.plan.warnings.clone());
    let (mut player, keys) = (shipped.player(), shipped.some_keys(3));
    let quiet = if shipped.rings_along() { RINGING_ALONG } else { QUIET };
    let quiet = shipped.is_damped().then_some(quiet);
    for key in &keys {
        for velocity in [0.3, 1.0] {
            let last = Some(key) == keys.last() && velocity == 1.0;
            faults.extend(play(&mut player, (*key, velocity), quiet, last));
        }
    }
    faults
}
