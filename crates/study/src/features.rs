//! What is measured of one run, as named numbers in SI units: the columns of a table.
//!
//! | column | what |
//! |---|---|
//! | `verdict`, `residual`, `residual_tolerance` | the verdict; the largest relative residual of the energy balance, and what is accepted |
//! | `energy_peak`, `energy_final`, `supplied`, `dissipated` | energies of the audit |
//! | `PICKUP.peak`, `.rms` | largest magnitude and root mean square of a pickup, in its unit |
//! | `PICKUP.centroid_hz` | spectral centroid Σ f A/Σ A, A being the magnitudes of the spectrum of the beginning, 5.9 s at 44.1 kHz |
//! | `BODY.partial_K_hz`, `.partial_K_t60_s` | frequency and decay time of partial K as measured in the sound |
//! | `CONTACT.contacts`, `.time_s`, `.first_s`, `.longest_s` | how often, how long in all, when first and how long at most it was closed |
//! | `CONTACT.impulse`, `.force_max`, `.gap_min_m` | N s, N and m |
//!
//! What could not be measured is `null`. Frequencies and decay times are those of the report (`hamiltone_report::partials`).

use hamiltone_render::{Outcome, SinkError};
use hamiltone_report::{partials, spectrum};
use hamiltone_scene::Plan;
use serde_json::{Map, Value, json};

/// Named values in the order of their columns.
pub type Row = Map<String, Value>;

/// How many partials of a body are columns.
pub const PARTIALS: usize = 8;

/// The features of a run.
///
/// # Errors
/// Where the sound cannot be read.
pub fn of(plan: &Plan, outcome: &Outcome) -> Result<Row, SinkError> {
    let mut row = Row::new();
    let audit = &outcome.audit;
    row.insert("verdict".into(), outcome.verdict.word().into());
    for (name, value) in [
        ("residual", audit.residual_max_relative()),
        ("residual_tolerance", outcome.tolerance),
        ("energy_peak", audit.energy_peak),
        ("energy_final", audit.energy_final),
        ("supplied", audit.supplied),
        ("dissipated", audit.dissipated),
    ] {
        row.insert(name.into(), json!(value));
    }
    pickups(plan, outcome, &mut row)?;
    frequencies(plan, outcome, &mut row)?;
    contacts(plan, outcome, &mut row);
    Ok(row)
}

fn pickups(plan: &Plan, outcome: &Outcome, row: &mut Row) -> Result<(), SinkError> {
    let sound = &outcome.sound;
    for (channel, pickup) in plan.pickups.iter().enumerate() {
        let frames = sound.frames();
        let mut squares = 0.0;
        sound.for_each(0..frames, |rows| {
            squares += rows.iter().skip(channel).step_by(sound.channels).map(|x| x * x).sum::<f64>();
            Ok::<(), SinkError>(())
        })?;
        let begin = sound.part(channel, 0..frames.min(spectrum::MAX_WINDOW))?;
        let centroid = spectrum::spectrum(&begin, sound.rate).map(|spectrum| spectrum.centroid());
        let name = |what: &str| format!("{}.{what}", pickup.name);
        row.insert(name("peak"), json!(sound.peaks[channel]));
        row.insert(name("rms"), json!((squares / frames.max(1) as f64).sqrt()));
        row.insert(name("centroid_hz"), json!(centroid));
    }
    Ok(())
}

fn frequencies(plan: &Plan, outcome: &Outcome, row: &mut Row) -> Result<(), SinkError> {
    for body in partials::all(plan, outcome, None)? {
        for partial in body.list.iter().take(PARTIALS) {
            let name = |what: &str| format!("{}.partial_{}_{what}", body.body, partial.number);
            row.insert(name("hz"), json!(partial.measured));
            row.insert(name("t60_s"), json!(partial.decay.as_ref().ok()));
        }
    }
    Ok(())
}

fn contacts(plan: &Plan, outcome: &Outcome, row: &mut Row) {
    let seconds = |samples: u64| samples as f64 / plan.sample_rate;
    for (contact, summary) in plan.contacts.iter().zip(&outcome.contacts) {
        let whole = &summary.whole;
        let name = |what: &str| format!("{}.{what}", contact.name);
        row.insert(name("contacts"), json!(whole.contacts));
        row.insert(name("time_s"), json!(seconds(whole.duration)));
        row.insert(name("first_s"), json!(whole.first.map(seconds)));
        row.insert(name("longest_s"), json!(seconds(whole.longest)));
        row.insert(name("impulse"), json!(whole.impulse));
        row.insert(name("force_max"), json!(whole.impulse_max * plan.sample_rate));
        row.insert(name("gap_min_m"), json!(Some(whole.gap_min).filter(|gap| gap.is_finite())));
    }
}
