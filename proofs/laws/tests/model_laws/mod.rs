//! Model laws: what every body and every contact law must obey, whatever it is called.
//!
//! A wrong force keeps every energy balance, so no scheme law sees it; these do.
//! Each law is a function that answers with what is broken; [`broken`] breaks
//! models on purpose and demands that the laws notice.

use hamiltone_core::{
    body::Body,
    element::Law,
    parameter::{Absent, Entry, Kind, Rule, Table, Takes, Values},
    row::Row,
    system::System,
};
use hamiltone_laws::{long, parts};
use proptest::{prelude::*, test_runner::RngSeed};
use std::collections::BTreeSet;

mod body;
mod broken;
mod contact;
mod port;
mod resistance;

const EPS: f64 = f64::EPSILON;

fn require(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

fn kind_laws(kind: &Kind) -> Result<(), String> {
    let texts = [kind.name, kind.summary, kind.equation, kind.source];
    require(texts.iter().all(|text| !text.trim().is_empty()), || "a text is empty".into())?;
    table_laws(&kind.table())
}

/// Every parameter is documented, and its default in its range; rules speak of parameters and words that there are.
fn table_laws(table: &Table<'_>) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for parameter in table.parameters {
        let name = parameter.name;
        require(names.insert(name), || format!("`{name}` is listed twice"))?;
        require(!parameter.doc.trim().is_empty(), || format!("`{name}` is not documented"))?;
        let fits = match (parameter.takes, parameter.absent) {
            (Takes::Number(_, range), Absent::Number(default)) => range.holds(default),
            (Takes::Word(words), Absent::Word(default)) => words.contains(&default),
            (_, Absent::Optional(otherwise)) => !otherwise.is_empty(),
            (_, Absent::Rule) => table.rules.iter().any(|rule| rule.names().contains(&name)),
            (_, absent) => matches!(absent, Absent::Required),
        };
        require(fits, || format!("`{name}` is absent as {:?}, which it cannot take", parameter.absent))?;
        if let Takes::Table(inner) = parameter.takes {
            table_laws(&inner)?;
        }
    }
    for rule in table.rules {
        let unknown = rule.names().into_iter().find(|name| !names.contains(name));
        require(unknown.is_none(), || format!("a rule speaks of `{}`", unknown.unwrap_or_default()))?;
        if let Rule::OnlyWith { parameters, key, word } = rule {
            let words = table.find(key).map(|parameter| parameter.takes);
            let known = matches!(words, Some(Takes::Word(words)) if words.contains(word));
            require(known, || format!("a rule speaks of {key} = \"{word}\""))?;
            let lost = parameters.iter().find(|path| table.find(path).is_none());
            require(lost.is_none(), || format!("a rule speaks of `{}`", lost.copied().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// A length of either sign between a nanometre and a metre.
fn length() -> impl Strategy<Value = f64> {
    (-9.0..0.0, any::<bool>()).prop_map(|(e, up)| if up { 10f64.powf(e) } else { -10f64.powf(e) })
}

/// Whether dimensions follow from partials. The laws see a body of given dimensions: the search, which takes a hundred times as long
/// as they do, is tested where it is (`proofs/laws/tests/bodies.rs`, `crates/bodies`). Or whether a plate has sides between which its modes are those
/// of a matrix.
fn takes_long(values: &Values) -> bool {
    let is_held = |name: &&str| values.word(name).is_some_and(|word| word != "hinged");
    let is_given = |name: &&str| values.is_given(name);
    let has_sums = ["front", "back"].iter().any(is_held)
        || ["left", "right"].iter().any(is_held)
            && (["cross_modulus", "shear_modulus"].iter().any(is_given)
                || values.word("von_karman") == Some("true"));
    ["frequency", "pitch", "tuning"].iter().any(is_given) || has_sums
}

/// Whether its modes are those of a matrix, which take up to a tenth of a second.
fn is_solved(kind: &Kind) -> bool {
    ["ribbed_plate", "plate"].contains(&kind.name)
}

/// Every body but the last of the catalogue, the bore: its fit takes up to seconds, and the trials of schemes draw it.
fn quick() -> &'static [Entry<Box<dyn Body>>] {
    hamiltone_bodies::catalogue().split_last().map_or(&[], |(_, others)| others)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: long::cases(20_000),
        rng_seed: RngSeed::Fixed(2014),
        // What a kind refuses besides its rules, such as grids that would be too fine, is drawn anew.
        max_local_rejects: 1 << 20,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_contact(part in parts::any_part(hamiltone_elements::catalogue()), x in length(), s in length()) {
        let element = part.make();
        prop_assert!(element.gap.is_finite());
        match &element.law {
            Law::Compliant(law) => {
                // Where a formula loses up to five bits it is computed as it stands (near_zero.rs): 32 eps for four.
                let eps = if part.entry.kind.name == "formula" { 8.0 * EPS } else { EPS };
                contact::laws(law, x, s, eps).map_err(TestCaseError::fail)?;
            }
            Law::Rigid { restitution } => prop_assert!((0.0..=1.0).contains(restitution)),
            Law::Resistive(law) => resistance::laws(law, x, 1e3 * s).map_err(TestCaseError::fail)?,
            // Rates to 10 m/s, mobilities around that of a string, forces to 10 N, places to 1 m.
            Law::Port(law) => port::laws(law, 10.0 * x, 1e3 * s.abs(), [10.0, x]).map_err(TestCaseError::fail)?,
            Law::Custom(law) => prop_assert!(!law.kind().is_empty()),
        }
    }

    #[test]
    fn every_body(
        part in parts::any_part_but_rarely(quick(), is_solved, takes_long),
        numbers in proptest::collection::vec(length(), 1..64),
    ) {
        body::laws(&*part.make(), &numbers).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn every_link(
        values in parts::values(hamiltone_bodies::link::kind()),
        weights in proptest::collection::vec((0..6usize, length()), 0..5),
        numbers in proptest::collection::vec(length(), 12),
    ) {
        let mut system = System { mass: vec![1.0; 6], ..System::default() };
        (system.initial.position, system.initial.velocity) = (vec![0.0; 6], vec![0.0; 6]);
        let number = |name| values.number(name).unwrap();
        let row = Row::Sparse(weights).minus(&Row::ground());
        hamiltone_bodies::link::add_to(&mut system, "link", row, number("stiffness"), number("loss")).unwrap();
        body::system_laws(&system, &numbers[..6], &numbers[6..]).map_err(TestCaseError::fail)?;
    }
}

/// On every grid from too coarse for its modes to fine enough: what is made can be added, and something is refused and something made.
#[test]
fn every_body_whose_grid_has_too_few_unknowns_is_refused_when_it_is_made() {
    for (kind, numbers, end) in [
        ("tube", [("length", 1.0), ("radius", 0.01), ("damping", 0.0)], "open"),
        ("tube", [("length", 1.0), ("radius", 0.01), ("damping", 0.0)], "closed"),
        ("string", [("length", 1.0), ("linear_density", 1e-3), ("tension", 100.0)], "clamped"),
        ("timoshenko-bar", [("length", 0.3), ("thickness", 0.01), ("width", 0.03)], "clamped"),
    ] {
        let entry = hamiltone_bodies::catalogue().iter().find(|entry| entry.kind.name == kind).unwrap();
        let [mut refused, mut made] = [0; 2];
        for (modes, intervals) in (1..=10_u32).flat_map(|modes| (4..=45_u32).map(move |n| (modes, n))) {
            let mut values = Values::defaults(entry.kind.parameters).with("method", "modal");
            numbers.into_iter().for_each(|(name, x)| values.set(name, x));
            ["left", "right"].into_iter().for_each(|name| values.set(name, end));
            values.set("modes", f64::from(modes));
            values.set("intervals", f64::from(intervals));
            match (entry.make)(&values) {
                Err(complaint) => {
                    assert_eq!(complaint.parameter, "modes", "{kind}, {modes} of {intervals}: {complaint}");
                    refused += 1;
                }
                Ok(body) => {
                    let refused_late = body.add_to(&mut System::default(), "body").err();
                    assert_eq!(refused_late, None, "{kind}, {modes} of {intervals}");
                    made += 1;
                }
            }
        }
        assert!(refused > 0 && made > refused, "{kind}: {refused} refused, {made} made");
    }
}

#[test]
fn every_kind_describes_itself() {
    let contacts = hamiltone_elements::catalogue().iter().map(|entry| &entry.kind);
    let bodies = hamiltone_bodies::catalogue().iter().map(|entry| &entry.kind);
    let mut names = BTreeSet::new();
    let schemes = hamiltone_schemes::catalogue().iter().map(|entry| &entry.kind);
    for kind in contacts.chain(bodies).chain(schemes).chain([hamiltone_bodies::link::kind()]) {
        kind_laws(kind).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
        assert!(names.insert(kind.name), "two kinds are called `{}`", kind.name);
    }
}
