//! What a run needs is known before it.

use super::reed::{blown, folder, render};
use hamiltone_render::{
    Sink,
    forecast::{self, forecast},
    options::Storage,
    sinks::{audit::AuditFile, states::States, wav::Wav},
};
use hamiltone_scene::Scene;

/// Files are as large as was forecast, their headers aside; the samples are in memory, or in a temporary file.
#[test]
fn files_have_the_sizes_that_were_forecast() {
    let folder = folder("forecast");
    let plan = blown(5000, 3);
    let mut wav = Wav::new(folder.join("x.wav"));
    let mut states = States::new(folder.join("x.npz"), Some(2), true);
    let mut audit = AuditFile::new(folder.join("x.json"));
    let mut sinks: [&mut dyn Sink; 3] = [&mut wav, &mut states, &mut audit];
    let beside = Storage::Beside(folder.join("x.wav"));
    let [needs, on_disk] = [Storage::Memory, beside]
        .map(|storage| forecast(&plan, &storage, sinks.iter().map(|sink| sink.forecast(&plan))));
    render(&plan, &mut sinks);
    assert_eq!(needs.files.len(), 2);
    for (path, size) in &needs.files {
        let written = u128::from(path.metadata().unwrap().len());
        assert!(written.abs_diff(*size) < 6000, "{}: {written} bytes, forecast {size}", path.display());
    }
    // Two channels of sound, and a filter; rows of 8 numbers and 2 pickups.
    let (sound, rows, pickups) = (8 * 5000 * 2, 8 * 7501 * 8, 8 * 15_001 * 2);
    assert!((sound..sound + 100_000).contains(&needs.memory), "{} {sound}", needs.memory);
    let npz = folder.join("x.npz");
    assert_eq!(needs.temporary, [(npz.clone(), rows), (npz.clone(), pickups)]);
    assert_eq!(on_disk.memory, needs.memory - sound);
    assert_eq!(on_disk.temporary, [(folder.join("x.wav"), sound), (npz.clone(), rows), (npz, pickups)]);
    assert_eq!(on_disk.files, needs.files);
}

/// A performance keeps the channels of its buses: two of one in stereo and one in mono, however many pickups there are.
#[test]
fn a_performance_keeps_its_channels_and_no_pickups() {
    let text = "hamiltone = 3\nrun.duration = \"1 s\"\nbody.fork = { kind = \"oscillator\", mass = \"2 g\", frequency = 440 }\n\
        bus.room.channels = \"mono\"\npickup.a.at = \"fork\"\npickup.b.at = \"fork\"\npickup.c.at = \"fork\"\npickup.d.at = \"fork\"\n\
        pickup.e = { at = \"fork\", bus = \"room\" }\n";
    let plan = Scene::new(text, "forks.toml", ".".as_ref(), &[]).plan().unwrap();
    let needs = forecast::performance(&plan, "x.wav".into());
    assert_eq!(needs.temporary, [("x.wav".into(), 8 * 3 * plan.frames as u128)]);
    assert_eq!((needs.memory, needs.files.len()), (0, 0));
}
