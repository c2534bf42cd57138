//! Presets: values of the parameters of an instrument, each preset a TOML file in the folder beside the instrument that has its name.
//!
//! ```toml
//! title = "Muffled"          # instruments/piano/muffled.toml, for instruments/piano.toml
//!
//! [parameters]
//! hammer = "80 %"            # or 80, in the unit of the parameter
//! ```

use crate::{
    Scene,
    document::{
        diagnostics::Diagnostics,
        expected::Expected,
        problem::{Problem, printable, printable_path},
        section::Section,
        suggest::suggest,
        syntax, value,
    },
    limits::Limits,
    resolve::stem,
};
use hamiltone_core::parameter::Range;
use hamiltone_plan::parameter::ParameterPlan;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// A preset.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// Its title; without one the name of its file.
    pub title: String,
    /// The value of each parameter of the instrument, in their order; what the preset leaves out has its default.
    pub values: Vec<f64>,
}

/// The presets beside the file of an instrument: their names and files, by name.
pub fn list(instrument: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(instrument.with_extension("")).into_iter().flatten().flatten();
    let files =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let mut all: Vec<_> = files.map(|path| (stem(&path.to_string_lossy()), path)).collect();
    all.sort();
    all
}

/// The file of a preset of an instrument: that of this name beside it, else the file that has the name itself.
///
/// # Errors
/// Where there is neither.
pub fn find(instrument: &Path, name: &str) -> Result<PathBuf, String> {
    let all = list(instrument);
    let known = all.iter().find(|(known, _)| known == name).map(|(_, path)| path.clone());
    known.or_else(|| Path::new(name).is_file().then(|| name.into())).ok_or_else(|| {
        let folder = printable_path(instrument.with_extension(""));
        let help = suggest(name, all.iter().map(|(known, _)| known.as_str()), "presets");
        format!("there is no preset `{}` in {folder}, and no file of this name; {help}", printable(name))
    })
}

/// Reads a preset for an instrument with these parameters.
///
/// ```
/// use hamiltone_scene::instrument::{Instrument, preset};
///
/// let piano = std::path::Path::new("../../instruments/piano.toml");
/// let plan = Instrument::open(piano, &[], Default::default())?.cached(48_000.0, None)?;
/// for (_, file) in preset::list(piano) {
///     assert_eq!(preset::read(&file, &plan.parameters)?.values.len(), plan.parameters.len());
/// }
/// # Ok::<(), hamiltone_scene::Diagnostics>(())
/// ```
///
/// # Errors
/// Where the file cannot be read, names a parameter that the instrument does not have, or a value outside its range.
pub fn read(path: &Path, parameters: &[ParameterPlan]) -> Result<Preset, Diagnostics> {
    let scene = Scene::open_within(path, &[], Limits::default())?;
    let (text, _, _, mut problems) = scene.into_parts();
    let preset = syntax::parse(&text.merged, &mut problems).map(|document| {
        let root = Section { title: "the preset".into(), span: 0..0, table: document.get_ref() };
        root.refuse_unknown(&["title", "parameters"], &mut problems);
        let title = root.text("title", &mut problems).map_or_else(|| stem(&text.name), Into::into);
        Preset { title, values: values(&root, parameters, &mut problems) }
    });
    match preset {
        Some(preset) if problems.is_empty() => Ok(preset),
        _ => Err(Diagnostics::new(text, problems)),
    }
}

fn values(root: &Section<'_>, parameters: &[ParameterPlan], problems: &mut Vec<Problem>) -> Vec<f64> {
    let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.default).collect();
    let Some(table) = root.table.get("parameters").and_then(|value| value.get_ref().as_table()) else {
        let span = root.table.get("parameters").map_or(0..0, Spanned::span);
        let problem = Problem::new("the preset has no section `parameters`", span, "");
        problems.push(problem.help("write [parameters] with a value for each parameter that it changes"));
        return values;
    };
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        let Some(number) = parameters.iter().position(|known| known.name == name) else {
            let problem =
                Problem::new(format!("the instrument has no parameter `{name}`"), key.span(), "unknown");
            let names = parameters.iter().map(|known| known.name.as_str());
            problems.push(problem.help(suggest(name, names, "parameters")));
            continue;
        };
        let ParameterPlan { unit, range: [min, max], .. } = parameters[number];
        let range = Range { min, max, open: false };
        let expected = Expected { units: vec![unit.symbol().into()], range, whole: false };
        match value::number(value, &expected) {
            Ok(value) => values[number] = value,
            Err(wrong) => {
                let section = Section { title: "parameters".into(), span: 0..0, table };
                problems.push(section.wrong_value(name, wrong));
            }
        }
    }
    values
}
