//! The presets beside an instrument.

use super::shipped::{FORTE, Note, Player, Shipped};
use hamiltone_play::Engine;
use hamiltone_scene::instrument::preset;
use std::path::Path;

/// How far a preset may put the level of a note from that without it, dB: a muffled piano loses 9.3 dB on its highest key, and a bow that does not
/// move its string loses all.
const APART: f64 = 10.0;
/// So many keys are played.
const KEYS: usize = 5;
/// How long, s: the second half is compared, in which a bow has taken hold of the string.
const SECONDS: f64 = 1.6;

/// The level of the second half of a note, dB.
fn level(player: &mut Player, key: u8) -> f64 {
    let sound = player.note(key, FORTE, SECONDS);
    Note::of(key, &sound[sound.len() / 2..]).level()
}

/// Notes sound with each preset about as loud as without, and keep their balance.
pub fn presets(shipped: &Shipped) -> Vec<String> {
    let mut broken = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instruments");
    for (name, file) in preset::list(&folder.join(format!("{}.toml", shipped.name))) {
        let engine = shipped.plan(|plan| {
            let values = preset::read(&file, &plan.parameters).map(|preset| preset.values);
            let initial: Vec<f64> = plan.parameters.iter().map(|parameter| parameter.initial).collect();
            plan.begin_with(&values.unwrap_or_else(|error| panic!("{error}")));
            let engine = Engine::new(plan).expect("an instrument that can be played");
            plan.begin_with(&initial);
            engine
        });
        let (mut player, mut plain) = (Player::new(engine), shipped.player());
        for key in shipped.some_keys(KEYS) {
            let difference = level(&mut player, key) - level(&mut plain, key);
            if difference.abs() > APART {
                broken.push(format!("{name}, key {key}: {difference:+.1} dB"));
            }
        }
        player.engine.settle();
        if !player.engine.is_balanced() {
            broken.push(format!("{name}: no balance"));
        }
    }
    broken
}
