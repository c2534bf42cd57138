//! The page of a survey: charts over keys with a line for each velocity, and the table of all notes; and the main charts as one picture.

use super::{
    Survey,
    partials::COUNT,
    stroke::{LATE_LEVEL, LEVEL, Stroke},
};
use hamiltone_report::{
    Column, HALF, Section, Table, WIDE,
    document::{self, Tile},
    measure::slope::{LATE, PROMPT},
    plot::{Axis, Chart, Style, decimals, svg_grid},
};

/// The page as HTML.
pub fn html(survey: &Survey) -> String {
    let sections: Vec<Section> =
        [level(survey), centroid(survey), decay(survey), tuning(survey), repeated(survey), all(survey)]
            .into();
    let has_content = |section: &Section| !section.charts.is_empty() || !section.tables.is_empty();
    let sections: Vec<Section> = sections.into_iter().filter(has_content).collect();
    let troubles: Vec<String> =
        survey.troubles().iter().map(|trouble| format!("The energy balance fails: {trouble}")).collect();
    document::html(&survey.title, "A survey of its keys", &tiles(survey), &troubles, &sections)
}

/// Level, centroid, decay and tuning as an SVG picture, for a text.
pub fn svg(survey: &Survey) -> String {
    let all = [level(survey), centroid(survey), decay(survey), tuning(survey)];
    let halves =
        |section: Section| section.charts.into_iter().map(|chart| chart.sized(HALF.0, HALF.1)).take(2);
    svg_grid(&survey.title, &all.into_iter().flat_map(halves).collect::<Vec<_>>(), 2)
}

fn tiles(survey: &Survey) -> Vec<Tile> {
    let keys = match &survey.keys[..] {
        [first, .., last] => format!("{} to {}", survey.label(*first), survey.label(*last)),
        [only] => survey.label(*only),
        [] => String::new(),
    };
    let velocities: Vec<String> = survey.velocities.iter().map(u8::to_string).collect();
    let decibels = |x: f64| format!("{x:+.1} dB").replace('-', "−");
    let mut tiles = vec![
        ("Keys", survey.keys.len().to_string(), keys),
        ("Velocities", velocities.join(", "), "of 127".into()),
        (
            "Each note",
            format!("{} s", survey.conditions.seconds),
            format!("struck again after {} s, at {} Hz", survey.conditions.repeat_after, survey.rate),
        ),
    ];
    tiles.extend(survey.level_steps().first().filter(|_| survey.is_tuned).map(|step| {
        let [from, to] = step.keys.map(|key| survey.label(key));
        (
            "Largest step of level",
            decibels(step.difference),
            format!("{from} to {to} at velocity {}", step.velocity),
        )
    }));
    tiles.extend(survey.worst_repeat().map(|stroke| {
        let note = format!("{} at velocity {}", survey.label(stroke.key), stroke.velocity);
        ("Repeated stroke", decibels(stroke.repeat), note)
    }));
    tiles
}

/// A chart over keys, unless there is nothing to show.
fn over_keys(
    survey: &Survey,
    title: &str,
    y: Axis,
    size: (f64, f64),
    of: impl Fn(&Stroke) -> Option<f64>,
) -> Option<Chart> {
    let x = Axis::new("key, 60 is C4", "");
    let mut chart = Chart::new(title, x, y).sized(size.0, size.1);
    for velocity in &survey.velocities {
        // What is no number leaves a gap.
        let value = |stroke: &Stroke| of(stroke).filter(|x| x.is_finite()).unwrap_or(f64::NAN);
        let points = survey.at(*velocity).map(|stroke| (f64::from(stroke.key), value(stroke)));
        let (x, y): (Vec<f64>, Vec<f64>) = points.unzip();
        chart = chart.with(Style::LinePoints, format!("velocity {velocity}"), x, y);
    }
    let drawn = |chart: &Chart| chart.series.iter().any(|series| series.y.iter().any(|y| y.is_finite()));
    Some(chart).filter(drawn)
}

fn level(survey: &Survey) -> Section {
    let axis = || Axis::new("level", "dB");
    let early = over_keys(survey, "Level", axis(), WIDE, |stroke| Some(stroke.level));
    let late = over_keys(survey, "Late level", axis(), HALF, |stroke| stroke.late_level);
    let latency =
        over_keys(survey, "First audible sample", Axis::new("time after note-on", "s"), HALF, |stroke| {
            stroke.latency
        });
    let ([from, to], [late_from, late_to]) = (LEVEL, LATE_LEVEL);
    Section {
        title: "Level",
        note: format!(
            "Mean square of all channels from {from} s to {to} s after note-on, late from {late_from} s to {late_to} s, dB relative to \
             full scale. The first audible sample is the first within 30 dB of the largest."
        ),
        charts: [early, late, latency].into_iter().flatten().collect(),
        ..Section::default()
    }
}

fn centroid(survey: &Survey) -> Section {
    let axis = Axis::new("centroid", "Hz").log();
    let chart = over_keys(survey, "Spectral centroid", axis, HALF, |stroke| stroke.centroid);
    let attack = over_keys(survey, "Attack", Axis::new("attack time", "s"), HALF, |stroke| stroke.attack);
    Section {
        title: "Centroid",
        note: "Spectral centroid of the first 0.4 s, Σ f A/Σ A from 20 Hz to 16 kHz. Attack: the time in which the amplitude rises from a tenth to \
               nine tenths of its largest value."
            .into(),
        charts: [chart, attack].into_iter().flatten().collect(),
        ..Section::default()
    }
}

fn decay(survey: &Survey) -> Section {
    let chart = |title: &str, of: fn(&Stroke) -> Option<f64>| {
        over_keys(survey, title, Axis::new("T60", "s").log(), HALF, of)
    };
    let prompt = chart("Decay of the first partial, prompt", |stroke| stroke.first()?.prompt);
    let late = chart("Decay of the first partial, late", |stroke| stroke.first()?.late);
    let ([from, to], [late_from, late_to]) = (PROMPT, LATE);
    Section {
        title: "Decay",
        note: format!(
            "T60 by the slope of the energy in a narrow band from {from} s to {to} s (prompt) and from {late_from} s to {late_to} s (late) after the \
             first audible sample. Partials that do not decay there, are covered by others or are inaudible have none."
        ),
        charts: [prompt, late].into_iter().flatten().collect(),
        ..Section::default()
    }
}

fn tuning(survey: &Survey) -> Section {
    let first = over_keys(
        survey,
        "Pitch, from equal temperament",
        Axis::new("deviation", "cents"),
        WIDE,
        Stroke::cents,
    );
    let other = |number: usize| {
        let of = move |stroke: &Stroke| {
            stroke.partials.iter().find(|partial| partial.number == number).and_then(|partial| partial.cents)
        };
        let title = format!("Partial {number}, from {number} times the first");
        over_keys(survey, &title, Axis::new("deviation", "cents"), HALF, of)
    };
    Section {
        title: "Tuning",
        note: format!(
            "A4 = {} Hz. Partials more than half a semitone from where they are expected are left out.",
            survey.a4
        ),
        charts: first.into_iter().chain((2..=COUNT).filter_map(other)).collect(),
        ..Section::default()
    }
}

fn repeated(survey: &Survey) -> Section {
    let title = "Level of the repeated stroke above the first";
    let chart = over_keys(survey, title, Axis::new("difference", "dB"), WIDE, |stroke| Some(stroke.repeat));
    Section {
        title: "Repeated stroke",
        note: format!(
            "The key is down for 80 % of the {} s from one stroke to the next.",
            survey.conditions.repeat_after
        ),
        charts: chart.into_iter().collect(),
        ..Section::default()
    }
}

/// A row for each note.
fn all(survey: &Survey) -> Section {
    let digits = |x: Option<f64>, digits: usize| {
        x.filter(|x| x.is_finite()).map_or("–".into(), |x| decimals(x, digits))
    };
    let milliseconds = |x: Option<f64>| digits(x.map(|x| 1e3 * x), 1);
    let row = |stroke: &Stroke| {
        let first = stroke.first();
        vec![
            survey.label(stroke.key),
            stroke.velocity.to_string(),
            digits(Some(stroke.peak), 1),
            digits(Some(stroke.level), 1),
            digits(stroke.late_level, 1),
            milliseconds(stroke.latency),
            milliseconds(stroke.attack),
            digits(stroke.centroid, 0),
            digits(stroke.pitch, 2),
            digits(stroke.cents(), 2),
            digits(first.and_then(|first| first.prompt), 2),
            digits(first.and_then(|first| first.late), 2),
            digits(Some(stroke.repeat), 2),
        ]
    };
    let columns = [
        "velocity",
        "peak, dB",
        "level, dB",
        "late level, dB",
        "latency, ms",
        "attack, ms",
        "centroid, Hz",
        "sounds at, Hz",
        "deviation, cents",
        "prompt T60, s",
        "late T60, s",
        "repeated, dB",
    ];
    let table = Table {
        caption: "All notes",
        columns: [Column::Text("key")].into_iter().chain(columns.map(Column::Number)).collect(),
        rows: survey.strokes.iter().map(row).collect(),
    };
    Section {
        title: "All notes",
        note: "The table survey.csv beside this page has these and the other partials in full.".into(),
        tables: vec![table],
        ..Section::default()
    }
}
