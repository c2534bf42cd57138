//! Small instruments for tests of the engine.

use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Engine, recording::Balance};
use hamiltone_scene::instrument::Instrument;
use std::path::Path;

/// Tines of one mode with dampers, on C4 to C5: one linear oscillator a key.
pub const TINES: &str = r#"
hamiltone = 2
output.level = "reference 0 dB"
[instrument]
keys = "C4..C5"
[key.body.tine]
kind = "oscillator"
mass = "{2 + (72 - key)/12} g"
frequency = "{frequency} Hz"
decay_time = "3 s"
[key.contact.damper]
between = ["tine", "ground"]
law = "damper"
resistance = "1 N s/m"
[key.pickup.tine]
at = "tine"
quantity = "velocity"
pan = "{(key - 66)/6}"
[[note_on]]
gesture = "damp"
control = "damper"
resistance = "0 N s/m"
ramp = "2 ms"
[[note_on]]
gesture = "strike"
at = "tine"
speed = "{velocity} m/s"
[[note_off]]
gesture = "undamp"
control = "damper"
ramp = "10 ms"
[[pedal_down]]
gesture = "damp"
control = "damper"
resistance = "0 N s/m"
ramp = "30 ms"
[[pedal_up]]
gesture = "undamp"
control = "damper"
ramp = "30 ms"
"#;

/// Struck strings of 12 modes with hammers of felt and dampers, from C2 on: as many keys as are asked for.
pub fn piano(keys: u8) -> String {
    let last = 35 + keys;
    format!(
        r#"
hamiltone = 2
output.level = "reference 0 dB"
run.oversampling = 1
[instrument]
keys = [{}]
sleep = "1e-10 J"
[key.body.hammer]
kind = "oscillator"
mass = "{{10 - key/20}} g"
undamped_frequency = "6 Hz"
damping = "75 1/s"
[key.body.string]
kind = "string"
modes = 12
length = "{{65.4/frequency + 0.3}} m"
linear_density = "6 g/m"
frequency = "{{frequency}} Hz"
loss = {{ t60 = [["{{frequency}} Hz", "2 s"], ["{{8*frequency}} Hz", "0.5 s"]] }}
[key.contact.felt]
between = ["hammer", "string@0.12"]
law = "power"
stiffness = "1e8 N/m^2.3"
exponent = 2.3
gap = "2 mm"
loss = "0.2 s/m"
[key.contact.damper]
between = ["string@0.13", "ground"]
law = "damper"
resistance = "4 N s/m"
[key.pickup.string]
at = "string@1"
quantity = "force"
pan = "{{(key - 60)/60}}"
[[note_on]]
gesture = "damp"
control = "damper"
resistance = "0 N s/m"
ramp = "10 ms"
[[note_on]]
gesture = "strike"
at = "hammer"
speed = "{{0.4 + 4*velocity^2}} m/s"
[[note_off]]
gesture = "undamp"
control = "damper"
ramp = "20 ms"
[[pedal_down]]
gesture = "damp"
control = "damper"
resistance = "0 N s/m"
ramp = "50 ms"
[[pedal_up]]
gesture = "undamp"
control = "damper"
ramp = "50 ms"
"#,
        (36..=last).map(|key| key.to_string()).collect::<Vec<_>>().join(", ")
    )
}

/// Two plucked strings of 16 modes over five rigid frets, stepped twice a sample; E2 and A2 are open.
pub const BASS: &str = r#"
hamiltone = 2
output.level = "reference 0 dB"
run.oversampling = 2
[instrument]
strings = ["E2", "A2"]
frets = 5
sleep = "1e-10 J"
[string.body.string]
kind = "string"
modes = 16
length = "0.65 m"
linear_density = "6 g/m"
frequency = "{frequency} Hz"
loss = { t60 = [["{frequency} Hz", "2 s"], ["{8*frequency} Hz", "0.4 s"]] }
[fret.contact.fret]
between = ["ground", "string@{650*(1 - frequency/hz(open + fret))} mm"]
law = "rigid"
restitution = 0
gap = "{0.5 + 2*(1 - 2^(-fret/12))} mm"
[string.contact.flesh]
between = ["string@8 mm", "ground"]
law = "damper"
[string.contact.hand]
between = ["string@0.83", "ground"]
law = "damper"
resistance = "1.5 N s/m"
[string.pickup.bridge]
at = "string@1"
quantity = "force"
ac_coupling = "20 Hz"
pan = "{(open - 42)/6}"
[[note_on]]
gesture = "damp"
control = "hand"
resistance = "0 N s/m"
ramp = "5 ms"
[[note_on]]
when = "{fret > 0}"
gesture = "press"
at = "string@{650*(1 - frequency/hz(open + fret)) - 12} mm"
force = "-6 N"
[[note_on]]
when = "{fret > 0}"
gesture = "damp"
control = "flesh"
resistance = "1.5 N s/m"
[[note_on]]
gesture = "pluck"
at = "string@0.83"
force = "{0.3 + 2*velocity} N"
rise = "8 ms"
release = "1 ms"
delay = "{if(fret > 0, 12, 0)} ms"
[[note_off]]
when = "{fret > 0}"
gesture = "release"
at = "string@{650*(1 - frequency/hz(open + fret)) - 12} mm"
ramp = "30 ms"
[[note_off]]
when = "{fret > 0}"
gesture = "undamp"
control = "flesh"
[[note_off]]
gesture = "undamp"
control = "hand"
ramp = "30 ms"
"#;

/// Samples a second whose period is a number of the machine, so that times of steps are exact.
pub const EXACT_RATE: f64 = 32_768.0;

/// The plan of an instrument.
pub fn plan(text: &str, rate: f64) -> InstrumentPlan {
    let instrument = Instrument::new(text, "test.toml", Path::new(""), &[]);
    instrument.plan(rate, None).unwrap_or_else(|problems| panic!("{problems}"))
}

/// An instrument at rest at 48 kHz.
pub fn engine(text: &str) -> Engine {
    engine_at(text, 48_000.0)
}

/// An instrument at rest.
pub fn engine_at(text: &str, rate: f64) -> Engine {
    Engine::new(&plan(text, rate)).unwrap()
}

/// The next frames, all channels of each.
pub fn frames(engine: &mut Engine, frames: usize) -> Vec<f64> {
    let mut samples = vec![0.0; frames * engine.channels()];
    engine.render(&mut samples);
    samples
}

/// The next frames of one channel.
pub fn channel(engine: &mut Engine, number: usize, count: usize) -> Vec<f64> {
    let channels = engine.channels();
    frames(engine, count).into_iter().skip(number).step_by(channels).collect()
}

/// The next seconds of the first channel.
pub fn seconds(engine: &mut Engine, time: f64) -> Vec<f64> {
    let count = (time * engine.rate()) as usize;
    channel(engine, 0, count)
}

/// The bits of numbers.
pub fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// The balance of the whole performance, J: supplied − dissipated − stored + contact work of all parts, and what rounding may leave of it.
///
/// The tolerance of a part is that of its audit; those of the parts add up.
pub fn whole_balance(engine: &Engine) -> (f64, f64) {
    let balance = Balance::of([engine]);
    let left = balance.supplied - balance.dissipated - balance.stored + balance.contact_work;
    (left, engine.audits().map(|audit| audit.tolerance(0.0) * audit.scale()).sum())
}

/// Every part is balanced, and so is the whole.
pub fn assert_balanced(engine: &Engine) {
    let (left, tolerance) = whole_balance(engine);
    let faults: Vec<_> =
        engine.islands().iter().filter_map(|part| Some((part.name(), part.audit().fault?))).collect();
    assert!(engine.is_balanced(), "{faults:?}");
    assert!(left.abs() <= tolerance, "{left:e} J are left over, {tolerance:e} J is rounding");
}
