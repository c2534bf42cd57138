//! The text of a scene with changes from the command line put in.
//!
//! `--set contact.felt.gap="0.3 mm"` edits the text before it is read, so that the
//! hash covers it and it is checked like everything else. What is found wrong
//! afterwards still points where the user wrote it: into the file as it is on the
//! disk, or at the `--set`.

use super::{
    edit::{Placed, find, put},
    expanded::Expanded,
    problem::Problem,
    set::Set,
};
use std::ops::Range;
use toml::de::DeTable;
use toml_edit::DocumentMut;

/// Where something stands: in the file, or in the change of this number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Bytes of the file.
    File(Range<usize>),
    /// Bytes of `shown` of a [`Set`].
    Set(usize, Range<usize>),
}

/// The text of a scene, with its changes.
#[derive(Clone, Debug)]
pub struct SceneText {
    /// The file's name, for messages.
    pub name: String,
    /// The file's own text.
    pub file: String,
    /// The text with every change made: what is read and hashed.
    pub merged: String,
    /// The changes.
    pub sets: Vec<Set>,
    /// Which bytes of `merged` come from where in `file`, in order.
    kept: Vec<(Range<usize>, usize)>,
    /// Where each change that took stands in `merged`.
    placed: Vec<Option<Placed>>,
    /// The scene that an instrument of this text stands for, which is read in its place.
    expanded: Option<Expanded>,
}

impl SceneText {
    /// Puts `sets` into `text`; what cannot be put is a problem, and is left out.
    pub fn new(name: &str, text: &str, sets: &[Set], problems: &mut Vec<Problem>) -> Self {
        let mut this = Self {
            name: name.into(),
            file: text.into(),
            merged: text.into(),
            sets: sets.to_vec(),
            kept: vec![(0..text.len(), 0)],
            placed: Vec::new(),
            expanded: None,
        };
        if sets.is_empty() {
            return this;
        }
        let Ok(mut document) = text.parse::<DocumentMut>() else { return this };
        let mut paths = Vec::new();
        for (i, set) in sets.iter().enumerate() {
            paths.push(match put(&mut document, set) {
                Ok(path) => Some(path),
                Err(message) => {
                    problems.push(Problem::on_command_line(i, set, message));
                    None
                }
            });
            this.splice(document.to_string());
        }
        let (table, _) = DeTable::parse_recoverable(&this.merged);
        this.placed = paths.iter().map(|path| path.as_ref().and_then(|p| find(table.get_ref(), p))).collect();
        this
    }

    /// Reads the scene that the text of an instrument stands for in its place.
    pub fn stand_for(&mut self, scene: Expanded) {
        self.expanded = Some(scene);
    }

    /// What is read: the text with its changes, or the scene that an instrument of this text stands for.
    pub fn read(&self) -> &str {
        self.expanded.as_ref().map_or(&self.merged, Expanded::text)
    }

    /// Replaces the merged text by one that differs in one place.
    fn splice(&mut self, new: String) {
        let old = std::mem::replace(&mut self.merged, new);
        let (a, b) = (old.as_bytes(), self.merged.as_bytes());
        let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
        let (cut, grown) = (a.len() - tail, b.len() - tail);
        let kept = std::mem::take(&mut self.kept);
        for (range, at) in kept {
            let before = range.start..range.end.min(head);
            let after = range.start.max(cut)..range.end;
            if !before.is_empty() {
                self.kept.push((before, at));
            }
            if !after.is_empty() {
                let moved = after.start - cut + grown..after.end - cut + grown;
                self.kept.push((moved, at + after.start - range.start));
            }
        }
    }

    /// Where the user wrote what stands at `span` of the text that is read.
    pub fn origin(&self, span: &Range<usize>) -> Origin {
        self.origin_of_merged(&self.expanded.as_ref().map_or(span.clone(), |expanded| expanded.source(span)))
    }

    /// The same of what stands at `span` of the text with its changes.
    pub fn origin_of_merged(&self, span: &Range<usize>) -> Origin {
        for (i, (set, placed)) in self.sets.iter().zip(&self.placed).enumerate().rev() {
            let Some(Placed { keys, value }) = placed else { continue };
            let start = set.shown.len() - set.value.len();
            let new = !self.kept.iter().any(|(range, _)| range.contains(&span.start));
            if keys.last() == Some(span) || (new && keys.contains(span)) {
                return Origin::Set(i, set.shown.find(&set.path).unwrap_or(0)..start.saturating_sub(1));
            }
            if value.start <= span.start && span.end <= value.end {
                return Origin::Set(i, start..set.shown.len());
            }
        }
        let start = self.in_file(span.start);
        Origin::File(start..self.in_file(span.end).max(start))
    }

    /// The byte of the file at, or next before, a byte of the merged text.
    fn in_file(&self, offset: usize) -> usize {
        let before = self.kept.iter().take_while(|(range, _)| range.start <= offset).last();
        before.map_or(0, |(range, at)| at + (offset - range.start).min(range.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "a = 1 # one\n[body.x]\nmass = 1.55\n\n[body.y]\nmass = 3\n";

    fn text(sets: &[&str]) -> (SceneText, Vec<Problem>) {
        let sets: Vec<Set> = sets.iter().map(|s| Set::parse(s).unwrap()).collect();
        let mut problems = Vec::new();
        (SceneText::new("x.toml", FILE, &sets, &mut problems), problems)
    }

    #[test]
    fn values_are_replaced_added_and_traced() {
        let (text, problems) =
            text(&["body.x.mass=1.5", "body.x.kind=\"mass\"", "drive.q.at=x", "body.x.gap=0.3 mm"]);
        assert!(problems.is_empty());
        assert!(text.merged.contains("mass = 1.5\nkind = \"mass\"\ngap = \"0.3 mm\"\n"), "{}", text.merged);
        assert!(text.merged.contains("at = \"x\""));
        let at = |s: &str| text.merged.find(s).map(|i| i..i + s.len()).unwrap();
        let on_command_line = |s: &str| match text.origin(&at(s)) {
            Origin::Set(i, span) => text.sets[i].shown[span].to_string(),
            Origin::File(_) => String::new(),
        };
        assert_eq!(on_command_line("1.5"), "1.5");
        assert_eq!(on_command_line("kind"), "body.x.kind");
        assert_eq!(on_command_line("q"), "drive.q.at");
        assert_eq!(on_command_line("\"0.3 mm\""), "0.3 mm");
        let Origin::File(y) = text.origin(&at("[body.y]")) else { panic!() };
        assert_eq!(&FILE[y], "[body.y]");
        let three = text.merged.rfind('3').unwrap();
        let Origin::File(three) = text.origin(&(three..three + 1)) else { panic!() };
        assert_eq!(&FILE[three], "3");
    }

    #[test]
    fn paths_that_lead_nowhere_are_problems() {
        for (set, says) in
            [("a.b=1", "not a table"), ("body.x=1", "is a table"), ("=1", "no path"), ("a..b=1", "no path")]
        {
            let (text, problems) = text(&[set]);
            assert!(problems[0].message.contains(says), "{set}: {}", problems[0].message);
            assert_eq!(text.merged, FILE);
        }
        assert!(Set::parse("a").is_err());
    }
}
