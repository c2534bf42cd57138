//! MIDI inputs: their messages become actions, by [`Channel`] as those of files, or by [`Mpe`].
//!
//! Devices repeat status bytes or leave them out (running status): the system hands whole messages over. Active sensing, clocks and SysEx are skipped.

use crate::{arguments::Arguments, choice::choose, controls::Controls, failure::Failure, queue::Sender};
use hamiltone_play::{
    Action,
    midi::{channel::Channel, mpe::Mpe},
};
use midir::{Ignore, MidiInput, MidiInputConnection, MidiInputPort};
use std::sync::Arc;

/// The name of this program among the clients of the system.
const CLIENT: &str = "hamiltone live";

/// What the messages of an input mean.
pub enum Translator {
    /// Each channel plays any notes.
    Channels([Channel; 16]),
    /// Each note has a channel.
    Mpe(Box<Mpe>),
}

impl Translator {
    /// For inputs that send MPE, or do not.
    pub fn new(mpe: bool) -> Self {
        if mpe { Self::Mpe(Box::default()) } else { Self::Channels(Default::default()) }
    }

    /// What a message means. What is no channel message means nothing.
    ///
    /// ```
    /// use hamiltone_live::midi::Translator;
    /// use hamiltone_play::Action;
    ///
    /// let (mut translator, mut actions) = (Translator::new(false), Vec::new());
    /// for message in [&[0x90, 60, 127][..], &[0xfe], &[0xf8], &[0xf0, 1, 0xf7], &[0xc0, 5], &[0x90]] {
    ///     translator.apply(message, |action| actions.push(action));
    /// }
    /// assert_eq!(actions, [Action::NoteOn { key: 60, velocity: 1.0 }, Action::Program(5)]);
    /// ```
    pub fn apply(&mut self, message: &[u8], act: impl FnMut(Action)) {
        let (status, data) = match message {
            [status @ 0x80..=0xef, first, second] => (*status, [*first, *second]),
            [status @ 0xc0..=0xdf, first] => (*status, [*first, 0]),
            _ => return,
        };
        match self {
            Self::Channels(channels) => channels[usize::from(status & 0x0f)].apply(status, data, act),
            Self::Mpe(mpe) => mpe.apply(status, data, act),
        }
    }
}

/// The inputs that are open; they are closed when this is dropped.
#[derive(Default)]
pub struct Inputs {
    connections: Vec<MidiInputConnection<()>>,
    /// Their names.
    pub names: Vec<String>,
}

fn client() -> Result<MidiInput, Failure> {
    let mut client = MidiInput::new(CLIENT).map_err(|error| Failure::Trouble(format!("no MIDI: {error}")))?;
    client.ignore(Ignore::All);
    Ok(client)
}

/// The inputs that there are, with their names.
///
/// # Errors
/// Where the system has no MIDI.
pub fn all() -> Result<Vec<(String, MidiInputPort)>, Failure> {
    let client = client()?;
    let named =
        |port: MidiInputPort| (client.port_name(&port).unwrap_or_else(|_| "without a name".into()), port);
    Ok(client.ports().into_iter().map(named).collect())
}

/// Opens the inputs that the command line asks for: without a name all that can be opened.
///
/// # Errors
/// Where the system has no MIDI, or the input that is asked for is not there or cannot be opened.
pub fn open(arguments: &Arguments, sender: &Sender, controls: &Arc<Controls>) -> Result<Inputs, Failure> {
    let mut ports = all()?;
    if let Some(wanted) = &arguments.midi {
        let names: Vec<String> = ports.iter().map(|(name, _)| name.clone()).collect();
        let chosen = choose(&names, wanted, "MIDI input");
        let chosen = chosen.map_err(|why| Failure::input(format!("--midi {wanted}: {why}")))?;
        ports = vec![ports.swap_remove(chosen)];
    }
    let mut inputs = Inputs::default();
    for (name, port) in ports {
        let (mut translator, sender) = (Translator::new(arguments.mpe), sender.clone());
        let controls = controls.clone();
        let receive = move |_: u64, message: &[u8], (): &mut ()| {
            translator.apply(message, |action| sender.send(controls.apply(action)));
        };
        match client()?.connect(&port, "in", receive, ()) {
            Ok(connection) => {
                inputs.connections.push(connection);
                inputs.names.push(name);
            }
            Err(error) if arguments.midi.is_some() => {
                return Err(Failure::Trouble(format!("the MIDI input `{name}` cannot be opened: {error}")));
            }
            // Another program has it; the other inputs play.
            Err(_) => {}
        }
    }
    Ok(inputs)
}
