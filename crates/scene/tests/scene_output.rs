//! Buses, pan, gain, level, AC coupling and fade of a scene: their defaults in each format, and mistakes.

use hamiltone_plan::{Channels, Level, OutputPlan, PickupMix, SampleFormat};
use hamiltone_scene::{Limits, Plan, Scene};

/// A mass and a string with a pickup each, and what is added.
fn read(format: u8, more: &str) -> Result<Plan, String> {
    let text = format!(
        "hamiltone = {format}\nrun = {{ scheme = \"ec\", duration = \"10 ms\" }}\n\
         body.mass = {{ kind = \"oscillator\", mass = 1, frequency = 440, velocity = 1 }}\n\
         [body.string]\nkind = \"string\"\nlength = 1\nlinear_density = 0.005\nfrequency = 100\nintervals = 20\n{more}"
    );
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().map_err(|problems| problems.to_string())
}

fn plan(format: u8, more: &str) -> Plan {
    read(format, more).unwrap_or_else(|problems| panic!("{problems}"))
}

const BOTH: &str = "[pickup.m]\nat = \"mass\"\n[pickup.s]\nat = \"string@1\"\nquantity = \"force\"\n";

#[test]
fn the_defaults_of_the_formats() {
    let one = plan(1, BOTH);
    assert_eq!((one.output.level, one.output.fade), (Level::Peak(-1.0), 0.0));
    assert_eq!((one.output.buses.len(), one.output.buses[0].channels), (1, Channels::Pickups));
    assert!(one.pickups.iter().all(|pickup| pickup.mix.ac_coupling == 0.0));
    assert_eq!(one.channels(0), 2);

    let two = plan(2, BOTH);
    assert_eq!((two.output.level, two.output.fade), (Level::Reference(0.0), 0.02));
    assert_eq!(two.output.format, SampleFormat::Int24);
    assert_eq!((two.output.buses.len(), two.output.buses[0].channels), (1, Channels::Stereo));
    let mix = |i: usize| two.pickups[i].mix;
    assert_eq!(
        mix(0),
        PickupMix { gain: 0.0, pan: -1.0, bus: Some(0), ac_coupling: 0.0, tremolo: None, magnet: None }
    );
    assert_eq!(
        mix(1),
        PickupMix { gain: 0.0, pan: 1.0, bus: Some(0), ac_coupling: 5.0, tremolo: None, magnet: None }
    );
    let one_pickup = plan(2, "[pickup.m]\nat = \"mass\"\n");
    assert_eq!((one_pickup.pickups[0].mix.pan, one_pickup.channels(0)), (0.0, 2));

    // Format 3 has another level alone; one that is stated is the same in every format.
    let three = plan(3, BOTH);
    assert_eq!((three.output.level, three.output.is_level_stated), (Level::Normalised(-6.0), false));
    assert_eq!(OutputPlan { level: two.output.level, ..three.output.clone() }, two.output);
    assert!(three.pickups.iter().zip(&two.pickups).all(|(three, two)| three.mix == two.mix));
    for level in ["reference", "reference -3 dB", "peak -6 dBFS", "gain 20 dB", "raw"] {
        let stated = format!("{BOTH}[output]\nlevel = \"{level}\"\nchannels = \"pickups\"\n");
        let (three, two) = (plan(3, &stated), plan(2, &stated));
        assert_eq!(three.output, two.output, "{level}");
        assert_eq!(three.output.clone().comparable(), three.output, "{level}");
    }
    // What is compared is at the reference level, in every format.
    for format in 1..=3 {
        assert_eq!(plan(format, BOTH).output.comparable().level, Level::Reference(0.0), "{format}");
    }

    // What is raw is as it is, unless something is asked for.
    let raw = plan(2, &format!("{BOTH}[output]\nlevel = \"raw\"\n"));
    assert_eq!((raw.output.buses[0].channels, raw.output.fade), (Channels::Pickups, 0.0));
    assert_eq!(raw.pickups[1].mix.ac_coupling, 0.0);
    let asked =
        plan(2, &format!("{BOTH}ac_coupling = \"20 Hz\"\n[output]\nlevel = \"raw\"\nfade = \"5 ms\"\n"));
    assert_eq!((asked.pickups[1].mix.ac_coupling, asked.output.fade), (20.0, 0.005));
    // Format 1 takes all the keys of format 2.
    let stereo = plan(1, &format!("{BOTH}[output]\nchannels = \"stereo\"\nlevel = \"reference -6 dB\"\n"));
    assert_eq!((stereo.channels(0), stereo.output.level), (2, Level::Reference(-6.0)));
}

#[test]
fn buses_are_files_and_the_first_is_main() {
    let more = "[bus.room]\nchannels = \"mono\"\ngain = \"-6 dB\"\n\
        [pickup.a]\nat = \"mass\"\nbus = \"room\"\n[pickup.b]\nat = \"mass\"\ngain = \"3 dB\"\n\
        [pickup.c]\nat = \"mass\"\nbus = \"none\"\n[pickup.d]\nat = \"mass\"\npan = 0.25\n\
        [output]\nfull_scale.displacement = \"5 mm\"\n";
    let two = plan(2, more);
    let buses: Vec<_> = two.output.buses.iter().map(|bus| (&*bus.name, bus.channels, bus.gain)).collect();
    assert_eq!(buses, [("main", Channels::Stereo, 0.0), ("room", Channels::Mono, -6.0)]);
    let mixes: Vec<_> = two.pickups.iter().map(|pickup| (pickup.mix.bus, pickup.mix.gain)).collect();
    assert_eq!(mixes, [(Some(1), 0.0), (Some(0), 3.0), (None, 0.0), (Some(0), 0.0)]);
    // The first of two is left, the second where it is put.
    assert_eq!((two.pickups[1].mix.pan, two.pickups[3].mix.pan), (-1.0, 0.25));
    assert_eq!((two.output.full_scale.of("m"), two.output.full_scale.of("N")), (0.005, 10.0));
    assert_eq!((two.channels(0), two.channels(1), two.channels(2)), (2, 1, 0));

    // Without a pickup in `main` another bus has the file that is asked for.
    let alone = plan(2, "[bus.room]\n[pickup.a]\nat = \"mass\"\nbus = \"room\"\n");
    assert_eq!((alone.output.buses.len(), &*alone.output.buses[0].name), (1, "room"));
    let unused = plan(2, &format!("[bus.room]\n{BOTH}"));
    assert!(
        unused.warnings.iter().any(|w| w.contains("bus `room`: no pickup is in it")),
        "{:?}",
        unused.warnings
    );
}

#[test]
fn mistakes_are_explained() {
    let pickup = |keys: &str| format!("[bus.room]\nchannels = \"mono\"\n{BOTH}{keys}");
    for (more, says) in [
        (
            pickup("bus = \"rom\""),
            "pickup `s`: there is no bus `rom`; did you mean `room`?, or add a section [bus.rom]",
        ),
        (pickup("pan = 1.5"), "`pan` is 1.5, but must be"),
        (pickup("gain = \"3 m\""), "`gain` is measured in dB, not in m; write \"3 dB\""),
        (pickup("gain = 300"), "`gain` is 300 dB, but must be ≥ -200 and ≤ 200 dB"),
        (pickup("ac_coupling = true"), "`ac_coupling` takes a number, not true or false"),
        (pickup("ac_coupling = \"2 kHz\""), "`ac_coupling` is 2 kHz, but must be"),
        (
            pickup("tremolo = { rate = \"60 Hz\", depth = 1 }"),
            "pickup `s`: `tremolo`: `rate` is 60 Hz, but must be ≥ 0.01 and ≤ 50 Hz",
        ),
        (
            pickup("tremolo = { rate = \"5 Hz\", depth = 1.2 }"),
            "pickup `s`: `tremolo`: `depth` is 1.2, but must be ≥ 0 and ≤ 1",
        ),
        (pickup("tremolo = { rate = \"5 Hz\" }"), "`tremolo.depth` is missing"),
        (pickup("tremolo = 0.5"), "`tremolo` takes a table, not"),
        (
            pickup("bus = \"room\"\npan = 0.5"),
            "`pan` has no effect: the bus `room` has one channel; leave it out, or write channels = \"stereo\"",
        ),
        (
            pickup("pan = 0.5\n[output]\nlevel = \"raw\""),
            "`pan` has no effect: the bus `main` has a channel for each pickup",
        ),
        (pickup("[output]\nfade = \"-1 s\""), "`fade` is -1 s, but must be"),
        (
            pickup("[output]\nchannels = \"quad\""),
            "`channels` is not `quad`; words that it takes: `stereo`, `mono`, `pickups`",
        ),
        (pickup("[output]\nfull_scale = { force = 0 }"), "`force` is 0 N, but must be ≥ 0.000000000001"),
        (pickup("[output]\nfull_scale = { weight = 1 }"), "there is no key `weight`"),
        (
            pickup("[output]\nlevel = \"gain 20 dB\"\nfull_scale = { force = 1 }"),
            "`full_scale` has no effect: the level is gain 20 dB",
        ),
        (
            pickup("[output]\nlevel = \"gain 20 dB\""),
            "the bus `main` adds pickups in m and in N, which the level (gain 20 dB) keeps as SI values; write level = \
             \"reference\" or channels = \"pickups\" in [output]",
        ),
        (pickup("[output]\nlevel = \"reference 3\""), "`level` is not \"reference 3\""),
        (pickup("[bus.none]"), "bus `none`: this name is reserved"),
        (pickup("[bus.failed]"), "bus `failed`: this name is reserved"),
        (
            "[pickup.m]\nat = \"mass\"\nbus = \"none\"".into(),
            "every pickup is muted: there is no sound to write",
        ),
    ] {
        let problems = read(2, &more).err().unwrap_or_else(|| panic!("accepted: {more}"));
        assert!(problems.contains(says), "{more}\n  said  {problems}\n  lacks {says}");
    }
}

/// A pickup that could not be read may be meant to be heard: nothing is said of the others.
#[test]
fn a_broken_pickup_mutes_nothing() {
    let more = "[pickup.broken]\nat = \"nothing\"\n[pickup.m]\nat = \"mass\"\nbus = \"none\"";
    let Err(problems) = read(2, more) else { panic!("accepted: {more}") };
    assert!(problems.contains("nothing") && !problems.contains("muted"), "{problems}");
}

/// Pickups and buses are counted before any is read; the first that is too many is named.
#[test]
fn pickups_and_buses_have_limits() {
    let text = format!(
        "hamiltone = 3\nrun = {{ scheme = \"ec\", duration = \"10 ms\" }}\n\
         body.mass = {{ kind = \"oscillator\", mass = 1, frequency = 440, velocity = 1 }}\n{}",
        (0..300)
            .map(|i| format!("[bus.b{i}]\n[pickup.p{i}]\nat = \"mass\"\nbus = \"b{i}\"\n"))
            .collect::<String>()
    );
    let read = |raised: &[&str]| {
        let mut limits = Limits::default();
        raised.iter().for_each(|limit| limits.raise(limit).unwrap());
        let scene = Scene::new(&text, "x.toml", ".".as_ref(), &[]).within(limits);
        scene.plan().map(|plan| plan.output.buses.len()).map_err(|problems| problems.to_string())
    };
    let wrong = read(&[]).unwrap_err();
    // Three lines above, and four for each of 200.
    assert!(wrong.contains("x.toml:804:6: the scene has buses: 300, but at most 200 are allowed"), "{wrong}");
    assert!(wrong.contains("--limit buses=300"), "{wrong}");
    let wrong = read(&["buses=300", "pickups=299"]).unwrap_err();
    assert!(
        wrong.contains("x.toml:1201:9: the scene has pickups: 300, but at most 299 are allowed"),
        "{wrong}"
    );
    assert_eq!(read(&["buses=300"]), Ok(300));
}
