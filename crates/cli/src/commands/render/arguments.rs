//! The arguments of `hamiltone render`.

use crate::{arguments::SceneArguments, numbers::seconds};
use clap::{Args, ValueHint};
use std::{num::NonZeroU64, path::PathBuf};

/// That of the library.
const AUDIT_INTERVAL: NonZeroU64 = NonZeroU64::new(hamiltone_core::audit::AUDIT_INTERVAL).unwrap();

/// The arguments of `render`.
#[derive(Args)]
pub struct RenderArguments {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneArguments,
    /// Sound file, .wav or .flac; by default the name of the scene with .wav, in the current folder; of several buses
    /// the others are OUT.BUS.wav
    #[arg(short, long, value_name = "OUT.wav", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Folder for an HTML report with plots of the run and the sound
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub report: Option<PathBuf>,
    /// File for positions, velocities and energies over time (NPZ, for numpy)
    #[arg(long, value_name = "OUT.npz", value_hint = ValueHint::FilePath)]
    pub states: Option<PathBuf>,
    /// Store every N-th internal step in the states; by default one row per sample; at most
    /// all steps of the run
    #[arg(long, value_name = "N", requires = "states", value_parser = clap::value_parser!(u64).range(1..))]
    pub states_every: Option<u64>,
    /// Store the pickups at the internal rate in the states, too
    #[arg(long, requires = "states")]
    pub states_pickups: bool,
    /// File for the energy audit (JSON)
    #[arg(long, value_name = "OUT.json", value_hint = ValueHint::FilePath)]
    pub audit: Option<PathBuf>,
    /// Draw the energy balance every N internal steps; between these it is known by what flowed
    #[arg(long, value_name = "N", default_value_t = AUDIT_INTERVAL)]
    pub audit_every: NonZeroU64,
    /// Sample format: the same as --set output.format=…
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// File in which the state of the run is saved regularly, such as sound.checkpoint, with the samples so far in
    /// sound.checkpoint.sound; both are removed when the run is complete
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub checkpoint: Option<PathBuf>,
    /// Seconds of computing from one checkpoint to the next
    #[arg(long, value_name = "SECONDS", requires = "checkpoint", default_value_t = 60.0, value_parser = |text: &str| seconds(text, LONGEST))]
    pub checkpoint_every: f64,
    /// Continue from the checkpoint, with the same scene and options: the files become those of a run without a break
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// Keep what there is when the run is interrupted, as NAME.partial.wav and files like it
    #[arg(long)]
    pub keep_partial: bool,
    /// Print errors and warnings only
    #[arg(short, long)]
    pub quiet: bool,
}

/// The longest time between two checkpoints, s: a year.
const LONGEST: f64 = 366.0 * 86_400.0;
