//! Forces that scenes at random give as a table, inline or as a file: written here again.
//!
//!   V = Σ (fᵢ + fᵢ₊₁)/2 (xᵢ₊₁ − xᵢ),   beyond the last pair with the last slope

use super::scene::{File, Section};
use toml::Value;

/// The pairs, from (0, 0) on.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceTable(Vec<(f64, f64)>);

impl ForceTable {
    /// The table of a section, with the files of its scene.
    pub fn of(section: &Section, files: &[File]) -> Option<Self> {
        let inline = |pair: &Value| Some((pair.get(0)?.as_float()?, pair.get(1)?.as_float()?));
        let mut pairs: Vec<(f64, f64)> = match section.keys.get("points") {
            Some(points) => points.as_array()?.iter().map(inline).collect::<Option<_>>()?,
            None => {
                let (_, bytes) = files.iter().find(|(name, _)| Some(&**name) == section.text("file"))?;
                let text = std::str::from_utf8(bytes).ok()?;
                let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
                let names = lines.next()?;
                let column = |name: &str| names.iter().position(|own| *own == name);
                let (x, f) = (column("penetration")?, column("force")?);
                lines
                    .map(|line| Some((line[x].parse().ok()?, line[f].parse().ok()?)))
                    .collect::<Option<_>>()?
            }
        };
        if pairs.first()?.0 > 0.0 {
            pairs.insert(0, (0.0, 0.0));
        }
        Some(Self(pairs))
    }

    /// V and V′.
    pub fn at(&self, x: f64) -> [f64; 2] {
        let (mut energy, mut force) = (0.0, 0.0);
        for (i, two) in self.0.windows(2).enumerate() {
            let [(a, f), (b, g)] = [two[0], two[1]];
            let end = if i + 2 < self.0.len() { x.min(b) } else { x };
            if end > a {
                force = f + (g - f) / (b - a) * (end - a);
                energy += 0.5 * (f + force) * (end - a);
            }
        }
        [energy, force]
    }
}
