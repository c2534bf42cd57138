//! The gestures of an instrument, each an entry of the list that its notes refer to by number.

use super::{
    builder::Builder,
    frame::{Frame, Sections},
    gesture::Gestured,
    score::SCORE,
};
use crate::{document::section::Section, instrument::plan::GesturePlan};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes};

/// The list of an expanded instrument.
pub const GESTURES: &str = "gesture";

/// An entry of `[[note_on]]`, `[[note_off]]`, `[[pedal_down]]`, `[[pedal_up]]`, `[[pedal_move]]` or `[[pressure]]`.
pub const PLAYED: Frame = Frame {
    name: GESTURES,
    summary: "a gesture of an instrument: what a note, a pedal or pressure does",
    sections: Sections::Listed,
    keys: SCORE.keys,
    one_of: SCORE.one_of,
    parameters: &[Parameter {
        name: "delay",
        takes: Takes::Number(Role::Time, Range::NOT_NEGATIVE),
        absent: Absent::Number(0.0),
        doc: "how long after the note, the pedal or the pressure it begins; of a pluck its pull, so that it sounds `rise` later",
    }],
    rules: &[],
};

impl Builder<'_> {
    /// Reads every gesture of an instrument; `None` where one is wrong, which is among the problems.
    pub fn played_gestures(&mut self, root: &Section<'_>) -> Option<Vec<GesturePlan>> {
        let list = root.table.get(GESTURES).and_then(|list| list.get_ref().as_array());
        let entries = list.into_iter().flat_map(|list| list.iter());
        // All are read, so that all problems are found.
        let read = entries.map(|entry| {
            let table = entry.get_ref().as_table()?;
            let section = Section { title: "gesture".into(), span: entry.span(), table };
            let Gestured { scored, shape, values } = self.gesture(&PLAYED, &section)?;
            let delay = values.number("delay").unwrap_or(0.0);
            Some(GesturePlan { input: self.scored[scored].input, shape, delay })
        });
        let read: Vec<Option<GesturePlan>> = read.collect();
        read.into_iter().collect()
    }
}
