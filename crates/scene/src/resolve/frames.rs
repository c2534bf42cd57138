//! Every section of a scene.

use super::{
    bridges, bus, cavity, connections, drives,
    frame::{Form, Frame, Key, Sections},
    output, pickups, run, score,
    tension::POLARISATION_OF,
};

/// The keys outside every section.
pub const ROOT: &[Key] = &[
    Key {
        name: "hamiltone",
        required: true,
        form: Form::Text,
        example: "2",
        doc: "the format of the scene: 1 or 2",
    },
    Key {
        name: "title",
        required: false,
        form: Form::Text,
        example: "\"A reed\"",
        doc: "the title of the scene",
    },
    Key {
        name: "source",
        required: false,
        form: Form::Text,
        example: "\"a paper\"",
        doc: "the source of its parameters",
    },
];

const BODY: Frame = Frame {
    name: "body",
    summary: "a vibrating body, such as a mass, string or plate",
    sections: Sections::Named,
    keys: &[
        Key {
            name: "kind",
            required: true,
            form: Form::Text,
            example: "\"oscillator\"",
            doc: "the kind of body: see `list bodies`",
        },
        Key {
            name: POLARISATION_OF,
            required: false,
            form: Form::Text,
            example: "\"string\"",
            doc: "of a string with tension_modulation: another one, which it is in the other direction; both then have one tension",
        },
    ],
    one_of: &[],
    parameters: &[],
    rules: &[],
};

/// Every section, in the order in which they are read.
pub fn frames() -> [Frame; 11] {
    [
        run::RUN,
        BODY,
        connections::link_frame(),
        bridges::BRIDGE,
        cavity::CAVITY,
        connections::CONTACT,
        drives::DRIVE,
        score::SCORE,
        bus::BUS,
        pickups::PICKUP,
        output::OUTPUT,
    ]
}
