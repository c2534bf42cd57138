//! How a kind of part describes itself: its parameters, with roles, ranges and defaults, and the rules between them.
//!
//! One table a kind is the only list there is: reading a scene, checking it,
//! `describe`, the error messages and the JSON Schema all read it.

mod check;
mod columns;
mod complaint;
mod entry;
mod range;
mod role;
mod rule;
mod table;
mod usual;
mod values;

pub use columns::Columns;
pub use complaint::{Complaint, Complaints};
pub use entry::Entry;
pub use range::Range;
pub use role::{DriveQuantity, Forces, Role};
pub use rule::{OneOf, Rule};
pub use table::{Absent, Column, Kind, Parameter, SWITCH, Table, Takes, written};
pub use usual::Usual;
pub use values::{Detail, Value, Values};
