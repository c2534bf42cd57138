//! The page of the report: complete, self-contained, with the right verdict.

use super::{
    folder,
    reed::{blown, plucked},
    render, without_data,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use hamiltone_report::Report;
use hamiltone_scene::Plan;
use sha2::{Digest, Sha256};
use std::fs;

fn page(plan: &Plan, name: &str) -> String {
    let folder = folder(name);
    let outcome = render(plan, &mut [&mut Report::new(folder.join("a/b"), "title = \"<&>\"")]);
    fs::read_to_string(outcome.ending.name(&folder.join("a/b/index.html"))).unwrap()
}

#[test]
fn it_holds_every_picture_and_loads_nothing() {
    let html = page(&blown(20_000, 2), "report");
    for part in [
        "Reed &lt;against&gt; its lay",
        "&lt;&amp;&gt;",
        "Energy balance exact to rounding error",
        "data:audio/wav;base64,",
        "data:image/png;base64,",
        "Spectrum",
        "Stored energy",
        "Σ residual / (eps·S)",
        "Phase portrait of reed",
        "Modified phase space",
        "residual_tolerance",
    ] {
        assert!(html.contains(part), "`{part}` is missing");
    }
    let addresses = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("://") && !addresses.contains("src=\"/") && !addresses.contains("@import"));
    assert!(!without_data(&html).contains("NaN") && !html.contains(">inf<"), "a coordinate is no number");
    assert_eq!(html, page(&blown(20_000, 2), "report-again"), "two runs, one page");
}

#[test]
fn a_failure_is_red_and_odd_runs_still_make_a_page() {
    // Velocity Verlet's balance is bounded, and here no residual passes.
    let mut plan = plucked(100, 1);
    plan.scheme = hamiltone_schemes::named("vv").unwrap();
    plan.balance_bound = 0.0;
    assert!(page(&plan, "report-failed").contains("class=\"verdict bad\""));
    let mut plan = plucked(1, 1);
    assert!(page(&plan, "report-short").contains("class=\"verdict good\""));
    plan.system.initial.position[0] = 0.0;
    assert!(page(&plan, "report-silent").contains("silent"));
    plan.pickups.clear();
    plan.system.outputs.clear();
    assert!(page(&plan, "report-deaf").contains("class=\"verdict good\""));
}

/// A bounded balance over oversampled steps: the stored energy is taken at samples only, and every step has its flows.
#[test]
fn ledgers_without_a_stored_energy_leave_no_holes() {
    let mut plan = plucked(2000, 4);
    plan.scheme = hamiltone_schemes::named("position-verlet").unwrap();
    let page = page(&plan, "report-partial");
    assert!(
        page.contains("Stored energy")
            && page.contains("class=\"verdict good\"")
            && !without_data(&page).contains("NaN")
    );
}

/// The policy names the style sheet and the script of the page by their SHA-256, and nothing else is executed.
#[test]
fn its_content_security_policy_is_that_of_its_script_and_style() {
    let html = page(&blown(2000, 1), "report-policy");
    for (begin, end) in [("<script>", "</script>"), ("<style>", "</style>")] {
        let text = html.split(begin).nth(1).unwrap().split(end).next().unwrap();
        let hash = BASE64_STANDARD.encode(Sha256::digest(text));
        assert!(html.contains(&format!("'sha256-{hash}'")), "{begin}");
        assert_eq!(html.matches(begin).count(), 1);
    }
    assert!(html.contains("default-src 'none'") && !html.contains(" style=") && !html.contains(" onclick="));
}

/// Every link of the contents leads to a section, every section has one, and every chart has a description.
#[test]
fn contents_lead_to_all_sections() {
    let html = page(&blown(20_000, 2), "report-contents");
    let contents = html.split("<nav").nth(1).unwrap().split("</nav>").next().unwrap();
    let links: Vec<&str> = contents.split("href=\"#").skip(1).map(|l| l.split('"').next().unwrap()).collect();
    let sections: Vec<&str> =
        html.split("<section").skip(1).filter_map(|s| s.split(" id=\"").nth(1)?.split('"').next()).collect();
    assert_eq!(links, sections);
    assert!(links.contains(&"waveform") && links.contains(&"energy-audit"), "{links:?}");
    assert!(html.find("class=\"verdict").unwrap() < html.find("<nav").unwrap());
    assert_eq!(html.matches("role=\"img\" aria-label=\"").count(), 2 * html.matches("<figure").count());
}
