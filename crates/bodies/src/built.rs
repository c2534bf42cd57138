//! A body that was built of the values of a scene.

use hamiltone_core::body::Body;

/// The body, and the grid that it took.
pub(crate) struct Built {
    /// The body.
    pub body: Box<dyn Body>,
    /// The intervals of its grid, where its partials depend on them; none of modes by formula.
    pub intervals: Option<usize>,
}

impl Built {
    /// A body whose partials are exact.
    pub fn exact(body: impl Body + 'static) -> Self {
        Self { body: Box::new(body), intervals: None }
    }
}
