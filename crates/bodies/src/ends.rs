//! Boundary conditions at the ends of a string or bar.

/// The boundary condition of one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Simply supported: u = 0, u_xx = 0.
    Hinged,
    /// u = 0, u_x = 0.
    Clamped,
    /// No force and no moment.
    Free,
    /// Along a guide: u_x = 0, no force across.
    Sliding,
}

impl End {
    /// The words of a scene for a string.
    pub(crate) const WORDS: &'static [&'static str] = &["hinged", "clamped", "free"];
    /// And for a bar.
    pub(crate) const OF_BARS: &'static [&'static str] = &["hinged", "clamped", "free", "sliding"];

    /// The end of this word; hinged for any other.
    pub(crate) fn read(word: Option<&str>) -> Self {
        match word {
            Some("clamped") => End::Clamped,
            Some("free") => End::Free,
            Some("sliding") => End::Sliding,
            _ => End::Hinged,
        }
    }
}
