//! The report of surfaces: maps of their displacement.

use super::{folder, render};
use hamiltone_report::Report;
use hamiltone_scene::{Scene, Set};
use std::{fs, path::Path};

/// A plate in its first mode above a wire that it may reach.
const PLATE: &str = r#"
hamiltone = 1
[run]
scheme = "modal-moreau-jean"
duration = "100 ms"
[body.plate]
kind = "plate"
modes = 20
length = "40 cm"
width = "30 cm"
thickness = "1 mm"
[drive.start]
at = "plate"
kind = "modes"
cosine = ["1 mm"]
[contact.wire]
between = ["ground", "plate"]
along = ["0,0.5", "1,0.5"]
law = "power"
stiffness = 1e5
exponent = 1
[pickup.left]
at = "plate@0.3,0.4"
"#;

fn page(name: &str, sets: &[&str]) -> String {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    let plan = Scene::new(PLATE, "x.toml", Path::new(""), &sets).plan().map_err(|e| e.to_string()).unwrap();
    let folder = folder(name);
    assert!(render(&plan, &mut [&mut Report::new(&folder, "")]).ok);
    fs::read_to_string(folder.join("index.html")).unwrap()
}

/// Six maps in the first period of 41.7 Hz, 24 ms, with the points of the wire; less where the run ends before.
#[test]
fn a_plate_is_mapped_in_its_first_period() {
    let (whole, half) = (page("report_plate", &[]), page("report_plate_half", &["run.duration=13 ms"]));
    let maps = |page: &str| page.matches("<figcaption>plate at ").count();
    assert_eq!((maps(&whole), maps(&half)), (6, 3));
    assert!(whole.contains(">Surface</h2>") && whole.contains("plate at 4.0"), "no map at 4 ms");
    // Each has a colour bar, drawn for wide and for narrow screens.
    assert_eq!(whole.matches(">displacement (mm)</text>").count(), 12);
    let still = page("report_plate_still", &["drive.start.cosine=[0.0]"]);
    assert_eq!(maps(&still), 0);
}
