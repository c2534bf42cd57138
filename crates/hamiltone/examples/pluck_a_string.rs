//! A guitar string, plucked: a scene as a text, rendered to a stereo WAV file in the folder for temporary files.

use hamiltone::render::{run, sinks::wav::Wav};
use hamiltone::scene::Scene;
use std::{env::temp_dir, error::Error};

const SCENE: &str = r#"
hamiltone = 3
run = { scheme = "ec", duration = "2 s", sample_rate = "44.1 kHz" }
[body.string]
kind = "string"
length = "65 cm"
radius = "0.4 mm"
density = "7850 kg/m^3"
frequency = "110 Hz"
youngs_modulus = "200 GPa"
loss = { d1 = "1.2 1/s", d3 = "2e-4 m^2/s" }
[drive.finger]
at = "string@0.2"
kind = "pluck"
height = "2 mm"
width = "10 mm"
[pickup.left]
at = "string@0.6 m"
quantity = "velocity"
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let plan = Scene::new(SCENE, "string.toml", ".".as_ref(), &[]).plan()?;
    let path = temp_dir().join("hamiltone_pluck.wav");
    let outcome = run(&plan, &mut [&mut Wav::new(&path)], &mut |_, _| {})?;
    let (sound, bus) = (&outcome.sound, &outcome.sound.mix.buses[0]);
    println!("{}: {} samples, up to {:.2} m/s", path.display(), sound.frames(), sound.peak);
    println!("{} channels, peak {:.1} dBFS", bus.channels.len(), bus.peak_dbfs());
    if outcome.ok { Ok(()) } else { Err("the energy balance does not hold".into()) }
}
