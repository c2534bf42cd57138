//! The sound of a game: what happens in the game becomes actions in a queue, the device of the sound pulls blocks. Balls fall on the bars of a marimba, and the
//! mallets are as hard as the game says. `cargo run --release -p hamiltone-play --example game_loop`

use hamiltone_play::{Action, Engine};
use hamiltone_scene::instrument::Instrument;
use std::{error::Error, sync::mpsc::channel};

/// Samples per second, those of a picture at 60 Hz, and those that the device pulls at a time.
const RATE: usize = 48_000;
const PICTURE: usize = RATE / 60;
const BLOCK: usize = 160;

fn main() -> Result<(), Box<dyn Error>> {
    let marimba = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments/marimba.toml");
    let plan = Instrument::open(marimba, &[], Default::default())?.plan(RATE as f64, None)?;
    let mut engine = Engine::new(&plan)?;
    let mallet =
        engine.parameters().iter().position(|parameter| parameter.name == "mallet").ok_or("no mallet")?;
    let [soft, hard] = engine.parameters()[mallet].range;
    let (game, sound) = channel();

    // Each ball has a bar, a height, m, and a speed, m/s.
    let mut balls = [(48_u8, 1.0_f64, 0.0_f64), (60, 1.5, 0.0), (67, 2.0, 0.0)];
    let mut block = vec![0.0_f32; BLOCK * engine.channels()];
    for picture in 0..240 {
        // The game: on its own thread, 60 times a second.
        let dt = PICTURE as f64 / RATE as f64;
        for (key, height, speed) in &mut balls {
            (*speed, *height) = (*speed - 9.81 * dt, *height + *speed * dt);
            if *height < 0.0 {
                game.send(Action::NoteOn { key: *key, velocity: (*speed / -7.0).min(1.0) })?;
                (*height, *speed) = (0.0, -0.8 * *speed);
            }
        }
        let value = soft + (hard - soft) * picture as f64 / 240.0;
        game.send(Action::Parameter { number: mallet, value })?;

        // The device: each of its blocks begins with what has happened since the last.
        let mut peak = 0.0_f32;
        for _ in 0..PICTURE / BLOCK {
            sound.try_iter().for_each(|action| _ = engine.act(action));
            engine.render(&mut block);
            peak = block.iter().fold(peak, |peak, x| peak.max(x.abs()));
        }
        if picture % 20 == 0 {
            println!("{:4.1} s: peak {peak:.3}", engine.now());
        }
    }
    engine.settle();
    println!("balanced: {}", engine.is_balanced());
    Ok(())
}
