//! The audit as JSON: the names that scripts rely on.
//!
//! It depends on the scene and the run, not on the machine or the time of day: two runs of one scene give the same file.
//! Numbers are written with as many digits as read back to the same bits; those that are not finite are `null`.

use super::contacts;
use crate::{
    cascade::Cascade,
    drift::Drift,
    edges::Edges,
    file::Staged,
    loudness,
    mix::Bus,
    outcome::Outcome,
    passivity::{CONTACT_WORK_LIMIT, Passivity},
    physical::PhysicalEnergy,
    sink::{Sink, SinkError},
    sound::Sound,
    stretching::Stretched,
    target::{Ending, Target},
    tuning::{Aliased, Tuning},
    verdict::Verdict,
};
use hamiltone_core::{audit::MAX_PHYSICAL_ENERGY, claims::Balance, state::Archive};
use hamiltone_plan::{BusPlan, Channels, Pickup, Plan, magnet::Pole};
use serde_json::{Value, json};
use std::{io::Write, path::PathBuf};

/// Writes the audit to a file.
pub struct AuditFile {
    path: PathBuf,
    target: Option<Target>,
}

impl AuditFile {
    /// An audit that is written to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), target: None }
    }
}

impl Sink for AuditFile {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        self.target = Some(Target::create(&self.path)?);
        Ok(())
    }

    fn wants_each_gap(&self) -> bool {
        false
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let Some(target) = self.target.take() else { return Ok(Vec::new()) };
        Ok(vec![target.stage(outcome.ending, |out| writeln!(out, "{:#}", json(plan, outcome)))?])
    }

    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        // The sums are in the checkpoint of the run.
        Ok(())
    }
}

/// The audit of a run. Energies in the unit `energy_unit`, times in s, rates in Hz.
pub fn json(plan: &Plan, outcome: &Outcome) -> Value {
    let (audit, sound) = (&outcome.audit, &outcome.sound);
    let rate = plan.internal_rate();
    let channels: Vec<Value> = plan
        .pickups
        .iter()
        .zip(&sound.factors)
        .map(|(pickup, factor)| {
            json!({ "name": pickup.name, "quantity": pickup.quantity, "unit": pickup.unit, "level_factor": factor })
        })
        .collect();
    let physical = |of: fn(PhysicalEnergy) -> f64| outcome.physical.map(of);
    let fault = audit
        .fault
        .map(|(step, what)| json!({ "step": step, "time_s": step as f64 / rate, "what": what.to_string() }));
    let mut json = json!({
        "ok": outcome.ok,
        "claim": match outcome.balance { Balance::Exact { .. } => "exact", Balance::Bounded => "bounded" },
        "title": plan.title,
        "source": plan.source,
        "scene_sha256": plan.scene_sha256,
        "version": env!("CARGO_PKG_VERSION"),
        "scheme": plan.scheme.name(),
        "duration_s": plan.frames as f64 / plan.sample_rate,
        "sample_rate_hz": plan.sample_rate,
        "oversampling": plan.oversampling,
        "rate_hz": rate,
        "steps": audit.steps,
        "energy_unit": plan.energy_unit(),
        "energy_initial": audit.energy_initial,
        "energy_peak": audit.energy_peak,
        "energy_final": audit.energy_final,
        "energy_physical_initial": physical(|energy| energy.initial),
        "energy_physical_peak": physical(|energy| energy.peak),
        "energy_physical_final": physical(|energy| energy.last),
        "supplied": audit.supplied,
        "dissipated": audit.dissipated,
        "contact_work": audit.contact_work,
        "contacts": contacts::json(plan, outcome),
        "residual_max_relative": audit.residual_max_relative(),
        "residual_max_relative_per_step": audit.residual_max_relative_per_step(),
        "residual_max_step": audit.residual_max_step,
        "residual_tolerance": outcome.tolerance,
        "residual_scale": audit.scale(),
        "turnover_max": audit.turnover,
        "rounding_leverage_max": audit.leverage,
        "uncertainty": audit.uncertainty(),
        "iterations_max": audit.iterations_max,
        "iterations_mean": audit.iterations as f64 / audit.steps.max(1) as f64,
        "unconverged_steps": audit.unconverged,
        "fault": fault,
        "level_factor": sound.factors.first(),
        "level_peak": sound.peak,
        "clipped_samples": sound.clipped(),
        "decimation": sound.filter(),
        "channels": channels,
        "warnings": outcome.warnings,
    });
    // The macro takes no more.
    json["residual_max_of_energy"] = audit.of_energy(audit.residual_max).into();
    json["residual_tolerance_of_energy"] = audit.of_energy(outcome.tolerance * audit.scale()).into();
    json["throughput"] = audit.throughput.into();
    json["output"] = output(plan, sound);
    json["partial"] = (outcome.ending == Ending::Interrupted).into();
    json["passive"] = outcome.passivity.holds().into();
    json["passivity"] = gain(&outcome.passivity);
    json["tuning"] = tuning(&outcome.tuning);
    if !outcome.stretched.is_empty() {
        let stretched = |body: &Stretched| (body.body.clone(), body.ratio.into());
        json["tension_rise_max"] = Value::Object(outcome.stretched.iter().map(stretched).collect());
    }
    if !outcome.cascades.is_empty() {
        let cascade = |body: &Cascade| (body.body.clone(), body.share.into());
        json["kinetic_energy_of_highest_tenth"] =
            Value::Object(outcome.cascades.iter().map(cascade).collect());
    }
    json["verdict"] = outcome.verdict.word().into();
    let changes = outcome.tuning.changes(plan);
    json["advice"] =
        changes.iter().map(|change| json!({ "key": change.key, "value": change.value })).collect();
    let drift = |drift: &Drift| json!({ "body": drift.body, "distance_m": drift.distance });
    json["drift"] = outcome.drifts.iter().map(drift).collect();
    let edges = |edges: &Option<Edges>| {
        edges.map(
            |edges| json!({ "begin_of_peak": edges.begin, "end_db": edges.end, "end_db_per_s": edges.rate }),
        )
    };
    json["edges"] = outcome.edges.iter().map(edges).collect();
    json
}

/// How the sound is written: the mix of each pickup, and the level of each file.
fn output(plan: &Plan, sound: &Sound) -> Value {
    let pickup = |(pickup, factor): (&Pickup, &f64)| {
        let (mix, bus) = (pickup.mix, pickup.mix.bus.and_then(|bus| plan.output.buses.get(bus)));
        let stereo = bus.is_some_and(|bus| bus.channels == Channels::Stereo);
        let mut json = json!({
            "name": pickup.name,
            "bus": bus.map(|bus| &bus.name),
            "gain_db": mix.gain,
            "pan": stereo.then_some(mix.pan),
            "ac_coupling_hz": mix.ac_coupling,
            "full_scale": 1.0 / factor,
            "unit": pickup.sound_unit(),
        });
        if let Some(Pole { distance, offset }) = mix.magnet {
            json["magnet_distance"] = distance.into();
            if offset != 0.0 {
                json["magnet_offset"] = offset.into();
            }
        }
        if let Some(tremolo) = mix.tremolo {
            json["tremolo"] = json!({ "rate_hz": tremolo.rate(), "depth": tremolo.depth() });
        }
        json
    };
    let bus = |(bus, plan): (&Bus, &BusPlan)| {
        json!({
            "name": bus.name,
            "channels": bus.channels.len(),
            "gain_db": plan.gain,
            "peak_dbfs": bus.peak_dbfs(),
            "clipped_samples": bus.clipped,
        })
    };
    let fixed = loudness::fixed(plan, sound).map(|how| format!("; {how}")).unwrap_or_default();
    json!({
        "level": loudness::level(plan, sound) + &fixed,
        "fade_s": plan.output.fade,
        "pickups": plan.pickups.iter().zip(&sound.factors).map(pickup).collect::<Vec<Value>>(),
        "buses": sound.mix.buses.iter().zip(&plan.output.buses).map(bus).collect::<Vec<Value>>(),
    })
}

/// The largest error of a partial, and the limit.
fn tuning(tuning: &Tuning) -> Value {
    let worst = tuning.worst().map(|tuned| {
        json!({
            "body": tuned.body,
            "partial": tuned.number,
            "theory_hz": tuned.theory,
            "sounding_hz": tuned.sounding,
            "cents": tuned.cents(),
        })
    });
    let alias = |aliased: &Aliased| json!({ "body": aliased.body, "highest_hz": aliased.highest, "sounding_hz": aliased.sounding });
    json!({
        "in_tune": tuning.verdict() == Verdict::Green,
        "verdict": tuning.verdict().word(),
        "limit_cents": tuning.limit(),
        "audible_hz": tuning.audible,
        "worst": worst,
        "aliased": tuning.aliased.iter().map(alias).collect::<Vec<Value>>(),
        "unknown": tuning.unknown,
    })
}

/// What a run gained, and the limits.
fn gain(passivity: &Passivity) -> Value {
    json!({
        "energy_put_in": passivity.put_in,
        "energy_max": passivity.energy,
        "energy_max_relative": passivity.energy_relative(),
        "energy_limit": MAX_PHYSICAL_ENERGY,
        "contact_work_max": passivity.contact_work,
        "contact_work_max_relative": passivity.contact_work_relative(),
        "contact_work_limit": CONTACT_WORK_LIMIT,
    })
}
