//! Modes whose discrete energy underestimates the physical one.
//!
//!   stored/physical = cos²(ωΔt/2)   of a free undamped mode
//!
//! Near ωΔt = π the identity balances while contacts feed modes that it does not see: with e = 1 the physical energy of
//! the fretted bass grows. With the modes up to ωΔt = 1.5 alone it stays.

use super::{
    setup::modal,
    string::{BASS, Plucked, WOUND, frets},
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    lumped::Lumped,
};
use hamiltone_core::ledger::Bookkeeping;
use hamiltone_numerics::math::{cos, square};

/// Rate of the bass, Hz.
pub const RATE: f64 = 176_400.0;

/// Stored over physical energy of a free mode after some steps, ωΔt = `angle`.
///
/// # Errors
/// Where the scheme refuses.
pub fn energy_ratio(angle: f64) -> Result<f64, Unable> {
    let mode = Lumped { mass: 1.0, omega: angle, position: 1.0, velocity: -0.4 * angle, ..Lumped::default() };
    let mut stepper = modal()?.prepare(&mode.system()?, 1.0)?;
    let mut stored = stepper.reset(&[]);
    for _ in 0..100 {
        stored = stepper.step(&[], Bookkeeping::Full).stored;
    }
    let physical = stepper.physical_energy();
    Ok(stored / physical)
}

/// cos²(ωΔt/2).
pub fn theory(angle: f64) -> f64 {
    square(cos(0.5 * angle))
}

/// The energies of the fretted bass: (t, stored, physical), each of the start's, every `every` steps.
///
/// # Errors
/// Where the scheme refuses.
pub fn bass(string: Plucked, e: f64, steps: usize, every: usize) -> Result<Vec<(f64, f64, f64)>, Unable> {
    let system = string.over(&frets(), e)?;
    let mut stepper = modal()?.prepare(&system, 1.0 / RATE)?;
    let (stored, physical) = (stepper.reset(&[]), stepper.physical_energy());
    let mut looks = vec![(0.0, 1.0, 1.0)];
    for step in 1..=steps {
        let ledger = stepper.step(&[], Bookkeeping::Full);
        if step % every == 0 {
            let now = stepper.physical_energy();
            looks.push((step as f64 / RATE, ledger.stored / stored, now / physical));
        }
    }
    Ok(looks)
}

/// The scheme's advice for the bass with so many modes.
///
/// # Errors
/// Where its numbers make no string.
pub fn advice(modes: usize) -> Result<Vec<String>, Unable> {
    Ok(modal()?.advice(&Plucked { modes, ..BASS }.over(&frets(), 1.0)?, 1.0 / RATE))
}

/// The basses: name, string. ωΔt = 1.5 at [`RATE`] is that of mode 244.
pub const STRINGS: [(&str, Plucked); 4] = [
    ("862 modes", BASS),
    ("862 modes, losses", Plucked { quality: Some(WOUND), ..BASS }),
    ("244 modes", Plucked { modes: 244, ..BASS }),
    ("244 modes, losses", Plucked { modes: 244, quality: Some(WOUND), ..BASS }),
];

/// Makes the figure and the tables.
pub(super) fn make(effort: Effort) -> Result<Outcome, Unable> {
    let steps = if effort == Effort::Full { 88_200 } else { 17_640 };
    let mut ratios =
        Table::new("SIC: stored over physical energy of a free mode", &["ωΔt", "cos²(ωΔt/2)", "computed"]);
    for angle in [0.01, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.1, 3.2, 4.0, 6.0] {
        ratios.row([format!("{angle}").into(), theory(angle).into(), energy_ratio(angle)?.into()]);
    }
    let columns = ["bass", "e", "after, s", "stored/E₀", "physical/E₀", "physical, the most"];
    let mut energies = Table::new(format!("SIC: the fretted bass at {RATE} Hz"), &columns);
    let mut panels = Vec::new();
    for (name, string) in STRINGS {
        for e in [1.0, 0.0] {
            let looks = bass(string, e, steps, steps / 490)?;
            let most = looks.iter().map(|look| look.2).fold(0.0, f64::max);
            if let Some(&(t, stored, physical)) = looks.last() {
                energies.row([
                    name.into(),
                    format!("{e}").into(),
                    t.into(),
                    stored.into(),
                    physical.into(),
                    most.into(),
                ]);
            }
            let series = vec![
                Series::line("stored", looks.iter().map(|look| (look.0, look.1))),
                Series::line("physical", looks.iter().map(|look| (look.0, look.2))),
            ];
            let panel = Panel::new(format!("{name}, e = {e}"), ("time", "s"), ("energy/E₀", ""), series);
            panels.push(if most > 100.0 { panel.log_y() } else { panel });
        }
    }
    advice(BASS.modes)?.into_iter().for_each(|advice| energies.note(advice));
    let figure = Figure {
        name: "blindness",
        title: "SIC: stored and physical energy of the fretted bass".into(),
        caption: "With modes above ωΔt = 1.5 the stored energy is balanced and the physical one is not."
            .into(),
        panels,
    };
    Ok(Outcome { tables: vec![ratios, energies], figures: vec![figure] })
}
