//! Standard output.

use crate::exit;
use std::io::{ErrorKind, Write, stdout};

/// Prints a line. Who closes the pipe has read enough; any other error of standard output ends the program.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print_line(format_args!($($text)*))
    };
}

pub(crate) use say;

/// What `say!` calls.
pub fn print_line(line: std::fmt::Arguments<'_>) {
    match writeln!(stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
            std::process::exit(i32::from(exit::BAD_INPUT));
        }
        _ => {}
    }
}
