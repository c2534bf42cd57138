//! What is shown on terminals while something takes long.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// What is done sooner shows nothing.
pub const SHOWN_AFTER: Duration = Duration::from_millis(500);
/// What is told of a scene whose bodies take long.
pub const PREPARING: &str = "preparing the scene: its bodies and their modes";
/// What is told while an instrument is built.
pub const PREPARING_INSTRUMENT: &str = "preparing the instrument: its bodies and their modes";
/// What is told of a check that takes long.
pub const CHECKING: &str = "checking the scene, within its budget of time";
/// From one picture to the next.
const TICK: Duration = Duration::from_millis(100);

/// Does something of unknown length, such as finding the modes of a scene, and tells so after a while.
pub fn waiting<T>(quiet: bool, message: &'static str, work: impl FnOnce() -> T) -> T {
    let (done, ended) = channel::<()>();
    let show = move || {
        if ended.recv_timeout(SHOWN_AFTER) == Err(RecvTimeoutError::Timeout) && !quiet {
            let spinner = ProgressBar::new_spinner().with_message(message);
            spinner.enable_steady_tick(TICK);
            // It ends when the other side is dropped.
            let _ = ended.recv();
            spinner.finish_and_clear();
        }
    };
    thread::scope(|scope| {
        scope.spawn(show);
        let result = work();
        drop(done);
        result
    })
}

/// A progress bar of something that is counted in `unit`; it is drawn on terminals only.
pub fn bar(quiet: bool, unit: &str) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template(&format!("  {{bar:40}} {{percent}}% of {{len}} {unit}, {{eta}} left"));
    ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_done_once_and_nothing_waits_for_long() {
        let mut count = 0;
        assert_eq!(
            waiting(true, "", || {
                count += 1;
                7
            }),
            7
        );
        assert_eq!(count, 1);
    }
}
