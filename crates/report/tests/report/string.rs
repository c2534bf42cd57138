//! The report of a string: its partials, shapes and contacts.

use crate::{folder, render};
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

fn page(text: &str, name: &str) -> String {
    let plan = Scene::new(text, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string()).unwrap();
    let folder = folder(name);
    assert!(render(&plan, &mut [&mut Report::new(&folder, "")]).ok);
    fs::read_to_string(folder.join("index.html")).unwrap()
}

/// The cells of the table's row that begins with `name`.
fn row(page: &str, name: &str) -> Vec<String> {
    let begin = page.find(&format!("<tr><td>{name}</td>")).unwrap();
    let row = &page[begin..begin + page[begin..].find("</tr>").unwrap()];
    row.split("<td>").skip(1).map(|cell| cell.trim_end_matches("</td>").to_string()).collect()
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
    let charts: String = page.split("base64,").map(|part| &part[part.find('"').unwrap_or(0)..]).collect();
    assert!(charts.contains("string: first half of the first period"), "the string never moved");
    assert!(!charts.contains("NaN") && !charts.contains("inf"), "a coordinate is no number");
}

/// EC lowers ω by (ωΔt)²/12: 3e-6 of the third partial, 0.005 cents. The grid's are 2c/Δx sin(mπ/2N).
#[test]
fn its_partials_are_the_grids_to_a_hundredth_of_a_cent() {
    let page = page(SCENE, "string");
    let (c, n) = ((100.0_f64 / 1e-3).sqrt(), 60.0);
    for m in 1..=3 {
        let row = row(&page, &format!("string {m}"));
        let x = f64::from(m) * std::f64::consts::FRAC_PI_2;
        let grid = c / 0.7 * n * (x / n).sin() / std::f64::consts::PI;
        let theory = f64::from(m) * c / 1.4;
        assert_eq!([&row[2], &row[4]], [&format!("{theory:.3}"), &format!("{grid:.3}")]);
        let cents: f64 = row[5].replace('\u{2212}', "-").parse().unwrap();
        assert!(cents.abs() <= 0.01, "{row:?}");
        let measured: f64 = row[1].parse().unwrap();
        // Printed with 3 decimals: a rounding of two thousandths of a cent.
        let from_theory: f64 = row[3].replace('\u{2212}', "-").parse().unwrap();
        assert!((from_theory - 1200.0 * (measured / theory).log2()).abs() < 0.01, "{row:?}");
    }
    // The initial condition has three modes only.
    assert_eq!(row(&page, "string 4")[1], "–");
    for part in ["Pitch", "deviation from theory", "string over x and time", "first half of the first period"]
    {
        assert!(page.contains(part), "`{part}` is missing");
    }
    assert!(!page.contains("NaN") && !page.contains("Contact force of barrier"));
}

#[test]
fn contacts_with_an_obstacle_are_shown() {
    let page = page(&SCENE.replace("gap = \"1 mm\"", "gap = \"0.1 mm\""), "string-contact");
    for part in [
        ">Contact force of barrier</text>",
        "close-up of the hardest impact",
        "barrier: first contact at",
        ">barrier</text>",
    ] {
        assert!(page.contains(part), "`{part}` is missing");
    }
}
