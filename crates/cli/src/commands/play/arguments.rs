//! The arguments of `hamiltone play`.

use crate::numbers::seconds;
use clap::{Args, ValueHint};
use hamiltone_plan::control_curve::{ControlCurve, Controlled};
use hamiltone_scene::Set;
use std::path::PathBuf;

/// The longest tail, s.
const LONGEST: f64 = 3600.0;
/// The longest time between two checkpoints, s.
const YEAR: f64 = 366.0 * 86_400.0;

/// Below the options.
const EXAMPLES: &str = "\
Examples:
  hamiltone play instruments/piano.toml songs/prelude_in_c.mid -o prelude.wav --audit prelude.json
  hamiltone play instruments/guitar.toml songs/prelude_in_c.mid --set output.level=\"reference -6 dB\" -o guitar.flac
  hamiltone play instruments/marimba.toml tune.toml --tuning werckmeister.scl
  hamiltone play ensembles/string_quartet.toml songs/canon_in_d.toml -o canon.wav
                                                several instruments, each its part of the song
  hamiltone play instruments/piano.toml songs/prelude_in_c.mid --velocity-curve \"0 0, 0.5 0.35, 1 1\" --pedal-curve \"0.2 0, 0.8 1\"
                                                softer at the same velocities; a pedal that acts between 20 % and 80 % of its way
  hamiltone play instruments/piano.toml songs/prelude_in_c.mid --preset muffled
  hamiltone play instruments/piano.toml long.mid -o long.wav --checkpoint long.checkpoint
                                                to continue after an interruption, add --resume

Exit codes:
  0  every part is finite and keeps its energy balance
  1  a part lost its balance or was muted, or gestures were refused; the files are NAME.failed.wav and so on
  2  invalid input: a file or an option
  128 + n  ended by signal n";

/// The arguments of `play`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct PlayArguments {
    /// Instrument file (TOML), such as instruments/piano.toml, or an ensemble with [[player]] entries: see docs/midi.md
    #[arg(value_hint = ValueHint::FilePath)]
    pub instrument: PathBuf,
    /// Standard MIDI File, or a score with [[score]] entries (.toml): see docs/midi.md
    #[arg(value_name = "SONG", value_hint = ValueHint::FilePath)]
    pub song: PathBuf,
    /// Sound file, .wav or .flac; by default the name of the song with .wav, in the current folder; of several buses the
    /// others are OUT.BUS.wav
    #[arg(short, long, value_name = "OUT.wav", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// File for the energy audit of the whole performance (JSON)
    #[arg(long, value_name = "OUT.json", value_hint = ValueHint::FilePath)]
    pub audit: Option<PathBuf>,
    /// File for a spectrogram of the first channel (SVG)
    #[arg(long, value_name = "OUT.svg", value_hint = ValueHint::FilePath)]
    pub picture: Option<PathBuf>,
    /// Sample rate, Hz
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(8_000..=384_000))]
    pub rate: u32,
    /// Scala scale (.scl) in place of equal temperament; degree 0 is on C4 unless --keyboard says otherwise
    #[arg(long, value_name = "FILE.scl", value_hint = ValueHint::FilePath)]
    pub tuning: Option<PathBuf>,
    /// Scala keyboard mapping (.kbm) of the scale
    #[arg(long, value_name = "FILE.kbm", requires = "tuning", value_hint = ValueHint::FilePath)]
    pub keyboard: Option<PathBuf>,
    /// Play only this part, the MIDI channel from 1; may be repeated
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub part: Vec<u16>,
    /// Map velocities, 0 to 1, by straight lines between points "x y, x y, …", ascending; in place of that of the instrument.
    /// "0 0, 0.5 0.35, 1 1" plays softer, "0 0.8, 1 0.8" always alike
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = |text: &str| ControlCurve::parse(text, Controlled::Velocity))]
    pub velocity_curve: Option<ControlCurve>,
    /// Map the position of the sustain pedal likewise, before half pedalling; "0.2 0, 0.8 1" is up to 20 % and down from 80 %
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = |text: &str| ControlCurve::parse(text, Controlled::Pedal))]
    pub pedal_curve: Option<ControlCurve>,
    /// Preset of the parameters of the instrument: a name in the folder beside its file, such as muffled for
    /// instruments/piano/muffled.toml, or a file
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// The longest tail after the end of the song, s; it ends sooner where the sound has fallen by 90 dB
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = |text: &str| seconds(text, LONGEST))]
    pub tail: f64,
    /// File in which the state of the performance is saved regularly, such as song.checkpoint, with the samples so far in
    /// song.checkpoint.sound; both are removed when it is complete
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub checkpoint: Option<PathBuf>,
    /// Seconds of computing from one checkpoint to the next
    #[arg(long, value_name = "SECONDS", requires = "checkpoint", default_value_t = 60.0, value_parser = |text: &str| seconds(text, YEAR))]
    pub checkpoint_every: f64,
    /// Continue from the checkpoint, with the same instrument, song and options: the files become those of a performance
    /// without a break
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// Change a value of the instrument, such as key.body.hammer.mass="9 g", or note_on.0.speed="3 m/s"
    /// in the first entry of a list; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    pub set: Vec<Set>,
    /// Sample format: the same as --set output.format=…
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Print errors and warnings only
    #[arg(short, long)]
    pub quiet: bool,
}

impl PlayArguments {
    /// The files that are read, besides those that the instrument names.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let others = [self.tuning.as_ref(), self.keyboard.as_ref()];
        [&self.song]
            .into_iter()
            .chain(others.into_iter().flatten())
            .chain([&self.instrument])
            .cloned()
            .collect()
    }
}
