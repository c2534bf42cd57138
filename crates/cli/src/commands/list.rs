//! `hamiltone list`: the bodies, contact laws, drives, gestures and schemes that a scene can use; of pickups, links, outputs and places
//! what `describe` tells.

use super::describe;
use crate::{exit, failure::Failure, output::say};
use hamiltone_scene::{catalogue::Category, resolve};

/// What stands in a scene beside the categories, and the name under which it is described: each has one kind.
const OTHERS: [(&str, &str); 4] =
    [("pickups", "pickup"), ("links", "link"), ("outputs", "output"), ("places", "place")];

/// The names that [`run`] takes.
pub fn names() -> Vec<&'static str> {
    Category::ALL.map(Category::name).into_iter().chain(OTHERS.map(|(name, _)| name)).collect()
}

/// Lists one category, or all of them; what has one kind is described instead.
pub fn run(category: Option<&str>) -> Result<u8, Failure> {
    if let Some((_, described)) = OTHERS.into_iter().find(|(name, _)| Some(*name) == category) {
        return describe::run(described);
    }
    let shown = Category::ALL.into_iter().filter(|c| category.is_none_or(|name| name == c.name()));
    for (i, category) in shown.enumerate() {
        let (section, key) = category.place();
        let header = resolve::frames().into_iter().find(|frame| frame.name == section);
        let header = header.map_or_else(String::new, |frame| frame.header());
        let blank = if i == 0 { "" } else { "\n" };
        say!("{blank}{} ({key} of {header})", category.name());
        let kinds = category.kinds();
        let width = kinds.iter().map(|kind| kind.name.chars().count()).max().unwrap_or(0);
        for kind in kinds {
            say!("  {:width$}  {}", kind.name, kind.summary);
        }
    }
    let named: Vec<&str> = resolve::instrument_frames().iter().map(|frame| frame.name).collect();
    say!(
        "\n`hamiltone describe NAME` shows equations and parameters, also of `pickup`, `link`, `run`, `output` and `place`,\nand of what instruments have: {}.",
        named.join(", ")
    );
    Ok(exit::OK)
}
