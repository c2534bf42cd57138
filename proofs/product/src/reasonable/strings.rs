//! Strings of pianos, guitars, basses and their like, 27 Hz to 2 kHz.
//!
//! Pitch f and wave speed c = 2Lf are drawn; c lies between 100 m/s of loose gut and 420 m/s of steel near its limit.

use super::text::Text;
use crate::scenes::draw::Draw;

/// ρ, kg/m³, and E, Pa, of steel, brass, nylon and gut.
const MATERIALS: [(f64, f64); 4] = [(7850.0, 200e9), (8500.0, 105e9), (1140.0, 3e9), (1300.0, 5e9)];

/// A string that was drawn.
struct Wire {
    length: f64,
    frequency: f64,
}

fn string(draw: &mut Draw, text: &mut Text, name: &str, frequency: Option<f64>) -> Wire {
    let frequency = frequency.unwrap_or_else(|| draw.decades(1.44, 3.3));
    let length = (draw.between(100.0, 420.0) / (2.0 * frequency)).clamp(0.05, 2.2);
    let (density, modulus) = *draw.any(&MATERIALS);
    // A thicker one is a rod, which no tension makes a string.
    let radius = draw.decades(-4.0, -3.1).min(length / 300.0);
    let t60 = [draw.decades(-0.3, 1.0), draw.decades(-1.0, -0.3)];
    let ends = match draw.below(10) {
        0 => "\nleft = \"clamped\"",
        1 => "\nleft = \"clamped\"\nright = \"clamped\"",
        _ => "",
    };
    let high = 20.0 * frequency;
    text.line(&format!(
        "[body.{name}]\nkind = \"string\"\nlength = {length}\nradius = {radius}\ndensity = {density}\nyoungs_modulus = {modulus:.0}\n\
         frequency = {frequency}{ends}\nloss = {{ t60 = [[{frequency}, {}], [{high}, {}]] }}",
        t60[0], t60[1]
    ));
    Wire { length, frequency }
}

/// A pluck of up to 3 mm, and at most 1/80 of the length.
fn pluck(draw: &mut Draw, text: &mut Text, name: &str, wire: &Wire) {
    let (at, height) = (draw.between(0.05, 0.5), draw.between(0.2, 1.0) * (wire.length / 80.0).min(3e-3));
    let width = if draw.chance(0.5) { format!("\nwidth = {}", 0.02 * wire.length) } else { String::new() };
    text.line(&format!(
        "[drive.finger]\nkind = \"pluck\"\nat = \"{name}@{at:.3}\"\nheight = {height}{width}"
    ));
}

/// A hammer with a felt, light in the treble.
fn hammer(draw: &mut Draw, text: &mut Text, name: &str, wire: &Wire) {
    let mass = 0.012 * (27.5 / wire.frequency).powf(0.25) * draw.between(0.5, 1.0);
    let (velocity, at) = (draw.between(0.5, 5.0), draw.between(0.06, 0.2));
    let (exponent, force) = (draw.between(2.0, 3.0), draw.decades(0.5, 1.7));
    // So much force at 1 mm.
    let stiffness = force / 1e-3_f64.powf(exponent);
    text.line(&format!(
        "[body.hammer]\nkind = \"mass\"\nmass = {mass}\nvelocity = {velocity}\n\
         [contact.felt]\nbetween = [\"hammer\", \"{name}@{at:.3}\"]\nlaw = \"power\"\nstiffness = {stiffness}\nexponent = {exponent}"
    ));
}

fn pickup(draw: &mut Draw, text: &mut Text, name: &str) {
    let force = format!("at = \"{name}@1\"\nquantity = \"force\"");
    let velocity = format!("at = \"{name}@{:.3}\"\nquantity = \"velocity\"", draw.between(0.6, 0.95));
    text.line(&format!("[pickup.out]\n{}", if draw.chance(0.5) { force } else { velocity }));
}

/// A plucked string.
pub fn plucked(draw: &mut Draw, text: &mut Text) {
    let wire = string(draw, text, "string", None);
    pluck(draw, text, "string", &wire);
    pickup(draw, text, "string");
}

/// A string struck by a hammer.
pub fn struck(draw: &mut Draw, text: &mut Text) {
    let wire = string(draw, text, "string", None);
    hammer(draw, text, "string", &wire);
    pickup(draw, text, "string");
}

/// A plucked string over frets, a barrier, or a curved bridge.
pub fn against_obstacle(draw: &mut Draw, text: &mut Text) {
    let wire = string(draw, text, "string", None);
    pluck(draw, text, "string", &wire);
    pickup(draw, text, "string");
    let depth = (wire.length / 80.0).min(3e-3);
    let restitution = draw.between(0.0, 0.4);
    text.line(&match draw.below(3) {
        0 => {
            let frets = 1 + draw.below(6);
            let fret = |i: usize| {
                let x = wire.length * (1.0 - 2.0_f64.powf(-(i as f64 + 1.0) / 12.0));
                format!("[{x}, {}]", -depth * (0.2 + 0.02 * i as f64))
            };
            let list: Vec<String> = (0..frets).map(fret).collect();
            let list = list.join(", ");
            format!(
                "[contact.frets]\nbetween = [\"ground\", \"string\"]\nlaw = \"rigid\"\nrestitution = {restitution}\nfrets = [{list}]"
            )
        }
        1 => {
            let (at, gap) = (draw.between(0.2, 0.8), depth * draw.between(0.05, 0.6));
            let stiffness = draw.decades(5.0, 8.0);
            format!(
                "[contact.barrier]\nbetween = [\"ground\", \"string@{at:.3}\"]\nlaw = \"power\"\ngap = {gap}\nstiffness = {stiffness}\nexponent = 1.5"
            )
        }
        _ => {
            let long = wire.length * draw.between(0.02, 0.06);
            let point = |part: f64| format!("[{}, {}]", part * long, -depth * 0.1 * part * part);
            let profile: Vec<String> = [0.0, 0.25, 0.5, 0.75, 1.0].map(point).to_vec();
            format!(
                "[contact.bridge]\nbetween = [\"ground\", \"string\"]\nlaw = \"rigid\"\nrestitution = 0\nprofile = [{}]",
                profile.join(", ")
            )
        }
    });
}

/// A struck string with a loose nut on it.
pub fn prepared(draw: &mut Draw, text: &mut Text) {
    let wire = string(draw, text, "string", None);
    hammer(draw, text, "string", &wire);
    pickup(draw, text, "string");
    let (at, mass) = (draw.between(0.3, 0.7), draw.decades(-3.5, -2.5));
    let clearance = draw.decades(-4.0, -3.3);
    text.line(&format!(
        "[body.nut]\nkind = \"mass\"\nmass = {mass}\n\
         [contact.nut]\nbetween = [\"string@{at:.3}\", \"nut\"]\nlaw = \"rattle\"\nstiffness = 1e7\nexponent = 1.5\nclearance = {clearance}"
    ));
}

/// Two strings, a few cents apart, on one bridge.
pub fn on_a_bridge(draw: &mut Draw, text: &mut Text) {
    let first = string(draw, text, "first", None);
    let detuned = first.frequency * (1.0 + draw.between(-2e-3, 2e-3));
    string(draw, text, "second", Some(detuned));
    pluck(draw, text, "first", &first);
    let (mass, frequency) = (draw.decades(-1.7, -0.5), draw.between(80.0, 400.0));
    text.line(&format!(
        "[body.bridge]\nkind = \"oscillator\"\nmass = {mass}\nfrequency = {frequency}\ndamping = 20\n\
         [link.first]\nbetween = [\"first@0.98\", \"bridge\"]\nstiffness = 1e5\n\
         [link.second]\nbetween = [\"second@0.98\", \"bridge\"]\nstiffness = 1e5\n\
         [pickup.out]\nat = \"bridge\"\nquantity = \"velocity\""
    ));
}
