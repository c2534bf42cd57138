//! Forms ([`hamiltone_core::form`]) in a step, without an iteration and without a memory.
//!
//! Whatever acts, U⁺ − U⁻ = 2S with U = X + Y and U⁻ = X − Y ([`super::bank`]). So the polarised form of two successive U is a function
//! of the state, and its change is known exactly (Bilbao 2008, of plates; Ducceschi & Bilbao 2022, of strings):
//!
//!   ψ = ½ U⁻ᵀBU + l·X = ½(XᵀBX − YᵀBY) + l·X,   g = BU + l,   ψ⁺ − ψ = g·S
//!
//! With the mean T of ψ + e over the step each form pushes by −gT, and the change of Σ(½ψ² + eψ) is what it takes from the modes and
//! what its strain supplies, ψ̄Δe:
//!
//!   T = ψ + ē + ½g·S,   S = S₀ − GT   ⇒   (I + ½GᵀG) T = ψ + ē + ½GᵀS₀,   G = (g₁ g₂ …)
//!
//! The matrix is symmetric with eigenvalues ≥ 1: there is one solution, whatever the step. S₀ is the step without forms. What pushes
//! by p afterwards, as contacts do, is answered at once:
//!
//!   T ← T + ½M⁻¹Gᵀp,   p ← p − ½GM⁻¹Gᵀp,   G_c ← CCᵀ − ½ (CG)M⁻¹(CG)ᵀ,   M = I + ½GᵀG
//!
//! Forms with diagonal B that share no mode are stepped in one pass with the bank (`forms/one_pass.rs`), unless a force drives it or joints
//! pull it along several rows; else the bank takes its step first and the forms push it afterwards. M has a block for each of these forms, and one for each group of
//! forms that share modes (`forms/grouped.rs`), such as those of a plate: these are solved together (`forms/shared.rs`).
//!
//! **Weights.** B of a form that inputs or coordinates can strain is that of the system times √(wᵢwⱼ), wᵢ = push/mobility of the pole ([`crate::modal::pole`];
//! x/tan x of an undamped mode with x = ωΔt/2): then the frequency of each mode under a given T is right to first order in T, up to Nyquist. ψ and g have the
//! same ones, else the balance would not hold. Nothing strains the forms of plates, and they have w = 1: where a mode stretches
//! itself, ψ of two successive U has 1 − tan²x of its mean, and weights would double the error of the shift of its frequency from 2x²/3 to 4x²/3. A weak
//! mode on a plate that a strong low one bends shifts by tan x/x times too much for it, 9 % at 7 kHz and 21 % at 10 kHz of 44.1 kHz.
//!
//! A strain e makes a mode stiffer by eb, at U: that is stable while ebw < 2p ([`super::bank`]), beyond it ψ becomes negative and the
//! mode grows to what ½e² holds, with an exact balance. So w is at most [`HELD`]·2p/g, g/ρ² being its own stiffness: a strain that doubles the stiffness,
//! half an octave of a string, is stable, and modes above 0.27 of the rate follow it less than they would.

mod four;
mod grouped;
mod one_pass;
mod scaled;
mod shared;
mod straining;

use super::{
    bank::{self, EcBank, Pull, Sums},
    forms::{
        grouped::Groups,
        one_pass::OnePass,
        scaled::ScaledForm,
        shared::Shared,
        straining::{Strained, Straining},
    },
};
use crate::{
    instructions,
    modal::{eights::zeros, pole::Pole, rows::Rows},
};
use fearless_simd::Level;
use hamiltone_core::{
    element::Law, input::Action, refusal::Refusal, row::Row, state::Archive, system::System,
};
use hamiltone_numerics::aligned::Aligned;
use std::sync::Arc;

/// Which part of the strain that a mode bears at all is left to one that doubles its stiffness.
const HELD: f64 = 0.9;

/// w of a mode.
pub(super) fn weight(pole: &Pole) -> f64 {
    let constants @ (n, r, _) = bank::constants(Some(pole));
    (pole.push / pole.mobility).min(HELD * 2.0 * bank::inertia(&constants) / (n + r))
}

/// The forms of a bank.
#[derive(Clone)]
pub(super) struct Forms {
    level: Level,
    forms: Arc<[ScaledForm]>,
    /// The coordinates that strain forms, where any do.
    straining: Option<Straining>,
    /// Σu of the inputs that strain each: (input, form, s), one form after the other.
    strains: Arc<[(usize, usize, f64)]>,
    inputs: usize,
    /// e at the start of the step, and Δe.
    strain: Vec<f64>,
    shift: Vec<f64>,
    /// ψ at the start of the step, and what it is added up from.
    value: Vec<f64>,
    size: Vec<f64>,
    /// What steps them in one pass with the bank, if they can be; whether the last step was one.
    one_pass: Option<OnePass>,
    in_one_pass: bool,
    /// The forms with modes of their own and diagonal B, g of each, and the root of its entry of M.
    alone: Arc<[usize]>,
    gradients: Vec<Aligned>,
    roots: Vec<f64>,
    /// The others.
    shared: Vec<Shared>,
    /// T, and ψ̄.
    tension: Vec<f64>,
    mean: Vec<f64>,
    /// −GT, and Gᵀp.
    push: Aligned,
    answer: Vec<f64>,
    /// CG L⁻ᵀ/√2 of all rows of contacts, M = LLᵀ; of one form at a time.
    lowered: Vec<f64>,
    column: Vec<f64>,
    along: Aligned,
}

impl Forms {
    /// Those of `system`, on coordinates that are `scale` times those of the bank; contacts have so many rows.
    pub fn new(system: &System, scale: &[f64], rows: usize) -> Self {
        let forms: Arc<[ScaledForm]> = system.forms.iter().map(|form| ScaledForm::new(form, scale)).collect();
        let mut strains = Vec::new();
        for (k, input) in system.inputs.iter().enumerate() {
            if let Action::Strain(strained) = &input.action {
                strains.extend(strained.clone().map(|j| (k, j, system.forms[j].stretch)));
            }
        }
        strains.sort_by_key(|(_, form, _)| *form);
        let straining = Straining::new(&system.forms, scale);
        let (count, zero) = (forms.len(), || vec![0.0; forms.len()]);
        let Groups { alone, shared } = Groups::of(&forms, scale.len());
        let inverse = |j: usize| straining.as_ref().map_or(1.0, |straining: &Straining| straining.inverse(j));
        let shared = shared.iter().map(|group| Shared::new(&forms, group, inverse)).collect();
        Self {
            level: instructions::level(),
            strains: strains.into(),
            inputs: system.inputs.len(),
            strain: zero(),
            shift: zero(),
            value: zero(),
            size: zero(),
            one_pass: if straining.is_none() { OnePass::new(&forms, scale.len()) } else { None },
            straining,
            in_one_pass: false,
            gradients: alone.iter().map(|j| zeros(forms[*j].range().len())).collect(),
            roots: vec![0.0; alone.len()],
            alone: alone.into(),
            shared,
            tension: zero(),
            mean: zero(),
            push: zeros(if count > 0 { scale.len() } else { 0 }),
            along: zeros(if count > 0 { scale.len() } else { 0 }),
            answer: zero(),
            lowered: vec![0.0; rows * count],
            column: vec![0.0; if count > 0 { rows } else { 0 }],
            forms,
        }
    }

    /// Refuses coordinates that strain forms and cannot, and ports beside forms: a port is solved with the compliance of its rows, of which forms take a part in each step.
    pub fn refuse(scheme: &'static str, system: &System, scale: &[f64]) -> Result<(), Refusal> {
        Straining::refuse(scheme, system, scale)?;
        let port = system.elements.iter().find(|element| matches!(element.law, Law::Port(_)));
        let Some((port, form)) = port.zip(system.forms.first()) else { return Ok(()) };
        let what = vec![format!(
            "the port `{}` beside the quadratic form `{}` (leave out one of them, such as tension_modulation)",
            port.name, form.name
        )];
        Err(Refusal::NotCovered { scheme, what })
    }

    /// Whether there are none.
    pub fn none(&self) -> bool {
        self.forms.is_empty()
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.forms.len()
    }

    /// Whether any pushes a body that is at rest at 0.
    pub fn push_at_rest(&self) -> bool {
        self.forms.iter().any(ScaledForm::has_linear)
    }

    /// The weights w of modes are these, and the constants of the bank may be others.
    pub fn weigh(&mut self, bank: &EcBank, weight: impl Fn(usize) -> f64) {
        if self.none() {
            return;
        }
        let forms = Arc::make_mut(&mut self.forms);
        self.alone.iter().for_each(|j| forms[*j].weigh(&weight));
        self.shared.iter_mut().for_each(|shared| shared.weigh(&weight));
        if let Some(one_pass) = &mut self.one_pass {
            one_pass.renew(&self.forms, bank.slow);
        }
    }

    /// The state has been changed other than by [`Forms::step`].
    pub fn forget(&mut self) {
        if let Some(one_pass) = &mut self.one_pass {
            one_pass.forget();
        }
    }

    /// Strains as inputs of these values leave them, not moving.
    pub fn reset(&mut self, input: &[f64]) {
        self.strain.fill(0.0);
        self.shift.fill(0.0);
        self.strains.iter().for_each(|&(k, form, stretch)| self.strain[form] += stretch * input[k]);
    }

    /// Moves strains to the step that begins: `input` holds the values at both its ends. Whether any moves.
    pub fn read_inputs(&mut self, input: &[f64]) -> bool {
        if self.strains.is_empty() {
            return false;
        }
        let (start, end) = input.split_at(self.inputs);
        let (mut strains, mut moves) = (self.strains.iter().peekable(), false);
        for (j, (strain, shift)) in self.strain.iter_mut().zip(&mut self.shift).enumerate() {
            (*strain, *shift) = (0.0, 0.0);
            while let Some(&(k, _, stretch)) = strains.next_if(|(_, form, _)| *form == j) {
                *strain += stretch * start[k];
                *shift += stretch * (end[k] - start[k]);
            }
            moves |= *shift != 0.0;
        }
        moves
    }

    /// What the next step depends on besides the state of the modes, for the energy before it: e.
    pub fn archive(&mut self, archive: &mut Archive) {
        for (strain, shift) in self.strain.iter_mut().zip(&mut self.shift) {
            let mut now = *strain + *shift;
            archive.number(&mut now);
            if archive.reads() {
                (*strain, *shift) = (now, 0.0);
            }
        }
    }

    /// Σ(½ψ² + eψ) at the end of the step, J; the row of joints is that of [`Forms::step`].
    pub fn stored(&mut self, bank: &mut EcBank, row: Option<&[f64]>) -> f64 {
        if self.one_pass.is_none() {
            self.find(bank);
        }
        let Self { one_pass, value, strain, shift, straining, .. } = self;
        let energy = |(value, (strain, shift)): (f64, (&f64, &f64))| (0.5 * value + (strain + shift)) * value;
        let strains = strain.iter().zip(&*shift);
        match one_pass {
            Some(one_pass) => {
                let values = one_pass.known(bank, row).iter().map(|known| known.value);
                values.zip(strains).map(energy).sum()
            }
            None => {
                let lengthening =
                    |j| straining.as_ref().map_or(0.0, |straining| straining.of(j, &bank.place));
                let with = |(j, (value, strain)): (usize, (&f64, _))| {
                    energy((*value, strain)) + lengthening(j) * value
                };
                value.iter().zip(strains).enumerate().map(with).sum()
            }
        }
    }

    /// The step of the bank with its forms, driven by F or not, acted on by contacts afterwards or not, and pulled by joints, along the
    /// same row in each step or not.
    pub fn step(
        &mut self,
        bank: &mut EcBank,
        (driven, acted): (bool, bool),
        (pull, one_row): (Option<Pull>, bool),
    ) -> Sums {
        let is_known = !driven && (one_row || pull.is_none());
        let Self { one_pass, value, size, tension, mean, strain, shift, .. } = self;
        self.in_one_pass = is_known && one_pass.is_some();
        match one_pass {
            Some(one_pass) if is_known => {
                let force = pull.map_or(0.0, |pull| pull.force);
                for (j, known) in one_pass.known(bank, pull.map(|pull| pull.row)).iter().enumerate() {
                    (value[j], size[j]) = (known.value, known.size);
                    let way = known.way + force * known.row;
                    let (strained, square) = (strain[j] + 0.5 * shift[j], 0.5 * known.square);
                    // A strain far above ψ leaves nothing of it in T.
                    mean[j] = (value[j] + 0.5 * way - square * strained) / (1.0 + square);
                    tension[j] = mean[j] + strained;
                }
                one_pass.step(bank, pull, tension, acted)
            }
            _ => {
                self.forget();
                self.begin(bank);
                bank.step(driven, true, pull);
                self.act(bank)
            }
        }
    }

    /// Whether forms have pushed the bank after its step, and not in it: joints have read another U.
    pub fn pushed(&self) -> bool {
        !self.none() && !self.in_one_pass
    }

    /// Σ aⱼ(ψⱼ + eⱼ) of the positions X at the end of the step, ψ without weights and e what inputs strain.
    pub fn tension(&self, weights: &Row, place: &[f64]) -> f64 {
        let strained = |j: usize| self.forms[j].position(place) + (self.strain[j] + self.shift[j]);
        weights.sum(|j, a| a * strained(j))
    }

    /// ψ and g at the start of a step.
    fn begin(&mut self, bank: &EcBank) {
        self.find(bank);
        if let Some(straining) = &mut self.straining {
            straining.begin(&bank.place);
        }
    }

    /// ψ, its size and g of the state.
    fn find(&mut self, bank: &EcBank) {
        let Self { forms, level, alone, gradients, shared, value, size, .. } = self;
        for (&j, gradient) in alone.iter().zip(gradients) {
            (value[j], size[j]) = forms[j].read_with_gradient(*level, &bank.place, &bank.speed, gradient);
        }
        for shared in shared {
            shared.look(bank);
            for (lane, &j) in shared.forms().iter().enumerate() {
                (value[j], size[j]) = (shared.value[lane], shared.size[lane]);
            }
        }
    }

    /// The entries of M of the forms with modes of their own.
    fn take_roots(&mut self) {
        for ((root, gradient), j) in self.roots.iter_mut().zip(&self.gradients).zip(&*self.alone) {
            let own = self.straining.as_ref().map_or(1.0, |straining| straining.inverse(*j));
            *root = (own + 0.5 * ScaledForm::square(self.level, gradient)).sqrt();
        }
    }

    /// Pushes the bank, which has taken the step without forms.
    fn act(&mut self, bank: &mut EcBank) -> Sums {
        self.take_roots();
        let Self { forms, level, alone, gradients, roots, shared, .. } = self;
        let Self { tension, mean, answer, value, strain, shift, push, straining, .. } = self;
        // ψ, with what coordinates strain; T − ē is found, since a strain far above ψ leaves nothing of ψ in T.
        let mut start =
            |j: usize| value[j] + straining.as_mut().map_or(0.0, |straining| straining.meet(j, &bank.moved));
        let strained = |j: usize| strain[j] + 0.5 * shift[j];
        push.fill(0.0);
        for ((&j, gradient), root) in alone.iter().zip(&*gradients).zip(&*roots) {
            let (way, e) = (forms[j].along(*level, gradient, &bank.moved), strained(j));
            let answered = if e == 0.0 { 0.0 } else { 0.5 * ScaledForm::square(*level, gradient) * e };
            mean[j] = (start(j) + 0.5 * way - answered) / root / root;
            tension[j] = mean[j] + e;
            forms[j].add(*level, -tension[j], gradient, push);
        }
        for shared in shared {
            answer.fill(0.0);
            if shared.forms().iter().any(|j| strained(*j) != 0.0) {
                shared.change(|j, _| strained(j));
                shared.half_product();
                shared.change(|j, x| {
                    answer[j] = x;
                    x
                });
            }
            shared.along(&bank.moved);
            shared.change(|j, way| start(j) + 0.5 * way - answer[j]);
            shared.solve();
            shared.change(|j, t| {
                (mean[j], tension[j]) = (t, t + strained(j));
                tension[j]
            });
            shared.push(push);
        }
        if let Some(straining) = straining {
            straining.push(tension, push);
        }
        bank.add_before_elements(push)
    }

    /// Contacts act in the step: they need g of each form and M.
    pub fn prepare_answers(&mut self) {
        if let Some(one_pass) = self.one_pass.as_ref().filter(|_| self.in_one_pass) {
            for (&j, gradient) in self.alone.iter().zip(&mut self.gradients) {
                let first = self.forms[j].range().start;
                self.forms[j].own().for_each(|i| gradient[i - first] = one_pass.met[i]);
            }
            self.take_roots();
        }
        self.shared.iter_mut().for_each(Shared::factorise);
    }

    /// p becomes what is left of it with the answer of the forms.
    pub fn answer(&mut self, push: &mut [f64]) {
        if self.none() {
            return;
        }
        let Self { forms, level, alone, gradients, roots, shared, tension, mean, answer, straining, .. } =
            self;
        for ((&j, gradient), root) in alone.iter().zip(&*gradients).zip(&*roots) {
            answer[j] = 0.5 * forms[j].along(*level, gradient, push) / root / root;
            forms[j].add(*level, -answer[j], gradient, push);
        }
        for shared in shared {
            shared.along(push);
            shared.change(|_, way| 0.5 * way);
            shared.solve_with_factor();
            shared.push(push);
            shared.change(|j, t| {
                answer[j] = t;
                t
            });
        }
        for all in [tension, mean] {
            all.iter_mut().zip(&*answer).for_each(|(all, answer)| *all += answer);
        }
        if let Some(straining) = straining {
            straining.answer(answer, push);
        }
    }

    /// What the forms take of the compliances of contact rows C: a row of numbers u each, G_c = CCᵀ − Σuuᵀ.
    pub fn lowered(&mut self, rows: &mut Rows) -> &[f64] {
        let count = self.forms.len();
        let Self { forms, alone, gradients, roots, shared, along, column, lowered, .. } = self;
        let mut read = |k: usize, along: &[f64]| {
            rows.all(along, column);
            let places = lowered.iter_mut().skip(k).step_by(count);
            places.zip(&*column).for_each(|(u, cg)| *u = std::f64::consts::FRAC_1_SQRT_2 * cg);
        };
        for (k, (j, gradient)) in alone.iter().zip(&*gradients).enumerate() {
            along.fill(0.0);
            along[forms[*j].range()].copy_from_slice(gradient);
            read(k, along);
        }
        let mut first = alone.len();
        for shared in &*shared {
            along.fill(0.0);
            for lane in 0..shared.forms().len() {
                shared.gradient(lane, along);
                read(first + lane, along);
            }
            first += shared.forms().len();
        }
        for row in lowered.chunks_exact_mut(count.max(1)) {
            let (own, mut others) = row.split_at_mut(alone.len());
            own.iter_mut().zip(&*roots).for_each(|(u, root)| *u /= root);
            for shared in &*shared {
                let (these, left) = others.split_at_mut(shared.forms().len());
                shared.forward(these);
                others = left;
            }
        }
        lowered
    }

    /// What the step did, the bank having moved by S where coordinates strain a form: J given to the modes, supplied by strains and stored at most by forms, and what a rounding of the positions is worth
    /// over eps, J.
    pub fn flows(&self, moved: &[f64]) -> FormFlows {
        let mut flows = FormFlows::default();
        for (j, tension) in self.tension.iter().enumerate() {
            let strained = self.straining.as_ref().and_then(|straining| straining.flows(j, moved));
            // Whatever acted, it is ψ + ½g·S.
            let mean = strained.as_ref().map_or(self.mean[j], |strained| strained.mean);
            let way = 2.0 * (mean - self.value[j]);
            flows.given -= tension * way;
            flows.leverage += tension.abs() * self.size[j];
            let end = self.value[j] + way;
            if let Some(Strained { given, lengthening, size, .. }) = strained {
                flows.given += given;
                flows.leverage += mean.abs() * size;
                // What strains it holds ½ℓ² at least: the others can get all there is, and no more.
                flows.held += (0.5 * end + lengthening) * end;
            } else {
                flows.supplied += mean * self.shift[j];
                let end = end + (self.strain[j] + self.shift[j]);
                flows.held += 0.5 * (end * end);
            }
        }
        flows
    }
}

/// What forms did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FormFlows {
    pub given: f64,
    pub supplied: f64,
    /// Σ½(ψ + e)²: what the modes can get of them while no strain moves.
    pub held: f64,
    pub leverage: f64,
}
