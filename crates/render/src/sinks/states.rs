//! The states of a run as an NPZ file for numpy: a zip of `.npy` arrays of float64.
//!
//! | array | shape | what |
//! |---|---|---|
//! | `time` | rows | t, s |
//! | `NAME.q`, `NAME.v` | rows × degrees of freedom | positions, m, and velocities, m/s, of body NAME |
//! | `NAME.longitudinal.q`, `.v` | rows × modes | the same of the longitudinal modes of string NAME; of two polarisations those of the second stay 0 |
//! | `ledger.stored` | rows | the energy stored, J |
//! | `ledger.dissipated`, `.supplied`, `.contact_work`, `.residual` | rows | sums since t = 0, J |
//! | `contact.NAME.gap`, `.impulse` | rows × parts | smallest gap, m, and impulse, N s, of contact NAME since the previous row, where rows are samples of the sound |
//! | `pickup.NAME` | steps + 1 | a pickup at the internal rate, on request |
//! | `manifest` | – | a JSON text: whether the run is ok, scene, scheme, rates, units |
//!
//! The rows are in a temporary file until the run has ended: memory does not depend on their number.
//!
//! Rows are `every` internal steps apart, from t = 0. Arrays of a body always have two dimensions:
//! `npz["reed.q"][:, 0]` is the first degree of freedom, also where it is the only one. Zip entries carry a fixed date, so
//! that equal runs give equal files.

use crate::{
    checkpoint::Checkpoint,
    file::Staged,
    forecast::Forecast,
    mode_coordinates::frequencies,
    outcome::Outcome,
    sink::{Block, Sink, SinkError},
    spool::Spool,
    target::Target,
    totals::Totals,
};
use hamiltone_core::{
    body::{Measure, Sample},
    state::Archive,
    stepper::Activity,
};
use hamiltone_numerics::math::canonical;
use hamiltone_plan::{ContactPlan, Plan};
use hamiltone_scene::limits::{Limited, Limits};
use serde_json::json;
use std::{
    f64::consts::TAU,
    io::{self, Seek, Write},
    ops::Range,
    path::PathBuf,
};
use zip::{DateTime, ZipWriter, write::SimpleFileOptions};

/// How many bytes are written at once, a multiple of 8.
const CHUNK: usize = 1 << 16;

/// Writes states and ledgers to a file.
pub struct States {
    path: PathBuf,
    every: Option<u64>,
    internal_pickups: bool,
    limits: Limits,
    target: Option<Target>,
    totals: Totals,
    /// The numbers of a row, and the most of all rows and of all pickups; the channels of the pickups.
    sizes: (u64, u128, u128, u64),
    /// Row by row: t, positions, velocities, totals, gaps, impulses.
    rows: Spool,
    /// The row that is pushed next.
    row: Vec<f64>,
    /// Impulse and smallest gap of each contact since the last row.
    contacts: Vec<Activity>,
    /// The pickups, internal steps × channels, row by row.
    pickups: Spool,
}

impl States {
    /// States that are written to `path`, every so many internal steps (by default one row for each sample of the sound),
    /// and the pickups at the internal rate where `internal_pickups` is set.
    pub fn new(path: impl Into<PathBuf>, every: Option<u64>, internal_pickups: bool) -> Self {
        let path = path.into();
        Self {
            every: every.map(|n| n.max(1)),
            internal_pickups,
            limits: Limits::default(),
            target: None,
            totals: Totals::default(),
            sizes: (1, 0, 0, 1),
            rows: Spool::beside(&path),
            row: Vec::new(),
            contacts: Vec::new(),
            pickups: Spool::beside(&path),
            path,
        }
    }

    /// The same with its rows and its pickups at the internal rate in files that outlive the program, beside this
    /// checkpoint, which removes them when the run is complete.
    #[must_use]
    pub fn continued(mut self, checkpoint: &mut Checkpoint) -> Self {
        let [rows, pickups] = ["states", "pickups"].map(|what| checkpoint.data(what));
        checkpoint.files.push(rows.clone());
        self.rows = Spool::named(rows);
        if self.internal_pickups {
            checkpoint.files.push(pickups.clone());
            self.pickups = Spool::named(pickups);
        }
        self
    }

    /// The same under other limits.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn every(&self, plan: &Plan) -> u64 {
        self.every.unwrap_or(plan.oversampling as u64)
    }

    /// The number of contacts whose gaps and impulses are stored: all, or none where rows fall between samples.
    fn contact_count(&self, plan: &Plan) -> usize {
        let samples = self.every(plan).is_multiple_of(plan.oversampling as u64);
        if samples { plan.system.elements.len() } else { 0 }
    }

    /// The numbers of a row.
    fn width(&self, plan: &Plan) -> usize {
        1 + 2 * plan.system.size() + Totals::NAMES.len() + 2 * self.contact_count(plan)
    }

    /// How many numbers the rows are, and the pickups at the internal rate.
    fn count(&self, plan: &Plan) -> (u128, u128) {
        let steps = u128::from(plan.steps());
        let rows = (steps / u128::from(self.every(plan)) + 1) * self.width(plan) as u128;
        (rows, if self.internal_pickups { (steps + 1) * plan.pickups.len() as u128 } else { 0 })
    }

    fn write(&self, plan: &Plan, ok: bool, out: impl Write + Seek) -> io::Result<()> {
        let size = plan.system.size();
        let width = self.width(plan);
        let mut zip = ZipWriter::new(out);
        let count = self.rows.len() / width as u64;
        let mut column = |name: &str, columns: Option<usize>, range: Range<usize>| {
            begin(&mut zip, name, "<f8", &shape(count, columns))?;
            numbers(&mut zip, &self.rows, width, range)
        };
        column("time", None, 0..1)?;
        let bodies = plan.bodies.iter().map(|body| (&body.name, &body.placed.dofs));
        for (owner, dofs) in bodies.chain(plan.longitudinal().map(|block| (&block.name, &block.dofs))) {
            for (name, first) in [("q", 1), ("v", 1 + size)] {
                let range = first + dofs.start..first + dofs.end;
                column(&format!("{owner}.{name}"), Some(dofs.len()), range)?;
            }
        }
        for (i, name) in Totals::NAMES.iter().enumerate() {
            let at = 1 + 2 * size + i;
            column(&format!("ledger.{name}"), None, at..at + 1)?;
        }
        let contacts = self.contact_count(plan);
        for contact in plan.contacts.iter().filter(|_| contacts > 0) {
            for (name, first) in [("gap", width - 2 * contacts), ("impulse", width - contacts)] {
                let parts = &contact.parts;
                let range = first + parts.start..first + parts.end;
                column(&format!("contact.{}.{name}", contact.name), Some(parts.len()), range)?;
            }
        }
        let channels = plan.pickups.len();
        for (i, pickup) in plan.pickups.iter().enumerate().filter(|_| self.internal_pickups) {
            let count = self.pickups.len() / channels as u64;
            begin(&mut zip, &format!("pickup.{}", pickup.name), "<f8", &shape(count, None))?;
            numbers(&mut zip, &self.pickups, channels, i..i + 1)?;
        }
        text(&mut zip, "manifest", &self.manifest(plan, ok))?;
        zip.finish()?;
        Ok(())
    }

    fn manifest(&self, plan: &Plan, ok: bool) -> String {
        let names = |name: &str, unit: &str| json!({ "name": name, "unit": unit });
        let pickups: Vec<_> = plan.pickups.iter().map(|p| names(&p.name, &p.unit)).collect();
        let longitudinal = plan.longitudinal().map(|block| {
            let (q, v) = (Measure::Length.position(), Measure::Length.velocity());
            let mut body = json!({ "name": block.name, "degrees_of_freedom": block.dofs.len(), "q": q, "v": v, "points": [] });
            let (mut stiffness, mass) = (vec![0.0; block.dofs.len()], &plan.system.mass[block.dofs.clone()]);
            if block.stiffness.add_diagonal(&mut stiffness).is_some() {
                let frequency = |(k, m): (&f64, &f64)| (k / m).sqrt() / TAU;
                body["modes"] = json!(stiffness.iter().zip(mass).map(frequency).collect::<Vec<_>>());
            }
            body
        });
        let bodies: Vec<_> = plan
            .bodies
            .iter()
            .map(|b| (b, b.placed.measure))
            .map(|(b, measure)| {
                let (q, v) = (measure.position(), measure.velocity());
                let points = b.placed.representation.samples();
                let of = |point: &Sample| {
                    point.row.coordinate().map(|dof| (dof - b.placed.dofs.start, point.at[0]))
                };
                let x: Vec<_> = points.iter().filter_map(of).collect();
                let mut body = json!({ "name": b.name, "degrees_of_freedom": b.placed.dofs.len(), "q": q, "v": v, "points": x });
                if let Some(frequencies) = frequencies(plan, b) {
                    body["modes"] = json!(frequencies);
                }
                body
            })
            .chain(longitudinal)
            .collect();
        let contact = |contact: &ContactPlan| {
            let x = contact.along.as_ref().map_or(&[][..], |along| &along.x);
            json!({ "name": contact.name, "impulse": format!("{} s", contact.measure.force()), "x": x })
        };
        let contacts = if self.contact_count(plan) > 0 { &plan.contacts[..] } else { &[] };
        json!({
            "hamiltone": env!("CARGO_PKG_VERSION"),
            "ok": ok,
            "title": plan.title,
            "scene_sha256": plan.scene_sha256,
            "scheme": plan.scheme.name(),
            "rate_hz": plan.internal_rate(),
            "steps_per_row": self.every(plan),
            "ledger_unit": plan.energy_unit(),
            "bodies": bodies,
            "contacts": contacts.iter().map(contact).collect::<Vec<_>>(),
            "pickups_at_internal_rate": if self.internal_pickups { pickups } else { Vec::new() },
        })
        .to_string()
    }
}

impl Sink for States {
    fn forecast(&self, plan: &Plan) -> Forecast {
        let (rows, pickups) = self.count(plan);
        // The numbers row by row, and the arrays that are made of them.
        let parts = [(&self.rows, 8 * rows), (&self.pickups, 8 * pickups)];
        let temporary =
            |(spool, size): (&Spool, u128)| Some((spool.path()?.into(), size)).filter(|_| size > 0);
        Forecast {
            memory: 0,
            temporary: parts.into_iter().filter_map(temporary).collect(),
            files: vec![(self.path.clone(), 8 * (rows + pickups))],
        }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        let every = self.every(plan);
        if every > plan.steps().max(1) {
            let reason = format!(
                "every {every} steps is more than the {} steps of the run: only the initial state would be stored",
                plan.steps()
            );
            return Err(SinkError { path: self.path.clone(), reason });
        }
        let (rows, pickups) = self.count(plan);
        let bytes = 8 * (rows + pickups);
        if let Err(exceeded) = self.limits.check(Limited::States, bytes) {
            let reason = format!(
                "the states would take {}; store them less often (every {} steps or more); {}",
                exceeded.amounts(),
                u128::from(every) * (bytes / u128::from(exceeded.allowed) + 1),
                exceeded.help()
            );
            return Err(SinkError { path: self.path.clone(), reason });
        }
        self.sizes = (self.width(plan) as u64, rows, pickups, plan.pickups.len().max(1) as u64);
        self.contacts = vec![Activity::NONE; self.contact_count(plan)];
        self.target = Some(Target::create(&self.path)?);
        Ok(())
    }

    fn stride(&self, plan: &Plan) -> Option<u64> {
        Some(self.every(plan))
    }

    fn energies(&self, plan: &Plan) -> Option<u64> {
        Some(self.every(plan))
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        block.ledgers.iter().for_each(|ledger| self.totals.post(ledger));
        for (sum, now) in self.contacts.iter_mut().zip(block.contacts) {
            *sum = Activity { impulse: sum.impulse + now.impulse, gap: sum.gap.min(now.gap) };
        }
        if block.last().is_multiple_of(self.every(plan)) {
            self.row.clear();
            self.row.push(block.last() as f64 / block.rate);
            self.row.extend_from_slice(block.q);
            self.row.extend_from_slice(block.v);
            self.row.extend(self.totals.values());
            self.row.extend(self.contacts.iter().map(|contact| contact.gap));
            self.row.extend(self.contacts.iter().map(|contact| contact.impulse));
            self.contacts.fill(Activity::NONE);
            self.rows.push(&self.row)?;
        }
        if self.internal_pickups {
            self.pickups.push(block.outputs)?;
        }
        Ok(())
    }

    fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        self.totals.archive(archive);
        for contact in &mut self.contacts {
            archive.number(&mut contact.impulse);
            archive.number(&mut contact.gap);
        }
        self.rows.archive(archive)?;
        if self.internal_pickups {
            self.pickups.archive(archive)?;
        }
        let (width, rows, pickups, channels) = self.sizes;
        let whole = self.rows.len().is_multiple_of(width) && self.pickups.len().is_multiple_of(channels);
        if whole && u128::from(self.rows.len()) <= rows && u128::from(self.pickups.len()) <= pickups {
            return Ok(());
        }
        let reason = "the checkpoint is damaged: its states are not those of this run";
        Err(SinkError { path: self.path.clone(), reason: reason.into() })
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let Some(target) = self.target.take() else { return Ok(Vec::new()) };
        Ok(vec![target.stage(outcome.ending, |out| self.write(plan, outcome.ok, out))?])
    }
}

/// Begins an entry: the header of the npy format 1.0, padded so that the data begin at a multiple of 64 bytes.
fn begin<W: Write + Seek>(zip: &mut ZipWriter<W>, name: &str, descr: &str, shape: &str) -> io::Result<()> {
    let options = SimpleFileOptions::default().last_modified_time(DateTime::DEFAULT).unix_permissions(0o644);
    zip.start_file(format!("{name}.npy"), options)?;
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    zip.write_all(b"\x93NUMPY\x01\x00")?;
    zip.write_all(&(length as u16).to_le_bytes())?;
    writeln!(zip, "{header:<width$}", width = length - 1)
}

/// The shape of an array, as the header has it.
fn shape(rows: u64, columns: Option<usize>) -> String {
    columns.map_or(format!("{rows},"), |columns| format!("{rows},{columns},"))
}

/// The data of an entry: a range of the columns of `rows`, which have as many as `width`; every NaN has the same bits.
fn numbers<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    rows: &Spool,
    width: usize,
    columns: Range<usize>,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(CHUNK);
    rows.for_each(0..rows.len(), width, |rows| {
        for x in rows.chunks_exact(width).flat_map(|row| &row[columns.clone()]) {
            bytes.extend_from_slice(&canonical(*x).to_le_bytes());
            if bytes.len() == CHUNK {
                zip.write_all(&bytes)?;
                bytes.clear();
            }
        }
        Ok::<(), io::Error>(())
    })?;
    zip.write_all(&bytes)
}

/// An entry of one text, numpy's unicode scalar: 32 bits per character.
fn text<W: Write + Seek>(zip: &mut ZipWriter<W>, name: &str, text: &str) -> io::Result<()> {
    begin(zip, name, &format!("<U{}", text.chars().count()), "")?;
    text.chars().try_for_each(|c| zip.write_all(&u32::from(c).to_le_bytes()))
}
