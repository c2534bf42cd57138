//! The report: whole, self-contained, and telling good from bad.

use crate::{
    reed::{blown, folder, plucked, render},
    run::Breaking,
};
use hamiltone::{plan::Plan, sinks::report::Report};
use std::fs;

fn page(plan: &Plan, name: &str) -> String {
    let folder = folder(name);
    render(plan, &mut [&mut Report::new(folder.join("a/b"), "title = \"<&>\"")]);
    fs::read_to_string(folder.join("a/b/index.html")).unwrap()
}

#[test]
fn it_holds_every_picture_and_loads_nothing() {
    let html = page(&blown(20_000, 2), "report");
    for part in [
        "Reed &lt;against&gt; its lay",
        "&lt;&amp;&gt;",
        "Balanced to rounding",
        "data:audio/wav;base64,",
        "data:image/png;base64,",
        "Spectrum",
        "Energy stored",
        "Σ residual / (eps·S)",
        "Phase portrait of reed",
        "Modified phase space",
        "residual_tolerance",
    ] {
        assert!(html.contains(part), "`{part}` is missing");
    }
    let addresses = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http") && !addresses.contains("src=\"/") && !addresses.contains("@import"));
    assert!(!html.contains("NaN") && !html.contains(">inf<"), "a coordinate is no number");
    assert_eq!(html, page(&blown(20_000, 2), "report-again"), "two runs, one page");
}

#[test]
fn a_failure_is_red_and_odd_runs_still_make_a_page() {
    let mut plan = plucked(100, 1);
    plan.scheme = Box::new(Breaking);
    assert!(page(&plan, "report-failed").contains("class=\"verdict bad\""));
    let mut plan = plucked(1, 1);
    assert!(page(&plan, "report-short").contains("class=\"verdict good\""));
    plan.system.start.position[0] = 0.0;
    assert!(page(&plan, "report-silent").contains("silent"));
    plan.pickups.clear();
    plan.system.outputs.clear();
    assert!(page(&plan, "report-deaf").contains("class=\"verdict good\""));
}
