//! Plates that stretch as they bend ([`hamiltone_bodies::Plate::von_karman`], [`hamiltone_bodies::CircularPlate::von_karman`]) under every scheme that covers
//! quadratic forms: order, energy balance, small amplitudes, the frequencies of a cap.
//!
//!   V = ½ Σ (½qᵀBˡq + lˡ·q)²

mod balance;
mod convergence;
mod small_amplitudes;

use hamiltone_bodies::{CircularPlate, End, Orthotropic, Plate};
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

/// The same held so on all sides.
fn held_rectangle(end: End, modes: usize, airy_modes: usize) -> (System, Placed) {
    let plate = Plate::new([0.4, 0.3], DENSITY * THICKNESS, bending()).unwrap();
    let plate = plate.with_ends([end; 2], POISSON).unwrap().with_front_and_back([end; 2]);
    system(&plate.von_karman(MODULUS * THICKNESS, airy_modes).unwrap().by_modes(modes).unwrap())
}

/// A board of spruce likewise, clamped on three sides and free on the fourth, or simply supported.
fn board(held: bool, modes: usize, airy_modes: usize) -> (System, Placed) {
    let spruce = Orthotropic::new([11e9, 0.8e9], 0.75e9, 0.37).unwrap();
    let plate = Plate::orthotropic([0.4, 0.3], 400.0 * THICKNESS, THICKNESS, spruce).unwrap();
    let clamped = [End::Clamped; 2];
    let plate = if held {
        plate.with_ends(clamped, 0.0).unwrap().with_front_and_back([End::Free, End::Clamped])
    } else {
        plate
    };
    system(&plate.von_karman(11e9 * THICKNESS, airy_modes).unwrap().by_modes(modes).unwrap())
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
