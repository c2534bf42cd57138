//! Plates that stretch as they bend ([`hamiltone_bodies::Plate::von_karman`], [`hamiltone_bodies::CircularPlate::von_karman`]) under every scheme that covers
//! quadratic forms: order, energy balance, small amplitudes, the frequencies of a cap.
//!
//!   V = ½ Σ (½qᵀBˡq + lˡ·q)²

mod balance;
mod convergence;
mod small_amplitudes;

use hamiltone_bodies::{CircularPlate, End, Plate};
use hamiltone_core::{
    body::{Body, Placed},
    row::Row,
    system::{Output, Quantity, System},
};

/// h of all plates, m.
const THICKNESS: f64 = 1e-3;
/// E (Pa), ν and ρ (kg/m³) of steel.
const MODULUS: f64 = 2e11;
const POISSON: f64 = 0.3;
const DENSITY: f64 = 7860.0;
/// a of all discs, m.
const RADIUS: f64 = 0.18;

/// D, N m.
fn bending() -> f64 {
    MODULUS * THICKNESS.powi(3) / (12.0 * (1.0 - POISSON * POISSON))
}

/// A system of one body.
fn system(body: &dyn Body) -> (System, Placed) {
    let mut system = System::default();
    let placed = body.add_to(&mut system, "plate").unwrap();
    (system, placed)
}

/// A simply supported plate, 40 cm by 30 cm, of so many modes and stress functions.
fn rectangle(modes: usize, airy_modes: usize) -> (System, Placed) {
    let plate = Plate::new([0.4, 0.3], DENSITY * THICKNESS, bending()).unwrap();
    system(&plate.von_karman(MODULUS * THICKNESS, airy_modes).unwrap().by_modes(modes).unwrap())
}

/// A disc likewise, which rises to its centre by this, m.
fn disc(edge: End, modes: usize, airy_modes: usize, rise: f64) -> (System, Placed) {
    let plate = CircularPlate::new(RADIUS, DENSITY * THICKNESS, bending(), edge, POISSON).unwrap();
    let plate = plate.von_karman(MODULUS * THICKNESS, airy_modes).unwrap().risen(rise).unwrap();
    system(&plate.by_modes(modes).unwrap())
}

/// What is read from now on is this row.
fn read(system: &mut System, row: Row) {
    system.outputs = vec![Output { name: "place".into(), quantity: Quantity::Displacement(row) }];
}
