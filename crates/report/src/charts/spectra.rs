//! Spectra of the channels, and the spectrogram of the first.

use super::section::{MAX_CHANNELS, Section, WIDE, time};
use crate::{
    picture,
    plot::{Axis, Chart, ColourBar, Image, Mark, quantity, svg},
    spectrum::{DEPTH, MAX_WINDOW, spectrogram, spectrum},
};
use hamiltone_render::{SinkError, Sound};
use hamiltone_scene::Plan;

/// Spectra of the channels, and the spectrogram of the first.
///
/// # Errors
/// Where the sound cannot be read.
pub fn section(plan: &Plan, sound: &Sound, shown: Option<f64>) -> Result<Section, SinkError> {
    let window = sound.frames().min(MAX_WINDOW);
    let mut note = "Levels relative to the strongest component of each channel.".to_string();
    if window < sound.frames() {
        let beginning = quantity(window as f64 / sound.rate, "s");
        note += &format!(" The spectra are those of the first {beginning}.");
    }
    let lowest = (2.0 * sound.rate / sound.frames().max(1) as f64).max(20.0);
    let mut charts = Vec::new();
    for (i, pickup) in plan.pickups.iter().enumerate().take(MAX_CHANNELS) {
        let Some(spectrum) = spectrum(&sound.part(i, 0..window)?, sound.rate) else { continue };
        let frequency = Axis::new("frequency", "Hz").log().range(lowest, 0.5 * sound.rate);
        let level = Axis::new("level", "dB").range(-120.0, 12.0);
        let audible = spectrum.frequency.partition_point(|f| *f < lowest);
        let mut chart = Chart::new(format!("Spectrum of {}", pickup.name), frequency, level)
            .sized(WIDE.0, WIDE.1)
            .line("", spectrum.frequency[audible..].to_vec(), spectrum.level[audible..].to_vec());
        let mark = |(f, level)| Mark { x: f, y: level, text: hertz(f) };
        chart.marks = spectrum.peaks(10, lowest).into_iter().map(mark).collect();
        charts.push(chart);
    }
    if let Some(pickup) = plan.pickups.first()
        && let Some((chart, [window, hop])) = of_channel(&pickup.name, sound, 0, shown)?
    {
        if hop > window {
            let (window, hop) = (quantity(window, "s"), quantity(hop, "s"));
            note += &format!(" The spectrogram shows one window of {window} in every {hop}.");
        }
        charts.push(chart);
    }
    Ok(Section { title: "Spectrum", note, charts, ..Section::default() })
}

/// The spectrogram of a channel, up to a time (s) or its end; with the length of its windows and the time from one to the next, s. `None` of
/// silence.
fn of_channel(
    name: &str,
    sound: &Sound,
    channel: usize,
    shown: Option<f64>,
) -> Result<Option<(Chart, [f64; 2])>, SinkError> {
    let frames = shown.map_or(sound.frames(), |end| (end * sound.rate).ceil() as u64);
    let read = |samples| sound.part(channel, samples);
    let Some(shown_as) = spectrogram(frames.min(sound.frames()), sound.rate, read)? else { return Ok(None) };
    let title = format!("Spectrogram of {name}, window {}", quantity(shown_as.window, "s"));
    let (low, high) = shown_as.frequency;
    let frequency = Axis::new("frequency", "Hz").log().range(low, high);
    let mut chart = Chart::new(title, time(shown), frequency).sized(WIDE.0, 360.0);
    chart.image = Some(Image { data_uri: shown_as.data_uri, x: shown_as.time, y: shown_as.frequency });
    chart.colours = picture::bar(colorous::MAGMA, 0, 255)
        .map(|data_uri| ColourBar { axis: Axis::new("level", "dB").range(-DEPTH, 0.0), data_uri });
    Ok(Some((chart, [shown_as.window, shown_as.hop])))
}

/// The spectrogram of the first channel of a performance as an SVG, under a title; `None` of silence.
///
/// # Errors
/// Where the sound cannot be read.
pub fn spectrogram_svg(title: &str, sound: &Sound) -> Result<Option<String>, SinkError> {
    Ok(of_channel(title, sound, 0, None)?.map(|(chart, _)| svg(&chart)))
}

/// A frequency with four digits.
fn hertz(f: f64) -> String {
    let (value, unit) = if f < 1000.0 { (f, "Hz") } else { (f / 1000.0, "kHz") };
    let digits = match value {
        v if v < 10.0 => 3,
        v if v < 100.0 => 2,
        _ => 1,
    };
    format!("{value:.digits$} {unit}")
}
