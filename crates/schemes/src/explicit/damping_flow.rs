//! Damping split off a step, exact for frozen positions: M v̇ = −(R + Σ μV′(xⱼ) cⱼcⱼᵀ) v for a time τ.
//!
//! Three flows, each exact, one after the other, and in reverse order behind the undamped step, so that the whole
//! is symmetric (Strang):
//!
//!   damping of single coordinates   vᵢ ← e^(−rᵢτ/mᵢ) vᵢ
//!   damping between coordinates     v ← p(τM⁻¹R) v,   p(x) = Σ_{k≤d} c_k (−x)ᵏ
//!   the loss of a contact           ρ = c·v decays by e^(−μV′(x)gτ), g = cᵀM⁻¹c;   v ← v − M⁻¹c (1 − e^…)ρ/g
//!   a contact's relaxation          ρ̇ = −g max(αV″(x)ρ, −V′(x)): linear in time up to ρ = −V′/αV″, and decay by e^(−αV″gτ) beyond
//!
//! The polynomial p is that of `exponential.rs`, in so many sub-steps that x ≤ ½: it differs from e^(−x) by less than half
//! a rounding and lies between 0 and e^(−x), so that no mode can grow. Where it reaches no farther than a stencil,
//! v − p(τM⁻¹R) v is assembled and takes one loop; elsewhere Horner's scheme takes d of them. Each flow accounts for the kinetic
//! energy before less after.

use crate::{
    contact::Contact,
    exact_damping,
    explicit::{
        accelerations::{self, Accelerations},
        exponential, stencil,
    },
    instructions,
};
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{element::LossLaw, operator::Operator, refusal::Refusal, system::System};
use hamiltone_numerics::{
    aligned::{Aligned, zeros},
    lanes, math,
};
use std::sync::Arc;

/// More sub-steps than this are refused: an implicit scheme does the same in one.
const MAX_SUBSTEPS: f64 = 64.0;

/// The flows of a time τ.
#[derive(Clone, Debug)]
pub(crate) struct DampingFlow {
    tau: f64,
    /// e^(−rτ/m), a factor a coordinate; empty without.
    factors: Arc<[f64]>,
    coupled: Option<Arc<Polynomial>>,
    /// Contacts with a loss: (number, g).
    lossy: Vec<(usize, f64)>,
    mass: Arc<[f64]>,
    before: Aligned,
    work: [Aligned; 2],
    level: Level,
}

/// p(τM⁻¹R) in sub-steps.
#[derive(Clone, Debug)]
struct Polynomial {
    /// M⁻¹R as accelerations.
    rows: Accelerations,
    substeps: usize,
    /// c₀ … c_d.
    coefficients: Vec<f64>,
    /// τ over the number of sub-steps.
    part: f64,
    /// 1 − p(τM⁻¹R) as accelerations, where it is narrow.
    taken: Option<Accelerations>,
}

impl DampingFlow {
    /// The damping of `system` and its contacts for the time `tau`, s.
    pub fn new(
        scheme: &'static str,
        system: &System,
        contacts: &[Contact],
        tau: f64,
    ) -> Result<Self, Refusal> {
        let (mut single, mut between) = (system.clone(), system.clone());
        for (alone, joined) in single.blocks.iter_mut().zip(&mut between.blocks) {
            match alone.damping {
                Operator::Zero | Operator::Diagonal(_) => joined.damping = Operator::Zero,
                Operator::Strains(_) | Operator::Stencils(_) => alone.damping = Operator::Zero,
            }
            // R takes the place of K, so that the assembly of springs serves the dampers.
            joined.stiffness = std::mem::replace(&mut joined.damping, Operator::Zero);
        }
        let factors = exact_damping::factors(scheme, &single, tau)?;
        let rows = Accelerations::new(&between, true, false);
        let lossy = contacts.iter().enumerate().filter(|(_, t)| t.law.loss > 0.0);
        let lossy = lossy.map(|(j, t)| (j, rows.mobility(&t.row))).collect();
        let n = system.size();
        Ok(Self {
            tau,
            // Without damping no loop is made.
            factors: if factors.iter().all(|f| *f == 1.0) { Arc::from([]) } else { factors.into() },
            coupled: Polynomial::new(scheme, rows, tau)?.map(Arc::new),
            lossy,
            mass: system.mass.clone().into(),
            before: zeros(n),
            work: [zeros(n), zeros(n)],
            level: instructions::level_of(n),
        })
    }

    /// The flows in order; returns what they took.
    #[inline(always)]
    pub fn forwards_in_lanes<S: Simd>(
        &mut self,
        simd: S,
        contacts: &[Contact],
        q: &[f64],
        v: &mut [f64],
    ) -> f64 {
        let mut dissipated = self.single(v) + self.between(simd, v);
        for k in 0..self.lossy.len() {
            dissipated += self.contact(k, contacts, q, v);
        }
        dissipated
    }

    /// The flows in reverse order; returns what they took.
    #[inline(always)]
    pub fn backwards_in_lanes<S: Simd>(
        &mut self,
        simd: S,
        contacts: &[Contact],
        q: &[f64],
        v: &mut [f64],
    ) -> f64 {
        let mut dissipated = 0.0;
        for k in (0..self.lossy.len()).rev() {
            dissipated += self.contact(k, contacts, q, v);
        }
        dissipated += self.between(simd, v);
        dissipated + self.single(v)
    }

    #[inline(always)]
    fn single(&self, v: &mut [f64]) -> f64 {
        0.5 * exact_damping::apply(&self.factors, &self.mass, v)
    }

    #[inline(always)]
    fn between<S: Simd>(&mut self, simd: S, v: &mut [f64]) -> f64 {
        let Some(polynomial) = &self.coupled else { return 0.0 };
        // The energy before is needed when v has been replaced.
        self.before.copy_from_slice(v);
        if let Some(taken) = &polynomial.taken {
            return taken.decay(simd, &self.before, v);
        }
        polynomial.apply(self.level, v, &mut self.work);
        let sum = lanes::sum_of([v, &self.before, &self.mass], |[v, w, m]| m * ((w - v) * (w + v)));
        0.5 * sum
    }

    fn contact(&self, k: usize, contacts: &[Contact], q: &[f64], v: &mut [f64]) -> f64 {
        let (j, g) = self.lossy[k];
        let contact = &contacts[j];
        let x = contact.penetration(q);
        // An open contact has V′ = 0; a row without entries moves nothing.
        if x <= contact.onset || g == 0.0 {
            return 0.0;
        }
        let speed = contact.row.dot(v);
        let (law, force) = (&contact.law, contact.law.force(x));
        // 1 − e^(−μV′gτ), and the part of ½ρ²/g that goes: (1 − e²) = (1 − e)(2 − (1 − e)).
        let part = match law.loss_law {
            LossLaw::Rate => -math::expm1(-law.loss * force * g * self.tau),
            LossLaw::Relaxation => relaxed(speed, g * force, g * law.loss * law.curvature(x), self.tau),
        };
        let impulse = part * speed / g;
        accelerations::pull(&self.mass, &contact.row, impulse, v);
        0.5 * speed * speed / g * part * (2.0 - part)
    }
}

/// 1 − ρ(τ)/ρ for ρ̇ = −max(bρ, −a) from the speed ρ, a, b ≥ 0.
fn relaxed(speed: f64, a: f64, b: f64, tau: f64) -> f64 {
    // Below −a/b the relaxation takes the whole of the force a, and no more.
    let linear = if b * speed < -a { ((-a / b - speed) / a).min(tau) } else { 0.0 };
    if linear == 0.0 {
        return -math::expm1(-b * tau);
    }
    let at = speed + a * linear;
    1.0 - at * math::exp(-b * (tau - linear)) / speed
}

impl Polynomial {
    fn new(scheme: &'static str, rows: Accelerations, tau: f64) -> Result<Option<Self>, Refusal> {
        let bound = (rows.bounds().0 * tau).abs();
        if bound == 0.0 {
            return Ok(None);
        }
        // So that x ≤ ½ in each sub-step.
        let substeps = (2.0 * bound).ceil();
        if substeps > MAX_SUBSTEPS {
            return Err(Refusal::OutOfRange {
                scheme,
                what: format!(
                    "damping between coordinates as strong as λ_max·Δt/2 = {bound:.3e} (at most {})",
                    MAX_SUBSTEPS / 2.0
                ),
                instead: "run at a higher rate, or use an implicit scheme".into(),
            });
        }
        let coefficients = exponential::below((bound / substeps).copysign(tau));
        let mut polynomial =
            Self { rows, substeps: substeps as usize, coefficients, part: tau / substeps, taken: None };
        polynomial.taken = polynomial.assembled();
        Ok(Some(polynomial))
    }

    /// v ← p(τM⁻¹R) v by Horner's scheme: y ← v − c_k/c_{k−1} x y, k = d … 1.
    fn apply(&self, level: Level, v: &mut [f64], [y, next]: &mut [Aligned; 2]) {
        for _ in 0..self.substeps {
            y.copy_from_slice(v);
            for pair in self.coefficients.windows(2).rev() {
                next.copy_from_slice(v);
                self.push(level, self.part * (pair[1] / pair[0]), y, next);
                std::mem::swap(y, next);
            }
            v.copy_from_slice(y);
        }
    }

    /// y −= h M⁻¹R x.
    fn push(&self, level: Level, h: f64, x: &[f64], y: &mut [f64]) {
        dispatch!(level, simd => self.rows.push(simd, h, x, y));
    }

    /// 1 − p(τM⁻¹R) as one row a coordinate, where it reaches no farther than a stencil. Columns so far apart that
    /// they do not meet are made together, and the sums of the rows by the strains.
    fn assembled(&self) -> Option<Accelerations> {
        let half = (self.coefficients.len() - 1) * self.rows.half()?;
        if self.substeps > 1 || half > stencil::REACH {
            return None;
        }
        let (n, width) = (self.rows.mass().len(), 2 * half + 1);
        let mut weights = vec![0.0; n * width];
        for phase in 0..width {
            let units = (0..n).map(|j| if j % width == phase { 1.0 } else { 0.0 }).collect();
            for (i, taken) in self.taken_from(units).into_iter().enumerate() {
                // The only column of this phase that reaches row i is i − half + k.
                let k = (phase + half + width - i % width) % width;
                weights[i * width + k] = taken;
            }
        }
        for (i, sum) in self.taken_from(vec![1.0; n]).into_iter().enumerate() {
            weights[i * width + half] = sum;
        }
        Some(Accelerations::of_rows(&weights, half, self.rows.mass()))
    }

    /// v − p(x) v = x (c₁ v − x (c₂ v − …)), in which nothing cancels.
    fn taken_from(&self, v: Vec<f64>) -> Vec<f64> {
        let times = |c: f64| v.iter().map(|v| c * v).collect::<Vec<f64>>();
        let mut sum = vec![0.0; v.len()];
        for c in self.coefficients[1..].iter().rev() {
            let mut next = times(*c);
            self.push(Level::baseline(), self.part, &sum, &mut next);
            sum = next;
        }
        let mut taken = vec![0.0; v.len()];
        self.push(Level::baseline(), -self.part, &sum, &mut taken);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::system::Block;
    use hamiltone_numerics::row::Row;

    /// Masses in a row with a damper between each two, and one to the ground.
    fn chain(n: usize) -> System {
        let mut system = System::default();
        (0..n).for_each(|_| {
            system.add_dof(0.7, 0.0, 0.0);
        });
        let mut dampers = vec![(0.3, Row::unit(0))];
        dampers.extend((1..n).map(|i| (1.0, Row::Sparse(vec![(i - 1, -1.0), (i, 1.0)]))));
        let damping = Operator::Strains(dampers);
        system.blocks.push(Block { name: "chain".into(), dofs: 0..n, stiffness: Operator::Zero, damping });
        system
    }

    /// ρ̇ = −max(bρ, −a) in a thousand small steps of second order: from below −a/b, across it, and from above.
    #[test]
    fn a_relaxation_takes_no_more_than_the_force() {
        let (a, b, tau) = (3.0, 40.0, 0.02);
        for speed in [-5.0, -0.1, -0.076, -0.05, 0.3] {
            let rate = |speed: f64| -f64::max(b * speed, -a);
            let (mut found, dt) = (speed, tau / 1000.0);
            for _ in 0..1000 {
                found += dt * rate(found + 0.5 * dt * rate(found));
            }
            let exact = speed * (1.0 - relaxed(speed, a, b, tau));
            // (bΔt)²/6 of each of the steps, and a step in which the kink lies.
            assert!((found - exact).abs() < 1e-6 * speed.abs(), "{speed}: {found} {exact}");
        }
        // Without a force nothing is taken, and at a standstill there is nothing to take.
        assert_eq!(relaxed(-1.0, 0.0, b, tau), 0.0);
        assert!(relaxed(0.0, a, b, tau).is_finite());
    }

    /// The same polynomial, up to the roundings of sums of less than 2, in runs of rows of any length.
    #[test]
    fn one_loop_takes_what_horners_scheme_does() {
        for n in [5, 24, 30, 33, 37] {
            let mut flow = DampingFlow::new("test", &chain(n), &[], 5e-5).unwrap();
            let polynomial = flow.coupled.clone().unwrap();
            assert_eq!(polynomial.coefficients.len(), 4);
            assert!(polynomial.taken.is_some());
            let v: Vec<f64> = (0..n).map(|i| (0.7 * (i * i) as f64).sin()).collect();
            let (mut found, mut expected) = (v.clone(), v.clone());
            let level = flow.level;
            let dissipated = dispatch!(level, simd => flow.forwards_in_lanes(simd, &[], &[], &mut found));
            polynomial.apply(flow.level, &mut expected, &mut flow.work);
            let mut lost = 0.0;
            for i in 0..n {
                assert!((found[i] - expected[i]).abs() < 4.0 * f64::EPSILON, "{n} {i}");
                lost += 0.5 * 0.7 * (v[i] - expected[i]) * (v[i] + expected[i]);
            }
            assert!(
                (dissipated - lost).abs() < 8.0 * n as f64 * f64::EPSILON,
                "{n}: {dissipated:e} {lost:e}"
            );
        }
    }
}
