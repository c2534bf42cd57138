//! Modal Moreau–Jean: modes by their exact poles, rigid contacts by impulses.
//!
//!   W(vⁿ⁺¹ − v_free) = p,   qⁿ⁺¹ = qⁿ + Δt vⁿ⁺¹,   v_free = v − W⁻¹(ΔtKq + 2ΔtΣ*v)
//!   0 ≤ F ⊥ −c·(vⁿ⁺¹ + e vⁿ) ≥ 0  where c·(qⁿ + Δt/2 vⁿ) ≥ h,     p = −Δt Σ c F
//!
//! of the Siconos page on modal Moreau–Jean time-stepping (Bilbao's exact scheme for the free modes; with
//! W(vⁿ⁺¹ − v_free) = p in place of its W(vⁿ⁺¹ − vⁿ) = v_free + p, and Σ* = M diag σ*), v being the backward
//! difference (qⁿ − qⁿ⁻¹)/Δt, which starts from the exact q(0) and q(Δt). W and σ* are those of each mode's poles.
//! Free modes are exact at every step. Bookkeeping, with a = mW/Δt² and d = qⁿ⁺¹ − qⁿ:
//!
//!   stored ½Σ a((1 − h/2)d² + g qⁿqⁿ⁺¹) + ½Σ(V(xⁿ) + V(xⁿ⁺¹)),   dissipated ¼Σ a h(d⁻ + d)²,   contact work −½Σ F c·(d⁻ + d)
//!
//! The stored energy of a free undamped mode is cos²(ωΔt/2) of the physical one: near ωΔt = π it is blind. With e = 1
//! the work of rigid contacts is 0; with e < 1 it can be positive where a closed contact is opening already.
//!
//! The stepper looks one increment ahead: after the step to tₙ it holds qⁿ and d. Drives and compliant contacts act at
//! tₙ, these by the exact quotient over two steps.

mod bank;
mod contacts;
mod near_nyquist;
mod stepper;
mod velocities;

use crate::{
    contact,
    impulse_solver::{SOLVER, solver},
    modal::{diagonals::diagonals, owners, pole::Pole},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    identity::Identity,
    parameter::{Entry, Kind, Values},
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use hamiltone_numerics::lcp::Method;
use std::{f64::consts::PI, sync::Arc};

/// The name of the scheme.
const NAME: &str = "modal-moreau-jean";
/// ωΔt up to which the stored energy of a mode is at least half of the physical one: cos²(ωΔt/2) = 0.535.
const UNDERESTIMATE_LIMIT: f64 = 1.5;
/// ωΔt above which a mode aliases: Nyquist.
const ALIASING_LIMIT: f64 = PI;

/// The modal Moreau–Jean scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModalMoreauJean {
    /// How impulses are found.
    pub solver: Method,
}

impl Scheme for ModalMoreauJean {
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
            symmetric: false,
            linear: Balance::EXACT,
            contact: Balance::EXACT,
            contraction: Contraction::Conformal,
            contraction_with_links: false,
            contraction_with_contact: false,
            limit: None,
            physical_energy: false,
            staggered: true,
        }
    }

    fn coverage(&self) -> Coverage {
        const ALL: &[Feature] = &[
            Feature::ManyCoordinates,
            Feature::Compliant,
            Feature::ContactLoss,
            Feature::Relaxation,
            Feature::Rigid,
            Feature::RigidMotion,
            Feature::Resistive,
            Feature::Control,
            Feature::Motion,
            Feature::MeanForce,
        ];
        Coverage::of(ALL)
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        contact::few_enough(NAME, system, system.size())?;
        Ok(Box::new(stepper::Modal::new(NAME, system, dt, self.solver)?))
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        let Ok((stiffness, _)) = diagonals(NAME, system) else { return Vec::new() };
        let of = |(name, dofs): (&str, Vec<usize>)| {
            let sprung = dofs.into_iter().filter(|&dof| stiffness[dof] > 0.0);
            advice_of(
                name,
                system,
                sprung.map(|dof| (stiffness[dof] / system.mass[dof]).sqrt()).collect(),
                dt,
            )
        };
        owners::by_block(system).into_iter().flat_map(of).collect()
    }
}

/// What there is to say of the modes of a body with these ω, rad/s.
fn advice_of(name: &str, system: &System, mut omegas: Vec<f64>, dt: f64) -> Vec<String> {
    omegas.sort_by(f64::total_cmp);
    let below = |limit: f64| omegas.iter().take_while(|omega| **omega * dt <= limit).count();
    let (count, resolved, audible) = (omegas.len(), below(UNDERESTIMATE_LIMIT), below(ALIASING_LIMIT));
    let Some(highest) = omegas.last().map(|omega| omega * dt) else { return Vec::new() };
    let fewer = |modes: usize| if modes > 0 { format!("at most {modes} modes, or ") } else { String::new() };
    let rate = |limit: f64| format!("a rate of at least {:.0} Hz", (highest / limit / dt).ceil());
    let mut advice = Vec::new();
    if audible < count {
        advice.push(format!(
                "{} of {count} modes of `{}` lie above Nyquist and alias (ωΔt = {highest:.3} for the highest, limit π); use {}{}",
                count - audible,
                name,
                fewer(audible),
                rate(ALIASING_LIMIT)
            ));
    }
    // Free modes are exact; forces and contacts do work on them that the discrete energy underestimates.
    let forced = system.inputs.iter().any(|input| input.row().is_some());
    if resolved < count && (forced || !system.elements.is_empty()) {
        advice.push(format!(
                "{} of {count} modes of `{}` lie above ωΔt = {UNDERESTIMATE_LIMIT} ({highest:.3} for the highest), where the discrete energy \
                 underestimates the physical one by cos²(ωΔt/2), here down to {:.1e}; contacts and drives may inject energy unnoticed; use {}{}",
                count - resolved,
                name,
                omegas.iter().map(|omega| Pole::energy_ratio(omega * omega, dt)).fold(1.0, f64::min),
                fewer(resolved),
                rate(UNDERESTIMATE_LIMIT)
            ));
    }
    advice
}

/// 1/W and Δtσ* of a mode of unit mass with ω² = `stiffness` (1/s²) and σ = `sigma` (1/s), as the step uses them.
pub fn constants(stiffness: f64, sigma: f64, dt: f64) -> (f64, f64) {
    let Pole { mobility, damper, .. } = Pole::new(stiffness, sigma, dt);
    (mobility, 0.5 * damper / mobility)
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: NAME,
        summary: "exact modes; rigid contacts by impulses, compliant ones by their difference quotient: strings on frets, struck plates",
        equation: "W(vⁿ⁺¹ − v_free) = p,  qⁿ⁺¹ = qⁿ + Δt vⁿ⁺¹\n0 ≤ p ⊥ −(ẋⁿ⁺¹ + eẋⁿ) ≥ 0  where xⁿ + Δt/2 ẋⁿ ≥ 0",
        source: "the Siconos page on modal Moreau–Jean time-stepping; Issanchou, Acary, Pérignon, Touzé & Le Carrou 2018",
        parameters: &[SOLVER],
        rules: &[],
    },
    make: |values: &Values| Ok(Box::new(ModalMoreauJean { solver: solver(values) })),
};
