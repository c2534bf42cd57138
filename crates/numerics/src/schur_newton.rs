//! The contact forces of one implicit step.
//!
//! Reduced to the contacts by Schur's complement, a step with P contacts reads
//!
//!   Φ(σ) = σ − σ_free + G Y(σ) = 0,   G = C A⁻¹ Cᵀ (P × P, ≥ 0)
//!
//! where σⱼ is the change of penetration in the step and Yⱼ(σⱼ) the multiplier
//! that its law answers, never decreasing in σⱼ. Hence Φ is strongly monotone in
//! the metric of G⁻¹ and has one root. Newton's step from σ, with D = diag ∂Y/∂σ ≥ 0:
//!
//!   (I + D^½ G D^½) z = −D^½ Φ(σ),   y = Y(σ) + D^½ z,   σ⁺ = σ − (Φ(σ) + G D^½ z) = σ_free − G y
//!
//! in which the first form of σ⁺ has 1/(1 + GD) of the rounding error of the second: for a stiff
//! contact σ is a small difference of a large free motion and a large push.
//!
//! The matrix is symmetric and its eigenvalues are ≥ 1, also where G is singular
//! (two contacts on one row). What is returned is y, the multipliers of the last
//! *linear* system, so that y and σ⁺ fit to rounding; laws evaluated anew at σ⁺ would not.
//!
//! It stops when Φ is below its rounding floor and takes y from one more linear solve
//! there: without it, the last error would always have one sign.

use crate::{
    compliance::Compliance,
    double::Double,
    line_search,
    list::List,
    subset_cholesky::{Matrix, SubsetCholesky, dot},
};
/// Iterations after which the step is given up; on smooth laws Newton needs fewer than ten, on many stiff ones at once some tens,
/// and where a law with a great loss is met by another a million times as stiff up to a hundred.
pub(crate) const ITERATIONS_MAX: u32 = 200;

/// Where G D exceeds this, σ⁺ − σ as the difference Φ + G D^½ z keeps less than half of its digits.
const STIFF: f64 = 1.0 / (1_u64 << 26) as f64 / f64::EPSILON;

/// Solves for the contact multipliers. All memory is allocated when it is made.
#[derive(Clone, Debug)]
pub struct SchurNewton {
    count: usize,
    /// G, row-major.
    compliance: Compliance,
    /// Another G, and whether it is in use.
    other: Vec<f64>,
    is_changed: bool,
    /// y: the multipliers of the last solve.
    pub multipliers: Vec<f64>,
    /// σ of the last solve, to its own last bits.
    pub steps: Vec<f64>,
    /// The rounding remainder of `steps`: the multipliers belong to `steps + remainder`.
    pub remainder: Vec<f64>,
    /// What [`SchurNewton::correct`] found.
    pub response: Vec<f64>,
    /// σ⁺ − σ.
    change: Vec<f64>,
    /// σ before the search.
    trial: Vec<f64>,
    value: Vec<f64>,
    /// ∂y/∂σ at the last solve.
    pub slope: Vec<f64>,
    phi: Vec<f64>,
    z: Vec<f64>,
    /// For its own G, and for the other.
    factors: [Factor; 2],
    /// Whether any law answered in the last solve.
    any: bool,
    /// The contacts that act: y or its slope is not 0.
    acting: List<usize>,
    /// The rounding error of yₖ, over eps.
    known: Vec<f64>,
}

/// G + D⁻¹ = L Lᵀ on the contacts with a slope, which is D^−½ (I + D^½ G D^½) D^−½ and has the same roundings: kept as long as D and G
/// stay the same, as of springs in contact.
#[derive(Clone, Debug, Default)]
struct Factor {
    cholesky: SubsetCholesky,
    /// D⁻¹ of those with a slope.
    softness: Vec<f64>,
}

impl Factor {
    /// Room for so many contacts.
    fn new(count: usize) -> Self {
        Self { cholesky: SubsetCholesky::new(count), softness: vec![0.0; count] }
    }

    /// Of the compliance G and these slopes.
    fn make(&mut self, compliance: &[f64], slope: &[f64]) {
        for (softness, slope) in self.softness.iter_mut().zip(slope) {
            *softness = if *slope > 0.0 { 1.0 / slope } else { 0.0 };
        }
        let matrix = Matrix { count: slope.len(), entries: compliance, added: &self.softness };
        self.cholesky.become_of((0..slope.len()).filter(|&j| slope[j] > 0.0), matrix);
    }

    /// (G + D⁻¹)⁻¹ · change = D^½ (I + D^½ G D^½)⁻¹ D^½ · change; `z` is room for as many numbers.
    fn respond(&self, change: &[f64], z: &mut [f64], response: &mut [f64]) {
        let members = &self.cholesky.members;
        let z = &mut z[..members.len()];
        z.iter_mut().zip(members).for_each(|(z, &j)| *z = change[j]);
        self.cholesky.forward(z);
        self.cholesky.backward(z);
        response.fill(0.0);
        members.iter().zip(&*z).for_each(|(&j, z)| response[j] = *z);
    }
}

/// How a solve went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convergence {
    /// Evaluations of the laws after the first.
    pub iterations: u32,
    /// max |Φⱼ| over its rounding floor at the stop; ≤ 1 when converged.
    pub excess: f64,
}

impl SchurNewton {
    /// A solver for the compliance G (P × P, row-major).
    pub fn new(count: usize, compliance: Vec<f64>) -> Self {
        assert_eq!(compliance.len(), count * count);
        let zero = || vec![0.0; count];
        Self {
            count,
            compliance: Compliance::new(compliance),
            other: Vec::new(),
            is_changed: false,
            multipliers: zero(),
            steps: zero(),
            remainder: zero(),
            response: zero(),
            change: zero(),
            trial: zero(),
            value: zero(),
            slope: zero(),
            phi: zero(),
            z: zero(),
            factors: [Factor::new(count), Factor::default()],
            any: false,
            acting: List::with_room(count),
            known: zero(),
        }
    }

    /// Makes room for [`SchurNewton::lower`].
    pub fn reserve_lower(&mut self) {
        self.compliance.reserve();
    }

    /// What it was made with becomes G − Σₖ uₖuₖᵀ, row j having the numbers `of`(j) of u: others answer within the step.
    ///
    /// # Panics
    /// Without [`SchurNewton::reserve_lower`].
    pub fn lower<'a>(&mut self, of: impl Fn(usize) -> &'a [f64]) {
        self.compliance.lower(self.count, &of, &of);
        // No row of a factor of the G before is reused.
        self.factors[0].cholesky.members.clear();
    }

    /// Makes room for another G, as of [`SchurNewton::changed`].
    pub fn reserve_change(&mut self) {
        self.other = vec![0.0; self.count * self.count];
        self.factors[1] = Factor::new(self.count);
    }

    /// A copy of the G that it was made with, to be changed: it is used until [`SchurNewton::restore`].
    ///
    /// # Panics
    /// Without [`SchurNewton::reserve_change`].
    pub fn changed(&mut self) -> &mut [f64] {
        assert_eq!(self.other.len(), self.count * self.count, "there is no room for another compliance");
        self.is_changed = true;
        // Its factor belongs to the G of the last change: without members no row of it is reused.
        self.factors[1].cholesky.members.clear();
        self.other.copy_from_slice(&self.compliance);
        &mut self.other
    }

    /// Uses the G of the last change again until [`SchurNewton::restore`].
    pub fn change_again(&mut self) {
        self.is_changed = true;
    }

    /// Returns to the G that it was made with.
    pub fn restore(&mut self) {
        self.is_changed = false;
    }

    /// Solves Φ(σ) = 0 for `law(j, σⱼ) = (Yⱼ, ∂Yⱼ/∂σⱼ)` and leaves y in [`SchurNewton::multipliers`].
    ///
    /// `penetration` are the penetrations at the start of the step: they set the rounding floor.
    pub fn solve(
        &mut self,
        penetration: &[f64],
        free: &[f64],
        mut law: impl FnMut(usize, f64) -> (f64, f64),
    ) -> Convergence {
        self.steps.copy_from_slice(free);
        self.remainder.fill(0.0);
        let mut norm = self.evaluate(free, &mut law);
        self.any = self.value.iter().any(|&y| y != 0.0);
        if !self.any {
            self.multipliers.fill(0.0);
            return Convergence { iterations: 0, excess: 0.0 };
        }
        for iterations in 0..ITERATIONS_MAX {
            let (excess, noise) = self.excess(penetration, free);
            // Before the test: y of a converged solve is that of this linear system.
            self.newton_step();
            if excess <= 1.0 {
                self.finish();
                return Convergence { iterations, excess };
            }
            // A law answered ∞ or NaN, from where no direction leads back.
            if !norm.is_finite() {
                return Convergence { iterations, excess: f64::INFINITY };
            }
            // A decrease of the norm below its rounding cannot be measured: such steps are accepted.
            norm = self.search(free, norm.max(noise), iterations, &mut law);
        }
        let (excess, _) = self.excess(penetration, free);
        self.newton_step();
        self.finish();
        Convergence { iterations: ITERATIONS_MAX, excess }
    }

    fn finish(&mut self) {
        for ((step, remainder), change) in self.steps.iter_mut().zip(&mut self.remainder).zip(&self.change) {
            // y belongs to the exact sum: what its rounding leaves out is kept beside it.
            let sum = Double::sum(*step, *change);
            (*step, *remainder) = (sum.high, sum.low);
        }
    }

    /// Y, D and Φ at σ; returns Σ Φⱼ²/Gⱼⱼ.
    fn evaluate(&mut self, free: &[f64], law: &mut impl FnMut(usize, f64) -> (f64, f64)) -> f64 {
        let compliance = current(self.is_changed, &self.other, &self.compliance);
        for j in 0..self.count {
            (self.value[j], self.slope[j]) = law(j, self.steps[j]);
        }
        self.acting.clear();
        self.acting.extend((0..self.count).filter(|&j| self.value[j] != 0.0 || self.slope[j] != 0.0));
        let mut norm = 0.0;
        for (j, free) in free.iter().enumerate() {
            let row = &compliance[j * self.count..(j + 1) * self.count];
            let pushed = product(row, &self.value, &self.acting);
            // σ and σ_free first: where they are close their difference is exact, and the push is not rounded to their size.
            self.phi[j] = (self.steps[j] - free) + pushed;
            // A contact that nothing moves has Gⱼⱼ = 0 and Φⱼ = 0.
            norm += self.phi[j] * self.phi[j] / row[j].max(f64::MIN_POSITIVE);
        }
        norm
    }

    /// max |Φⱼ| over its floor, 2 eps times the sizes that were added to form it, and what Σ Φⱼ²/Gⱼⱼ is at
    /// twice the floors: below that, the Φⱼ of a contact far softer than its neighbours is their rounding.
    fn excess(&mut self, penetration: &[f64], free: &[f64]) -> (f64, f64) {
        let compliance = current(self.is_changed, &self.other, &self.compliance);
        for &k in &self.acting {
            // Yₖ is known to an eps of itself and to its slope times an eps of its argument.
            // The law's argument is penetration + σ, rounded to the larger of both.
            let argument = penetration[k].abs() + self.steps[k].abs();
            self.known[k] = self.value[k].abs() + self.slope[k] * argument;
        }
        let (mut excess, mut noise): (f64, f64) = (0.0, 0.0);
        for (j, free) in free.iter().enumerate() {
            let row = &compliance[j * self.count..(j + 1) * self.count];
            let mut size = self.steps[j].abs() + free.abs();
            self.acting.iter().for_each(|&k| size += row[k].abs() * self.known[k]);
            let floor = 2.0 * f64::EPSILON * size + f64::MIN_POSITIVE;
            excess = excess.max(self.phi[j].abs() / floor);
            noise += 4.0 * floor * floor / row[j].max(f64::MIN_POSITIVE);
        }
        (if excess.is_nan() { f64::INFINITY } else { excess }, noise)
    }

    /// y = Y + D^½ z and σ⁺ − σ = −(Φ + G D^½ z), or z/D^½, which is the same and no difference.
    fn newton_step(&mut self) {
        let compliance = current(self.is_changed, &self.other, &self.compliance);
        let factor = &mut self.factors[usize::from(self.is_changed)];
        factor.make(compliance, &self.slope);
        factor.respond(&self.phi, &mut self.z, &mut self.response);
        for j in 0..self.count {
            let row = &compliance[j * self.count..(j + 1) * self.count];
            let pushed = product(row, &self.response, &factor.cholesky.members);
            let stiff = self.slope[j] * row[j] > STIFF;
            self.change[j] = if stiff { -self.response[j] / self.slope[j] } else { pushed - self.phi[j] };
            self.multipliers[j] = self.value[j] - self.response[j];
        }
    }

    /// Leaves in [`SchurNewton::response`] what to subtract from the multipliers where the ways are longer by this, with the slopes of the last
    /// solve: D^½ (I + D^½ G D^½)⁻¹ D^½ · miss.
    pub fn respond(&mut self, miss: &[f64]) {
        match self.any {
            // Without an answer of a law no factor was made in this step.
            true => {
                let factor = &self.factors[usize::from(self.is_changed)];
                factor.respond(miss, &mut self.z, &mut self.response);
            }
            false => self.response.fill(0.0),
        }
    }

    /// Corrects for the step s as computed, which misses σ by `miss` = σ − C s: leaves in [`SchurNewton::response`] what to
    /// subtract from the multipliers, and in [`SchurNewton::steps`] the resulting σ.
    pub fn correct(&mut self, miss: &[f64]) {
        self.respond(miss);
        let compliance = current(self.is_changed, &self.other, &self.compliance);
        let factor = &self.factors[usize::from(self.is_changed)];
        for (j, miss) in miss.iter().enumerate() {
            let row = &compliance[j * self.count..(j + 1) * self.count];
            let pushed = product(row, &self.response, &factor.cholesky.members);
            self.steps[j] += pushed - miss;
        }
    }

    /// Moves σ to σ⁺, or as far towards or beyond it as makes ‖Φ‖ smaller.
    fn search(
        &mut self,
        free: &[f64],
        norm: f64,
        iterations: u32,
        law: &mut impl FnMut(usize, f64) -> (f64, f64),
    ) -> f64 {
        self.trial.copy_from_slice(&self.steps);
        line_search::along(norm, iterations, |t| self.part(t, free, law)).1
    }

    /// Evaluates at the part `t` of a step from `trial`.
    fn part(&mut self, t: f64, free: &[f64], law: &mut impl FnMut(usize, f64) -> (f64, f64)) -> f64 {
        for ((step, start), change) in self.steps.iter_mut().zip(&self.trial).zip(&self.change) {
            *step = start + t * change;
        }
        self.evaluate(free, law)
    }
}

/// The G in use.
fn current<'a>(is_changed: bool, other: &'a [f64], own: &'a [f64]) -> &'a [f64] {
    if is_changed { other } else { own }
}

/// Σ gₖ yₖ, where all but those `among` the yₖ are 0: of few, only these.
fn product(row: &[f64], y: &[f64], among: &[usize]) -> f64 {
    match 2 * among.len() < row.len() {
        true => among.iter().map(|&k| row[k] * y[k]).sum(),
        false => dot(row, y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    /// σ + g·k·max(0, x + σ) = free has the root (free − g k x)/(1 + g k) in contact.
    fn hard_spring(copies: usize) {
        let (g, k, x, free) = (0.25, 1e9, -1e-4, 3e-4);
        let mut newton = SchurNewton::new(copies, vec![g; copies * copies]);
        let law = |_, s: f64| if x + s > 0.0 { (k * (x + s), k) } else { (0.0, 0.0) };
        let outcome = newton.solve(&vec![x; copies], &vec![free; copies], law);
        assert!(outcome.excess <= 1.0, "{outcome:?}");
        let total: f64 = newton.multipliers.iter().sum();
        let exact = copies as f64 * k * (x + free) / (1.0 + copies as f64 * g * k);
        assert!((total / exact - 1.0).abs() < 1e-14, "{total} {exact}");
    }

    #[test]
    fn one_contact() {
        hard_spring(1);
    }

    /// G is singular: five contacts on one row share the load.
    #[test]
    fn duplicate_contacts() {
        hard_spring(5);
    }

    /// Laws σ^α that answer a thousandfold σ by forces 4 to 99 decades above the balance.
    #[test]
    fn steep_laws_far_out() {
        for alpha in [1.5, 3.0, 7.0, 21.0, 99.0] {
            for count in [1, 2] {
                let compliance =
                    (0..count * count).map(|i| if i % (count + 1) == 0 { 1.0 } else { 0.5 }).collect();
                let mut newton = SchurNewton::new(count, compliance);
                let power = |s: f64, alpha: f64| math::pow(s.abs(), alpha) * s.signum();
                let law = |_, s: f64| (power(s, alpha), alpha * math::pow(s.abs(), alpha - 1.0));
                let free = vec![if alpha < 50.0 { 1e3 } else { 10.0 }; count];
                let outcome = newton.solve(&vec![0.0; count], &free, law);
                assert!(outcome.excess <= 1.0, "{alpha} {count}: {outcome:?}");
                for (s, y) in newton.steps.iter().zip(&newton.multipliers) {
                    assert!((power(*s, alpha) / y - 1.0).abs() < 1e-12 * alpha, "{alpha}: {s} {y}");
                }
            }
        }
    }

    #[test]
    fn untouched_costs_nothing() {
        let mut newton = SchurNewton::new(1, vec![1.0]);
        let outcome = newton.solve(&[-1.0], &[0.5], |_, _| (0.0, 0.0));
        assert_eq!((outcome.iterations, newton.multipliers[0]), (0, 0.0));
    }
}
