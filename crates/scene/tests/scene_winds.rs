//! A reed on several bores: what is wrong is told at its place with its correction.

use hamiltone_scene::scene::Scene;

const CLARINET: &str = r#"hamiltone = 3
[run]
duration = "0.1 s"
[body.low]
kind = "bore"
length = "60 cm"
radius = "7.5 mm"
[body.high]
kind = "bore"
length = "40 cm"
radius = "7.5 mm"
[body.reed]
kind = "oscillator"
mass = "3.37 mg"
stiffness = "1821 N/m"
damping = "3000 1/s"
[contact.valve]
between = ["reed", "low"]
fingerings = ["high"]
law = "reed"
[[score]]
time = "0 s"
gesture = "finger"
fingering = "valve"
bore = 1
[pickup.high]
at = "high"
quantity = "radiated"
"#;

fn said(changes: &[(&str, &str)]) -> String {
    let text = changes.iter().fold(CLARINET.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let plan = Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan();
    plan.err().map(|problems| problems.to_string()).unwrap_or_default()
}

#[test]
fn what_fingerings_cannot_be_is_told() {
    assert_eq!(said(&[]), "");
    let fingerings = "fingerings = [\"high\"]\n";
    for (changes, says) in [
        (
            vec![(fingerings, "")],
            "x.toml:23:13: score entry 1: `fingering`: the law `reed` of contact `valve` has one bore; name others: fingerings = [\"BORE\"]",
        ),
        (
            vec![(fingerings, "fingerings = [\"low\"]\n")],
            "x.toml:19:14: contact `valve`: a bore is named twice; name each bore once, or another reed, lips or window for it in `embouchures`",
        ),
        (vec![(fingerings, "fingerings = [\"high\", \"high\"]\n")], "a bore is named twice"),
        (
            vec![(fingerings, "fingerings = [\"hihg\"]\n")],
            "x.toml:19:15: contact `valve`: there is no body `hihg`; did you mean `high`?",
        ),
        (
            vec![(fingerings, "fingerings = [\"reed\"]\n")],
            "x.toml:19:15: contact `valve`: `reed` is no bore; name bodies such as those of the kind `bore`",
        ),
        (
            vec![(fingerings, "fingerings = [7]\n")],
            "x.toml:19:15: contact `valve`: this is no name; name bodies",
        ),
        (vec![(fingerings, "fingerings = \"high\"\n")], "`fingerings` takes a list of bodies"),
        (
            vec![("bore = 1\n", "bore = 2\n")],
            "x.toml:25:8: score entry 1: there is no bore 2; give a number from 0 to 1, or name more bores",
        ),
        (
            vec![(fingerings, "fingerings = [\"low\"]\nembouchures = [\"reed\"]\n")],
            "a bore is named twice; name each bore once, or another reed, lips or window for it in `embouchures`",
        ),
        (
            vec![(fingerings, "embouchures = [\"reed\"]\n")],
            "`embouchures` has 1 name, and `fingerings` 0 names; name one for each",
        ),
        (
            vec![(fingerings, "fingerings = [\"high\"]\nembouchures = [\"high\"]\n")],
            "x.toml:20:16: contact `valve`: `high` is no body that moves; name bodies such as those of the kind `oscillator` or `mass`: embouchures = [\"NAME\"]",
        ),
        (vec![("bore = 1\n", "curve = [[0, 0], [0.1, 3]]\n")], "there is no bore 3"),
        (vec![("bore = 1\n", "bore = -1\n")], "must be ≥ 0"),
        (
            vec![("[\"reed\", \"low\"]", "[\"reed\", \"ground\"]"), ("law = \"reed\"", "law = \"damper\"")],
            "`fingerings` belong to a reed, lips or a jet at a bore; leave it out",
        ),
        (
            vec![
                ("[\"reed\", \"low\"]", "[\"reed\", \"ground\"]"),
                ("law = \"reed\"", "law = \"damper\""),
                (fingerings, "embouchures = [\"reed\"]\n"),
            ],
            "`embouchures` belong to a reed, lips or a jet at a bore; leave it out",
        ),
        (
            vec![(
                "[pickup.high]",
                "[body.other]\nkind = \"oscillator\"\nmass = \"1 g\"\nfrequency = \"900 Hz\"\n[contact.second]\nbetween = [\"other\", \"high\"]\nlaw = \"reed\"\n[pickup.high]",
            )],
            "is at the same bore or on the same body",
        ),
        (
            vec![
                (
                    "[[score]]",
                    "[drive.slide]\nfingering = \"valve\"\nkind = \"constant\"\nvalue = 4\n[[score]]",
                ),
                (
                    "gesture = \"finger\"\nfingering = \"valve\"\nbore = 1\n",
                    "gesture = \"blow\"\nrate = \"valve\"\npressure = 100\n",
                ),
            ],
            "drive `slide`: its value, the bore, is 4",
        ),
    ] {
        let told = said(&changes);
        assert!(told.contains(says), "{changes:?}: {told}");
    }
}

const FLUTE: &str = r#"hamiltone = 3
[run]
duration = "0.1 s"
[body.pipe]
kind = "bore"
length = "46 cm"
radius = "9.5 mm"
[body.window]
kind = "mass"
mass = "0.3 mg"
[contact.mouth]
between = ["window", "pipe"]
law = "jet"
[[score]]
time = "0 s"
gesture = "blow"
rate = "mouth"
pressure = "250 Pa"
[pickup.end]
at = "pipe"
quantity = "radiated"
"#;

#[test]
fn what_a_jet_cannot_be_is_told() {
    for (from, to, says) in [
        ("", "", ""),
        (
            "[\"window\", \"pipe\"]",
            "[\"pipe\", \"ground\"]",
            "x.toml:12:11: contact `mouth`: what moves the air of a bore here is missing; name a reed, lips or the air in a window",
        ),
        (
            "[\"window\", \"pipe\"]",
            "[\"window\", \"ground\"]",
            "x.toml:13:7: contact `mouth`: the law `jet` acts between a body and a bore; name both",
        ),
        (
            "law = \"jet\"",
            "law = \"jet\"\noffset = \"2 mm\"",
            "x.toml:14:10: contact `mouth`: `offset` is 0.002 m: a jet 0.001 m thick never reaches the edge; write an offset from -0.0016 to 0.0016 m",
        ),
        ("law = \"jet\"", "law = \"jet\"\ngrowth = 2\ndistance = \"20 mm\"", "a bend would grow by e^40"),
        ("law = \"jet\"", "law = \"jet\"\ndistance = \"0 mm\"", "`distance`"),
        (
            "[pickup.end]",
            "[contact.second]\nbetween = [\"window\", \"pipe\"]\nlaw = \"jet\"\n[pickup.end]",
            "contact `mouth` is at the same bore or on the same body; give each reed, lips or jet",
        ),
        (
            "gesture = \"blow\"\nrate = \"mouth\"\npressure = \"250 Pa\"",
            "gesture = \"finger\"\nfingering = \"mouth\"\nbore = 1",
            "has one bore",
        ),
        ("[run]\n", "[run]\nscheme = \"ec\"\n", "ec"),
    ] {
        assert!(FLUTE.contains(from), "{from}");
        let plan = Scene::new(&FLUTE.replacen(from, to, 1), "x.toml", ".".as_ref(), &[]).plan();
        let told = plan.err().map(|problems| problems.to_string()).unwrap_or_default();
        assert!(told.contains(says) && says.is_empty() == told.is_empty(), "{to}: {told}");
    }
}
