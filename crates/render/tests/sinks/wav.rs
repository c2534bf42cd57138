//! WAV files, read back by `hound` where it can and byte by byte where it cannot.

use super::reed::{folder, plucked, render, scaled};
use hamiltone_plan::{Level, SampleFormat};
use hamiltone_render::{
    RunError, run,
    sinks::wav::{self, Wav},
    sound::Sound,
};
use hamiltone_scene::Scene;
use std::fs;

fn written(format: SampleFormat) -> (Vec<u8>, Sound) {
    let path = folder(&format!("wav-{format:?}")).join("reed.wav");
    let mut plan = plucked(301, 1);
    plan.output.format = format;
    let sound = render(&plan, &mut [&mut Wav::new(&path)]).sound;
    (fs::read(path).unwrap(), sound)
}

#[test]
fn integers_come_back_within_their_dither() {
    for (format, bits) in [(SampleFormat::Int16, 16), (SampleFormat::Int24, 24)] {
        let (bytes, sound) = written(format);
        let reader = hound::WavReader::new(bytes.as_slice()).unwrap();
        let spec = reader.spec();
        assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (2, 44_100, bits));
        let full = f64::from((1 << (bits - 1)) - 1);
        let samples: Vec<f64> = reader.into_samples::<i32>().map(|x| f64::from(x.unwrap())).collect();
        assert_eq!(samples.len(), 602);
        // Dither reaches one step, rounding half a step.
        let exact = scaled(&sound).into_iter().map(|x| x * full);
        assert!(samples.iter().zip(exact).all(|(a, b)| (a - b).abs() <= 1.5));
        let peak = samples.iter().fold(0.0_f64, |a, x| a.max(x.abs())) / full;
        assert!((20.0 * peak.log10() + 1.0).abs() < 1e-3);
    }
}

#[test]
fn floats_come_back_to_the_bit() {
    let (bytes, sound) = written(SampleFormat::Float32);
    let reader = hound::WavReader::new(bytes.as_slice()).unwrap();
    assert_eq!(reader.spec().sample_format, hound::SampleFormat::Float);
    let samples: Vec<f32> = reader.into_samples::<f32>().map(Result::unwrap).collect();
    assert!(samples.iter().zip(scaled(&sound)).all(|(a, x)| *a == x as f32));
    assert_eq!(samples.len(), 602);

    let (bytes, sound) = written(SampleFormat::Float64);
    assert_eq!(u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize + 8, bytes.len());
    assert_eq!(
        (&bytes[8..16], &bytes[20..22], &bytes[34..36]),
        (&b"WAVEfmt "[..], &[3, 0][..], &[64, 0][..])
    );
    assert_eq!((&bytes[38..42], &bytes[50..54]), (&b"fact"[..], &b"data"[..]));
    let samples: Vec<f64> =
        bytes[58..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    assert!(samples.iter().zip(scaled(&sound)).all(|(a, x)| *a == x));
    assert_eq!(samples.len(), 602);
}

#[test]
fn many_channels_and_odd_sizes_follow_the_standard() {
    let sound = Sound::separate(48_000.0, vec![0.25; 9], vec![1.0; 3]);
    for format in [SampleFormat::Int16, SampleFormat::Int24, SampleFormat::Float32] {
        let mut bytes = Vec::new();
        wav::write(&mut bytes, &sound, 0, format).unwrap();
        assert_eq!(bytes[20..22], [0xfe, 0xff]);
        assert_eq!(u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize + 8, bytes.len());
        assert_eq!(bytes.len() % 2, 0);
        assert_eq!(hound::WavReader::new(bytes.as_slice()).unwrap().duration(), 3);
    }
}

/// What a sink writes as 64-bit floats a drive reads to the last bit, in both forms of the header.
#[test]
fn a_drive_reads_what_was_written_to_the_bit() {
    let folder = folder("wav-drive");
    let samples = [0.1, -1e-300, 5.0, 0.3, 0.2, -7.25];
    // A power of two: the times of samples are exact, and the interpolation meets them.
    let rate = 8192.0;
    for channels in [1, 3] {
        let sound = Sound::separate(rate, samples.to_vec(), vec![1.0; channels]);
        let mut bytes = Vec::new();
        wav::write(&mut bytes, &sound, 0, SampleFormat::Float64).unwrap();
        fs::write(folder.join("force.wav"), bytes).unwrap();
        let text = format!(
            "hamiltone = 1\n[run]\nscheme = \"ec\"\nduration = \"1 ms\"\n[body.mass]\nkind = \"mass\"\nmass = 1\n\
             [drive.force]\nat = \"mass\"\nkind = \"wav\"\nfile = \"force.wav\"\nchannel = {channels}\n\
             [pickup.left]\nat = \"mass\"\n"
        );
        let plan = Scene::new(&text, "x.toml", &folder, &[]).plan().unwrap();
        let last_channel = samples.iter().skip(channels - 1).step_by(channels);
        for (i, x) in last_channel.enumerate() {
            assert_eq!(plan.drives[0].signal.value(i as f64 / rate), *x);
        }
    }
}

#[test]
fn too_loud_saturates_and_silence_has_no_dither() {
    let path = folder("wav-clip").join("reed.wav");
    let mut plan = plucked(301, 1);
    plan.output.level = Level::Gain(60.0);
    render(&plan, &mut [&mut Wav::new(&path)]);
    let samples: Vec<i16> =
        hound::WavReader::open(&path).unwrap().into_samples().map(Result::unwrap).collect();
    assert!(samples.contains(&i16::MAX) && samples.iter().any(|x| *x < -i16::MAX + 1));

    plan.system.initial.position[0] = 0.0;
    render(&plan, &mut [&mut Wav::new(&path)]);
    let samples: Vec<i16> =
        hound::WavReader::open(&path).unwrap().into_samples().map(Result::unwrap).collect();
    assert!(samples.len() == 602 && samples.iter().all(|x| *x == 0));
}

#[test]
fn files_that_cannot_be_written_are_refused_before_the_run() {
    let folder = folder("wav-refused");
    let mut plan = plucked(100, 1);
    let refused =
        |plan: &_, path: &std::path::Path| match run(plan, &mut [&mut Wav::new(path)], &mut |_, _| {
            panic!("it ran")
        }) {
            Err(RunError::Sink(error)) => error.to_string(),
            _ => panic!("it was not refused"),
        };
    assert!(refused(&plan, &folder.join("missing/reed.wav")).contains("missing/reed.wav"));
    assert!(refused(&plan, &folder).contains("folder"));
    plan.pickups.clear();
    plan.system.outputs.clear();
    assert!(refused(&plan, &folder.join("reed.wav")).contains("no pickup"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn every_nan_is_stored_with_the_same_bits() {
    for format in [SampleFormat::Float32, SampleFormat::Float64] {
        let bytes = [0xfff8_0000_0000_0000, 0x7ff8_0000_0000_0007].map(|bits| {
            let sound = Sound::separate(44_100.0, vec![0.5, f64::from_bits(bits)], vec![1.0]);
            let mut bytes = Vec::new();
            wav::write(&mut bytes, &sound, 0, format).unwrap();
            bytes
        });
        assert!(bytes[0] == bytes[1], "{format:?}");
    }
}
