//! The energy balance of a run: the ledgers of its steps, added up.
//!
//!   r_k = stored_k − stored_j + Σ(dissipated − supplied − contact_work)   over the steps j < i ≤ k between two audit points
//!   residual = maxₖ |Σ r| / S
//!   S = max|stored| + max_i(dissipated_i + |supplied_i|) + max(Σⱼ|fⱼ|(Σᵢ|cⱼᵢqᵢ| + |σⱼ| + |hⱼ|) + Σᵢ|(Kq)ᵢqᵢ|)
//!
//! An audit point is a step whose ledger has the stored energy; the flows of the steps between two of them add up, so that a balance
//! that holds at both ends holds for all of them together. Between them the energy is known from the flows: a blow that comes and goes
//! there counts in max|stored|.
//!
//! fⱼ being the larger of a contact's force over the step and at its end (there with what its loss takes a metre), σⱼ its
//! way in the step.
//!
//! S is the size of what is compared: the energy, what passes through in one step (more than
//! is stored where damping dissipates a drive at once), and what a rounding of the positions is
//! worth to contacts and to springs between coordinates (two bodies that fly off together, far
//! from where they started, know the stretch of the spring between them to eps of the way). The
//! last belongs to exact balances alone: a bound on truncation has nothing to do with rounding.
//!
//! An exact balance leaves rounding only. Each step's r carries a few roundings of quantities of size S, which add up like a random
//! walk (10√N eps) with a bias of d·N eps, on top of a floor for short runs (20 eps): the tolerance is eps(20 + 10√N + dN), N being
//! the number of steps. The bias d is a claim of the scheme
//! ([`Balance::Exact`]): constants that were rounded once, and states that come back to the same digits, round the same way each time.
//!
//! In a motion that does not change, as of a mass that a force pushes through a damper, every step rounds the same way: what
//! it gives and loses is known to two eps of itself, by three products and a constant that were rounded, and those add up
//! like the flows. Of an exact balance 2 eps Σ_k(dissipated_k + |supplied_k|) are therefore added, relative to S.
//!
//! A rounding of the positions can be worth more than all of the energy, far from where the bodies are at rest. Where the
//! tolerance is worth more than 10⁻⁶ of the energy (the physical one, where that is known and larger) and of what passes
//! through in a step, an exact balance could be wrong by as much unnoticed: such a run is not judged, and does not pass.

use crate::{
    claims::Balance,
    ledger::{DIVERGED, Fault, Ledger},
    state::Archive,
};
use hamiltone_numerics::compensation;

pub use crate::imbalance::{Imbalance, MAX_UNCERTAINTY};

/// How many steps lie between two audit points of a run.
pub const AUDIT_INTERVAL: u64 = 64;

/// What proofs hold single steps to; a run is judged by its sums, and by this where a solver did not converge.
/// One step of an exact balance may leave this many eps of S: about eight products
/// and sums of energies enter r, each rounded to half an eps, twice over. The roundings of n steps between two audit points are
/// independent: they may leave √n times that.
pub const STEP_TOLERANCE: f64 = 16.0 * f64::EPSILON;

/// How well what a step gives and loses is known, relative to it.
const FLOW_ROUNDING: f64 = 2.0 * f64::EPSILON;

/// The largest physical energy of a passive run, relative to what was put in, under schemes whose own energy is another.
pub const MAX_PHYSICAL_ENERGY: f64 = 2.0;

/// Adds up the ledgers of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// Whether the balance is exact, and judged by rounding, or bounded.
    pub balance: Balance,
    /// The energy stored at t = 0, J.
    pub energy_initial: f64,
    /// The largest |stored|, J; between audit points by the flows.
    pub energy_peak: f64,
    /// The largest physical energy, J, where it is known and another than the stored one; else 0.
    pub energy_physical: f64,
    /// The energy stored at the last audit point, J.
    pub energy_final: f64,
    /// The energy given by the inputs, J.
    pub supplied: f64,
    /// The energy taken by losses, J.
    pub dissipated: f64,
    /// The work of contacts that no potential stores, J.
    pub contact_work: f64,
    /// maxₙ Σ_{k≤n} supplied_k, at least 0, J: what the inputs took back later does not reduce it.
    pub supplied_max: f64,
    /// maxₙ Σ_{k≤n} contact_work_k, at least 0, J: what contacts had gained, whatever they took later.
    pub contact_work_max: f64,
    /// The number of steps.
    pub steps: u64,
    /// Σ r_k so far, J.
    pub residual: f64,
    /// max |Σ r_k|, J.
    pub residual_max: f64,
    /// The audit point at which |Σ r_k| was largest.
    pub residual_max_step: u64,
    /// max |r|/√n of the n steps between two audit points, J.
    pub residual_step_max: f64,
    /// The same between two audit points with a step whose solver did not converge, J.
    pub residual_unconverged_max: f64,
    /// The number of steps whose solver did not converge.
    pub unconverged: u64,
    /// In how many steps a control was outside the range that its law allows, which then took the nearest value.
    pub controls_outside: u64,
    /// The most that losses and inputs moved in one step, J.
    pub turnover: f64,
    /// Σ(|dissipated| + |supplied|): what passed through, J.
    pub throughput: f64,
    /// What a rounding of the positions was worth at most, over eps, J.
    pub leverage: f64,
    /// The most Newton iterations that a step took.
    pub iterations_max: u32,
    /// All Newton iterations.
    pub iterations: u64,
    /// What ended the run early, and in which step (the first is 1).
    pub fault: Option<(u64, Fault)>,
    /// What roundings have left out of `supplied`, `dissipated` and `contact_work` so far, J: in the tail of a note a step loses less than the last digit of
    /// what the whole note lost.
    compensation: [f64; 3],
    /// What left in the steps since the last audit point, J.
    pending: f64,
    /// The number of these steps.
    open: u64,
    /// Whether the solver of one of them did not converge.
    open_unconverged: bool,
}

impl Audit {
    /// The balance of a run that starts with this energy stored, under a stepper that keeps this balance.
    pub fn open(initial: f64, balance: Balance) -> Self {
        Self {
            balance,
            energy_initial: initial,
            energy_final: initial,
            energy_peak: initial.abs(),
            ..Self::default()
        }
    }

    /// Goes through every sum of a run that goes on, to write them down or to take them over; claim, fault and the physical
    /// energy are not among them.
    pub fn archive(&mut self, archive: &mut Archive) {
        let Self {
            balance: _,
            energy_initial,
            energy_peak,
            energy_physical: _,
            energy_final,
            supplied,
            dissipated,
            contact_work,
            supplied_max,
            contact_work_max,
            steps,
            residual,
            residual_max,
            residual_max_step,
            residual_step_max,
            residual_unconverged_max,
            unconverged,
            controls_outside,
            turnover,
            throughput,
            leverage,
            iterations_max,
            iterations,
            fault: _,
            compensation,
            pending,
            open,
            open_unconverged,
        } = self;
        let energies = [energy_initial, energy_peak, energy_final, supplied, dissipated, contact_work];
        let largest = [supplied_max, contact_work_max, residual_max, residual_step_max];
        let others = [residual, residual_unconverged_max, turnover, throughput, leverage, pending];
        energies.into_iter().chain(largest).chain(others).chain(compensation).for_each(|x| archive.number(x));
        let counts = [steps, residual_max_step, unconverged, controls_outside, iterations, open];
        counts.into_iter().for_each(|n| archive.long(n));
        archive.flag(open_unconverged);
        archive.count(iterations_max);
    }

    /// Enters one step; `false` when the run cannot go on.
    pub fn post(&mut self, ledger: &Ledger) -> bool {
        self.steps += 1;
        self.open += 1;
        self.enter(ledger);
        let mut fault = ledger.effort.fault;
        if fault.is_some_and(|fault| !fault.ends_run()) {
            self.unconverged += 1;
            self.open_unconverged = true;
            fault = None;
        }
        if !ledger.partial {
            fault = fault.or(self.close(ledger.stored));
        }
        if let Some(fault) = fault {
            self.fault = Some((self.steps, fault));
        }
        fault.is_none()
    }

    /// The energy stored now, J: that of the last audit point and what flowed since.
    pub fn stored(&self) -> f64 {
        self.energy_final - self.pending
    }

    /// Draws the balance up to the last step, with the energy `stored` after it, J, where its ledger did not have it.
    pub fn settle(&mut self, stored: f64) {
        if self.open > 0 && self.fault.is_none() {
            self.fault = self.close(stored).map(|fault| (self.steps, fault));
        }
    }

    /// Adds up what flowed in a step.
    fn enter(&mut self, ledger: &Ledger) {
        let [supplied, dissipated, contact_work] = &mut self.compensation;
        self.supplied = compensation::add(self.supplied, ledger.supplied, supplied);
        self.dissipated = compensation::add(self.dissipated, ledger.dissipated, dissipated);
        self.contact_work = compensation::add(self.contact_work, ledger.contact_work, contact_work);
        self.supplied_max = self.supplied_max.max(self.supplied);
        self.contact_work_max = self.contact_work_max.max(self.contact_work);
        self.leverage = self.leverage.max(ledger.leverage);
        let flow = ledger.dissipated.abs() + ledger.supplied.abs();
        self.turnover = self.turnover.max(flow);
        self.throughput += flow;
        self.controls_outside += u64::from(ledger.control_outside);
        self.iterations += u64::from(ledger.effort.iterations);
        self.iterations_max = self.iterations_max.max(ledger.effort.iterations);
        self.pending += ledger.dissipated - ledger.supplied - ledger.contact_work;
        if ledger.partial {
            self.energy_peak = self.energy_peak.max(self.stored().abs());
        }
    }

    /// The balance at an audit point with this energy stored, J; what makes going on senseless.
    fn close(&mut self, stored: f64) -> Option<Fault> {
        let r = (stored - self.energy_final) + std::mem::take(&mut self.pending);
        let of_step = r.abs() / (std::mem::take(&mut self.open) as f64).sqrt();
        self.energy_final = stored;
        self.energy_peak = self.energy_peak.max(stored.abs());
        self.residual += r;
        self.residual_step_max = self.residual_step_max.max(of_step);
        if self.residual.abs() > self.residual_max {
            (self.residual_max, self.residual_max_step) = (self.residual.abs(), self.steps);
        }
        if std::mem::take(&mut self.open_unconverged) {
            self.residual_unconverged_max = self.residual_unconverged_max.max(of_step);
        }
        self.trouble(r)
    }

    /// An energy that is no number, or a million times all that was ever put in and what rounding makes of it, is no
    /// sound. Where rounding makes so much of it that a divergence goes on, the run is not judged.
    fn trouble(&self, r: f64) -> Option<Fault> {
        let given = self.put_in();
        if !(r.is_finite() && self.energy_final.is_finite()) {
            Some(Fault::NonFinite)
        } else if given > 0.0 && self.energy_final > DIVERGED * given {
            Some(Fault::Diverged(self.energy_final / given))
        } else {
            None
        }
    }

    /// What was put in, J: the initial energy, the most that the inputs had given by any time, and what a rounding of the
    /// positions was worth. It bounds the energy of a passive system whose contacts do no work
    /// ([`Audit::contact_work_max`]): E(t) ≤ E(0) + Σ supplied.
    pub fn put_in(&self) -> f64 {
        self.put_in_after(self.energy_initial.abs())
    }

    /// The same for another initial energy, J: the physical one, where a scheme's own differs.
    pub fn put_in_after(&self, initial: f64) -> f64 {
        initial + self.supplied_max + f64::EPSILON * self.leverage
    }

    /// S: the size of what the balance compares, J; what rounding is worth counts where rounding is judged.
    pub fn scale(&self) -> f64 {
        let rounding = if self.balance.is_exact() { self.leverage } else { 0.0 };
        self.energy_peak + self.turnover + rounding
    }

    /// What the tolerance of an exact balance is worth with the rounding of positions, relative to the energy – the physical one
    /// where that is larger – and what passed through in one step; 0 where that rounding is worth nothing, and of a bounded balance.
    pub fn uncertainty(&self) -> f64 {
        let energy = self.energy_peak.max(self.energy_physical) + self.turnover;
        match self.balance {
            Balance::Exact { .. } if self.leverage > 0.0 => {
                let own = self.energy_peak + self.turnover + self.leverage;
                (self.exact_tolerance() * own + FLOW_ROUNDING * self.throughput) / energy
            }
            Balance::Exact { .. } | Balance::Bounded => 0.0,
        }
    }

    /// Whether the balance says something of the energy: [`Audit::uncertainty`] is at most [`MAX_UNCERTAINTY`], or the
    /// residual passes without what a rounding of the positions is worth, as of bodies at rest far from their origin.
    pub fn is_judged(&self) -> bool {
        let flows = FLOW_ROUNDING * self.throughput;
        let strict = self.exact_tolerance() * (self.energy_peak + self.turnover) + flows;
        self.uncertainty() <= MAX_UNCERTAINTY || self.residual_max <= strict
    }

    /// max |Σ r_k| / S; 0 where nothing ever moved.
    pub fn residual_max_relative(&self) -> f64 {
        self.relative(self.residual_max)
    }

    /// max |r|/√n of the n steps between two audit points, over S.
    pub fn residual_max_relative_per_step(&self) -> f64 {
        self.relative(self.residual_step_max)
    }

    fn relative(&self, r: f64) -> f64 {
        if r == 0.0 { 0.0 } else { r / self.scale() }
    }

    /// r, J, as a part of the energy: of the largest that was stored, or the physical one where that is larger.
    pub fn of_energy(&self, r: f64) -> f64 {
        if r == 0.0 { 0.0 } else { r / self.energy_peak.max(self.energy_physical) }
    }

    /// The largest relative residual that passes: rounding for an exact balance, `bound` for a bounded one. It must be below
    /// 1, to which the residual of a run that multiplies its energy tends.
    pub fn tolerance(&self, bound: f64) -> f64 {
        match self.balance {
            Balance::Exact { .. } => self.exact_tolerance() + self.relative(FLOW_ROUNDING * self.throughput),
            Balance::Bounded => bound,
        }
    }

    fn exact_tolerance(&self) -> f64 {
        exact_tolerance(self.steps, self.balance.drift())
    }

    /// Whether the run is finite, judged and balanced, with a `bound` below 1 as of [`Audit::tolerance`].
    pub fn ok(&self, bound: f64) -> bool {
        self.fault.is_none() && self.imbalance(bound).is_none()
    }

    /// What of the balance does not hold, with a `bound` below 1 as of [`Audit::tolerance`]. A solver that did not converge
    /// counts only through the residual of its step.
    pub fn imbalance(&self, bound: f64) -> Option<Imbalance> {
        let step_limit = match self.balance {
            Balance::Exact { .. } => STEP_TOLERANCE,
            Balance::Bounded => bound,
        };
        let (residual, limit) = (self.residual_max_relative(), self.tolerance(bound));
        let of_step = self.relative(self.residual_unconverged_max);
        if !self.is_judged() {
            Some(Imbalance::Unjudged { uncertainty: self.uncertainty() })
        } else if residual.is_nan() || residual > limit {
            Some(Imbalance::Residual { residual, limit, step: self.residual_max_step })
        } else if of_step.is_nan() || of_step > step_limit {
            Some(Imbalance::Step { residual: of_step, limit: step_limit, steps: self.unconverged })
        } else {
            None
        }
    }
}

/// eps(20 + 10√N + dN) of N steps of a method whose `drift` is d.
pub fn exact_tolerance(steps: u64, drift: f64) -> f64 {
    let n = steps as f64;
    f64::EPSILON * (20.0 + 10.0 * n.sqrt() + drift * n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Effort;

    /// A force pushes a light mass through a damper: each step gives and loses a joule, with the same rounding of both. A
    /// part in 10¹² of what flows is no rounding.
    #[test]
    fn flows_that_round_the_same_way_pass() {
        for (excess, passes) in [(0.9 * f64::EPSILON, true), (1e-12, false)] {
            let mut audit = Audit::open(1e-6, Balance::EXACT);
            for _ in 0..100_000 {
                let ledger =
                    Ledger { stored: 1e-6, dissipated: 1.0 + excess, supplied: 1.0, ..Ledger::default() };
                audit.post(&ledger);
            }
            assert_eq!(audit.ok(0.0), passes, "{audit:?}");
        }
    }

    #[test]
    fn a_joule_that_no_flow_explains_fails() {
        let mut audit = Audit::open(2.0, Balance::EXACT);
        assert!(audit.post(&Ledger { stored: 1.5, dissipated: 0.75, supplied: 0.25, ..Ledger::default() }));
        assert!(audit.ok(0.0));
        assert!(audit.post(&Ledger { stored: 1.75, ..Ledger::default() }));
        assert!(!audit.ok(0.0));
        // 0.25 J of the 2 J held and the 1 J that one step moved.
        assert_eq!(audit.residual_max_relative(), 0.25 / 3.0);
    }

    /// A million times what was put in is a divergence, or is not judged where a rounding has come to be worth as much.
    #[test]
    fn leverage_does_not_hide_a_divergence() {
        for leverage in [0.0, 1e15, 1e17, 1e20, 1e40] {
            let mut audit = Audit::open(1.0, Balance::EXACT);
            let goes_on = audit.post(&Ledger { stored: 1e7, leverage, ..Ledger::default() });
            assert_eq!((goes_on, audit.ok(0.0)), (leverage > 1e16, false), "{leverage}");
        }
    }

    /// Next to ωΔt = π the discrete energy of a mode is 10⁻¹² of the physical one, and a small difference: what rounding makes
    /// of it is nothing to the vibration.
    #[test]
    fn rounding_is_judged_by_the_physical_energy() {
        for (physical, judged) in [(0.0, false), (1e12, true)] {
            let mut audit = Audit::open(1.0, Balance::EXACT);
            audit.post(&Ledger { stored: 1.0 + 1e-6, leverage: 1e12, ..Ledger::default() });
            audit.energy_physical = physical;
            assert_eq!((audit.is_judged(), audit.ok(0.0)), (judged, judged), "{physical}");
        }
    }

    /// Where a rounding of the positions is worth 10¹⁰ times the energy, no balance is known.
    #[test]
    fn what_rounding_hides_is_not_judged() {
        for (leverage, judged) in [(1e6, true), (1e10, false), (f64::INFINITY, false)] {
            let mut audit = Audit::open(1.0, Balance::EXACT);
            assert!(audit.post(&Ledger { stored: 1.0 + 1e-7, leverage, ..Ledger::default() }));
            assert_eq!((audit.is_judged(), audit.ok(0.0)), (judged, false), "{leverage}");
        }
    }

    /// A drive gives 3 J, takes 2.5 J back and gives 0.5 J: 3 J were put in. Contacts gain 1 J before they take 2 J.
    #[test]
    fn what_is_taken_back_does_not_reduce_what_was_put_in() {
        let mut audit = Audit::open(1.0, Balance::EXACT);
        for (supplied, contact_work, stored) in [(3.0, 1.0, 5.0), (-2.5, -2.0, 0.5), (0.5, 0.0, 1.0)] {
            assert!(audit.post(&Ledger { stored, supplied, contact_work, ..Ledger::default() }));
        }
        assert!(audit.ok(0.0));
        assert_eq!((audit.supplied, audit.contact_work), (1.0, -1.0));
        assert_eq!((audit.put_in(), audit.contact_work_max), (4.0, 1.0));
    }

    /// Continued from its numbers, a balance is that of the whole run, with the flows that no full ledger has settled.
    #[test]
    fn an_audit_continues_from_its_numbers() {
        let step = |n: u32, partial| {
            let (stored, dissipated) = (1.0 / f64::from(n), 0.1 / f64::from(n));
            let effort = Effort { iterations: n, fault: None };
            Ledger { stored, dissipated, supplied: 0.3, leverage: 2.0, effort, partial, ..Ledger::default() }
        };
        let mut whole = Audit::open(1.0, Balance::Bounded);
        assert!(whole.post(&step(1, false)) && whole.post(&step(2, true)));
        let mut numbers = Vec::new();
        whole.archive(&mut Archive::Write(&mut numbers));
        let mut continued = Audit::open(0.0, Balance::Bounded);
        continued.archive(&mut Archive::Read(&numbers));
        assert_eq!(continued, whole);
        assert!(whole.post(&step(3, false)) && continued.post(&step(3, false)));
        assert_eq!(continued, whole);
    }

    /// Each way to fail names its own number and its own limit; sums that are within the tolerance are not blamed.
    #[test]
    fn an_imbalance_names_the_number_that_failed_and_its_limit() {
        let unconverged = Effort { fault: Some(Fault::NotConverged(9.0)), ..Effort::default() };
        let mut step = Audit::open(1.0, Balance::EXACT);
        step.post(&Ledger { stored: 1.0 + 5e-15, effort: unconverged, ..Ledger::default() });
        step.post(&Ledger { stored: 1.0, ..Ledger::default() });
        assert!(step.residual_max_relative() <= step.tolerance(0.0));
        let Some(Imbalance::Step { residual, limit, steps: 1 }) = step.imbalance(0.0) else {
            panic!("{:?}", step.imbalance(0.0))
        };
        assert!(residual > limit && limit == STEP_TOLERANCE);
        let mut sum = Audit::open(1.0, Balance::Bounded);
        sum.post(&Ledger { stored: 1.5, ..Ledger::default() });
        let text = sum.imbalance(0.25).map(|imbalance| imbalance.to_string());
        let told = "largest relative residual 3.33e-1 at step 1, tolerance 2.50e-1";
        assert_eq!((text.as_deref(), sum.imbalance(0.5)), (Some(told), None));
        let mut far = Audit::open(1.0, Balance::EXACT);
        far.post(&Ledger { stored: 1.0 + 1e-7, leverage: 1e10, ..Ledger::default() });
        let text = far.imbalance(0.0).map(|imbalance| imbalance.to_string()).unwrap_or_default();
        assert!(text.ends_with("the tolerance is 6.7e-5 of the energy (limit 1e-6)"), "{text}");
    }

    #[test]
    fn divergence_ends_the_run() {
        let mut audit = Audit::open(1.0, Balance::EXACT);
        assert!(!audit.post(&Ledger { stored: 1e7, ..Ledger::default() }));
        assert!(matches!(audit.fault, Some((1, Fault::Diverged(_)))));
        assert!(!Audit::open(1.0, Balance::EXACT).post(&Ledger { stored: f64::NAN, ..Ledger::default() }));
    }

    /// A metre of distance to the wall is worth nothing to a bound on truncation.
    #[test]
    fn a_bound_does_not_hide_behind_rounding() {
        let gain = Ledger { stored: 11.0, leverage: 1e5, ..Ledger::default() };
        let mut audit = Audit::open(0.025, Balance::Bounded);
        assert!(audit.post(&gain) && !audit.ok(1e-2));
    }
}
