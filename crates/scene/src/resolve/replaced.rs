//! What is left behind where the command line replaces a kind by another: the file's values of the first kind.

use super::reader::Reader;
use crate::document::{problem::Problem, section::Section, text::Origin};
use hamiltone_core::parameter::Parameter;
use std::ops::Range;

impl Reader<'_> {
    /// The keys of `table` that the file gives to the kind at `key` of `section`, where the command line names another
    /// kind that takes none of them: each is worth a warning.
    pub fn left_behind<'s>(
        &mut self,
        (section, key): (&Section<'_>, &str),
        table: &Section<'s>,
        parameters: &[Parameter],
        own: &[&str],
    ) -> Vec<&'s str> {
        let on_command_line = |span: &Range<usize>| matches!(self.text.origin(span), Origin::Set(..));
        if !section.table.get(key).is_some_and(|kind| on_command_line(&kind.span())) {
            return Vec::new();
        }
        let known = |name: &str| own.contains(&name) || parameters.iter().any(|p| p.name == name);
        let left: Vec<_> = table
            .table
            .iter()
            .filter(|(key, _)| !known(key.get_ref()) && !on_command_line(&key.span()))
            .collect();
        for (name, _) in &left {
            let message =
                format!("{}: `{}` is of another {key} and is left out", table.title, name.get_ref());
            self.warnings.push(Problem::new(message, name.span(), "left out"));
        }
        left.into_iter().map(|(key, _)| key.get_ref().as_ref()).collect()
    }
}
