//! The lines of registries.

use super::{
    complaint::{Complaint, Complaints},
    table::Kind,
    values::Values,
};

/// A line of a registry: how a kind describes itself, and how it is made from values read against its table.
pub struct Entry<T> {
    /// Its name, equations and parameters.
    pub kind: Kind,
    /// Makes the part of values that keep the rules.
    pub make: fn(&Values) -> Result<T, Complaint>,
}

impl<T> Entry<T> {
    /// The part of these values.
    ///
    /// # Errors
    /// All that is missing and every rule that is broken; else what the part itself refuses.
    pub fn build(&self, values: &Values) -> Result<T, Complaints> {
        let complaints = self.kind.table().check(values);
        if complaints.is_empty() { Ok((self.make)(values)?) } else { Err(Complaints(complaints)) }
    }
}
