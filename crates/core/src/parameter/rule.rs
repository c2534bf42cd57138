//! What must hold between the parameters of one table: alternatives, and what needs or excludes what.
//!
//! Rules are data. Reading a scene, its messages, `describe`, the JSON Schema and the parts at random of the tests all
//! read them; no body checks by hand which of its parameters are given.

/// What must hold between the parameters of one table.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Of several ways to state one quantity one is given.
    OneOf(OneOf),
    /// At least one of these is given.
    AnyOf(&'static [&'static str]),
    /// Of these groups all but one are given, each by one of its parameters; what is left out follows from the others.
    AllButOne(&'static [&'static [&'static str]]),
    /// A key that means another parameter in scenes of format 1.
    Formerly {
        /// The key.
        parameter: &'static str,
        /// The parameter that it means there.
        meant: &'static str,
    },
    /// A parameter that means nothing without others.
    Needs {
        /// The parameter.
        parameter: &'static str,
        /// What must be given, too.
        needs: &'static [&'static str],
    },
    /// A parameter that has no effect beside another.
    Unused {
        /// The parameter.
        parameter: &'static str,
        /// The other.
        beside: &'static str,
        /// A third that makes use of it all the same.
        unless: Option<&'static str>,
    },
    /// Parameters that have an effect only with one word of another.
    OnlyWith {
        /// The parameters, also as paths such as `loss.quality`.
        parameters: &'static [&'static str],
        /// The parameter that takes the word.
        key: &'static str,
        /// The word.
        word: &'static str,
    },
}

/// Several ways to state one quantity, which exclude one another.
#[derive(Clone, Copy, Debug)]
pub struct OneOf {
    /// What they state, as in "the tension".
    pub states: &'static str,
    /// The ways: one parameter each, or several that belong together. Of those the ones without a default must all be
    /// given.
    pub alternatives: &'static [&'static [&'static str]],
    /// Whether one of them must be given.
    pub required: bool,
}

impl OneOf {
    /// All its parameters.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.alternatives.iter().copied().flatten().copied()
    }
}

impl Rule {
    /// The parameters that it speaks of, without paths.
    pub fn names(&self) -> Vec<&'static str> {
        let root = |path: &&'static str| path.split('.').next().unwrap_or_default();
        match self {
            Rule::OneOf(group) => group.names().collect(),
            Rule::AnyOf(names) => names.to_vec(),
            Rule::AllButOne(groups) => groups.concat(),
            Rule::Formerly { parameter, meant } => vec![*parameter, *meant],
            Rule::Needs { parameter, needs } => [&[*parameter], *needs].concat(),
            Rule::Unused { parameter, beside, unless } => {
                [*parameter, *beside].into_iter().chain(*unless).collect()
            }
            Rule::OnlyWith { parameters, key, .. } => parameters.iter().map(root).chain([*key]).collect(),
        }
    }
}
