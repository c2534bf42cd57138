//! The torsion of a string under a bow: the hair acts on the surface of the string, which moves with the string and turns around it,
//!
//!   w = ẏ + aθ̇ − v,   c = c_y + c_aθ
//!
//! y is the displacement of the string, θ the angle by which it turns, a its radius, v the speed of the bow. Waves of torsion run on a second body, of which the displacement is
//! aθ (J. Woodhouse & P. Galluzzo 2004, Acta Acustica 90, §2).

use super::{
    frame::{Form, Key},
    places::Named,
    stages::Connections,
};
use crate::document::section::Section;
use hamiltone_core::{body::Measure, row::Row};
use hamiltone_elements::BOWS;

/// The key of the second body.
pub const TORSION: Key = Key {
    name: "torsion",
    required: false,
    form: Form::Place,
    example: "\"torsion@0.9\"",
    doc: "of the laws of a bow: a place on a second body, the displacement of which is that of the surface of the string as it turns; it is added to first − second, with either sign",
};

/// What to write.
const HELP: &str = "name a place on another body, such as a second string: torsion = \"BODY@0.9\"";

impl Connections<'_> {
    /// The row of `torsion` of a contact between these places, that of the ground where there is none.
    pub fn torsion(&mut self, section: &Section<'_>, ends: &[Option<Named>; 2]) -> Option<Row> {
        if !section.table.contains_key(TORSION.name) {
            return Some(Row::ground());
        }
        let named = self.named_at(section, TORSION.name)?;
        let refuse = |message: String| section.problem(TORSION.name, message, "").help(HELP);
        if named.is_ground() || named.measure().is_some_and(|measure| measure != Measure::Length) {
            return self.refuse(refuse(format!("`{}` has no displacement that turns a string", named.text)));
        }
        if ends.iter().flatten().any(|end| end.name == named.name) {
            return self.refuse(refuse(format!("`{}` is on a body of `between`", named.text)));
        }
        let row = self.row(section, &named)?;
        if row.is_zero() {
            return self.refuse(refuse(format!("`{}` is fixed and does not move", named.text)));
        }
        Some(row)
    }

    /// Whether a law takes the torsion that is given.
    pub fn check_torsion(&mut self, section: &Section<'_>, law: &str) -> Option<()> {
        if BOWS.contains(&law) || !section.table.contains_key(TORSION.name) {
            return Some(());
        }
        let message = "`torsion` belongs to the laws of a bow";
        self.refuse(section.problem(TORSION.name, message, "").help("leave it out"))
    }
}
