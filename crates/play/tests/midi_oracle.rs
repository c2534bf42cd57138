//! Random valid files read as the crate midly reads them: the same messages at the same ticks. Their times are computed here
//! a second time, from tick to tick.
//!
//! 1000 files, or as many as `HAMILTONE_FUZZ_CASES` says.

use crate::random::{Random, cases};
use hamiltone_play::{Action, midi};
use midly::{Format, MetaMessage, MidiMessage, Smf, Timing, TrackEvent, TrackEventKind};

/// A delta time, seldom long.
fn delta(random: &mut Random, bytes: &mut Vec<u8>) {
    match random.below(20) {
        0 => bytes.extend([0x81, 0x80 | random.below(128) as u8, random.below(128) as u8]),
        1..5 => bytes.extend([0x81 + random.below(100) as u8, random.below(128) as u8]),
        5..10 => bytes.push(0),
        _ => bytes.push(random.below(128) as u8),
    }
}

/// The content of a track: all kinds of messages, with and without running status.
fn track(random: &mut Random) -> Vec<u8> {
    let (mut bytes, mut running) = (Vec::new(), None);
    for _ in 0..random.below(60) {
        delta(random, &mut bytes);
        let [first, second] = [(); 2].map(|()| random.below(128) as u8);
        let kind = random.below(12);
        match kind {
            0 => bytes.extend([0xff, 0x51, 3, 1 + random.below(20) as u8, first, second]),
            1 => bytes.extend([0xff, first % 0x20, 2, 0xff, 0x90]),
            2 => bytes.extend([0xf0, 3, first, second, 0xf7]),
            3 => bytes.extend([0xf7, 2, 0xf3, first]),
            4 => bytes.extend([0xff, 0x7f, 0x81, 0].into_iter().chain([0x80; 128])),
            _ => {
                let status =
                    [0x80, 0x90, 0x90, 0xa0, 0xb0, 0xc0, 0xd0, 0xe0][random.below(8)] | random.below(3) as u8;
                if running != Some(status) || random.below(3) == 0 {
                    bytes.push(status);
                }
                running = Some(status);
                let controller = [1, 7, 11, 64, 66, 67][random.below(6)];
                bytes.push(if status & 0xf0 == 0xb0 { controller } else { first });
                if !(0xc0..0xe0).contains(&status) {
                    bytes.push(if random.below(4) == 0 { 0 } else { second });
                }
            }
        }
        if kind < 5 {
            running = None;
        }
    }
    delta(random, &mut bytes);
    bytes.extend([0xff, 0x2f, 0]);
    bytes
}

/// A file of any type.
fn file(random: &mut Random) -> Vec<u8> {
    let kind = random.below(3);
    let tracks: Vec<Vec<u8>> =
        (0..if kind == 0 { 1 } else { 1 + random.below(4) }).map(|_| track(random)).collect();
    let frames = [0xe8, 0xe7, 0xe3, 0xe2][random.below(4)];
    let division = if random.below(4) == 0 {
        [frames, 1 + random.below(255) as u8]
    } else {
        [1, random.below(256) as u8]
    };
    let mut file = [&b"MThd\0\0\0\x06"[..], &[0, kind as u8, 0, tracks.len() as u8], &division].concat();
    for track in tracks {
        file.extend(b"MTrk");
        file.extend((track.len() as u32).to_be_bytes());
        file.extend(track);
    }
    file
}

/// Seconds of a tick at this tempo.
fn tick(timing: Timing, tempo: f64) -> f64 {
    match timing {
        Timing::Metrical(ticks) => tempo * 1e-6 / f64::from(ticks.as_int()),
        Timing::Timecode(frames, subframe) => 1.0 / (f64::from(frames.as_f32()) * f64::from(subframe)),
    }
}

/// What a message of midly means.
fn action(message: MidiMessage) -> Action {
    let value = |byte: u8| f64::from(byte) / 127.0;
    match message {
        MidiMessage::NoteOn { key, vel } if vel == 0 => {
            Action::NoteOff { key: key.as_int(), velocity: value(64) }
        }
        MidiMessage::NoteOn { key, vel } => {
            Action::NoteOn { key: key.as_int(), velocity: value(vel.as_int()) }
        }
        MidiMessage::NoteOff { key, vel } => {
            Action::NoteOff { key: key.as_int(), velocity: value(vel.as_int()) }
        }
        MidiMessage::Aftertouch { key, vel } => {
            Action::Pressure { key: Some(key.as_int()), value: value(vel.as_int()) }
        }
        MidiMessage::ChannelAftertouch { vel } => Action::Pressure { key: None, value: value(vel.as_int()) },
        MidiMessage::Controller { controller, value: byte } => {
            Action::Control { number: controller.as_int(), value: value(byte.as_int()) }
        }
        MidiMessage::ProgramChange { program } => Action::Program(program.as_int()),
        MidiMessage::PitchBend { bend } => Action::Bend { semitones: 2.0 * bend.as_f64() },
    }
}

/// The events of tracks that sound together from `start`, and when they end.
fn together(tracks: &[Vec<TrackEvent>], timing: Timing, start: f64) -> (Vec<(f64, u16, Action)>, f64) {
    let mut all = Vec::new();
    for track in tracks {
        let mut now = 0;
        for event in track {
            now += event.delta.as_int();
            all.push((now, event.kind));
        }
    }
    all.sort_by_key(|(tick, _)| *tick);
    let (mut events, mut last, mut time, mut tempo) = (Vec::new(), 0, start, 500_000.0);
    for (now, kind) in all {
        time += f64::from(now - last) * tick(timing, tempo);
        last = now;
        match kind {
            TrackEventKind::Meta(MetaMessage::Tempo(microseconds)) => tempo = microseconds.as_int().into(),
            TrackEventKind::Midi { channel, message } => {
                events.push((time, channel.as_int().into(), action(message)));
            }
            _ => {}
        }
    }
    (events, time)
}

#[test]
fn files_are_read_as_midly_reads_them() {
    let mut random = Random::new();
    let mut notes = 0;
    for _ in 0..cases(1000) {
        let bytes = file(&mut random);
        let smf = Smf::parse(&bytes).unwrap_or_else(|error| panic!("{error}: {bytes:02x?}"));
        let (mut expected, mut end) = (Vec::new(), 0.0);
        let groups = if smf.header.format == Format::Sequential { 1 } else { smf.tracks.len() };
        for tracks in smf.tracks.chunks(groups) {
            let (events, after) = together(tracks, smf.header.timing, end);
            expected.extend(events);
            end = after;
        }
        let performance = midi::read(&bytes).unwrap_or_else(|error| panic!("{error}: {bytes:02x?}"));
        // Each step from event to event rounds by at most three halves of an eps of the time; 240 messages, four tracks in
        // turn. midly has the rate 29.97 as f32, 6e-8.
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-7 * b;
        assert!(close(performance.duration(), end), "{} s, {end} s", performance.duration());
        assert_eq!(performance.events().len(), expected.len());
        for (event, (time, part, action)) in performance.events().iter().zip(expected) {
            assert_eq!((event.part, event.action), (part, action), "{bytes:02x?}");
            assert!(close(event.time, time), "{} s, {time} s", event.time);
            notes += usize::from(matches!(action, Action::NoteOn { .. }));
        }
    }
    assert!(notes > cases(1000), "{notes} notes");
}
