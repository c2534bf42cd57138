//! Every section of a scene.

use super::{
    connections, drives,
    frame::{Frame, Key},
    output, pickups, run,
};

/// The keys outside every section.
pub const ROOT: &[Key] = &[
    Key { name: "hamiltone", required: true, example: "1", doc: "the format of the scene: 1" },
    Key { name: "title", required: false, example: "\"A reed\"", doc: "the title of the scene" },
    Key { name: "source", required: false, example: "\"a paper\"", doc: "the source of its parameters" },
];

const BODY: Frame = Frame {
    name: "body",
    summary: "a vibrating body, such as a mass, string or plate",
    named: true,
    keys: &[Key {
        name: "kind",
        required: true,
        example: "\"oscillator\"",
        doc: "the kind of body: see `list bodies`",
    }],
    parameters: &[],
    rules: &[],
};

/// Every section, in the order in which they are read.
pub fn frames() -> [Frame; 7] {
    [
        run::RUN,
        BODY,
        connections::link_frame(),
        connections::CONTACT,
        drives::DRIVE,
        pickups::PICKUP,
        output::OUTPUT,
    ]
}
