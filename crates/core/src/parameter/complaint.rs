//! What is wrong with the values given to a part.

/// What is wrong with the values given to a part; the plan adds file, line and value.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    /// The parameter complained of, as a path such as `loss.d1`; `""` for the part as a whole.
    pub parameter: String,
    /// What is wrong: the rest of the sentence that begins with the parameter.
    pub message: String,
    /// What to write instead; `""` where the message says it.
    pub help: String,
    /// The byte of a text at which it was noticed, where it is about a part of the text.
    pub at: Option<usize>,
}

impl Complaint {
    /// A complaint about one parameter.
    pub fn new(parameter: impl Into<String>, message: impl Into<String>) -> Self {
        Self { parameter: parameter.into(), message: message.into(), help: String::new(), at: None }
    }

    /// The same of a table within another, at this parameter of the other.
    #[must_use]
    pub fn within(self, table: &str) -> Self {
        let parameter = match self.parameter.as_str() {
            "" => table.into(),
            path => format!("{table}.{path}"),
        };
        Self { parameter, ..self }
    }

    /// The same of a text, noticed at this byte of it.
    #[must_use]
    pub fn at(self, byte: usize) -> Self {
        Self { at: Some(byte), ..self }
    }

    /// The same, with what to write instead.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { parameter, message, help, at: _ } = self;
        let space = if parameter.is_empty() { "" } else { " " };
        write!(f, "{parameter}{space}{message}")?;
        if help.is_empty() { Ok(()) } else { write!(f, "; {help}") }
    }
}

impl std::error::Error for Complaint {}

/// Everything that is wrong with the values given to a part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Complaints(pub Vec<Complaint>);

impl std::fmt::Display for Complaints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Complaints {}

impl From<Complaint> for Complaints {
    fn from(complaint: Complaint) -> Self {
        Self(vec![complaint])
    }
}
