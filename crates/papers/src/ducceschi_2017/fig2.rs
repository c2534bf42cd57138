//! Figure 2: computability — the smallest discriminant of the quadratic, where it has real roots.
//!
//!   Δ = B² − 4AC ≥ 0                                                              (18)
//!
//! Potential (3a), M = 1 kg, K = 1e3, α = 1, 3, … 13, u₀ = −1 mm, v₀ = 1 and 20 m/s,
//! k_i = 2^(i−2)/√K. Missing points are runs that met complex roots. The number of
//! steps is not given; ours is [`STEPS`].
//!
//! Printed: for s = 1, v = 20, α = 3 real roots for k₁, k₂, k₃. Computed: k₃ has complex
//! roots at its first step; they are real up to v = 18.3 m/s. Printed: unconditional for
//! s > 2. Computed: so with u¹ = u⁰ + kv₀ at the paper's speeds; with u⁰ and u⁻¹ = u⁰ − kv₀ not.

use super::{
    potential::Expansion,
    setup::{S, power},
};
use crate::{
    figure::{Cell, Effort, Figure, Outcome, Panel, Series, Table, Unable},
    method::Method,
    trace::Trace,
};
use hamiltone_core::ledger::Fault;
use hamiltone_numerics::math::sincos;

/// K, N/m^α.
pub const STIFFNESS: f64 = 1e3;
/// The steps of each run.
pub const STEPS: usize = 2000;
/// α.
pub const EXPONENTS: [f64; 7] = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0];
/// v₀, m/s.
pub const SPEEDS: [f64; 2] = [1.0, 20.0];

/// k₁ … k₄, s.
pub fn steps() -> [f64; 4] {
    [0.5, 1.0, 2.0, 4.0].map(|x| x / STIFFNESS.sqrt())
}

/// How a run went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Roots {
    /// All real: the smallest Δ.
    Real(f64),
    /// Complex in this step: its Δ, as a fraction of B² + |4AC|.
    Complex(u64, f64),
}

/// Runs potential (3a) from −1 mm for [`STEPS`] steps.
///
/// # Errors
/// Where the scheme refuses the numbers, or stops for another reason than complex roots.
pub fn roots(s: f64, exponent: f64, velocity: f64, k: f64) -> Result<Roots, Unable> {
    roots_within(STEPS, (s, exponent), velocity, k)
}

/// The same for another number of steps.
///
/// # Errors
/// Those of [`roots`].
pub fn roots_within(steps: usize, (s, exponent): (f64, f64), velocity: f64, k: f64) -> Result<Roots, Unable> {
    let system = power(STIFFNESS, exponent, -1e-3, velocity)?;
    let trace = Trace::free(&Method::quadratic(s)?, &system, k, steps)?;
    let expansion = Expansion { system: &system, s };
    match trace.audit.fault {
        Some((step, Fault::ComplexRoot(size))) => Ok(Roots::Complex(step, size)),
        Some((_, fault)) => Err(Unable(fault.to_string())),
        None => {
            let discriminants = trace.q.windows(2).map(|u| expansion.discriminant(u[0], u[1], k));
            Ok(Roots::Real(discriminants.fold(f64::INFINITY, f64::min)))
        }
    }
}

/// Whether Δ⁽¹⁾ is ≥ 0 at every pair (uⁿ⁻¹, uⁿ) = (cos θ, sin θ): α = 1, M = K = 1, both in contact.
///
/// # Errors
/// Where the numbers make no law.
pub fn always_real(s: f64, k_squared: f64) -> Result<bool, Unable> {
    let system = power(1.0, 1.0, 0.0, 0.0)?;
    let expansion = Expansion { system: &system, s };
    // Pairs a degree apart, and rounding of a discriminant made of terms of size 1/k⁴.
    let floor = -64.0 * f64::EPSILON / (k_squared * k_squared);
    Ok((0..360).all(|degree| {
        let (sin, cos) = sincos(f64::from(degree).to_radians());
        expansion.discriminant(cos, sin, k_squared.sqrt()) >= floor
    }))
}

/// The step conditions on k²K̄ for Δ⁽¹⁾: as printed, sufficient, sharp.
pub fn conditions(s: f64) -> [f64; 3] {
    [(s + 0.5) / (s * (s - 0.5)), 1.0 / (s * (2.0 * s - 1.0)), 1.0 / (s * (s - 1.0))]
}

/// Makes the figure and its tables.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new(
        "D17 fig. 2: runs with real roots throughout (k₁ k₂ k₃ k₄), or the step of the first complex root",
        &["s", "v₀, m/s", "α", "k₁", "k₂", "k₃", "k₄"],
    );
    let mut panels = Vec::new();
    for s in S {
        for velocity in SPEEDS {
            let mut series: Vec<Series> =
                ["k₁", "k₂", "k₃", "k₄"].map(|name| Series::points(name, [])).into();
            for exponent in EXPONENTS {
                let mut cells: Vec<Cell> =
                    vec![s.to_string().into(), velocity.to_string().into(), exponent.to_string().into()];
                for (series, k) in series.iter_mut().zip(steps()) {
                    cells.push(match roots(s, exponent, velocity, k)? {
                        Roots::Real(smallest) => {
                            series.points.push((exponent, smallest));
                            format!("real, Δ ≥ {smallest:.2e}").into()
                        }
                        Roots::Complex(step, _) => format!("complex, step {step}").into(),
                    });
                }
                table.row(cells);
            }
            let title = format!("s = {s}, v₀ = {velocity} m/s");
            panels.push(Panel::new(title, ("exponent α", ""), ("smallest Δ", "N²"), series).log_y());
        }
    }
    table.note("s = 1, v₀ = 20, α = 3, k₃, printed as real, would need v₀ ≤ 18.3 m/s.");
    table.note("Printed: unconditionally real for s > 2. That holds here with the start u¹ = u⁰ + kv₀, which the paper does not give; from the pair (u⁰ − kv₀, u⁰) it does not.");
    table.note("The paper does not say how many steps its runs have; these have 2000. With s = ½ and α > 1 that decides: the next table.");
    let figure = Figure {
        name: "fig2",
        title: "D17 fig. 2: computability".into(),
        caption: "The smallest discriminant of each run; missing points met complex roots.".into(),
        panels,
    };
    Ok(Outcome {
        tables: vec![table, longer_table()?, claim_table()?, condition_table()?],
        figures: vec![figure],
    })
}

/// The steps of the longer runs.
pub const MORE_STEPS: usize = 20_000;

/// The runs with s = ½ and α > 1 that have real roots for [`STEPS`] steps: v₀ (m/s), α, the number of k, and how they
/// go for [`MORE_STEPS`].
///
/// # Errors
/// Where the scheme refuses the numbers.
pub fn longer() -> Result<Vec<(f64, f64, usize, Roots)>, Unable> {
    let mut found = Vec::new();
    for velocity in SPEEDS {
        for exponent in &EXPONENTS[1..] {
            for (i, k) in steps().into_iter().enumerate() {
                if matches!(roots(0.5, *exponent, velocity, k)?, Roots::Real(_)) {
                    let longer = roots_within(MORE_STEPS, (0.5, *exponent), velocity, k)?;
                    found.push((velocity, *exponent, i + 1, longer));
                }
            }
        }
    }
    Ok(found)
}

fn longer_table() -> Result<Table, Unable> {
    let title =
        format!("D17 fig. 2: the runs with s = ½, α > 1 that are real for {STEPS} steps, for {MORE_STEPS}");
    let mut table = Table::new(title, &["v₀, m/s", "α", "k", "first complex root"]);
    for (velocity, exponent, k, roots) in longer()? {
        let verdict = match roots {
            Roots::Real(_) => "none".into(),
            Roots::Complex(step, _) => format!("step {step}"),
        };
        table.row([
            velocity.to_string().into(),
            exponent.to_string().into(),
            format!("number {k}").into(),
            verdict.into(),
        ]);
    }
    Ok(table)
}

/// A statement of the paper: that these runs have real roots throughout.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its words, shortened.
    pub words: &'static str,
    /// s.
    pub s: f64,
    /// v₀, m/s.
    pub speeds: &'static [f64],
    /// α.
    pub exponents: &'static [f64],
    /// How many of k₁ … k₄.
    pub steps: usize,
}

/// What the paper states of this figure.
pub const CLAIMS: [Claim; 4] = [
    Claim { words: "s = ½, α = 1: always real", s: 0.5, speeds: &SPEEDS, exponents: &[1.0], steps: 4 },
    Claim { words: "s = 1, v₀ = 1: always real", s: 1.0, speeds: &[1.0], exponents: &EXPONENTS, steps: 4 },
    Claim {
        words: "s = 1, v₀ = 20, α = 1 and 3, k₁ to k₃: real",
        s: 1.0,
        speeds: &[20.0],
        exponents: &[1.0, 3.0],
        steps: 3,
    },
    Claim { words: "s = 3: always real", s: 3.0, speeds: &SPEEDS, exponents: &EXPONENTS, steps: 4 },
];

impl Claim {
    /// Its runs that met complex roots: v₀, α and the number of k.
    ///
    /// # Errors
    /// Where a run stops for another reason.
    pub fn exceptions(&self) -> Result<Vec<(f64, f64, usize)>, Unable> {
        let mut complex = Vec::new();
        for &velocity in self.speeds {
            for &exponent in self.exponents {
                for (i, &k) in steps()[..self.steps].iter().enumerate() {
                    if matches!(roots(self.s, exponent, velocity, k)?, Roots::Complex(..)) {
                        complex.push((velocity, exponent, i + 1));
                    }
                }
            }
        }
        Ok(complex)
    }
}

fn claim_table() -> Result<Table, Unable> {
    let mut table = Table::new("D17 fig. 2: what the paper states of it", &["printed", "computed"]);
    for claim in CLAIMS {
        let complex = claim.exceptions()?;
        let list = complex.iter().map(|(v, alpha, k)| format!("v₀ = {v}, α = {alpha}, k number {k}"));
        let verdict = match complex.len() {
            0 => "so".into(),
            _ => format!("complex: {}", list.collect::<Vec<_>>().join("; ")),
        };
        table.row([claim.words.into(), verdict.into()]);
    }
    Ok(table)
}

fn condition_table() -> Result<Table, Unable> {
    let mut table = Table::new(
        "D17 §3.3.1: the largest k²K̄ with Δ⁽¹⁾ ≥ 0 for all pairs in contact, and whether it is so there",
        &["s", "printed", "holds", "1/(s(2s−1))", "holds", "1/(s(s−1))", "holds"],
    );
    for s in [1.2, 1.5, 1.6, 2.0, 3.0, 5.0] {
        let mut cells: Vec<Cell> = vec![s.to_string().into()];
        for limit in conditions(s) {
            cells.push(limit.into());
            cells.push(if always_real(s, limit)? { "yes" } else { "no" }.into());
        }
        table.row(cells);
    }
    table.note("The printed condition (s+½)/(s(s−½)) fails for s > 1.5: case 4 of Δ⁽¹⁾ is K̄²s²b² and 2Ak where K̄s²b² and Ak are printed. The last column is sharp for s > 1.");
    Ok(table)
}
