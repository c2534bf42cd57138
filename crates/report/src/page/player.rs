//! The sound of a run, embedded in its page.

use crate::plot::escape;
use base64::{Engine, prelude::BASE64_STANDARD};
use hamiltone_render::{SinkError, Sound, sinks::wav};
use hamiltone_scene::plan::SampleFormat;

/// The longest sound that is embedded in the page, s.
const MAX_PLAYBACK: f64 = 30.0;
/// The peak of what is played back: −1 dBFS.
const PLAYBACK_PEAK: f64 = 0.89;

/// The sound of the first file, normalised for playback.
///
/// # Errors
/// Where it cannot be read.
pub fn html(sound: &Sound) -> Result<String, SinkError> {
    let Some(bus) = sound.mix.buses.first().filter(|bus| bus.peak > 0.0 && !sound.samples.is_empty()) else {
        return Ok(
            "<section class=\"player\" id=\"sound\"><p class=\"note\">The sound is silent.</p></section>"
                .into(),
        );
    };
    let (all, channels) = (bus.channels.len(), bus.channels.len().min(2));
    let frames = sound.frames().min((MAX_PLAYBACK * sound.rate) as u64);
    let (mut samples, mut peak) = (Vec::new(), f64::MIN_POSITIVE);
    sound.mixed(frames, |number, row| {
        if number == 0 {
            samples.extend_from_slice(&row[..channels]);
            peak = row[..channels].iter().fold(peak, |peak, x| peak.max(x.abs()));
        }
        Ok::<(), SinkError>(())
    })?;
    let played = Sound::separate(sound.rate, samples, vec![PLAYBACK_PEAK / peak; channels]);
    let mut bytes = Vec::new();
    if wav::write(&mut bytes, &played, 0, SampleFormat::Int16).is_err() {
        return Ok(String::new());
    }
    let bus = if sound.mix.buses.len() > 1 { format!("bus {}, ", escape(&bus.name)) } else { String::new() };
    let part = if frames < sound.frames() { format!("the first {MAX_PLAYBACK} s, ") } else { String::new() };
    let which = if channels < all { "the first two channels, " } else { "" };
    Ok(format!(
        "<section class=\"player\" id=\"sound\"><audio controls preload=\"auto\" src=\"data:audio/wav;base64,{}\"></audio>\
         <p class=\"note\">Playback: {bus}{part}{which}16 bits, normalised to −1 dBFS independently of the file.</p></section>",
        BASE64_STANDARD.encode(bytes)
    ))
}
