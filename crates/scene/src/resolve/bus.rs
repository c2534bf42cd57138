//! What `[bus.NAME]` and pickups state of buses: the sections, the keys, and what was read of them.
//!
//! A pickup names its bus; without a name it is in `main`, and with [`MUTED`] in none.

use super::frame::{Form, Frame, Key, Sections};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Table, Takes};
use hamiltone_plan::{Channels, magnet::Pole, output::Tremolo};
use std::ops;

/// The word for no bus.
pub const MUTED: &str = "none";
/// Names that no bus can have: no bus, and what the files of runs are called that failed or were interrupted.
pub const RESERVED_BUSES: [&str; 3] = [MUTED, "failed", "partial"];

/// What a gain may be, dB.
const GAINS: Range = Range { min: -200.0, max: 200.0, open: false };
/// The highest cut-off of AC coupling, Hz.
const MAX_CUTOFF: f64 = 1000.0;
/// The rates of a tremolo, Hz: from a swell of minutes to where it is heard as a tone.
const TREMOLO_RATES: Range = Range { min: 0.01, max: 50.0, open: false };

/// The distance of the magnet of a pickup.
pub const MAGNET: &str = "magnet_distance";
/// How far beside its axis what moves past it is at rest.
pub const MAGNET_OFFSET: &str = "magnet_offset";

/// The gain of a pickup or bus.
pub const GAIN: Parameter = Parameter {
    name: "gain",
    takes: Takes::Number(Role::Level, GAINS),
    absent: Absent::Number(0.0),
    doc: "amplification in the sound",
};

/// `[bus.NAME]`.
pub const BUS: Frame = Frame {
    name: "bus",
    summary: "pickups that are written into one file: the bus `main` into that of -o out.wav, others into out.NAME.wav",
    sections: Sections::Named,
    keys: &[],
    one_of: &[],
    parameters: &[
        Parameter {
            name: "channels",
            takes: Takes::Word(&Channels::WORDS),
            absent: Absent::Optional("those of [output]"),
            doc: "left and right, one channel, or one for each pickup",
        },
        GAIN,
    ],
    rules: &[],
};

/// The key of a pickup that names its bus.
pub const BUS_KEY: Key = Key {
    name: "bus",
    required: false,
    form: Form::Text,
    example: "\"main\"",
    doc: "the bus whose file it is in (default \"main\"), a section [bus.NAME]; \"none\" keeps it out of the sound, but in states and report",
};

/// The parameters of a pickup that say how it goes into its bus.
pub const MIX: [Parameter; 6] = [
    GAIN,
    Parameter {
        name: MAGNET,
        takes: Takes::Number(Role::Length, Range { min: 5e-4, max: 0.1, open: false }),
        absent: Absent::Optional("no magnet"),
        doc: "of a displacement: d, how far from the magnet of a pickup its place is at rest; what is heard is then dΦ/dt with Φ = (d/2)((1 − x/d)^−2 − 1), m/s",
    },
    Parameter {
        name: MAGNET_OFFSET,
        takes: Takes::Number(Role::Length, Range { min: 1e-5, max: 0.1, open: false }),
        absent: Absent::Optional("the place moves towards the magnet"),
        doc: "s, with magnet_distance, where the place moves past the magnet, as a tine does: how far it is beside the axis of the magnet at rest; Φ is then (r²/2s)(r²/(d² + (s − x)²) − 1), r² = d² + s²",
    },
    Parameter {
        name: "pan",
        takes: Takes::Number(Role::Number, Range { min: -1.0, max: 1.0, open: false }),
        absent: Absent::Optional("spread evenly over the pickups of the bus, a single one in the centre"),
        doc: "place between the loudspeakers with constant power: -1 left, 0 centre (−3 dB in both), 1 right",
    },
    Parameter {
        name: "ac_coupling",
        takes: Takes::Number(Role::Frequency, Range { min: 0.0, max: MAX_CUTOFF, open: false }),
        absent: Absent::Optional(
            "5 Hz for forces and pressures from format 2 on, unless level = \"raw\"; 0 for all others",
        ),
        doc: "cut-off of a first-order high-pass (−3 dB) that takes the static part out of the sound, begun in the steady state of the first sample, at most a quarter of the sample rate; 0: none; states and plots of the report show the pickup without it",
    },
    Parameter {
        name: "tremolo",
        takes: Takes::Table(Table {
            parameters: &[
                Parameter {
                    name: "rate",
                    takes: Takes::Number(Role::Frequency, TREMOLO_RATES),
                    absent: Absent::Number(5.0),
                    doc: "f, how often a second the level falls and rises again",
                },
                Parameter {
                    name: "depth",
                    takes: Takes::Number(Role::Number, Range { min: 0.0, max: 1.0, open: false }),
                    absent: Absent::Required,
                    doc: "d: the gain falls to 1 − d; 0: none",
                },
            ],
            rules: &[],
        }),
        absent: Absent::Optional("a steady level"),
        doc: "a gain of 1 − d (1 − cos 2πft)/2 in the sound, t from its beginning, such as the fan of a vibraphone; states and plots of the report show the pickup without it",
    },
];

/// What a pickup states of its mix.
pub struct Wanted {
    /// Its gain, dB.
    pub gain: f64,
    /// Its pan, if it states one.
    pub pan: Option<f64>,
    /// The cut-off of its AC coupling, Hz.
    pub ac_coupling: f64,
    /// Its tremolo.
    pub tremolo: Option<Tremolo>,
    /// Its magnet.
    pub magnet: Option<Pole>,
    /// Its bus.
    pub bus: Bus,
    /// Where it stands in the text.
    pub span: ops::Range<usize>,
}

/// The bus of a pickup.
pub enum Bus {
    /// That of this name, which exists.
    Named(String),
    /// None.
    Muted,
    /// It does not exist, which is a problem.
    Unknown,
}
