//! The cases of the table: which there are, and one by its words.

use crate::options::Options;
use hamiltone_benches::model::{Contacts, Representation};
use hamiltone_core::{
    coverage::{Feature, Need},
    scheme::Scheme,
};

/// One system under one scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    pub scheme: &'static str,
    pub representation: Representation,
    /// Degrees of freedom.
    pub size: usize,
    pub contacts: Contacts,
    /// How many contacts.
    pub count: usize,
}

impl Case {
    /// All that options ask for, those of one scheme and representation behind each other: without contacts, by size; then by
    /// the number of contacts.
    pub fn all(options: &Options) -> Vec<Self> {
        let mut cases = Vec::new();
        for entry in hamiltone_schemes::catalogue() {
            let scheme = entry.kind.name;
            let Some(made) = hamiltone_schemes::named(scheme) else { continue };
            if !options.wants_scheme(scheme) {
                continue;
            }
            for (representation, name) in Representation::ALL {
                if options.wants_body(name) {
                    cases.extend(Self::of(scheme, &*made, representation, options));
                }
            }
        }
        cases
    }

    /// Those of a scheme and a representation.
    fn of(
        scheme: &'static str,
        made: &dyn Scheme,
        representation: Representation,
        options: &Options,
    ) -> Vec<Self> {
        let coverage = made.coverage();
        let covers = |feature| coverage.covers(Need::Feature(feature));
        // Schemes of one coordinate have no size.
        let single = !covers(Feature::ManyCoordinates);
        if single && representation != Representation::Oscillators {
            return Vec::new();
        }
        let case = |size, contacts, count| Self { scheme, representation, size, contacts, count };
        let free = options.sizes.iter().map(|n| case(if single { 1 } else { *n }, Contacts::None, 0));
        let mut cases: Vec<Self> = free.collect();
        cases.dedup();
        // A tube has no contacts: its displacement is a volume.
        if representation == Representation::TubeGrid {
            return cases;
        }
        let kinds = [
            (Contacts::Apart, Feature::Compliant),
            (Contacts::Pressed, Feature::Compliant),
            (Contacts::Rigid, Feature::Rigid),
        ];
        for (contacts, feature) in kinds {
            if covers(feature) && options.wants_contacts(contacts.name()) {
                let counts = options.contacts.iter();
                let with = counts
                    .map(|k| if single { case(1, contacts, 1) } else { case(options.fixed, contacts, *k) });
                cases.extend(with);
                cases.dedup();
            }
        }
        cases
    }

    /// Whether another differs in its size alone, or in the number of its contacts: a line of the same curve.
    pub fn continues(&self, other: &Self) -> bool {
        (self.scheme, self.representation, self.contacts)
            == (other.scheme, other.representation, other.contacts)
    }

    /// Its words, which [`Case::read`] takes.
    pub fn words(&self) -> [String; 5] {
        [
            self.scheme.to_string(),
            self.representation.name().to_string(),
            self.size.to_string(),
            self.contacts.name().to_string(),
            self.count.to_string(),
        ]
    }

    /// The case of these words.
    pub fn read(words: &[&str]) -> Option<Self> {
        let [scheme, representation, size, contacts, count] = words else { return None };
        Some(Self {
            scheme: hamiltone_schemes::catalogue().iter().find(|e| e.kind.name == *scheme)?.kind.name,
            representation: Representation::ALL.iter().find(|(_, name)| name == representation)?.0,
            size: size.parse().ok()?,
            contacts: Contacts::ALL.iter().find(|(_, name)| name == contacts)?.0,
            count: count.parse().ok()?,
        })
    }
}
