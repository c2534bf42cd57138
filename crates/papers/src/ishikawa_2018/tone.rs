//! Figures 6–8, 10 and 11: the C4 tone at x = 0.7 L, its waveform and its spectrum, with all losses.

use super::setup::{FELT, METHODS, RATE, damped, ear, hammered, printed};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
    spectrum,
};
use std::f64::consts::PI;

/// Δt = 1/(44100·200): "hereinafter, if it is not specifically noted".
pub const FACTOR: usize = 200;

/// The tone at 44.1 kHz for `duration`, s.
///
/// # Errors
/// Where the scheme refuses.
pub fn tone(entry: (&str, &str), n: usize, factor: usize, duration: f64) -> Result<Course, Unable> {
    let line = damped(n);
    let system = hammered(line, FELT)?;
    let looks = (duration * RATE).round() as usize;
    Course::run(&printed(entry)?, &system, 1.0 / (RATE * factor as f64), (looks, factor), &[ear(&line)])
}

/// A peak of the spectrum.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    /// Hz.
    pub frequency: f64,
    /// dB of the strongest.
    pub level: f64,
}

/// How many times as many frequencies as samples the peaks are searched at, at least.
const PADDING: usize = 8;

/// The peaks nearest to the first `count` partials of the string on N = `intervals`, each by the parabola through the
/// three highest levels: of a Blackman window at eight times as many frequencies that is good to a thousandth of a line's
/// distance. At N = 50 the partials of the grid are lower than those of the string, the eighth by 23 Hz.
pub fn peaks(signal: &[f64], intervals: usize, count: usize) -> Vec<Peak> {
    let bins = spectrum::padded(signal, RATE, PADDING);
    let resolution = bins[1].0;
    let peak = |m: usize| {
        let near = (damped(intervals).grid_frequency(m) / (2.0 * PI) / resolution).round() as usize;
        let reach = (20.0 / resolution).ceil() as usize;
        let range = near.saturating_sub(reach).max(1)..near + reach;
        let top = range.max_by(|&i, &j| bins[i].1.total_cmp(&bins[j].1)).unwrap_or(near);
        let (a, b, c) = (bins[top - 1].1, bins[top].1, bins[top + 1].1);
        let shift = 0.5 * (a - c) / (a - 2.0 * b + c);
        Peak { frequency: (top as f64 + shift) * resolution, level: b - 0.25 * (a - c) * shift }
    };
    let mut peaks: Vec<Peak> = (1..=count).map(peak).collect();
    let highest = peaks.iter().map(|p| p.level).fold(f64::NEG_INFINITY, f64::max);
    peaks.iter_mut().for_each(|p| p.level -= highest);
    peaks
}

fn duration(effort: Effort) -> f64 {
    if effort == Effort::Full { 1.0 } else { 0.05 }
}

fn waves(name: &'static str, title: &str, panels: Vec<Panel>, table: Table, caption: &str) -> Outcome {
    let figure = Figure { name, title: format!("I18 {name}: {title}"), caption: caption.into(), panels };
    Outcome::new(table, figure)
}

fn wave(title: &str, course: &Course, from: f64) -> Panel {
    let points: Vec<_> = course.output(0).filter(|(t, _)| *t >= from).collect();
    let series = if points.len() > 4000 {
        Series::extremes("u(0.7 L)", &points, 1000)
    } else {
        Series::line("u(0.7 L)", points)
    };
    Panel::new(title, ("time", "s"), ("displacement u", "m"), vec![series])
}

/// A row of figures of one tone.
const COLUMNS: [&str; 5] =
    ["method", "printed", "largest |u|, m", "dissipated in felt and string, J", "energy left, J"];

fn facts(table: &mut Table, label: &str, printed: &str, course: &Course) {
    let largest = course.values[0].iter().map(|u| u.abs()).fold(0.0, f64::max);
    table.row([
        label.into(),
        printed.into(),
        largest.into(),
        course.audit.dissipated.into(),
        course.audit.energy_final.into(),
    ]);
}

/// Makes figure 6: three methods, N = 1000.
pub(super) fn fig6(effort: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new("I18 fig. 6: the tone with N = 1000", &COLUMNS);
    let mut panels = Vec::new();
    for entry in METHODS {
        let course = tone(entry, 1000, FACTOR, duration(effort))?;
        facts(&mut table, entry.0, "no significant difference", &course);
        panels.push(wave(entry.0, &course, 0.0));
    }
    Ok(waves("fig6", "the tone by three methods", panels, table, "The three waveforms are alike."))
}

/// Makes figure 7: the waveform from 0.4 to 0.45 s.
pub(super) fn fig7(effort: Effort) -> Result<Outcome, Unable> {
    let (from, to) = if effort == Effort::Full { (0.4, 0.45) } else { (0.0, 0.05) };
    let course = tone(METHODS[0], 1000, FACTOR, to)?;
    let mut table = Table::new("I18 fig. 7: the waveform, 4-stage, N = 1000", &COLUMNS);
    facts(&mut table, METHODS[0].0, "waves regularly repeated", &course);
    let panels = vec![wave("N = 1000", &course, from)];
    Ok(waves("fig7", "the waveform", panels, table, "One period is 3.82 ms: 261.63 Hz."))
}

/// The spectrum of a tone, up to 10 kHz and up to 2 kHz, and a table of its first partials.
fn spectra(name: &'static str, n: usize, factor: usize, effort: Effort) -> Result<Outcome, Unable> {
    let course = tone(METHODS[0], n, factor, if effort == Effort::Full { 2.0 } else { 0.1 })?;
    let signal = &course.values[0];
    let columns = [
        "partial",
        "printed",
        "computed, Hz",
        "level, dB",
        "grid without losses, Hz",
        "string without losses, Hz",
    ];
    let mut table = Table::new(format!("I18 {name}: partials of the tone, N = {n}"), &columns);
    for (m, peak) in peaks(signal, n, 8).iter().enumerate() {
        let theory = damped(n).angular_frequency(m + 1) / (2.0 * PI);
        let printed = if m == 0 { "261.63 Hz" } else { "near its integer multiples" };
        table.row([
            (m + 1).to_string().into(),
            printed.into(),
            peak.frequency.into(),
            peak.level.into(),
            (damped(n).grid_frequency(m + 1) / (2.0 * PI)).into(),
            theory.into(),
        ]);
    }
    let bins = spectrum::decibels(signal, RATE);
    let panel = |top: f64| {
        let line = Series::line("level", bins.iter().copied().filter(|(f, _)| *f <= top));
        Panel::new(format!("up to {top} Hz"), ("frequency", "Hz"), ("level", "dB"), vec![line])
    };
    let panels = vec![panel(10_000.0), panel(2000.0)];
    Ok(waves(name, "the spectrum", panels, table, "The partials of a stiff string."))
}

/// Makes figure 8: the spectrum, N = 1000.
pub(super) fn fig8(effort: Effort) -> Result<Outcome, Unable> {
    spectra("fig8", 1000, FACTOR, effort)
}

/// Makes figure 10: N = 50.
pub(super) fn fig10(effort: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new("I18 fig. 10: the tone with N = 50, 4-stage", &COLUMNS);
    let course = tone(METHODS[0], 50, FACTOR, duration(effort))?;
    facts(&mut table, METHODS[0].0, "smoother than with N = 1000", &course);
    let panels = vec![wave("N = 50", &course, 0.0)];
    Ok(waves("fig10", "the tone with N = 50", panels, table, "Smoother: fewer high partials."))
}

/// Makes figure 11: the spectrum, N = 50.
pub(super) fn fig11(effort: Effort) -> Result<Outcome, Unable> {
    spectra("fig11", 50, FACTOR, effort)
}
