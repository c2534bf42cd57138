//! A plugin of one's own: one engine as CLAP, without parameters. Built by `cargo build --release -p hamiltone-plugin --example one_instrument`, its
//! library is renamed to `kalimba.clap`.

use hamiltone_play::Engine;
use hamiltone_scene::instrument::Instrument;
use nice_plug::{midi::Key, prelude::*};
use std::sync::Arc;

#[derive(Default, Params)]
struct Nothing {}

#[derive(Default)]
struct Kalimba(Option<Engine>);

impl Plugin for Kalimba {
    const NAME: &'static str = "Kalimba";
    const VENDOR: &'static str = "Hamiltone";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = "1.0.0";
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] =
        &[AudioIOLayout { main_output_channels: NonZeroU32::new(2), ..AudioIOLayout::const_default() }];
    const MIDI_INPUT: MidiConfig = MidiConfig::Basic;
    type Editor = ();
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        Arc::new(Nothing {})
    }

    fn activate(&mut self, _: &AudioIOLayout, to: &BufferConfig, _: &mut impl ActivateContext<Self>) -> bool {
        let text = include_str!("../../instruments/kalimba.toml");
        let instrument = Instrument::new(text, "kalimba.toml", ".".as_ref(), &[]);
        let plan = instrument.plan(to.sample_rate.into(), None);
        self.0 = plan.ok().and_then(|plan| Engine::new(&plan).ok());
        self.0.is_some()
    }

    fn process(
        &mut self,
        out: &mut Buffer,
        _: &mut AuxiliaryBuffers,
        host: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let Some(engine) = &mut self.0 else { return ProcessStatus::Error("it is not active") };
        // At the beginning of the block; the plugin `hamiltone-plugin` has each note at its sample.
        while let Some(event) = host.next_event() {
            let NoteEvent::NoteOn { key: Key::Number(key), velocity, .. } = event else { continue };
            engine.note_on(key, velocity.into());
        }
        for sample in out.iter_samples() {
            let mut frame = [0.0_f32; 2];
            engine.render(&mut frame);
            sample.into_iter().zip(frame).for_each(|(sample, own)| *sample = own);
        }
        ProcessStatus::KeepAlive
    }
}

impl ClapPlugin for Kalimba {
    const CLAP_ID: &'static str = "org.hamiltone.kalimba";
    const CLAP_DESCRIPTION: Option<&'static str> = None;
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = &[ClapFeature::Instrument];
}

nice_export_clap!(Kalimba);
