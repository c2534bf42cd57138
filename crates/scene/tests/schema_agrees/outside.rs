//! What a JSON Schema cannot know.

use hamiltone_scene::document::problem::{Place, Problem};

/// Parts of messages about a name, place or file that must exist and be of the right kind.
const REFERENCES: &[&str] = &[
    "there is no body `",
    "there is no contact `",
    "there is no contact or body `",
    "there is no bus `",
    "is no place: ",
    "is a contact and has no ",
    "has no output `",
    "the ground is at rest",
    "the ground cannot be driven",
    "are the same: nothing can move there",
    "are fixed: nothing can move there",
    "is a fixed point",
    "applies only to a contact along a body",
    "applies only to a surface",
    "must be a string, bar or surface",
    "takes bodies with a displacement",
    "a contact along a body is with the ground or a point body",
    "acts at one place, not along a body",
    "along a body the law needs a strength per unit length",
    "must be the whole body",
    "must say where on the body",
    "must be given on a surface",
    "has no control value",
    "no contact is possible there",
    "(it is not a plain file)",
    "is not on it: it reaches",
    "(No such file or directory",
    "cannot be read as WAV",
    "must be given here or as a column of the file or table",
    "need shapes: columns such as",
    "a body whose mode shapes are not known",
    "has an amplitude for mode ",
    "must be a body at one point",
    "has no effect on a body at one point",
    "hold the body against shifting",
    "the coordinate of an air column is a volume",
    "knows no speed or pressure",
    "is no string with modes",
    "carries no string",
    "is no drum head",
    "the air between them is not compressed",
    ": it sets ",
    "has no obstacle",
    "has one bore",
    "has no bore",
    "there is no bore ",
    "is no bore",
    "is no body that moves",
    ", and `fingerings` ",
    "a bore is named twice",
    "belong to a reed, lips or a jet at a bore",
    "acts between a body and a bore",
    "never reaches the edge",
    "a bend would grow by",
    "acts on displacements, and the air of a bore has none",
    "the air of a bore has no displacement",
    "what moves the air of a bore here is missing",
    "does not move: it is no reed, lips or window",
    "is at the same bore or on the same body",
    "belongs to the laws of a bow",
    "no displacement that turns a string",
    "is on no body of `between`",
    "both places in `between` are on `",
    "is the place in `between`",
    "is at one point, along which no bow moves",
    "has no length, along which both would move",
    "the path of the bow leaves",
    "stays where it is",
    "is no bow",
    "which is none of `programs`",
    "no displacement that presses",
    "no body presses the hair",
    "a body presses hair without a stiffness",
    "is on the same body as `",
    "is fixed and does not move",
    "has a mistake in ",
];

/// Parts of messages about the values of several parameters together, and about the system that they make.
const TOGETHER: &[&str] = &[
    "does not cover",
    "does not run here",
    "less than one sample",
    "the first of each pair must increase",
    "initial penetration",
    "must lie right of",
    "off the body",
    // Formulas and tables of contact laws.
    "`potential` cannot be used: ",
    "`potential` has V′ = ",
    "has no finite force at x = ",
    "is not convex: V",
    "`constants` has the name `",
    "`points` has the force ",
    "needs a pair with x > 0",
    "is too steep between x = ",
    // `length` for measured modes, which no rule of the tables states.
    "must be given with shape = ",
    "there is room for",
    "an end of the body",
    "takes one or two pairs",
    "takes more than two pairs",
    // A value that is allowed, but not usual, stands among the problems of a scene that is refused.
    ", where instruments have ",
    // Lists of the table of measured modes, of ribs and of tone holes.
    " values, but there are ",
    "` lists ",
    "has no mode",
    "needs a place, such as",
    "where the body is held already",
    "`pan` has no effect: the bus `",
    "`full_scale` has no effect: the level",
    "every pickup is muted",
    "keeps as SI values",
    "ratios must increase",
    "cannot be reached: ",
    "is not met: ",
    "was not met: ",
    "cannot be resolved: ",
    "but the pull begins ",
    "is controlled by drive `",
    "an initial condition takes `at`, a place on a body",
    "must not be above static_friction",
    "which is no step for a bore",
    "`profile` begins at x = ",
    // The number of modes that are sums, and the moduli of wood.
    "of a plate with these sides",
    "it must be below √(E₁/E₂)",
    // What a membrane in the air must and must not have, and a plate that is guided in its plane.
    "needs `depth`",
    "is that of a membrane in a vacuum",
    "which only four simply supported sides are",
];

/// Parts of messages about the value of a text: units are not multiplied out by a schema, nor numbers in texts compared.
const IN_TEXTS: &[&str] = &["measured in ", "is a plain number, not in ", ", but must be ", "it must be odd"];

/// Whether a problem in a text is one that a schema cannot express.
pub fn is(problem: &Problem, text: &str) -> bool {
    let says = |parts: &[&str]| parts.iter().any(|part| problem.message.contains(part));
    let in_text = || match &problem.labels[0].place {
        Place::Text(span) => text[span.start..].starts_with(['"', '\'']),
        Place::Instrument(_) | Place::CommandLine(..) => false,
    };
    // Its unit depends on what is driven: of a plain number there is none.
    let driven = |title: &&str| problem.message.starts_with(*title);
    let drive = ["drive `", "score entry "].iter().any(driven) && problem.message.ends_with("has no unit");
    says(REFERENCES) || says(TOGETHER) || ((says(IN_TEXTS) || drive) && in_text())
}
