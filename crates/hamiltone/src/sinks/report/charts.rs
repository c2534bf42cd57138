//! The report's charts, in sections.

use super::{
    spectrum::{DEPTH, spectrogram, spectrum},
    trace::{Energy, Orbit, Point},
};
use crate::{
    plan::Plan,
    plot::{Axis, Chart, Image, Mark, Style},
    run::Outcome,
    sinks::audit::energy_unit,
};
use hamiltone_core::{audit::exact_tolerance, scheme::Balance};

/// Charts that belong under one heading.
pub(super) struct Section {
    /// The heading.
    pub title: &'static str,
    /// What to look for.
    pub note: String,
    /// The charts.
    pub charts: Vec<Chart>,
}

const WIDE: (f64, f64) = (1120.0, 290.0);
const HALF: (f64, f64) = (556.0, 330.0);
/// The most channels that are drawn.
const CHANNELS: usize = 4;

/// All sections of a report; those with nothing to show are left out.
pub(super) fn sections(
    plan: &Plan,
    outcome: &Outcome,
    energy: &Energy,
    orbit: Option<&Orbit>,
) -> Vec<Section> {
    let mut sections =
        vec![waveforms(plan, outcome), spectra(plan, outcome), energies(plan, outcome, energy)];
    sections.extend(orbit.map(|orbit| portraits(plan, orbit)));
    sections.retain(|section| {
        section.charts.iter().any(|chart| !chart.series.is_empty() || chart.image.is_some())
    });
    sections
}

fn waveforms(plan: &Plan, outcome: &Outcome) -> Section {
    let sound = &outcome.sound;
    let times = |range: std::ops::Range<usize>| range.map(|i| i as f64 / sound.rate).collect::<Vec<_>>();
    let mut charts = Vec::new();
    for (i, pickup) in plan.pickups.iter().enumerate().take(CHANNELS) {
        let values: Vec<f64> = sound.channel(i).collect();
        let axis = || Axis::new(pickup.quantity, pickup.unit);
        let whole = Chart::new(pickup.name.as_str(), Axis::new("time", "s"), axis()).sized(WIDE.0, WIDE.1);
        charts.push(whole.line("", times(0..values.len()), values.clone()));
        let width = ((0.025 * sound.rate) as usize).max(64);
        if i == 0 && values.len() > 4 * width {
            let loudest = (0..values.len()).max_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
            let first = loudest.unwrap_or(0).saturating_sub(width / 8).min(values.len() - width);
            let title = format!("{}, close up at its largest", pickup.name);
            let close = Chart::new(title, Axis::new("time", "s"), axis()).sized(WIDE.0, WIDE.1);
            charts.push(close.line("", times(first..first + width), values[first..first + width].to_vec()));
        }
    }
    let mut note = "In SI units, before the level is set.".to_string();
    if let Some(filter) = sound.filter() {
        note.push_str(&format!(" From the internal rate by a {filter}."));
    }
    if plan.pickups.len() > CHANNELS {
        note.push_str(&format!(" The first {CHANNELS} of {} channels.", plan.pickups.len()));
    }
    Section { title: "Waveform", note, charts }
}

fn spectra(plan: &Plan, outcome: &Outcome) -> Section {
    let sound = &outcome.sound;
    let lowest = (2.0 * sound.rate / sound.frames().max(1) as f64).max(20.0);
    let mut lines = Chart::new(
        "Spectrum",
        Axis::new("frequency", "Hz").log().range(lowest, 0.5 * sound.rate),
        Axis::new("level", "dB").range(-120.0, 9.0),
    )
    .sized(WIDE.0, 340.0);
    let mut charts = Vec::new();
    for (i, pickup) in plan.pickups.iter().enumerate().take(CHANNELS) {
        let values: Vec<f64> = sound.channel(i).collect();
        let Some(spectrum) = spectrum(&values, sound.rate) else { continue };
        if i == 0 {
            let mark = |(f, level): (f64, f64)| Mark { x: f, y: level, text: hertz(f) };
            lines.marks = spectrum.peaks(8, lowest).into_iter().map(mark).collect();
        }
        let heard = spectrum.frequency.iter().position(|f| *f >= lowest).unwrap_or(0);
        let (f, level) = (spectrum.frequency[heard..].to_vec(), spectrum.level[heard..].to_vec());
        lines = lines.line(pickup.name.as_str(), f, level);
    }
    charts.push(lines);
    if let Some((pickup, picture)) = plan
        .pickups
        .first()
        .and_then(|pickup| Some((pickup, spectrogram(&sound.channel(0).collect::<Vec<_>>(), sound.rate)?)))
    {
        let title = format!(
            "Spectrogram of {}, 0 (bright) to −{DEPTH} dB, window {:.0} ms",
            pickup.name,
            1e3 * picture.window
        );
        let (low, high) = picture.frequency;
        let axis = Axis::new("frequency", "Hz").log().range(low, high);
        let mut chart = Chart::new(title, Axis::new("time", "s"), axis).sized(WIDE.0, 360.0);
        chart.image = Some(Image { data_uri: picture.data_uri, x: picture.time, y: picture.frequency });
        charts.push(chart);
    }
    Section { title: "Spectrum", note: "Relative to the strongest line of each channel.".into(), charts }
}

fn energies(plan: &Plan, outcome: &Outcome, energy: &Energy) -> Section {
    let unit = energy_unit(plan).replace("^2", "²");
    let time = || Axis::new("time", "s");
    let t: Vec<f64> = energy.points.iter().map(|p| p.time).collect();
    let of = |f: &dyn Fn(&Point) -> f64| energy.points.iter().map(f).collect::<Vec<f64>>();
    let twice = |range: &dyn Fn(&Point) -> (f64, f64), scale: f64| -> (Vec<f64>, Vec<f64>) {
        let pair = |p: &Point| [(p.time, range(p).0 / scale), (p.time, range(p).1 / scale)];
        energy.points.iter().flat_map(pair).unzip()
    };

    let (ts, stored) = twice(&|p| p.stored, 1.0);
    let stored = Chart::new("Energy stored", time(), Axis::new("energy", unit.as_str()))
        .sized(HALF.0, HALF.1)
        .with(Style::Area, "", ts, stored);

    let sum = |p: &Point| p.totals.stored + p.totals.dissipated - p.totals.supplied - p.totals.contact_work;
    let mut budget = Chart::new("Where it went", time(), Axis::new("energy since the start", unit.as_str()))
        .sized(HALF.0, HALF.1)
        .line("stored", t.clone(), of(&|p| p.totals.stored))
        .line("lost", t.clone(), of(&|p| p.totals.dissipated))
        .line("supplied", t.clone(), of(&|p| p.totals.supplied));
    if outcome.audit.contact_work != 0.0 {
        budget = budget.line("contact work", t.clone(), of(&|p| p.totals.contact_work));
    }
    budget = budget.with(Style::Dashed, "stored + lost − supplied", t.clone(), of(&sum));

    let scale = outcome.audit.scale();
    let exact = outcome.balance == Balance::Exact;
    let (label, one) =
        if exact { ("Σ residual / (eps·S)", f64::EPSILON * scale) } else { ("Σ residual / S", scale) };
    let mut residual =
        Chart::new("Balance: what the books leave over", time(), Axis::new(label, "")).sized(WIDE.0, WIDE.1);
    if one > 0.0 {
        let (tr, values) = twice(&|p| p.residual, one);
        residual = residual.line("residual", tr, values);
        let bound = |p: &Point| if exact { exact_tolerance(p.row) / f64::EPSILON } else { outcome.tolerance };
        let largest = outcome.audit.residual_max_relative() * scale / one;
        if largest > 0.02 * bound(energy.points.last().unwrap_or(&energy.points[0])) {
            residual = residual.with(Style::Dashed, "tolerance", t.clone(), of(&bound)).with(
                Style::Dashed,
                "",
                t,
                of(&|p| -bound(p)),
            );
        }
    }
    let note = format!(
        "The scheme's own discrete energy. S = {} is the largest energy held, contacts' rounding scale included; \
         eps = 2⁻⁵².",
        crate::plot::quantity(scale, &unit)
    );
    Section { title: "Energy", note, charts: vec![stored, budget, residual] }
}

fn portraits(plan: &Plan, orbit: &Orbit) -> Section {
    let axis = |label: &str, unit: &str| Axis::new(label, unit);
    let columns = |points: &mut dyn Iterator<Item = [f64; 3]>| -> (Vec<f64>, Vec<f64>) {
        points.map(|[_, q, v]| (q, v)).unzip()
    };
    let mut phase = Chart::new(format!("Phase portrait of {}", orbit.body), axis("q", "m"), axis("v", "m/s"))
        .sized(HALF.0, 420.0);
    let span = |points: &[f64]| points.last().unwrap_or(&0.0) - points.first().unwrap_or(&0.0);
    let (q, v) = columns(&mut orbit.first.iter().copied());
    let times: Vec<f64> = orbit.first.iter().map(|p| p[0]).collect();
    phase = phase.line(format!("first {}", crate::plot::quantity(span(&times), "s")), q, v);
    if !orbit.last.is_empty() {
        let (q, v) = columns(&mut orbit.last.iter().copied());
        let times: Vec<f64> = orbit.last.iter().map(|p| p[0]).collect();
        phase = phase.line(format!("last {}", crate::plot::quantity(span(&times), "s")), q, v);
    }
    let mut charts = vec![phase];
    let mut note = "Position against velocity.".to_string();
    if orbit.gamma > 0.0 {
        // Without a drive the growth undoes the decay for as long as digits last; with one it soon hides all else.
        let reach = if plan.drives.is_empty() { 30.0 } else { 3.0 };
        let grown = orbit.first.iter().map(|[t, q, v]| (0.5 * orbit.gamma * t, *q, orbit.mass * v));
        let (psi, xi): (Vec<f64>, Vec<f64>) = grown
            .take_while(|(growth, ..)| *growth <= reach)
            .map(|(growth, q, p)| (growth.exp() * q, growth.exp() * p))
            .unzip();
        let momentum = if plan.bodies.iter().any(|b| b.per_area) { "kg/(m·s)" } else { "kg·m/s" };
        charts.push(
            Chart::new(
                format!("Modified phase space 𝒲 of {}", orbit.body),
                axis("ψ = exp(γt/2) y", "m"),
                axis("ξ = exp(γt/2) p", momentum),
            )
            .sized(HALF.0, 420.0)
            .line("", psi, xi),
        );
        note.push_str(
            " In 𝒲 = (e^(γt/2) y, e^(γt/2) p) a scheme that contracts the symplectic area as it should \
             draws a free damped oscillator like an undamped one (Chatziioannou 2019, eq. 23).",
        );
    }
    Section { title: "Phase space", note, charts }
}

/// A frequency in four digits.
fn hertz(f: f64) -> String {
    let (value, unit) = if f < 1000.0 { (f, "Hz") } else { (f / 1000.0, "kHz") };
    let digits = if value < 10.0 {
        3
    } else if value < 100.0 {
        2
    } else {
        1
    };
    format!("{value:.digits$} {unit}")
}
