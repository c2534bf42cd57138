//! What a run needs is known before it.

use crate::reed::{blown, folder, render};
use hamiltone_render::{
    Sink,
    forecast::forecast,
    sinks::{audit::AuditFile, states::States, wav::Wav},
};

/// Files are as large as was forecast, their headers aside; the memory is that of the numbers.
#[test]
fn files_have_the_sizes_that_were_forecast() {
    let folder = folder("forecast");
    let plan = blown(5000, 3);
    let mut wav = Wav::new(folder.join("x.wav"));
    let mut states = States::new(folder.join("x.npz"), Some(2), true);
    let mut audit = AuditFile::new(folder.join("x.json"));
    let mut sinks: [&mut dyn Sink; 3] = [&mut wav, &mut states, &mut audit];
    let needs = forecast(&plan, sinks.iter().map(|sink| sink.forecast(&plan)));
    render(&plan, &mut sinks);
    assert_eq!(needs.files.len(), 2);
    for (path, size) in &needs.files {
        let written = u128::from(path.metadata().unwrap().len());
        assert!(written.abs_diff(*size) < 6000, "{}: {written} bytes, forecast {size}", path.display());
    }
    // Rows of 8 numbers and 2 pickups, two channels of sound, and a filter.
    let numbers = 8 * (7501 * 8 + 15_001 * 2 + 5000 * 2);
    assert!((numbers..numbers + 100_000).contains(&needs.memory), "{} {numbers}", needs.memory);
}
