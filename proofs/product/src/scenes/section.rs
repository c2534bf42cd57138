//! One section of a scene, drawn from the tables that the program publishes.

use super::{
    draw::Draw,
    place,
    scene::{File, Section},
};
use hamiltone_bodies::stretching;
use hamiltone_core::parameter::{Columns, Kind, Parameter, Range, Role, Table, Takes, Value, Values};
use hamiltone_elements::{BOWS, HAIR};
use hamiltone_gestures::note::Note;
use hamiltone_laws::parts::{Decades, audible, values_among};
use hamiltone_scene::{
    Plan,
    catalogue::Category,
    plan::BodyPlan,
    resolve::{Frame, Key},
};
use std::f64::consts::TAU;
use toml::Value as Toml;

/// The sound that drives read.
const SOUND: &str = "tone.wav";

/// The place of a pickup in stereo, which is drawn when the channels of the sound are known.
pub const PAN: &str = "pan";

/// The sizes of instruments; grids and numbers of modes as a test has time for.
pub fn instrument(role: Role, range: &Range) -> std::ops::Range<f64> {
    match role {
        Role::Count => 0.0..1.6,
        Role::Tension => 0.5..3.0,
        Role::LinearDensity => -4.0..-1.0,
        Role::Density => 2.0..4.2,
        Role::WaveSpeed => 1.0..3.5,
        Role::Diffusivity | Role::StiffnessCoefficient => -5.0..0.5,
        Role::Drive => -2.0..2.0,
        Role::Damping => -2.0..4.0,
        Role::Relaxation => -6.0..-3.0,
        Role::ContactLoss | Role::Resistance => -3.0..1.0,
        _ => audible(role, range),
    }
}

/// What someone may write by mistake: three decades and more beyond any instrument.
pub fn extreme(role: Role, range: &Range) -> std::ops::Range<f64> {
    let usual = instrument(role, range);
    match role {
        Role::Count => usual,
        _ => usual.start - 3.0..usual.end + 3.0,
    }
}

/// Movements of an obstacle.
fn moving(role: Role, range: &Range) -> std::ops::Range<f64> {
    if role == Role::Drive { -6.0..-3.0 } else { instrument(role, range) }
}

/// The name of a section, if there are several, and the kind that it takes where there are kinds.
pub struct Wanted {
    /// Its name.
    pub name: Option<String>,
    /// Its kind, or scheme.
    pub kind: Option<&'static Kind>,
    /// The sizes of its numbers.
    pub decades: Decades,
}

/// A section, and the files that it reads.
pub fn draw(draw: &mut Draw, frame: &Frame, wanted: Wanted, plan: Option<&Plan>) -> (Section, Vec<File>) {
    let mut section = Section { group: frame.name, name: wanted.name, keys: toml::Table::new() };
    let mut files = Vec::new();
    let drives = frame.keys.iter().any(|key| key.name == "motion");
    // A drive acts at a place, moves a contact or controls it.
    let contacts: Vec<&str> =
        plan.map(|plan| plan.contacts.iter().map(|c| &*c.name).collect()).unwrap_or_default();
    let category = Category::ALL.into_iter().find(|category| category.place().0 == frame.name);
    // What a gesture acts on follows from its kind.
    let target = category.and_then(|category| category.target(wanted.kind?));
    let acts = match target {
        Some(target) => target,
        None if drives && plan.is_some_and(|plan| stretched(plan).is_some()) && draw.chance(0.3) => {
            "tension_of"
        }
        None if !drives || contacts.is_empty() || draw.chance(0.6) => "at",
        None => *draw.any(&["motion", "control"]),
    };
    let decades = if acts == "motion" { moving } else { wanted.decades };
    for key in frame.keys {
        if let Some(value) = reference(draw, key, acts, &contacts, plan, wanted.kind, category) {
            section.keys.insert(key.name.into(), value);
        }
    }
    let mut add = |draw: &mut Draw, table: Table<'static>| {
        let values = draw.of(values_among(table, decades));
        let given = toml(draw, &section, &table, &values, &mut files);
        // Obstacles have many shapes; most contacts have none.
        section.keys.extend(given);
    };
    if let Some(kind) = wanted.kind.filter(|_| category != Some(Category::Schemes)) {
        add(draw, kind.table());
    }
    let shaped = frame.keys.iter().any(|key| key.name == "along");
    if !shaped || draw.chance(0.15) {
        add(draw, frame.table());
    }
    // It has an effect in stereo alone.
    section.keys.remove(PAN);
    // Hair needs the body that presses it.
    if section.keys.contains_key(HAIR) {
        match plan.filter(|plan| !plan.bodies.is_empty() && draw.chance(0.5)) {
            Some(plan) => {
                _ = section.keys.insert("pressed_by".into(), draw.any(&plan.bodies).name.clone().into())
            }
            None => _ = section.keys.remove(HAIR),
        }
    }
    (section, files)
}

/// The options of a scheme.
pub fn options(draw: &mut Draw, kind: &'static Kind) -> toml::Table {
    let values = draw.of(values_among(kind.table(), audible));
    let section = Section { group: "run", name: None, keys: toml::Table::new() };
    toml(draw, &section, &kind.table(), &values, &mut Vec::new())
}

/// What a key refers to.
///
/// # Panics
/// On a key that is not known here: a new one must be drawn, too.
fn reference(
    draw: &mut Draw,
    key: &Key,
    acts: &str,
    contacts: &[&str],
    plan: Option<&Plan>,
    kind: Option<&Kind>,
    category: Option<Category>,
) -> Option<Toml> {
    let place = |draw: &mut Draw, whole: f64| match plan.filter(|plan| !plan.bodies.is_empty()) {
        None => "ground".to_string(),
        Some(plan) => {
            let body = draw.any(&plan.bodies);
            let on = if draw.chance(whole) { String::new() } else { place::on(draw, body.placed.geometry) };
            format!("{}{on}", body.name)
        }
    };
    Some(match key.name {
        name if category.is_some_and(|category| category.place().1 == name) => kind?.name.into(),
        "options" => return None,
        "between" => {
            let mut ends =
                [place(draw, 0.15), if draw.chance(0.4) { "ground".into() } else { place(draw, 0.05) }];
            if draw.chance(0.5) {
                ends.reverse();
            }
            Toml::from(ends.to_vec())
        }
        "along" if draw.chance(0.05) => {
            let mut end = || format!("{},{}", draw.between(0.1, 0.9), draw.between(0.1, 0.9));
            Toml::from(vec![end(), end()])
        }
        "along" => return None,
        "bus" => match draw.below(20) {
            0 => "none".into(),
            1 | 2 => "main".into(),
            _ => return None,
        },
        "level" => match draw.below(6) {
            0 => format!("peak {} dBFS", -draw.between(0.0, 40.0)).into(),
            1 => format!("gain {} dB", draw.between(-60.0, 120.0)).into(),
            2 => "raw".into(),
            3 => "reference".into(),
            4 => format!("reference {} dB", draw.between(-60.0, 60.0)).into(),
            _ => return None,
        },
        "at" if acts == "at" => {
            // A pickup may name a contact.
            let contact = key.required && !contacts.is_empty() && draw.chance(0.2);
            if contact { (*draw.any(contacts)).into() } else { place(draw, 0.2).into() }
        }
        name @ ("motion" | "rate" | "control" | "fingering" | "place")
            if acts == name && !contacts.is_empty() =>
        {
            (*draw.any(contacts)).into()
        }
        "tension_of" if acts == "tension_of" => stretched(plan?)?.into(),
        // Where a string stretches, the builder writes it.
        "at" | "motion" | "rate" | "control" | "fingering" | "place" | "tension_of" | "polarisation_of" => {
            return None;
        }
        "torsion" | "moves_to" if kind.is_some_and(|kind| BOWS.contains(&kind.name)) && draw.chance(0.5) => {
            place(draw, 0.0).into()
        }
        "fingerings" | "embouchures" | "moves_to" | "torsion" | "pressed_by" => return None,
        other => panic!("the key `{other}` of a section is not drawn"),
    })
}

/// A body whose tension can be moved.
fn stretched(plan: &Plan) -> Option<String> {
    let stretches = |body: &&BodyPlan| stretching::form_of(&plan.system, &body.placed.dofs).is_some();
    plan.bodies.iter().find(stretches).map(|body| body.name.clone())
}

/// Values as TOML, now and then with their unit, and the files that they name.
fn toml(
    draw: &mut Draw,
    section: &Section,
    table: &Table<'_>,
    values: &Values,
    files: &mut Vec<File>,
) -> toml::Table {
    let mut keys = toml::Table::new();
    for parameter in table.parameters {
        let given = values.iter().find(|(name, _)| *name == parameter.name && values.is_given(name));
        let value = match (parameter.takes, given) {
            (Takes::File, _) => {
                files.push((SOUND.into(), tone()));
                SOUND.into()
            }
            (_, None) => continue,
            (_, Some((_, value))) => toml_value(draw, section, parameter, value, files),
        };
        keys.insert(parameter.name.into(), value);
    }
    keys
}

fn toml_value(
    draw: &mut Draw,
    section: &Section,
    parameter: &Parameter,
    value: &Value,
    files: &mut Vec<File>,
) -> Toml {
    let number = |x: f64, role: Option<Role>| match role {
        Some(role) if role.is_whole() => Toml::Integer(x as i64),
        _ => Toml::Float(x),
    };
    match (value, parameter.takes) {
        (Value::Number(x), Takes::Number(role, _)) => {
            let unit = role.symbol();
            let with_unit = !role.depends_on_forces() && !unit.is_empty() && draw.chance(0.2);
            if with_unit { Toml::from(format!("{x} {unit}")) } else { number(*x, Some(role)) }
        }
        (Value::Number(x), Takes::Pitch) => Note::of(x.clamp(0.1, 1e5), 440.0).to_string().into(),
        (Value::Numbers(list), _) => Toml::Array(list.iter().map(|x| number(*x, parameter.role())).collect()),
        (Value::Pairs(pairs), _) => {
            Toml::Array(pairs.iter().map(|(x, y)| Toml::from(vec![*x, *y])).collect())
        }
        (Value::Word(word), _) => word.as_str().into(),
        (Value::Constants(all), _) => {
            let all = all.iter().map(|(name, x)| (name.clone(), Toml::Float(*x)));
            all.collect::<toml::Table>().into()
        }
        (Value::Columns(columns), Takes::Columns(table)) => {
            let other =
                table.iter().find(|column| column.name.ends_with('=')).map_or("", |column| column.name);
            let file = format!("{}.csv", section.path());
            files.push((file.clone(), csv(columns, other)));
            file.into()
        }
        (Value::Table(inner), Takes::Table(table)) => toml(draw, section, &table, inner, files).into(),
        (value, _) => unreachable!("`{}` takes no {value:?}", parameter.name),
    }
}

fn csv(columns: &Columns, numbered: &str) -> Vec<u8> {
    let named = columns.named.iter().map(|(name, numbers)| (name.to_string(), numbers));
    let others = columns.numbered.iter().map(|(x, numbers)| (format!("{numbered}{x}"), numbers));
    let all: Vec<_> = named.chain(others).collect();
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let mut text = line(all.iter().map(|(name, _)| name.clone()).collect());
    for row in 0..columns.rows {
        text += &line(all.iter().map(|(_, numbers)| numbers[row].to_string()).collect());
    }
    text.into_bytes()
}

/// A WAV file, 32-bit floating point: 20 ms of a tone of 313 Hz at 48 kHz that ends abruptly.
fn tone() -> Vec<u8> {
    let (rate, frames) = (48_000_u32, 960_u32);
    let mut bytes = b"RIFF".to_vec();
    let mut push = |part: &[u8]| bytes.extend_from_slice(part);
    push(&(36 + 4 * frames).to_le_bytes());
    push(b"WAVEfmt ");
    push(&16_u32.to_le_bytes());
    for half in [3_u16, 1] {
        push(&half.to_le_bytes());
    }
    push(&rate.to_le_bytes());
    push(&(4 * rate).to_le_bytes());
    for half in [4_u16, 32] {
        push(&half.to_le_bytes());
    }
    push(b"data");
    push(&(4 * frames).to_le_bytes());
    for n in 0..frames {
        push(&((TAU * 313.0 * f64::from(n) / f64::from(rate)).sin() as f32).to_le_bytes());
    }
    bytes
}
