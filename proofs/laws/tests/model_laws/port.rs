//! The laws of a port: with any rates of its rows without it, any mobility and any memory that it wrote itself, it takes energy, what it remembers
//! and pushes with is finite, and where it says that it is idle it does not push.

use super::{EPS, require};
use hamiltone_core::port::{PortStep, Ported};

/// So many steps follow each other, each with the memory of the one before.
const STEPS: usize = 24;

/// Steps with w_f of the size `rate` (m/s) and Y of the size `mobility` (m/(N s)), at control values of the size `control` and places of the size
/// `place` (m).
pub fn laws(law: &Ported, rate: f64, mobility: f64, [control, place]: [f64; 2]) -> Result<(), String> {
    let (port, k) = (&law.port, law.port.measures().len());
    require(!port.control().0.is_empty(), || "its control has no name".into())?;
    let (mut memory, mut force) = (vec![0.0; port.memory()], vec![0.0; k]);
    // Y = LLᵀ with L of sines: of rank 1 in one step of three, and 0 in another.
    let y_of = |step: usize| -> Vec<f64> {
        let l = |i: usize, j: usize| {
            if step.is_multiple_of(3) && j > 0 { 0.0 } else { ((1 + i + 3 * j + step) as f64).sin() }
        };
        let size = if step % 3 == 1 { 0.0 } else { mobility };
        // Nothing moves the first ones of some laws.
        let moved = |i: usize| if i < port.still() { 0.0 } else { 1.0 };
        // A force along one row of some laws moves no other.
        let joined = |i: usize, j: usize| if port.is_apart() && i != j { 0.0 } else { moved(i) * moved(j) };
        let entry = |i: usize, j: usize| joined(i, j) * size * (0..k).map(|a| l(i, a) * l(j, a)).sum::<f64>();
        (0..k * k).map(|at| entry(at / k, at % k)).collect()
    };
    for step in 0..STEPS {
        let free: Vec<f64> = (0..k).map(|i| rate * ((2 * step + 5 * i) as f64).cos()).collect();
        let seen = law.seen(if step % 5 == 4 { 0.0 } else { control * (0.3 * step as f64).cos() });
        let (y, dt) = (y_of(step), 2e-5);
        // Where its rows are, around where a reed meets its lay, and halfway with another speed.
        let places: Vec<f64> = (0..k).map(|i| place * ((3 * step + i) as f64).sin()).collect();
        let halfway: Vec<f64> = places.iter().map(|x| x + 0.1 * place * (step as f64).cos()).collect();
        let stored = |memory: &[f64], way: &dyn Fn(usize) -> f64| {
            port.stored(memory) + port.energy(&|i| places[i] + way(i))
        };
        let before = stored(&memory, &|_| 0.0);
        let told =
            PortStep { dt, free: &free, mobility: &y, control: seen, places: &places, halfway: &halfway };
        let again = {
            let (mut memory, mut force) = (memory.clone(), vec![0.0; k]);
            port.meet(&told, &mut memory, &mut force);
            (memory, force)
        };
        port.meet(&told, &mut memory, &mut force);
        let context =
            || format!("step {step}: w_f {free:?}, Y {y:?}, control {seen}: F {force:?}, memory {memory:?}");
        require((&again.0, &again.1) == (&memory, &force), || format!("{} is not what it was", context()))?;
        require(force.iter().chain(&memory).all(|x| x.is_finite()), context)?;
        require(!port.is_idle(seen) || force.iter().all(|f| *f == 0.0), || format!("idle {}", context()))?;
        let w = |i: usize| free[i] - (0..k).map(|j| y[i * k + j] * force[j]).sum::<f64>();
        let parts = |i: usize| free[i].abs() + (0..k).map(|j| (y[i * k + j] * force[j]).abs()).sum::<f64>();
        let (taken, size) = (0..k)
            .fold((0.0, 0.0), |(taken, size), i| (taken + force[i] * w(i), size + force[i].abs() * parts(i)));
        let after = stored(&memory, &|i| dt * w(i));
        let more = (after - before) / dt;
        // Each place is known to a rounding, and what is stored there to that times its slope, which is at most the root of 2V V″: of a lay to 1e9 N/m.
        let known = (before.max(after) * 2e9).sqrt() * place.abs() / dt;
        require(taken - more >= -8.0 * EPS * (size + (before + after) / dt + known), || {
            format!("it gives {} W in {}", more - taken, context())
        })?;
    }
    Ok(())
}
