//! What a bow has besides its two places: the torsion of the string, and a body that presses it.
//!
//!   w = ẏ + aθ̇ − v,   c = c_y + c_aθ
//!
//! y is the displacement of the string, θ the angle by which it turns, a its radius, v the speed of the bow: the hair acts on the surface of the string, which moves with
//! the string and turns around it. Waves of torsion run on a second body, of which the displacement is aθ (J. Woodhouse & P. Galluzzo 2004, Acta
//! Acustica 90, §2). The body that presses has a row of its own (`hamiltone_elements::SprungBow`).

use super::{
    frame::{Form, Key},
    places::Named,
    stages::Connections,
};
use crate::document::section::Section;
use hamiltone_core::{body::Measure, row::Row};
use hamiltone_elements::{BOWS, HAIR};

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

/// The rows of the two keys, the ground where there is none.
pub struct Beside {
    torsion: Row,
    stick: Option<Row>,
}

impl Connections<'_> {
    /// The rows of what a contact between these places has besides them.
    pub fn beside(&mut self, section: &Section<'_>, ends: &[Option<Named>; 2]) -> Option<Beside> {
        let known: Vec<&Named> = ends.iter().flatten().collect();
        let turned = self.other_body((section, &TORSION), &known, "turns a string")?;
        let known: Vec<&Named> = known.into_iter().chain(turned.iter().map(|(named, _)| named)).collect();
        let stick = self.other_body((section, &PRESSED_BY), &known, "presses")?.map(|(_, row)| row);
        Some(Beside { torsion: turned.map_or_else(Row::ground, |(_, row)| row), stick })
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

    /// Whether a law takes what is given besides the places: torsion and a body that presses belong to a bow, and the body to its hair.
    pub fn check_bow(&mut self, section: &Section<'_>, law: &str) -> Option<()> {
        let given = |key: &str| section.table.contains_key(key);
        if !BOWS.contains(&law) {
            let Some(key) = [TORSION.name, PRESSED_BY.name].into_iter().find(|key| given(key)) else {
                return Some(());
            };
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

/// The rows of a contact at one place: `between` the two places with torsion, and that of the body that presses.
pub fn rows(between: &Row, beside: Beside) -> Vec<Row> {
    let along = between.minus(&beside.torsion.scaled(-1.0));
    [along].into_iter().chain(beside.stick).collect()
}
