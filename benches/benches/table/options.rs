//! What a run of the table was asked to do.

use hamiltone_benches::archive::usual_folder;
use std::path::PathBuf;

/// How to ask.
pub const HELP: &str = "Options, after `--`:
  --quick                a few sizes and contacts, in about a minute
  --scheme WORDS         only schemes with one of these names, separated by commas
  --body WORDS           only representations whose names begin with one of these: oscillators, string-grid, string-modes,
                         bar-grid, bar-modes, membrane-modes, plate-modes, tube-grid
  --state WORDS          only contacts in these states: apart, pressed, rigid
  --sizes NUMBERS        degrees of freedom [50,100,200,500,1000,2000,5000]
  --contacts NUMBERS     numbers of contacts [1,10,100,1000], none: -
  --with NUMBER          degrees of freedom of the cases with contacts [1000]
  --count                also instructions, counted by valgrind (some seconds a row)
  --archive FOLDER       where the table is written [benches/archive]; none: -
  --one CASE RUN STEPS   steps one case without a clock; CASE: scheme body size state contacts, as the table writes them,
                         RUN: full, flows, off, loop";

/// The options.
pub struct Options {
    schemes: Vec<String>,
    bodies: Vec<String>,
    states: Vec<String>,
    /// Degrees of freedom.
    pub sizes: Vec<usize>,
    /// Numbers of contacts.
    pub contacts: Vec<usize>,
    /// Degrees of freedom of those with contacts.
    pub fixed: usize,
    /// Whether valgrind counts instructions.
    pub count: bool,
    /// Where the table goes.
    pub archive: Option<PathBuf>,
    /// Processor time of one timed run, s.
    pub seconds: f64,
    /// Runs of each, in turns.
    pub turns: usize,
    /// The words of a single case.
    pub one: Option<Vec<String>>,
}

impl Options {
    /// Those of the command line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            schemes: Vec::new(),
            bodies: Vec::new(),
            states: Vec::new(),
            sizes: vec![50, 100, 200, 500, 1000, 2000, 5000],
            contacts: vec![1, 10, 100, 1000],
            fixed: 1000,
            count: false,
            archive: Some(usual_folder()),
            seconds: 2e-3,
            turns: 5,
            one: None,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match &*word {
                // Cargo adds it.
                "--bench" => {}
                "--quick" => {
                    (options.sizes, options.contacts) = (vec![50, 200, 500], vec![1, 10, 100]);
                    (options.fixed, options.seconds, options.turns) = (200, 1e-3, 3);
                }
                "--scheme" => options.schemes = list(&value()?),
                "--body" => options.bodies = list(&value()?),
                "--state" => options.states = list(&value()?),
                "--sizes" => options.sizes = numbers(&value()?)?,
                "--contacts" => options.contacts = numbers(&value()?)?,
                "--with" => options.fixed = numbers(&value()?)?.into_iter().next().unwrap_or(options.fixed),
                "--count" => options.count = true,
                "--archive" => {
                    let folder = value()?;
                    options.archive = (folder != "-").then(|| folder.into());
                }
                "--one" => {
                    options.one = Some(words.by_ref().filter(|word| word != "--bench").collect());
                }
                _ => return Err(format!("`{word}` is no option.\n{HELP}")),
            }
        }
        Ok(options)
    }

    /// Whether a scheme is asked for.
    pub fn wants_scheme(&self, name: &str) -> bool {
        self.schemes.is_empty() || self.schemes.iter().any(|word| word == name)
    }

    /// Whether a representation is.
    pub fn wants_body(&self, name: &str) -> bool {
        self.bodies.is_empty() || self.bodies.iter().any(|word| name.starts_with(&**word))
    }

    /// Whether a state of contacts is.
    pub fn wants_contacts(&self, name: &str) -> bool {
        self.states.is_empty() || self.states.iter().any(|word| word == name)
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::to_string).collect()
}

fn numbers(text: &str) -> Result<Vec<usize>, String> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let number = |word: &str| {
        word.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("`{word}` is no number of things"))
    };
    text.split(',').map(number).collect()
}
