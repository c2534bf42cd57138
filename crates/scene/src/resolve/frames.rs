//! Every section of a scene.

use super::{
    connections, drives,
    frame::{Frame, Key},
    output, pickups, run,
};

/// The keys outside every section.
pub const ROOT: &[Key] = &[
    Key { name: "hamiltone", required: true, example: "1", doc: "the format of the scene: 1" },
    Key { name: "title", required: false, example: "\"A reed\"", doc: "what it is, in a few words" },
    Key { name: "source", required: false, example: "\"a paper\"", doc: "where its numbers come from" },
];

const BODY: Frame = Frame {
    name: "body",
    summary: "something that moves",
    named: true,
    keys: &[Key {
        name: "kind",
        required: true,
        example: "\"oscillator\"",
        doc: "what it is: see `list bodies`",
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
