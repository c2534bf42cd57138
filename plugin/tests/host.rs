//! A host for tests, and what it plays by the engine itself.

use clack_extensions::{
    latency::{HostLatency, HostLatencyImpl, PluginLatency},
    params::{
        HostParams, HostParamsImplMainThread, HostParamsImplShared, ParamClearFlags, ParamInfoBuffer,
        ParamRescanFlags, PluginParams,
    },
    state::PluginState,
    thread_check::{HostThreadCheck, HostThreadCheckImpl},
};
use clack_host::{
    events::event_types::{
        MidiEvent, NoteExpressionEvent, NoteExpressionType, NoteOffEvent, NoteOnEvent, ParamValueEvent,
    },
    prelude::*,
};
use hamiltone_play::Engine;
use hamiltone_scene::instrument::Instrument;
use std::{
    ffi::CString,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

/// What the plugin asks of the host: it may do so on any thread.
pub struct Shared {
    main: ThreadId,
    callback: AtomicBool,
    pub restart: AtomicBool,
    pub rescans: AtomicU32,
}

impl SharedHandler<'_> for Shared {
    fn request_restart(&self) {
        self.restart.store(true, Ordering::SeqCst);
    }

    fn request_process(&self) {}

    fn request_callback(&self) {
        self.callback.store(true, Ordering::SeqCst);
    }
}

impl HostThreadCheckImpl for Shared {
    fn is_main_thread(&self) -> bool {
        thread::current().id() == self.main
    }

    fn is_audio_thread(&self) -> bool {
        thread::current().id() == self.main
    }
}

impl HostParamsImplShared for Shared {
    fn request_flush(&self) {}
}

/// What it asks on the main thread alone.
pub struct MainThread<'a>(&'a Shared);

impl<'a> MainThreadHandler<'a> for MainThread<'a> {}

impl MainThread<'_> {
    fn check(&self) {
        assert_eq!(thread::current().id(), self.0.main);
    }
}

impl HostParamsImplMainThread for MainThread<'_> {
    fn rescan(&self, _: ParamRescanFlags) {
        self.check();
        self.0.rescans.fetch_add(1, Ordering::SeqCst);
    }

    fn clear(&self, _: ClapId, _: ParamClearFlags) {}
}

impl HostLatencyImpl for MainThread<'_> {
    fn changed(&self) {
        self.check();
    }
}

pub struct Host;

impl HostHandlers for Host {
    type Shared<'a> = Shared;
    type MainThread<'a> = MainThread<'a>;
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _: &Shared) {
        builder.register::<HostThreadCheck>().register::<HostParams>().register::<HostLatency>();
    }
}

/// What is done at a frame.
#[derive(Clone, Copy, Debug)]
pub enum Doing {
    On(u8, f32),
    Off(u8),
    Midi([u8; 3]),
    Pressure(u8, f32),
    Tuning(u8, f32),
    /// A parameter of the plugin, at a value as CLAP has it.
    Set(&'static str, f64),
}
use Doing::*;

/// An instance.
pub struct Plugged {
    instance: PluginInstance<Host>,
    processor: Option<StartedPluginAudioProcessor<Host>>,
    events: EventBuffer,
    ports: AudioPorts,
    /// Allocations of all blocks.
    pub allocations: u64,
    pub status: ProcessStatus,
}

impl Plugged {
    /// One that is not active.
    pub fn new() -> Self {
        let main = thread::current().id();
        // SAFETY: it is the entry that nice-plug makes.
        let entry =
            unsafe { PluginEntry::load_from_raw(&hamiltone_plugin::clap_entry, c"hamiltone.clap") }.unwrap();
        Self::of(&entry, main)
    }

    /// One of an entry.
    pub fn of(entry: &PluginEntry, main: ThreadId) -> Self {
        let about = HostInfo::new("test", "test", "", "1").unwrap();
        let shared = Shared {
            main,
            callback: AtomicBool::new(false),
            restart: AtomicBool::new(false),
            rescans: AtomicU32::new(0),
        };
        let instance = PluginInstance::<Host>::new(
            |()| shared,
            |shared| MainThread(shared),
            entry,
            c"org.hamiltone.hamiltone",
            &about,
        )
        .unwrap();
        Self {
            instance,
            processor: None,
            events: EventBuffer::with_capacity(64),
            ports: AudioPorts::with_capacity(2, 1),
            allocations: 0,
            status: ProcessStatus::Continue,
        }
    }

    /// One that plays an instrument at a rate, Hz.
    pub fn playing(instrument: &str, rate: f64) -> Self {
        let mut plugged = Self::new();
        plugged.choose(instrument);
        plugged.activate(rate);
        plugged
    }

    /// Chooses an instrument while it is not active.
    pub fn choose(&mut self, instrument: &str) {
        let value = self.value("Instrument", instrument).unwrap();
        self.set("Instrument", value);
    }

    /// Makes it active, at rest.
    pub fn activate(&mut self, sample_rate: f64) {
        assert!(self.can_activate(sample_rate));
    }

    /// Makes it active, unless it refuses the rate.
    pub fn can_activate(&mut self, sample_rate: f64) -> bool {
        self.deactivate();
        let config = PluginAudioConfiguration { sample_rate, min_frames_count: 1, max_frames_count: 1024 };
        let stopped = self.instance.activate(|_, _| (), config).ok();
        self.processor = stopped.map(|stopped| stopped.start_processing().unwrap());
        self.processor.is_some()
    }

    pub fn deactivate(&mut self) {
        if let Some(processor) = self.processor.take() {
            self.instance.deactivate(processor.stop_processing());
        }
    }

    /// As a host does at a jump.
    pub fn reset(&mut self) -> u64 {
        let processor = self.processor.as_mut().unwrap();
        allocation_counter::measure(|| processor.reset()).count_total
    }

    /// What the host was asked for.
    pub fn shared<T>(&self, look: impl FnOnce(&Shared) -> T) -> T {
        self.instance.access_shared_handler(look)
    }

    /// Sets a parameter while it is not active.
    pub fn set(&mut self, name: &str, value: f64) {
        let event = ParamValueEvent::new(0, self.id(name), Pckn::match_all(), value);
        let params = self.params();
        let mut handle = self.instance.inactive_plugin_handle().unwrap();
        params.flush(&mut handle, &InputEvents::from_buffer(&[event]), &mut OutputEvents::void());
    }

    fn params(&self) -> PluginParams {
        self.instance.plugin_shared_handle().get_extension().unwrap()
    }

    /// The names of all parameters with their texts.
    pub fn texts(&mut self) -> Vec<(String, String)> {
        let params = self.params();
        let handle = self.instance.plugin_handle();
        let text = |index| {
            let mut info = ParamInfoBuffer::new();
            let info = params.get_info(&handle, index, &mut info).unwrap();
            let (mut buffer, value) = ([0; 256], params.get_value(&handle, info.id).unwrap());
            let text = params.value_to_text(&handle, info.id, value, &mut buffer).unwrap();
            (String::from_utf8(info.name.to_vec()).unwrap(), String::from_utf8(text.to_vec()).unwrap())
        };
        (0..params.count(&handle)).map(text).collect()
    }

    /// The text of a parameter.
    pub fn text(&mut self, name: &str) -> String {
        self.texts().into_iter().find(|(known, _)| known == name).unwrap().1
    }

    /// Plays until an instrument is there whose first parameter is shown so.
    pub fn wait(&mut self, first: &str) {
        let begin = Instant::now();
        while self.text("P1") != first {
            assert!(begin.elapsed() < Duration::from_secs(60));
            self.block(&[], 64);
            thread::sleep(Duration::from_millis(1));
        }
        // What was shown last is taken by the next block.
        self.block(&[], 64);
    }

    fn id(&mut self, name: &str) -> ClapId {
        let params = self.params();
        let handle = self.instance.plugin_handle();
        let id = |index| {
            let mut info = ParamInfoBuffer::new();
            let info = params.get_info(&handle, index, &mut info).unwrap();
            (info.name == name.as_bytes()).then_some(info.id)
        };
        (0..params.count(&handle)).find_map(id).unwrap()
    }

    /// The value of a parameter that a text stands for.
    pub fn value(&mut self, name: &str, text: &str) -> Option<f64> {
        let (id, text) = (self.id(name), CString::new(text).unwrap());
        self.params().text_to_value(&self.instance.plugin_handle(), id, &text)
    }

    pub fn latency(&mut self) -> u32 {
        let latency: PluginLatency = self.instance.plugin_shared_handle().get_extension().unwrap();
        latency.get(&self.instance.plugin_handle())
    }

    pub fn save(&mut self) -> Vec<u8> {
        let state: PluginState = self.instance.plugin_shared_handle().get_extension().unwrap();
        let mut bytes = Vec::new();
        state.save(&self.instance.plugin_handle(), &mut bytes).unwrap();
        bytes
    }

    pub fn load(&mut self, bytes: &[u8]) {
        let state: PluginState = self.instance.plugin_shared_handle().get_extension().unwrap();
        state.load(&self.instance.plugin_handle(), &mut &*bytes).unwrap();
    }

    /// One block.
    pub fn block(&mut self, doings: &[(u32, Doing)], frames: usize) -> [Vec<f32>; 2] {
        self.events.clear();
        for (time, doing) in doings {
            let note = |key: u8| Pckn::new(0_u16, 0_u16, u16::from(key), clack_host::events::Match::All);
            match *doing {
                On(key, velocity) => self.events.push(&NoteOnEvent::new(*time, note(key), velocity.into())),
                Off(key) => self.events.push(&NoteOffEvent::new(*time, note(key), 0.5)),
                Midi(data) => self.events.push(&MidiEvent::new(*time, 0, data)),
                Pressure(key, value) => {
                    let kind = NoteExpressionType::Pressure;
                    self.events.push(&NoteExpressionEvent::new(*time, note(key), kind, value.into()));
                }
                Tuning(key, value) => {
                    let kind = NoteExpressionType::Tuning;
                    self.events.push(&NoteExpressionEvent::new(*time, note(key), kind, value.into()));
                }
                Set(name, value) => {
                    let id = self.id(name);
                    self.events.push(&ParamValueEvent::new(*time, id, Pckn::match_all(), value));
                }
            }
        }
        // What was there before is not heard.
        let mut out = [vec![7.0_f32; frames], vec![7.0_f32; frames]];
        let mut output = self.ports.with_output_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(
                out.iter_mut().map(|channel| channel.as_mut_slice()),
            ),
        }]);
        let (processor, events) = (self.processor.as_mut().unwrap(), self.events.as_input());
        let none = InputAudioBuffers::empty();
        let mut status = Err(PluginInstanceError::ProcessingFailed);
        let counted = allocation_counter::measure(|| {
            status = processor.process(&none, &mut output, &events, &mut OutputEvents::void(), None, None);
        });
        self.allocations += counted.count_total;
        self.status = status.unwrap();
        if self.shared(|shared| shared.callback.swap(false, Ordering::SeqCst)) {
            self.instance.call_on_main_thread_callback();
        }
        out
    }

    /// Plays in blocks of so many frames, in turn, what is done at its frame; left and right.
    pub fn play(&mut self, doings: &[(usize, Doing)], frames: usize, sizes: &[usize]) -> [Vec<f32>; 2] {
        let (mut sound, mut now, mut rest) = ([Vec::new(), Vec::new()], 0, doings);
        for size in sizes.iter().cycle() {
            let end = (now + size).min(frames);
            let (here, later) = rest.split_at(rest.partition_point(|(at, _)| *at < end));
            let relative: Vec<_> = here.iter().map(|(at, doing)| ((at - now) as u32, *doing)).collect();
            let block = self.block(&relative, end - now);
            sound.iter_mut().zip(block).for_each(|(all, block)| all.extend(block));
            (now, rest) = (end, later);
            if now == frames {
                break;
            }
        }
        sound
    }
}

impl Drop for Plugged {
    /// Deletes it: a host that drops an active processor leaks its instance.
    fn drop(&mut self) {
        self.deactivate();
    }
}

/// The state of a new instance with this instrument and this file: its length and a text.
pub fn state(instrument: &str, file: &str) -> Vec<u8> {
    let mut plugged = Plugged::new();
    plugged.choose("kalimba");
    let text = String::from_utf8(plugged.save().split_off(8)).unwrap();
    let field = |file: &str| format!("\"file\":{:?}", format!("{file:?}"));
    let own = text.replace("\"kalimba\"", &format!("{instrument:?}")).replace(&field(""), &field(file));
    assert!(own.contains(&field(file)), "{text}");
    [&(own.len() as u64).to_le_bytes(), own.as_bytes()].concat()
}

/// The engine of an instrument that is shipped.
pub fn engine(instrument: &str, rate: f64) -> Engine {
    let path = hamiltone_shipped::path(instrument).unwrap().unwrap();
    let instrument = Instrument::open(path, &[], Default::default()).unwrap();
    Engine::new(&instrument.cached(rate, hamiltone_shipped::plans().as_ref()).unwrap()).unwrap()
}

/// What an engine makes of what is done; parameters of the plugin are set by `set`, by name.
pub fn played(
    engine: &mut Engine,
    doings: &[(usize, Doing)],
    frames: usize,
    set: impl Fn(&mut Engine, &str, f64),
) -> [Vec<f32>; 2] {
    let (mut sound, mut now) = ([Vec::new(), Vec::new()], 0);
    let mut channels = <[hamiltone_play::midi::channel::Channel; 16]>::default();
    let end = (frames, Off(127));
    for (at, doing) in doings.iter().chain([&end]) {
        let mut block = vec![0.0_f32; (at - now) * engine.channels()];
        engine.render(&mut block);
        let channels_of_block = engine.channels();
        for frame in block.chunks_exact(channels_of_block) {
            sound[0].push(frame[0]);
            sound[1].push(frame[1]);
        }
        now = *at;
        match *doing {
            On(key, velocity) => _ = engine.note_on(key, velocity.into()),
            Off(key) => engine.note_off(key),
            Pressure(key, value) => engine.pressure(Some(key), value.into()),
            Tuning(_, value) => _ = engine.bend(value.into()),
            Midi([status, data @ ..]) => {
                let channel = &mut channels[usize::from(status & 15)];
                channel.apply(status, data, |action| _ = engine.act(action));
            }
            Set(name, value) => set(engine, name, value),
        }
    }
    sound
}

/// Whether two sounds have the same bits, and are any.
pub fn assert_same(first: &[Vec<f32>; 2], second: &[Vec<f32>; 2], what: &str) {
    for (first, second) in first.iter().zip(second) {
        assert_eq!(first.len(), second.len(), "{what}");
        let other = first.iter().zip(second).position(|(x, y)| x.to_bits() != y.to_bits());
        assert_eq!(other, None, "{what}: the first frame that differs");
    }
    assert!(first[0].iter().any(|x| x.abs() > 1e-4), "{what}: nothing is heard");
}
