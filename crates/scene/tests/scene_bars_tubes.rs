//! What is said of scenes with bars and tubes that are wrong, or silent.

use hamiltone_scene::{Plan, Scene, Set};
use std::{
    f64::consts::{FRAC_PI_2, PI, TAU},
    path::Path,
};

/// A shipped scene with one value changed.
fn changed(scene: &str, set: &str) -> Result<Plan, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
    Scene::read(path, &[Set::parse(set).unwrap()]).map_err(|error| error.to_string())
}

#[test]
fn mistakes_are_named() {
    let (bar, pipe, horn) = ("clamped_bar.toml", "tube_cylinder.toml", "tube_cone.toml");
    for (scene, set, says) in [
        (bar, "body.tine.left=clampd", "`left` is not `clampd`; did you mean `clamped`?"),
        (bar, "body.tine.left=open", "words that it takes: `hinged`, `clamped`, `free`, `sliding`"),
        (bar, "body.tine.intervals=1", "`intervals` is 1, but must be ≥ 4"),
        (
            bar,
            "body.tine.thickness=-1 mm",
            "must be ≥ 0.0001 and ≤ 0.5 m; write for example thickness = \"0.01 m\"",
        ),
        (
            bar,
            r#"body.tine.profile=[["0 m","1 mm"],["20 mm","0.5 mm"],["10 mm","1 mm"]]"#,
            "`profile` has 0.01 m after 0.02 m, but the first of each pair must increase",
        ),
        (
            bar,
            r#"body.tine.profile=[["0 m","1 mm"],["0.1 m","0.5 mm"]]"#,
            "`profile` has a pair at x = 0.1 m, off the body, which reaches from 0 to 0.05575 m",
        ),
        (bar, r#"body.tine.profile=[["0 m","1 mm"]]"#, "`profile` takes 2 pairs [x, y] or more, not 1"),
        (
            bar,
            r#"body.tine.profile=[["0 m","1 mm"],["1 mm","0 m"]]"#,
            "`profile` is 0 m, but must be ≥ 0.0001 m",
        ),
        (bar, "drive.thumb.at=tine@60 mm", "0.06 m is not on it: it reaches from 0 to 0.05575 m"),
        (bar, "drive.thumb.at=tine@0", "`tine@0` is a fixed point: a force moves nothing there"),
        (bar, "pickup.left.quantity=pressure", "it has `displacement`, `velocity`, `force`"),
        (horn, "body.horn.radius_left=-4 mm", "write for example radius_left = \"0.01 m\""),
        (horn, "body.horn.radius=4 mm", "`radius_left` and `radius` both state the bore; give one of them"),
        (
            horn,
            "pickup.left.quantity=displacement",
            "`horn@0` has no output `displacement`; it has `pressure`, `flow`",
        ),
        (
            horn,
            "pickup.left.quantity=velocity",
            "`horn@0` has no output `velocity`; it has `pressure`, `flow`",
        ),
        (pipe, r#"drive.hand.points=[["0 s","1 N"],["1 s", 0]]"#, "`points` is measured in Pa, not in N"),
    ] {
        let said = changed(scene, set).map_or_else(|said| said, |_| "nothing".into());
        assert!(said.contains(says), "{set}:\n{said}\nlacks {says}");
    }
}

/// No pressure at an open end, no flow at a closed one, no motion where a bar is clamped.
#[test]
fn silence_is_worth_a_warning() {
    for (scene, set, what) in [
        ("tube_cylinder.toml", "pickup.left.at=pipe@0", "the pressure of `pipe@0`"),
        ("tube_cylinder.toml", "pickup.left.quantity=flow", "the flow of `pipe@1`"),
        ("clamped_bar.toml", "pickup.left.at=tine@0", "the velocity of `tine@0`"),
    ] {
        let warnings = changed(scene, set).unwrap().warnings;
        assert!(warnings.len() == 1 && warnings[0].contains(what), "{set}: {warnings:?}");
    }
    assert!(changed("tube_cylinder.toml", "pickup.left.at=pipe@0.1").unwrap().warnings.is_empty());
}

/// Somewhere on the body.
fn place(body: &str) -> &'static str {
    if body.contains("\"plate\"") { "b@0.4,0.3" } else { "b@0.4" }
}

/// The first partials of the body of a scene without contacts, Hz, by theory.
fn partials<const N: usize>(body: &str) -> [f64; N] {
    let text = format!(
        "hamiltone = 2\nrun.duration = \"0.1 s\"\npickup.p.at = \"{}\"\n[body.b]\n{body}",
        place(body)
    );
    let plan = Scene::new(&text, "b", Path::new("."), &[]).plan().unwrap_or_else(|e| panic!("{text}\n{e}"));
    let representation = &plan.bodies[0].placed.representation;
    std::array::from_fn(|k| representation.partial(k + 1).unwrap())
}

fn refused(body: &str) -> String {
    let text = format!(
        "hamiltone = 2\nrun.duration = \"0.1 s\"\npickup.p.at = \"{}\"\n[body.b]\n{body}",
        place(body)
    );
    Scene::new(&text, "b", Path::new("."), &[]).plan().err().unwrap().to_string()
}

/// β² √(EI/ρA)/2πL², with β and √(I/A) worked out by hand: d/4 of a round bar, d √(1 + b²)/4 of a tube, h/√12 of a rectangle.
#[test]
fn bars_take_their_section_and_their_ends() {
    let speed = (2e11_f64 / 7850.0).sqrt();
    let of = |beta: f64, gyration: f64| beta * beta * gyration * speed / (2.0 * PI * 0.25);
    for (more, gyration) in [
        ("", 0.01 / 12_f64.sqrt()),
        ("width = \"2 cm\"", 0.01 / 12_f64.sqrt()),
        ("section = \"round\"", 0.01 / 4.0),
        ("section = \"tube\"\nbore = 0.6", 0.01 / 4.0 * 1.36_f64.sqrt()),
        ("bore = 0.9", 0.01 / 4.0 * 1.81_f64.sqrt()),
    ] {
        for (ends, beta) in [
            (["free", "free"], [4.730_040_745, 7.853_204_624]),
            (["clamped", "sliding"], [2.365_020_372, 5.497_803_919]),
            (["sliding", "free"], [2.365_020_372, 5.497_803_919]),
            (["hinged", "sliding"], [FRAC_PI_2, 3.0 * FRAC_PI_2]),
            (["sliding", "sliding"], [PI, TAU]),
        ] {
            let [left, right] = ends;
            let body = format!(
                "kind = \"bar\"\nlength = 0.5\nthickness = 0.01\nleft = \"{left}\"\nright = \"{right}\"\n{more}"
            );
            for (found, beta) in partials::<2>(&body).into_iter().zip(beta) {
                assert!((found / of(beta, gyration) - 1.0).abs() < 1e-8, "{body}: {found}");
            }
        }
    }
    // A round Timoshenko bar, slender: its partial lies below by about k²(I/A)(1 + E/κG)/2 = 1.8e-4.
    let round = "kind = \"timoshenko-bar\"\nlength = 0.5\nthickness = 0.01\nsection = \"round\"";
    let [thick] = partials::<1>(round);
    let slender = of(4.730_040_745, 0.0025);
    assert!(thick < slender && thick > slender * (1.0 - 2e-3), "{thick} {slender}");
    // EI and ρA alone; and with a frequency the length.
    let given = "kind = \"bar\"\nbending_stiffness = \"40 N m^2\"\nlinear_density = \"0.5 kg/m\"\n";
    let [first] = partials::<1>(&format!("{given}length = 0.5"));
    let exact = 4.730_040_745 * 4.730_040_745 * 80_f64.sqrt() / (2.0 * PI * 0.25);
    assert!((first / exact - 1.0).abs() < 1e-8, "{first} {exact}");
    let [first] = partials::<1>(&format!("{given}frequency = 300"));
    assert!((first / 300.0 - 1.0).abs() < 1e-8, "{first}");
    // A diameter for a frequency.
    let [first] = partials::<1>("kind = \"bar\"\nsection = \"tube\"\nlength = 1.5\nfrequency = 100");
    assert!((first / 100.0 - 1.0).abs() < 1e-8, "{first}");
    for (body, says) in [
        ("kind = \"bar\"\nlength = 0.5\nbending_stiffness = 40", "needs `linear_density` as well"),
        (
            "kind = \"bar\"\nlength = 0.5\nthickness = 0.01\nsection = \"round\"\nwidth = 0.02",
            "only with section = \"rectangle\"",
        ),
        (
            "kind = \"bar\"\nlength = 0.5\nbending_stiffness = 40\nlinear_density = 1\ndensity = 900",
            "has no effect beside `bending_stiffness`",
        ),
        (
            "kind = \"timoshenko-bar\"\nlength = 0.5\nthickness = 0.01\ndamping = 2\nloss = { d1 = 2 }",
            "both state the losses",
        ),
    ] {
        let said = refused(body);
        assert!(said.contains(says), "{body}:\n{said}\nlacks {says}");
    }
}

/// f = j₀₁√(T/ρh)/2πR, j₀₁ = 2.404825558, of ρh = 0.25 kg/m² given as such.
#[test]
fn membranes_take_a_mass_per_area() {
    let text = |mass: &str| format!("kind = \"membrane\"\nradius = 0.2\ntension = 2500\n{mass}");
    let exact = 2.404_825_557_695_773 * 100.0 / (2.0 * std::f64::consts::PI * 0.2);
    let place = |body: String| partials::<1>(&body)[0];
    assert!((place(text("surface_density = \"250 g/m^2\"")) / exact - 1.0).abs() < 1e-12);
    assert_eq!(place(text("surface_density = 0.25")), place(text("thickness = 2.5e-4\ndensity = 1000")));
    let both = refused(&text("surface_density = 0.25\nthickness = 1e-4"));
    assert!(both.contains("both state the mass"), "{both}");
    assert!(refused(&text("")).contains("needs"), "{}", refused(&text("")));
}

/// A plucked body of 0.1 m at rest.
fn plucked(body: &str, at: &str, more: &str) -> Result<Plan, String> {
    let text = format!(
        "hamiltone = 2\nrun.duration = \"0.1 s\"\npickup.p.at = \"b@0.7\"\n[body.b]\nlength = 0.1\n{body}\n\
         [drive.thumb]\nkind = \"pluck\"\nat = \"b@{at}\"\nheight = 0.001\n{more}\n"
    );
    Scene::new(&text, "b", Path::new("."), &[]).plan().map_err(|e| e.to_string())
}

/// Displacements, mm, at parts of the length.
fn displaced<const N: usize>(plan: &Plan, parts: [f64; N]) -> [f64; N] {
    parts.map(|part| 1e3 * plan.bodies[0].placed.row_at([0.1 * part, 0.0]).dot(&plan.system.initial.position))
}

/// The static deflection of a cantilever by a force at ξ₀ = x₀/L: u/h = ξ²(3ξ₀ − ξ)/2ξ₀³ up to there, (3ξ − ξ₀)/2ξ₀ beyond. A grid of N
/// intervals misses some 1/N² of it, N modes 1/N³, and both meet h at ξ₀. At the tip its energy is that of a spring of 3EI/L³.
#[test]
fn a_bar_with_a_free_end_is_plucked_as_by_a_steady_force() {
    let steel = "kind = \"bar\"\nthickness = 0.002\nwidth = 0.01\n";
    let cube = |x: f64| x * x * x;
    let bending = 2e11 * 0.01 * cube(0.002) / 12.0;
    for method in [
        "modes = 30",
        "method = \"finite-difference\"\nintervals = 100",
        "profile = [[0, 0.002], [0.1, 0.002]]",
    ] {
        for (at, xi, finger) in [("1", 1.0, ""), ("0.6", 0.6, "width = 0.005")] {
            let clamped = plucked(&format!("{steel}{method}\nleft = \"clamped\""), at, finger).unwrap();
            let exact = |x: f64| match x < xi {
                true => x * x * (3.0 * xi - x) / (2.0 * xi * xi * xi),
                false => (3.0 * x - xi) / (2.0 * xi),
            };
            let parts = [0.0, 0.3, 0.5, xi, 0.9, 1.0];
            for (found, part) in displaced(&clamped, parts).into_iter().zip(parts) {
                assert!((found - exact(part)).abs() < 2e-3, "{method} {at} {part}: {found} {}", exact(part));
            }
            let initial = &clamped.system.initial.position;
            let energy = 0.5 * clamped.system.stiffness_form(initial, initial);
            let spring = 0.5e-6 * 3.0 * bending / cube(0.1 * xi);
            assert!((energy / spring - 1.0).abs() < 0.01, "{method} {at}: {energy} {spring}");
        }
        let wide =
            plucked(&format!("{steel}{method}\nleft = \"clamped\""), "1", "width = 0.005").err().unwrap();
        assert!(wide.contains("`width` is 0.005 m, but an end is plucked at a point"), "{wide}");
        // The mirror image, and an end that slides: the middle of a bar clamped at both ends, u/h = ξ²(3 − 2ξ).
        let right = plucked(&format!("{steel}{method}\nright = \"clamped\""), "0", "").unwrap();
        assert!((displaced(&right, [0.5])[0] - 5.0 / 16.0).abs() < 2e-3);
        let slides = format!("{steel}{method}\nleft = \"clamped\"\nright = \"sliding\"");
        assert!((displaced(&plucked(&slides, "1", "").unwrap(), [0.25])[0] - 2.5 / 16.0).abs() < 2e-3);
        let held = plucked(&format!("{steel}{method}\nleft = \"clamped\""), "0", "").err().unwrap();
        assert!(held.contains("`at` is a fixed point of the body"), "{held}");
    }
}

/// A straight line up to the place and level beyond, where the string is not stiff: 60 modes miss 1/60 of the corner.
#[test]
fn a_string_with_a_free_end_is_level_beyond_the_pluck() {
    for method in ["modes = 60", "method = \"finite-difference\"\nintervals = 100"] {
        let string = "kind = \"string\"\nlinear_density = 1e-3\ntension = 50\nright = \"free\"\n";
        let plan = plucked(&format!("{string}{method}"), "0.4", "").unwrap();
        for (found, exact) in
            displaced(&plan, [0.1, 0.2, 0.4, 0.7, 1.0]).into_iter().zip([0.25, 0.5, 1.0, 1.0, 1.0])
        {
            assert!((found - exact).abs() < 0.02, "{method}: {found} {exact}");
        }
    }
}

/// Where a body can shift or turn without strain a pluck would be silent.
#[test]
fn what_can_move_without_strain_is_not_plucked() {
    let (bar, grid) = ("kind = \"bar\"\nthickness = 0.002", "method = \"finite-difference\"\nintervals = 80");
    let thick = "kind = \"timoshenko-bar\"\nthickness = 0.01";
    let string = "kind = \"string\"\nlinear_density = 1e-3\ntension = 50\nleft = \"free\"\nright = \"free\"";
    for body in [
        bar.into(),
        format!("{bar}\n{grid}"),
        format!("{bar}\nsuspension = {{}}"),
        format!("{bar}\nleft = \"hinged\""),
        format!("{bar}\n{grid}\nright = \"hinged\""),
        format!("{bar}\nleft = \"sliding\""),
        format!("{bar}\nleft = \"sliding\"\nright = \"sliding\""),
        format!("{bar}\nprofile = [[0, 0.002], [0.1, 0.001]]"),
        thick.into(),
        string.into(),
        format!("{string}\n{grid}"),
    ] {
        let said = plucked(&body, "0.3", "").err().unwrap_or_else(|| panic!("accepted: {body}"));
        for says in [
            "`height` has no meaning: neither its ends nor springs to the ground hold the body",
            "strike the body",
            "clamp an end",
        ] {
            assert!(said.contains(says), "{body}\n{said}\nlacks {says}");
        }
    }
    assert!(plucked(&format!("{bar}\nleft = \"hinged\"\nright = \"sliding\""), "1", "").is_ok());
}

/// λ √(D/ρh)/2πa² of a square of steel, 1 mm thick: λ by Leissa 1973, to half a unit of his last digit, 5e-5 of 9.6.
#[test]
fn plates_take_two_of_their_ends() {
    let kappa = (2e11_f64 * 1e-6 / (12.0 * 0.91 * 7850.0)).sqrt();
    let square = "kind = \"plate\"\nmodes = 10\nlength = 0.5\nwidth = 0.5\nthickness = 0.001\n";
    for (left, right, printed) in [
        ("hinged", "hinged", [19.7392, 49.3480]),
        ("clamped", "clamped", [28.9509, 54.7431]),
        ("free", "clamped", [12.6874, 33.0651]),
        ("hinged", "free", [11.6845, 27.7563]),
        ("free", "free", [9.6314, 16.1348]),
    ] {
        let body = format!("{square}left = \"{left}\"\nright = \"{right}\"");
        for (found, printed) in partials::<2>(&body).into_iter().zip(printed) {
            let exact = printed * kappa / (2.0 * PI * 0.25);
            assert!((found / exact - 1.0).abs() < 6e-6, "{left} {right}: {found} {exact}");
        }
    }
    // A side that slides is the middle of one twice as long.
    let half = square.replace("length = 0.5", "length = 0.25");
    let [first] = partials::<1>(&format!("{half}left = \"clamped\"\nright = \"sliding\""));
    assert!((first * 2.0 * PI * 0.25 / (28.9509 * kappa) - 1.0).abs() < 6e-6, "{first}");
    for (key, says) in [
        (
            "right = \"fixed\"",
            "`right` is not `fixed`; words that it takes: `hinged`, `clamped`, `free`, `sliding`",
        ),
        ("top = \"free\"", "there is no key `top`; keys that it takes: `kind`"),
    ] {
        let said = refused(&format!("{square}{key}"));
        assert!(said.contains(says) && said.contains("b:10"), "{said}\nlacks {says}");
    }
}
