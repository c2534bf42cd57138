//! The recording: a thread takes the samples from the thread of the sound and keeps them in a temporary file, from which the sound and its energy audit
//! are written at the end, as of a performance of `hamiltone play`.

use crate::{arguments::Arguments, controls::Control, failure::Failure, meter::Meter, tally::Tally};
use hamiltone_numerics::math::log10;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Engine, offline::Played, recording};
use hamiltone_render::{
    Ending, Sink, SinkError,
    commit::commit,
    distinct::check_distinct,
    sinks::sounds::{Sounds, sounds},
    spool::Spool,
    target::Target,
};
use hamiltone_scene::{digest::sha256, document::problem::printable_path};
use rtrb::{Consumer, Producer, RingBuffer};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    thread::{self, JoinHandle},
    time::Duration,
};

/// How much sound may wait for the disk, s.
const STORE: f64 = 4.0;
/// How long the thread sleeps where there is nothing to keep.
const NAP: Duration = Duration::from_millis(20);
/// How many samples it takes at a time.
const CHUNK: usize = 1 << 13;
/// In place of the digest of a song.
const NO_SONG: &str = "played live";

/// The samples, and what is known of them.
struct Recorded {
    samples: Spool,
    peaks: Vec<f64>,
    clipped: Vec<u64>,
    /// max |sample| of the present and of the last tenth of a second.
    last: [f64; 2],
}

/// A recording under way.
pub struct Recorder {
    sounds: Sounds,
    audit: (PathBuf, Target),
    thread: JoinHandle<Result<Recorded, SinkError>>,
}

impl Recorder {
    /// Creates the files of a recording, so that what can be known to fail fails at once, and begins to keep what is sent to it.
    ///
    /// # Errors
    /// A name without a known format, one of an input, or a file that cannot be written.
    pub fn start(
        path: &Path,
        instrument: &InstrumentPlan,
        engine: &Engine,
    ) -> Result<(Self, Producer<f32>), Failure> {
        let mut sounds = sounds(path, &instrument.plan).map_err(Failure::input)?;
        let audit = path.with_extension("json");
        let outputs = sounds.0.iter().map(|sound| (sound.what.clone(), &sound.path));
        let outputs = outputs.chain([("the audit".to_string(), &audit)]);
        check_distinct(outputs, None, &instrument.plan.inputs).map_err(Failure::input)?;
        let unable = |error: SinkError| Failure::input(error.to_string());
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|error| {
            Failure::Trouble(format!(
                "--record: the folder of `{}` cannot be made: {error}",
                printable_path(path)
            ))
        })?;
        sounds.start(&instrument.plan).map_err(unable)?;
        let target = Target::create(&audit).map_err(unable)?;
        let (channels, rate) = (engine.channels(), engine.rate());
        let (producer, consumer) = RingBuffer::new((STORE * rate) as usize * channels);
        let beside = path.to_path_buf();
        let keep = move || keep(consumer, Spool::beside(beside), (channels, rate));
        let thread = thread::Builder::new().name("recorder".into()).spawn(keep);
        let thread =
            thread.map_err(|error| Failure::Trouble(format!("no thread for the recording: {error}")))?;
        Ok((Self { sounds, audit: (audit, target), thread }, producer))
    }

    /// Writes the files of a performance that has ended, after the thread of the sound has let go of the engine; their names.
    ///
    /// # Errors
    /// Where one cannot be written: then none is.
    pub fn write(
        self,
        instrument: &InstrumentPlan,
        (engine, tally): (&Engine, &Tally),
        arguments: &Arguments,
        meter: &Meter,
    ) -> Result<Vec<PathBuf>, Failure> {
        let Self { mut sounds, audit: (path, target), thread } = self;
        let kept =
            thread.join().map_err(|_| Failure::Trouble("the thread of the recording has ended".into()))?;
        let Recorded { samples, peaks, clipped, last } = kept?;
        let frames = samples.len() / engine.channels().max(1) as u64;
        let mut played = Played { frames, peaks, clipped, ..Played::default() };
        tally.put(&mut played);
        played.end = match engine.is_at_rest() {
            true => f64::NEG_INFINITY,
            false => 20.0 * log10(last[0].max(last[1]) / played.peak().max(f64::MIN_POSITIVE)),
        };
        let ending = if recording::trouble(engine).is_none() { Ending::Good } else { Ending::Failed };
        // Files by their digests.
        let digest = |path: Option<&Path>| {
            path.map(|path| fs::read(path).map(|bytes| sha256(&bytes)).unwrap_or_default())
        };
        let join = |all: &[Control]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let options: Vec<(String, String)> = [
            ("--tuning", digest(arguments.tuning.as_deref())),
            ("--keyboard", digest(arguments.keyboard.as_deref())),
            ("--velocity-curve", arguments.velocity_curve.as_ref().map(ToString::to_string)),
            ("--pedal-curve", arguments.pedal_curve.as_ref().map(ToString::to_string)),
            ("--preset", arguments.preset.clone()),
            ("--budget", arguments.budget.map(|parts| parts.to_string())),
            ("--mpe", arguments.mpe.then(|| "true".into())),
            ("--control", (!arguments.control.is_empty()).then(|| join(&arguments.control))),
        ]
        .map(|(option, value)| (option.to_string(), value.unwrap_or_else(|| "none".into())))
        .into();
        let mut audit = recording::audit(instrument, engine, &played, NO_SONG, &options);
        audit["live"] = json!({
            "load_mean": meter.load_of_all().mean,
            "load_worst": meter.load_of_all().worst,
            "late_blocks": meter.late(),
            "xruns": meter.xruns(),
            "lost_actions": meter.lost_actions(),
            "unrecorded_samples": meter.unrecorded(),
            "faded_parts": meter.faded(),
        });
        let sound = recording::sound(engine, &played, samples);
        let mut staged = sounds.stage(&sound, instrument.plan.output.format, ending)?;
        staged.push(target.stage(ending, |out| writeln!(out, "{audit:#}"))?);
        commit(staged)?;
        let names = sounds.0.iter().map(|sound| &sound.path).chain([&path]);
        Ok(names.map(|path| ending.name(path)).collect())
    }
}

/// Keeps all samples until the other end of the ring is gone.
fn keep(
    mut ring: Consumer<f32>,
    mut samples: Spool,
    (channels, rate): (usize, f64),
) -> Result<Recorded, SinkError> {
    let (mut peaks, mut clipped) = (vec![0.0_f64; channels], vec![0; channels]);
    let (mut last, mut counted) = ([0.0_f64; 2], 0);
    let (mut single, mut double) = (vec![0.0_f32; CHUNK * channels], vec![0.0; CHUNK * channels]);
    loop {
        // Asked before it is emptied: what came until then is in it.
        let is_last = ring.is_abandoned();
        let count = ring.pop_partial_slice(&mut single).0.len();
        let chunk = &mut double[..count];
        chunk.iter_mut().zip(&single).for_each(|(x, single)| *x = f64::from(*single));
        for frame in chunk.chunks_exact(channels.max(1)) {
            let loudest = frame.iter().fold(0.0_f64, |loudest, x| loudest.max(x.abs()));
            for ((peak, clipped), x) in peaks.iter_mut().zip(&mut clipped).zip(frame) {
                *peak = peak.max(x.abs());
                *clipped += u64::from(x.abs() > 1.0);
            }
            last[0] = last[0].max(loudest);
            counted += 1;
            if f64::from(counted) >= 0.1 * rate {
                (last, counted) = ([0.0, last[0]], 0);
            }
        }
        samples.push(chunk)?;
        match (count, is_last) {
            (0, true) => return Ok(Recorded { samples, peaks, clipped, last }),
            (0, false) => thread::sleep(NAP),
            _ => {}
        }
    }
}
