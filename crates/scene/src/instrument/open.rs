//! From the file of an instrument to its plan: it is expanded into the text of a scene, which is read like any other.

use super::{
    batches::Batches,
    cache::Cache,
    definition::Definition,
    expand::{Expander, is_instrument},
    keys::Tuning,
    repeated::distinct,
    sink::Sink,
    table::TableCurve,
};
use crate::{
    document::{
        diagnostics::Diagnostics, expanded::Expanded, problem::Problem, section::Section, set::Set, syntax,
        text::SceneText,
    },
    limits::Limits,
    resolve::{self, PLAYER, tension::form_of},
    scene::Scene,
};
use hamiltone_core::input::Action;
use hamiltone_gestures::{note::equal_temperament, performance::controller::MODULATION};
use hamiltone_numerics::formula::{Step, parse};
use hamiltone_plan::{
    BodyPlan,
    instrument::{InstrumentPlan, TensionPlan},
    parameter::{Changes, ParameterPlan},
};
use std::{path::Path, time::SystemTime};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// An instrument: its text with every change made, not yet checked.
///
/// ```
/// use hamiltone_scene::instrument::Instrument;
///
/// let text = "hamiltone = 2\n[instrument]\nkeys = \"A4..B4\"\n[key.body.fork]\nkind = \"oscillator\"\nmass = \"2 g\"\n\
///     frequency = \"{frequency} Hz\"\n[key.pickup.fork]\nat = \"fork\"\n\
///     [[note_on]]\ngesture = \"strike\"\nat = \"fork\"\nspeed = \"{velocity} m/s\"\n";
/// let plan = Instrument::new(text, "fork.toml", ".".as_ref(), &[]).plan(48_000.0, None)?;
/// assert_eq!((plan.plan.bodies.len(), plan.notes.units.len()), (3, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Instrument(Scene);

impl From<Scene> for Instrument {
    /// The instrument in a text that was opened as a scene ([`Scene::is_instrument`]).
    fn from(scene: Scene) -> Self {
        Self(scene)
    }
}

impl Instrument {
    /// The instrument in a file, with `sets` applied.
    ///
    /// # Errors
    /// Where the file cannot be read as text, or is larger than its limit.
    pub fn open(path: impl AsRef<Path>, sets: &[Set], limits: Limits) -> Result<Self, Diagnostics> {
        Scene::open_within(path, sets, limits).map(Self)
    }

    /// An instrument from its text; `name` stands in messages and `base` is where file names start from.
    pub fn new(text: &str, name: &str, base: &Path, sets: &[Set]) -> Self {
        Self(Scene::new(text, name, base, sets))
    }

    /// The scene that it stands for, as a text: every copy written out, every formula evaluated.
    ///
    /// # Errors
    /// All that is wrong with keys, tables and formulas.
    pub fn scene(self, rate: f64, tuning: Option<&Tuning<'_>>) -> Result<String, Diagnostics> {
        let (text, _, limits, mut problems) = self.0.into_parts();
        let whole = |mut scene: Expanded,
                     mut batches: Batches<'_>,
                     _: &InstrumentSettings,
                     problems: &mut Vec<Problem>| {
            while let Some(texts) = batches.next(problems) {
                texts.iter().for_each(|text| scene.append(text));
            }
            Some(scene.text().to_string())
        };
        match expanded((&text.merged, &text.name), (rate, tuning), &limits, &mut problems, whole) {
            Some(scene) if problems.is_empty() => Ok(scene),
            _ => Err(wrong(text, problems)),
        }
    }

    /// The plan at a sample rate (Hz) in equal temperament: that of a cache, if it is there, else a new one, which the cache takes.
    /// One of a cache tells nothing of bodies and contacts ([`hamiltone_plan::stored`]).
    ///
    /// ```
    /// use hamiltone_scene::instrument::{Cache, Instrument};
    ///
    /// let (tanpura, cache) = ("../../instruments/tanpura.toml", Cache::within(std::env::temp_dir().join("hamiltone-example")));
    /// let [new, kept] = [(), ()].map(|()| Instrument::open(tanpura, &[], Default::default())?.cached(48_000.0, Some(&cache)));
    /// assert_eq!(new?.gestures, kept?.gestures);
    /// # Ok::<(), hamiltone_scene::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// All that is wrong with the text, its values and the changes.
    pub fn cached(self, rate: f64, cache: Option<&Cache>) -> Result<InstrumentPlan, Diagnostics> {
        self.0.changes()?;
        let Some(cache) = cache else { return self.plan(rate, None) };
        let Some(file) = cache.file(&self.0, rate) else { return self.plan(rate, None) };
        if let Some(plan) = Cache::find(&file) {
            return Ok(plan);
        }
        let begin = SystemTime::now();
        let plan = self.plan(rate, None)?;
        // A plan that cannot be kept is made again the next time.
        cache.keep(&file, &plan, begin);
        Ok(plan)
    }

    /// The plan at a sample rate (Hz), in a tuning; without one in equal temperament by `run.a4`.
    ///
    /// # Errors
    /// All that is wrong with the text, its values and the changes.
    pub fn plan(self, rate: f64, tuning: Option<&Tuning<'_>>) -> Result<InstrumentPlan, Diagnostics> {
        let (mut text, base, limits, mut problems) = self.0.into_parts();
        let (source, name) = (text.merged.clone(), text.name.clone());
        let resolved = |scene: Expanded,
                        mut batches: Batches<'_>,
                        read: &InstrumentSettings,
                        problems: &mut Vec<Problem>| {
            text.stand_for(scene);
            let document = syntax::parse(text.read(), problems)?;
            let templates = batches.templates();
            let next = &mut |problems: &mut Vec<Problem>| batches.next(problems);
            let (mut plan, played) =
                resolve::instrument(&document, &text, &base, &limits, problems, next, &templates)?;
            let Definition { sleep, velocity_curve, pedal_curve, vibrato, .. } = &read.definition;
            if vibrato.pressure > 0.0 && !plan.system.is_blown() {
                plan.warnings.push(
                    "`vibrato_pressure` has no effect: no contact has the law `reed`, `lips` or `jet`".into(),
                );
            }
            let resolve::Played { gestures, transfers, parameters, bends } = played;
            let tension = |body: &BodyPlan| {
                let dofs = body.placed.dofs.clone();
                let form = form_of(&plan.system, &body.placed);
                let share = body.placed.representation.tension_stiffness();
                let share = share.or_else(|| form.map(|_| Vec::new()))?;
                let strains = |input: &usize| match &plan.system.inputs[*input].action {
                    Action::Strain(forms) => form.is_some_and(|form| forms.contains(&form)),
                    _ => false,
                };
                Some(TensionPlan { dofs, share, strain: bends.iter().copied().find(strains) })
            };
            let tensions: Vec<TensionPlan> = plan.bodies.iter().filter_map(tension).collect();
            let asks_program = batches.asks_program;
            let notes = batches.notes();
            let without = match (notes.programs.is_empty(), asks_program) {
                (true, true) => Some("`program` is −1 in all formulas: [instrument] has no `programs`"),
                (false, false) => {
                    Some("`programs` has no effect: no formula of a gesture of notes names `program`")
                }
                (false, true) if !notes.has_programs() => {
                    Some("`programs` has no effect: notes do the same in all of them")
                }
                _ => None,
            };
            plan.warnings.extend(without.map(Into::into));
            if notes.keys_at_first().next().is_none() {
                let none = "no key does anything: no gesture of [[note_on]] is there in the program that is chosen at first";
                plan.warnings.push(none.into());
            }
            if vibrato.depth > 0.0 && tensions.is_empty() {
                plan.warnings.push("`vibrato_depth` has no effect: no body is a string by its modes, whose tension can change".into());
            }
            let follows = |number: u8| {
                let keys = || notes.units.iter().flat_map(|unit| &unit.keys);
                let vibrates = vibrato.depth > 0.0 || vibrato.pressure > 0.0;
                number == MODULATION && vibrates
                    || keys().any(|of| of.controllers.iter().any(|(known, _)| *known == number))
            };
            plan.warnings.extend(parameters.iter().filter_map(|ParameterPlan { name, changes, .. }| {
                match changes {
                    Changes::Tension if tensions.is_empty() => Some(format!(
                        "parameter `{name}` has no effect: no body is a string by its modes, whose tension can change"
                    )),
                    Changes::Inputs(none) | Changes::Pickups(none) if none.is_empty() => Some(format!(
                        "parameter `{name}` has no effect: no key has what it multiplies, or no gesture acts on it"
                    )),
                    Changes::Controller(number) if !follows(*number) => {
                        Some(format!("parameter `{name}` has no effect: no [[controller]] has number = {number}"))
                    }
                    _ => None,
                }
            }));
            Some(InstrumentPlan {
                plan,
                notes,
                gestures,
                transfers,
                tensions,
                parameters,
                sleep: *sleep,
                velocity_curve: velocity_curve.clone(),
                pedal_curve: pedal_curve.clone(),
                vibrato: *vibrato,
                a4: read.a4,
                is_tuned: read.is_tuned,
                oversampling: read.oversampling,
            })
        };
        match expanded((&source, &name), (rate, tuning), &limits, &mut problems, resolved) {
            Some(plan) if problems.is_empty() => Ok(plan),
            _ => Err(wrong(text, problems)),
        }
    }
}

/// What is wrong, each mistake once.
fn wrong(text: SceneText, problems: Vec<Problem>) -> Diagnostics {
    let problems = distinct(&text, problems);
    Diagnostics::new(text, problems)
}

/// What `then` makes of the scene that the text of an instrument stands for, of its gestures and of what it says of itself.
fn expanded<T>(
    (source, name): (&str, &str),
    (rate, tuning): (f64, Option<&Tuning<'_>>),
    limits: &Limits,
    problems: &mut Vec<Problem>,
    then: impl FnOnce(Expanded, Batches<'_>, &InstrumentSettings, &mut Vec<Problem>) -> Option<T>,
) -> Option<T> {
    let document = syntax::parse(source, problems)?;
    let mut read = read(document.get_ref(), name, problems)?;
    let a4 = read.a4;
    let equal = |key: f64| equal_temperament(key, a4);
    let tuning = tuning.unwrap_or(&equal);
    read.definition.tune(tuning);
    let expander = Expander::new(source, document.get_ref(), &read.definition, tuning);
    let mut sink = Sink::new(limits);
    let scene = expander.expand(rate, &mut sink);
    problems.extend(sink.clone().into_problems());
    let mut batches = Batches::new(expander, limits, sink);
    if problems.is_empty() {
        return then(scene, batches, &read, problems);
    }
    // What is wrong with formulas of gestures is said with the rest.
    while batches.next(problems).is_some() {}
    None
}

/// The settings of an instrument that scenes of its keys need.
struct InstrumentSettings {
    definition: Definition,
    /// The frequency of A4, Hz.
    a4: f64,
    oversampling: Option<usize>,
    is_tuned: bool,
}

/// The variable that the tuning gives.
const FREQUENCY: &str = "frequency";

/// Whether a formula in a value has the frequency of a key: the variable `frequency`, one of `tables` over it, or `hz`.
fn asks_for_frequency(value: &DeValue<'_>, tables: &[(String, TableCurve)]) -> bool {
    let is_over = |name: &str| tables.iter().any(|(known, curve)| known == name && curve.over == FREQUENCY);
    let asks = |step: &Step<'_>| match step {
        Step::Name { name, .. } => *name == FREQUENCY || is_over(name),
        Step::Call { name, .. } => *name == "hz",
        _ => false,
    };
    match value {
        DeValue::String(text) => text
            .split('{')
            .skip(1)
            .filter_map(|rest| parse(rest.split('}').next()?).ok())
            .any(|steps| steps.iter().any(asks)),
        DeValue::Array(values) => values.iter().any(|value| asks_for_frequency(value.get_ref(), tables)),
        DeValue::Table(table) => table.values().any(|value| asks_for_frequency(value.get_ref(), tables)),
        _ => false,
    }
}

fn read(document: &DeTable<'_>, name: &str, problems: &mut Vec<Problem>) -> Option<InstrumentSettings> {
    let root = Section { title: "the instrument".into(), span: 0..0, table: document };
    let player = root.table.get(PLAYER).filter(|_| !is_instrument(&root));
    if let Some(span) = player.map(Spanned::span) {
        let problem = Problem::new("this is an ensemble, not an instrument", span, "");
        problems.push(problem.help("name the instruments that its players have, one by one"));
        return None;
    }
    if !is_instrument(&root) {
        let problem =
            Problem::new("this is a scene, not an instrument: it has no section `instrument`", 0..0, "");
        problems.push(problem.help(format!(
            "render it with `hamiltone render {} -o out.wav`, or add [instrument] with keys = \"A0..C8\"",
            name
        )));
        return None;
    }
    for name in ["drive", "score"] {
        if let Some((key, _)) = root.table.get_key_value(name) {
            let message = format!("an instrument has no `{name}`: it is played");
            let problem = Problem::new(message, key.span(), "not played");
            problems.push(problem.help("write what acts on it as gestures under [[note_on]]"));
        }
    }
    for (key, why) in [
        ("sample_rate", "an instrument is played at any rate: use --rate"),
        ("duration", "a song has the duration"),
    ] {
        let run = root.table.get("run").and_then(|run| run.get_ref().as_table());
        if let Some((key, _)) = run.and_then(|run| run.get_key_value(key)) {
            let message = format!("run: an instrument has no `{}`", key.get_ref());
            problems
                .push(Problem::new(message, key.span(), "no effect").help(format!("leave it out; {why}")));
        }
    }
    for name in ["pedal_down", "pedal_up"] {
        if let (Some((key, _)), true) =
            (root.table.get_key_value(name), root.table.contains_key("pedal_move"))
        {
            let message = format!("`pedal_move` and `{name}` exclude one another");
            let problem = Problem::new(message, key.span(), "a pedal that is down or up");
            problems.push(problem.help(
                "leave out pedal_down and pedal_up where pedal_move follows the position of the pedal, 0 and 1 included",
            ));
        }
    }
    let level = root
        .find("output.level")
        .filter(|level| level.get_ref().as_str().is_some_and(|level| level.starts_with("peak")));
    if let Some(level) = level {
        let problem = Problem::new(
            "output: the peak of an instrument is not known while it is played",
            level.span(),
            "no effect",
        );
        problems.push(problem.help("write level = \"reference -12 dB\", or \"gain 0 dB\""));
    }
    if !root.table.contains_key("note_on") {
        let problem = Problem::new("no note does anything: `[[note_on]]` is missing", 0..0, "");
        problems.push(problem.help("write [[note_on]] with a gesture (see `hamiltone list gestures`)"));
    }
    let definition = Definition::read(&root, problems)?;
    let is_tuned = root.table.values().any(|value| asks_for_frequency(value.get_ref(), &definition.tables));
    let (a4, oversampling) = (resolve::a4(&root), stated_oversampling(root.table));
    Some(InstrumentSettings { definition, a4, oversampling, is_tuned })
}

/// `run.oversampling`, where it is a number; what is wrong with it is said when `[run]` is read.
fn stated_oversampling(root: &DeTable<'_>) -> Option<usize> {
    let value = root.get("run")?.get_ref().as_table()?.get("oversampling")?;
    value.get_ref().as_integer()?.as_str().parse().ok()
}

#[cfg(test)]
mod tests {
    use crate::{instrument::expand::SECTIONS, resolve::instrument_frames};

    /// Sections that are read are those that `describe` and the JSON Schema tell of.
    #[test]
    fn all_that_instruments_read_is_described() {
        let frames = instrument_frames();
        let names =
            frames.iter().map(|frame| frame.name).filter(|name| !["transfer", "parameter"].contains(name));
        assert_eq!(names.collect::<Vec<_>>(), SECTIONS);
    }

    /// By the variable, a table over it or `hz`, in values alone: not in comments and other names.
    #[test]
    fn formulas_with_the_frequency_of_a_key_make_an_instrument_tuned() {
        let is_tuned = |more: &str, frequency: &str| {
            let text = format!(
                "hamiltone = 2\ntitle = \"at a frequency\"\n# {{frequency}}\n[instrument]\nkeys = \"A4..B4\"\n{more}\n\
                 [key.body.fork]\nkind = \"oscillator\"\nmass = \"2 g\"\nfrequency = \"{frequency} Hz\"\n\
                 [key.pickup.fork]\nat = \"fork\"\n\
                 [[note_on]]\ngesture = \"strike\"\nat = \"fork\"\nspeed = \"{{velocity}} m/s\"\n"
            );
            let plan = super::Instrument::new(&text, "fork.toml", ".".as_ref(), &[]).plan(48_000.0, None);
            plan.unwrap_or_else(|error| panic!("{text}\n{error}")).is_tuned
        };
        let table = |over: &str| format!("[table.pitch]\nover = \"{over}\"\npoints = [[1, 1], [1000, 1000]]");
        assert!(is_tuned("", "{frequency}") && is_tuned("", "{2*hz(key)}"));
        assert!(is_tuned(&table("frequency"), "{pitch}"));
        assert!(!is_tuned("", "{440 + key}") && !is_tuned(&table("key"), "{pitch}"));
    }
}
