//! Impulses between steps: the momentum changes by p c, and the energy is booked.

use super::{Taken, hold, hold_at_random, require};
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    claims::Balance,
    ledger::Bookkeeping,
    row::Row,
    scheme::Scheme,
};
use hamiltone_laws::{parts, smooth, trial::Trial};

/// Struck every 7 steps at a row of two coordinates, the run stays balanced, and the impulses are in its supply.
fn booked(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let Some(mut simulation) = trial.prepare(scheme)? else { return Ok(false) };
    let (inputs, n) = (trial.inputs(), trial.system.inputs.len());
    let last = trial.system.size() - 1;
    let row = Row::Sparse(if last == 0 { vec![(0, 1.0)] } else { vec![(0, 1.0), (last, -0.5)] });
    // As much momentum as the lighter of both has at 1 m/s.
    let p = trial.system.mass[0].min(trial.system.mass[last]);
    let mut audit = Audit::open(simulation.reset(&inputs[..n]), simulation.balance());
    let mut given = 0.0;
    for k in 0..trial.steps {
        if k % 7 == 0 {
            given += simulation.impulse(&row, if k % 2 == 0 { p } else { -p }).abs();
        }
        let ledger = simulation.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Full);
        if !audit.post(&ledger) {
            return Ok(true);
        }
    }
    require(given > 0.0, || "impulses give nothing".into())?;
    if simulation.balance() == Balance::Bounded {
        return Ok(true);
    }
    let missed = audit.residual_max_relative();
    require(missed <= exact_tolerance(audit.steps, audit.balance.drift()), || {
        format!("the balance misses {missed:e}")
    })?;
    Ok(true)
}

/// On a free mass: v grows by p/m, and the energy by p(v + p/2m).
fn moves_a_mass(scheme: &dyn Scheme) -> Result<(), String> {
    let mut system = hamiltone_core::system::System::default();
    let (mass, speed, p) = (0.02, 0.7, 0.03);
    system.add_dof(mass, 0.0, speed);
    let dt = 1.0 / 48_000.0;
    let mut simulation = scheme.prepare(&system, dt).map_err(|refusal| refusal.to_string())?;
    simulation.reset(&[]);
    for _ in 0..10 {
        simulation.step(&[], Bookkeeping::Full);
    }
    let given = simulation.impulse(&Row::unit(0), p);
    let booked = simulation.step(&[], Bookkeeping::Full).supplied;
    let exact = p * (speed + 0.5 * p / mass);
    require((given / exact - 1.0).abs() < 1e-12, || format!("{given} J are given, exactly {exact}"))?;
    require((booked / exact - 1.0).abs() < 1e-12, || format!("{booked} J are booked, exactly {exact}"))?;
    let v = simulation.motion().v[0];
    // Half a step away from the impulse the velocity of two-step schemes is still a mean; after two steps it is not.
    simulation.step(&[], Bookkeeping::Full);
    let later = simulation.motion().v[0];
    let fast = speed + p / mass;
    require((later / fast - 1.0).abs() < 1e-12, || format!("v = {v}, then {later}, exactly {fast}"))
}

/// An impulse p between steps and a force p/Δt over one step move an oscillator alike, to first order in Δt.
fn acts_like_a_short_force(scheme: &dyn Scheme) -> Result<(), String> {
    let system = smooth::driven(smooth::oscillator());
    let apart = |refine: usize| -> Result<f64, String> {
        let (dt, p) = (1.0 / (44_100.0 * refine as f64), 1e-3);
        let end = |struck: bool| -> Result<f64, String> {
            let mut simulation = scheme.prepare(&system, dt).map_err(|refusal| refusal.to_string())?;
            simulation.reset(&[0.0]);
            for k in 0..40 * refine {
                let now = k == 10 * refine;
                if now && struck {
                    simulation.impulse(&Row::unit(0), p);
                }
                // A triangle of the height p/Δt at the instant of the impulse has the area p.
                let next = k + 1 == 10 * refine;
                let u = |here: bool| if here && !struck { p / dt } else { 0.0 };
                simulation.step(&[u(now), u(next)], Bookkeeping::Flows);
            }
            Ok(simulation.motion().q[0])
        };
        Ok((end(true)? - end(false)?).abs())
    };
    // Displacements are p/(mω) = 7e-6 m; what is apart is of first order at most: below 0.3 at ωΔt = 0.07, and halved.
    let (coarse, fine) = (apart(1)?, apart(4)?);
    require(coarse < 2e-6 && fine < 0.5 * coarse + 1e-12, || {
        format!("{coarse:e} m apart, {fine:e} m at a quarter of the step")
    })
}

#[test]
fn energy_of_impulses_is_booked() {
    hold_at_random(parts::audible, 150, 200, 4, booked);
}

#[test]
fn a_mass_takes_the_momentum() {
    hold(moves_a_mass);
}

#[test]
fn an_impulse_is_a_short_force() {
    hold(acts_like_a_short_force);
}
