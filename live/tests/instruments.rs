//! Instruments for tests, and what plays them at times of their own.

use hamiltone_live::{meter::Meter, processor::Processor, queue::Timed};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Action, Engine};
use hamiltone_scene::instrument::Instrument;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;

pub const RATE: f64 = 48_000.0;
pub const BLOCK: usize = 256;

/// Tines of one mode with dampers, on C4 to C5: one linear oscillator a key.
pub const TINES: &str = r#"
hamiltone = 2
output.level = "reference 0 dB"
[instrument]
keys = "C4..C5"
[key.body.tine]
kind = "oscillator"
mass = "2 g"
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
"#;

pub fn plan(text: &str) -> InstrumentPlan {
    let plan = Instrument::new(text, "tines.toml", ".".as_ref(), &[]).plan(RATE, None);
    plan.unwrap_or_else(|wrong| panic!("{wrong}"))
}

pub fn engine(text: &str) -> Engine {
    Engine::new(&plan(text)).expect("it can be played")
}

/// A processor, and the other ends of what it is connected with.
pub struct Stand {
    pub processor: Processor,
    pub actions: Producer<Timed>,
    pub recorded: Consumer<f32>,
    pub meter: Arc<Meter>,
    /// The samples so far.
    pub frames: usize,
    pub channels: usize,
}

impl Stand {
    pub fn new(engine: Engine, channels: usize) -> Self {
        let meter = Arc::new(Meter::new(engine.islands().len()));
        let (actions, waiting) = RingBuffer::new(4096);
        let (recording, recorded) = RingBuffer::new(1 << 16);
        let processor = Processor::new(engine, (channels, BLOCK), waiting, Some(recording), meter.clone());
        Self { processor, actions, recorded, meter, frames: 0, channels }
    }

    pub fn now(&self) -> f64 {
        self.frames as f64 / RATE
    }

    pub fn act(&mut self, time: f64, action: Action) {
        self.actions.push(Timed { time, action }).expect("there is room");
    }

    /// The next block.
    pub fn block(&mut self, frames: usize) -> Vec<f32> {
        let mut out = vec![f32::NAN; frames * self.channels];
        self.processor.process(&mut out, self.now());
        self.frames += frames;
        out
    }
}
