//! The contract of a port: an element that solves its own small problem in each step, of one or more rows and with a memory.
//!
//!   w = w_f − Y F,   Y = C A Cᵀ,   F acts on the system as −CᵀF
//!
//! w (m/s) are the mean rates of its rows over the step, relative to what inputs prescribe ([`crate::input::Action::Rate`] and
//! [`crate::input::Action::Motion`]); w_f are those without its forces F (N), and Y (m/(N s)), symmetric and positive semidefinite, how much a force
//! slows each. A law that falls with velocity, as dry friction does, meets its equation at several forces: which of them acts is part of the
//! law, with the memory of where it was. What a port takes is Δt F·w less what it stores more, in its memory or by where its rows are: never
//! negative, whatever w_f and Y are.
//!
//! **Branches.** The rows can lie on several branches, as lips on the bores of several valves, which a player stretches differently for each note,
//!
//!   c = Σ λᵢcᵢ,   λ_k = √(1 − f),   λ_(k+1) = √f,   k + f = the branch that an input prescribes, its mean over the step,
//!
//! and c = c_k of a row that both branches have in common. Where branches are places on one body, along which a bow moves, the row between two is
//! their linear interpolation, λ_k = 1 − f and λ_(k+1) = f, and the input prescribes k + f as a part of the path. The weights are constant within a step: what the
//! port does is Δt F·w then as ever, and what a branch holds that is left rings on by itself. What the port stores more where its rows are put is supplied.

use crate::{
    identity::Identity,
    measure::Measure,
    parameter::{DriveQuantity, Range},
};
use std::{any::Any, fmt::Debug, sync::Arc};

/// What a port is told of a step.
#[derive(Clone, Copy, Debug)]
pub struct PortStep<'a> {
    /// Δt, s.
    pub dt: f64,
    /// w_f, m/s.
    pub free: &'a [f64],
    /// Y, row-major, m/(N s).
    pub mobility: &'a [f64],
    /// The control value, the mean of both ends of the step.
    pub control: f64,
    /// Where the rows are when the step begins, c·q, m, and where they would be at half of it, c·(q + ½Δt v): 0 unless [`Port::reads_places`].
    pub places: &'a [f64],
    /// See `places`.
    pub halfway: &'a [f64],
}

/// What the branches of a port are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branches {
    /// Each a body of its own, of which one acts: an input is its number, from 0.
    Bodies,
    /// Places in equal distances along a path on one body: an input is the part of the path, from 0 to 1.
    Places,
}

/// The two branches of which a row is made, and their weights λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture {
    /// The number of the first, k; the other is the next one.
    pub first: usize,
    /// λ of both.
    pub weights: [f64; 2],
}

impl Mixture {
    /// Where an input puts a port of `count` branches: at the nearest that there are; at the first of no number.
    ///
    /// ```
    /// use hamiltone_core::port::{Branches, Mixture};
    ///
    /// let of = |input| Mixture::new(Branches::Bodies, input, 3);
    /// assert_eq!(of(2.0), Mixture { first: 2, weights: [1.0, 0.0] });
    /// assert_eq!(of(0.36), Mixture { first: 0, weights: [0.8, 0.6] });
    /// assert_eq!(of(-1.0), of(0.0));
    /// assert_eq!(Mixture::new(Branches::Places, 0.125, 3), Mixture { first: 0, weights: [0.75, 0.25] });
    /// ```
    pub fn new(branches: Branches, input: f64, count: usize) -> Self {
        let last = count.saturating_sub(1) as f64;
        let branch = match branches {
            Branches::Bodies => input,
            Branches::Places => input * last,
        };
        let branch = branch.max(0.0).min(last);
        let part = branch.fract();
        let weights = match branches {
            Branches::Bodies => [(1.0 - part).sqrt(), part.sqrt()],
            Branches::Places => [1.0 - part, part],
        };
        Self { first: branch as usize, weights }
    }
}

/// A law of one or more rows with a memory.
pub trait Port: Any + Debug + Send + Sync {
    /// How many numbers it remembers; all are 0 at the start.
    fn memory(&self) -> usize;

    /// Whether it depends on where its rows are.
    fn reads_places(&self) -> bool {
        false
    }

    /// F of the step, N, and what is remembered after it; the number of iterations that it took. For any finite w_f, any Y ≥ 0 of its rows,
    /// any control value and any memory that it wrote itself, F·w ≥ 0 to rounding less what the memory stores more.
    fn meet(&self, step: &PortStep<'_>, memory: &mut [f64], force: &mut [f64]) -> u32;

    /// What the memory stores, J.
    fn stored(&self, memory: &[f64]) -> f64 {
        let _ = memory;
        0.0
    }

    /// What it stores by where its rows are, J; `place` gives c·q of each, m. 0 unless [`Port::reads_places`].
    fn energy(&self, place: &dyn Fn(usize) -> f64) -> f64 {
        let _ = place;
        0.0
    }

    /// Whether F = 0 at any w_f at this control value, as of a bow that is lifted.
    fn is_idle(&self, control: f64) -> bool {
        control == 0.0
    }

    /// The name of the control in scenes and messages, and the quantity that it is: that with which friction is pressed.
    fn control(&self) -> (&'static str, DriveQuantity) {
        ("force", DriveQuantity::Force)
    }

    /// What the rate of its first row is that an input prescribes.
    fn rate(&self) -> DriveQuantity {
        DriveQuantity::Rate
    }

    /// In what each row is measured along which it acts.
    fn measures(&self) -> &'static [Measure] {
        &[Measure::Length]
    }

    /// What its branches are, where it has several.
    fn branches(&self) -> Branches {
        Branches::Bodies
    }

    /// How many of its rows, the first ones, nothing may move: their rates are what inputs prescribe. [`crate::check`] refuses others.
    fn still(&self) -> usize {
        0
    }

    /// Whether its rows are met one after the other, as if no force along one moved another: then nothing but joints and other ports may connect them, which
    /// [`crate::check`] sees to.
    fn is_apart(&self) -> bool {
        false
    }

    /// The control values that it takes; of an input the nearest value inside counts.
    fn allowed(&self) -> Range {
        Range::NOT_NEGATIVE
    }

    /// Its name and every number that it depends on besides the control value: a saved state is recognised by them.
    fn identity(&self) -> Identity;
}

/// A port as the law of an element.
#[derive(Clone, Debug)]
pub struct Ported {
    /// The law.
    pub port: Arc<dyn Port>,
    /// The control value where no input controls it.
    pub control: f64,
}

impl Ported {
    /// This port with this control value where no input controls it.
    pub fn new(port: impl Port + 'static, control: f64) -> Self {
        Self { port: Arc::new(port), control }
    }

    /// The control value that the law sees: the nearest that it allows.
    pub fn seen(&self, control: f64) -> f64 {
        self.port.allowed().nearest(control)
    }
}
