//! The tests of the program `hamiltone`.

mod cli_live;
mod cli_play;
mod cli_random;
mod cli_reasonable;
mod cli_render;
mod cli_studies;
mod cli_survey;
mod cli_words;
mod program;
