//! The command line.

use crate::controls::Control;
use clap::{Parser, ValueHint};
use hamiltone_plan::control_curve::{ControlCurve, Controlled};
use hamiltone_scene::Set;
use std::path::PathBuf;

/// Below the options.
const EXAMPLES: &str = "\
Examples:
  hamiltone live guitar                         on the default sound device, from all MIDI inputs
  hamiltone live piano --keys                   without a MIDI keyboard: a s d f … are white keys, w e t … black ones
  hamiltone live --list-devices                 sound devices and MIDI inputs with their numbers
  hamiltone live cello --device 2 --midi Keystation --block 128
  hamiltone live instruments/piano.toml --preset muffled --record take.wav
                                                the sound, and its energy audit as take.json
  hamiltone live piano --control 21=hammer      knob 21 of the keyboard moves the speed of the hammers
  hamiltone live violin --mpe                   a keyboard with an own channel for each note
  hamiltone live marimba --device null --seconds 2 --record x.wav
                                                without hardware, in real time

It ends by Ctrl-C or after --seconds. docs/live.md explains keys, latency and what the status line shows.

Exit codes:
  0  every part is finite and keeps its energy balance
  1  a part lost its balance or was muted, or gestures were refused; a recording is NAME.failed.wav
  2  invalid input: the instrument, an option, or a device of this name that is not there
  3  there is no sound device, or a device or a file failed";

/// Play an instrument in real time, from MIDI devices or the computer's keyboard, with its energy balance.
#[derive(Parser)]
#[command(name = "hamiltone live", bin_name = "hamiltone live", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Arguments {
    /// Instrument file (TOML), or the name of one in the folder instruments, such as guitar
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "list_devices")]
    pub instrument: Option<PathBuf>,
    /// List sound devices and MIDI inputs, and end
    #[arg(long)]
    pub list_devices: bool,
    /// Sound device: its number, its name or a part of its name; `null` has no output and runs in real time
    #[arg(long, value_name = "NAME|NUMBER")]
    pub device: Option<String>,
    /// Sample rate, Hz; the device may have another
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(8_000..=384_000))]
    pub rate: u32,
    /// Samples of a block; the device may have others
    #[arg(long, value_name = "SAMPLES", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=8_192))]
    pub block: u32,
    /// MIDI input: its number, its name or a part of its name; all inputs unless it is given
    #[arg(long, value_name = "NAME|NUMBER")]
    pub midi: Option<String>,
    /// MIDI inputs send MPE: channel 1 for all notes, channels 2 to 16 for one each
    #[arg(long)]
    pub mpe: bool,
    /// Let a MIDI controller move a parameter, such as 21=hammer; may be repeated. With --keys, m learns one
    #[arg(long, value_name = "NUMBER=PARAMETER", value_parser = Control::parse)]
    pub control: Vec<Control>,
    /// Play on the computer's keyboard, in this terminal
    #[arg(long)]
    pub keys: bool,
    /// Let at most so many parts (strings, bars, …) sound at once: the quietest fade first
    #[arg(long, value_name = "PARTS", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
    /// Record the sound, .wav or .flac, with its energy audit beside it (.json)
    #[arg(long, value_name = "FILE.wav", value_hint = ValueHint::FilePath)]
    pub record: Option<PathBuf>,
    /// End after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Scala scale (.scl) in place of equal temperament; degree 0 is on C4 unless --keyboard says otherwise
    #[arg(long, value_name = "FILE.scl", value_hint = ValueHint::FilePath)]
    pub tuning: Option<PathBuf>,
    /// Scala keyboard mapping (.kbm) of the scale
    #[arg(long, value_name = "FILE.kbm", requires = "tuning", value_hint = ValueHint::FilePath)]
    pub keyboard: Option<PathBuf>,
    /// Map velocities, 0 to 1, by straight lines between points "x y, x y, …", ascending; in place of that of the instrument
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = |text: &str| ControlCurve::parse(text, Controlled::Velocity))]
    pub velocity_curve: Option<ControlCurve>,
    /// Map the position of the sustain pedal likewise
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = |text: &str| ControlCurve::parse(text, Controlled::Pedal))]
    pub pedal_curve: Option<ControlCurve>,
    /// Preset of the parameters of the instrument: a name in the folder beside its file, or a file
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Change a value of the instrument, such as key.body.hammer.mass="9 g"; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    pub set: Vec<Set>,
}

/// The longest performance, s.
const LONGEST: f64 = 86_400.0;

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= LONGEST);
    seconds.ok_or_else(|| format!("a number of seconds above 0 and at most {LONGEST} is needed, such as 60"))
}
