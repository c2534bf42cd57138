//! A sweep: one scene with all combinations of the values of its axes, one row of features a run.
//!
//! The last axis varies fastest. A run that is refused, fails or is out of tune is a row like any other, with its verdict and
//! its reason. Rows are independent of each other: they may be computed in any order, on any number of threads and
//! machines, to the same numbers.

pub mod journal;

use crate::{
    axis::Axis,
    failure::Failure,
    features::{self, Row},
    source::Source,
};
use hamiltone_numerics::parallel;
use hamiltone_render::{
    Options, Outcome, RunError, Sink, checkpoint::ARITHMETIC, run_with, sinks::sounds::sounds,
};
use hamiltone_scene::{
    Diagnostics, Plan, Problem, Set,
    digest::sha256,
    document::{
        diagnostics::Located,
        problem::{Place, printable_path},
    },
    units::Quantity,
};
use rayon::{ThreadPool, prelude::*};
use serde_json::{Value, json};
use std::{
    fs,
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

/// The most runs of a sweep.
const MAX_RUNS: usize = 1_000_000;

/// A sweep, or one of the parts of it that different machines run.
#[derive(Clone)]
pub struct Sweep {
    source: Source,
    axes: Vec<Axis>,
    /// (i, n): of every n runs the i-th, from 0.
    shard: (usize, usize),
    /// The folder of the sounds, if they are kept.
    audio: Option<PathBuf>,
    /// The digests of the files that the scene reads.
    inputs: Vec<String>,
}

impl Sweep {
    /// A sweep of a scene over the values of these axes.
    ///
    /// # Errors
    /// No axis, a parameter with two axes, or too many combinations.
    pub fn new(source: Source, axes: Vec<Axis>) -> Result<Self, String> {
        if axes.is_empty() {
            return Err("a sweep needs a parameter: --over path=from:to:count".into());
        }
        for (i, axis) in axes.iter().enumerate() {
            if axes[..i].iter().any(|other| other.path == axis.path) {
                return Err(format!("`{}` is swept over twice", axis.path));
            }
        }
        let count = axes.iter().try_fold(1_usize, |count, axis| count.checked_mul(axis.values.len()));
        match count.filter(|count| *count <= MAX_RUNS) {
            Some(_) => Ok(Self { source, axes, shard: (0, 1), audio: None, inputs: Vec::new() }),
            None => Err(format!("more than {MAX_RUNS} combinations; sweep over fewer values")),
        }
    }

    /// The i-th of n parts of the sweep, from 1: every n-th run.
    ///
    /// # Errors
    /// A part that there is not, or that has no runs.
    pub fn shard(mut self, i: usize, n: usize) -> Result<Self, String> {
        if !(1..=n).contains(&i) {
            return Err(format!("there is no part {i} of {n}: parts are numbered from 1 to {n}"));
        }
        let count = self.count();
        if i > count {
            return Err(format!("part {i} of {n} has no runs: the sweep has {count} in all"));
        }
        self.shard = (i - 1, n);
        Ok(self)
    }

    /// The same with the sound of each run in a folder, as `NUMBER.wav`.
    #[must_use]
    pub fn keep_audio(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.audio = Some(std::path::absolute(&folder).unwrap_or(folder));
        self
    }

    /// The folder of the sounds, if they are kept.
    pub fn audio(&self) -> Option<&PathBuf> {
        self.audio.as_ref()
    }

    /// The number of runs of the whole sweep.
    pub fn count(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// The numbers of the runs of this part.
    pub fn runs(&self) -> impl Iterator<Item = usize> + use<> {
        (self.shard.0..self.count()).step_by(self.shard.1)
    }

    /// What the journal of this sweep is recognised by: the scene with the files that it reads, as [`Sweep::check`] found them, its axes, the
    /// part, and the program.
    pub fn digest(&self) -> String {
        let axes: Vec<Value> = self.axes.iter().map(|axis| json!([axis.path, axis.values])).collect();
        let audio = self.audio.as_ref().map(|folder| folder.display().to_string());
        let program = json!([env!("CARGO_PKG_VERSION"), ARITHMETIC]);
        let all = json!([program, self.source.text, self.inputs, axes, self.shard.0, self.shard.1, audio]);
        sha256(all.to_string().as_bytes())
    }

    /// Checks that the paths of the axes lead somewhere and that no output takes the place of an input, creates the folders of the
    /// outputs, and reads what the scene reads for the digest. `outputs` have what messages call them.
    ///
    /// # Errors
    /// What is wrong with the scene besides the values of the axes, which are matters of their rows; an output that is an input, or that
    /// cannot be created.
    pub fn check(&mut self, outputs: &[(&str, PathBuf)]) -> Result<(), Failure> {
        let last = self.count() - 1;
        let mut wrong = None;
        for number in [0, last / 2, last] {
            match self.source.plan(&self.sets(number)) {
                Ok(plan) => return self.check_files(plan.inputs, outputs),
                Err(diagnostics) => wrong = wrong.or(Some(diagnostics)),
            }
        }
        match wrong.filter(|diagnostics| !self.is_of_values(diagnostics)) {
            Some(diagnostics) => Err(Failure::Scene(diagnostics)),
            None => self.check_files(Vec::new(), outputs),
        }
    }

    /// Whether all that is wrong with a run is values of the axes; a misspelt path makes something else incomplete.
    fn is_of_values(&self, diagnostics: &Diagnostics) -> bool {
        let located = diagnostics.located();
        let of_axis = |(problem, located): (&Problem, &Located)| {
            let placed = matches!(problem.labels[0].place, Place::Text(_));
            placed && !problem.is_unknown_key() && self.axes.iter().any(|axis| axis.path == located.field)
        };
        diagnostics.problems.iter().zip(&located).all(of_axis)
    }

    /// The same of the files that any run may read, `inputs` among them.
    fn check_files(&mut self, mut inputs: Vec<PathBuf>, outputs: &[(&str, PathBuf)]) -> Result<(), Failure> {
        let named = self.source.files(self.axes.iter().flat_map(|axis| &axis.values));
        inputs.extend(named.into_iter().filter(|path| !inputs.contains(path)).collect::<Vec<_>>());
        self.source.check_outputs(&inputs, outputs)?;
        let inside = |input: &&PathBuf| {
            let folder = self.audio.as_ref().zip(std::path::absolute(input).ok());
            folder.is_some_and(|(folder, input)| input.parent() == Some(folder))
        };
        if let Some(input) = inputs.iter().chain(&self.source.file).find(inside) {
            let input = printable_path(input);
            return Err(format!("the folder of the sounds holds an input, `{input}`; choose another").into());
        }
        if let Some(folder) = &self.audio {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot write to `{}`: {error}", printable_path(folder)))?;
        }
        // What cannot be read any more makes its rows invalid.
        let digest = |path: &PathBuf| fs::read(path).map_or(String::new(), |bytes| sha256(&bytes));
        self.inputs = inputs.iter().map(digest).collect();
        Ok(())
    }

    /// The changes of a run.
    fn sets(&self, mut number: usize) -> Vec<Set> {
        let mut sets = Vec::new();
        for axis in self.axes.iter().rev() {
            sets.push(axis.set(number % axis.values.len()));
            number /= axis.values.len();
        }
        sets.reverse();
        sets
    }

    /// The row of a run; `None` where it was stopped.
    pub fn row(&self, number: usize, stop: &AtomicBool) -> Option<Row> {
        let sets = self.sets(number);
        let mut row = Row::new();
        row.insert("run".into(), number.into());
        row.extend(sets.iter().map(|set| (set.path.clone(), parameter(&set.value))));
        let (reason, features) = match self.source.plan(&sets) {
            Err(diagnostics) => (diagnostics.lines().join("\n"), verdict("invalid")),
            Ok(plan) => match self.run(&plan, number, stop) {
                Err(RunError::Stopped) => return None,
                Err(error) => (error.to_string(), verdict("refused")),
                Ok(outcome) => match features::of(&plan, &outcome) {
                    Ok(features) => (outcome.reason(&plan), features),
                    Err(error) => (error.to_string(), verdict("refused")),
                },
            },
        };
        let mut features = features.into_iter();
        row.extend(features.next());
        row.insert("reason".into(), reason.into());
        row.extend(features);
        Some(row)
    }

    fn run(&self, plan: &Plan, number: usize, stop: &AtomicBool) -> Result<Outcome, RunError> {
        let mut files = match &self.audio {
            // A name with this extension has a format.
            Some(folder) => sounds(&folder.join(format!("{number:06}.wav")), plan).ok(),
            None => None,
        };
        let mut sinks: Vec<&mut dyn Sink> = files.iter_mut().map(|files| files as &mut dyn Sink).collect();
        let options =
            Options { stop: Some(stop), prepared: Some(&self.source.shared.prepared), ..Options::default() };
        run_with(plan, &mut sinks, &mut |_, _| {}, options)
    }

    /// Computes the rows of these runs on these threads and hands over each as it is complete; it ends early when `stop` becomes true or
    /// `each` fails.
    ///
    /// # Errors
    /// The first of `each`.
    pub fn all<E>(
        &self,
        threads: &ThreadPool,
        runs: &[usize],
        stop: &AtomicBool,
        mut each: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let (rows, complete) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let one = |rows: &mut mpsc::Sender<Row>, number: &usize| {
                    if stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    rows.send(parallel::at_most(1, || self.row(*number, stop))?).ok()
                };
                let all = || runs.par_iter().with_max_len(1).try_for_each_with(rows, one);
                let _ = threads.install(all);
            });
            let mut ended = Ok(());
            for row in complete {
                if ended.is_ok() {
                    ended = each(row);
                }
                if ended.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            ended
        })
    }
}

/// A value of an axis as a cell: a number in SI units where it is one or a quantity.
fn parameter(value: &str) -> Value {
    Quantity::parse(value).map_or_else(|_| value.into(), |quantity| json!(quantity.value))
}

fn verdict(word: &str) -> Row {
    Row::from_iter([("verdict".to_string(), word.into())])
}
