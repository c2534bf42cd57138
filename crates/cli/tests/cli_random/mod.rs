//! Scenes at random, rendered by the program, and judged by energies that are recomputed from their states.
//!
//! The scenes are drawn from the published tables of bodies, laws, drives and schemes (`proofs/product/src/scenes`), each from a
//! seed of its own. By default 160 are drawn. More, from another seed, with a folder for those that show a fault:
//!
//! ```sh
//! RANDOM_SCENES=20000 RANDOM_SEED=1 RANDOM_FAULTS=out cargo test -p hamiltone-cli --test all cli_random -- --nocapture
//! ```
//!
//! and one of them again:
//!
//! ```sh
//! RANDOM_SCENES=1 RANDOM_SEED=4711 cargo test -p hamiltone-cli --test all cli_random -- --nocapture
//! ```
//!
//! `RANDOM_PROGRAM` names the program to be judged, where it is another than that of this build.

mod pool;
mod published;

use hamiltone_product::scenes::generate;
use pool::{Draws, Pool};
use std::{env, path::PathBuf, thread};

/// How many scenes, and from which seed on.
const SCENES: u64 = 20;
const SEED: u64 = 20_036;

fn number(name: &str, default: u64) -> u64 {
    let read = |text: String| text.parse().unwrap_or_else(|_| panic!("{name} takes a whole number"));
    env::var(name).ok().map_or(default, read)
}

/// The program: that of this build, or another, such as an optimised one.
fn program() -> PathBuf {
    env::var_os("RANDOM_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hamiltone").into()).into()
}

#[test]
fn exit_codes_agree_with_the_energy_of_the_states() {
    hold(generate::scene, number("RANDOM_SCENES", SCENES));
}

/// Bows, reeds, lips and jets: nothing crashes, no loss gives energy, and what is called balanced is. An eighth as many, since a bore is fitted each time that a scene is read.
#[test]
fn what_sustains_itself_is_balanced_or_refused() {
    hold(generate::sustained, number("RANDOM_SCENES", SCENES).div_ceil(8));
}

fn hold(draws: Draws, count: u64) {
    let first = number("RANDOM_SEED", SEED);
    let faults = Pool::new(draws, first, count).run(thread::available_parallelism().map_or(1, usize::from));
    println!("seeds {first} to {}: {} faults", first + count - 1, faults.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
