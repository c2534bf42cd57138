//! What the user may have meant by a name that is not known.

/// The most names that a message lists.
const MAX_LISTED: usize = 24;
/// The most names that are compared: a message takes bounded time, however many bodies there are.
const MAX_COMPARED: usize = 1000;

/// The closest of `known` to `given`, if one is close.
pub fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let length = given.chars().count();
    // A third of the letters may be wrong, and always one: most names are too long or too short.
    let near = |name: &'a str| {
        let other = name.chars().count();
        let most = (other.max(length) / 3).max(1);
        let distance = || strsim::damerau_levenshtein(&given, &name.to_lowercase());
        (other.abs_diff(length) <= most).then(distance).filter(|d| *d <= most).map(|d| (d, name))
    };
    known.into_iter().take(MAX_COMPARED).filter_map(near).min_by_key(|&(d, _)| d).map(|(_, name)| name)
}

/// `did you mean …?` where something is close, else the list of what there is.
pub fn suggest<'a>(given: &str, known: impl IntoIterator<Item = &'a str> + Clone, what: &str) -> String {
    if let Some(name) = closest(given, known.clone()) {
        return format!("did you mean `{name}`?");
    }
    let mut names = known.into_iter();
    let listed: Vec<String> = names.by_ref().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    match (listed.is_empty(), names.next()) {
        (true, _) => format!("there are no {what}"),
        (_, None) => format!("{what}: {}", listed.join(", ")),
        (_, Some(_)) => format!("{what}: {}, …", listed.join(", ")),
    }
}
