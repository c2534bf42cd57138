//! Standard MIDI Files by their bytes: what is read, and the byte at which others are refused.

use hamiltone_play::{
    Action, Event, Performance,
    midi::{self, MidiError},
};

/// A file: type, tracks stated, division, and the content of each track.
fn file(kind: u8, stated: u8, division: [u8; 2], tracks: &[&[u8]]) -> Vec<u8> {
    let mut file = [&b"MThd\0\0\0\x06"[..], &[0, kind, 0, stated], &division].concat();
    for track in tracks {
        file.extend(b"MTrk");
        file.extend((track.len() as u32).to_be_bytes());
        file.extend(*track);
    }
    file
}

/// A file of type 0 with 96 ticks to the quarter note; its track begins at byte 22.
fn track(content: &[u8]) -> Vec<u8> {
    file(0, 1, [0, 96], &[content])
}

const END: &[u8] = &[0, 0xff, 0x2f, 0];

fn read(file: &[u8]) -> Performance {
    midi::read(file).unwrap_or_else(|error| panic!("{error}"))
}

fn on(time: f64, part: u16, key: u8) -> Event {
    Event { time, part, action: Action::NoteOn { key, velocity: 1.0 } }
}

fn off(time: f64, part: u16, key: u8) -> Event {
    Event { time, part, action: Action::NoteOff { key, velocity: 64.0 / 127.0 } }
}

#[test]
fn running_status_and_velocity_zero() {
    // The second and third message have no status; the third is a release.
    let file = track(&[&[0, 0x93, 60, 127, 96, 62, 127, 0, 60, 0, 96, 0x83, 62, 64], END].concat());
    let performance = read(&file);
    assert_eq!(performance.events(), [on(0.0, 3, 60), on(0.5, 3, 62), off(0.5, 3, 60), off(1.0, 3, 62)]);
    assert!(performance.warnings().is_empty());
}

#[test]
fn system_exclusive_messages_are_skipped() {
    let whole: &[u8] = &[0, 0xf0, 5, 0x7e, 0x7f, 9, 1, 0xf7];
    let split: &[u8] = &[0, 0xf0, 2, 0x43, 0x12, 96, 0xf7, 3, 0x90, 60, 0xf7, 0, 0xf7, 2, 0xf3, 1];
    let note: &[u8] = &[0, 0x90, 60, 127, 0, 0x80, 60, 64];
    let performance = read(&track(&[whole, split, note, END].concat()));
    assert_eq!(performance.events(), [on(0.5, 0, 60), off(0.5, 0, 60)]);
}

#[test]
fn tempo_changes_of_all_tracks_act_on_all() {
    // 0.5 s to a quarter, from the second 1 s, from the third 0.25 s: in other tracks than the notes.
    let slow: &[u8] = &[96, 0xff, 0x51, 3, 0x0f, 0x42, 0x40];
    let fast: &[u8] = &[0x81, 0x40, 0xff, 0x51, 3, 0x03, 0xd0, 0x90];
    let notes: &[u8] = &[0x81, 0x40, 0x90, 60, 127, 96, 60, 0, 96, 0xff, 0x2f, 0];
    let tracks = [&[slow, END].concat()[..], &[fast, END].concat(), notes];
    let performance = read(&file(1, 3, [0, 96], &tracks));
    assert_eq!(performance.events(), [on(1.5, 0, 60), off(1.75, 0, 60)]);
    assert_eq!(performance.duration(), 2.0);
}

#[test]
fn events_of_one_time_keep_the_order_of_the_file() {
    let first: &[u8] = &[0, 0x90, 60, 127, 96, 0x90, 62, 127, 0, 0x80, 60, 64];
    let second: &[u8] = &[96, 0x90, 60, 127, 0, 0x80, 62, 64, 0, 0x80, 60, 64];
    let performance = read(&file(1, 2, [0, 96], &[&[first, END].concat(), &[second, END].concat()]));
    let later = [on(0.5, 0, 62), off(0.5, 0, 60), on(0.5, 0, 60), off(0.5, 0, 62), off(0.5, 0, 60)];
    assert_eq!(performance.events()[1..], later);
}

#[test]
fn patterns_of_type_2_follow_each_other_with_their_own_tempo() {
    let slow: &[u8] = &[0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40, 0, 0x90, 60, 127, 96, 60, 0];
    let second: &[u8] = &[96, 0x91, 62, 127, 96, 62, 0, 96, 0xff, 0x2f, 0];
    let performance = read(&file(2, 2, [0, 96], &[&[slow, END].concat(), second]));
    assert_eq!(performance.events(), [on(0.0, 0, 60), off(1.0, 0, 60), on(1.5, 1, 62), off(2.0, 1, 62)]);
    assert_eq!(performance.duration(), 2.5);
}

#[test]
fn frames_of_film_and_television() {
    let content = [&[0, 0xff, 0x51, 3, 0, 0, 1, 100, 0x90, 60, 127, 0, 60, 0], END].concat();
    // 100 ticks, 40 to a frame: 2.5 frames.
    for (frames, rate) in [(24, 24.0), (25, 25.0), (29, 30_000.0 / 1001.0), (30, 30.0)] {
        let performance = read(&file(0, 1, [256_u16.wrapping_sub(frames) as u8, 40], &[&content]));
        assert!((performance.events()[0].time - 2.5 / rate).abs() < 4.0 * f64::EPSILON, "{frames}");
    }
}

#[test]
fn ports_are_parts_and_other_chunks_are_skipped() {
    let port: &[u8] = &[0, 0xff, 0x21, 1, 2, 0, 0x95, 60, 127, 0, 60, 0];
    let mut bytes = file(1, 1, [0, 96], &[]);
    bytes.extend(b"XFIH\0\0\0\x03abc");
    bytes.extend(&file(1, 1, [0, 96], &[&[port, END].concat()])[14..]);
    assert_eq!(read(&bytes).events()[0], on(0.0, 37, 60));
    // A longer header of later versions.
    bytes[7] = 8;
    bytes.splice(14..14, [1, 2]);
    assert_eq!(read(&bytes).events()[0], on(0.0, 37, 60));
}

#[test]
fn what_is_unusual_is_a_warning() {
    let warnings = |file: &[u8]| read(file).warnings().join("; ");
    let note: &[u8] = &[0, 0x90, 60, 127];
    assert_eq!(
        warnings(&track(&[note, END].concat())),
        "1 note is never released; the first is C4 (key 60) of part 1 at 0.000 s"
    );
    assert_eq!(warnings(&track(&[0, 0xc0, 1])), "track 1 has no end-of-track event");
    assert_eq!(warnings(&track(&[END, note].concat())), "track 1 has 4 bytes after its end, ignored");
    assert_eq!(warnings(&file(1, 2, [0, 96], &[END])), "the header states 2 tracks, the file has 1");
    let trailing = [&track(END)[..], b"MTrk\0\0\0\x09rest"].concat();
    assert_eq!(warnings(&trailing), "12 bytes after the last track are ignored");
    assert_eq!(warnings(&track(END)), "");
    let many = read(&file(1, 25, [0, 96], &[&[][..]; 25]));
    assert_eq!((many.warnings().len(), many.warnings()[20].as_str()), (21, "5 warnings more of this kind"));
}

#[test]
fn malformed_files_are_refused_at_their_byte() {
    let tempo: &[u8] = &[0, 0xff, 0x51, 3, 0, 0, 0];
    let late = [0xff, 0xff, 0xff, 0x7f, 0x90, 60, 127].repeat(4);
    for (bytes, offset, expected, found) in [
        (vec![], 0, "`MThd`", "the end of the file after 0 of 4 bytes"),
        (b"RIFF\0\0\0\0".to_vec(), 0, "`MThd`", "`RIFF`"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), 0, "`MThd`", r"`\x89PNG`"),
        (b"MThd\0\0\0\x05\0\0\0\x01\0".to_vec(), 4, "at least 6 bytes", "5"),
        (b"MThd\0\0\0\x06\0\0\0".to_vec(), 10, "the number of tracks", "after 1 of 2 bytes"),
        (file(3, 1, [0, 96], &[END]), 8, "from 0 to 2", "3"),
        (file(0, 2, [0, 96], &[END, END]), 10, "1 track", "2"),
        (file(1, 1, [0, 0], &[END]), 12, "1 to 32767 ticks", "0"),
        (file(1, 1, [0xe6, 40], &[END]), 12, "-24, -25, -29 or -30", "-26"),
        (file(1, 1, [0xe8, 0], &[END]), 13, "1 to 255 ticks per frame", "0"),
        (file(1, 1, [0, 96], &[]), 14, "a track", "the end of the file"),
        (
            [&file(1, 1, [0, 96], &[])[..], b"MTrk\xff\xff\xff\xff"].concat(),
            22,
            "content of a chunk",
            "after 0 of 4294967295",
        ),
        ([&file(1, 1, [0, 96], &[])[..], b"MT"].concat(), 14, "`MTrk`", "after 2 of 4 bytes"),
        (track(&[0]), 23, "a message", "the end of the track"),
        (track(&[0, 60, 127]), 23, "a status byte", "0x3c"),
        (track(&[0, 0x90, 60, 127, 0, 0xff, 1, 0, 0, 60, 0]), 31, "a status byte", "0x3c"),
        (track(&[0, 0x90, 60, 127, 0, 0xf0, 0, 0, 60, 0]), 30, "a status byte", "0x3c"),
        (track(&[0, 0x90, 60]), 25, "a data byte", "the end of the track"),
        (track(&[0, 0x90, 60, 0x90]), 25, "a data byte from 0 to 127", "0x90"),
        (track(&[0x80, 0x80, 0x80, 0x80, 0]), 22, "a delta time of at most 4 bytes", "continues"),
        (track(&[0, 0xf8]), 23, "a channel message", "status 0xf8"),
        (track(&[0, 0xf0, 9, 1]), 25, "a SysEx message of 9 bytes", "after 1 of 9 bytes"),
        (track(&[0, 0xff, 1, 9, 1]), 26, "a meta event of 9 bytes", "after 1 of 9 bytes"),
        (track(&[0, 0xff, 0x80, 0]), 24, "the type of a meta event from 0 to 127", "0x80"),
        (track(tempo), 26, "a tempo of 1 to 16777215", "0"),
        (track(&[0, 0xff, 0x51, 2, 1, 1]), 25, "3 as the length of a tempo", "2"),
        (file(1, 1, [0, 1], &[&late]), 26, "within 86400 s", "delta times or tempo are too large"),
        (
            file(1, 1, [0, 1], &[&[0xff, 0xff, 0xff, 0x7f, 0xff, 0x2f, 0]]),
            26,
            "within 86400 s",
            "one at 134217727.5 s",
        ),
    ] {
        let error: MidiError = midi::read(&bytes).expect_err(expected);
        assert_eq!(error.offset, offset, "{error}");
        assert!(error.expected.contains(expected) && error.found.contains(found), "{error}");
    }
    let error = midi::read(&track(&[0, 60, 127])).unwrap_err().to_string();
    let expected = "a status byte, 0x80 or more: no channel message stands directly before";
    assert_eq!(error, format!("byte 23 (0x17): expected {expected}, found 0x3c"));
}

#[test]
fn what_is_written_is_read() {
    let mut track = midi::write::Track::default();
    track
        .tempo(0, 600_000)
        .note(300, 100_000, 2, 60, 127)
        .control(300, 2, 7, 127)
        .note(100_300, 1, 2, 60, 127);
    let performance = read(&midi::write::file(300, &[midi::write::Track::default(), track]));
    let actions: Vec<_> = performance.events().iter().map(|event| (event.part, event.action)).collect();
    assert_eq!(actions[0], (2, Action::Control { number: 7, value: 1.0 }));
    assert_eq!(actions[1], (2, Action::NoteOn { key: 60, velocity: 1.0 }));
    assert_eq!(actions[2], (2, Action::NoteOff { key: 60, velocity: 64.0 / 127.0 }));
    assert_eq!(actions[3], actions[1]);
    // 100 301 ticks of 2 ms, rounded three times.
    assert!((performance.duration() / 200.602 - 1.0).abs() < 4.0 * f64::EPSILON);
}
