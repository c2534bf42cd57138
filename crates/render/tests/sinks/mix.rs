//! The channels of files: level, pan, buses, AC coupling, fade, and FLAC beside WAV.

use super::reed::{folder, plucked, render};
use hamiltone_plan::{BusPlan, Channels, Level, Plan, SampleFormat, output::stereo};
use hamiltone_render::{
    Outcome, RunError, Sink, Sound, run,
    sinks::{
        flac::{self, Flac},
        wav::{self, Wav},
    },
};
use hamiltone_scene::Scene;
use std::{fs, io::Cursor};

/// A tone of 440 Hz that decays little, of an oscillator that is struck, and what is added.
fn struck(velocity: f64, more: &str) -> Plan {
    let text = format!(
        "hamiltone = 2\nrun.duration = \"0.2 s\"\n\
         body.fork = {{ kind = \"oscillator\", mass = \"2 g\", frequency = 440, velocity = {velocity} }}\n{more}"
    );
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().unwrap()
}

const FORK: &str = "[pickup.p]\nat = \"fork\"\nquantity = \"velocity\"\n";

/// The channels of a bus.
fn channels(sound: &Sound, bus: usize) -> Vec<Vec<f64>> {
    let mut channels = vec![Vec::new(); sound.mix.buses[bus].channels.len()];
    let read = sound.mixed(sound.frames(), |number, row| {
        let row = if number == bus { row } else { &[] };
        channels.iter_mut().zip(row).for_each(|(channel, y)| channel.push(*y));
        Ok::<(), hamiltone_render::SinkError>(())
    });
    read.unwrap();
    channels
}

fn power(samples: &[f64]) -> f64 {
    samples.iter().map(|y| y * y).sum()
}

fn peak(samples: &[f64]) -> f64 {
    samples.iter().fold(0.0, |peak, y| peak.max(y.abs()))
}

/// The system is linear: all samples double, up to roundings, and 20 log₁₀ 2 = 6.0206. A peak level hides it.
#[test]
fn a_strike_at_twice_the_speed_is_6_db_louder() {
    let level = |velocity, more: &str| {
        let outcome = render(&struck(velocity, &format!("{FORK}{more}")), &mut []);
        outcome.sound.mix.buses[0].peak_dbfs()
    };
    assert!((level(2.0, "") - level(1.0, "") - 6.0206).abs() < 1e-4);
    // 1 m/s is 20 dB below the full scale of 10 m/s, and each side of the centre 3.01 dB less.
    assert!((level(1.0, "") + 23.0103).abs() < 0.01, "{}", level(1.0, ""));
    assert!((level(1.0, "[output]\nlevel = \"reference -4 dB\"\n") + 27.0103).abs() < 0.01);
    assert!((level(1.0, "gain = 6\n[bus.main]\ngain = -1\n") + 18.0103).abs() < 0.01);
    let peaks = [1.0, 2.0].map(|velocity| level(velocity, "[output]\nlevel = \"peak -1 dBFS\"\n"));
    assert!(peaks.iter().all(|peak| (peak + 1.0).abs() < 1e-9), "{peaks:?}");
}

/// The power of both channels together does not depend on the pan, and their ratio is that of the law.
#[test]
fn pan_keeps_the_power_of_the_sound() {
    let both = |pan: f64| channels(&render(&struck(1.0, &format!("{FORK}pan = {pan}\n")), &mut []).sound, 0);
    let centre = both(0.0);
    assert_eq!(centre[0], centre[1]);
    for pan in [-1.0, -0.4, 0.25, 1.0] {
        let [left, right] = [0, 1].map(|side| power(&both(pan)[side]));
        let all = power(&centre[0]) + power(&centre[1]);
        assert!(((left + right) / all - 1.0).abs() < 1e-12, "{pan}");
        assert!((right / all - stereo(pan)[1].powi(2)).abs() < 1e-12, "{pan}");
    }
}

/// m(t) = 1 − d (1 − cos 2πft)/2 of every sample, beside the same sound without it; a depth of 0 leaves the bits.
#[test]
fn a_tremolo_multiplies_the_sound_by_its_gain() {
    let sound = |more: &str| {
        let outcome = render(&struck(1.0, &format!("{FORK}pan = -1\n{more}")), &mut []);
        (channels(&outcome.sound, 0).remove(0), outcome.sound.mix.buses[0].peak)
    };
    let ((steady, _), (none, _)) = (sound(""), sound("tremolo = { rate = \"7 Hz\", depth = 0 }\n"));
    assert!(steady.iter().zip(&none).all(|(x, y)| x.to_bits() == y.to_bits()));
    let (heard, stated) = sound("tremolo = { rate = \"7 Hz\", depth = 0.8 }\n");
    assert_eq!(heard.len(), steady.len());
    for (n, (x, y)) in steady.iter().zip(&heard).enumerate() {
        let gain = 1.0 - 0.4 * (1.0 - (std::f64::consts::TAU * 7.0 * n as f64 / 44_100.0).cos());
        // The phase below 2π·1.4 has an error of 3 eps of it, and the gain and the product some eps.
        assert!((y - x * gain).abs() <= 32.0 * f64::EPSILON * x.abs(), "{n}: {x} {y} {gain}");
    }
    // The lowest gain, 0.2 at 1/14 s = 3150 samples; 100 samples beside it 0.4 (2π·7·100/44100)²/2 = 2·10⁻³ more.
    let loudest = |sound: &[f64]| peak(&sound[3050..3250]);
    assert!((loudest(&heard) / loudest(&steady) - 0.2).abs() < 2.1e-3);
    assert_eq!(stated, peak(&heard));
}

/// Two pickups of different units in one mix, one in a bus of its own, one muted: each is where it belongs.
#[test]
fn buses_add_their_pickups_relative_to_full_scale() {
    let more = "bus.dry.channels = \"mono\"\n[pickup.x]\nat = \"fork\"\ngain = \"12 dB\"\n\
        [pickup.v]\nat = \"fork\"\nquantity = \"velocity\"\n[pickup.own]\nat = \"fork\"\nbus = \"dry\"\n\
        [pickup.mute]\nat = \"fork\"\nbus = \"none\"\n[output]\nfade = 0\nchannels = \"mono\"\n";
    let outcome = render(&struck(1.0, more), &mut []);
    let sound = &outcome.sound;
    let [x, v] = [0, 1].map(|pickup| sound.channel(pickup).unwrap());
    let gain = 10_f64.powf(0.6) / 0.01;
    let sum: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x * gain + v / 10.0).collect();
    let main = channels(sound, 0).remove(0);
    // Three roundings of numbers below 1.
    assert!(main.iter().zip(&sum).all(|(y, sum)| (y - sum).abs() < 4.0 * f64::EPSILON));
    let dry = channels(sound, 1).remove(0);
    assert!(dry.iter().zip(&x).all(|(y, x)| (y - x / 0.01).abs() < 4.0 * f64::EPSILON));
    assert_eq!((sound.factors[3], sound.mix.buses.len()), (0.0, 2));
    // Normalised, the louder bus reaches the level and the other stays as far below it.
    let normal =
        render(&struck(1.0, &more.replace("fade = 0", "fade = 0\nlevel = \"peak -1 dBFS\"")), &mut []);
    let [a, b] = [&outcome, &normal].map(|outcome| {
        let buses = &outcome.sound.mix.buses;
        [buses[0].peak_dbfs(), buses[1].peak_dbfs()]
    });
    assert!((b[0].max(b[1]) + 1.0).abs() < 1e-9 && (b[0] - b[1] - (a[0] - a[1])).abs() < 1e-9, "{a:?} {b:?}");
    let largest = channels(&normal.sound, 0).iter().map(|y| peak(y)).fold(0.0, f64::max);
    assert!((largest / normal.sound.mix.buses[0].peak - 1.0).abs() < 1e-12);
}

const PLUCKED: &str = "hamiltone = 2\nrun.duration = \"0.5 s\"\n\
    drive.finger = { kind = \"pluck\", at = \"string@0.2\", height = \"3 mm\" }\n\
    pickup.bridge = { at = \"string@1\", quantity = \"force\" }\n[body.string]\nkind = \"string\"\nlength = \"0.65 m\"\n\
    linear_density = \"6.6 g/m\"\nfrequency = \"82.407 Hz\"\nloss = { t60 = [[\"80 Hz\", \"4 s\"], [\"3000 Hz\", \"0.8 s\"]] }\n";

/// A plucked string presses on its bridge before the note: that static force is not in the sound.
#[test]
fn a_force_pickup_starts_at_zero() {
    let text = |more: &str| format!("{PLUCKED}[output]\nchannels = \"mono\"\n{more}");
    let plan = |text: String| Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().unwrap();
    let path = folder("mix-force").join("x.wav");
    let coupled = render(&plan(text("")), &mut [&mut Wav::new(&path)]);
    let direct = render(&plan(text("").replace("\"force\"", "\"force\", ac_coupling = 0")), &mut []);
    assert!(coupled.ok);
    let reader = hound::WavReader::open(&path).unwrap();
    let stored: Vec<f64> =
        reader.into_samples::<i32>().map(|x| f64::from(x.unwrap()) / 8_388_607.0).collect();
    assert!(stored[0].abs() < 1e-3, "{}", stored[0]);
    let [y, x] = [&coupled, &direct].map(|outcome| channels(&outcome.sound, 0).remove(0));
    let static_part = x[0];
    assert!(static_part.abs() > 0.02 && y[0] == 0.0, "{static_part} {}", y[0]);
    // States and report have the pickup as it is.
    assert_eq!(coupled.sound.channel(0).unwrap(), direct.sound.channel(0).unwrap());
    // The partials of the last quarter second, all above 80 Hz, keep their power but for |H|² ≥ 1/(1 + (5/80)²).
    let ac = |samples: &[f64]| {
        let tail = &samples[samples.len() / 2..samples.len() - 2000];
        let mean = tail.iter().sum::<f64>() / tail.len() as f64;
        power(&tail.iter().map(|y| y - mean).collect::<Vec<f64>>())
    };
    let db = 10.0 * (ac(&y) / ac(&x)).log10();
    assert!(db.abs() < 0.3, "{db}");
}

/// ½(1 + cos(πj/N)) of the samples without a fade, 0 in the end.
#[test]
fn the_end_fades_out() {
    let with = |fade: &str| {
        let more = format!("{FORK}[output]\nchannels = \"mono\"\n{fade}");
        channels(&render(&struck(1.0, &more), &mut []).sound, 0).remove(0)
    };
    let (plain, faded) = (with("fade = 0\n"), with(""));
    let begin = faded.len() - 882;
    assert_eq!(plain[..begin], faded[..begin]);
    for (i, (x, y)) in plain[begin..].iter().zip(&faded[begin..]).enumerate() {
        let fade = 0.5 * (1.0 + (std::f64::consts::PI * (i + 1) as f64 / 882.0).cos());
        assert!((y - x * fade).abs() < 1e-15, "{i}");
    }
    assert_eq!(faded.last(), Some(&0.0));
    // As long as the sound and longer: all of it.
    let all = with("fade = \"1 s\"\n");
    assert!(all[1].abs() < plain[1].abs() && all.last() == Some(&0.0));
}

#[test]
fn levels_beyond_full_scale_and_quiet_ones_are_told_with_what_to_write() {
    let warned =
        |velocity, more: &str| -> Outcome { render(&struck(velocity, &format!("{FORK}{more}")), &mut []) };
    let loud = warned(40.0, "");
    let says = |outcome: &Outcome, what: &str| outcome.warnings.iter().any(|warning| warning.contains(what));
    // 40 m/s are 12.04 dB above 10 m/s, 9.03 dB on each side.
    assert!(says(&loud, "bus `main` exceeds full scale by 9.0 dB"), "{:?}", loud.warnings);
    assert!(
        says(&loud, "samples are clipped; write level = \"reference -10 dB\" in [output]"),
        "{:?}",
        loud.warnings
    );
    assert!(loud.sound.clipped() > 100);
    let fixed = warned(40.0, "[output]\nlevel = \"reference -10 dB\"\n");
    assert!(!says(&fixed, "bus `main`") && fixed.sound.clipped() == 0, "{:?}", fixed.warnings);
    let float = warned(40.0, "[output]\nformat = \"32-bit float\"\n");
    assert!(says(&float, "players will clip it") && float.sound.clipped() == 0, "{:?}", float.warnings);
    let quiet = warned(1e-4, "");
    assert!(says(&quiet, "bus `main` is quiet: its peak is -103.0 dBFS"), "{:?}", quiet.warnings);
    let gain = warned(40.0, "[output]\nlevel = \"gain 0 dB\"\n");
    assert!(says(&gain, "write level = \"gain -30 dB\""), "{:?}", gain.warnings);
}

/// The samples of a FLAC stream, in their order.
fn decoded(bytes: &[u8]) -> (claxon::metadata::StreamInfo, Vec<i32>) {
    let mut reader = claxon::FlacReader::new(Cursor::new(bytes)).unwrap();
    (reader.streaminfo(), reader.samples().map(Result::unwrap).collect())
}

/// The integers of both files are the same: quiet, loud and clipped sounds, silence, several channels, part blocks.
#[test]
fn flac_holds_the_integers_of_wav() {
    let noise = |i: usize| (i as f64 * 12.9898).sin() * 43_758.545_3 % 1.0;
    for format in [SampleFormat::Int16, SampleFormat::Int24] {
        for (channels, frames, rate) in [
            (1, 1, 44_100.0),
            (1, 4096, 44_101.0),
            (2, 9000, 48_000.0),
            (3, 4100, 192_000.0),
            (8, 17, 655_349.0),
        ] {
            for factor in [0.0, 1e-4, 0.3, 1.0, 3.0] {
                let samples: Vec<f64> =
                    (0..channels * frames).map(|i| noise(i) * (0.5 + (i as f64 * 0.01).sin())).collect();
                let sound = Sound::separate(rate, samples, vec![factor; channels]);
                let (mut wav, mut flac) = (Vec::new(), Cursor::new(Vec::new()));
                wav::write(&mut wav, &sound, 0, format).unwrap();
                flac::write(&mut flac, &sound, 0, format).unwrap();
                let (info, samples) = decoded(flac.get_ref());
                let stored: Vec<i32> =
                    hound::WavReader::new(&*wav).unwrap().into_samples().map(Result::unwrap).collect();
                assert!(samples == stored, "{format:?} {channels} {frames} {factor}");
                assert_eq!((info.sample_rate, info.channels), (rate as u32, channels as u32));
                assert_eq!(
                    (info.samples, info.bits_per_sample),
                    (Some(frames as u64), 8 * format.bytes() as u32)
                );
                assert_eq!(info.md5sum[..], md5(&stored, format.bytes()));
                // Noise does not become shorter, and hardly longer.
                assert!(flac.get_ref().len() < wav.len() + 100, "{} {}", flac.get_ref().len(), wav.len());
            }
        }
    }
}

/// Of the samples as little-endian integers of so many bytes.
fn md5(samples: &[i32], bytes: usize) -> Vec<u8> {
    use md5::{Digest, Md5};
    let bytes = samples.iter().flat_map(|x| x.to_le_bytes()[..bytes].to_vec());
    Md5::digest(bytes.collect::<Vec<u8>>()).to_vec()
}

/// Both sinks in one run; the forecast bounds the size; a tone in the centre of a stereo file takes little of the second channel.
#[test]
fn a_run_writes_flac_as_it_writes_wav() {
    let folder = folder("mix-flac");
    let plan = struck(1.0, FORK);
    let (mut wav, mut flac) = (Wav::new(folder.join("x.wav")), Flac::new(folder.join("x.flac")));
    let forecast = flac.forecast(&plan).files[0].1;
    render(&plan, &mut [&mut wav, &mut flac]);
    let [wav, flac] = ["x.wav", "x.flac"].map(|name| fs::read(folder.join(name)).unwrap());
    let stored: Vec<i32> = hound::WavReader::new(&*wav).unwrap().into_samples().map(Result::unwrap).collect();
    assert!(decoded(&flac).1 == stored);
    assert!(
        (flac.len() as u128) < forecast && flac.len() * 10 < wav.len() * 6,
        "{} {}",
        flac.len(),
        wav.len()
    );
}

#[test]
fn what_flac_cannot_store_is_refused_before_the_run() {
    let path = folder("mix-refused").join("x.flac");
    let refused = |plan: &Plan| match run(plan, &mut [&mut Flac::new(&path)], &mut |_, _| panic!("it ran")) {
        Err(RunError::Sink(error)) => error.to_string(),
        _ => panic!("it was not refused"),
    };
    let mut plan = plucked(100, 1);
    plan.output.format = SampleFormat::Float32;
    assert!(
        refused(&plan).contains("write format = \"24-bit\" in [output], or write a WAV file"),
        "{}",
        refused(&plan)
    );
    plan.output.format = SampleFormat::Int24;
    plan.sample_rate = 2e6;
    assert!(refused(&plan).contains("sample rates of 1 to 1048575 Hz"));
    plan.sample_rate = 44_100.0;
    let more: String = (0..9).map(|i| format!("[pickup.p{i}]\nat = \"fork\"\n")).collect();
    let many = struck(1.0, &format!("{more}[output]\nchannels = \"pickups\"\n"));
    assert!(refused(&many).contains("at most 8 channels, not 9: write channels = \"stereo\""));
    plan.output.buses = vec![BusPlan { name: "main".into(), channels: Channels::Mono, gain: 0.0 }];
    plan.output.level = Level::Reference(0.0);
    render(&plan, &mut [&mut Flac::new(&path)]);
}
