//! What a performance prints: a summary, warnings, and why there was none.

use super::music;
use crate::{
    failure::Failure,
    numbers::two_digits,
    output::{say, tell},
};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Performance, offline::Played, recording::Balance};
use hamiltone_render::{Sound, mix::Bus};

/// Refuses a song of whose notes none was played; `who` has none of them.
pub fn check_notes(notes: u64, missing: &[(u8, u64)], who: &str) -> Result<(), Failure> {
    let all: u64 = missing.iter().map(|(_, count)| count).sum();
    match missing.first() {
        Some((first, _)) if notes == 0 => Err(Failure::Other(format!(
            "{who} of the {all} notes of the song, from {} on; transpose it, or choose another instrument",
            music::note(*first)
        ))),
        _ => Ok(()),
    }
}

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

/// Tells of a song that one instrument plays, where it has several parts, or none.
pub fn of_song(performance: &Performance) {
    performance.warnings().iter().for_each(|warning| warn(warning));
    let parts = performance.parts();
    if parts.is_empty() {
        warn("the song has no notes");
    }
    if parts.len() > 1 {
        warn(&format!(
            "the song has the parts {}: all are played on this instrument, which has one set of pedals, controllers and programs; choose one by --part, or let an ensemble play: see docs/midi.md",
            music::numbers(parts)
        ));
    }
}

/// What the user should know of what an instrument played; `who` is before each sentence.
pub fn warnings(who: &str, instrument: &InstrumentPlan, played: &Played) {
    let warn = |warning: &str| warn(&format!("{who}{warning}"));
    instrument.plan.warnings.iter().for_each(|warning| warn(warning));
    if played.cut {
        warn(&format!(
            "the sound is faded out {:.0} dB below its peak, before it has decayed; allow it a longer tail, such as --tail 120",
            -played.end
        ));
    }
    let missing: u64 = played.missing.iter().map(|(_, count)| count).sum();
    if missing > 0 {
        let times = |count: u64| if count > 1 { format!(" ×{count}") } else { String::new() };
        let key = |(key, count): &(u8, u64)| music::note(*key) + &times(*count);
        let keys: Vec<String> = played.missing.iter().map(key).collect();
        let there = if instrument.notes.programs.is_empty() { "" } else { " in the program that was chosen" };
        warn(&format!(
            "{missing} of the notes were not played: the instrument has no {}{there}; transpose the song, or choose an instrument that has them",
            keys.join(", ")
        ));
    }
    for (what, count) in &played.ignored {
        warn(&format!("{what} has no effect on this instrument ({count} messages)"));
    }
}

/// Tells of a bus that exceeds full scale, and what lowers it by so many dB.
pub fn too_loud(bus: &Bus, lower: impl Fn(f64) -> String) {
    if bus.peak > 1.0 {
        let (over, clipped) = (bus.peak_dbfs(), bus.clipped);
        let help = lower((-over).floor());
        warn(&format!("bus `{}` exceeds full scale by {over:.1} dB ({clipped} samples); {help}", bus.name));
    }
}
