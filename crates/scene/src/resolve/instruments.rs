//! Every section that only instruments have, with its keys: what `describe` and the JSON Schema tell of them.

use super::{
    frame::{Form, Frame, Key, Sections},
    note_gestures::{CONTROLLER, PLAYED},
    parameter, transfer,
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes};

/// The key that says whether a copied section or a gesture is there.
pub const WHEN: Key = Key {
    name: "when",
    required: false,
    form: Form::Formula,
    example: "\"{key < 90}\"",
    doc: "a formula: where it is 0, this is left out",
};

/// `[instrument]`.
pub const INSTRUMENT: Frame = Frame {
    name: "instrument",
    summary: "of an instrument: what its sections are copied for",
    sections: Sections::One,
    keys: &[
        Key {
            name: "keys",
            required: false,
            form: Form::Keys,
            example: "\"A0..C8\"",
            doc: "a range or a list of notes or MIDI numbers: one copy of [key.…] a key",
        },
        Key {
            name: "strings",
            required: false,
            form: Form::Keys,
            example: "[\"E2\", \"A2\"]",
            doc: "in place of keys the open strings: one copy of [string.…] a string, and of [fret.…] for each of its frets",
        },
        Key {
            name: "programs",
            required: false,
            form: Form::Programs,
            example: "[45]",
            doc: "programs of MIDI, 0 to 127, that gestures know by the variable `program`: ways in which notes are played, such as 45, pizzicato. It is −1 while another is chosen",
        },
        Key {
            name: "velocity_curve",
            required: false,
            form: Form::Curve,
            example: "[[0, 0], [0.5, 0.35], [1, 1]]",
            doc: "points of a map from the velocity that is played to that in formulas, both from 0 to 1, ascending",
        },
        Key {
            name: "pedal_curve",
            required: false,
            form: Form::Curve,
            example: "[[0, 0], [0.3, 0], [1, 1]]",
            doc: "points of a map of the position of the sustain pedal, both from 0 to 1, ascending; it begins with 0",
        },
    ],
    one_of: &["keys", "strings"],
    parameters: &[
        Parameter {
            name: "frets",
            // More than any instrument has.
            takes: Takes::Number(Role::Count, Range { min: 0.0, max: 60.0, open: false }),
            absent: Absent::Number(0.0),
            doc: "the number of frets of every string, each a semitone",
        },
        Parameter {
            name: "program",
            takes: Takes::Number(Role::Count, Range { min: -1.0, max: 127.0, open: false }),
            absent: Absent::Number(-1.0),
            doc: "which of `programs` is chosen at first; −1 for none of them",
        },
        Parameter {
            name: "sleep",
            takes: Takes::Number(Role::Number, Range::NOT_NEGATIVE),
            // A string that is played softly has 10⁻⁴ J: this lies 90 dB below.
            absent: Absent::Number(1e-13),
            doc: "the energy, J, below which a part that nothing connects with others is put at rest",
        },
        Parameter {
            name: "vibrato_depth",
            takes: Takes::Number(Role::Number, Range { min: 0.0, max: 200.0, open: false }),
            absent: Absent::Number(0.0),
            doc: "by how much the pitch of notes that fingers stop varies either way, cents, by the tension of all strings; up to three times as much by the modulation wheel (1). Of strings without frets and of keys, that of every note",
        },
        Parameter {
            name: "vibrato_pressure",
            takes: Takes::Number(Role::Number, Range { min: 0.0, max: 0.3, open: false }),
            absent: Absent::Number(0.0),
            doc: "by which part of it the pressure with which a reed, lips or a jet are blown varies either way while a note is held; up to three times as much by the modulation wheel (1)",
        },
        Parameter {
            name: "vibrato_rate",
            takes: Takes::Number(Role::Frequency, Range { min: 0.5, max: 20.0, open: false }),
            absent: Absent::Number(5.5),
            doc: "its frequency",
        },
        Parameter {
            name: "vibrato_delay",
            takes: Takes::Number(Role::Time, Range { min: 0.0, max: 10.0, open: false }),
            absent: Absent::Number(0.3),
            doc: "how long after its onset the pitch or the pressure of a note begins to vary; it varies by the whole depth after twice that",
        },
    ],
    rules: &[],
};

/// `[table.NAME]`.
pub const TABLE: Frame = Frame {
    name: "table",
    summary: "of an instrument: values at some keys, with a curve between them, for formulas",
    sections: Sections::Named,
    keys: &[
        Key {
            name: "points",
            required: true,
            form: Form::Curve,
            example: "[[\"A0\", 12], [\"C8\", 2]]",
            doc: "pairs of a note or number, ascending, and a number; level below the first and above the last",
        },
        Key {
            name: "over",
            required: false,
            form: Form::Text,
            example: "\"velocity\"",
            doc: "the variable of formulas that it depends on; `key` without",
        },
    ],
    one_of: &[],
    parameters: &[Parameter {
        name: "interpolation",
        takes: Takes::Word(&["linear", "geometric"]),
        absent: Absent::Word("linear"),
        doc: "straight lines between the points, or power laws y₀(y₁/y₀)^s",
    }],
    rules: &[],
};

/// The templates, each with what its copies are for.
const TEMPLATES: [(&str, &str); 3] = [
    ("key", "of an instrument with `keys`: sections that are copied for each key, such as [key.body.string]"),
    ("string", "of an instrument with `strings`: sections that are copied for each string"),
    ("fret", "of an instrument with `strings`: sections that are copied for each fret of each string"),
];

/// The list of gestures that controllers begin.
pub const CONTROLLERS: &str = "controller";

/// The lists of gestures, each with when they begin.
const LISTS: [(&str, &str); 9] = [
    ("note_on", "of an instrument: a gesture that a key makes when it is struck"),
    (
        "slur",
        "of an instrument with `strings`: a gesture that a key makes when it is struck while another key of its string is held, in place of `note_on`, and of `note_off` of the other",
    ),
    (
        "give_way",
        "of an instrument with `strings`: a gesture that the key before makes when another key of its string is struck, also where that one is slurred",
    ),
    ("note_off", "of an instrument: a gesture that a key makes when it is up and nothing holds its note"),
    ("pedal_down", "of an instrument: a gesture on every key or string when the sustain pedal is pressed"),
    ("pedal_up", "of an instrument: a gesture on those whose key is up when the sustain pedal is released"),
    ("pedal_move", "of an instrument: a gesture on those whose key is up when the sustain pedal moves"),
    ("pressure", "of an instrument: a gesture on a note that was struck when the pressure on it changes"),
    (
        CONTROLLERS,
        "of an instrument: a gesture on a note that is held when a controller moves, such as breath, and when such a note begins after it has moved",
    ),
];

/// The keys of a gesture, and `when`.
const GESTURE: [Key; 9] = {
    let [at, control, rate, fingering, place, motion, tension, gesture] = *PLAYED.keys else { panic!() };
    [at, control, rate, fingering, place, motion, tension, gesture, WHEN]
};
const OF_CONTROLLER: [Key; 10] = {
    let [at, control, rate, fingering, place, motion, tension, gesture, when] = GESTURE;
    [at, control, rate, fingering, place, motion, tension, gesture, when, CONTROLLER]
};
/// Every section that only instruments have.
pub fn instrument_frames() -> Vec<Frame> {
    let template = |(name, summary)| Frame {
        name,
        summary,
        sections: Sections::Copied,
        keys: &[WHEN],
        one_of: &[],
        parameters: &[],
        rules: &[],
    };
    let list = |(name, summary)| {
        let keys: &[Key] = if name == CONTROLLERS { &OF_CONTROLLER } else { &GESTURE };
        Frame { name, summary, keys, ..PLAYED }
    };
    let frames = [INSTRUMENT, TABLE].into_iter().chain(TEMPLATES.map(template));
    frames.chain([transfer::FRAME, parameter::FRAME]).chain(LISTS.map(list)).collect()
}
