//! The scenes of what a player sustains, a bowed string, a clarinet and a trumpet, of strings on a ribbed board, and of a gong, which builds up.

use crate::{decay::amplitude, scene_values::rendered_with_warnings};
use std::f64::consts::TAU;

/// Helmholtz motion pulls at the bridge as a sawtooth does: partial n is 1/n of the first, within 1 dB up to the fifth, in both directions of the
/// bow. Lifted, the string rings and falls.
#[test]
fn a_bowed_string_pulls_as_a_sawtooth() {
    let (outcome, _) = rendered_with_warnings("bowed_string.toml", &["run.duration=2.6 s"]);
    let (samples, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
    let part = |from: f64| &samples[(from * rate) as usize..((from + 0.4) * rate) as usize];
    for from in [0.5, 1.5] {
        let near = |f: f64| (-40..=40).map(move |k| f * (1.0 + 1e-4 * f64::from(k)));
        let level = |f: f64| near(f).map(|f| amplitude(&samples, rate, f, from, 0.4)).fold(0.0, f64::max);
        let first = level(146.83);
        for n in 2..=5 {
            let off = 20.0 * (f64::from(n) * level(f64::from(n) * 146.83) / first).log10();
            assert!(off.abs() < 1.0, "{from} s: partial {n} is {off:+.2} dB from 1/{n}");
        }
    }
    let power = |from: f64| part(from).iter().map(|x| x * x).sum::<f64>();
    assert!(power(2.1) < 0.5 * power(1.5), "{} {}", power(2.1), power(1.5));
    assert!(outcome.audit.dissipated > 0.0 && outcome.audit.supplied > 0.0);
}

/// Torsion damps what is not periodic: with waves five times as fast as those of the string, of 1.8 times its impedance and Q = 35, this one slips once a
/// period from the 24th period on, and its second partial is half of the first; one that does not turn is not there by the 36th.
#[test]
fn torsion_damps_what_is_not_periodic() {
    let drawn = ["run.duration=0.3 s", "score.0.force=1.5 N", "score.1.speed=0.3 m/s", "score.1.ramp=75 ms"];
    let torsion = [
        "body.torsion.kind=string",
        "body.torsion.length=69 cm",
        "body.torsion.linear_density=0.9 g/m",
        "body.torsion.frequency=734 Hz",
        "body.torsion.modes=28",
        r#"body.torsion.loss={ t60 = [["734 Hz", "0.105 s"], ["20 kHz", "0.00385 s"]] }"#,
        "contact.bow.torsion=torsion@0.89",
    ];
    let second = |sets: &[&str], period: f64| {
        let (outcome, _) = rendered_with_warnings("bowed_string.toml", &[&drawn[..], sets].concat());
        let (samples, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
        let part = |f: f64| amplitude(&samples, rate, f, period / 146.6, 2.0 / 146.6);
        part(2.0 * 146.6) / part(146.6)
    };
    for (sets, period, settled) in
        [(&torsion[..], 25.0, true), (&torsion, 35.0, true), (&[], 25.0, false), (&[], 35.0, false)]
    {
        let second = second(sets, period);
        assert_eq!((second - 0.5).abs() < 0.02, settled, "period {period}: {second}");
    }
}

/// At the same speed the string swings wider where the bow is nearer to its end, in proportion to 1/β: the first partial of the force at the bridge, within 0.5 dB of
/// Helmholtz motion. A light finger at a third lets the partials sound that have a node there, and the others are 35 dB below them.
#[test]
fn a_bow_moves_and_a_finger_touches() {
    let (outcome, _) = rendered_with_warnings("moving_bow.toml", &[]);
    let (samples, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
    let level = |n: f64, from: f64| {
        let near = (-60..=60).map(|k| n * 146.83 * (1.0 + 1e-4 * f64::from(k)));
        let heard = near.map(|f| amplitude(&samples, rate, f, from, 0.3)).fold(0.0, f64::max);
        20.0 * heard.log10()
    };
    // The bow is at 0.17, then at 0.066 and 0.131 of the length from the end.
    for (from, beta) in [(2.1, 0.066), (3.6, 0.131), (5.8, 0.131)] {
        let wider = level(1.0, from) - level(1.0, 0.6);
        let expected = 20.0 * (0.17_f64 / beta).log10();
        assert!((wider - expected).abs() < 0.5, "{from} s: {wider} dB, expected {expected}");
    }
    let at = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|n| level(n, 4.7));
    let nodes = at[2].min(at[5]);
    assert!([0, 1, 3, 4].iter().all(|n| at[*n] < nodes - 35.0), "{at:?}");
    assert!(at[2] > level(3.0, 3.6) - 1.0, "{at:?}");
}

/// Eight times a second the bow is thrown on the string, drawn to either side by turns: notes that are alike, begin with the bow and die away after it. A hand
/// twice as fast turns the bow while it is on the string, which hardly sounds.
#[test]
fn a_bow_bounces() {
    let notes = |sets: &[&str]| {
        let sets = [&["run.duration=2 s", "output.level=reference"], sets].concat();
        let (outcome, _) = rendered_with_warnings("spiccato.toml", &sets);
        let (samples, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
        // The bow reaches the string at 1.0457 s, and every eighth of a second.
        let level = |from: f64| 20.0 * amplitude(&samples, rate, 293.66, from, 0.03).log10();
        [0, 1, 2, 3].map(|n| 1.0457 + 0.125 * f64::from(n)).map(|on| [level(on - 0.03), level(on + 0.03)])
    };
    let (thrown, turned) = (notes(&[]), notes(&["drive.draw.fundamental=8 Hz"]));
    for ([before, on], [_, scratched]) in thrown.into_iter().zip(turned) {
        assert!(on > before + 5.0 && on > scratched + 12.0, "{before} dB, {on} dB, {scratched} dB");
        assert!((on - thrown[0][1]).abs() < 3.0, "{thrown:?}");
    }
}

/// One stick presses two strings, beside a contact of its own.
#[test]
fn a_double_stop_bounces() {
    let second = [
        "run.duration=0.5 s",
        "body.upper.kind=string",
        "body.upper.length=32.5 cm",
        "body.upper.linear_density=0.7 g/m",
        "body.upper.pitch=A4",
        "body.upper.modes=40",
        "body.upper.loss={ d1 = \"30 1/s\", d3 = \"5e-4 m^2/s\" }",
        "contact.other.between=[\"upper@0.92\", \"ground\"]",
        "contact.other.law=elasto-plastic-bow",
        "contact.other.pressed_by=stick",
        "contact.other.hair_stiffness=400 N/m",
        "contact.stop.between=[\"stick\", \"ground\"]",
        "contact.stop.law=power",
        "contact.stop.stiffness=1e5 N/m",
        "contact.stop.exponent=1",
        "contact.stop.gap=1 mm",
    ];
    let (outcome, _) = rendered_with_warnings("spiccato.toml", &second);
    assert!(outcome.ok && outcome.audit.dissipated > 0.0, "{:?}", outcome.audit);
    assert!(outcome.contacts.iter().all(|contact| contact.whole.contacts >= 2), "{:?}", outcome.contacts);
}

/// Each string is tuned on its place of the board; a softer board takes its energy faster.
#[test]
fn strings_on_a_ribbed_board_are_in_tune() {
    let power = |samples: &[f64]| samples.iter().map(|x| x * x).sum::<f64>();
    let fall = |sets: &[&str]| {
        let sets = [&["run.duration=3 s"], sets].concat();
        let (outcome, _) = rendered_with_warnings("ribbed_board.toml", &sets);
        let samples = outcome.sound.channel(0).unwrap();
        let rate = outcome.sound.rate as usize;
        let late = &samples[rate..3 * rate / 2];
        for f in [261.63, 329.63, 392.0] {
            let near =
                |cents: f64| amplitude(&samples, outcome.sound.rate, f * (cents / 1200.0).exp2(), 1.0, 0.5);
            let best = (-20..=20).map(f64::from).max_by(|a, b| near(*a).total_cmp(&near(*b))).unwrap();
            assert!(best.abs() <= 3.0, "{f} Hz sounds {best} cents off");
        }
        power(&samples[5 * rate / 2..]) / power(late)
    };
    assert!(fall(&["body.board.ribs.height=4 mm"]) < fall(&[]));
}

/// The strongest frequency between two, in steps of 0.2 Hz, from a time on and so long (s).
fn strongest(samples: &[f64], rate: f64, between: [f64; 2], [from, time]: [f64; 2]) -> f64 {
    let count = ((between[1] - between[0]) / 0.2) as usize;
    let at = |k: &usize| amplitude(samples, rate, between[0] + 0.2 * *k as f64, from, time);
    between[0] + 0.2 * (0..count).max_by(|a, b| at(a).total_cmp(&at(b))).unwrap() as f64
}

fn level(samples: &[f64]) -> f64 {
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    (samples.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / samples.len() as f64).sqrt()
}

/// A reed on a cylinder: a note below the first peak of the impedance, with odd partials, that speaks within 0.1 s, also after the tongue;
/// blown harder it is louder, and at the end silent.
#[test]
fn a_clarinet_has_odd_partials() {
    let (outcome, _) = rendered_with_warnings("clarinet.toml", &[]);
    let (inside, rate) = (outcome.sound.channel(1).unwrap(), outcome.sound.rate);
    let part = |from: f64, time: f64| &inside[(from * rate) as usize..((from + time) * rate) as usize];
    let pitch = strongest(&inside, rate, [110.0, 140.0], [0.4, 0.45]);
    assert!((124.0..126.9).contains(&pitch), "{pitch} Hz");
    let partial = |n: f64| amplitude(&inside, rate, n * pitch, 0.4, 0.45);
    for even in [2.0, 4.0] {
        assert!(partial(even) < 0.1 * partial(even - 1.0), "partial {even}");
    }
    let held = level(part(0.6, 0.2));
    assert!(level(part(0.08, 0.02)) > 0.5 * held && level(part(1.13, 0.02)) > 0.5 * held, "it speaks late");
    assert!(level(part(1.0, 0.04)) < 0.3 * held && level(part(2.8, 0.2)) < 1e-3 * held, "it does not stop");
    assert!(level(part(2.2, 0.2)) > 1.3 * held, "{} {held}", level(part(2.2, 0.2)));
}

/// A reed that too much pressure holds shut is silent, and sounds again within 0.3 s of the pressure of a note.
#[test]
fn a_reed_that_was_shut_sounds_again() {
    for pressure in ["12 kPa", "20 kPa"] {
        let pressure = format!("score.4.pressure={pressure}");
        let shut = [pressure.as_str(), "score.4.time=1.2 s", "score.4.ramp=30 ms"];
        let back =
            ["score.5.time=1.8 s", "score.5.pressure=2.8 kPa", "score.5.ramp=50 ms", "run.duration=2.3 s"];
        let (outcome, _) = rendered_with_warnings("clarinet.toml", &[&shut[..], &back[..]].concat());
        let (inside, rate) = (outcome.sound.channel(1).unwrap(), outcome.sound.rate);
        let part = |from: f64| level(&inside[(from * rate) as usize..((from + 0.05) * rate) as usize]);
        assert!(part(1.7) < 0.01 * part(0.6) && part(2.1) > 0.9 * part(0.6), "{} {}", part(1.7), part(2.1));
    }
}

/// A jet at a pipe: half of the level is there after 0.05 s, pressure raises the pitch by 5 to 25 cents and then, beyond what the first register takes, by an octave; silent at
/// the end. Without an offset of the edge even partials are missing.
#[test]
fn a_recorder_is_overblown() {
    let note = |changes: &[&str]| {
        let (outcome, _) = rendered_with_warnings("recorder.toml", changes);
        (outcome.sound.channel(0).unwrap(), outcome.sound.rate)
    };
    let (sound, rate) = note(&[]);
    let part = |from: f64, time: f64| level(&sound[(from * rate) as usize..((from + time) * rate) as usize]);
    let soft = strongest(&sound, rate, [300.0, 380.0], [0.2, 0.3]);
    let loud = strongest(&sound, rate, [300.0, 380.0], [0.8, 0.3]);
    let octave = strongest(&sound, rate, [600.0, 760.0], [1.5, 0.4]);
    assert!((330.0..340.0).contains(&soft), "{soft} Hz");
    let cents = |above: f64, below: f64| 1200.0 * (above / below).log2();
    assert!((5.0..25.0).contains(&cents(loud, soft)), "{loud} Hz after {soft} Hz");
    assert!((cents(octave, loud) - 1200.0).abs() < 40.0, "{octave} Hz after {loud} Hz");
    assert!(part(0.04, 0.02) > 0.5 * part(0.2, 0.2), "it speaks late");
    assert!(part(2.3, 0.1) < 1e-3 * part(1.6, 0.3), "it does not stop");
    let partial = |sound: &[f64], n: f64| amplitude(sound, rate, n * soft, 0.2, 0.3);
    let (even, _) = note(&["contact.mouth.offset=0 mm", "run.duration=0.5 s"]);
    let [with, without] = [&sound, &even].map(|sound| partial(sound, 2.0) / partial(sound, 1.0));
    assert!(without < 0.02 && with > 10.0 * without, "{with} {without}");
}

/// A reed goes from bore to bore: three pitches within 4 cents; between them the level falls by 9 dB at most, and 0.15 s later it is that of the note.
#[test]
fn a_slur_goes_on() {
    let (outcome, _) = rendered_with_warnings("slurs.toml", &[]);
    let rate = outcome.sound.rate;
    let channels: Vec<Vec<f64>> = (0..3).map(|k| outcome.sound.channel(k).unwrap()).collect();
    let sound: Vec<f64> = (0..channels[0].len()).map(|n| channels.iter().map(|x| x[n]).sum()).collect();
    let part = |from: f64, time: f64| level(&sound[(from * rate) as usize..((from + time) * rate) as usize]);
    for (begin, wanted) in [(0.2, 130.81), (0.5, 174.61), (0.9, 261.63), (1.2, 130.81)] {
        let pitch = strongest(&sound, rate, [wanted - 6.0, wanted + 6.0], [begin + 0.1, 0.18]);
        let cents = 1200.0 * (pitch / wanted).log2();
        assert!(cents.abs() < 4.0, "{pitch} Hz for {wanted}");
        let levels = (0..14).map(|k| part(begin + 0.02 * f64::from(k), 0.02) / part(begin + 0.2, 0.08));
        let least = levels.fold(f64::INFINITY, f64::min);
        let late = part(begin + 0.15, 0.03) / part(begin + 0.2, 0.08);
        assert!(least > 0.35 && late > 0.8, "{wanted} Hz: {least}, {late}");
    }
}

/// Lips at a bore play above a peak of its impedance, here the fourth, 458.8 Hz, by 60 to 130 cents; half of the amplitude is there after 0.12 s.
#[test]
fn a_trumpet_plays_above_a_peak() {
    let (outcome, _) = rendered_with_warnings("trumpet.toml", &[]);
    let (outside, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
    let pitch = strongest(&outside, rate, [380.0, 560.0], [1.0, 0.5]);
    let cents = 1200.0 * (pitch / 458.8).log2();
    assert!((60.0..130.0).contains(&cents), "{pitch} Hz, {cents} cents above");
    let at = |time: f64| level(&outside[(time * rate) as usize..][..(0.01 * rate) as usize]);
    assert!(at(0.12) > 0.5 * at(1.0) && at(0.03) < 0.5 * at(1.0), "{} {} {}", at(0.03), at(0.12), at(1.0));
}

/// The root of the mean square of the frequency, Hz, from the differences of the samples between two times, s.
fn mean_frequency(samples: &[f64], rate: f64, (from, to): (f64, f64)) -> f64 {
    let part = &samples[(from * rate) as usize..(to * rate) as usize];
    let power: f64 = part.iter().map(|x| x * x).sum();
    let slopes: f64 = part.windows(2).map(|two| (two[1] - two[0]).powi(2)).sum();
    rate / TAU * (slopes / power).sqrt()
}

/// Struck hard a gong grows brighter while it sounds, as energy moves to its high modes: 0.2 s after the blow it is twice as bright as just
/// after it, and 8 times as bright as one that was struck softly. A linear plate has the same sound at any speed.
#[test]
fn a_gong_grows_brighter() {
    let brightness = |speed: &str| {
        let sets = [&format!("body.mallet.velocity={speed}"), "run.duration=300 ms"];
        let (outcome, _) = rendered_with_warnings("gong.toml", &sets);
        assert!(outcome.balance.is_exact());
        let (samples, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
        [(0.01, 0.02), (0.2, 0.3)].map(|part| mean_frequency(&samples, rate, part))
    };
    let [[_, soft], [blow, hard]] = ["0.1", "8"].map(brightness);
    println!("softly {soft:.0} Hz, hard {blow:.0} Hz, then {hard:.0} Hz");
    assert!(hard > 2.0 * blow && hard > 8.0 * soft, "{soft} {blow} {hard}");
}

/// A cymbal crashes: 100 ms after the blow it is more than twice as bright as just after it, and the highest of its modes have no part in it.
#[test]
fn a_cymbal_crashes() {
    let (outcome, _) = rendered_with_warnings("crash_cymbal.toml", &["run.duration=150 ms"]);
    assert!(outcome.balance.is_exact() && outcome.ok && outcome.cascades[0].holds());
    let (samples, rate) = (outcome.sound.channel(0).unwrap(), outcome.sound.rate);
    let [knock, crash] = [(0.0, 0.01), (0.1, 0.15)].map(|part| mean_frequency(&samples, rate, part));
    println!("{knock:.0} Hz, then {crash:.0} Hz");
    assert!(crash > 2.0 * knock, "{knock} {crash}");
}

/// The stick meets one head alone: what the other does comes through the air between them, less of it the more air there is. It throws its wires
/// off, which fall back several times.
#[test]
fn a_snare_drum_rattles_through_its_air() {
    let levels = |volume: &str| {
        let sets = [&format!("cavity.air.volume={volume}"), "run.duration=150 ms"];
        let (outcome, _) = rendered_with_warnings("snare_drum.toml", &sets);
        assert!(outcome.balance.is_exact() && outcome.ok);
        let level = |channel: usize| -> f64 {
            outcome.sound.channel(channel).unwrap().iter().map(|v| v * v).sum::<f64>()
        };
        (10.0 * (level(1) / level(0)).log10(), outcome.contacts[1].whole.contacts)
    };
    let [(near, rattles), (far, _)] = ["0.0139", "10"].map(levels);
    println!(
        "snare head {near:.1} dB of the batter head, with much air {far:.1} dB; {rattles} contacts of a wire"
    );
    assert!(near > far + 20.0 && near > -15.0 && rattles > 3, "{near} {far} {rattles}");
}

/// The pluck of a steel string raises its tension by a few parts in a hundred, which come down with the amplitude; the bend by two semitones raises it by a quarter,
/// 2^(1/3) − 1, and takes work that no pluck has given.
#[test]
fn a_steel_string_is_sharp_at_first_and_bends() {
    let (outcome, _) = rendered_with_warnings("steel_string.toml", &["run.duration=2.3 s"]);
    assert!(outcome.balance.is_exact() && outcome.ok);
    let (tension, rate) = (outcome.sound.channel(1).unwrap(), outcome.sound.rate);
    let mean = |from: f64| {
        let part = &tension[(from * rate) as usize..][..(0.1 * rate) as usize];
        part.iter().sum::<f64>() / part.len() as f64
    };
    let [pluck, later, bent] = [0.0, 1.3, 2.0].map(mean);
    println!("{pluck:.3} N, {later:.3} N, bent {bent:.3} N");
    // G3 of 0.216 mm of steel over 0.648 m has 74 N.
    assert!(pluck > 1.0 && later < 0.2 * pluck, "{pluck} {later}");
    assert!((bent / 74.0 - (2_f64.powf(1.0 / 3.0) - 1.0)).abs() < 0.01, "{bent}");
    assert!(outcome.audit.supplied != 0.0 && outcome.stretched[0].ratio < 0.1, "{:?}", outcome.stretched);
}

/// The force along the string on the bridge has a part that grows with the square of the blow: four times as fast, the level of what only longitudinal modes make rises by 24 dB,
/// that of the transverse force by 12 dB, within what the felt's own curve and longer contact of the softer blow make of it.
#[test]
fn phantom_partials_grow_with_the_square_of_the_blow() {
    let levels = |speed: &str| {
        let sets = [&format!("body.hammer.velocity={speed}"), "run.duration=600 ms"];
        let (outcome, _) = rendered_with_warnings("phantom_partials.toml", &sets);
        assert!(outcome.balance.is_exact() && outcome.ok);
        [0, 1].map(|channel| {
            let sound = outcome.sound.channel(channel).unwrap();
            let part = &sound[sound.len() / 2..];
            // The swing about its mean: the tension is higher all the time.
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            10.0 * part.iter().map(|x| (x - mean).powi(2)).sum::<f64>().log10()
        })
    };
    let [soft, hard] = ["1", "4"].map(levels);
    let [across, along] = [0, 1].map(|channel| hard[channel] - soft[channel]);
    println!("{across:.1} dB across, {along:.1} dB along");
    assert!((10.0..16.0).contains(&across) && along > 1.7 * across, "{across} {along}");
}
