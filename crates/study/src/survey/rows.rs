//! A survey as rows of a table, one a note.
//!
//! | column | what |
//! |---|---|
//! | `key`, `midi`, `velocity` | which note |
//! | `latency_s`, `attack_s` | from note-on to the first audible sample; from a tenth to nine tenths of the amplitude |
//! | `peak_db`, `level_db`, `late_level_db` | the largest sample; the level over 0 to 0.5 s and over 1.0 to 1.5 s after note-on, dB of full scale |
//! | `centroid_hz` | the spectral centroid of the first 0.4 s by amplitude |
//! | `requested_hz` | the frequency of the key in equal temperament |
//! | `pitch_hz`, `pitch_cents` | the frequency at which it sounds, that with which a bowed or blown note repeats itself, that of the first partial of others, and how far it is above what is requested |
//! | `partial_N_hz`, `partial_N_cents` | frequency of partial N, and how far it is above what is requested (N = 1) or above N times the first |
//! | `partial_N_db` | its amplitude from 0.1 s to 0.6 s after the first audible sample |
//! | `partial_N_t60_prompt_s`, `partial_N_t60_late_s` | its decay time from 0.1 s to 0.6 s and from 2 s to 4 s after the first audible sample |
//! | `repeat_db` | the level of the repeated stroke above that of the first |
//! | `residual`, `residual_tolerance`, `balanced` | the energy balance |
//!
//! What cannot be measured is empty.

use super::{Survey, name, partials::COUNT, stroke::Stroke};
use crate::features::Row;
use serde_json::{Value, json};

/// The rows: all velocities of the first key, then of the next.
pub fn of(survey: &Survey) -> Vec<Row> {
    survey.strokes.iter().map(row).collect()
}

fn row(stroke: &Stroke) -> Row {
    // Infinite levels are those of silence.
    let number = |x: Option<f64>| json!(x.filter(|x| x.is_finite()));
    let mut row = Row::new();
    let mut insert = |name: &str, value: Value| _ = row.insert(name.into(), value);
    insert("key", json!(name(stroke.key)));
    insert("midi", json!(stroke.key));
    insert("velocity", json!(stroke.velocity));
    insert("latency_s", number(stroke.latency));
    insert("attack_s", number(stroke.attack));
    insert("peak_db", number(Some(stroke.peak)));
    insert("level_db", number(Some(stroke.level)));
    insert("late_level_db", number(stroke.late_level));
    insert("centroid_hz", number(stroke.centroid));
    insert("requested_hz", number(stroke.requested));
    insert("pitch_hz", number(stroke.pitch));
    insert("pitch_cents", number(stroke.cents()));
    // Every row has every column.
    for n in 1..=COUNT {
        let partial = stroke.partials.iter().find(|partial| partial.number == n);
        let mut own = |what: &str, of: Option<f64>| insert(&format!("partial_{n}_{what}"), number(of));
        own("hz", partial.and_then(|partial| partial.frequency));
        own("cents", partial.and_then(|partial| partial.cents));
        own("db", partial.and_then(|partial| partial.level));
        own("t60_prompt_s", partial.and_then(|partial| partial.prompt));
        own("t60_late_s", partial.and_then(|partial| partial.late));
    }
    insert("repeat_db", number(Some(stroke.repeat)));
    insert("residual", number(Some(stroke.residual.0)));
    insert("residual_tolerance", number(Some(stroke.residual.1)));
    insert("balanced", json!(stroke.trouble.is_none()));
    row
}
