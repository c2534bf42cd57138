//! The presets beside an instrument.

use super::shipped::{FORTE, HEARD, Note, Player, Shipped};
use hamiltone_play::Engine;
use hamiltone_scene::instrument::preset;
use std::path::Path;

/// How far a preset may put the level of a note from that without it, dB: a bow that presses too little for its place loses more.
const APART: f64 = 8.0;
/// So many keys are played.
const KEYS: usize = 5;

/// Notes sound with each preset about as loud as without, from rest, and keep their balance.
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
        let mut player = Player::new(engine);
        for key in shipped.some_keys(KEYS) {
            let note = Note::of(key, &player.note(key, FORTE, HEARD));
            let plain = shipped.forte().iter().find(|plain| plain.key == key).expect("it is one of its keys");
            let difference = note.level() - plain.level();
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
