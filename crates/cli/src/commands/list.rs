//! `hamiltone list`: the bodies, contact laws, drives and schemes that a scene can use.

use crate::{exit, failure::Failure, output::say};
use hamiltone_scene::catalogue::Category;

/// Lists one category, or all of them.
pub fn run(category: Option<&str>) -> Result<u8, Failure> {
    let shown = Category::ALL.into_iter().filter(|c| category.is_none_or(|name| name == c.name()));
    for (i, category) in shown.enumerate() {
        let (section, key) = category.place();
        let blank = if i == 0 { "" } else { "\n" };
        say!(
            "{blank}{} ({key} of [{section}{}])",
            category.name(),
            if section == "run" { "" } else { ".NAME" }
        );
        let kinds = category.kinds();
        let width = kinds.iter().map(|kind| kind.name.chars().count()).max().unwrap_or(0);
        for kind in kinds {
            say!("  {:width$}  {}", kind.name, kind.summary);
        }
    }
    say!("\n`hamiltone describe NAME` shows equations and parameters.");
    Ok(exit::OK)
}
