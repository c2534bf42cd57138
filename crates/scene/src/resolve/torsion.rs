//! The torsion of a string under a bow: the hair holds the surface of the string, which moves with it and turns around it,
//!
//!   w = ẏ + aθ̇ − v,   c = c_y + c_aθ
//!
//! y is the displacement of the string, θ the angle by which it turns, a its radius, v the speed of the bow. Waves of torsion run on a second body, of which the displacement is
//! aθ (J. Woodhouse & P. Galluzzo 2004, Acta Acustica 90, §2).

use super::{
    frame::{Form, Key},
    stages::Connections,
};
use crate::document::section::Section;
use hamiltone_core::{body::Measure, element::Law, row::Row};

/// The key of the second body.
pub const TORSION: Key = Key {
    name: "torsion",
    required: false,
    form: Form::Place,
    example: "\"torsion@0.9\"",
    doc: "of the law `bow`: a place on a second body, the displacement of which is that of the surface of the string as it turns; it is added to that of the first place in `between`",
};

impl Connections<'_> {
    /// This row with that of `torsion`, where it is given.
    pub fn turned(&mut self, section: &Section<'_>, row: Row) -> Option<Row> {
        if !section.table.contains_key(TORSION.name) {
            return Some(row);
        }
        let named = self.named_at(section, TORSION.name)?;
        let turning = self.row(section, &named)?;
        if turning.is_zero() || named.measure() != Some(Measure::Length) {
            let message = format!("`{}` does not move as the surface of a string", named.text);
            let help = "name a place on a body such as a string: torsion = \"BODY@0.9\"";
            return self.refuse(section.problem(TORSION.name, message, "").help(help));
        }
        Some(row.minus(&Row::ground().minus(&turning)))
    }

    /// Whether a law takes the torsion that is given.
    pub fn check_torsion(&mut self, section: &Section<'_>, law: &Law, in_air: bool) -> Option<()> {
        if !section.table.contains_key(TORSION.name) || matches!(law, Law::Port(_)) && !in_air {
            return Some(());
        }
        let message = "`torsion` belongs to a bow";
        self.refuse(section.problem(TORSION.name, message, "").help("leave it out"))
    }
}
