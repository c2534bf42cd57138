//! Standard output and standard error.
//!
//! Neither ends the program: a run whose summary nobody reads is as good as any other. Whether standard output was lost is
//! told by the exit code ([`lost`]). Control characters and those that reverse text are escaped here, wherever a line comes
//! from.

use hamiltone_scene::document::problem::printable;
use std::{
    fmt::Arguments,
    io::{ErrorKind, Write, stderr, stdout},
    sync::atomic::{AtomicBool, Ordering},
};

/// Prints a line to standard output.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print_line(format_args!($($text)*))
    };
}

/// Prints a line to standard error.
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::output::print_message(format_args!($($text)*))
    };
}

pub(crate) use {say, tell};

/// Whether a line could not be written to standard output.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints a line, or several; called by [`say!`]. A closed pipe is not an error (`hamiltone list | head`).
pub fn print_line(line: Arguments<'_>) {
    if let Err(error) = writeln!(stdout(), "{}", escaped(&line.to_string()))
        && error.kind() != ErrorKind::BrokenPipe
    {
        lose(&error);
    }
}

/// Notes that a line could not be written to standard output, and says so once.
pub fn lose(error: &std::io::Error) {
    if !LOST.swap(true, Ordering::Relaxed) {
        tell!("error: cannot write to standard output: {error}");
    }
}

/// Whether a line could not be written to standard output, a closed pipe aside.
pub fn lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Prints a line, or several, to standard error; called by [`tell!`].
pub fn print_message(line: Arguments<'_>) {
    // There is nowhere left to report an error.
    let _ = writeln!(stderr(), "{}", escaped(&line.to_string()));
}

/// Prints a page that colours itself to standard error; what it quotes is escaped already.
pub fn print_page(page: &str) {
    let _ = write!(stderr(), "{page}");
}

/// Lines with everything escaped that would change how a terminal shows them.
pub fn escaped(lines: &str) -> String {
    lines.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}
