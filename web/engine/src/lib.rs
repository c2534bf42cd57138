//! Hamiltone in a browser: two WebAssembly modules with a plain C interface.
//!
//! | module | target | functions |
//! |---|---|---|
//! | player | `wasm32-unknown-unknown`, no imports | `player.rs`: a plan of an instrument and notes become samples |
//! | scene | `wasm32-wasip1`, feature `scene` | `scene.rs`: a text becomes problems, a sound with its report, or the plan of an instrument |
//!
//! An instance of a module holds one instrument or one render: several are several instances. What a function is given besides numbers is
//! written to [`exchange::hamiltone_input`] before the call, what it gives is read at [`exchange::hamiltone_answer`] after it: the
//! memory belongs to the module, and nothing is freed by the caller.
//!
//! Functions return 0 where all is well, 1 where the result is not good or a call had no effect, 2 where the input is wrong: the exit codes of the program.

pub mod about;
pub mod exchange;
#[cfg(not(feature = "scene"))]
pub mod player;
#[cfg(feature = "scene")]
pub mod scene;
