//! Energies that are squares of quadratic forms, under every scheme that covers them: exact solutions, balance, symmetry, resumption.
//!
//! A mode m q̈ + Kq + γq³ = 0 with one form ψ = ½bq² has γ = ½b², and from q₀ at rest moves as Duffing's oscillator
//!
//!   q = q₀ cn(Ωt | k²),   Ω² = (K + γq₀²)/m,   k² = γq₀²/2(K + γq₀²)

mod balance;
mod duffing;
mod joined;
mod one_motion;
mod refused;
mod separate;
mod states;

use hamiltone_core::{
    coverage::{Feature, Need},
    element::{Element, Law},
    form::Form,
    input::Input,
    operator::Operator,
    row::Row,
    scheme::Scheme,
    system::{Block, Output, Quantity, System},
};
use hamiltone_elements::Power;
use hamiltone_laws::grid;
use hamiltone_schemes::dispersion;

/// The schemes that cover forms, with every option.
pub fn schemes() -> Vec<Box<dyn Scheme>> {
    let found: Vec<_> = grid::methods().into_iter().map(|method| method.scheme).collect();
    let found: Vec<_> = found.into_iter().filter(|scheme| covers(&**scheme, Feature::Forms)).collect();
    assert!(!found.is_empty(), "no scheme covers forms");
    found
}

fn covers(scheme: &dyn Scheme, feature: Feature) -> bool {
    scheme.coverage().covers(Need::Feature(feature))
}

/// The angular frequency at which a scheme sounds a mode of this one, rad/s, at a rate in Hz: the mode's own where its poles are exact.
pub fn sounding(scheme: &dyn Scheme, omega: f64, rate: f64) -> f64 {
    dispersion::sounding(scheme, omega, 1.0 / rate).unwrap()
}

/// A stop: rigid where the scheme covers that, else stiff.
fn stop(scheme: &dyn Scheme, row: Row, gap: f64) -> Element {
    let law = match covers(scheme, Feature::Rigid) {
        true => Law::Rigid { restitution: 0.5 },
        false => Power::new(3e7, 1.5).unwrap().at_gap(gap).law,
    };
    Element::new("stop", row, gap, law)
}

/// Modes of 2 g with these frequencies (rad/s) and damping rates (1/s), from these positions (m).
fn modes(of: &[(f64, f64, f64)]) -> System {
    const MASS: f64 = 2e-3;
    let mut system = System::default();
    of.iter().for_each(|(.., place)| _ = system.add_dof(MASS, *place, 0.0));
    system.blocks.push(Block {
        name: "body".into(),
        dofs: 0..of.len(),
        stiffness: Operator::Diagonal(of.iter().map(|(omega, ..)| MASS * omega * omega).collect()),
        damping: match of.iter().all(|(_, sigma, _)| *sigma == 0.0) {
            true => Operator::Zero,
            false => Operator::Diagonal(of.iter().map(|(_, sigma, _)| 2.0 * MASS * sigma).collect()),
        },
    });
    system.outputs.push(Output { name: "place".into(), quantity: Quantity::Displacement(Row::unit(0)) });
    system
}

/// Twelve modes with four forms: one of all lengths, one that couples neighbours, one with a linear part, and one that a thirteenth mode strains, three quarters of whose
/// stiffness hold it; an input strains the first two.
fn coupled(sigma: f64) -> System {
    const MODES: usize = 12;
    let omega = |n: usize| 1100.0 * (n + 1) as f64 * (1.0 + 2e-3 * (n * n) as f64);
    let place = |n: usize| 2e-3 * (0.7 * (n + 1) as f64).sin() / (n + 1) as f64;
    let straining = (9_000.0, sigma, 1e-4);
    let of: Vec<_> = (0..MODES).map(|n| (omega(n), sigma, place(n))).chain([straining]).collect();
    let mut system = modes(&of);
    // At the start ψ stiffens each mode by about a half of its K.
    let square = |n: usize| 4e4 * ((n + 1) * (n + 1)) as f64;
    let form = |name: &str, quadratic: Vec<(usize, usize, f64)>, linear: Row| Form {
        name: name.into(),
        quadratic,
        linear,
        strain: Row::ground(),
        stretch: 1e-2,
    };
    let lengths = (0..MODES).map(|n| (n, n, square(n))).collect();
    let neighbours = (1..MODES).map(|n| (n - 1, n, if n % 2 == 0 { 3e4 } else { -5e4 })).collect();
    let bowed = [(3, 3, 1e5), (3, 9, -2e5), (10, 10, 4e5)].to_vec();
    system.forms.push(form("length", lengths, Row::ground()));
    system.forms.push(form("neighbours", neighbours, Row::ground()));
    system.forms.push(form("bowed", bowed, Row::Sparse(vec![(3, 20.0), (4, -11.0)])));
    let held = system.mass[MODES] * straining.0 * straining.0;
    system.forms.push(Form {
        strain: Row::Sparse(vec![(MODES, (0.75 * held).sqrt())]),
        ..form("along", vec![(0, 5, 2e5), (2, 2, 3e5), (7, 8, -1e5)], Row::ground())
    });
    system.inputs.push(Input::strain("stretch", 0..2));
    system
}

/// The value of the strain at the end of step n: it comes, stays and goes.
fn strain(n: usize) -> f64 {
    let t = n as f64 / 800.0;
    match t {
        t if t < 1.0 => 5.0 * t * t * (3.0 - 2.0 * t),
        t if t < 2.0 => 5.0,
        t if t < 4.0 => 5.0 * (4.0 - t) - 2.5,
        _ => -2.5,
    }
}

/// Thirty modes with three forms of modes of their own, no multiple of eight: of lengths, of lengths that grow and shrink, and with a linear part; some
/// modes belong to none. An input strains all three.
fn separate(sigma: f64) -> System {
    const MODES: usize = 30;
    let omega = |n: usize| 1100.0 * (n + 1) as f64 * (1.0 + 2e-3 * (n * n) as f64);
    let place = |n: usize| 2e-3 * (0.7 * (n + 1) as f64).sin() / (n + 1) as f64;
    let mut system = modes(&(0..MODES).map(|n| (omega(n), sigma, place(n))).collect::<Vec<_>>());
    let square = |n: usize| 4e4 * ((n + 1) * (n + 1)) as f64;
    let form = |name: &str, of: std::ops::Range<usize>, sign: fn(usize) -> f64, linear: Row| Form {
        name: name.into(),
        quadratic: of.map(|n| (n, n, sign(n) * square(n))).collect(),
        linear,
        strain: Row::ground(),
        stretch: 1e-2,
    };
    let bent = |n: usize| if n.is_multiple_of(3) { -0.3 } else { 1.0 };
    system.forms.push(form("length", 0..19, |_| 1.0, Row::ground()));
    system.forms.push(form("bent", 19..21, bent, Row::ground()));
    system.forms.push(form("bowed", 21..27, bent, Row::Sparse(vec![(23, 20.0), (28, -11.0)])));
    system.inputs.push(Input::strain("stretch", 0..3));
    system
}
