//! The instruments of Hamiltone as a plugin, CLAP and VST3 ([`nice_plug`]): one plugin plays any of them.
//!
//! In the order in which the data flows:
//!
//! 1. [`choice`] – which instrument; [`settings`] – what a host can set, and what a state holds
//! 2. [`loader`] – from there to an instrument, on another thread than that of the sound; [`shown`] – what a host shows of it
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

use hamiltone_numerics::math::pow;
use loader::{Loaded, Loader, Task, Wanted};
use nice_plug::prelude::*;
use settings::Settings;
use shown::Shown;
use std::sync::Arc;

/// The plugin.
pub struct Hamiltone {
    settings: Arc<Settings>,
    loader: Arc<Loader>,
    rate: f64,
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
        Self { settings, loader, rate: 0.0, offline: false, asked: None, playing: None, level: (0.0, 1.0) }
    }
}

impl Hamiltone {
    /// Takes the instrument that was asked for, if it is loaded; `true` where it did.
    fn exchange(&mut self) -> bool {
        let Self { loader, playing, asked, .. } = self;
        let taken = asked.is_some_and(|wanted| loader.exchange(playing, wanted));
        if taken && let Some(player) = player(playing) {
            player.follow(&self.settings);
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
    type BackgroundTask = Task;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        let loader = self.loader.clone();
        Box::new(move |task| loader.execute(task))
    }

    fn params(&self) -> Arc<dyn Params> {
        self.settings.clone()
    }

    /// Loads the instrument, unless it is loaded already: a host that renders begins with its first block.
    fn activate(
        &mut self,
        _: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        (self.rate, self.offline) = (config.sample_rate.into(), config.process_mode == ProcessMode::Offline);
        let wanted = self.loader.wanted(self.rate);
        self.asked = Some(wanted);
        if self.playing.as_ref().is_none_or(|playing| playing.wanted != wanted) {
            self.loader.execute(Task::Load(wanted));
            self.exchange();
            self.loader.execute(Task::Drop);
        }
        context.set_latency_samples(self.latency());
        true
    }

    fn reset(&mut self) {
        let Self { playing, settings, .. } = self;
        if let Some(player) = player(playing) {
            player.reset();
            player.follow(settings);
        }
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        _: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let wanted = self.loader.wanted(self.rate);
        if self.asked != Some(wanted) {
            self.asked = Some(wanted);
            if self.offline {
                self.loader.execute(Task::Load(wanted));
            } else {
                context.execute_background(Task::Load(wanted));
            }
        }
        if self.exchange() {
            context.set_latency_samples(self.latency());
            context.execute_background(Task::Drop);
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
