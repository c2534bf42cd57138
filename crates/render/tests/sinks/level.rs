//! The level of scenes that state none: normalised from format 3 on, above the noise floor.

use super::reed::{folder, render};
use hamiltone_plan::{Plan, SampleFormat, output::NOISE_FLOOR};
use hamiltone_render::{
    Outcome, loudness,
    sinks::{audit, wav},
};
use hamiltone_scene::Scene;

/// A decaying tone of 440 Hz of this velocity (m/s), and what is added.
fn struck(format: u8, velocity: f64, more: &str) -> Plan {
    let text = format!(
        "hamiltone = {format}\nrun.duration = \"0.2 s\"\n\
         body.fork = {{ kind = \"oscillator\", mass = \"2 g\", frequency = 440, velocity = {velocity:?} }}\n{more}"
    );
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().unwrap()
}

const FORK: &str = "[pickup.p]\nat = \"fork\"\nquantity = \"velocity\"\n";

/// The largest peak of all files, dBFS.
fn peak(outcome: &Outcome) -> f64 {
    20.0 * outcome.sound.mix.peak().log10()
}

/// Whether it is told that the sound is not normalised.
fn is_told(outcome: &Outcome) -> bool {
    outcome.warnings.iter().any(|warning| warning.contains("is not normalised: its peak is -139.4 dBFS"))
}

/// From a whisper to far above full scale the peak is −6 dBFS, to the roundings of two products; at the reference level of
/// format 2 it is where the motion puts it, −23 dBFS for 1 m/s in the centre.
#[test]
fn a_scene_without_a_level_is_normalised_from_format_3_on() {
    for velocity in [1e-5, 0.003, 1.0, 400.0] {
        let outcome = render(&struck(3, velocity, FORK), &mut []);
        assert!((peak(&outcome) + 6.0).abs() < 1e-12, "{velocity} m/s: {}", peak(&outcome));
        assert!(outcome.sound.clipped() == 0 && !is_told(&outcome), "{:?}", outcome.warnings);
    }
    assert!((peak(&render(&struck(2, 1.0, FORK), &mut [])) + 23.0103).abs() < 0.01);
}

/// One factor for all files: what they have at the reference level, they have relative to each other.
#[test]
fn files_of_a_normalised_scene_keep_their_relative_levels() {
    let more = "[bus.room]\nchannels = \"mono\"\ngain = \"-6 dB\"\n[pickup.p]\nat = \"fork\"\nquantity = \"velocity\"\n\
        [pickup.q]\nat = \"fork\"\nbus = \"room\"\n";
    let peaks = |format| {
        let outcome = render(&struck(format, 1.0, more), &mut []);
        outcome.sound.mix.buses.iter().map(|bus| bus.peak).collect::<Vec<f64>>()
    };
    let (reference, normalised) = (peaks(2), peaks(3));
    assert!(normalised.iter().any(|peak| (20.0 * peak.log10() + 6.0).abs() < 1e-12), "{normalised:?}");
    let ratios: Vec<f64> = normalised.iter().zip(&reference).map(|(to, from)| to / from).collect();
    // Both peaks are products of the same samples with the same two factors.
    assert!((ratios[0] / ratios[1] - 1.0).abs() < 8.0 * f64::EPSILON, "{ratios:?}");
    // Separate channels of two units have each its own.
    let separate = format!("{more}[output]\nchannels = \"pickups\"\n").replace("\"mono\"", "\"pickups\"");
    let outcome = render(&struck(3, 1.0, &separate), &mut []);
    assert!(outcome.sound.mix.buses.iter().all(|bus| (bus.peak_dbfs() + 6.0).abs() < 1e-12));
}

/// Silence stays silence, and what is below one step of 24 bits stays at the reference level: it may be rounding.
#[test]
fn what_is_below_the_noise_floor_is_not_amplified() {
    let silent = render(&struck(3, 0.0, FORK), &mut []);
    assert_eq!((silent.sound.mix.peak(), silent.sound.mix.is_normalised), (0.0, false));
    assert!(silent.warnings[0].contains("the sound is silent") && !is_told(&silent), "{:?}", silent.warnings);

    // 10 m/s is full scale, each side of the centre has 1/√2 of it; 1 % decays within a quarter of a period.
    let floor = 10.0 * NOISE_FLOOR * 2.0_f64.sqrt();
    let (below, above) =
        (render(&struck(3, 0.9 * floor, FORK), &mut []), render(&struck(3, 1.1 * floor, FORK), &mut []));
    assert!((peak(&above) + 6.0).abs() < 1e-12 && !is_told(&above));
    assert!(peak(&below) < -138.0, "{}", peak(&below));
    assert!(is_told(&below), "{:?}", below.warnings);
    // A level that is stated is kept.
    let stated = struck(3, 0.9 * floor, &format!("{FORK}[output]\nlevel = \"peak -6 dBFS\"\n"));
    assert!((peak(&render(&stated, &mut [])) + 6.0).abs() < 1e-12);
}

/// Every sample of a file of doubles is that of the reference level times one factor, up to the rounding of a product.
#[test]
fn formats_2_and_3_differ_by_one_factor() {
    let samples = |format| {
        let mut plan = struck(format, 1.0, FORK);
        plan.output.format = SampleFormat::Float64;
        let outcome = render(&plan, &mut []);
        let path = folder("level-factor").join(format!("{format}.wav"));
        let mut bytes = Vec::new();
        wav::write(&mut bytes, &outcome.sound, 0, SampleFormat::Float64).unwrap();
        std::fs::write(path, &bytes).unwrap();
        let body = &bytes[bytes.len() - 16 * outcome.sound.frames() as usize..];
        body.as_chunks::<8>().0.iter().map(|x| f64::from_le_bytes(*x)).collect::<Vec<f64>>()
    };
    let (two, three) = (samples(2), samples(3));
    let largest = |samples: &[f64]| samples.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let factor = largest(&three) / largest(&two);
    let same = |(a, b): (&f64, &f64)| (a * factor - b).abs() <= 4.0 * f64::EPSILON * b.abs();
    assert!(two.len() > 100 && two.iter().zip(&three).all(same));
}

/// Summary and audit say what was done and how to fix the level; a scene of format 2 is told of format 3 where its peak is
/// unusual and it states no level.
#[test]
fn the_level_is_told_with_the_way_to_fix_it() {
    let plan = struck(3, 1.0, FORK);
    let outcome = render(&plan, &mut []);
    let told = audit::json(&plan, &outcome)["output"]["level"].to_string();
    assert!(
        told.contains("normalised to −6 dBFS; output.level = \\\"reference\\\" keeps the loudness"),
        "{told}"
    );
    let next = |velocity, more: &str| {
        let plan = struck(2, velocity, &format!("{FORK}{more}"));
        loudness::of_next_format(&plan, &render(&plan, &mut []).sound)
    };
    assert_eq!(
        next(1.0, "").as_deref(),
        Some("the peak is −23.0 dBFS; with hamiltone = 3 it would be normalised to −6 dBFS")
    );
    assert!(next(100.0, "").is_some_and(|line| line.contains("is 17.0 dBFS")));
    assert_eq!(next(4.0, ""), None);
    assert_eq!(next(1.0, "[output]\nlevel = \"reference\"\n"), None);
    assert_eq!(next(0.0, ""), None);
}
