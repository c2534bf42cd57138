//! Many modes at once: the free step of all, with its energy balance, eight coordinates at a time.
//!
//!   U = X + Y,   e = F − gU − hY,   Y⁺ = Y + e,   S = Y + Y⁺,   X⁺ = X + S
//!   stored = Σ (pY⁺² + ½gX⁺²),   dissipated = ½Σ hS²,   supplied = Σ FS,   p = 1 − ½(g + h)
//!
//! g is half of what it is in [`crate::modal::pole`], (1 − z)(1 − z′)/2, and h = 1 − zz′. X and Y are q and w = Δt·v/2 over ρ ([`super::coordinates`]), so that squares are energies (√J) and the same row both reads modes
//! and pushes them. Of modes above ωΔt = π/2 the number of digits is kept by what is small there, g − 2 = −(2p + h):
//! with n = 2 for these, else 0, and r = g − n,
//!
//!   t = F − (rU + hY),   Y⁺ = ((1 − n)Y − nX) + t,   S = ((2 − n)Y − nX) + t,   p = 1 − ½n − ½(r + h)
//!
//! is the same step, in which the factors of n are exact. Leading modes with n = 0, most of a bank's, are stepped without these terms:
//! to the same bits.
//!
//! What joints push is known before the step: F += wf along one row w, which the pass reads at the next U as well. Their potential takes up
//! and gives back what they push, so that no mode follows them one way for long: X is not compensated for them.
//!
//! In steps in which forces act, X is summed with what rounding leaves out of it: a mode that follows a slow force moves by a small part
//! of X in each step, and rounds the same way for many of them, while the force acts on every one of these ways. Elements may take
//! most of a way back that is far longer than X: nothing of X and what was left out of it is lost in the last digits of that way,
//! nor of S = Y + Y⁺, over which their forces work. A step in which none acts is the plain one, whether elements were asked or are known not
//! to act: what was left out of X until then ends with the force. Sums run in eight lanes and nothing is fused: the same bits on every processor.

use crate::{
    instructions,
    modal::{
        eights::{LANES, eights, eights_mut, zeros},
        pole::Pole,
        rest,
    },
};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_numerics::aligned::Aligned;
use std::{ops::Range, sync::Arc};

/// The modes' constants and state; beyond the last coordinate zeros, up to a multiple of eight.
#[derive(Clone, Debug)]
pub(super) struct EcBank {
    pub level: Level,
    /// n, r, h and p.
    pub turn: Arc<Aligned>,
    pub spring: Arc<Aligned>,
    pub damper: Arc<Aligned>,
    inertia: Arc<Aligned>,
    /// So many leading coordinates have n = 0, a multiple of eight.
    pub slow: usize,
    /// X and Y.
    pub place: Aligned,
    pub speed: Aligned,
    /// Rounding remainder of X where forces act.
    pub place_rest: Aligned,
    /// Whether a force acted in the last step, so that what it left out of X counts.
    pub kept: bool,
    /// U as [`EcBank::meet`] found it.
    pub halfway: Aligned,
    /// S, where elements act.
    pub moved: Aligned,
    /// Rounding remainder of S, until elements have acted on it.
    pub moved_rest: Aligned,
    /// F, what inputs add to the increment.
    pub push: Aligned,
}

/// What flowed in a step, J.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub dissipated: f64,
    pub supplied: f64,
    /// What joints gave, and w·U after the step, before elements act.
    pub pulled: f64,
    pub halfway: f64,
}

/// The push of joints in a step: wf, w padded like the bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull<'a> {
    pub row: &'a [f64],
    pub force: f64,
}

/// n, r and h of a mode; all 0 of one that is left out.
pub(super) fn constants(pole: Option<&Pole>) -> (f64, f64, f64) {
    match pole {
        None => (0.0, 0.0, 0.0),
        Some(pole) if pole.spring > 2.0 => (2.0, -(0.5 * pole.opposed + pole.damper), pole.damper),
        Some(pole) => (0.0, 0.5 * pole.spring, pole.damper),
    }
}

/// How many leading coordinates have no n, by eights.
fn slow(turn: &[f64]) -> usize {
    // By whole eights, so that no eight mixes both forms.
    eights(turn).take_while(|n| **n == [0.0; LANES]).count() * LANES
}

/// p of a mode with these n, r and h.
pub(super) fn inertia((n, r, h): &(f64, f64, f64)) -> f64 {
    (1.0 - 0.5 * n) - 0.5 * (r + h)
}

/// What passes over modes add to the flows.
pub(super) struct Totals<S: Simd> {
    pub dissipated: f64x8<S>,
    supplied: f64x8<S>,
    pub pulled: f64x8<S>,
    pub halfway: f64x8<S>,
}

impl<S: Simd> Totals<S> {
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        let zero = f64x8::splat(simd, 0.0);
        Self { dissipated: zero, supplied: zero, pulled: zero, halfway: zero }
    }

    #[inline(always)]
    pub fn sums(self, simd: S) -> Sums {
        Sums {
            dissipated: 0.5 * folded(simd, self.dissipated),
            supplied: folded(simd, self.supplied),
            pulled: folded(simd, self.pulled),
            halfway: folded(simd, self.halfway),
        }
    }
}

/// Eight numbers, as a loop loads them.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, x: &[f64; LANES]) -> f64x8<S> {
    f64x8::from_slice(simd, x)
}

/// The sum of eight lanes as [`hamiltone_numerics::lanes::fold`] takes it, half of the lanes onto the other half each time: in half of the instructions.
#[inline(always)]
pub(super) fn folded<S: Simd>(simd: S, x: f64x8<S>) -> f64 {
    let (low, high) = simd.split_f64x8(x);
    let (low, high) = simd.split_f64x4(low + high);
    let pair: [f64; 2] = (low + high).into();
    pair[0] + pair[1]
}

/// x + rest moved by s: the sum, and the rounding remainder, whichever of x and s is larger.
#[inline(always)]
fn moved_by<S: Simd>(x: f64x8<S>, rest: f64x8<S>, s: f64x8<S>) -> (f64x8<S>, f64x8<S>) {
    let (sum, left) = two_sum(x, s);
    let all = left + rest;
    let next = sum + all;
    (next, all - (next - sum))
}

/// a + b, and the rounding remainder.
#[inline(always)]
pub(super) fn two_sum<S: Simd>(a: f64x8<S>, b: f64x8<S>) -> (f64x8<S>, f64x8<S>) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

impl EcBank {
    /// A bank at rest of modes with these (n, r, h).
    pub fn new(modes: &[(f64, f64, f64)]) -> Self {
        let zero = || zeros(modes.len());
        let (mut turn, mut spring, mut damper, mut p) = (zero(), zero(), zero(), zero());
        for (i, mode) in modes.iter().enumerate() {
            (turn[i], spring[i], damper[i]) = *mode;
            p[i] = inertia(mode);
        }
        Self {
            level: instructions::level(),
            slow: slow(&turn),
            turn: turn.into(),
            spring: spring.into(),
            damper: damper.into(),
            inertia: p.into(),
            place: zero(),
            speed: zero(),
            place_rest: zero(),
            kept: true,
            halfway: zero(),
            moved: zero(),
            moved_rest: zero(),
            push: zero(),
        }
    }

    /// p of a mode.
    pub fn inertia_of(&self, i: usize) -> f64 {
        self.inertia[i]
    }

    /// g of a mode, as its energy ½gX² has it.
    pub fn elastic(&self, i: usize) -> f64 {
        self.turn[i] + self.spring[i]
    }

    /// Replaces n, r and h, and p with them.
    pub fn set_constants(&mut self, i: usize, (n, r, h): (f64, f64, f64)) {
        let p = inertia(&(n, r, h));
        for (all, new) in
            [(&mut self.turn, n), (&mut self.spring, r), (&mut self.damper, h), (&mut self.inertia, p)]
        {
            Arc::make_mut(all)[i] = new;
        }
        // A change of stiffness can take a mode across ωΔt = π/2.
        self.slow = slow(&self.turn);
    }

    /// U, before a step.
    pub fn meet(&mut self) {
        dispatch!(self.level, simd => self.half::<_, false>(simd));
    }

    /// U of the step before, X − Y, in its place.
    pub fn look_back(&mut self) {
        dispatch!(self.level, simd => self.half::<_, true>(simd));
    }

    /// The step without elements, driven by F or not and pulled by joints or not, with its energies; S as well where elements act on it.
    pub fn step(&mut self, driven: bool, acted: bool, pull: Option<Pull>) -> Sums {
        if driven || acted {
            self.forget_unkept();
        }
        // Forces that elements add keep it as well.
        self.kept = driven;
        match pull {
            Some(pull) => self.step_with::<true>(driven, acted, pull),
            None => self.step_with::<false>(driven, acted, Pull { row: &[], force: 0.0 }),
        }
    }

    fn step_with<const PULLED: bool>(&mut self, driven: bool, acted: bool, pull: Pull) -> Sums {
        match (driven, acted) {
            (true, true) => dispatch!(self.level, simd => self.free::<_, true, true, PULLED>(simd, pull)),
            (true, false) => dispatch!(self.level, simd => self.free::<_, true, false, PULLED>(simd, pull)),
            (false, true) => dispatch!(self.level, simd => self.free::<_, false, true, PULLED>(simd, pull)),
            (false, false) => dispatch!(self.level, simd => self.free::<_, false, false, PULLED>(simd, pull)),
        }
    }

    /// Nothing is left out of X where no force acted in the last step.
    pub fn forget_unkept(&mut self) {
        if !self.kept {
            self.place_rest.fill(0.0);
        }
    }

    /// The same step with `forces` of elements as well, and its energies; S takes up what was left out of it the `first` time.
    pub fn add(&mut self, forces: &[f64], first: bool) -> Sums {
        self.kept = true;
        match first {
            true => dispatch!(self.level, simd => self.pushed::<_, true, false>(simd, forces)),
            false => dispatch!(self.level, simd => self.pushed::<_, false, false>(simd, forces)),
        }
    }

    /// The same before elements act: they may take back nearly all of Y⁺ and S, and what rounding leaves out of the two is kept for
    /// them beside S.
    pub fn add_before_elements(&mut self, forces: &[f64]) -> Sums {
        self.kept = true;
        dispatch!(self.level, simd => self.pushed::<_, false, true>(simd, forces))
    }

    /// What is stored now.
    pub fn stored(&self) -> f64 {
        dispatch!(self.level, simd => self.energies(simd))
    }

    /// Puts modes to rest that have died away.
    pub fn settle(&mut self) {
        let state = [&mut self.place[..], &mut self.speed];
        rest::settle(self.level, state, &mut self.place_rest);
    }

    #[inline(always)]
    fn half<S: Simd, const BACK: bool>(&mut self, simd: S) {
        simd.vectorize(
            #[inline(always)]
            || {
                let states = eights(&self.place).zip(eights(&self.speed));
                for (halfway, (x, y)) in eights_mut(&mut self.halfway).zip(states) {
                    let (x, y) = (load(simd, x), load(simd, y));
                    (if BACK { x - y } else { x + y }).store_array(halfway);
                }
            },
        );
    }

    /// X is compensated where F acts (`DRIVEN`). Where elements may act afterwards (`MOVED`), S is kept, and what is left out of X and S beside
    /// them.
    #[inline(always)]
    fn free<S: Simd, const DRIVEN: bool, const MOVED: bool, const PULLED: bool>(
        &mut self,
        simd: S,
        pull: Pull,
    ) -> Sums {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut totals = Totals::new(simd);
                let (slow, size) = (self.slow, self.place.len());
                self.part::<_, DRIVEN, MOVED, PULLED, false>(simd, 0..slow, pull, &mut totals);
                self.part::<_, DRIVEN, MOVED, PULLED, true>(simd, slow..size, pull, &mut totals);
                totals.sums(simd)
            },
        )
    }

    /// The step of some modes, with the terms of n where `TURNED`.
    #[inline(always)]
    fn part<S: Simd, const DRIVEN: bool, const MOVED: bool, const PULLED: bool, const TURNED: bool>(
        &mut self,
        simd: S,
        modes: Range<usize>,
        pull: Pull,
        totals: &mut Totals<S>,
    ) {
        let (one, two) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, 2.0));
        let pulling = f64x8::splat(simd, pull.force);
        let constants = eights(&self.turn[modes.clone()])
            .zip(eights(&self.spring[modes.clone()]))
            .zip(eights(&self.damper[modes.clone()]));
        let states = eights_mut(&mut self.place[modes.clone()])
            .zip(eights_mut(&mut self.speed[modes.clone()]))
            .zip(eights_mut(&mut self.place_rest[modes.clone()]));
        // Where no joint pulls, any array of this length stands for a row that is not read.
        let row = if PULLED { pull.row } else { &self.push };
        let given = eights_mut(&mut self.moved[modes.clone()])
            .zip(eights_mut(&mut self.moved_rest[modes.clone()]))
            .zip(eights(&self.push[modes.clone()]).zip(eights(&row[modes.clone()])));
        for ((((n, r), h), ((place, speed), rest)), ((moved, moved_rest), (push, w))) in
            constants.zip(states).zip(given)
        {
            let (r, h, x, y) = (load(simd, r), load(simd, h), load(simd, place), load(simd, speed));
            let mut back = r * (x + y) + h * y;
            if DRIVEN {
                back -= load(simd, push);
            }
            if PULLED {
                back -= load(simd, w) * pulling;
            }
            let (s, next_y) = if TURNED {
                let n = load(simd, n);
                let turned = n * x;
                (((two - n) * y - turned) - back, ((one - n) * y - turned) - back)
            } else {
                ((y + y) - back, y - back)
            };
            let mut next_x = x + s;
            if DRIVEN || MOVED {
                let (sum, apart) = two_sum(y, next_y);
                let s_rest = (sum - s) + apart;
                let before = load(simd, rest) + s_rest;
                let (moved_x, left) = if DRIVEN {
                    moved_by(x, before, s)
                } else {
                    // If no element acts, this is the plain step; if one does, it takes up all that is left.
                    let (plain, left) = two_sum(x, s);
                    (plain, left + before)
                };
                next_x = moved_x;
                left.store_array(rest);
                if MOVED {
                    s_rest.store_array(moved_rest);
                }
            }
            if MOVED {
                s.store_array(moved);
            }
            next_x.store_array(place);
            next_y.store_array(speed);
            totals.dissipated += h * (s * s);
            if PULLED {
                let w = load(simd, w);
                totals.pulled += (w * pulling) * s;
                totals.halfway += (next_x + next_y) * w;
            }
            if DRIVEN {
                totals.supplied += load(simd, push) * s;
            }
        }
    }

    #[inline(always)]
    fn pushed<S: Simd, const FIRST: bool, const KEPT: bool>(&mut self, simd: S, forces: &[f64]) -> Sums {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut totals = Totals::new(simd);
                let states = eights_mut(&mut self.place)
                    .zip(eights_mut(&mut self.speed))
                    .zip(eights_mut(&mut self.place_rest));
                let forces = eights_mut(&mut self.moved_rest).zip(eights(&self.push).zip(eights(forces)));
                let forces = eights_mut(&mut self.moved).zip(forces);
                for ((h, ((place, speed), rest)), (moved, (moved_rest, (push, force)))) in
                    eights(&self.damper).zip(states).zip(forces)
                {
                    let force = load(simd, force);
                    let (mut s, s_left) = two_sum(load(simd, moved), force);
                    let (y, y_left) = two_sum(load(simd, speed), force);
                    let mut before = load(simd, rest);
                    if FIRST {
                        s += load(simd, moved_rest);
                    }
                    if KEPT {
                        (load(simd, moved_rest) + (s_left - y_left)).store_array(moved_rest);
                        before -= y_left;
                    }
                    let (x, left) = moved_by(load(simd, place), before, force);
                    s.store_array(moved);
                    x.store_array(place);
                    y.store_array(speed);
                    left.store_array(rest);
                    totals.dissipated += load(simd, h) * (s * s);
                    totals.supplied += load(simd, push) * s;
                }
                totals.sums(simd)
            },
        )
    }

    #[inline(always)]
    fn energies<S: Simd>(&self, simd: S) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let (mut kinetic, mut elastic) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 0.0));
                let constants = eights(&self.turn).zip(eights(&self.spring)).zip(eights(&self.inertia));
                let states = eights(&self.place).zip(eights(&self.speed));
                for (((n, r), p), (x, y)) in constants.zip(states) {
                    let (x, y) = (load(simd, x), load(simd, y));
                    kinetic += load(simd, p) * (y * y);
                    elastic += (load(simd, n) + load(simd, r)) * (x * x);
                }
                folded(simd, kinetic) + 0.5 * folded(simd, elastic)
            },
        )
    }
}
