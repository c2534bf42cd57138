//! The energy identity of the scheme, step by step, and two solvers of its impacts.
//!
//!   Eⁱ = ½Σ m[(W − Δtσ*)(vⁱ)² + ω²qⁱqⁱ⁻¹]
//!   Eⁱ⁺¹ − Eⁱ = −½ΔtΣ mσ*(vⁱ⁺¹ + vⁱ)² + ½p·(Hvⁱ⁺¹ + Hvⁱ)
//!
//! With e = 1 the work of contacts is 0; with e < 1 it can be positive where a closed contact is opening already.

use super::{
    setup::{modal, swept},
    string::{BASS, GUITAR, IDEAL, Plucked, WOUND, frets},
};
use crate::figure::{Cell, Effort, Outcome, Table, Unable};
use hamiltone_core::{
    audit::Audit,
    ledger::Bookkeeping,
    system::{Output, Quantity, System},
};

/// The restitutions that are tried.
pub const RESTITUTIONS: [f64; 4] = [0.0, 0.3, 0.9, 1.0];

/// A system with this e.
pub type Build = fn(f64) -> Result<System, Unable>;

/// The strings that are tried: name, system with e, rate (Hz), steps.
pub const CASES: [(&str, Build, f64, usize); 5] = [
    ("ideal, 199 contacts at depth ¼", flat, 1000.0, 4000),
    ("guitar, a point", point, 88_200.0, 8820),
    ("guitar, a point, losses", lossy, 88_200.0, 8820),
    ("bass, 244 modes, 20 frets", coarse, 176_400.0, 8820),
    ("bass, 862 modes, 20 frets, losses", fretted, 176_400.0, 8820),
];

fn flat(e: f64) -> Result<System, Unable> {
    IDEAL.over(&IDEAL.everywhere(-0.25), e)
}

fn point(e: f64) -> Result<System, Unable> {
    GUITAR.over(&[(0.501, 0.0)], e)
}

fn lossy(e: f64) -> Result<System, Unable> {
    Plucked { quality: Some(WOUND), ..GUITAR }.over(&[(0.501, 0.0)], e)
}

fn coarse(e: f64) -> Result<System, Unable> {
    Plucked { modes: 244, ..BASS }.over(&frets(), e)
}

fn fretted(e: f64) -> Result<System, Unable> {
    Plucked { quality: Some(WOUND), ..BASS }.over(&frets(), e)
}

/// The energy balance of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accounts {
    /// The largest residual of the identity in one step, of the largest energy.
    pub residual: f64,
    /// The same, of that energy and what a rounding of the positions is worth to it.
    pub rounding: f64,
    /// The work of the contacts, of the energy at the start.
    pub work: f64,
    /// The largest work of one step either way, of the energy at the start.
    pub most: f64,
    /// The largest gain of one step, of the energy at the start.
    pub gain: f64,
    /// E at the end, of that at the start.
    pub left: f64,
    /// Steps in which a contact pushed.
    pub in_contact: usize,
}

/// The balance of `system` over `steps` steps at `rate`, Hz.
///
/// # Errors
/// Where the scheme refuses.
pub fn accounts(mut system: System, rate: f64, steps: usize) -> Result<Accounts, Unable> {
    let contacts = system.elements.len();
    system.outputs.push(Output { name: "force".into(), quantity: Quantity::MeanForce(0..contacts) });
    let mut stepper = modal()?.prepare(&system, 1.0 / rate)?;
    let start = stepper.reset(&[]);
    let mut audit = Audit::open(start, stepper.balance());
    let (mut accounts, mut force) = (Accounts::default(), [0.0]);
    for _ in 0..steps {
        let ledger = stepper.step(&[], Bookkeeping::Full);
        audit.post(&ledger);
        stepper.outputs(&mut force);
        accounts.in_contact += usize::from(force[0] != 0.0);
        accounts.most = accounts.most.max(ledger.contact_work.abs() / start);
        accounts.gain = accounts.gain.max(ledger.contact_work / start);
    }
    accounts.residual = audit.residual_step_max / audit.energy_peak;
    accounts.rounding = audit.residual_max_relative_per_step();
    accounts.work = audit.contact_work / start;
    accounts.left = audit.energy_final / start;
    Ok(accounts)
}

/// How far the two solvers of impacts are apart after a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apart {
    /// max |F − F′| over max |F|.
    pub force: f64,
    /// max ‖q − q′‖ over max ‖q‖.
    pub position: f64,
    /// Steps in which a contact pushed.
    pub in_contact: usize,
}

/// Runs `system` at `rate` (Hz) by both solvers until contacts have pushed in `in_contact` of `steps` steps.
///
/// # Errors
/// Where the scheme refuses.
pub fn solvers(mut system: System, rate: f64, steps: usize, in_contact: usize) -> Result<Apart, Unable> {
    for j in 0..system.elements.len() {
        system.outputs.push(Output { name: format!("force[{j}]"), quantity: Quantity::MeanForce(j..j + 1) });
    }
    let mut pair = [modal()?.prepare(&system, 1.0 / rate)?, swept()?.prepare(&system, 1.0 / rate)?];
    let mut forces = [vec![0.0; system.elements.len()], vec![0.0; system.elements.len()]];
    let mut q = [vec![0.0; system.size()], vec![0.0; system.size()]];
    let mut v = vec![0.0; system.size()];
    let (mut apart, mut largest, mut size) = (Apart::default(), 0.0_f64, 0.0_f64);
    for _ in 0..steps {
        for (i, stepper) in pair.iter_mut().enumerate() {
            stepper.step(&[], Bookkeeping::Full);
            stepper.outputs(&mut forces[i]);
            stepper.snapshot(&mut q[i], &mut v);
        }
        let most = |x: &[f64]| x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let off =
            |x: &[Vec<f64>; 2]| x[0].iter().zip(&x[1]).fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
        largest = largest.max(most(&forces[0]));
        size = size.max(most(&q[0]));
        apart.force = apart.force.max(off(&forces));
        apart.position = apart.position.max(off(&q));
        apart.in_contact += usize::from(forces[0].iter().any(|f| *f != 0.0));
        if apart.in_contact == in_contact {
            break;
        }
    }
    apart.force /= largest;
    apart.position /= size;
    Ok(apart)
}

/// Steps with contact over which the solvers are compared.
pub const IN_CONTACT: usize = 300;

/// Makes the two tables.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let columns = [
        "string",
        "e",
        "steps",
        "in contact",
        "residual of a step, eps",
        "contact work/E₀",
        "largest in a step",
        "largest gain",
        "E/E₀",
    ];
    let mut identity = Table::new("SIC: the energy identity in every step", &columns);
    let columns = ["string", "e", "steps in contact", "forces apart", "positions apart"];
    let mut apart = Table::new("SIC: active sets against projected Gauss–Seidel", &columns);
    for (name, build, rate, steps) in CASES {
        for e in RESTITUTIONS {
            let a = accounts(build(e)?, rate, steps)?;
            let start: [Cell; 4] = [
                name.into(),
                format!("{e}").into(),
                steps.to_string().into(),
                a.in_contact.to_string().into(),
            ];
            let values = [a.residual / f64::EPSILON, a.work, a.most, a.gain, a.left];
            identity.row(start.into_iter().chain(values.map(Cell::from)));
            let two = solvers(build(e)?, rate, steps, IN_CONTACT)?;
            apart.row([
                name.into(),
                format!("{e}").into(),
                two.in_contact.to_string().into(),
                two.force.into(),
                two.position.into(),
            ]);
        }
    }
    identity.note("The residual is of the largest energy. With e = 1 the work of contacts is rounding.");
    identity.note("A gain is work done on the string in one step: with e < 1, where a closed contact is opening already.");
    apart.note("Of the largest force and position of the run.");
    Ok(Outcome { tables: vec![identity, apart], figures: Vec::new() })
}
