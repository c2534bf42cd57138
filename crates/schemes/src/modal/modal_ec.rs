//! Modal EC: exact modes in a one-step energy-conserving scheme, with any contacts.
//!
//!   (qⁿ⁺¹ − qⁿ)/Δt = v̄,   m*(vⁿ⁺¹ − vⁿ)/Δt = −K(qⁿ + qⁿ⁺¹)/2 − R*v̄ + f̄ − cᵀF,   v̄ = (vⁿ + vⁿ⁺¹)/2
//!
//! for each mode q̈ + 2σq̇ + ω²q = f/m, K = mω², is the midpoint step, which would warp its poles: tan(ω′Δt/2) = ωΔt/2. The
//! constants are prewarped: with ϱ = e^(−σΔt), O = cos Δt√(ω² − σ²) (cosh where overdamped) and D = 1 + 2ϱO + ϱ²,
//!
//!   a = (1 − 2ϱO + ϱ²)/D,   b = 2(1 − ϱ²)/D,   m* = KΔt²/4a,   R* = 2m*b/Δt
//!
//! (m* by its limit for K → 0: m of an undamped free mass)
//!
//! it has the poles e^(−σΔt ± jΔt√(ω² − σ²)): free modes are exact at every step. Any m* has these poles with K* = 4m*a/Δt²;
//! this one leaves K as it is, so that static deflections are exact and the stored energy of an undamped mode is its
//! physical one. Divided by 1 + a + b = 4/D it is the step of `modal_ec/bank.rs`, in which no constant is large where D is small. v is
//! not the velocity of the mode but a linear map of (q, q̇) (`modal_ec/coordinates.rs`), which is applied to initial velocities,
//! impulses and outputs. Energy:
//!
//!   stored ½Σ(m*v² + Kq²) + ΣV,   dissipated Δt ΣR*v̄² + the elements' losses,   supplied Δt f̄·v̄,   contact work −Δt ΣF c·v̄
//!
//! exact with any compliant contact (its quotient over the step), resistive element and link. Rigid contacts push by
//! impulses that never add energy: where a closed contact separates already, its impulse forbids penetration alone
//! (`modal_ec/contacts.rs`). The stored energy is a sum of squares in which no mode is hidden; the physical energy of a damped mode
//! exceeds its part by at most [`physical_over_stored`].
//!
//! Forms are taken at U ([`hamiltone_core::form`], `modal_ec/forms.rs`): their energy is that of two successive U, Σ(½ψ² + eψ) of the polarised ψ.
//!
//! A mode at Nyquist or above has no such constants (tan² is the same for ω and for its alias) and is left out, from
//! 0.99 of Nyquist on; a system is refused where that leaves nothing of a body.

mod bank;
mod contacts;
mod coordinates;
mod effective;
mod followed;
mod forms;
mod free_steps;
mod joined;
mod limit;
mod port_forces;
mod port_rows;
mod pulled;
mod pulls;
mod stepper;
mod velocities;

pub use coordinates::physical_over_stored;

use crate::{
    contact,
    impulse_solver::{SOLVER, solver},
    modal::{links, owners},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    identity::Identity,
    operator::Operator,
    parameter::{Entry, Kind, Values},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::{Block, System},
};
use hamiltone_numerics::lcp::Method;
use limit::{LIMIT, left_out};
use std::{f64::consts::PI, sync::Arc};

/// The name of the scheme.
const NAME: &str = "modal-ec";

/// Modes that come back to the same digits after a few steps, being undamped, or change by a small part of themselves in a step round
/// the same way each time: X and Y by half an eps of either, which is an eps of the energy.
const BALANCE: Balance = Balance::Exact { drift: 1.0 };

/// The modal energy-conserving scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModalEc {
    /// How impulses are found.
    pub solver: Method,
}

/// ω (rad/s) of each mode with a spring, of these masses and diagonals of K and R, and whether it is left out.
fn modes(mass: &[f64], stiffness: &[f64], damping: &[f64], dt: f64) -> Vec<(f64, bool)> {
    let sprung = mass.iter().zip(stiffness.iter().zip(damping)).filter(|(_, (k, _))| **k > 0.0);
    sprung.map(|(m, (k, r))| ((k / m).sqrt(), left_out(k / m, 0.5 * r / m, dt))).collect()
}

/// The lowest ω (rad/s) of a body with springs of its own, all of whose modes are left out.
fn lowest_of_left_out(system: &System, block: &Block, dt: f64) -> Option<f64> {
    let Operator::Diagonal(stiffness) = &block.stiffness else { return None };
    let mut damping = vec![0.0; stiffness.len()];
    block.damping.add_diagonal(&mut damping)?;
    let modes = modes(&system.mass[block.dofs.clone()], stiffness, &damping, dt);
    let all = modes.iter().all(|(_, left_out)| *left_out);
    modes.into_iter().map(|(omega, _)| omega).min_by(f64::total_cmp).filter(|_| all)
}

impl Scheme for ModalEc {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        let Self { solver } = *self;
        Identity::of(NAME).count(solver as usize)
    }

    fn claims(&self) -> Claims {
        Claims {
            order: 2,
            order_free: 2,
            symmetric: true,
            linear: BALANCE,
            contact: BALANCE,
            contraction: Contraction::Conformal,
            contraction_with_links: false,
            contraction_with_contact: false,
            limit: Some(LIMIT),
            physical_energy: false,
            staggered: false,
        }
    }

    fn coverage(&self) -> Coverage {
        const ALL: &[Feature] = &[
            Feature::ManyCoordinates,
            Feature::Links,
            Feature::LinkDamping,
            Feature::Joints,
            Feature::Forms,
            Feature::Compliant,
            Feature::ContactLoss,
            Feature::Relaxation,
            Feature::Rigid,
            Feature::RigidMotion,
            Feature::Resistive,
            Feature::Ports,
            Feature::Control,
            Feature::Motion,
            Feature::Rate,
            Feature::MeanForce,
        ];
        Coverage::of(ALL)
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        contact::few_enough(NAME, system, system.size())?;
        // A body of which no mode is left would not move at all.
        for block in &system.blocks {
            if let Some(lowest) = lowest_of_left_out(system, block, dt) {
                return Err(Refusal::Unstable {
                    scheme: NAME,
                    quantity: "ω_min·Δt of a body",
                    value: lowest * dt.abs(),
                    limit: LIMIT,
                    rate: (lowest / LIMIT).floor() + 1.0,
                });
            }
        }
        let damped = system.blocks.iter().any(|block| !matches!(block.damping, Operator::Zero));
        if dt < 0.0 && damped {
            return Err(Refusal::OutOfRange {
                scheme: NAME,
                what: "a step back in time, of a damped system".into(),
                instead: "use a positive step, or no damping".into(),
            });
        }
        if system.joints.is_empty() {
            return Ok(Box::new(stepper::ModalStepper::new(NAME, system, dt, (self.solver, &[]))?));
        }
        Ok(Box::new(joined::JoinedStepper::new(NAME, system, dt, self.solver)?))
    }

    fn joint_ratio(&self, system: &System, dt: f64) -> Option<f64> {
        joined::joint_ratio(NAME, system, dt, self.solver)
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        let Ok(links::LinearParts { stiffness, damping, .. }) = links::take_apart(NAME, system) else {
            return Vec::new();
        };
        let of = |(name, dofs): (&str, Vec<usize>)| {
            let part = |all: &[f64]| dofs.iter().map(|&dof| all[dof]).collect::<Vec<f64>>();
            let modes = modes(&part(&system.mass), &part(&stiffness), &part(&damping), dt);
            let (count, left_out) = (modes.len(), modes.iter().filter(|(_, left_out)| *left_out).count());
            let highest = modes.iter().map(|(omega, _)| *omega).fold(0.0, f64::max);
            (left_out > 0).then(|| {
                format!(
                    "{left_out} of {count} modes of `{name}` lie above {:.0} Hz, 0.99 of Nyquist, and are left out; ask for at most {} modes, or a rate of at least {:.0} Hz",
                    LIMIT / (2.0 * PI * dt),
                    count - left_out,
                    (highest / LIMIT).ceil(),
                )
            })
        };
        owners::by_block(system).into_iter().filter_map(of).collect()
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: NAME,
        summary: "exact modes in one energy-conserving step: strings, bars, drums and plates by their modes, with any contacts",
        equation: "(qⁿ⁺¹ − qⁿ)/Δt = v̄,  m*(vⁿ⁺¹ − vⁿ)/Δt = −K(qⁿ + qⁿ⁺¹)/2 − R*v̄ + f̄ − cᵀF,  v̄ = (vⁿ + vⁿ⁺¹)/2\nm*, R* prewarped to the poles e^(−σΔt ± jΔt√(ω² − σ²))\nF = (V(x + σ) − V(x))/σ, or 0 ≤ F ⊥ −c·(vⁿ⁺¹ + e′vⁿ) ≥ 0, e′ = e approaching, else 1",
        source: "midpoint rule with prewarped constants (bilinear transform); contacts of Chatziioannou & van Walstijn 2015, (22), and Moreau 1988",
        parameters: &[SOLVER],
        rules: &[],
    },
    make: |values: &Values| Ok(Box::new(ModalEc { solver: solver(values) })),
};
