//! What every shipped scene costs: its energy balance and audit over the same steps without, and what `hamiltone check` predicts of
//! a render over what it takes.
//!
//! `cargo build --release -p hamiltone-cli && cargo bench -p hamiltone-benches --bench scenes`, with `-- balance` or `-- cost` one of
//! the two, and behind it words of names for these scenes alone; `--program PATH` predicts and renders with another program.
//!
//! Steps are those of the plan with its drives and outputs, each audited, of whole runs or of their first part, and `render` those of a
//! whole render in memory, which also observes contacts and decimates; ratios are those of the least
//! processor time of several turns. Predictions and renders are processor times of whole commands, the least of several.
//! The tables are archived in `benches/archive`.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

use hamiltone_benches::{
    archive::{self, Table},
    command,
    machine::Machine,
    timing::{least_in_turns, seconds},
};
use hamiltone_core::{
    audit::{AUDIT_INTERVAL, Audit},
    ledger::Bookkeeping,
    simulation::run_block,
    stepper::{Activity, Gaps},
};
use hamiltone_render::run::BLOCK;
use hamiltone_scene::{Plan, Scene};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Turns, of which the fastest counts.
const TURNS: usize = 5;
/// The longest part of a run that is timed, s.
const SECONDS: f64 = 0.2;
/// What the balance may cost, as a factor of the steps without.
const ALLOWED: f64 = 1.15;
/// Renders that take longer are made once, s.
const LONG: f64 = 5.0;
/// By what factor a prediction may be off.
const CLOSE: f64 = 1.5;

fn main() -> Result<(), String> {
    let mut words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let program = match words.iter().position(|word| word == "--program") {
        Some(i) if i + 1 < words.len() => PathBuf::from(words.drain(i..i + 2).nth(1).unwrap_or_default()),
        _ => command::hamiltone()?,
    };
    let only = words.first().filter(|word| matches!(&***word, "balance" | "cost")).cloned();
    let names = &words[usize::from(only.is_some())..];
    let scenes: Vec<PathBuf> = scenes()?
        .into_iter()
        .filter(|path| names.is_empty() || names.iter().any(|name| path.to_string_lossy().contains(name)))
        .collect();
    let wanted = |table| only.as_deref().is_none_or(|only| only == table);
    let mut tables = Vec::new();
    if wanted("balance") {
        tables.push(balances(&scenes)?);
    }
    if wanted("cost") {
        tables.push(costs(&scenes, &program)?);
    }
    let machine = Machine::here("scenes");
    let table = only.map_or("scenes".to_string(), |only| format!("scenes-{only}"));
    let path = archive::write(&archive::usual_folder(), &table, &machine, "", &tables);
    println!("written: {}", path.map_err(|error| error.to_string())?.display());
    Ok(())
}

/// Every scene that is shipped.
fn scenes() -> Result<Vec<PathBuf>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let mut found = Vec::new();
    for folder in [root.clone(), root.join("defaults")] {
        let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let scenes = files.filter_map(|file| Some(file.ok()?.path()));
        let mut scenes: Vec<_> =
            scenes.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
        scenes.sort();
        found.extend(scenes);
    }
    Ok(found)
}

/// The name of a scene, with its folder where that is not the usual one.
fn name(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let nested = path.parent().is_some_and(|folder| folder.ends_with("defaults"));
    if nested { format!("defaults/{stem}") } else { stem }
}

/// What the balance and its audit cost.
fn balances(scenes: &[PathBuf]) -> Result<Table, String> {
    let mut table = Table::new(
        "Energy balance and audit of every step, over the same steps without",
        &["scene", "scheme", "degrees", "contacts", "steps", "ns/step", "without", "ratio", "render"],
    );
    let (mut logarithms, mut over) = (0.0, 0);
    for path in scenes {
        let plan = Scene::read(path, &[]).map_err(|problems| problems.to_string())?;
        let mut stepper =
            plan.scheme.prepare(&plan.system, 1.0 / plan.internal_rate()).map_err(|e| e.to_string())?;
        // A part that is long enough for the clock, doubled until it is, or all.
        let mut steps = BLOCK.min(plan.steps());
        while steps < plan.steps() && seconds(|| run(&plan, &mut stepper, steps, true)) < SECONDS / 2.0 {
            steps = (2 * steps).min(plan.steps());
        }
        let other = std::cell::RefCell::new(stepper);
        let timed = |audited| {
            let (plan, stepper) = (&plan, &other);
            move || run(plan, &mut stepper.borrow_mut(), steps, audited)
        };
        let [with, without] = least_in_turns(TURNS, [&mut timed(true), &mut timed(false)]);
        let (ratio, part) = (with / without, steps as f64 / plan.steps() as f64);
        logarithms += ratio.ln();
        over += usize::from(ratio > ALLOWED);
        let each = |seconds: f64| format!("{:.1}", seconds * 1e9 / steps as f64);
        let row = vec![
            name(path),
            plan.scheme.name().into(),
            plan.system.size().to_string(),
            plan.system.elements.len().to_string(),
            steps.to_string(),
            each(with),
            each(without),
            format!("{ratio:.2}{}", if ratio > ALLOWED { " !" } else { "" }),
            if with / part < LONG { each(rendered(&plan) * part) } else { "–".into() },
        ];
        println!("{:34}{:20}{:>12}{:>12}{:>9}{:>12}", row[0], row[1], row[5], row[6], row[7], row[8]);
        table.rows.push(row);
    }
    println!(
        "geometric mean {:.3}; {over} of {} above {ALLOWED}\n",
        (logarithms / scenes.len() as f64).exp(),
        scenes.len()
    );
    Ok(table)
}

/// The processor time of a whole run, s: with the observation of contacts and the sound in memory.
fn rendered(plan: &Plan) -> f64 {
    let mut run = || _ = std::hint::black_box(hamiltone_render::run(plan, &mut [], &mut |_, _| {}));
    least_in_turns(2, [&mut run])[0]
}

/// So many steps of a plan from its start, with their outputs; audited as a render does, or with flows alone.
fn run(plan: &Plan, stepper: &mut hamiltone_core::simulation::Simulation, steps: u64, audited: bool) {
    let (drives, channels, rate) = (plan.drives.len(), plan.pickups.len(), plan.internal_rate());
    let values = |row: u64, into: &mut Vec<f64>| {
        into.extend(plan.drives.iter().map(|drive| drive.signal.value(row as f64 / rate)));
    };
    let mut input = Vec::with_capacity((BLOCK as usize + 1) * drives);
    values(0, &mut input);
    let mut output = vec![0.0; BLOCK as usize * channels];
    let balance = stepper.balance();
    let mut audit = Audit::open(stepper.reset(&input), balance);
    // As a render without states does: the least gaps of the whole run are enough.
    stepper.activity(1.0 / rate, Gaps::SoFar, &mut vec![Activity::NONE; plan.system.elements.len()]);
    let mut done = 0;
    while done < steps {
        let rows = BLOCK.min(steps - done);
        input.drain(..input.len() - drives);
        (1..=rows).for_each(|row| values(done + row, &mut input));
        let wanted = |n: usize| match audited {
            true if (done + 1 + n as u64).is_multiple_of(AUDIT_INTERVAL) => Bookkeeping::Full,
            _ => Bookkeeping::Flows,
        };
        let post = &mut |ledger: &_| !audited || audit.post(ledger);
        run_block(stepper, &input, &mut output[..rows as usize * channels], rows as usize, &wanted, post);
        done += rows;
    }
    std::hint::black_box((&output, &audit));
}

/// What a check predicts, over what a render takes.
fn costs(scenes: &[PathBuf], program: &Path) -> Result<Table, String> {
    let mut table = Table::new(
        "Processor time of a render: predicted by `hamiltone check`, and taken, s",
        &["scene", "predicted", "taken", "predicted/taken"],
    );
    let folder = env::temp_dir().join(format!("hamiltone-scenes-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (sound, mut off) = (folder.join("sound.wav"), 0);
    for path in scenes {
        let (mut predicted, mut taken) = (f64::INFINITY, f64::INFINITY);
        for turn in 0..TURNS {
            // What takes long is not repeated.
            if turn > 1 && taken > 1.0 || (taken > LONG && taken.is_finite()) {
                break;
            }
            let (said, _) = command::run(program, &["check".as_ref(), path.as_ref()])?;
            predicted =
                predicted.min(prediction(&said).ok_or_else(|| format!("{}: no cost", path.display()))?);
            let _ = fs::remove_file(&sound);
            let arguments = ["render".as_ref(), path.as_ref(), "-o".as_ref(), sound.as_ref()];
            taken = taken.min(command::run(program, &arguments)?.1);
        }
        let ratio = predicted / taken;
        let close = (1.0 / CLOSE..=CLOSE).contains(&ratio);
        off += usize::from(!close);
        let row = vec![
            name(path),
            format!("{predicted:.3}"),
            format!("{taken:.3}"),
            format!("{ratio:.2}{}", if close { "" } else { " !" }),
        ];
        println!("{:34}{:>10}{:>10}{:>9}", row[0], row[1], row[2], row[3]);
        table.rows.push(row);
    }
    let _ = fs::remove_dir_all(&folder);
    println!("{off} of {} predictions off by more than a factor of {CLOSE}\n", scenes.len());
    Ok(table)
}

/// The seconds of a prediction.
fn prediction(said: &str) -> Option<f64> {
    let (before, _) = said.split_once(" s of processor time in all")?;
    before.rsplit(' ').next()?.parse().ok()
}
