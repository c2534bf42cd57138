//! The computer's keyboard in a terminal: [`keyboard`] says what its keys play, this file how the terminal tells of them.

pub mod keyboard;

use crate::{controls::Controls, failure::Failure, queue::Sender};
use crossterm::{
    event::{
        self, Event, KeyCode, KeyEventKind, KeyModifiers, KeyboardEnhancementFlags,
        PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
    },
    execute, terminal,
};
use hamiltone_plan::parameter::ParameterPlan;
use keyboard::{Key, Keyboard};
use std::{
    io::{IsTerminal, stderr, stdin},
    sync::Arc,
    time::{Duration, Instant},
};

/// Notes whose time is over end at most so late.
const TICK: Duration = Duration::from_millis(10);

/// A terminal that tells of single keys; it is as before when this is dropped.
pub struct Keys {
    keyboard: Keyboard,
    sender: Sender,
    controls: Arc<Controls>,
    begin: Instant,
    releases: bool,
}

/// Checks that standard input is a terminal.
///
/// # Errors
/// Where it is none.
pub fn check() -> Result<(), Failure> {
    let none = "--keys: standard input is no terminal; start it in one, or leave out --keys";
    if stdin().is_terminal() { Ok(()) } else { Err(Failure::input(none)) }
}

impl Keys {
    /// Asks the terminal for single keys, and for their releases where it knows these.
    ///
    /// # Errors
    /// Where it does not do so.
    pub fn open(
        parameters: &[ParameterPlan],
        sender: Sender,
        controls: Arc<Controls>,
    ) -> Result<Self, Failure> {
        let unable =
            |error| Failure::Trouble(format!("--keys: the terminal cannot tell of single keys: {error}"));
        terminal::enable_raw_mode().map_err(unable)?;
        // On Windows they are told of in any case.
        let asks = !cfg!(windows) && terminal::supports_keyboard_enhancement().unwrap_or(false);
        let flags = KeyboardEnhancementFlags::REPORT_EVENT_TYPES
            | KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES;
        let asks = asks && execute!(stderr(), PushKeyboardEnhancementFlags(flags)).is_ok();
        let releases = asks || cfg!(windows);
        Ok(Self {
            keyboard: Keyboard::new(parameters, releases),
            sender,
            controls,
            begin: Instant::now(),
            releases,
        })
    }

    /// Whether the terminal tells of releases.
    pub fn releases(&self) -> bool {
        self.releases
    }

    /// What is set, in words.
    pub fn setting(&self) -> String {
        let setting = self.keyboard.setting();
        if self.controls.awaits() { format!("{setting}: move its controller") } else { setting }
    }

    /// Plays for so long; `false` where the player ends it.
    pub fn play(&mut self, time: Duration) -> bool {
        let begin = Instant::now();
        loop {
            let left = time.saturating_sub(begin.elapsed());
            let Self { keyboard, sender, controls, begin, .. } = self;
            let (now, act) = (begin.elapsed().as_secs_f64(), &mut |action| sender.send(action));
            keyboard.end_notes(now, act);
            if left.is_zero() {
                return true;
            }
            // A terminal that is gone ends it.
            let told =
                event::poll(left.min(TICK)).and_then(|is_there| is_there.then(event::read).transpose());
            let Ok(told) = told else { return false };
            let Some(Event::Key(pressed)) = told else { continue };
            let key = match pressed.code {
                KeyCode::Esc | KeyCode::Char('q') => return false,
                KeyCode::Char('c') if pressed.modifiers.contains(KeyModifiers::CONTROL) => return false,
                KeyCode::Char('m') => {
                    if pressed.kind == KeyEventKind::Press {
                        controls.learn(keyboard.chosen());
                    }
                    continue;
                }
                KeyCode::Char(sign) => Key::Character(sign),
                KeyCode::Backspace => Key::Panic,
                KeyCode::Tab => Key::Next,
                KeyCode::Left | KeyCode::Down => Key::Octave(false),
                KeyCode::Right | KeyCode::Up => Key::Octave(true),
                _ => continue,
            };
            match pressed.kind {
                KeyEventKind::Release => keyboard.release(key, act),
                KeyEventKind::Repeat if matches!(key, Key::Character(' ')) => {}
                KeyEventKind::Press | KeyEventKind::Repeat => keyboard.press(key, now, act),
            }
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // There is nowhere left to say that it fails.
        if self.releases && !cfg!(windows) {
            let _ = execute!(stderr(), PopKeyboardEnhancementFlags);
        }
        let _ = terminal::disable_raw_mode();
    }
}
