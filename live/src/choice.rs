//! A device by its name or number.

use hamiltone_scene::document::problem::printable;

/// The number, from 0, of the one that is wanted among these names: by its number from 1, its name, or a part of its name that no other has.
///
/// ```
/// use hamiltone_live::choice::choose;
///
/// let names = ["Piano".to_string(), "Keystation 49".into(), "Keystation 61".into()];
/// assert_eq!(choose(&names, "49", "MIDI input"), Ok(1));
/// assert_eq!(choose(&names, "3", "MIDI input"), Ok(2));
/// assert_eq!(choose(&names, "piano", "MIDI input"), Ok(0));
/// assert!(choose(&names, "keystation", "MIDI input").unwrap_err().contains("2 have"));
/// ```
///
/// # Errors
/// Where there is none, or several have this part in their names: what there is instead.
pub fn choose(names: &[String], wanted: &str, what: &str) -> Result<usize, String> {
    if let Some(exact) = names.iter().position(|name| name == wanted) {
        return Ok(exact);
    }
    let number = wanted.parse::<usize>().ok().filter(|number| (1..=names.len()).contains(number));
    if let Some(number) = number {
        return Ok(number - 1);
    }
    let wanted = wanted.to_lowercase();
    let alike: Vec<usize> =
        (0..names.len()).filter(|number| names[*number].to_lowercase().contains(&wanted)).collect();
    match alike[..] {
        [one] => return Ok(one),
        [] if names.is_empty() => return Err(format!("there is no {what} at all")),
        _ => {}
    }
    let all: Vec<String> =
        (1..).zip(names).map(|(number, name)| format!("{number} {}", printable(name))).collect();
    let some = if alike.is_empty() { "none has".into() } else { format!("{} have", alike.len()) };
    Err(format!("{some} `{}` in its name; there are: {}", printable(&wanted), all.join(", ")))
}
