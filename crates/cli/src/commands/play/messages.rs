//! What a performance prints: a summary and warnings.

use crate::{
    numbers::two_digits,
    output::{say, tell},
};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{offline::Played, recording::Balance};
use hamiltone_render::{Sound, mix::Bus};
use hamiltone_study::music;

/// So many notes.
pub fn notes(count: u64) -> String {
    format!("{count} {}", if count == 1 { "note" } else { "notes" })
}

/// What was played, with its energies and how long it took.
pub fn print(
    sound: &Sound,
    parts: usize,
    played: &Played,
    balance: &Balance,
    (prepared, seconds): (f64, f64),
) {
    let duration = played.frames as f64 / sound.rate;
    say!("  played     {} in {duration:.1} s at {} Hz", notes(played.notes), sound.rate);
    say!("  parts      {parts}, {} steps of all together", balance.steps);
    say!(
        "  energy     supplied {:.4e} J, dissipated {:.4e} J (of which {:.1e} J were put to rest), left {:.1e} J",
        balance.supplied,
        balance.dissipated,
        balance.slept,
        balance.stored
    );
    if balance.contact_work != 0.0 {
        say!("  contacts   rigid ones took {:.4e} J", -balance.contact_work);
    }
    say!(
        "  balance    exact: largest relative energy residual {:.2e} (tolerance {:.2e}): {}",
        balance.residual.0,
        balance.residual.1,
        if balance.ok { "ok" } else { "FAILED" }
    );
    let end = if played.end.is_finite() {
        format!("{:.0} dB below the peak", -played.end)
    } else {
        "silence".into()
    };
    say!("  end        {end}");
    say!(
        "  speed      {} times real time ({} s, and {} s to prepare)",
        two_digits(duration / seconds),
        two_digits(seconds),
        two_digits(prepared)
    );
}

/// A warning.
pub fn warn(warning: &str) {
    tell!("warning: {warning}");
}

/// Tells what the user should know of what an instrument played; `who` is before each sentence.
pub fn warnings(who: &str, instrument: &InstrumentPlan, played: &Played) {
    music::of_played(instrument, played).iter().for_each(|said| warn(&format!("{who}{said}")));
}

/// Tells of a bus that exceeds full scale, and what lowers it by so many dB.
pub fn too_loud(bus: &Bus, lower: impl Fn(f64) -> String) {
    if bus.peak > 1.0 {
        let (over, clipped) = (bus.peak_dbfs(), bus.clipped);
        let help = lower((-over).floor());
        warn(&format!("bus `{}` exceeds full scale by {over:.1} dB ({clipped} samples); {help}", bus.name));
    }
}
