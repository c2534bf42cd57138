//! Forms that share their modes: plates by von Kármán's equations, and a bass string with longitudinal modes.
//!
//!   ψₗ = ½ qᵀBˡq,   l = 1 … M
//!
//! The plates have no coefficients of a real one, but their patterns and energies alike. Of a circle with modes of n nodal diameters, as a cosine
//! or a sine of nθ, bˡᵢⱼ is not 0 where nₗ = |nᵢ ± nⱼ| and an even number of the three are sines; of a rectangle where pₗ + pᵢ + pⱼ is odd both ways. With
//! |bˡᵢⱼ| ≤ b √(KᵢKⱼ) the forms are as strong whatever the number of modes: their solution takes 6 to 11 rounds, as that of steel plates that move by some times their thickness.

use crate::{RATE, begin, single};
use hamiltone_benches::timing::least_in_turns;
use hamiltone_bodies::StiffString;
use hamiltone_core::{
    body::Body,
    form::Form,
    operator::Operator,
    row::Row,
    system::{Block, Output, Quantity, System},
};
use std::f64::consts::{LN_10, PI, TAU};

const RUNS: usize = 5;
/// The lowest mode (Hz), how long a mode sounds (s), b (1/√J), the energy (J) and the number of modes that share it at the start.
const LOWEST: f64 = 50.0;
const DECAY: f64 = 4.0;
const COUPLING: f64 = 0.1;
const ENERGY: f64 = 1.0;
const STRUCK: usize = 20;

/// Mode shapes of a plate by two numbers, and whether three of them have a coefficient.
struct Shape {
    numbers: fn(usize) -> Vec<[usize; 3]>,
    couples: fn([usize; 3], [[usize; 3]; 2]) -> bool,
}

/// n, the number of nodal circles, and 1 for a sine of nθ: from the lowest frequency, about (n + 2k)².
const CIRCLE: Shape = Shape {
    numbers: |count| {
        let each = (0..60).flat_map(|n| (0..30).flat_map(move |k| (0..2.min(n + 1)).map(move |s| [n, k, s])));
        first(count, each, |[n, k, _]| ((n + 2 * k) as f64 + 0.01 * n as f64).powi(2))
    },
    couples: |[n, _, s], [[a, _, p], [b, _, q]]| (n == a + b || n == a.abs_diff(b)) && (s + p + q) % 2 == 0,
};

/// Half waves along both sides, 0.4 m and 0.3 m.
const RECTANGLE: Shape = Shape {
    numbers: |count| {
        let each = (1..80).flat_map(|m| (1..80).map(move |n| [m, n, 0]));
        first(count, each, |[m, n, _]| (m as f64 / 0.4).powi(2) + (n as f64 / 0.3).powi(2))
    },
    couples: |[m, n, _], [[a, b, _], [c, d, _]]| (m + a + c) % 2 == 1 && (n + b + d) % 2 == 1,
};

/// So many of these, the lowest first.
fn first(
    count: usize,
    each: impl Iterator<Item = [usize; 3]>,
    height: fn([usize; 3]) -> f64,
) -> Vec<[usize; 3]> {
    let mut all: Vec<_> = each.collect();
    all.sort_by(|a, b| height(*a).total_cmp(&height(*b)));
    all.truncate(count);
    all
}

/// A plate of so many modes with so many forms; how many entries its B have.
fn plate(shape: &Shape, modes: usize, forms: usize) -> (System, usize) {
    let mut system = System::default();
    let omega = |i: usize| TAU * LOWEST * (i + 1) as f64;
    let place = |i: usize| if i < STRUCK { (2.0 * ENERGY / STRUCK as f64).sqrt() / omega(i) } else { 0.0 };
    (0..modes).for_each(|i| _ = system.add_dof(1.0, place(i), 0.0));
    system.blocks.push(Block {
        name: "plate".into(),
        dofs: 0..modes,
        stiffness: Operator::Diagonal((0..modes).map(|i| omega(i).powi(2)).collect()),
        damping: Operator::Diagonal(vec![6.0 * LN_10 / DECAY; modes]),
    });
    let (of_modes, of_forms) = ((shape.numbers)(modes), (shape.numbers)(forms));
    let mut entries = 0;
    for (l, form) in of_forms.iter().enumerate() {
        let mut quadratic = Vec::new();
        for i in 0..modes {
            for j in i..modes {
                if (shape.couples)(*form, [of_modes[i], of_modes[j]]) {
                    // Of any sign and size.
                    let part = (1.3 * (l + 1) as f64 + 2.1 * i as f64 + 3.7 * j as f64).sin();
                    quadratic.push((i, j, COUPLING * part * omega(i) * omega(j)));
                    entries += if i == j { 1 } else { 2 };
                }
            }
        }
        let (linear, strain) = (Row::ground(), Row::ground());
        system.forms.push(Form { name: format!("form {l}"), quadratic, linear, strain, stretch: 1.0 });
    }
    system.outputs.push(Output { name: "place".into(), quantity: Quantity::Displacement(Row::unit(0)) });
    (system, entries)
}

/// D#1 of a grand piano with its longitudinal modes, displaced by some millimetres; how many entries its B have.
fn bass(modes: usize, longitudinal: usize) -> (System, usize) {
    let (length, core, density, modulus) = (1.965, 1.492e-3_f64, 75.5e-3, 2.02e11);
    let string = StiffString::new(length, density, 1764.0).and_then(|string| {
        let string = string.stiff(modulus * PI * core.powi(4) / 64.0)?.damped(1.0, 1e-3)?;
        string.elastic(0.25 * modulus * PI * core * core)?.longitudinal(longitudinal, 300.0)
    });
    let body = string.and_then(|string| string.by_modes(modes, 2 * modes)).expect("a bass string");
    let mut system = System::default();
    body.add_to(&mut system, "string").expect("a system of one string");
    (0..modes).for_each(|n| system.initial.position[n] = 5e-3 / ((n + 1) * (n + 1)) as f64);
    system.outputs.push(Output { name: "place".into(), quantity: Quantity::Displacement(Row::unit(0)) });
    let count =
        |form: &Form| form.quadratic.iter().map(|(i, j, _)| if i == j { 1 } else { 2 }).sum::<usize>();
    let entries = system.forms.iter().map(count).sum();
    (system, entries)
}

/// The table.
pub fn report() {
    println!("\nForms that share their modes: µs/step, and the part of a sample at 48 kHz.");
    println!("{:24}{:>8}{:>8}{:>10}{:>10}", "", "forms", "entries", "µs/step", "");
    let banks = [
        ("string 70 + 12", bass(70, 12)),
        ("circle 100", plate(&CIRCLE, 100, 30)),
        ("rectangle 100", plate(&RECTANGLE, 100, 30)),
        ("circle 300", plate(&CIRCLE, 300, 70)),
    ];
    for (name, (system, entries)) in banks {
        let mut run = begin(&system);
        let mut missed = 0.0;
        let [seconds] = least_in_turns(RUNS, [&mut || missed = single(&mut run).residual_max_relative()]);
        let micros = crate::micros(seconds);
        println!(
            "{name:24}{:8}{entries:8}{micros:10.2}{:8.1} %   residual {missed:.1e}",
            system.forms.len(),
            1e2 * micros * 1e-6 * RATE
        );
    }
}
