//! The sound of a run, embedded in its page.

use base64::{Engine, prelude::BASE64_STANDARD};
use hamiltone_render::{SinkError, Sound, sinks::wav};
use hamiltone_scene::plan::SampleFormat;

/// The longest sound that is embedded in the page, s.
const MAX_PLAYBACK: f64 = 30.0;

/// The sound, normalised for playback.
///
/// # Errors
/// Where it cannot be read.
pub fn html(sound: &Sound) -> Result<String, SinkError> {
    if sound.peak == 0.0 || sound.samples.is_empty() {
        return Ok(
            "<section class=\"player\" id=\"sound\"><p class=\"note\">The sound is silent.</p></section>"
                .into(),
        );
    }
    let channels = sound.channels.min(2);
    let frames = sound.frames().min((MAX_PLAYBACK * sound.rate) as u64);
    let mut samples = Vec::new();
    sound.for_each(0..frames, |rows| {
        samples.extend(rows.chunks_exact(sound.channels).flat_map(|row| row[..channels].iter().copied()));
        Ok::<(), SinkError>(())
    })?;
    let scaled = samples.iter().zip(sound.factors[..channels].iter().cycle()).map(|(x, factor)| x * factor);
    let peak = scaled.fold(f64::MIN_POSITIVE, |a, x| a.max(x.abs()));
    let played = Sound {
        rate: sound.rate,
        channels,
        factors: sound.factors[..channels].iter().map(|factor| factor * (0.89 / peak)).collect(),
        samples: samples.into(),
        peak: sound.peak,
        ..Sound::default()
    };
    let mut bytes = Vec::new();
    if wav::write(&mut bytes, &played, SampleFormat::Int16).is_err() {
        return Ok(String::new());
    }
    let part = if frames < sound.frames() { format!("the first {MAX_PLAYBACK} s, ") } else { String::new() };
    let which = if channels < sound.channels { "the first two channels, " } else { "" };
    Ok(format!(
        "<section class=\"player\" id=\"sound\"><audio controls preload=\"auto\" src=\"data:audio/wav;base64,{}\"></audio>\
         <p class=\"note\">Playback: {part}{which}16 bits, normalised to −1 dBFS independently of the file.</p></section>",
        BASE64_STANDARD.encode(bytes)
    ))
}
