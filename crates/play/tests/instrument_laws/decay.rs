//! Partials decay as the file of an instrument asks.
//!
//! The file is read here anew: its expanded text has `loss.t60` or the table of modes of every body. One pickup is heard alone. What its
//! body touches besides, so that it cannot decay by its own losses – a body that is not thrown at it, a bridge along it, a felt that lies
//! on it – exempts it, as does a bridge under its end, through which another body takes what `loss` does not have. A resonator that a
//! link joins to it exempts the partial that it is tuned to.

use super::shipped::{Player, RATE, Shipped};
use crate::partials::t60;
use hamiltone_core::input::Action;
use hamiltone_gestures::Shape;
use hamiltone_numerics::math;
use hamiltone_plan::{instrument::InstrumentPlan, output::PickupMix};
use hamiltone_play::Engine;
use hamiltone_render::tuning::discrete;
use hamiltone_report::measure::amplitude::amplitude;
use hamiltone_scene::{Limits, instrument::Instrument};
use toml::{Table, Value};

/// Softly, so that strings clear their frets.
const PIANO: f64 = 40.0 / 127.0;
/// When hammers and fingers have left what they set in motion, s.
const LEFT: f64 = 0.03;
/// How many partials are looked at.
const COUNT: usize = 3;
/// A window has so many periods of the distance to the next partial: a window of Hann lets −90 dB of that through.
const PERIODS: f64 = 16.0;
/// The longest window, s.
const WINDOW: f64 = 4.0;
/// What is weaker than this part of the peak is not measured: the others through the window lie 30 dB below that.
const STRONG: f64 = 1e-3;
/// A resonator is tuned to a partial that lies so near, a tenth of a semitone.
const TUNED: f64 = 0.006;
/// The relative difference that is left to windows: 0.1 dB of 5 dB or more.
const TOLERANCE: f64 = 0.02;

/// A number with a unit, SI.
fn number(value: &Value) -> Option<f64> {
    if let Some(number) = value.as_float().or_else(|| value.as_integer().map(|n| n as f64)) {
        return Some(number);
    }
    let (number, unit) = value.as_str()?.split_once(' ')?;
    let factor = match unit {
        "Hz" | "s" => 1.0,
        "kHz" => 1e3,
        "ms" => 1e-3,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| factor * number)
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(number).collect()
}

/// Decay times by frequency, Hz and s, that a body states.
fn stated(body: &Value) -> Option<Vec<(f64, f64)>> {
    if let Some(table) = body.get("table") {
        let (f, t60) = (numbers(table.get("frequency")?)?, numbers(table.get("t60")?)?);
        return Some(f.into_iter().zip(t60).collect());
    }
    let pair = |pair: &Value| Some((number(pair.get(0)?)?, number(pair.get(1)?)?));
    body.get("loss")?.get("t60")?.as_array()?.iter().map(pair).collect()
}

/// What is asked of a frequency: stated for it, the same for all, or of three and more by straight lines in the logarithms and
/// constant outside. Two give 1/T₆₀ = a + bk² with the wave number k of the frequency, where that is known.
fn asked(stated: &[(f64, f64)], f: f64, wave_number: Option<impl Fn(f64) -> f64>) -> Option<f64> {
    if let Some((_, t60)) = stated.iter().find(|(own, _)| (own / f - 1.0).abs() < 0.01) {
        return Some(*t60);
    }
    match *stated {
        [] => None,
        [(_, t60)] => Some(t60),
        [(low, first), (high, second)] => {
            let [k, before, behind] = [f, low, high].map(|f| wave_number.as_ref().map(|k| k(f) * k(f)));
            let part = (k? - before?) / (behind? - before?);
            Some(1.0 / ((1.0 - part) / first + part / second))
        }
        [first, .., last] if f < first.0 || f > last.0 => Some(if f < first.0 { first.1 } else { last.1 }),
        _ => stated.windows(2).find(|two| f < two[1].0).map(|two| {
            let part = math::log(f / two[0].0) / math::log(two[1].0 / two[0].0);
            two[0].1 * math::pow(two[1].1 / two[0].1, part)
        }),
    }
}

/// The wave number kL/π of a string at a frequency, Hz, by its partials n²(1 + Bn²) ∝ f²: that of partial n is n.
fn of_string(partials: &[f64]) -> impl Fn(f64) -> f64 {
    let ratio = math::square(partials[2] / (3.0 * partials[0]));
    let inharmonicity = (ratio - 1.0) / (9.0 - ratio);
    let first = math::square(partials[0]) / (1.0 + inharmonicity);
    move |f: f64| {
        let q = math::square(f) / first;
        (2.0 * q / (1.0 + (1.0 + 4.0 * inharmonicity * q).sqrt())).sqrt()
    }
}

/// The bodies that a contact, a link or a bridge of the scene joins.
fn ends(joining: &Value) -> Vec<&str> {
    let between = joining.get("between").and_then(Value::as_array).into_iter().flatten();
    between.filter_map(|end| end.as_str()?.split('@').next()).collect()
}

/// Whether a body of the scene stands on no other, and touches nothing but what is thrown at it, what it has a gap to, and felts that are
/// lifted.
fn is_free(scene: &Table, body: &str, thrown: &[String]) -> bool {
    let all = |of: &str| scene.get(of).and_then(Value::as_table).into_iter().flat_map(Table::values);
    let stands = all("bridge").any(|bridge| ends(bridge).first() == Some(&body));
    // Modes of a plate that stretches exchange energy.
    let own = scene.get("body").and_then(|bodies| bodies.get(body));
    let stretches = own.is_some_and(|body| body.get("von_karman").is_some());
    !stands
        && !stretches
        && all("contact").all(|contact| {
            let ends = ends(contact);
            let Some(other) = ends.iter().find(|end| ends.contains(&body) && **end != body) else {
                return true;
            };
            let lifted = contact.get("law").and_then(Value::as_str) == Some("damper")
                && contact.get("resistance").is_none();
            lifted
                || *other == "ground" && contact.get("gap").is_some()
                || thrown.iter().any(|thrown| thrown == other)
        })
}

/// The frequencies of the oscillators that links join to a body of the scene, Hz.
fn resonators(scene: &Table, body: &str) -> Vec<f64> {
    let links = scene.get("link").and_then(Value::as_table);
    let joined = links.into_iter().flat_map(Table::values).map(ends).filter(|ends| ends.contains(&body));
    joined
        .flatten()
        .filter_map(|end| number(scene.get("body")?.get(end)?.get("undamped_frequency")?))
        .collect()
}

/// The bodies that strikes throw.
fn thrown(plan: &InstrumentPlan) -> Vec<String> {
    let struck = plan.gestures.iter().filter(|gesture| matches!(gesture.shape, Shape::Blow { .. }));
    let dof = |input: usize| match &plan.plan.system.inputs[input].action {
        Action::Force(row) => row.last_dof(),
        _ => None,
    };
    let body = |dof: usize| plan.plan.bodies.iter().find(|body| body.placed.dofs.contains(&dof));
    let mut inputs: Vec<usize> = struck.map(|gesture| gesture.input).collect();
    inputs.dedup();
    inputs.into_iter().filter_map(|input| Some(body(dof(input)?)?.name.clone())).collect()
}

/// A key with a pickup and the body that it reads.
struct Heard<'a> {
    key: u8,
    pickup: &'a str,
    body: &'a str,
}

/// What is heard: of each of some units the pickup that comes first and reads a body that decays freely, as stated.
fn heard<'a>(scene: &'a Table, plan: &InstrumentPlan) -> Vec<Heard<'a>> {
    let (units, thrown) = (&plan.notes.units, thrown(plan));
    let table = |name: &str| scene.get(name).and_then(Value::as_table);
    let (Some(pickups), Some(bodies)) = (table("pickup"), table("body")) else { return Vec::new() };
    let strings =
        units.iter().any(|unit| unit.keys.len() > 1) || bodies.keys().any(|name| name == "string-1");
    let some = |n: usize| n * (units.len() - 1) / 3;
    (0..4)
        .filter_map(|n| {
            let unit = some(n);
            let key = units[unit].keys.iter().map(|of| of.key).min()?;
            let suffix = format!("-{}", if strings { unit + 1 } else { usize::from(key) });
            let of = |(name, pickup): (&'a String, &'a Value)| {
                let body = pickup.get("at")?.as_str()?.split('@').next()?;
                let free = name.ends_with(&suffix)
                    && stated(bodies.get(body)?).is_some()
                    && is_free(scene, body, &thrown);
                free.then_some(Heard { key, pickup: name, body })
            };
            pickups.iter().find_map(of)
        })
        .collect()
}

/// A player that hears one pickup alone.
fn alone(plan: &mut InstrumentPlan, pickup: &str) -> Player {
    let own: Vec<PickupMix> = plan.plan.pickups.iter().map(|pickup| pickup.mix).collect();
    for other in &mut plan.plan.pickups {
        let bus = (other.name == pickup).then_some(0);
        other.mix = PickupMix { bus, ..PickupMix::default() };
    }
    let engine = Engine::new(plan).expect("an instrument that can be played");
    plan.plan.pickups.iter_mut().zip(own).for_each(|(pickup, own)| pickup.mix = own);
    Player::new(engine)
}

/// The law.
pub fn as_asked(shipped: &Shipped) -> Vec<String> {
    let path = format!("{}/../../instruments/{}.toml", env!("CARGO_MANIFEST_DIR"), shipped.name);
    let text = Instrument::open(path, &[], Limits::default()).and_then(|own| own.scene(RATE, None));
    let scene: Table = text.expect("an instrument").parse().expect("a scene");
    let heard = shipped.plan(|plan| heard(&scene, plan));
    let (mut faults, bodies, mut count) = (Vec::new(), heard.len(), 0);
    for Heard { key, pickup, body } in heard {
        let (mut player, partials) = shipped.plan(|plan| {
            let player = alone(plan, pickup);
            let own = plan.plan.bodies.iter().find(|own| own.name == body).expect("a body");
            (player, discrete(&plan.plan, own, COUNT + 1))
        });
        let stated = stated(&scene["body"][body]).expect("decay times");
        let is_string = scene["body"][body].get("kind").and_then(Value::as_str) == Some("string");
        let wave_number = is_string.then(|| of_string(&partials));
        let sound = |player: &mut Player, seconds: f64| -> Vec<f64> {
            player.note(key, PIANO, seconds).into_iter().map(|frame| frame[0]).collect()
        };
        let resonators = resonators(&scene, body);
        for (k, f) in partials.iter().take(COUNT).enumerate() {
            if resonators.iter().any(|own| (own / f - 1.0).abs() < TUNED) {
                continue;
            }
            let Some(asked) = asked(&stated, *f, wave_number.as_ref()) else { continue };
            let others = partials.iter().filter(|other| (*other / f - 1.0).abs() > 1e-6);
            let distance = others.map(|other| (other - f).abs()).fold(*f, f64::min);
            let window = (asked / 8.0).min(WINDOW).max(PERIODS / distance);
            if window > asked / 2.0 {
                continue; // It is gone before it can be told from the next one.
            }
            let sound = sound(&mut player, LEFT + 2.0 * window + 0.01);
            let late = &sound[(LEFT * RATE) as usize..];
            let peak = sound.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
            let strong = amplitude(&late[..(window * RATE) as usize], RATE, *f) > STRONG * peak;
            let measured = t60(late, RATE, *f, window);
            count += usize::from(strong);
            if strong && (measured / asked - 1.0).abs() > TOLERANCE {
                faults.push(format!(
                    "key {key}, partial {} of {body}: T60 {measured:.3} s for {asked:.3} s",
                    k + 1
                ));
            }
        }
    }
    // Of a drum they are soon gone, of tines the higher ones weak.
    if count < bodies {
        faults.push(format!("{count} partials of {bodies} bodies were measured"));
    }
    faults
}
