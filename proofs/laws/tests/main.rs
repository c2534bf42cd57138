//! What the library is held to: laws, papers, properties.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod allocation;
mod another_process;
mod blown;
mod bodies;
mod bouncing;
mod bow_starts;
mod bowed;
mod fingered;
mod forms;
mod identity;
mod islands;
mod jet;
mod joints;
mod modal;
mod modal_ec;
mod model_laws;
mod moving_bow;
mod papers_c15;
mod papers_c19;
mod papers_catalogue;
mod papers_d17;
mod papers_i18;
mod papers_sic;
mod papers_tools;
mod quadratised;
mod reduction;
mod reference;
mod resting_strings;
mod scheme_laws;
mod shared_bank;
mod stretched;
mod strings;
mod surfaces;
mod von_karman;
