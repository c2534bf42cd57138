//! What is shown while it plays: one line, four times a second.

use crate::meter::{Load, Mark, Meter};
use crossterm::{
    cursor::MoveToColumn,
    execute,
    style::Print,
    terminal::{Clear, ClearType, size},
};
use std::{
    io::{IsTerminal, stderr},
    time::Duration,
};

/// From one line to the next.
pub const INTERVAL: Duration = Duration::from_millis(250);

/// A line on a terminal.
pub struct Status {
    is_shown: bool,
    mark: Mark,
    /// The names of the parts.
    parts: Vec<String>,
    /// The delay between an action and its sound, the device's aside, s.
    delay: f64,
}

impl Status {
    /// Of an instrument with these parts, whose sound is behind by `delay` (s) before the device has it. It is shown where standard error is a terminal.
    pub fn new(parts: Vec<String>, delay: f64) -> Self {
        Self { is_shown: stderr().is_terminal(), mark: Mark::default(), parts, delay }
    }

    /// Shows what is the case now, with what the keyboard has set.
    pub fn show(&mut self, meter: &Meter, setting: &str) {
        let line = self.line(meter, setting);
        if self.is_shown {
            // A terminal that does not know its width says 0.
            let width = size().ok().map(|(width, _)| usize::from(width)).filter(|width| *width > 0);
            let line: String = line.chars().take(width.unwrap_or(80) - 1).collect();
            // A terminal that is gone shows nothing.
            let _ = execute!(stderr(), MoveToColumn(0), Print(line), Clear(ClearType::UntilNewLine));
        }
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.is_shown {
            let _ = execute!(stderr(), MoveToColumn(0), Clear(ClearType::UntilNewLine));
        }
    }

    /// The line.
    pub fn line(&mut self, meter: &Meter, setting: &str) -> String {
        let Load { mean, worst } = meter.load(&mut self.mark);
        let (held, awake) = meter.notes_and_parts();
        let mut line = format!(
            "load {:3.0} % worst {:3.0} %  late {}  xruns {}  latency {:.0} ms  notes {held}  parts {awake}/{}",
            100.0 * mean,
            100.0 * worst,
            meter.late(),
            meter.xruns(),
            1e3 * (self.delay + meter.delay()),
            self.parts.len()
        );
        if meter.faded() > 0 {
            line += &format!("  faded {}", meter.faded());
        }
        let muted: Vec<&str> = meter.muted().map(|part| self.parts[part].as_str()).collect();
        if !muted.is_empty() {
            line += &format!("  MUTED {}", muted.join(", "));
        }
        if !setting.is_empty() {
            line += &format!("  {setting}");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::BlockReport;

    #[test]
    fn the_line_has_load_latency_notes_and_muted_parts() {
        let meter = Meter::new(2);
        meter.report(BlockReport { busy: 0.001, sounding: 0.004, held: 3, awake: 1, faded: 0 });
        meter.set_delay(0.010);
        meter.mute(1);
        let mut status = Status::new(vec!["low".into(), "high".into()], 0.006);
        let expected =
            "load  25 % worst  25 %  late 0  xruns 0  latency 16 ms  notes 3  parts 1/2  MUTED high  a = C4";
        assert_eq!(status.line(&meter, "a = C4"), expected);
    }
}
