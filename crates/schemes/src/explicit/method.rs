//! The scheme of an explicit method: what is its own are its tableau, its kick and its claims.

use crate::{
    amplification, contact, eigenfrequencies,
    explicit::{
        damping_flow::DampingFlow,
        force_kick::ForceKick,
        mean_kick::{Start, quadratised, staggered},
        row_kick::RowKick,
        splitting::{Split, Splitting},
        tableaux::Coefficients,
    },
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    identity::Identity,
    refusal::Refusal,
    scheme::Scheme,
    stepper::Stepper,
    system::System,
};
use std::sync::Arc;

/// An explicit method.
#[derive(Clone, Debug)]
pub struct Explicit {
    pub(crate) name: &'static str,
    pub(crate) kicks: Kicks,
    pub(crate) claims: Claims,
}

/// How an explicit method takes damping, and which energy it keeps.
#[derive(Clone, Debug)]
pub(crate) enum Kicks {
    /// Damping by the mean of the velocities, the energy of the two-step form: one kick a step.
    Mean(Start),
    /// The same by Taylor's start, with contacts whose energy is quadratised.
    Quadratised,
    /// Damping as exact flows, these parts of a step before and behind, around a velocity Verlet step and its energy.
    Verlet(f64, f64),
    /// A tableau and the physical energy; damping as exact flows of half a step on either side.
    Split(Coefficients),
    /// A tableau and the physical energy; damping in the kicks.
    Printed(Coefficients),
}

/// The largest ωΔt of the leapfrog and of Verlet's method, where d·Md/Δt² + qⁿ·Kqⁿ⁺¹ stops being positive.
pub(crate) const LIMIT: f64 = 2.0;

/// What a two-step method promises; velocity Verlet has these claims but those of its damping.
pub(crate) const TWO_STEP: Claims = Claims {
    order: 2,
    order_free: 2,
    symmetric: true,
    linear: Balance::EXACT,
    contact: Balance::Bounded,
    contraction: Contraction::Pade,
    contraction_with_links: true,
    contraction_with_contact: true,
    limit: Some(LIMIT),
    physical_energy: false,
    staggered: false,
};

/// The gain of a method that takes forces as they are.
pub(crate) fn unit_gain(system: &System) -> Vec<f64> {
    vec![1.0; system.size()]
}

/// Refuses a time step with ω_max·Δt at or beyond `limit`.
pub(crate) fn below(scheme: &'static str, system: &System, dt: f64, limit: f64) -> Result<(), Refusal> {
    let omega = eigenfrequencies::highest(system);
    // A negative step runs back in time, with the same limit.
    let dt = dt.abs();
    if omega * dt < limit {
        return Ok(());
    }
    let (value, rate) = (omega * dt, (omega / limit).floor() + 1.0);
    Err(Refusal::Unstable { scheme, quantity: "ω_max·Δt", value, limit, rate })
}

impl Explicit {
    /// A stepper of this tableau with the physical energy.
    fn partitioned(
        &self,
        tableau: &Coefficients,
        damped: bool,
        system: &Arc<System>,
        dt: f64,
    ) -> Result<Box<dyn Stepper>, Refusal> {
        let kick = RowKick::new(system, damped);
        if damped {
            let pace = kick.largest_damping() * dt.abs() * tableau.largest_kick();
            if pace > 1.0 {
                return Err(Refusal::OutOfRange {
                    scheme: self.name,
                    what: format!(
                        "damping in the kicks as strong as max|b|·λ_max(M⁻¹R)·Δt = {pace:.3e} (at most 1)"
                    ),
                    instead: format!(
                        "set damping = \"split\", or run at {:.0} Hz or more",
                        (pace / dt.abs()).floor() + 1.0
                    ),
                });
            }
        }
        // Damping in the kicks and around them would be taken twice.
        let around = if damped { None } else { Some(flows(self.name, system, [0.5 * dt; 2])?) };
        Ok(Box::new(Split::new(Splitting::new(system, tableau, dt, None), kick, around)))
    }
}

/// The flows of damping of these times, s, before and behind a step.
fn flows(scheme: &'static str, system: &System, times: [f64; 2]) -> Result<[DampingFlow; 2], Refusal> {
    let contacts = contact::all(system);
    let flow = |time| DampingFlow::new(scheme, system, &contacts, time);
    Ok([flow(times[0])?, flow(times[1])?])
}

impl Scheme for Explicit {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        // Claims follow from the kicks.
        let Self { name, kicks, claims: _ } = self;
        let identity = Identity::of(name);
        match kicks {
            Kicks::Mean(start) => identity.count(0).count(*start as usize),
            Kicks::Verlet(before, behind) => identity.count(1).number(*before).number(*behind),
            Kicks::Split(tableau) => identity.count(2).with(tableau.identity()),
            Kicks::Printed(tableau) => identity.count(3).with(tableau.identity()),
            Kicks::Quadratised => identity.count(4),
        }
    }

    fn claims(&self) -> Claims {
        self.claims
    }

    fn coverage(&self) -> Coverage {
        use Feature::*;
        Coverage::of(match self.kicks {
            Kicks::Mean(_) | Kicks::Quadratised => {
                &[ManyCoordinates, CoupledStiffness, CoupledDamping, Links, LinkDamping, Compliant]
            }
            Kicks::Verlet(..) => &[ManyCoordinates, CoupledStiffness, Links, Compliant],
            Kicks::Split(_) => &[
                ManyCoordinates,
                CoupledStiffness,
                CoupledDamping,
                Links,
                LinkDamping,
                Compliant,
                ContactLoss,
                Relaxation,
            ],
            // Kicks that go back in time would run a relaxation backwards, and αV″ grows with the penetration without a bound.
            Kicks::Printed(_) => &[
                ManyCoordinates,
                CoupledStiffness,
                CoupledDamping,
                Links,
                LinkDamping,
                Compliant,
                ContactLoss,
            ],
        })
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        below(self.name, system, dt, self.claims.limit.unwrap_or(f64::INFINITY))?;
        match &self.kicks {
            Kicks::Mean(start) => Ok(Box::new(staggered(system, system, unit_gain(system), dt, *start))),
            Kicks::Quadratised => Ok(Box::new(quadratised(self.name, system, unit_gain(system), dt)?)),
            Kicks::Verlet(before, behind) => {
                let around = flows(self.name, system, [before * dt, behind * dt])?;
                let splitting = Splitting::new(system, &Coefficients::velocity_verlet(), dt, Some(0.5 * dt));
                Ok(Box::new(Split::new(splitting, ForceKick::new(system), Some(around))))
            }
            Kicks::Split(tableau) => self.partitioned(tableau, false, system, dt),
            Kicks::Printed(tableau) => self.partitioned(tableau, true, system, dt),
        }
    }

    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        match self.kicks {
            Kicks::Mean(_) | Kicks::Quadratised | Kicks::Verlet(..) => {
                amplification::of_highest(system, dt, amplification::two_step)
            }
            // Its energy is the physical one: its balance shows what it gains.
            Kicks::Split(_) | Kicks::Printed(_) => Vec::new(),
        }
    }
}
