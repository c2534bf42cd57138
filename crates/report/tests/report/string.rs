//! The report of a string: its partials, shapes and contacts.

use super::{folder, render, without_data};
use hamiltone_report::Report;
use hamiltone_scene::Scene;
use std::{fs, path::Path};

/// An ideal string in its first three modes, 226 Hz, over a barrier that it may reach.
const SCENE: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "1 s"
oversampling = 16
[body.string]
kind = "string"
length = "0.7 m"
intervals = 60
linear_density = "1 g/m"
tension = "100 N"
[drive.start]
at = "string"
kind = "modes"
cosine = ["0.2 mm", "0.1 mm", "0.05 mm"]
[contact.barrier]
between = ["ground", "string"]
law = "power"
stiffness = 1e7
exponent = 1
gap = "1 mm"
[pickup.left]
at = "string@0.3"
"#;

pub fn page(text: &str, name: &str) -> String {
    let plan = Scene::new(text, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string()).unwrap();
    let folder = folder(name);
    assert!(render(&plan, &mut [&mut Report::new(&folder, "")]).ok);
    fs::read_to_string(folder.join("index.html")).unwrap()
}

/// The cells of the rows of a table, by its caption.
pub fn table(page: &str, caption: &str) -> Vec<Vec<String>> {
    let begin = page.find(&format!("<caption>{caption}</caption>")).unwrap();
    let table = &page[begin..begin + page[begin..].find("</tbody>").unwrap()];
    let cell = |cell: &str| cell[cell.find('>').unwrap() + 1..].trim_end_matches("</td>").to_string();
    let row = |row: &str| row.trim_end_matches("</tr>").split("<td").skip(1).map(cell).collect();
    table[table.find("<tbody>").unwrap()..].split("<tr>").skip(1).map(row).collect()
}

pub fn number(cell: &str) -> f64 {
    cell.replace('\u{2212}', "-").parse().unwrap()
}

/// The string is at rest over its first period and longer, then is struck by a mass that flies towards it; another string
/// never moves.
#[test]
fn a_body_at_rest_has_a_chart_without_nan() {
    let late = SCENE
        .replace("duration = \"1 s\"\noversampling = 16", "duration = \"20 ms\"")
        .replace(
            "kind = \"modes\"\ncosine = [\"0.2 mm\", \"0.1 mm\", \"0.05 mm\"]",
            "kind = \"constant\"\nvalue = 0",
        )
        .replace("at = \"string\"", "at = \"string@0.5\"")
        .replace("[\"ground\", \"string\"]", "[\"mass\", \"string@0.5\"]")
        .replace(
            "gap = \"1 mm\"",
            "gap = \"8 mm\"\n[body.mass]\nkind = \"mass\"\nmass = \"1 g\"\nvelocity = 1\n\
            [body.still]\nkind = \"string\"\nlength = 1\nintervals = 20\nlinear_density = 1e-3\ntension = 40",
        );
    let page = page(&late, "string-late");
    let charts = without_data(&page);
    assert!(charts.contains("string: first half of the first period"), "the string never moved");
    assert!(!charts.contains("NaN") && !charts.contains("inf"), "a coordinate is no number");
}

/// EC lowers ω by (ωΔt)²/12: 3e-6 of the third partial, 0.005 cents. The grid's are 2c/Δx sin(mπ/2N).
#[test]
fn its_partials_are_the_grids_to_a_hundredth_of_a_cent() {
    let page = page(SCENE, "string");
    let (c, n) = ((100.0_f64 / 1e-3).sqrt(), 60.0);
    let rows = table(&page, "Frequencies of the partials");
    for (row, m) in rows.iter().zip(1..=3) {
        let x = f64::from(m) * std::f64::consts::FRAC_PI_2;
        let grid = c / 0.7 * n * (x / n).sin() / std::f64::consts::PI;
        let theory = f64::from(m) * c / 1.4;
        let named = ["string".to_string(), m.to_string(), format!("{theory:.3}"), format!("{grid:.3}")];
        assert_eq!(row[..4], named);
        let (predicted, measured) = (number(&row[4]), number(&row[5]));
        let cents = |f: f64| 1200.0 * (f / theory).log2();
        // Printed with 3 decimals: a rounding of two thousandths of a cent.
        assert!((cents(measured) - cents(predicted)).abs() <= 0.01, "{row:?}");
        assert!((number(&row[6]) - cents(predicted)).abs() < 0.01, "{row:?}");
        assert!((number(&row[7]) - cents(measured)).abs() < 0.01, "{row:?}");
        assert!(number(&row[8]).abs() <= 0.01, "{row:?}");
    }
    // The initial condition has three modes only.
    assert_eq!(rows[3][5], "–");
    for part in ["Pitch", "deviation from theory", "string over x and time", "first half of the first period"]
    {
        assert!(page.contains(part), "`{part}` is missing");
    }
    assert!(!without_data(&page).contains("NaN") && !page.contains("Contact force of barrier"));
}

#[test]
fn contacts_with_an_obstacle_are_shown() {
    let page = page(&SCENE.replace("gap = \"1 mm\"", "gap = \"0.1 mm\""), "string-contact");
    for part in [
        ">Contact force of barrier</figcaption>",
        "close-up of the hardest impact",
        "barrier: first contact at",
        ">barrier</text>",
        ">initial + supplied</text>",
    ] {
        assert!(page.contains(part), "`{part}` is missing");
    }
}
