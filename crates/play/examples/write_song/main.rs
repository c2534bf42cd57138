//! Writes the shipped song, which its notes in `prelude.rs` describe.
//!
//! ```sh
//! cargo run -p hamiltone-play --example write_song songs/prelude_in_c.mid
//! ```

mod prelude;

use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("name the file to write, such as songs/prelude_in_c.mid")?;
    Ok(fs::write(path, prelude::song()?)?)
}
