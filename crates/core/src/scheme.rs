//! The contract between a system and the methods that step it.
//!
//! A [`Scheme`] prepares a [`Stepper`] from a system and a time step, or refuses
//! with the reason and numbers. What it promises — order, balance, contraction of
//! the symplectic area — are constants, [`Claims`], which the laws measure.

use crate::{
    ledger::{Books, Ledger},
    system::System,
};

/// A time-stepping method.
pub trait Scheme: Send + Sync {
    /// Its name in scenes, such as `ec`.
    fn name(&self) -> &'static str;

    /// What it promises.
    fn claims(&self) -> Claims;

    /// A stepper for `system` with the time step `dt`, s; negative for symmetric schemes only.
    ///
    /// # Errors
    /// A typed [`Refusal`] where the method does not cover the system or is unstable at `dt`.
    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal>;

    /// What a user should know of this system at this step though it runs, with numbers and what to do instead.
    fn advice(&self, system: &System, dt: f64) -> Vec<String> {
        let _ = (system, dt);
        Vec::new()
    }
}

/// A system in motion under one scheme. Everything is allocated when it is prepared.
///
/// **Architecture Invariant:** `step` does not allocate, fail, panic or log.
pub trait Stepper: Send {
    /// Puts the system at its start (where a fresh stepper stands, too, its inputs at 0), with the inputs' values at t = 0, and returns the energy stored there.
    fn reset(&mut self, input: &[f64]) -> f64;

    /// One step of the prepared Δt.
    ///
    /// `input` holds the inputs' values at both ends of the step: first all at its
    /// start, then all at its end (2·inputs values).
    fn step(&mut self, input: &[f64], books: Books) -> Ledger;

    /// Puts the system into this state; answers whether it can: schemes of two steps cannot.
    fn restore(&mut self, state: &State) -> bool {
        let _ = state;
        false
    }

    /// Writes the state, with the rests if the stepper keeps them.
    fn save(&self, state: &mut State) {
        self.snapshot(&mut state.q, &mut state.v);
        state.q_rest.fill(0.0);
        state.v_rest.fill(0.0);
    }

    /// Writes the system's outputs as they are now, one value an output.
    fn outputs(&self, output: &mut [f64]);

    /// Writes positions (m) and velocities (m/s), one a degree of freedom.
    fn snapshot(&self, q: &mut [f64], v: &mut [f64]);

    /// Whether the prepared system is one whose balance this scheme keeps exactly.
    fn balance(&self) -> Balance;

    /// Writes what each contact did since this was last asked or the stepper reset, where the scheme keeps it (those of
    /// impacts do, since a touch may last one step); else answers `false`.
    fn touched(&mut self, touched: &mut [Touched]) -> bool {
        let _ = touched;
        false
    }

    /// The physical energy ½vᵀMv + ½qᵀKq + ΣV now, J, where the books keep another.
    fn physical_energy(&self) -> Option<f64> {
        None
    }

    /// `frames` steps in one call: `input` holds the values at the `frames + 1`
    /// step ends, `books` says how step 0, 1, … of the block is booked, `output` receives the
    /// outputs after each step, `each` its ledger and goes on while it answers `true`.
    /// Returns the number of steps taken.
    fn run(
        &mut self,
        input: &[f64],
        output: &mut [f64],
        frames: usize,
        books: &dyn Fn(usize) -> Books,
        each: &mut dyn FnMut(&Ledger) -> bool,
    ) -> usize {
        let inputs = input.len() / (frames + 1);
        let outputs = output.len() / frames.max(1);
        for n in 0..frames {
            let ledger = self.step(&input[n * inputs..(n + 2) * inputs], books(n));
            self.outputs(&mut output[n * outputs..(n + 1) * outputs]);
            if !each(&ledger) {
                return n + 1;
            }
        }
        frames
    }
}

/// What a contact did over some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touched {
    /// The impulse it gave, N s: its force over the time.
    pub impulse: f64,
    /// The least h − c·q that was met, m: negative where bodies overlap; ∞ before the first step.
    pub gap: f64,
}

impl Touched {
    /// Nothing yet.
    pub const NOTHING: Self = Self { impulse: 0.0, gap: f64::INFINITY };
}

/// Where a system is and how it moves, to twice the digits: what one stepper hands to another.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Positions, m.
    pub q: Vec<f64>,
    /// Velocities, m/s.
    pub v: Vec<f64>,
    /// What rounding left out of the positions, m.
    pub q_rest: Vec<f64>,
    /// What rounding left out of the velocities, m/s.
    pub v_rest: Vec<f64>,
}

impl State {
    /// These positions and velocities.
    pub fn new(q: Vec<f64>, v: Vec<f64>) -> Self {
        let (q_rest, v_rest) = (vec![0.0; q.len()], vec![0.0; v.len()]);
        Self { q, v, q_rest, v_rest }
    }
}

/// What a scheme promises; the laws measure each of these for every body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claims {
    /// The order p of the error Δtᵖ on smooth nonlinear systems, damped and driven.
    pub order: u32,
    /// The order on such systems without damping and drives.
    pub order_free: u32,
    /// Without damping and drives a step of −Δt undoes a step of Δt: `prepare` takes negative steps, and
    /// [`Stepper::restore`] any state, so that steps can be composed.
    pub symmetric: bool,
    /// Its balance on systems without contacts.
    pub linear: Balance,
    /// Its balance with compliant contacts.
    pub contact: Balance,
    /// How it contracts the symplectic area dy∧dp of one damped oscillator.
    pub area: Area,
    /// Whether that contraction is the same constant with a nonlinear contact.
    pub area_with_contact: bool,
    /// The largest ωΔt at which it runs, if there is one: beyond, it is unstable, aliases or has no step.
    pub limit: Option<f64>,
    /// The velocity is held at half steps: the state is (qⁿ, qⁿ⁺¹) rather than (qⁿ, vⁿ).
    pub staggered: bool,
}

/// How well a scheme keeps its energy balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Balance {
    /// To rounding.
    #[default]
    Exact,
    /// To a bound that the scheme or the scene states.
    Bounded,
}

/// The determinant of the one-step map (q, v) of an oscillator of frequency ω (rad/s) and damping γ (1/s).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// e^(−γΔt): conformal symplectic (C19 (21)).
    Conformal,
    /// (2 − γΔt)/(2 + γΔt): its Padé approximant (C19 (30)).
    Pade,
    /// (ω²Δt²/2 + 2 − γΔt)/(ω²Δt²/2 + 2 + γΔt): C19 (28), corrected.
    Gradient,
    /// No constant is promised, not even for linear systems.
    Free,
}

impl Area {
    /// The promised determinant, or `None` where none is promised.
    pub fn contraction(self, omega: f64, gamma: f64, dt: f64) -> Option<f64> {
        let (k, r) = (omega * omega * dt * dt / 2.0, gamma * dt);
        match self {
            Area::Conformal => Some(hamiltone_numerics::math::exp(-r)),
            Area::Pade => Some((2.0 - r) / (2.0 + r)),
            Area::Gradient => Some((k + 2.0 - r) / (k + 2.0 + r)),
            Area::Free => None,
        }
    }
}

/// Why a scheme does not run a system.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The method does not cover something in the system.
    NotCovered {
        /// The scheme.
        scheme: &'static str,
        /// What it does not cover, naming the block or contact.
        what: String,
        /// What to do instead.
        instead: String,
    },
    /// The time step is beyond the stability limit.
    Unstable {
        /// The scheme.
        scheme: &'static str,
        /// Which product of the time step is limited, such as "ω_max·Δt".
        quantity: &'static str,
        /// Its value at this time step.
        value: f64,
        /// The largest value allowed.
        limit: f64,
        /// The smallest rate at which it would run, Hz.
        rate: f64,
    },
    /// The system is not one: a size, a sign or a number that is not finite.
    Invalid {
        /// The scheme.
        scheme: &'static str,
        /// What is wrong.
        what: String,
    },
    /// An option of the scheme is missing or out of range.
    Option {
        /// The scheme.
        scheme: &'static str,
        /// The option and what is wrong with it.
        what: String,
    },
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::NotCovered { scheme, what, instead } => {
                write!(f, "scheme `{scheme}` does not cover {what}; {instead}")
            }
            Refusal::Unstable { scheme, quantity, value, limit, rate } => write!(
                f,
                "scheme `{scheme}` does not run here: {quantity} = {value:.9} is beyond its limit {limit:.9}; run at {rate:.0} Hz or more"
            ),
            Refusal::Invalid { scheme, what } | Refusal::Option { scheme, what } => {
                write!(f, "scheme `{scheme}`: {what}")
            }
        }
    }
}

impl std::error::Error for Refusal {}
