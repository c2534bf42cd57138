//! Parameters over their whole range while notes sound.

use super::shipped::{RATE, Shipped};
use hamiltone_play::Engine;

/// A chord in whose course every parameter goes to both ends of its range and back keeps its balance, and no part is muted.
pub fn moves(shipped: &Shipped) -> Vec<String> {
    let mut broken = Vec::new();
    let mut engine = shipped.plan(|plan| Engine::new(plan)).expect("an instrument that can be played");
    if engine.parameters().is_empty() {
        broken.push("it has no parameters".into());
    }
    let keys = shipped.some_keys(4);
    let mut block = vec![0.0_f64; engine.channels() * (0.05 * RATE) as usize];
    for number in 0..engine.parameters().len() {
        let plan = engine.parameters()[number].clone();
        for value in [plan.range[0], plan.range[1], plan.default] {
            keys.iter().for_each(|key| _ = engine.note_on(*key, 0.7));
            engine.render(&mut block);
            engine.set_parameter(number, value);
            engine.render(&mut block);
            keys.iter().for_each(|key| engine.note_off(*key));
            engine.render(&mut block);
            if block.iter().any(|x| !x.is_finite()) {
                broken.push(format!("{} {}: not finite", plan.name, value));
            }
        }
        engine.settle();
        if !engine.is_balanced() {
            broken.push(format!("{}: no balance", plan.name));
        }
    }
    broken
}
