//! A paper that is reproduced.

use crate::figure::Item;

/// A paper that is reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Its folder: `author_year`, or a page's own name.
    pub name: &'static str,
    /// Author, title, year.
    pub reference: &'static str,
    /// Its figures and tables.
    pub items: &'static [Item],
}
