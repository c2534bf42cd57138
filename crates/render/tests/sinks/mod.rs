//! The output side: the run loop and what its sinks write.

mod altered;
mod audit;
mod commit;
mod contacts;
mod forecast;
mod level;
mod mix;
mod partial;
mod reed;
mod run;
mod states;
mod verdict;
mod wav;
