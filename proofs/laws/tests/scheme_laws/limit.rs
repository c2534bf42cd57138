//! The limit of ωΔt: just above it a scheme refuses with both numbers, just below it runs for ever; where there is
//! none, it runs at any step.

use super::{hold, require};
use hamiltone_core::{ledger::Bookkeeping, refusal::Refusal, scheme::Scheme, system::System};
use hamiltone_laws::smooth;

/// s.
const DT: f64 = 1.0 / 44_100.0;

fn undamped(product: f64) -> System {
    let (mut system, omega) = (System::default(), product / DT);
    smooth::add_oscillator(&mut system, 0.05, omega, 0.0, (1e-4, 1e-4 * omega));
    system
}

/// Beyond a limit by a part δ the amplitude grows by e^(2√(2δ)) a step: 1 % in so many steps tell a limit that is missed
/// by 3e-14 of it.
const STEPS: usize = 20_000;

/// Its amplitude in the end is that of the first 2000 steps, in which even beats at 0.999 of a limit come round.
fn runs_for_ever(scheme: &dyn Scheme, product: f64) -> Result<(), String> {
    let mut stepper = scheme.prepare(&undamped(product), DT).map_err(|refusal| refusal.to_string())?;
    stepper.reset(&[]);
    let (mut q, mut v, mut early, mut late) = ([0.0], [0.0], 0.0_f64, 0.0_f64);
    for k in 0..STEPS {
        let ledger = stepper.step(&[], Bookkeeping::Flows);
        if let Some(fault) = ledger.effort.fault {
            return Err(format!("at ωΔt = {product}, step {k}: {fault}"));
        }
        stepper.snapshot(&mut q, &mut v);
        require(q[0].is_finite(), || format!("at ωΔt = {product} it is not finite in step {k}"))?;
        let most = if k < 2000 { &mut early } else { &mut late };
        *most = most.max(q[0].abs());
    }
    require(late <= 1.01 * early, || format!("at ωΔt = {product} it grew from {early} to {late}"))
}

pub fn law(scheme: &dyn Scheme) -> Result<(), String> {
    let Some(limit) = scheme.claims().limit else {
        return [0.5, 3.0, 50.0].into_iter().try_for_each(|product| runs_for_ever(scheme, product));
    };
    runs_for_ever(scheme, 0.999 * limit)?;
    let above = limit * (1.0 + 1e-9);
    match scheme.prepare(&undamped(above), DT).err() {
        Some(Refusal::Unstable { value, limit: named, rate, .. }) => {
            let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
            require(close(value, above) && close(named, limit), || {
                format!("refused {above} above {limit} as {value} above {named}")
            })?;
            // The rate is a whole number, so it may be the limit itself.
            let faster = scheme.prepare(&undamped(above), 1.0 / (rate + 1.0));
            faster.map(|_| ()).map_err(|refusal| format!("at the rate that it asks for: {refusal}"))
        }
        Some(refusal) => Err(format!("above its limit it says: {refusal}")),
        None => Err(format!("it runs at ωΔt = {above}, above its limit {limit}")),
    }
}

#[test]
fn stable_below_the_limit_and_refused_above_it() {
    hold(law);
}
