//! The states of a run as an NPZ file for numpy: a zip of `.npy` arrays of float64.
//!
//! | array | shape | what |
//! |---|---|---|
//! | `time` | rows | t, s |
//! | `NAME.q`, `NAME.v` | rows × degrees of freedom | positions, m, and velocities, m/s, of body NAME |
//! | `ledger.stored` | rows | the energy stored, J |
//! | `ledger.dissipated`, `.supplied`, `.contact_work`, `.residual` | rows | sums since t = 0, J |
//! | `contact.NAME.gap`, `.impulse` | rows × parts | smallest gap, m, and impulse, N s, of contact NAME since the previous row, where rows are samples of the sound |
//! | `pickup.NAME` | steps + 1 | a pickup at the internal rate, on request |
//! | `manifest` | – | a JSON text: whether the run is ok, scene, scheme, rates, units |
//!
//! Rows are `every` internal steps apart, from t = 0. Arrays of a body always have two dimensions:
//! `npz["reed.q"][:, 0]` is the first degree of freedom, also where it is the only one. Zip entries carry a fixed date, so
//! that equal runs give equal files.

use crate::{
    file::{Pending, Staged},
    forecast::Forecast,
    outcome::Outcome,
    sink::{Block, Sink, SinkError},
    totals::Totals,
};
use hamiltone_core::{body::Sample, stepper::Activity};
use hamiltone_numerics::math::canonical;
use hamiltone_scene::plan::{ContactPlan, Plan};
use serde_json::json;
use std::{
    io::{self, Seek, Write},
    ops::Range,
    path::PathBuf,
};
use zip::{DateTime, ZipWriter, write::SimpleFileOptions};

/// The largest size of a file, bytes: it is collected in memory.
const LIMIT: u128 = 2_000_000_000;

/// How many bytes are written at once, a multiple of 8.
const CHUNK: usize = 1 << 16;

/// Writes states and ledgers to a file.
pub struct States {
    path: PathBuf,
    every: Option<u64>,
    internal_pickups: bool,
    file: Option<Pending>,
    totals: Totals,
    /// Row by row: t, positions, velocities, totals, gaps, impulses.
    rows: Vec<f64>,
    /// Impulse and smallest gap of each contact since the last row.
    contacts: Vec<Activity>,
    /// The pickups, internal steps × channels, row by row.
    pickups: Vec<f64>,
}

impl States {
    /// States that are written to `path`, every so many internal steps (by default one row for each sample of the sound),
    /// and the pickups at the internal rate where `internal_pickups` is set.
    pub fn new(path: impl Into<PathBuf>, every: Option<u64>, internal_pickups: bool) -> Self {
        Self {
            path: path.into(),
            every: every.map(|n| n.max(1)),
            internal_pickups,
            file: None,
            totals: Totals::default(),
            rows: Vec::new(),
            contacts: Vec::new(),
            pickups: Vec::new(),
        }
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
        let column =
            |range: Range<usize>| self.rows.chunks_exact(width).flat_map(move |row| &row[range.clone()]);
        let count = self.rows.len() / width;
        array(&mut zip, "time", &[count], column(0..1))?;
        for body in &plan.bodies {
            let dofs = &body.placed.dofs;
            let shape = [count, dofs.len()];
            array(&mut zip, &format!("{}.q", body.name), &shape, column(1 + dofs.start..1 + dofs.end))?;
            let first = 1 + size;
            array(
                &mut zip,
                &format!("{}.v", body.name),
                &shape,
                column(first + dofs.start..first + dofs.end),
            )?;
        }
        for (i, name) in Totals::NAMES.iter().enumerate() {
            let at = 1 + 2 * size + i;
            array(&mut zip, &format!("ledger.{name}"), &[count], column(at..at + 1))?;
        }
        let contacts = self.contact_count(plan);
        for contact in plan.contacts.iter().filter(|_| contacts > 0) {
            for (name, first) in [("gap", width - 2 * contacts), ("impulse", width - contacts)] {
                let (name, parts) = (format!("contact.{}.{name}", contact.name), &contact.parts);
                array(
                    &mut zip,
                    &name,
                    &[count, parts.len()],
                    column(first + parts.start..first + parts.end),
                )?;
            }
        }
        let channels = plan.pickups.len();
        for (i, pickup) in plan.pickups.iter().enumerate().filter(|_| self.internal_pickups) {
            let values = self.pickups.iter().skip(i).step_by(channels);
            array(&mut zip, &format!("pickup.{}", pickup.name), &[self.pickups.len() / channels], values)?;
        }
        text(&mut zip, "manifest", &self.manifest(plan, ok))?;
        zip.finish()?;
        Ok(())
    }

    fn manifest(&self, plan: &Plan, ok: bool) -> String {
        let names = |name: &str, unit: &str| json!({ "name": name, "unit": unit });
        let pickups: Vec<_> = plan.pickups.iter().map(|p| names(&p.name, p.unit)).collect();
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
                json!({ "name": b.name, "degrees_of_freedom": b.placed.dofs.len(), "q": q, "v": v, "points": x })
            })
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
        let memory = 8 * (rows + pickups);
        Forecast { memory, files: vec![(self.path.clone(), memory)] }
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
        if bytes > LIMIT {
            let gigabytes = bytes as f64 / 1e9;
            let reason = format!(
                "the states would take {gigabytes:.1} GB, more than {} GB; store them less often (every {} steps or more)",
                LIMIT / 1_000_000_000,
                u128::from(every) * (bytes / LIMIT + 1)
            );
            return Err(SinkError { path: self.path.clone(), reason });
        }
        self.contacts = vec![Activity::NONE; self.contact_count(plan)];
        // The limit is far below what these numbers could not hold.
        let reserved = self.rows.try_reserve_exact(rows as usize);
        if reserved.and_then(|()| self.pickups.try_reserve_exact(pickups as usize)).is_err() {
            let reason = format!("not enough memory for {:.1} GB of states", bytes as f64 / 1e9);
            return Err(SinkError { path: self.path.clone(), reason });
        }
        self.file = Some(Pending::create(&self.path)?);
        Ok(())
    }

    fn stride(&self, plan: &Plan) -> Option<u64> {
        Some(self.every(plan))
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        block.ledgers.iter().for_each(|ledger| self.totals.post(ledger));
        for (sum, now) in self.contacts.iter_mut().zip(block.contacts) {
            *sum = Activity { impulse: sum.impulse + now.impulse, gap: sum.gap.min(now.gap) };
        }
        if block.last().is_multiple_of(self.every(plan)) {
            self.rows.push(block.last() as f64 / block.rate);
            self.rows.extend_from_slice(block.q);
            self.rows.extend_from_slice(block.v);
            self.rows.extend(self.totals.values());
            self.rows.extend(self.contacts.iter().map(|contact| contact.gap));
            self.rows.extend(self.contacts.iter().map(|contact| contact.impulse));
            self.contacts.fill(Activity::NONE);
        }
        if self.internal_pickups {
            self.pickups.extend_from_slice(block.outputs);
        }
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let Some(file) = self.file.take() else { return Ok(Vec::new()) };
        Ok(vec![file.stage(|out| self.write(plan, outcome.ok, out))?])
    }
}

/// Begins an entry: the header of the npy format 1.0, padded so that the data begin at a multiple of 64 bytes.
fn begin<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    name: &str,
    descr: &str,
    shape: &[usize],
) -> io::Result<()> {
    let options = SimpleFileOptions::default().last_modified_time(DateTime::DEFAULT).unix_permissions(0o644);
    zip.start_file(format!("{name}.npy"), options)?;
    let shape: String = shape.iter().map(|n| format!("{n},")).collect();
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    zip.write_all(b"\x93NUMPY\x01\x00")?;
    zip.write_all(&(length as u16).to_le_bytes())?;
    writeln!(zip, "{header:<width$}", width = length - 1)
}

/// An entry of float64 numbers; every NaN has the same bits.
fn array<'a, W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    name: &str,
    shape: &[usize],
    values: impl Iterator<Item = &'a f64>,
) -> io::Result<()> {
    begin(zip, name, "<f8", shape)?;
    let mut bytes = Vec::with_capacity(CHUNK);
    for x in values {
        bytes.extend_from_slice(&canonical(*x).to_le_bytes());
        if bytes.len() == CHUNK {
            zip.write_all(&bytes)?;
            bytes.clear();
        }
    }
    zip.write_all(&bytes)
}

/// An entry of one text, numpy's unicode scalar: 32 bits per character.
fn text<W: Write + Seek>(zip: &mut ZipWriter<W>, name: &str, text: &str) -> io::Result<()> {
    begin(zip, name, &format!("<U{}", text.chars().count()), &[])?;
    text.chars().try_for_each(|c| zip.write_all(&u32::from(c).to_le_bytes()))
}
