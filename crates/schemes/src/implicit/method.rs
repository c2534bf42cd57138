//! The differences between the methods of the implicit family.

use super::rule::Rule;
use hamiltone_numerics::lcp;

/// How a step takes the damping R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damping {
    /// In the step, by its mean velocity.
    Inside,
    /// The whole step's decay before an undamped step (Lie).
    Before,
    /// Half of the decay before and half after an undamped step (Strang).
    Around,
}

/// A method of the family: the difference between `ec`, `mr`, `tr`, `ck`, `ec-cs`, `ec-strang` and `moreau-jean`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub name: &'static str,
    pub order: u32,
    pub rule: Rule,
    pub damping: Damping,
    /// θ: where between its ends a step takes springs and dampers; ½ in the middle.
    pub theta: f64,
    /// Whether it takes forms ([`super::forms`]): by the quotient, in the middle and with the damping inside, without impacts.
    pub forms: bool,
    /// How impulses of rigid contacts are found, where the method takes them.
    pub impacts: Option<lcp::Method>,
}

impl Method {
    /// In the middle, by the quotient, the damping inside, without impacts.
    pub const PLAIN: Self = Self {
        name: "",
        order: 2,
        rule: Rule::Gradient,
        damping: Damping::Inside,
        theta: 0.5,
        forms: false,
        impacts: None,
    };
}
