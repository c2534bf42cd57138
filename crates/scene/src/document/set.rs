//! A change to a scene, as the command line gives it: `--set contact.felt.gap="0.3 mm"`.

/// A change to a scene, as the command line gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The dotted path, such as `contact.felt.gap`.
    pub path: String,
    /// A TOML value, or text that is taken as a string.
    pub value: String,
    /// The option as the user wrote it, for messages: it ends with `value`.
    pub shown: String,
}

impl Set {
    /// The change behind an option that ends with its value, such as `--duration 2s`.
    pub fn option(path: &str, option: &str, value: &str) -> Self {
        Self { path: path.into(), value: value.into(), shown: format!("{option} {value}") }
    }

    /// Reads `path=value`.
    ///
    /// # Errors
    /// A sentence that says how to write it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (path, value) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` has no `=`: write path=value, such as run.duration=\"2 s\""))?;
        Ok(Self { path: path.trim().into(), value: value.trim().into(), shown: format!("--set {text}") })
    }
}
