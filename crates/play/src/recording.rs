//! What was played as sound files and an audit.

use crate::{engine::Engine, offline::Played};

pub use crate::balance::{Balance, trouble};
use hamiltone_gestures::note::Note;
use hamiltone_plan::{
    instrument::InstrumentPlan,
    output::{BusPlan, Channels},
    parameter::ParameterPlan,
};
use hamiltone_render::{
    mix::{Bus, Mix},
    sound::Sound,
    spool::Spool,
};
use serde_json::{Value, json};

/// The sound of a performance: its samples are the channels of the buses in turn.
pub fn sound(engine: &Engine, played: &Played, samples: Spool) -> Sound {
    let mut first = 0;
    let counts = engine.channels_of_buses();
    let bus = |(plan, count): (&BusPlan, usize)| {
        let own = first..first + count;
        first += count;
        Bus {
            name: plan.name.clone(),
            channels: vec![Vec::new(); count],
            peak: played.peaks[own.clone()].iter().fold(0.0, |peak, x| peak.max(*x)),
            clipped: played.clipped[own].iter().sum(),
        }
    };
    let buses: Vec<Bus> = engine.buses().iter().zip(counts).map(bus).collect();
    Sound {
        rate: engine.rate(),
        channels: engine.channels(),
        oversampling: 1,
        samples,
        peak: played.peak(),
        peaks: played.peaks.clone(),
        factors: vec![1.0; engine.channels()],
        mix: Mix::of_channels(buses),
    }
}

impl Balance {
    /// Its numbers with the names that audits have.
    pub fn energies(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("steps", json!(self.steps)),
            ("supplied", json!(self.supplied)),
            ("dissipated", json!(self.dissipated)),
            ("slept", json!(self.slept)),
            ("energy_final", json!(self.stored)),
            ("contact_work", json!(self.contact_work)),
            ("residual_max_relative", json!(self.residual.0)),
            ("residual_tolerance", json!(self.residual.1)),
            ("residual_max_relative_per_step", json!(self.residual_per_step)),
            ("refused_gestures", json!(self.refused)),
        ]
    }
}

/// The audit of a performance, with what it was asked for besides, as names and values. Energies in J, times in s, rates in Hz; what
/// is infinite or no number is `null`, as the level of silence is.
pub fn audit(
    instrument: &InstrumentPlan,
    engine: &Engine,
    played: &Played,
    input_sha256: &str,
    options: &[(String, String)],
) -> Value {
    let (plan, balance) = (&instrument.plan, Balance::of([engine]));
    let muted = engine.islands().iter().filter_map(|island| {
        let (step, fault) = island.audit().fault?;
        Some(json!({ "name": island.name(), "step": step, "what": fault.to_string() }))
    });
    let muted: Vec<Value> = muted.collect();
    let missing: Vec<Value> = played
        .missing
        .iter()
        .map(|(key, count)| json!({ "key": key, "note": Note::of_key(*key).to_string(), "count": count }))
        .collect();
    let ignored: Vec<Value> =
        played.ignored.iter().map(|(what, count)| json!({ "what": what, "count": count })).collect();
    let bus = |(bus, channels): (&BusPlan, usize)| json!({ "name": bus.name, "channels": channels, "separate": bus.channels == Channels::Pickups });
    let parameter = |(number, plan): (usize, &ParameterPlan)| json!({ "name": plan.name, "value": engine.parameter(number), "unit": plan.unit.symbol() });
    let mut audit = json!({
        "ok": balance.is_good(),
        "claim": "exact",
        "title": plan.title,
        "source": plan.source,
        "scene_sha256": plan.scene_sha256,
        "input_sha256": input_sha256,
        "options": options.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<Value>>(),
        "version": env!("CARGO_PKG_VERSION"),
        "scheme": plan.scheme.name(),
        "sample_rate_hz": engine.rate(),
        "steps_per_sample_max": engine.islands().iter().map(|island| island.ratio()).max(),
        "duration_s": played.frames as f64 / engine.rate(),
        "velocity_curve": instrument.velocity_curve.points(),
        "pedal_curve": instrument.pedal_curve.points(),
        "parameters": engine.parameters().iter().enumerate().map(parameter).collect::<Vec<Value>>(),
        "notes": played.notes,
        "parts": engine.islands().len(),
        "muted_parts": muted,
        "missing_keys": missing,
        "ignored": ignored,
        "end_db": played.end,
        "peak": played.peak(),
        "clipped_samples": played.clipped.iter().sum::<u64>(),
        "buses": engine.buses().iter().zip(engine.channels_of_buses()).map(bus).collect::<Vec<Value>>(),
        "warnings": plan.warnings,
    });
    balance.energies().into_iter().for_each(|(name, value)| audit[name] = value);
    audit
}
