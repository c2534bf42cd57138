//! Standard output.

use crate::exit;
use std::io::{ErrorKind, Write, stdout};

/// Prints a line to standard output.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print_line(format_args!($($text)*))
    };
}

pub(crate) use say;

/// Prints a line; called by [`say!`]. A closed pipe is not an error (`hamiltone list | head`), any other error ends the
/// program.
pub fn print_line(line: std::fmt::Arguments<'_>) {
    match writeln!(stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
            std::process::exit(i32::from(exit::BAD_INPUT));
        }
        _ => {}
    }
}
