//! States as numpy reads them.

use super::reed::{blown, folder, render};
use hamiltone_plan::Plan;
use hamiltone_render::{Block, Outcome, RunError, Sink, SinkError, Staged, run, sinks::states::States};
use hamiltone_scene::Scene;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    path::Path,
};

/// The entries of an NPZ: header and data.
fn read(path: &Path) -> BTreeMap<String, (String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut arrays = BTreeMap::new();
    for i in 0..zip.len() {
        let mut file = zip.by_index(i).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!((end % 64, bytes[end - 1]), (0, b'\n'));
        let header = String::from_utf8(bytes[10..end].to_vec()).unwrap();
        arrays.insert(
            file.name().unwrap().trim_end_matches(".npy").to_string(),
            (header, bytes[end..].to_vec()),
        );
    }
    arrays
}

fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

/// Its text.
fn manifest(arrays: &BTreeMap<String, (String, Vec<u8>)>) -> String {
    let letters = arrays["manifest"].1.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap()));
    letters.map(|c| char::from_u32(c).unwrap()).collect()
}

#[test]
fn rows_hold_states_and_energies() {
    let path = folder("states").join("reed.npz");
    let plan = blown(400, 3);
    let outcome = render(&plan, &mut [&mut States::new(&path, None, true)]);
    let arrays = read(&path);
    let names: Vec<&str> = arrays.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "contact.lay.gap",
            "contact.lay.impulse",
            "ledger.contact_work",
            "ledger.dissipated",
            "ledger.residual",
            "ledger.stored",
            "ledger.supplied",
            "manifest",
            "pickup.left",
            "pickup.right",
            "reed.q",
            "reed.v",
            "time"
        ]
    );
    let of = |name: &str| numbers(&arrays[name].1);
    assert!(arrays["reed.q"].0.contains("'shape': (401,1,)") && arrays["time"].0.contains("'shape': (401,)"));
    assert_eq!((of("time")[400], of("reed.q")[0]), (1200.0 / 132_300.0, 2e-4));
    let audit = &outcome.audit;
    let last = |name: &str| of(name)[400];
    assert_eq!(last("ledger.stored"), audit.energy_final);
    // Sums of 1200 steps; those of the audit keep what roundings leave out.
    for (sum, kept) in [("ledger.dissipated", audit.dissipated), ("ledger.supplied", audit.supplied)] {
        assert!((last(sum) - kept).abs() <= 1200.0 * f64::EPSILON * audit.throughput, "{sum}");
    }
    // The states draw the balance at each row, the audit at its points: the same terms summed in another order.
    let rounding = 1200.0 * f64::EPSILON * audit.energy_peak;
    assert!((last("ledger.residual") - audit.residual).abs() <= rounding);
    // The left channel is the displacement: its every third value is a row.
    let left = of("pickup.left");
    assert_eq!(left.len(), 1201);
    assert!(of("reed.q").iter().zip(left.iter().step_by(3)).all(|(q, x)| q == x));

    let before = fs::read(&path).unwrap();
    render(&plan, &mut [&mut States::new(&path, None, true)]);
    assert!(fs::read(&path).unwrap() == before, "two runs, one file");
}

#[test]
fn the_manifest_is_text_and_strides_are_kept() {
    let path = folder("states-every").join("reed.npz");
    let plan = blown(100, 1);
    render(&plan, &mut [&mut States::new(&path, Some(7), false)]);
    let arrays = read(&path);
    assert_eq!(numbers(&arrays["time"].1)[14], 98.0 / 44_100.0);
    assert_eq!(numbers(&arrays["time"].1).len(), 15);
    let text = manifest(&arrays);
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&manifest["steps_per_row"], &manifest["bodies"][0]["name"]), (&7.into(), &"reed".into()));
    assert_eq!(manifest["ok"], true);
    assert!(arrays["manifest"].0.contains(&format!("'<U{}'", text.chars().count())));
}

#[test]
fn longitudinal_modes_are_stored_with_their_string() {
    let text = "hamiltone = 1\n[run]\nscheme = \"ec\"\nduration = 0.01\n[body.string]\nkind = \"string\"\nlength = 1.0\nradius = 0.5e-3\n\
                density = 7850.0\npitch = \"A2\"\nmodes = 20\ntension_modulation = true\nyoungs_modulus = 2e11\nlongitudinal_modes = 3\n\
                [drive.pluck]\nat = \"string@0.2\"\nkind = \"pluck\"\nheight = 0.002\n[pickup.out]\nat = \"string@0.3\"\n";
    let folder = folder("states-longitudinal");
    let plan = Scene::new(text, "string.toml", &folder, &[]).plan().map_err(|e| e.to_string()).unwrap();
    let path = folder.join("string.npz");
    render(&plan, &mut [&mut States::new(&path, Some(1), false)]);
    let arrays = read(&path);
    let row = |name: &str, n: usize, columns: usize| {
        assert!(arrays[name].0.contains(&format!(",{columns},)")), "{name}: {}", arrays[name].0);
        numbers(&arrays[name].1)[n * columns..(n + 1) * columns].to_vec()
    };
    // The energy of all coordinates together is that which `ec` has stored, but for some thousand roundings of a stiff mode.
    let of = |what: &str| {
        [row(&format!("string.{what}"), 200, 20), row(&format!("string.longitudinal.{what}"), 200, 3)]
            .concat()
    };
    let (q, v) = (of("q"), of("v"));
    let energy = plan.system.energy(&q, &v, &[]);
    let stored = numbers(&arrays["ledger.stored"].1)[200];
    assert!(
        q[20..].iter().all(|x| *x != 0.0) && (energy / stored - 1.0).abs() < 1e-12,
        "{energy:e} {stored:e}"
    );
}

#[test]
fn longitudinal_modes_have_units_and_frequencies_where_links_join_strings() {
    let string = |name: &str| {
        format!(
            "[body.{name}]\nkind = \"string\"\nlength = 1.0\nradius = 0.5e-3\ndensity = 7850.0\npitch = \"A2\"\nmodes = 20\n\
             tension_modulation = true\nyoungs_modulus = 2e11\nlongitudinal_modes = 3\n"
        )
    };
    let text = format!(
        "hamiltone = 1\n[run]\nduration = 0.001\n{}{}[link.l]\nbetween = [\"a@0.3\", \"b@0.3\"]\nstiffness = 1000.0\n\
         [pickup.out]\nat = \"a@0.3\"\n",
        string("a"),
        string("b")
    );
    let folder = folder("states-longitudinal-links");
    let plan = Scene::new(&text, "strings.toml", &folder, &[]).plan().map_err(|e| e.to_string()).unwrap();
    let path = folder.join("strings.npz");
    render(&plan, &mut [&mut States::new(&path, None, false)]);
    let arrays = read(&path);
    let manifest: serde_json::Value = serde_json::from_str(&manifest(&arrays)).unwrap();
    for name in ["a.longitudinal", "b.longitudinal"] {
        assert!(arrays[&format!("{name}.q")].0.contains(",3,)"), "{name}");
        let body = manifest["bodies"].as_array().unwrap().iter().find(|body| body["name"] == name).unwrap();
        assert_eq!(body["q"], "m");
        // √(E/ρ)/2L
        let lowest = body["modes"][0].as_f64().unwrap();
        assert!((lowest / ((2e11_f64 / 7850.0).sqrt() / 2.0) - 1.0).abs() < 1e-9, "{lowest}");
    }
}

/// Blocks have a largest length, whatever a sink asks for.
#[test]
fn a_stride_beyond_the_run_is_refused_and_a_long_one_allocates_no_block() {
    let folder = folder("states-stride");
    let plan = blown(2000, 1);
    for every in [2001, 100_000_000_000, u64::MAX] {
        let path = folder.join("x.npz");
        let refused =
            run(&plan, &mut [&mut States::new(path, Some(every), false)], &mut |_, _| panic!("it ran"));
        let error = refused.err().unwrap().to_string();
        assert!(error.contains(&format!("every {every} steps is more than the 2000 steps")), "{error}");
        // A sink of another kind may have any stride.
        assert!(render(&plan, &mut [&mut Far(every)]).ok);
    }
    render(&plan, &mut [&mut States::new(folder.join("x.npz"), Some(1999), false)]);
    assert_eq!(numbers(&read(&folder.join("x.npz"))["time"].1), [0.0, 1999.0 / 44_100.0]);
}

/// A sink that reads the state this many steps apart.
struct Far(u64);

impl Sink for Far {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }
    fn stride(&self, _: &Plan) -> Option<u64> {
        Some(self.0)
    }
    fn block(&mut self, _: &Plan, block: &Block) -> Result<(), SinkError> {
        assert!(block.ledgers.len() <= 1024);
        Ok(())
    }
    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        Ok(Vec::new())
    }
}

#[test]
fn too_many_states_are_refused_with_the_size() {
    let path = folder("states-large").join("reed.npz");
    let plan = blown(44_100 * 3600, 1);
    let refused = run(&plan, &mut [&mut States::new(&path, None, false)], &mut |_, _| panic!("it ran"));
    // 10 numbers of 8 bytes a row.
    assert!(matches!(refused, Err(RunError::Sink(error)) if error.to_string().contains("12.7 GB")));
}

/// States that receive NaN of this sign and payload in place of every position.
struct NotNumbers(States, u64);

impl Sink for NotNumbers {
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        self.0.start(plan)
    }
    fn stride(&self, plan: &Plan) -> Option<u64> {
        self.0.stride(plan)
    }
    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        let q = vec![f64::from_bits(self.1); block.q.len()];
        self.0.block(plan, &Block { q: &q, ..*block })
    }
    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        self.0.finish(plan, outcome)
    }
}

/// The sign of the NaN that an operation returns differs between processors: files of a failed run do not.
#[test]
fn nan_has_the_same_bits_whatever_processor_made_it() {
    let path = folder("states-nan").join("reed.npz");
    let bytes = [0xfff8_0000_0000_0000, 0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0007].map(|bits| {
        render(&blown(20, 1), &mut [&mut NotNumbers(States::new(&path, None, false), bits)]);
        fs::read(&path).unwrap()
    });
    assert!(numbers(&read(&path)["reed.q"].1).iter().all(|x| x.is_nan()));
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}
