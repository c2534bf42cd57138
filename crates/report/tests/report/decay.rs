//! Decay times of rendered bodies in the report.

use super::string::{number, page, table};

/// Asked to decay in 1 s at 200 Hz and in 0.3 s at 3 kHz.
const STRING: &str = r#"
hamiltone = 1
run = { duration = "2 s" }
drive.finger = { kind = "pluck", at = "string@0.2", height = "2 mm" }
pickup.bridge = { at = "string@1", quantity = "force" }
[body.string]
kind = "string"
length = "0.65 m"
linear_density = "6.6 g/m"
frequency = "196 Hz"
loss = { t60 = [["200 Hz", "1 s"], ["3000 Hz", "0.3 s"]] }
"#;

/// Asked to decay in 1 s at 420 Hz and in 0.3 s at 5 kHz.
const BAR: &str = r#"
hamiltone = 1
run = { duration = "1 s" }
body.mallet = { kind = "mass", mass = "5 g", velocity = "1 m/s", position = "-1 mm" }
contact.strike = { between = ["mallet", "bar@0.5"], law = "power", stiffness = "5e8 N/m^1.5", exponent = 1.5 }
pickup.end = { at = "bar@0", quantity = "velocity" }
[body.bar]
kind = "bar"
length = "0.35 m"
thickness = "10 mm"
density = "900 kg/m^3"
youngs_modulus = "16 GPa"
loss = { t60 = [["420 Hz", "1 s"], ["5000 Hz", "0.3 s"]] }
"#;

/// How many partials were measured, and the largest relative difference to what was requested.
fn decays(page: &str) -> (usize, f64) {
    let rows = table(page, "Decay times of the partials");
    let measured: Vec<_> = rows.iter().filter(|row| row[5] != "–").collect();
    let difference = |row: &&Vec<String>| (number(&row[5]) / number(&row[3]) - 1.0).abs();
    assert!(rows.iter().all(|row| (row[5] == "–") == row[7].starts_with("not measurable: ")), "{rows:?}");
    // The system has what was asked for, to the error of a grid.
    assert!(rows.iter().all(|row| (number(&row[4]) / number(&row[3]) - 1.0).abs() < 0.02), "{rows:?}");
    (measured.len(), measured.iter().map(difference).fold(0.0, f64::max))
}

/// By their modes and on a grid, to 2 %: the midpoint rule of `ec` takes 1/(1 + (ωΔt/2)²) of a decay rate, 0.5 % less of
/// the bar's highest partial. Of the string's 16 partials every fifth has its node where it is plucked; the bar
/// is struck in its middle, where half of its partials have theirs.
#[test]
fn rendered_bodies_decay_as_their_losses_ask_for() {
    let on_grid = |text: &str, body: &str| {
        let text = text.replace("run = {", "run = { scheme = \"ec\", oversampling = 16,");
        text.replace(&format!("kind = \"{body}\"\n"), &format!("kind = \"{body}\"\nintervals = 100\n"))
    };
    for (name, text, fewest) in [
        ("decay-string", STRING.to_string(), 12),
        ("decay-string-grid", on_grid(STRING, "string"), 12),
        ("decay-bar", BAR.to_string(), 4),
        ("decay-bar-grid", on_grid(BAR, "bar"), 4),
    ] {
        let (count, largest) = decays(&page(&text, name));
        assert!(count >= fewest && largest < 0.02, "{name}: {count} partials, {largest}");
    }
}

/// An undercut bar, whose partials no theory knows: requested is what its modes were given.
#[test]
fn losses_are_known_where_partials_are_not() {
    let undercut = BAR.replace(
        "youngs_modulus",
        "profile = [[0, \"10 mm\"], [\"0.17 m\", \"6 mm\"], [\"0.35 m\", \"10 mm\"]]\nyoungs_modulus",
    );
    let (count, largest) = decays(&page(&undercut, "decay-undercut"));
    assert!(count >= 3 && largest < 0.02, "{count} partials, {largest}");
}

/// A bar on two springs and dampers: its modes are those with the links, and so are their losses; there is no theory.
#[test]
fn linked_bodies_have_the_losses_of_their_common_modes() {
    let link = "between = [\"bar@PLACE\", \"ground\"], stiffness = \"20 kN/m\", loss = \"0.2 kg/s\"";
    let links = ["0.1", "0.9"]
        .map(|place| format!("link.l{} = {{ {} }}\n", &place[2..], link.replace("PLACE", place)));
    let text = BAR.replace("[body.bar]", &[&links.concat(), "[body.bar]"].concat());
    let page = page(&text, "decay-linked");
    let (count, largest) = decays(&page);
    assert!(count >= 4 && largest < 0.02, "{count} partials, {largest}");
    assert!(table(&page, "Frequencies of the partials").iter().all(|row| row[2] == "–" && row[4] != "–"));
}
