//! What a bow has besides its two places: the torsion of the string, a body that presses it, and a path along which it moves.
//!
//!   w = ẏ + aθ̇ − v,   c = c_y + c_aθ
//!
//! y is the displacement of the string, θ the angle by which it turns, a its radius, v the speed of the bow: the hair acts on the surface of the string, which moves with
//! the string and turns around it. Waves of torsion run on a second body, of which the displacement is aθ (J. Woodhouse & P. Galluzzo 2004, Acta
//! Acustica 90, §2). The body that presses has a row of its own (`hamiltone_elements::SprungBow`).
//!
//! On its path the bow has rows in equal distances of at most a quarter of the shortest half wave, between which rows are interpolated
//! ([`hamiltone_core::port`]): in the middle of two the highest partial answers by (π/4)²/8 = 8 % less, which hair of 1 cm would, too, and the partial of half
//! its frequency by 2 %. On the body of the torsion the bow moves by the same part of the length.

use super::{
    frame::{Form, Key},
    places::Named,
    stages::Connections,
};
use crate::document::section::Section;
use hamiltone_core::{
    body::{Measure, Placed},
    geometry::{Geometry, Position},
    row::Row,
};
use hamiltone_elements::{BOWS, HAIR};
use std::sync::Arc;

/// The key of the second body.
pub const TORSION: Key = Key {
    name: "torsion",
    required: false,
    form: Form::Place,
    example: "\"torsion@0.9\"",
    doc: "of the laws of a bow: a place on a second body, the displacement of which is that of the surface of the string as it turns; it is added to first − second, with either sign",
};

/// The key of the body that presses.
pub const PRESSED_BY: Key = Key {
    name: "pressed_by",
    required: false,
    form: Form::Place,
    example: "\"stick\"",
    doc: "of the laws of a bow: a place on another body, for the stick of a bow that bounces (spiccato); its displacement x, positive towards the string, presses the hair while x > 0: N = force + k x, k being `hair_stiffness`, which must be given, too. No link or other contact may connect it with the string",
};

/// The key of the other end of the path.
pub const MOVES_TO: Key = Key {
    name: "moves_to",
    required: false,
    form: Form::Place,
    example: "\"string@0.97\"",
    doc: "of the laws of a bow: a place on the same body as in `between`, up to which the bow can move from there; the gesture `shift` or a drive with `place` says where it is; without them it stays at the place in `between`",
};

/// How many rows a path has for each [`hamiltone_core::body::Representation::resolution`] of the body, and at most.
const ROWS: f64 = 4.0;
const MOST_ROWS: f64 = 2000.0;

/// The places of the keys with their rows.
pub struct Beside {
    torsion: Option<(Named, Row)>,
    stick: Option<Row>,
}

impl Connections<'_> {
    /// The rows of what a contact between these places has besides them.
    pub fn beside(&mut self, section: &Section<'_>, ends: &[Option<Named>; 2]) -> Option<Beside> {
        let known: Vec<&Named> = ends.iter().flatten().collect();
        let turned = self.other_body((section, &TORSION), &known, "turns a string")?;
        let known: Vec<&Named> = known.into_iter().chain(turned.iter().map(|(named, _)| named)).collect();
        let stick = self.other_body((section, &PRESSED_BY), &known, "presses")?.map(|(_, row)| row);
        Some(Beside { torsion: turned, stick })
    }

    /// The rows of a contact at one place, `between` two places with torsion, and that of the body that presses; those along its path, where it has one.
    pub fn bow_rows(
        &mut self,
        section: &Section<'_>,
        ends: [&Named; 2],
        between: &Row,
        beside: Beside,
    ) -> Option<Vec<Row>> {
        let Beside { torsion, stick } = beside;
        let first = along(between, torsion.as_ref().map(|(_, row)| row.clone()));
        let mut rows: Vec<Row> = [first].into_iter().chain(stick.clone()).collect();
        if !section.table.contains_key(MOVES_TO.name) {
            return Some(rows);
        }
        let to = self.named_at(section, MOVES_TO.name)?;
        let refuse = |message: String| {
            let help =
                format!("name another place on the body in `between`: moves_to = {}", MOVES_TO.example);
            section.problem(MOVES_TO.name, message, "").help(help)
        };
        let on = ends.map(|end| !end.is_ground() && end.name == to.name);
        let (from, other) = match on {
            [true, false] => (ends[0], ends[1]),
            [false, true] => (ends[1], ends[0]),
            [false, false] => {
                return self.refuse(refuse(format!("`{}` is on no body of `between`", to.text)));
            }
            [true, true] => {
                let problem = refuse(format!("both places in `between` are on `{}`", to.name));
                return self.refuse(problem.help("name another body or \"ground\" as one of them"));
            }
        };
        let (body, other) = (from.body()?, self.row(section, other)?);
        if body.geometry == Geometry::Point {
            let problem = refuse(format!("`{}` is at one point, along which no bow moves", to.name));
            return self.refuse(problem.help("leave it out"));
        }
        if self.row(section, &to)?.is_zero() {
            return self.refuse(refuse(format!("`{}` is fixed and does not move", to.text)));
        }
        let at = |end: &Named| body.geometry.position(end.place).ok();
        let (start, end) = (at(from)?, at(&to)?);
        let distance = body.geometry.distance(start, end);
        if distance == 0.0 {
            return self.refuse(refuse(format!("`{}` is the place in `between`", to.text)));
        }
        let turns = match &torsion {
            Some((named, _)) => Some(self.turning_path(section, body, [start, end], named)?),
            None => None,
        };
        let pieces = (ROWS * distance / body.representation.resolution()).ceil().clamp(1.0, MOST_ROWS);
        for i in 1..=pieces as usize {
            let part = i as f64 / pieces;
            let own = body.row_at(body.geometry.between(start, end, part));
            let between = if on[0] { own.minus(&other) } else { other.minus(&own) };
            let turned = turns
                .as_ref()
                .map(|(body, [start, end])| body.row_at(body.geometry.between(*start, *end, part)));
            rows.extend([along(&between, turned)].into_iter().chain(stick.clone()));
        }
        Some(rows)
    }

    /// The body of the torsion and its path, as long a part of its length as that from `start` to `end` of the string's.
    fn turning_path(
        &mut self,
        section: &Section<'_>,
        string: &Placed,
        [start, end]: [Position; 2],
        torsion: &Named,
    ) -> Option<(Arc<Placed>, [Position; 2])> {
        let body = torsion.body()?.clone();
        let from = body.geometry.position(torsion.place).ok()?;
        let refuse = |message: String, help: &str| section.problem(MOVES_TO.name, message, "").help(help);
        let Some((length, turning)) = string.geometry.length().zip(body.geometry.length()) else {
            let message =
                format!("`{}` or what is bowed has no length, along which both would move", torsion.name);
            return self.refuse(refuse(message, "use strings or bars, or leave out `torsion`"));
        };
        let to = [from[0] + (end[0] - start[0]) / length * turning, 0.0];
        if !(0.0..=turning).contains(&to[0]) || body.row_at(to).is_zero() {
            let message = format!(
                "the path of the bow leaves what can move of `{}`, on which it moves by the same part of the length",
                torsion.name
            );
            return self.refuse(refuse(
                message,
                "give `torsion` the same part of its length as the string has in `between`",
            ));
        }
        Some((body, [from, to]))
    }

    /// The place that a key names on another body than the `known`, whose displacement `does` something, and its row; `Some(None)` without the key.
    fn other_body(
        &mut self,
        (section, key): (&Section<'_>, &Key),
        known: &[&Named],
        does: &str,
    ) -> Option<Option<(Named, Row)>> {
        if !section.table.contains_key(key.name) {
            return Some(None);
        }
        let named = self.named_at(section, key.name)?;
        let help = format!("name a place on another body: {} = {}", key.name, key.example);
        let refuse = |message: String| section.problem(key.name, message, "").help(&help);
        if named.is_ground() || named.measure().is_some_and(|measure| measure != Measure::Length) {
            return self.refuse(refuse(format!("`{}` has no displacement that {does}", named.text)));
        }
        if let Some(other) = known.iter().find(|other| other.name == named.name) {
            let message = format!("`{}` is on the same body as `{}`", named.text, other.text);
            return self.refuse(refuse(message));
        }
        let row = self.row(section, &named)?;
        if row.is_zero() {
            return self.refuse(refuse(format!("`{}` is fixed and does not move", named.text)));
        }
        Some(Some((named, row)))
    }

    /// Whether a law takes what is given besides the places: they belong to a bow, and a body that presses to its hair.
    pub fn check_bow(&mut self, section: &Section<'_>, law: &str) -> Option<()> {
        let given = |key: &str| section.table.contains_key(key);
        if !BOWS.contains(&law) {
            let of_bows = [MOVES_TO, TORSION, PRESSED_BY].map(|key| key.name);
            let Some(key) = of_bows.into_iter().find(|key| given(key)) else { return Some(()) };
            let message = format!("`{key}` belongs to the laws of a bow");
            return self.refuse(section.problem(key, message, "").help("leave it out"));
        }
        let (key, message, help) = match (given(HAIR), given(PRESSED_BY.name)) {
            (true, false) => {
                (HAIR, "no body presses the hair", format!("add {} = \"BODY\"", PRESSED_BY.name))
            }
            (false, true) => (
                PRESSED_BY.name,
                "a body presses hair without a stiffness",
                format!("add {HAIR} = \"400 N/m\""),
            ),
            _ => return Some(()),
        };
        self.refuse(section.problem(key, message, "").help(help))
    }
}

/// The row of a bow where the torsion of the string has this row.
fn along(between: &Row, torsion: Option<Row>) -> Row {
    torsion.map_or_else(|| between.clone(), |torsion| between.minus(&torsion.scaled(-1.0)))
}
