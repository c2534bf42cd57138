//! Copies of a name in an instrument: `bridge-60` or `bridge-1-12` of `bridge`.

/// Whether a name is this one or a copy of it.
pub fn is_copy(copy: &str, name: &str) -> bool {
    let numbers = |rest: &str| rest.starts_with('-') && rest.chars().all(|c| c == '-' || c.is_ascii_digit());
    copy.strip_prefix(name).is_some_and(|rest| rest.is_empty() || numbers(rest))
}

/// The numbers of a copy of a name, by which copies are sorted.
pub fn numbers(copy: &str, name: &str) -> Vec<u32> {
    copy[name.len()..].split('-').filter_map(|number| number.parse().ok()).collect()
}
