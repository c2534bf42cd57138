//! The gestures of an instrument, each an entry of the list that its notes refer to by number.

use super::{
    frame::{Form, Frame, Key, Sections},
    gesture::Gestured,
    reader::Reader,
    score::SCORE,
    stages::Excitation,
};
use crate::document::{expanded::Expanded, problem::Problem, section::Section, syntax};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes};
use hamiltone_numerics::parallel;
use hamiltone_plan::instrument::GesturePlan;
use toml::{Spanned, de::DeTable};

/// The document of a text, with what is wrong with it.
fn parse(text: &Expanded) -> (Option<Spanned<DeTable<'_>>>, Vec<Problem>) {
    let mut problems = Vec::new();
    (syntax::parse(text.text(), &mut problems), problems)
}

/// The next texts of lists of gestures; `None` where there are no more. What is wrong with them so far is added to the problems.
pub type Texts<'t> = dyn FnMut(&mut Vec<Problem>) -> Option<Vec<Expanded>> + 't;

/// The list of gestures in these texts.
const GESTURES: &str = "gesture";

/// An entry of `[[note_on]]`, `[[slur]]`, `[[give_way]]`, `[[note_off]]`, `[[pedal_down]]`, `[[pedal_up]]`, `[[pedal_move]]`, `[[pressure]]` or `[[controller]]`.
pub const PLAYED: Frame = Frame {
    name: GESTURES,
    summary: "a gesture of an instrument: what a note, a pedal, pressure or a controller does",
    sections: Sections::Listed,
    keys: SCORE.keys,
    one_of: SCORE.one_of,
    parameters: &[Parameter {
        name: "delay",
        takes: Takes::Number(Role::Time, Range::NOT_NEGATIVE),
        absent: Absent::Number(0.0),
        doc: "how long after the note, the pedal, the pressure or the controller it begins; of a pluck its pull, so that it sounds `rise` later",
    }],
    rules: &[],
};

/// The number of the controller that begins a gesture.
pub const CONTROLLER: Key = Key {
    name: "number",
    required: true,
    form: Form::Controller,
    example: "2",
    doc: "the controller of MIDI: 2 is breath, 1 modulation; not one with a meaning of its own: volume, expression, pedals, banks and parameters",
};

impl Excitation<'_> {
    /// Reads every gesture of an instrument; `None` where one is wrong, which is among the problems.
    pub fn note_gestures(&mut self, texts: &mut Texts<'_>) -> Option<Vec<GesturePlan>> {
        let mut all = Some(Vec::new());
        // All are read, so that all problems are found.
        while let Some(texts) = texts(self.problems) {
            let parsed = parallel::map(texts.iter().collect(), parse);
            for (text, (document, problems)) in texts.iter().zip(parsed) {
                let before = [self.problems.len(), self.warnings.len(), self.unusual.len()];
                self.problems.extend(problems);
                let list = document.as_ref().and_then(|document| document.get_ref().get(GESTURES));
                let list = list.and_then(|list| list.get_ref().as_array());
                for entry in list.into_iter().flat_map(|list| list.iter()) {
                    let table = entry.get_ref().as_table();
                    let section = |table| Section { title: GESTURES.into(), span: entry.span(), table };
                    let read = table.and_then(|table| self.note_gesture(&section(table)));
                    all = all.zip(read).map(|(mut all, read)| {
                        all.push(read);
                        all
                    });
                }
                // The text is dropped; what was found stands where it comes from.
                let reader: &mut Reader<'_> = self;
                let found = [&mut *reader.problems, &mut reader.warnings, &mut reader.unusual];
                for (found, before) in found.into_iter().zip(before) {
                    let new = found.split_off(before).into_iter();
                    found.extend(new.map(|problem| problem.of_instrument(|span| text.source(span))));
                }
            }
        }
        all
    }

    fn note_gesture(&mut self, section: &Section<'_>) -> Option<GesturePlan> {
        let Gestured { input, shape, values } = self.gesture(&PLAYED, section)?;
        let delay = values.number("delay").unwrap_or(0.0);
        Some(GesturePlan { input: self.gesture_inputs[input].number, shape, delay })
    }
}
