//! Sound devices: which there are, what they are asked for and what is obtained, and the stream that plays a processor.

use crate::{
    arguments::Arguments,
    choice::choose,
    failure::Failure,
    loan::Loan,
    meter::Meter,
    null::{self, NullDevice},
};
use cpal::{
    BufferSize, Device, ErrorKind, FromSample, SampleFormat, SizedSample, Stream, StreamConfig,
    SupportedBufferSize, SupportedStreamConfig,
    traits::{DeviceTrait, HostTrait, StreamTrait},
};
use std::sync::Arc;

/// The name of the device without hardware.
const NULL: &str = "null";
/// Formats that are played, the best first.
const FORMATS: [SampleFormat; 6] = [
    SampleFormat::F32,
    SampleFormat::F64,
    SampleFormat::I32,
    SampleFormat::I24,
    SampleFormat::I16,
    SampleFormat::U16,
];

/// A device, and what it is asked for.
pub struct Output {
    /// Its name.
    pub name: String,
    /// Samples per second.
    pub rate: u32,
    /// The channels of a frame.
    pub channels: usize,
    /// The samples of a block that it is asked for; `None` where it chooses.
    pub block: Option<u32>,
    card: Option<(Device, SampleFormat)>,
}

/// What plays; it ends when this is dropped.
pub enum Playing {
    /// A sound card.
    Card(Stream),
    /// The device without hardware.
    Null(NullDevice),
}

fn trouble(what: &str) -> impl Fn(cpal::Error) -> Failure {
    move |error| Failure::Trouble(format!("{what}: {error}"))
}

fn name(device: &Device) -> String {
    device.description().map_or_else(|_| "without a name".into(), |about| about.name().into())
}

/// The devices that play sound, with their names.
///
/// # Errors
/// Where the system cannot tell.
pub fn all() -> Result<Vec<(String, Device)>, Failure> {
    let devices = cpal::default_host().output_devices().map_err(trouble("sound devices cannot be listed"))?;
    Ok(devices.map(|device| (name(&device), device)).collect())
}

impl Output {
    /// The device that the command line asks for, with the nearest to the rate and block that it can have.
    ///
    /// # Errors
    /// Where there is no such device, or it plays no format that is known.
    pub fn open(arguments: &Arguments) -> Result<Self, Failure> {
        let device = match arguments.device.as_deref() {
            Some(NULL) => {
                let (rate, block) = (arguments.rate, Some(arguments.block));
                return Ok(Self { name: NULL.into(), rate, channels: null::CHANNELS, block, card: None });
            }
            Some(wanted) => {
                let mut all = all()?;
                let names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
                let chosen = choose(&names, wanted, "sound device");
                let chosen = chosen.map_err(|why| {
                    Failure::input(format!("--device {wanted}: {why}; `{NULL}` needs no hardware"))
                })?;
                all.swap_remove(chosen).1
            }
            None => cpal::default_host().default_output_device().ok_or_else(|| {
                Failure::Trouble(format!("there is no sound device; --device {NULL} plays without one"))
            })?,
        };
        let config = config(&device, arguments.rate)?;
        let block = match config.buffer_size() {
            SupportedBufferSize::Range { min, max } => Some(arguments.block.clamp(*min, (*max).max(*min))),
            SupportedBufferSize::Unknown => None,
        };
        let (rate, channels) = (config.sample_rate(), usize::from(config.channels()));
        Ok(Self { name: name(&device), rate, channels, block, card: Some((device, config.sample_format())) })
    }

    /// Starts it.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn play(&self, loan: Loan, block: u32, meter: &Arc<Meter>) -> Result<Playing, Failure> {
        let Some((device, format)) = &self.card else {
            let started = NullDevice::start(loan, self.rate, block, meter.clone());
            return started
                .map(Playing::Null)
                .map_err(|error| Failure::Trouble(format!("no thread for the sound: {error}")));
        };
        let channels = self.channels as u16;
        let buffer_size = self.block.map_or(BufferSize::Default, BufferSize::Fixed);
        let config = StreamConfig { channels, sample_rate: self.rate, buffer_size };
        let stream = match format {
            SampleFormat::F32 => stream::<f32>,
            SampleFormat::F64 => stream::<f64>,
            SampleFormat::I32 => stream::<i32>,
            SampleFormat::I24 => stream::<cpal::I24>,
            SampleFormat::I16 => stream::<i16>,
            _ => stream::<u16>,
        };
        let failed = trouble("the sound device cannot be started");
        let stream = stream(device, config, loan, meter).map_err(&failed)?;
        stream.play().map_err(failed)?;
        Ok(Playing::Card(stream))
    }
}

impl Playing {
    /// The samples of a block that were obtained, where that is known.
    pub fn block(&self) -> Option<u32> {
        match self {
            Self::Card(stream) => stream.buffer_size().ok(),
            Self::Null(_) => None,
        }
    }
}

/// What a device can play: at the rate, or its own; on two channels rather than on others; in the best format.
fn config(device: &Device, rate: u32) -> Result<SupportedStreamConfig, Failure> {
    let ranges = device
        .supported_output_configs()
        .map_err(trouble("the sound device cannot be used (--list-devices has the others)"))?;
    let own = device.default_output_config().map_or(rate, |config| config.sample_rate());
    let known = ranges.filter_map(|range| {
        let format = FORMATS.iter().position(|format| *format == range.sample_format())?;
        let at = if range.contains_rate(rate) { rate } else { own };
        let config = range.try_with_sample_rate(at)?;
        Some(((at != rate, config.channels() < 2, config.channels(), format), config))
    });
    let best = known.min_by_key(|(order, _)| *order).map(|(_, config)| config);
    best.ok_or_else(|| {
        Failure::Trouble("the sound device has no format of samples that is known here".into())
    })
}

/// A stream of samples of a kind.
fn stream<T: SizedSample + FromSample<f32>>(
    device: &Device,
    config: StreamConfig,
    mut loan: Loan,
    meter: &Arc<Meter>,
) -> Result<Stream, cpal::Error> {
    let (delayed, told) = (meter.clone(), meter.clone());
    let mut samples = vec![0.0_f32; CONVERTED * usize::from(config.channels)];
    let play = move |out: &mut [T], info: &cpal::OutputCallbackInfo| {
        let times = info.timestamp();
        delayed.set_delay(times.playback.duration_since(times.callback).as_secs_f64());
        let most = samples.len().max(1);
        for out in out.chunks_mut(most) {
            let samples = &mut samples[..out.len()];
            loan.process(samples);
            out.iter_mut().zip(samples).for_each(|(out, x)| *out = T::from_sample(x.clamp(-1.0, 1.0)));
        }
    };
    let fail = move |error: cpal::Error| match error.kind() {
        ErrorKind::Xrun => told.add_xrun(),
        // It plays on.
        ErrorKind::RealtimeDenied | ErrorKind::DeviceChanged => {}
        _ => told.fail(),
    };
    device.build_output_stream::<T, _, _>(config, play, fail, None)
}

/// The longest block in frames that is computed as a whole.
const CONVERTED: usize = 8192;
