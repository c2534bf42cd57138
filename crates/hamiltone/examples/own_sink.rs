//! An output of your own: a level meter, the peak of each channel in every tenth of a second. The run loop pushes all
//! rows to it, as to the WAV file, the audit and the states; a sound card or a network would be another such sink.

use hamiltone::numerics::math::log10;
use hamiltone::render::{Block, Outcome, Sink, SinkError, Staged, run};
use hamiltone::scene::{Plan, Scene};
use std::error::Error;

/// A fork whose amplitude falls by 60 dB in a second.
const SCENE: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "1 s"
[body.fork]
kind = "oscillator"
mass = "2 g"
frequency = "440 Hz"
decay_time = "1 s"
velocity = "1 m/s"
[pickup.left]
at = "fork"
quantity = "velocity"
"#;

/// Seconds that a peak is taken over.
const WINDOW: f64 = 0.1;

/// The peaks so far, SI units, one row of channels a window.
#[derive(Default)]
struct LevelMeter {
    peaks: Vec<Vec<f64>>,
}

impl Sink for LevelMeter {
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        // A sink that writes a file creates it here, and fails before a long run.
        self.peaks.reserve((plan.steps() as f64 / plan.internal_rate() / WINDOW) as usize + 1);
        Ok(())
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        let channels = plan.pickups.len();
        for (n, row) in (block.first..).zip(block.outputs.chunks_exact(channels)) {
            let window = (n as f64 / block.rate / WINDOW) as usize;
            self.peaks.resize(self.peaks.len().max(window + 1), vec![0.0; channels]);
            self.peaks[window].iter_mut().zip(row).for_each(|(peak, x)| *peak = peak.max(x.abs()));
        }
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        // It is called for a failed run, too.
        let verdict = if outcome.ok { "holds" } else { "does not hold" };
        println!("{}: the energy balance {verdict}", plan.scheme.name());
        for (window, peaks) in self.peaks.iter().enumerate() {
            let levels = plan.pickups.iter().zip(peaks).map(|(pickup, peak)| {
                format!("  {} {:6.1} dB re 1 {}", pickup.name, 20.0 * log10(*peak), pickup.unit)
            });
            println!("{:4.1} s{}", window as f64 * WINDOW, levels.collect::<String>());
        }
        Ok(Vec::new())
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let plan = Scene::new(SCENE, "fork.toml", ".".as_ref(), &[]).plan()?;
    let mut meter = LevelMeter::default();
    run(&plan, &mut [&mut meter], &mut |_, _| {})?;
    // From the first window to the sixth it falls by half of the 60 dB.
    let fall = 20.0 * log10(meter.peaks[0][0] / meter.peaks[5][0]);
    if (fall - 30.0).abs() < 0.5 { Ok(()) } else { Err(format!("it falls by {fall} dB in 0.5 s").into()) }
}
