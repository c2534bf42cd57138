//! Transfers: what strings exert drives a body or is heard through an impulse response.

use hamiltone_core::ledger::Bookkeeping;
use hamiltone_plan::SampleFormat;
use hamiltone_play::Engine;
use hamiltone_render::{sinks::wav, sound::Sound};
use hamiltone_scene::{Scene, instrument::Instrument};
use std::{fs::File, path::PathBuf};

const RATE: f64 = 48_000.0;

/// Two strings and their bridge.
pub const STRINGS: &str = r#"
    hamiltone = 2
    run.oversampling = 2
    output = { channels = "mono", level = "raw" }
    [instrument]
    keys = ["A3", "E4"]
    [key.body.string]
    kind = "string"
    modes = 20
    length = "0.6 m"
    linear_density = "5 g/m"
    frequency = "{frequency} Hz"
    loss = { t60 = [["200 Hz", "2 s"], ["3000 Hz", "0.5 s"]] }
    [[note_on]]
    gesture = "pluck"
    at = "string@0.2"
    force = "1 N"
    rise = "5 ms"
"#;
pub const BRIDGE: &str = "[key.pickup.bridge]\nat = \"string@1\"\nquantity = \"force\"\nac_coupling = 0\n";
pub const BOARD: &str = "[body.board]\nkind = \"oscillator\"\nmass = \"0.5 kg\"\nfrequency = \"180 Hz\"\ndecay_time = \"0.3 s\"\n";

fn played(text: &str) -> Result<(Engine, Vec<f64>), String> {
    let plan = Instrument::new(text, "strings.toml", ".".as_ref(), &[]).plan(RATE, None);
    let mut engine =
        Engine::new(&plan.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    let sound = sound(&mut engine, 12_000);
    Ok((engine, sound))
}

/// Two notes, in blocks of so many samples.
fn sound(engine: &mut Engine, block: usize) -> Vec<f64> {
    let mut sound = vec![0.0_f64; 12_000];
    for (key, part) in [57, 64].into_iter().zip(sound.chunks_mut(6000)) {
        engine.note_on(key, 1.0);
        part.chunks_mut(block).for_each(|part| engine.render(part));
    }
    sound
}

/// The board moves as it does under the sum of the forces, which the instrument without it lets out; nothing acts back on the strings.
#[test]
fn a_body_is_driven_by_the_sum_of_forces() {
    let (_, force) = played(&format!("{STRINGS}{BRIDGE}")).unwrap();
    let silent = BRIDGE.replace("ac_coupling = 0", "bus = \"none\"");
    let board = format!(
        "{STRINGS}{silent}{BOARD}[pickup.board]\nat = \"board\"\n[transfer.board]\nfrom = [\"bridge\"]\nat = \"board\"\n"
    );
    let (engine, moved) = played(&board).unwrap();
    let scene = format!(
        "hamiltone = 2\nrun = {{ duration = \"1 s\", sample_rate = {RATE:?} }}\n{BOARD}[pickup.board]\nat = \"board\"\n\
         [drive.bridge]\nat = \"board\"\nkind = \"constant\"\nvalue = 0\n"
    );
    let plan = Scene::new(&scene, "board.toml", ".".as_ref(), &[]).plan().unwrap();
    let mut simulation = plan.scheme.prepare(&plan.system, 1.0 / RATE).unwrap();
    simulation.reset(&[0.0]);
    let (mut before, mut row) = (0.0, [0.0]);
    for (n, (now, y)) in force.iter().zip(&moved).enumerate() {
        simulation.step(&[before, *now], Bookkeeping::Full);
        simulation.outputs(&mut row);
        assert_eq!(row[0].to_bits(), y.to_bits(), "{n}: {} {y}", row[0]);
        before = *now;
    }
    let driven = engine.islands().iter().find(|island| island.is_driven()).unwrap();
    assert!(driven.audit().supplied > 0.0 && engine.is_balanced());
    for block in [1, 37, 1024] {
        let plan = Instrument::new(&board, "strings.toml", ".".as_ref(), &[]).plan(RATE, None).unwrap();
        assert_eq!(sound(&mut Engine::new(&plan).unwrap(), block), moved, "blocks of {block}");
    }
}

/// A response of 1 lets the forces out as they are, and one with an echo adds them later; half of full scale is half.
#[test]
fn forces_are_heard_through_an_impulse_response() {
    let (_, force) = played(&format!("{STRINGS}{BRIDGE}")).unwrap();
    let folder = std::env::temp_dir().join(format!("hamiltone-transfer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, rate: f64, samples: Vec<f64>| -> PathBuf {
        let path = folder.join(name);
        let sound = Sound::separate(rate, samples, vec![1.0]);
        wav::write(&mut File::create(&path).unwrap(), &sound, 0, SampleFormat::Float64).unwrap();
        path
    };
    let text = |path: &PathBuf| {
        let silent = BRIDGE.replace("ac_coupling = 0", "bus = \"none\"");
        format!("{STRINGS}{silent}[transfer.body]\nfrom = [\"bridge\"]\nimpulse_response = {path:?}\n")
    };
    let mut response = vec![0.0; 1000];
    (response[0], response[700]) = (1.0, 0.5);
    let (_, heard) = played(&text(&file("echo.wav", RATE, response))).unwrap();
    let size = force.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for n in 0..force.len() {
        let expected = force[n] + if n >= 700 { 0.5 * force[n - 700] } else { 0.0 };
        // Through transforms of 512 points, each product rounded some times.
        assert!((heard[n] - expected).abs() < 60.0 * f64::EPSILON * size, "{n}: {} {expected}", heard[n]);
    }
    let error = played(&text(&file("slow.wav", 44_100.0, vec![1.0; 10]))).err().unwrap();
    assert!(error.contains("44100 samples a second") && error.contains("--rate"), "{error}");
    let error = played(&text(&folder.join("none.wav"))).err().unwrap();
    assert!(error.contains("strings.toml:") && error.contains("not a plain file"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_a_transfer_cannot_do_is_refused() {
    for (transfer, says) in [
        ("from = [\"brigde\"]\nat = \"board\"", "there is no pickup `brigde`"),
        ("from = [\"board\"]\nat = \"board\"", "reads m, but the place is driven by N"),
        ("at = \"board\"", "`from` takes a list"),
        ("from = [\"bridge\"]\nat = \"nowhere\"", "`nowhere`"),
        ("from = [\"bridge\"]", "`at`"),
    ] {
        let text =
            format!("{STRINGS}{BRIDGE}{BOARD}[pickup.board]\nat = \"board\"\n[transfer.board]\n{transfer}\n");
        let error = played(&text).err().unwrap_or_default();
        assert!(error.contains(says), "{transfer}: {error}");
    }
}
