//! Contacts along a body: frets, necks, bridges, rigid or not, and the messages where they are wrong.

use hamiltone_core::element::Law;
use hamiltone_papers::siconos_modal_moreau_jean::string::frets;
use hamiltone_scene::{Plan, Scene, Set};
use std::path::Path;

/// The string of a bass in 100 intervals, its contact above the ground.
const STRING: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "20 ms"
[body.string]
kind = "string"
intervals = 100
length = "0.863 m"
linear_density = "6.69 g/m"
tension = "191.6 N"
[pickup.left]
at = "string@0.5"
[contact.neck]
between = ["ground", "string"]
"#;

fn read(contact: &str, sets: &[&str]) -> Result<Plan, String> {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    let text = [STRING, contact].concat();
    Scene::new(&text, "x.toml", Path::new(""), &sets).plan().map_err(|e| e.to_string())
}

fn plan(contact: &str, sets: &[&str]) -> Plan {
    read(contact, sets).unwrap()
}

fn said(contact: &str, sets: &[&str]) -> String {
    read(contact, sets).map_or_else(|said| said, |_| "nothing".into())
}

const POWER: &str = "law = \"power\"\nstiffness = \"1e8 N/m^1.5\"\nexponent = 1.5\n";
/// The same per unit length.
const ALONG: &str = "law = \"power\"\nstiffness = \"1e8 N/m^2.5\"\nexponent = 1.5\n";
/// `ec` refuses it, so that what is wrong with the rest is asked of this one.
const RIGID: &str = "law = \"rigid\"\n";

#[test]
fn frets_are_contacts_at_their_places() {
    let list: Vec<String> = frets().iter().map(|(x, h)| format!("[\"{x} m\", \"{h} m\"]")).collect();
    let plan = plan(&format!("{POWER}frets = [{}]", list.join(", ")), &[]);
    let along = plan.contacts[0].along.as_ref().unwrap();
    assert_eq!(
        (plan.contacts[0].parts.len(), along.body.as_str(), plan.contacts[0].law),
        (20, "string", "power")
    );
    let step = 0.863 / 100.0;
    for (i, (contact, (x, height))) in plan.system.elements.iter().zip(frets()).enumerate() {
        assert_eq!(contact.name, format!("neck[{i}]"));
        assert_eq!((along.x[i], along.heights[i]), (x, height));
        assert_eq!(contact.gap, -along.heights[i], "the string comes down on it");
        // The row reads x: on the grid's line through (x, x) it gives −x. A rounding a point.
        let points: Vec<f64> = (1..100).map(|l| step * f64::from(l)).collect();
        assert!((contact.row().dot(&points) + x).abs() < 1e-15, "{i}");
        // One fret's law, not one per unit length: 1e8·(1 mm)^1.5.
        let force = contact.law.compliant().unwrap().force(1e-3);
        assert!((force / 1e8_f64 / 1e-3_f64.powf(1.5) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn equal_frets_are_those_of_the_bass() {
    let at = |table: &str| {
        let along = plan(&format!("{POWER}equal_frets = {table}"), &[]).contacts.remove(0).along.unwrap();
        (along.x, along.heights)
    };
    let (x, heights) = at("{ count = 20, height = \"-2 mm\" }");
    // SIC gives whole millimetres: within 1 mm of 863(1 − 2^(−n/12)), where its frets at 479 and 576 lie.
    assert!(x.len() == 20 && x.iter().zip(frets()).all(|(x, (fret, _))| (x - fret).abs() < 1e-3), "{x:?}");
    assert!((x[11] - 0.863 / 2.0).abs() < 1e-15, "an octave is half of the string");
    assert!(heights.iter().all(|h| *h == -2e-3));
    let (right, _) = at("{ count = 20, nut = \"right\" }");
    assert!(x.iter().zip(right).all(|(x, right)| (x + right - 0.863).abs() < 1e-15));
    let (x, heights) = at("{ heights = [\"-1 mm\", \"-1.5 mm\"], octave = 2 }");
    assert!((x[1] - 0.863 / 2.0).abs() < 1e-15 && heights == [-1e-3, -1.5e-3]);
}

#[test]
fn a_parabola_is_touched_between_its_ends() {
    let bridge = "parabola = { from = \"0 mm\", to = \"100 mm\", rise = \"1 mm\", height = \"-3 mm\" }";
    let plan = plan(&[ALONG, bridge].concat(), &[]);
    let along = plan.contacts[0].along.as_ref().unwrap();
    // Points of 8.63 mm: the eleventh lies at 94.93 mm, the twelfth beyond.
    assert_eq!(along.x.len(), 11);
    for (x, height) in along.x.iter().zip(&along.heights) {
        assert!((height - (-3e-3 + 4e-3 * x * (0.1 - x) / 0.01)).abs() < 1e-17, "{x}: {height}");
    }
    // A half arch whose summit is at the string's end, as the other half lies beyond it.
    let half = "parabola = { from = \"-50 mm\", to = \"50 mm\", rise = \"1 mm\", height = \"-1 mm\" }";
    let plan = self::plan(&[ALONG, half].concat(), &[]);
    let heights = &plan.contacts[0].along.as_ref().unwrap().heights;
    assert!(heights.len() == 5 && heights[0] < 0.0 && heights.is_sorted_by(|a, b| a > b));
}

/// A neck through three frets: its heights are theirs, and there is no corner at the one in the middle.
#[test]
fn a_neck_is_smooth() {
    let points = "[[\"86.3 mm\", \"-1 mm\"], [\"172.6 mm\", \"-2 mm\"], [\"345.2 mm\", \"-2.5 mm\"]]";
    let neck = |how: &str| {
        let along = plan(&format!("{ALONG}profile = {points}\n{how}"), &[]).contacts.remove(0).along.unwrap();
        assert_eq!((along.x.len(), along.heights.len()), (31, 31));
        assert!((along.heights[10] + 2e-3).abs() < 1e-17 && (along.heights[30] + 2.5e-3).abs() < 1e-17);
        let h = along.heights;
        // The change of slope at the middle fret, over that of the straight lines.
        ((h[11] - h[10]) - (h[10] - h[9])) / (0.1e-3 - 0.025e-3)
    };
    assert!((neck("") - 1.0).abs() < 1e-9);
    assert!(neck("interpolation = \"cubic\"") < 0.2);
}

#[test]
fn a_rigid_neck_has_no_strength() {
    let said = said(&[RIGID, "restitution = 0.5\ngap = \"1 mm\"\n"].concat(), &[]);
    assert!(said.contains("does not cover the rigid contact `neck[0]`"), "{said}");
    // The string is on a grid under `vv`; represented by its modes it has other schemes.
    assert!(said.contains("use `moreau-jean`, or use `modal-ec` or `modal-moreau-jean`"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// A start in a rigid obstacle: the depth, where it is deepest, and what to write.
#[test]
fn nothing_starts_inside_a_rigid_obstacle() {
    let pluck = "[drive.finger]\nat = \"string@0.5\"\nkind = \"pluck\"\nheight = \"-3 mm\"\n";
    let deep = said(&[RIGID, "gap = \"2 mm\"\n", pluck].concat(), &[]);
    assert!(
        deep.contains("contact `neck`: the initial penetration of the rigid obstacle is 0.001 m at 0.4315 m"),
        "{deep}"
    );
    assert!(deep.contains("with a gap 0.001 m larger it is 0"), "{deep}");
    // A nanometre is rounding, two are not; a compliant obstacle may be entered.
    let gap = |set: &str| said(&[RIGID, pluck].concat(), &[set]).contains("the initial penetration of");
    assert!(!gap("contact.neck.gap=2.9999995 mm") && gap("contact.neck.gap=2.999998 mm"));
    assert_eq!(said(&[ALONG, "gap = \"2 mm\"\n", pluck].concat(), &[]), "nothing");
}

/// Another law on the command line leaves the numbers of the first behind.
#[test]
fn a_law_is_replaced_on_the_command_line() {
    let sets = ["contact.neck.law=rigid", "contact.neck.restitution=1"];
    let said = said(&[ALONG, "gap = \"1 mm\"\n"].concat(), &sets);
    assert!(said.contains("does not cover the rigid contact") && said.lines().count() == 1, "{said}");
    let plan = plan(
        "law = \"rigid\"\nrestitution = 0.5\ngap = \"1 mm\"\n",
        &["contact.neck.law=power", "contact.neck.stiffness=1e8", "contact.neck.exponent=1.5"],
    );
    assert!(matches!(plan.system.elements[0].law, Law::Compliant(_)));
    assert!(plan.warnings.iter().any(|w| w.contains("`restitution` is of another law and is left out")));
    // A key that the command line itself gives is no leftover.
    let said = self::said(RIGID, &["contact.neck.law=rigid", "contact.neck.stiffness=1"]);
    assert!(said.contains("there is no key `stiffness`"), "{said}");
}

#[test]
fn invalid_obstacle_shapes_are_refused() {
    for (contact, says) in [
        (
            "frets = [[\"48 mm\", 0]]\nprofile = [[0, 0], [1, 0]]",
            "`frets` and `profile` both state the shape of the obstacle; give one of them",
        ),
        (
            "parabola = { from = 0, to = 1, rise = 0 }\nequal_frets = { count = 3 }",
            "`equal_frets` and `parabola` both state the shape of the obstacle",
        ),
        ("interpolation = \"cubic\"", "`interpolation` needs `profile` as well; add `profile`"),
        ("interpolation = \"spline\"\nprofile = [[0, 0], [1, 0]]", "`interpolation` is not `spline`"),
        ("frets = []", "`frets` takes one pair or more; write frets = [["),
        ("frets = [[\"0.9 m\", 0]]", "`frets`: 0.9 m is not on it: it reaches from 0 to 0.863 m"),
        ("frets = [[0, 0]]", "`frets`: `string` is fixed at 0 m: no contact is possible there"),
        ("frets = [[\"1 s\", 0]]", "`frets` is measured in m, not in s"),
        ("equal_frets = {}", "`equal_frets` needs count or heights (m)"),
        ("equal_frets = { count = 2.5 }", "`count` is 2.5, but must be a whole number; write 3"),
        ("equal_frets = { count = 0 }", "`count` is 0, but must be ≥ 1 and ≤ 1000"),
        (
            "equal_frets = { count = 3, heights = [0, 0] }",
            "`equal_frets.heights` are 2, but must be 3: one for each fret",
        ),
        ("equal_frets = { heights = [] }", "`equal_frets.heights` are 0, but must be one or more"),
        (
            "equal_frets = { height = 0, heights = [0, 0] }",
            "`equal_frets.heights` and `height` both state how high the frets are",
        ),
        (
            "equal_frets = { count = 3, nut = \"top\" }",
            "`nut` is not `top`; words that it takes: `left`, `right`",
        ),
        ("equal_frets = { cuont = 3 }", "there is no key `cuont`; did you mean `count`?"),
        (
            "parabola = { from = \"2 cm\", to = \"1 cm\", rise = \"1 mm\" }",
            "`parabola.to` is 0.01 m, but must lie right of `from`, 0.02 m",
        ),
        ("parabola = { from = 1, to = 2, rise = 0 }", "`parabola` reaches no point of `string`"),
        ("parabola = { from = 0, to = 1 }", "`parabola.rise` is missing; add rise = \"1 m\""),
        ("parabola = [0, 1]", "`parabola` takes a table, not a list"),
    ] {
        let said = said(&format!("{RIGID}{contact}"), &[]);
        assert!(said.contains(says) && said.contains("x.toml:1"), "{contact}:\n{said}\nlacks {says}");
        assert_eq!(said.lines().count(), 1, "{contact}: {said}");
    }
    let place = said(
        &[POWER, "equal_frets = { count = 3 }"].concat(),
        &["contact.neck.between=[\"ground\", \"string@0.5\"]"],
    );
    assert!(place.contains("`equal_frets` applies only to a contact along a body"), "{place}");
    // Frets take the law of one fret, necks one per unit length.
    let unit = said(&[ALONG, "equal_frets = { count = 3 }"].concat(), &[]);
    assert!(unit.contains("`stiffness` is measured in N/m^1.5, not in N/m^2.5"), "{unit}");
}

/// A damper acts at every displacement: a shape says where, and must not say how high.
#[test]
fn a_damper_has_no_heights() {
    let damper = "law = \"damper\"\nresistance = \"2 N s/m^2\"\n";
    for (shape, name) in [
        ("profile = [[0, 0], [0.2, \"1 mm\"]]", "profile"),
        ("parabola = { from = 0, to = 0.1, rise = \"1 mm\" }", "parabola"),
    ] {
        let said = said(&format!("{damper}{shape}"), &[]);
        let says = format!(
            "`{name}` has heights, but the law `damper` acts at every displacement; give heights of 0"
        );
        assert!(said.contains(&says) && said.lines().count() == 1, "{said}");
    }
    let felt = plan(&format!("{damper}profile = [[0.1, 0], [0.2, 0]]"), &["run.scheme=moreau-jean"]);
    let x = &felt.contacts[0].along.as_ref().unwrap().x;
    assert!(x.len() > 5 && x.iter().all(|x| (0.1 - 1e-9..=0.2 + 1e-9).contains(x)), "{x:?}");
}

/// A bow rubs one place. A grid takes no bow, and is told so by the name of the contact.
#[test]
fn a_bow_rubs_one_place() {
    let told = said("law = \"bow\"\n", &[]);
    assert!(told.contains("the law `bow` acts at one place, not along a body"), "{told}");
    let told = said("law = \"bow\"\n", &["contact.neck.between=[\"string@0.9\", \"ground\"]"]);
    assert!(told.contains("`ec`") && told.contains("the port `neck`"), "{told}");
    for (torsion, law, says) in [
        ("neck@0.5", "bow", "there is no body `neck`"),
        ("ground", "bow", "`ground` has no displacement that turns a string"),
        (
            "string@0.4",
            "bow",
            "`string@0.4` is on the same body as `string@0.9`; name a place on another body",
        ),
        ("ground", "damper", "`ground` has no displacement"),
        ("twin", "damper", "`torsion` belongs to the laws of a bow; leave it out"),
    ] {
        let law = format!("law = \"{law}\"\ntorsion = \"{torsion}\"\n");
        let twin = ["body.twin.kind=mass", "body.twin.mass=1 g"];
        let told = said(&law, &[&twin[..], &["contact.neck.between=[\"string@0.9\", \"ground\"]"]].concat());
        assert!(told.contains(says), "{told}");
    }
    for (keys, says) in [
        ("pressed_by = \"twin\"", "a body presses hair without a stiffness; add hair_stiffness"),
        ("hair_stiffness = \"400 N/m\"", "no body presses the hair; add pressed_by"),
        ("hair_stiffness = 400\npressed_by = \"ground\"", "`ground` has no displacement that presses"),
        (
            "hair_stiffness = 400\npressed_by = \"twin\"\ntorsion = \"twin\"",
            "`twin` is on the same body as `twin`",
        ),
        ("hair_stiffness = 400\npressed_by = \"string@0.4\"", "is on the same body as `string@0.9`"),
    ] {
        let twin = ["body.twin.kind=mass", "body.twin.mass=1 g"];
        let law = format!("law = \"bow\"\n{keys}\n");
        let told = said(&law, &[&twin[..], &["contact.neck.between=[\"string@0.9\", \"ground\"]"]].concat());
        assert!(told.contains(says), "{told}");
    }
    for (law, moves_to, says) in [
        ("bow", "neck@0.5", "there is no body `neck`"),
        ("bow", "string@1.5", "1.5 is not a fraction between 0 and 1"),
        ("bow", "string@0.9", "`string@0.9` is the place in `between`; name another place on the body"),
        ("bow", "string@1", "`string@1` is fixed and does not move"),
        ("bow", "twin", "`twin` is on no body of `between`"),
        ("bow", "ground", "`ground` is on no body of `between`"),
        ("damper", "string@0.5", "`moves_to` belongs to the laws of a bow; leave it out"),
        (
            "bow\"\ntorsion = \"turning@0.2",
            "string@0.5",
            "the path of the bow leaves what can move of `turning`, on which it moves by the same part of the length; give `torsion`",
        ),
        ("bow\"\ntorsion = \"twin", "string@0.5", "`twin` or what is bowed has no length"),
    ] {
        let law = format!("law = \"{law}\"\nmoves_to = \"{moves_to}\"\n");
        let bodies = [
            "body.twin.kind=mass",
            "body.twin.mass=1 g",
            "body.turning.kind=string",
            "body.turning.modes=20",
        ];
        let turning =
            ["length=1 m", "linear_density=1 g/m", "frequency=900 Hz"].map(|x| format!("body.turning.{x}"));
        let turning: Vec<&str> = turning.iter().map(String::as_str).collect();
        let at = ["contact.neck.between=[\"string@0.9\", \"ground\"]"];
        let told = said(&law, &[&bodies[..], &turning, &at].concat());
        assert!(told.contains(says), "{moves_to}: {told}");
    }
    // A stick and a path go together: rows on two branches are those of one string.
    let bouncing = "law = \"bow\"\nmoves_to = \"string@0.7\"\npressed_by = \"twin\"\nhair_stiffness = 400\n";
    let both = [
        "body.twin.kind=mass",
        "body.twin.mass=1 g",
        "contact.neck.between=[\"string@0.9\", \"string@0.5\"]",
        "run.scheme=modal-ec",
    ];
    assert!(said(bouncing, &both).contains("both places in `between` are on `string`"));
    let told = said(
        bouncing,
        &[&both[..2], &["contact.neck.between=[\"string@0.9\", \"ground\"]"], &both[3..]].concat(),
    );
    assert!(!told.contains("connects what presses it"), "{told}");
    let slow = "law = \"bow\"\nfriction = \"hyperbolic\"\ndynamic_friction = 2\n";
    let told = said(slow, &["contact.neck.between=[\"string@0.9\", \"ground\"]"]);
    assert!(told.contains("must not be above static_friction, 1.2"), "{told}");
}

/// At a held edge or end nothing moves, also where the shapes of modes leave a rounding of 0.
#[test]
fn a_contact_where_nothing_moves_is_refused() {
    let scene = |body: &str, between: &str, contact: &str| {
        let run = "hamiltone = 1\n[run]\nscheme = \"modal-moreau-jean\"\nduration = \"1 ms\"\n";
        let body = format!("[body.it]\nmodes = 20\nthickness = \"3 mm\"\nlength = \"0.4 m\"\n{body}\n");
        let contact =
            format!("[contact.stop]\nlaw = \"rigid\"\nbetween = [\"ground\", \"{between}\"]\n{contact}");
        format!(
            "{run}{body}{contact}[pickup.left]\nat = \"{}\"\n",
            if body.contains("plate") { "it@0.3,0.4" } else { "it@0.3" }
        )
    };
    let said = |text: &str| match Scene::new(text, "x.toml", Path::new(""), &[]).plan() {
        Ok(_) => String::new(),
        Err(said) => said.to_string(),
    };
    let plate = "kind = \"plate\"\nwidth = \"0.3 m\"\ndensity = 450\nyoungs_modulus = \"10 GPa\"";
    for edge in ["[\"0,0\", \"1,0\"]", "[\"1,0.2\", \"1,0.9\"]", "[\"0,1\", \"1,1\"]"] {
        let along = format!("along = {edge}\n");
        let flat = said(&scene(plate, "it", &along));
        assert!(
            flat.contains("`it` is fixed all along this line") && flat.lines().count() == 1,
            "{edge}: {flat}"
        );
        let frets = said(&scene(plate, "it", &format!("{along}equal_frets = {{ count = 2 }}\n")));
        assert!(frets.contains("`it` is fixed at"), "{edge}: {frets}");
    }
    for place in ["1,0.5", "0.5,1", "1,1"] {
        let one = said(&scene(plate, &format!("it@{place}"), ""));
        assert!(one.contains("both places in `between` are fixed"), "{place}: {one}");
    }
    let bar =
        |right: &str| format!("kind = \"bar\"\nmethod = \"modal\"\nleft = \"clamped\"\nright = \"{right}\"");
    for place in ["0", "1", "0.4 m"] {
        let one = said(&scene(&bar("clamped"), &format!("it@{place}"), ""));
        assert!(one.contains("both places in `between` are fixed"), "{place}: {one}");
    }
    let inner = scene(plate, "it", "along = [\"0,0.01\", \"1,0.01\"]\n");
    assert_eq!([said(&inner), said(&scene(&bar("free"), "it@1", ""))], ["", ""]);
}

/// A joint with an end that cannot move is one with the ground, which is worth a warning.
#[test]
fn a_held_end_of_a_joint_is_worth_a_warning() {
    let hammer = "law = \"rigid\"\n[body.hammer]\nkind = \"mass\"\nmass = \"1 g\"\n";
    let to = |place: &str| {
        let sets =
            ["run.scheme=moreau-jean", &format!("contact.neck.between=[\"hammer\", \"string@{place}\"]")];
        plan(hammer, &sets).warnings
    };
    assert!(
        to("1").iter().any(|warning| warning.contains("`string@1` is fixed and does not move")),
        "{:?}",
        to("1")
    );
    assert_eq!(to("0.9"), Vec::<String>::new());
}

/// A scene that names no scheme, of a body along an obstacle.
fn open(body: &str, contact: &str) -> Plan {
    let text = format!(
        "hamiltone = 2\nrun.duration = \"1 ms\"\n[body.it]\n{body}\n[contact.along]\nbetween = [\"ground\", \"it\"]\n{contact}\n\
         [pickup.left]\nat = \"it@0.3\"\n"
    );
    Scene::new(&text, "x.toml", Path::new(""), &[]).plan().unwrap_or_else(|said| panic!("{said}\n{text}"))
}

/// A string without bending stiffness that is clamped is one that is simply supported; its modes are found on a grid of thousands of
/// intervals, and those of the other by a formula.
#[test]
fn points_along_follow_from_the_modes_not_from_the_grid_of_their_search() {
    let string = "kind = \"string\"\nlength = \"0.65 m\"\nlinear_density = \"6.6 g/m\"\n";
    let bridge =
        format!("{ALONG}parabola = {{ from = 0, to = \"5 cm\", rise = \"0.5 mm\", height = \"-0.2 mm\" }}");
    let clamped = "left = \"clamped\"\nright = \"clamped\"\n";
    for tension in ["frequency = \"200 Hz\"", "tension = \"446 N\""] {
        let formula = open(&format!("{string}{tension}"), &bridge);
        let found = open(&format!("{string}{tension}\n{clamped}"), &bridge);
        let grid = found.reduced[0].coordinates;
        assert!(grid > 1900 && formula.reduced.is_empty(), "{grid}");
        let [a, b] = [&formula, &found].map(|plan| plan.contacts[0].along.as_ref().unwrap());
        assert!(a.x.len() == b.x.len() && a.x.len() > 6, "{} {}", a.x.len(), b.x.len());
        // Gaps and places to the rounding of i L/N.
        for (a, b) in a.x.iter().zip(&b.x).chain(a.heights.iter().zip(&b.heights)) {
            assert!((a - b).abs() < 1e-15, "{a} {b}");
        }
    }
    // With a scheme and the number of modes, too; who states the intervals states the points.
    let named = |more: &str| {
        let body = format!("{string}tension = \"446 N\"\n{clamped}method = \"modal\"\nmodes = 90\n{more}");
        let text = format!("{STRING}{bridge}").replace("scheme = \"ec\"", "scheme = \"modal-ec\"");
        let (head, tail) = (text.find("[body.string]").unwrap(), text.find("[pickup.left]").unwrap());
        let text = format!("{}[body.string]\n{body}\n{}", &text[..head], &text[tail..]);
        let plan = Scene::new(&text, "x.toml", Path::new(""), &[]).plan();
        plan.unwrap_or_else(|said| panic!("{said}\n{text}")).system.elements.len()
    };
    // x = iL/96 and iL/300 up to 5 cm.
    assert_eq!([named(""), named("intervals = 300\n")], [7, 23]);
}

/// Its ends are free and may touch: they stand for half a piece each.
#[test]
fn a_thick_bar_has_as_many_points_along_it_as_tell_its_modes_apart() {
    let plan = open(
        "kind = \"timoshenko-bar\"\nlength = \"0.33 m\"\nthickness = \"10.5 mm\"\nleft = \"free\"\nright = \"free\"",
        RIGID,
    );
    let (modes, along) = (plan.reduced[0].modes.len(), plan.contacts[0].along.as_ref().unwrap());
    let points = along.x.len();
    assert!((modes..=2 * modes).contains(&points), "{points} points for {modes} modes");
    assert_eq!((along.x[0], along.x[points - 1]), (0.0, 0.33));
}
