//! What contacts did: where and when they were touched, how hard over time, and the hardest impact from near.

use super::{HALF, Section, WIDE, contactogram};
use crate::{
    contactogram::Contactogram,
    contacts,
    forces::Force,
    plot::{Axis, Chart, quantity},
    report::Kept,
};
use hamiltone_render::Outcome;
use hamiltone_scene::Plan;

/// The longest close-up, s.
const LONGEST: f64 = 0.012;

pub fn section(plan: &Plan, outcome: &Outcome, kept: &Kept) -> Section {
    let rate = plan.sample_rate;
    // A picture from near shows nothing more where the whole is hardly longer.
    let longer = |near: &Contactogram| {
        let whole = kept.contactograms.iter().find(|seen| seen.contact == near.contact && !seen.near);
        whole.is_none_or(|whole| 2 * whole.length() > 3 * near.length())
    };
    let shown = kept.contactograms.iter().filter(|seen| !seen.near || longer(seen));
    let charts = shown.filter_map(|seen| contactogram::chart(plan, seen)).collect();
    let table = contacts::table(plan, outcome);
    let mut section = Section { title: "Contact", charts, table, ..Section::default() };
    for force in &kept.forces {
        let name = &force.contact;
        let touches = |f: &f64| *f != 0.0;
        let Some(first) = force.values.iter().position(touches) else {
            section.note += &format!("{name} is never touched. ");
            continue;
        };
        let last = force.values.iter().rposition(touches).unwrap_or(first);
        let peak = (first..=last)
            .max_by(|a, b| force.values[*a].abs().total_cmp(&force.values[*b].abs()))
            .unwrap_or(first);
        section.note += &format!(
            "{name} is first touched at {} and last at {}, with at most {}. ",
            quantity(first as f64 / rate, "s"),
            quantity(last as f64 / rate, "s"),
            quantity(force.values[peak].abs(), force.unit),
        );
        let impact = around(&force.values, peak, (LONGEST * rate) as usize);
        let end = (last + last / 8 + 2).max(impact.end).min(force.values.len());
        let single = 2 * impact.len() > end;
        let mut whole = chart(force, rate, format!("Force of {name}"), 0..end);
        if single {
            whole.size = WIDE;
        }
        section.charts.push(whole);
        if !single {
            let title = format!("Force of {name}, its hardest impact from near");
            section.charts.push(chart(force, rate, title, impact));
        }
    }
    let work = outcome.audit.contact_work;
    if work != 0.0 {
        let work = quantity(work, plan.energy_unit()).replace('-', "−");
        section.note += &format!("All contacts together did the work {work} that no potential keeps. ");
    }
    section.note += "At the samples of the sound: a force is the impulse within one, over its length.";
    section
}

fn chart(force: &Force, rate: f64, title: String, range: std::ops::Range<usize>) -> Chart {
    let t = range.clone().map(|i| i as f64 / rate).collect();
    Chart::new(title, Axis::new("time", "s"), Axis::new("force", force.unit)).sized(HALF.0, HALF.1).line(
        "",
        t,
        force.values[range].to_vec(),
    )
}

/// The impact that holds `peak`, with a margin, at most `longest` samples.
fn around(values: &[f64], peak: usize, longest: usize) -> std::ops::Range<usize> {
    let half = (longest / 2).max(4);
    let still = |range: &[f64]| range.iter().all(|f| *f == 0.0);
    let quiet = (half / 8).max(2);
    let begin = (peak.saturating_sub(half)..peak)
        .rev()
        .find(|i| still(&values[i.saturating_sub(quiet)..*i]))
        .unwrap_or(peak.saturating_sub(half));
    let end = (peak + 1..(peak + half).min(values.len()))
        .find(|i| still(&values[*i..(*i + quiet).min(values.len())]))
        .unwrap_or((peak + half).min(values.len()));
    let margin = ((end - begin) / 5).max(2);
    begin.saturating_sub(margin)..(end + margin).min(values.len())
}
