//! What is wrong with the parameters of an instrument is told at its place.

use crate::instrument_levels::FORK;
use hamiltone_plan::parameter::Changes;
use hamiltone_scene::instrument::Instrument;

/// A parameter with these lines.
fn parameter(name: &str, lines: &str) -> String {
    format!("[parameter.{name}]\nabout = \"what it is\"\nmin = 0\nmax = 100\ndefault = 50\n{lines}\n")
}

fn plan(parameters: &str) -> Result<Vec<Changes>, String> {
    let text = format!("{FORK}{parameters}");
    let plan = Instrument::new(&text, "fork.toml", ".".as_ref(), &[]).plan(48_000.0, None);
    let plan = plan.map_err(|error| error.to_string())?;
    Ok(plan.parameters.into_iter().map(|parameter| parameter.changes).collect())
}

#[test]
fn parameters_change_every_copy_of_what_they_name() {
    let both = parameter("hammer", "at = [\"fork\"]") + &parameter("pad", "control = [\"felt\"]\nmidi = 20");
    let found = plan(&both).unwrap();
    let counts: Vec<usize> = found
        .iter()
        .map(|changes| if let Changes::Inputs(inputs) = changes { inputs.len() } else { 0 })
        .collect();
    assert_eq!(counts, [3, 3]);
    assert_eq!(plan(&parameter("breath", "number = 2")).unwrap(), [Changes::Controller(2)]);
}

#[test]
fn what_a_parameter_cannot_be_is_told_at_its_place() {
    let with = |name: &str, lines: &str| parameter(name, lines);
    let level = "changes = \"level\"\nunit = \"dB\"";
    let cases = [
        (with("x", ""), "write one of at, control, rate or pickup"),
        (with("x", "at = [\"fork\"]\nchanges = \"level\""), "exclude one another"),
        (with("x", "changes = \"colour\""), "must be `tension` or `level`"),
        (with("x", "at = []"), "`at` takes a list of names"),
        (with("x", "at = [\"frok\"]"), "did you mean `fork`?"),
        (with("x", "changes = \"tension\""), "a tension has cents"),
        (with("x", "number = 64"), "`number` takes a controller that instruments can follow"),
        (with("x", "number = 2").replace("100", "200"), "`max` is 200 %, but must be 0 to 100 %"),
        (
            with("x", level).replace("100", "40").replace("default = 50", "default = -5"),
            "let `min` be below `max`",
        ),
        (with("x", level).replace("max = 100", "max = 40").replace("min = 0", "min = nan"), "min"),
        (with("x", "at = [\"fork\"]\nmidi = 64"), "controller 64 has a meaning of its own"),
        (with("x", "number = 2\nmidi = 2"), "leave out `midi`"),
        (with("x", "number = 16\nmidi = 20") + &with("y", "number = 20\nmidi = 16"), "leave out `midi`"),
        (with("x", "at = [\"fork\"]\nmidi = 20") + &with("y", "number = 20"), "leave out `midi`"),
        (
            with("x", "at = [\"fork\"]\nmidi = 20") + &with("y", "control = [\"felt\"]\nmidi = 20"),
            "controller 20 moves parameter `x`",
        ),
        (
            with("x", "at = [\"fork\"]") + &with("y", "at = [\"fork\"]"),
            "it changes what parameter `x` changes",
        ),
    ];
    for (parameters, says) in cases {
        let error = plan(&parameters).err().unwrap_or_default();
        assert!(error.contains(says) && error.contains("fork.toml:"), "{parameters}: {error}");
    }
}
