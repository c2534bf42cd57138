//! The instruments of Hamiltone as a plugin, CLAP and VST3 ([`nice_plug`]): one plugin plays any of them.
//!
//! In the order in which the data flows:
//!
//! 1. [`choice`] – which instrument; [`settings`] – what a host can set, and what a state holds
//! 2. [`loader`] – from there to an instrument; [`worker`] – the thread on which it does so, another one than that of the sound; [`shown`] – what a host shows of it
//! 3. [`player`] – its engine; [`slot`] – from a parameter of the plugin to one of the instrument; [`hands`] – from events to gestures
//!
//! The thread of the sound takes an instrument at the beginning of a block and gives the one before back to be dropped. It neither allocates nor waits.

pub mod choice;
pub mod hands;
pub mod loader;
pub mod player;
pub mod settings;
pub mod shown;
pub mod slot;
pub mod worker;

use hamiltone_numerics::math::pow;
use loader::{Loaded, Loader, Wanted};
use nice_plug::prelude::*;
use settings::Settings;
use shown::Shown;
use std::sync::Arc;
use worker::Worker;

/// The plugin.
pub struct Hamiltone {
    settings: Arc<Settings>,
    loader: Arc<Loader>,
    worker: Worker,
    /// Whether sound is rendered as fast as it goes: then a change of the instrument is waited for.
    offline: bool,
    /// What was asked for last.
    asked: Option<Wanted>,
    playing: Option<Box<Loaded>>,
    /// The level, dB, and its factor.
    level: (f32, f32),
}

impl Default for Hamiltone {
    fn default() -> Self {
        let shown = Arc::new(Shown::default());
        let settings = Arc::new(Settings::new(&shown));
        let loader = Arc::new(Loader::new(settings.clone(), shown));
        let worker = Worker::new(loader.clone());
        Self { settings, loader, worker, offline: false, asked: None, playing: None, level: (0.0, 1.0) }
    }
}

impl Hamiltone {
    /// Takes an instrument that was loaded; `true` where there was one.
    fn exchange(&mut self) -> bool {
        let taken = self.loader.exchange(&mut self.playing);
        if taken && let Some(player) = player(&mut self.playing) {
            player.begin(&self.settings);
        }
        taken
    }

    /// By how many samples the sound is behind.
    fn latency(&mut self) -> u32 {
        player(&mut self.playing).map_or(0, |player| player.engine().delay() as u32)
    }

    fn turn(&mut self, out: &mut [&mut [f32]], frames: usize) {
        for i in 0..frames {
            let level = self.settings.level.smoothed.next();
            if level != self.level.0 {
                self.level = (level, pow(10.0, f64::from(level) / 20.0) as f32);
            }
            out.iter_mut().for_each(|channel| channel[i] *= self.level.1);
        }
    }
}

fn player(playing: &mut Option<Box<Loaded>>) -> Option<&mut player::Player> {
    playing.as_mut().and_then(|loaded| loaded.player.as_mut())
}

impl Plugin for Hamiltone {
    const NAME: &'static str = "Hamiltone";
    const VENDOR: &'static str = "Hamiltone";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] =
        &[AudioIOLayout { main_output_channels: NonZeroU32::new(2), ..AudioIOLayout::const_default() }];
    // Without controllers there would be no pedals. As VST3 they are hidden parameters, which is what other plugins have as well.
    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;
    type Editor = ();
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        self.settings.clone()
    }

    /// Loads the instrument, unless it is loaded already: a host that renders begins with its first block. A rate that is none is refused.
    fn activate(
        &mut self,
        _: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        let rate = f64::from(config.sample_rate);
        if !(rate.is_finite() && rate > 0.0) {
            return false;
        }
        self.offline = config.process_mode == ProcessMode::Offline;
        self.loader.set_rate(rate);
        self.asked = self.loader.wanted();
        self.loader.load();
        if self.exchange() {
            self.loader.drop_played();
        }
        context.set_latency_samples(self.latency());
        true
    }

    fn reset(&mut self) {
        let Self { playing, settings, .. } = self;
        if let Some(player) = player(playing) {
            player.reset();
            player.begin(settings);
        }
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        _: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let wanted = self.loader.wanted();
        if self.asked != wanted {
            self.asked = wanted;
            if self.offline {
                self.loader.load();
            } else {
                self.worker.wake();
            }
        }
        if self.exchange() {
            context.set_latency_samples(self.latency());
            self.worker.wake();
        }
        let (frames, out) = (buffer.samples(), buffer.as_slice());
        let Some(player) = player(&mut self.playing) else {
            out.iter_mut().for_each(|channel| channel.fill(0.0));
            return ProcessStatus::Normal;
        };
        player.follow(&self.settings);
        let mut now = 0;
        while let Some(event) = context.next_event() {
            let at = (event.timing() as usize).clamp(now, frames);
            player.render(out, now..at);
            player.act(event);
            now = at;
        }
        player.render(out, now..frames);
        let sounds = player.sounds();
        self.turn(out, frames);
        if sounds { ProcessStatus::KeepAlive } else { ProcessStatus::Normal }
    }
}

impl ClapPlugin for Hamiltone {
    const CLAP_ID: &'static str = "org.hamiltone.hamiltone";
    const CLAP_DESCRIPTION: Option<&'static str> =
        Some("Instruments of physical models, with an energy balance at every step");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Stereo];
}

impl Vst3Plugin for Hamiltone {
    const VST3_CLASS_ID: [u8; 16] = *b"HamiltoneInstrum";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth];
}

nice_export_clap!(Hamiltone);
nice_export_vst3!(Hamiltone);
