//! Contacts: where and when they act, their forces over time, and a close-up of the hardest impact.

use super::contact_map;
use super::section::{HALF, Section, WIDE};
use crate::{
    contact_table,
    history::{
        History,
        contact_map::ContactMap,
        force::{CLOSE_UP, Force},
    },
    plot::{Axis, Chart, quantity},
};
use hamiltone_render::Outcome;
use hamiltone_scene::Plan;

/// Maps of contacts along bodies, forces of all, and a table.
pub fn section(plan: &Plan, outcome: &Outcome, history: &History) -> Section {
    let rate = plan.sample_rate;
    // A close-up shows nothing more where the whole is hardly longer.
    let useful = |close_up: &ContactMap| {
        let whole = history.contact_maps.iter().find(|map| map.contact == close_up.contact && !map.close_up);
        whole.is_none_or(|whole| 2 * whole.length() > 3 * close_up.length())
    };
    let shown = history.contact_maps.iter().filter(|map| !map.close_up || useful(map));
    let charts = shown.filter_map(|map| contact_map::chart(plan, map)).collect();
    let tables = contact_table::table(plan, outcome).into_iter().collect();
    let mut section = Section { title: "Contact", charts, tables, ..Section::default() };
    let mut thinned = false;
    for force in &history.forces {
        let name = &force.contact;
        let Some((first, last)) = force.in_contact else {
            section.note += &format!("{name}: no contact. ");
            continue;
        };
        section.note += &format!(
            "{name}: first contact at {}, last at {}, maximum force {}. ",
            quantity(first as f64 / rate, "s"),
            quantity(last as f64 / rate, "s"),
            quantity(force.peak.1.abs(), force.unit),
        );
        let (start, impact) = force.impact();
        let shown = around(&impact, (force.peak.0 - start) as usize, (CLOSE_UP * rate) as usize);
        let impact_end = start + shown.end as u64;
        let end = (last + last / 8 + 2).max(impact_end).min(force.values.len());
        let single = 2 * shown.len() as u64 > end;
        let mut whole = chart(force, format!("Contact force of {name}"), force.values.line(0..end, rate));
        if single {
            whole.size = WIDE;
        }
        section.charts.push(whole);
        if !single {
            let title = format!("Contact force of {name}: close-up of the hardest impact");
            let t = shown.clone().map(|i| (start + i as u64) as f64 / rate).collect();
            section.charts.push(chart(force, title, (t, impact[shown].to_vec())));
        }
        thinned |= !force.values.is_exact();
    }
    let work = outcome.audit.contact_work;
    if work != 0.0 {
        let work = quantity(work, plan.energy_unit()).replace('-', "−");
        section.note += &format!("Net work of non-conservative contacts: {work}. ");
    }
    section.note += "Contact forces are averaged over each sample of the sound.";
    if thinned {
        section.note += " The lines show the smallest and the largest force within each short interval.";
    }
    section
}

fn chart(force: &Force, title: String, (t, values): (Vec<f64>, Vec<f64>)) -> Chart {
    let (time, axis) = (Axis::new("time", "s"), Axis::new("force", force.unit));
    Chart::new(title, time, axis).sized(HALF.0, HALF.1).line("", t, values)
}

/// The impact that holds `peak`, with a margin, at most `longest` samples.
fn around(values: &[f64], peak: usize, longest: usize) -> std::ops::Range<usize> {
    let half = (longest / 2).max(4);
    let zero = |range: &[f64]| range.iter().all(|f| *f == 0.0);
    let quiet = (half / 8).max(2);
    let begin = (peak.saturating_sub(half)..peak)
        .rev()
        .find(|i| zero(&values[i.saturating_sub(quiet)..*i]))
        .unwrap_or(peak.saturating_sub(half));
    let end = (peak + 1..(peak + half).min(values.len()))
        .find(|i| zero(&values[*i..(*i + quiet).min(values.len())]))
        .unwrap_or((peak + half).min(values.len()));
    let margin = ((end - begin) / 5).max(2);
    begin.saturating_sub(margin)..(end + margin).min(values.len())
}
