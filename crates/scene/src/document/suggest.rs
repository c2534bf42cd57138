//! What the user may have meant by a name that is not known.

/// The closest of `known` to `given`, if one is close.
pub fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&given, &name.to_lowercase());
    let scored = known.into_iter().map(|name| (distance(name), name));
    // A third of the letters may be wrong, and always one.
    let near = |&(d, name): &(usize, &str)| d <= (name.chars().count().max(given.chars().count()) / 3).max(1);
    scored.filter(near).min_by_key(|&(d, _)| d).map(|(_, name)| name)
}

/// `did you mean …?` where something is close, else the list of what there is.
pub fn suggest<'a>(given: &str, known: impl IntoIterator<Item = &'a str> + Clone, what: &str) -> String {
    let list = || known.clone().into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match closest(given, known.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.clone().into_iter().next().is_none() => format!("there are no {what}"),
        None => format!("{what}: {}", list()),
    }
}
