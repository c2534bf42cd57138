//! Whether a run gained energy that nothing put in.
//!
//!   put in      P = E(0) + W(0) + maxₙ Σ_{k≤n} supplied_k
//!   contacts    maxₙ Σ_{k≤n} contact_work_k ≤ 0.01 P
//!   energy      maxₙ E(tₙ) ≤ 2 P
//!
//! E is the physical energy ½vᵀMv + ½qᵀKq + ΣV, where it differs from E_own, the energy that the scheme conserves, as
//! `physical.rs` computes it. A passive system holds at most E(0) + Σ supplied at any time, which the largest partial sum bounds;
//! what a drive takes back later does not reduce it. The first increment of a two-step scheme may hold more than E(0): at
//! ωΔt = 2.3, d = v⁰Δt gives 3.6 times as much. That was not put in. W(0) ≥ 0 is the work of the forces at t = 0 in that
//! increment: E_own(0) with them less that without, and no more than they can do on half of its way.
//!
//! **Contacts.** A rigid contact without friction does no net work, or takes energy. An elastic one leaves the rounding
//! of its impulses (10⁻¹⁴ of P in 10⁵ steps). A plastic one may open in the step that closes it and give back a part of
//! the last step's motion, which tends to 0 with Δt: 10⁻³ is reported, 10⁻² fails.
//!
//! **Energy.** For the explicit two-step schemes E_own = ½d·Md/Δt² + ½qⁿ·Kqⁿ⁺¹ + ½Σ(V(xⁿ) + V(xⁿ⁺¹)), d = qⁿ⁺¹ − qⁿ. With
//! d± the increments after and before n, v = (d₊ + d₋)/2Δt and a = d₊ − d₋, a mode of mass m and stiffness k = mω² has
//!
//!   E_own⁻ + E_own⁺ = mv² + ma²/4Δt² + kq² + ½kqa + V(xⁿ) + …  ≥  2(½mv² + ½kq²(1 − ω²Δt²/4)) + V(xⁿ),
//!
//! the least over a being at a = −ω²Δt²q. So E(tₙ) ≤ 2 max E_own wherever 1 − ω²Δt²/4 ≥ ½, with or without contacts. Without
//! them E oscillates between E_own and E_own/(1 − ω²Δt²/4). Exact modes have cos²(ωΔt/2) in place of 1 − ω²Δt²/4. Within
//! the balance E_own ≤ P, so that 2 is exceeded only where modes lie beyond ωΔt = √2, π/2 of exact modes, or 1.39 of impulse
//! invariance, where (ωΔt/sin ωΔt)² is 2. There the balance does not limit the physical energy, and the scheme's advice says so
//! before the run. The first increment of `average-gradient` and `quadratic` may hold more than the initial condition: they may
//! exceed 2 from ωΔt = 1 on. Drives count with the work in the scheme's own balance: at ωΔt = 2.14 a resonant force on an exact mode
//! gives it 4.1 times the energy that is booked as supplied. Where that advice was given the work of the forces is also
//! computed from the positions, and the larger counts.

use crate::physical::PhysicalEnergy;
use hamiltone_core::audit::{Audit, MAX_PHYSICAL_ENERGY};

/// The largest net work of contacts that passes, relative to what was put in.
pub const CONTACT_WORK_LIMIT: f64 = 1e-2;
/// The net work of contacts, relative to what was put in, above which the user is warned.
const CONTACT_WORK_WARNING: f64 = 1e-3;

/// What a run gained, J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passivity {
    /// The initial energy and the most that the inputs had given by any time.
    pub put_in: f64,
    /// The physical energy at the start, with what forces did before the first step, and the energy of the scheme.
    pub initial: [f64; 2],
    /// The largest net work that contacts had done by any time, at least 0.
    pub contact_work: f64,
    /// The largest physical energy.
    pub energy: f64,
}

impl Passivity {
    /// Of a run; `physical` where the energy of the ledgers is not the physical one, `first_work` (J) what forces did
    /// before the first step.
    pub fn new(audit: &Audit, physical: Option<&PhysicalEnergy>, first_work: f64) -> Self {
        let own = audit.energy_initial.abs();
        let initial = physical.map_or(own, |energy| energy.initial + first_work.max(0.0));
        // The work in the balance of the scheme, or what the forces gave by the way of the positions.
        let given = physical.map_or(0.0, |energy| energy.supplied_max);
        Self {
            put_in: audit.put_in_after(initial).max(initial + given),
            initial: [initial, own],
            contact_work: audit.contact_work_max,
            energy: physical.map_or(audit.energy_peak, |energy| energy.peak),
        }
    }

    /// Whether both limits hold.
    pub fn holds(&self) -> bool {
        self.contacts_hold() && self.energy <= MAX_PHYSICAL_ENERGY * self.put_in
    }

    fn contacts_hold(&self) -> bool {
        self.contact_work <= CONTACT_WORK_LIMIT * self.put_in
    }

    /// The largest net work of contacts, relative to what was put in.
    pub fn contact_work_relative(&self) -> f64 {
        self.relative(self.contact_work)
    }

    /// The largest physical energy, relative to what was put in.
    pub fn energy_relative(&self) -> f64 {
        self.relative(self.energy)
    }

    fn relative(&self, energy: f64) -> f64 {
        if energy == 0.0 { 0.0 } else { energy / self.put_in }
    }

    /// What was gained and what to change, where a limit does not hold; `unit` is that of the energies.
    pub fn gain(&self, unit: &str) -> Option<String> {
        if self.holds() {
            return None;
        }
        let put_in = format!("{:.3e} {unit} put in", self.put_in);
        let [initial, own] = self.initial;
        if self.energy.is_nan() || self.contact_work.is_nan() {
            return Some(format!(
                "the physical energy or the work of contacts is infinite or not a number (limits {MAX_PHYSICAL_ENERGY} and \
                 {CONTACT_WORK_LIMIT} times the {put_in}); use a higher rate (oversampling)"
            ));
        }
        Some(if self.contacts_hold() && own > MAX_PHYSICAL_ENERGY * self.put_in {
            format!(
                "the first increment of the scheme holds {own:.3e} {unit}, where the initial condition has {initial:.3e}, \
                 and the physical energy reached {:.3} times the {put_in} (limit {MAX_PHYSICAL_ENERGY}); use a higher \
                 rate (oversampling)",
                self.energy_relative()
            )
        } else if self.contacts_hold() {
            format!(
                "the physical energy reached {:.3e} {unit}, {:.3} times the {put_in} (limit {MAX_PHYSICAL_ENERGY}); use fewer modes or a \
                 higher rate (oversampling), so that no mode lies beyond ωΔt = 1",
                self.energy,
                self.energy_relative()
            )
        } else {
            format!(
                "contacts gained {:.3e} {unit}, {:.3} times the {put_in} (limit {CONTACT_WORK_LIMIT}); use a smaller \
                 theta or restitution, or a higher rate (oversampling)",
                self.contact_work,
                self.contact_work_relative()
            )
        })
    }

    /// What the user should know of a gain within the limits.
    pub(crate) fn warning(&self, unit: &str) -> Option<String> {
        let warned = self.holds() && self.contact_work > CONTACT_WORK_WARNING * self.put_in;
        warned.then(|| {
            format!(
                "rigid contacts gained {:.3e} {unit}, {:.3} times the {:.3e} {unit} put in (limit {CONTACT_WORK_LIMIT})",
                self.contact_work,
                self.contact_work_relative(),
                self.put_in
            )
        })
    }
}
