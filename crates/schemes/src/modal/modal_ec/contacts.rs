//! What elements and links make of a step: rigid contacts by impulses, force laws by their exact quotient.
//!
//!   Y⁺ = Y⁺_free − CᵀF,   G = C Cᵀ   (rows scaled like the state)
//!
//! A rigid contact is closed where c·U ≥ h, halfway through the step at the old velocity, and then
//!
//!   0 ≤ F ⊥ −c·(Y⁺ + e′Y) ≥ 0,   e′ = e where c·Y ≥ 0 (approaching), else 1
//!
//! Its work −F c·S = −F(1 − e′)c·Y is a loss where it approaches, and 0 where it separates already. A force law moves by
//! σ = c·S in the step; the contact's loss takes (V(x + σ) − V(x))μσ/Δt, a resistive law Fσ. A moving reference goes by Δh:
//! x = c·q − h − h_ref, σ = c·S − Δh, c·Y − ½Δh is the speed relative to it, and it supplies −FΔh.
//!
//! What elements are read for moves by twice Y or less from one step to the next, of E = Σ (pY² + ½gX²): U⁺ − U = 2Y⁺,
//! X⁺ − X = Y + Y⁺, and E does not grow where nothing acts. So those that the energy cannot bring into contact are not read
//! ([`crate::modal::reach`]). Where time runs backwards damped modes gain energy, and all are read.

mod booking;

use super::{
    bank::{EcBank, Sums},
    forms::Forms,
};
use crate::{
    interaction::{ForceLaw, Inputs, Interaction},
    modal::{
        closing::Closing,
        eights::zeros,
        element_forces::{ElementForces, Rigid},
        reach::{self, Reach, Way},
        rows::Rows,
    },
};
use hamiltone_core::{
    ledger::Effort,
    row::Row,
    state::Archive,
    stepper::{Activity, Gaps},
    system::System,
};
use hamiltone_numerics::{aligned::Aligned, lcp::Method, list::List};
use std::sync::Arc;

#[derive(Clone)]
pub(super) struct EcContacts {
    rows: Rows,
    /// Forms, which leave contacts less than the compliance of their rows.
    pub forms: Forms,
    rigid: Arc<[Rigid]>,
    /// e of all; 0 of those with force laws.
    restitutions: Arc<[f64]>,
    /// When each of them, and then each compliant law, can matter.
    reach: Reach,
    closing: Closing,
    /// The compliant laws, whose penetrations count, among the force laws, and their elements.
    compliant: Arc<[usize]>,
    penetrated: Arc<[usize]>,
    /// The elements whose force laws can answer in the step, and with them the closed contacts.
    acting: List<usize>,
    asked: List<usize>,
    /// Whether x is that of where the bank stands, and whether any force is not 0.
    is_read: bool,
    any_force: bool,
    /// Elements come first, then links.
    elements: usize,
    solved: ElementForces,
    inputs: Arc<Inputs>,
    /// h and h_ref at the start of the step, and Δh, of all elements and links.
    gaps: Arc<[f64]>,
    references: Vec<f64>,
    shifts: Vec<f64>,
    /// Whether a reference moved in the last step.
    moves: bool,
    /// c·U of all; c·Y and c·Y⁺, or the like, of those that ask for them, and the sizes that they are added up from.
    halfway: Vec<f64>,
    speeds: Vec<f64>,
    read: Vec<f64>,
    sizes: Vec<f64>,
    /// −CᵀF.
    pushes: Aligned,
    /// x at the end of the step, and what the step as made misses σ by, of those with force laws.
    x: Vec<f64>,
    miss: Vec<f64>,
    /// ΣV, J.
    pub stored: f64,
    activity: Vec<Activity>,
}

/// What elements did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EcDone {
    /// The energies of the modes, where elements changed them.
    pub sums: Option<Sums>,
    pub work: f64,
    pub dissipated: f64,
    pub supplied: f64,
    /// What elements and links gave to the modes.
    pub given: f64,
    pub leverage: f64,
    pub effort: Effort,
}

impl EcContacts {
    /// The elements of `system` and its `links`, rows scaled by `scale`; p of the modes is `inertia`.
    pub fn new(
        system: &System,
        interactions: Vec<Interaction>,
        (scale, inertia, dt): (&[f64], &[f64], f64),
        method: Method,
    ) -> Self {
        let elements = system.elements.len();
        let links = interactions.iter().filter(|i| i.element >= elements).map(|i| &i.row);
        let given: Vec<&Row> = system.elements.iter().map(|element| element.row()).chain(links).collect();
        let p = given.len();
        let mut rows = Rows::new(&given, scale);
        let mut gaps: Vec<f64> = system.elements.iter().map(|element| element.gap).collect();
        gaps.resize(p, 0.0);
        let (count, zero) = (interactions.len(), || vec![0.0; p]);
        let (inputs, rigid) = (Inputs::of(system), Rigid::of(system));
        let mut restitutions = zero();
        rigid.iter().for_each(|rigid| restitutions[rigid.element] = rigid.restitution);
        let width = |j: usize| match dt < 0.0 {
            // Growing energy is not bounded by the stored energy.
            true => f64::INFINITY,
            false => reach::square(given[j], scale, inertia).sqrt(),
        };
        let is_compliant = |k: &usize| matches!(interactions[*k].law, ForceLaw::Compliant(..));
        let compliant: Arc<[usize]> = (0..count).filter(is_compliant).collect();
        let penetrated: Arc<[usize]> = compliant.iter().map(|k| interactions[*k].element).collect();
        let each = rigid.iter().map(|rigid| rigid.element).chain(penetrated.iter().copied());
        let reach = Reach::new(each.map(width).collect());
        let mut solved = ElementForces::new(rows.compliance(scale.len()), interactions, method);
        let forms = Forms::new(system, scale, p);
        if !forms.none() {
            solved.reserve_lower();
        }
        Self {
            forms,
            reach,
            closing: Closing::new(&rigid, &gaps),
            compliant,
            penetrated,
            acting: List::with_room(count),
            asked: List::with_room(p),
            is_read: false,
            any_force: false,
            restitutions: restitutions.into(),
            rigid: rigid.into(),
            elements,
            solved,
            inputs: Arc::new(inputs),
            gaps: gaps.into(),
            references: zero(),
            shifts: zero(),
            moves: false,
            halfway: zero(),
            speeds: zero(),
            read: zero(),
            sizes: zero(),
            pushes: zeros(scale.len()),
            x: vec![0.0; count],
            miss: vec![0.0; count],
            stored: 0.0,
            activity: vec![Activity::NONE; elements],
            rows,
        }
    }

    /// Whether there are none, nor links.
    pub fn none(&self) -> bool {
        self.gaps.is_empty()
    }

    /// The mean forces of all elements in the last step, N.
    pub fn forces(&self) -> &[f64] {
        &self.solved.forces[..self.elements]
    }

    /// Nothing has happened yet: the bank stands at its start, the inputs have these values.
    pub fn reset(&mut self, place: &[f64], input: &[f64]) {
        // Forces of the run before must not be read.
        self.rest();
        self.activity.fill(Activity::NONE);
        self.references.fill(0.0);
        self.shifts.fill(0.0);
        self.reach.restart();
        for &(k, element) in &self.inputs.motions {
            self.references[element] += input[k];
        }
        self.store(place);
    }

    /// The modes' speeds have been changed between two steps.
    pub fn disturb(&mut self) {
        self.reach.forget();
    }

    /// The modes' stiffnesses have been changed: their p are at least 1/`growth` of what they were at first.
    pub fn retune(&mut self, growth: f64) {
        self.reach.grow(growth);
    }

    /// What elements did since this was last asked.
    pub fn take_activity(&mut self, activity: &mut [Activity]) {
        self.closing.take_activity(&mut self.reach, &mut self.activity, activity);
    }

    /// From now on these least gaps are asked for.
    pub fn ask_for(&mut self, gaps: Gaps) {
        if self.reach.ask_for(gaps) {
            self.activity.iter_mut().for_each(|activity| activity.gap = f64::INFINITY);
        }
    }

    /// Forces from outside change speeds by so much in the step that begins, √J.
    pub fn expect(&mut self, size: f64) {
        self.reach.expect(size);
    }

    /// The way that contacts are kept by, for steps that are taken elsewhere.
    pub fn way(&self) -> Way {
        if self.none() { Way::WITHOUT_CONTACTS } else { self.reach.way() }
    }

    /// Takes it back.
    pub fn resume(&mut self, way: Way) {
        self.reach.resume(way);
    }

    /// A step has ended with this energy of the modes, J.
    pub fn advance(&mut self, stored: f64) {
        self.reach.advance(stored);
    }

    /// Every number that the next step depends on; the bank stands at `place`.
    pub fn archive(&mut self, archive: &mut Archive, place: &[f64]) {
        self.read(place);
        archive.numbers(&mut self.x);
        archive.numbers(&mut self.references);
        archive.numbers(&mut self.solved.forces);
        archive.number(&mut self.stored);
        // Gaps are kept in `reach` while a run goes on.
        self.closing.take_gaps(&self.reach, &mut self.activity);
        Activity::archive(&mut self.activity, archive);
        if archive.reads() {
            self.reach.restart();
            (self.is_read, self.any_force) = (true, true);
        }
    }

    /// Moves references and controls to the step that begins: `input` holds the values at both its ends.
    pub fn read_inputs(&mut self, input: &[f64]) {
        if !self.inputs.act_on_elements() {
            return;
        }
        let Self { inputs, references, shifts, solved, .. } = self;
        for &(_, element) in &inputs.motions {
            (references[element], shifts[element]) = (0.0, 0.0);
        }
        for &(k, element) in &inputs.motions {
            references[element] += input[k];
            shifts[element] += input[inputs.count + k] - input[k];
        }
        solved.read_controls(&inputs.controls, |k| 0.5 * (input[k] + input[inputs.count + k]));
        if inputs.motions.is_empty() {
            return;
        }
        self.closing.move_to(|j| self.gaps[j] + references[j] + 0.5 * shifts[j]);
        // A motion is not bounded by the stored energy: in its steps, and in the one behind them, all contacts can matter.
        let moved = std::mem::replace(&mut self.moves, inputs.motions.iter().any(|(_, j)| shifts[*j] != 0.0));
        if moved || self.moves {
            self.reach.forget();
        }
    }

    /// Penetrations and energies at the end of a step, or where the bank was put since then.
    pub fn store(&mut self, place: &[f64]) {
        self.stored = 0.0;
        self.rows.some(&self.penetrated, place, &mut self.read);
        for &k in self.compliant.iter() {
            let i = &self.solved.interactions[k];
            let j = i.element;
            self.x[k] = self.read[j] - i.gap - (self.references[j] + self.shifts[j]);
            self.stored += i.energy(self.x[k]);
        }
        self.is_read = true;
    }

    /// Takes up x after steps in which no force law was read: none of them has a reference that moves.
    fn read(&mut self, place: &[f64]) {
        if !self.is_read {
            self.store(place);
        }
    }

    /// No element acts.
    fn rest(&mut self) {
        if std::mem::take(&mut self.any_force) {
            self.solved.forces.fill(0.0);
        }
    }

    /// Sees which elements can matter in the step that begins, finds the rigid contacts among them that are closed, and answers whether
    /// [`EcContacts::act`] is to follow the bank's step.
    pub fn look(&mut self, bank: &mut EcBank, driven: bool) -> bool {
        self.solved.closed.clear();
        let Self { solved, acting, compliant, .. } = self;
        acting.clear();
        acting.extend(solved.answering().iter().map(|k| solved.soft[*k]));
        let acting = acting.len() > compliant.len() || driven && !compliant.is_empty();
        if !acting && self.reach.none_due() {
            self.leave_unread();
            return false;
        }
        let rigid = self.rigid.len();
        let laws = acting || self.reach.due(rigid..rigid + self.compliant.len()).next().is_some();
        if self.closing.take(&self.reach, &self.rows) {
            bank.meet();
            let read = (&bank.halfway[..], &mut self.halfway[..]);
            self.closing.find(&mut self.reach, &mut self.rows, read, &mut self.solved.closed);
        }
        if !laws && self.solved.closed.is_empty() {
            self.reach.settle();
            self.leave_unread();
            return false;
        }
        self.read(&bank.place);
        true
    }

    /// Whether no element acts in the step that begins, where no force acts on the modes and inputs stay as they are.
    pub fn is_free(&self) -> bool {
        // Compliant laws are never idle: reach bounds tell of them.
        self.none() || self.reach.none_due() && self.solved.answering().len() == self.compliant.len()
    }

    /// In how many steps from this one on that is so while the modes store this at most, J; up to `most`. The caller takes them all.
    pub fn free_steps(&mut self, stored: f64, most: usize) -> usize {
        if self.none() {
            return most;
        }
        let steps = self.reach.free_steps(stored, most);
        if steps > 0 {
            self.solved.closed.clear();
            self.leave_unread();
            self.reach.advance_by(steps, stored);
        }
        steps
    }

    /// No element acts, and none is read.
    fn leave_unread(&mut self) {
        (self.is_read, self.stored) = (false, 0.0);
        self.rest();
    }

    /// Lets elements and links act on the step that the bank has taken without them.
    pub fn act(&mut self, bank: &mut EcBank, dt: f64) -> EcDone {
        let mut done = EcDone::default();
        self.begin();
        if self.solve(bank, dt, &mut done.effort) {
            self.finish(bank, dt, true, &mut done);
        }
        done
    }

    /// The step begins.
    pub fn begin(&mut self) {
        self.solved.x.copy_from_slice(&self.x);
    }

    /// Finds the forces for the step as the bank has taken it; `false` where none acts.
    pub fn solve(&mut self, bank: &EcBank, dt: f64, effort: &mut Effort) -> bool {
        self.store(&bank.place);
        // The free step is the solution where no law answers it: a felt that is away.
        let mut is_free = self.solved.closed.is_empty() && self.separated();
        if !is_free {
            self.approach(bank);
            is_free = self.solved.closed.is_empty() && self.solved.is_forceless(dt);
        }
        if is_free {
            self.rest();
            self.watch_force_laws();
            return false;
        }
        self.any_force = true;
        if !self.forms.none() {
            self.forms.prepare_answers();
            let (count, u) = (self.forms.count(), self.forms.lowered(&mut self.rows));
            self.solved.lower(|j| &u[j * count..][..count]);
        }
        let (rows, moved, speed) = (&self.rows, &bank.moved, &bank.speed);
        let size = |j: usize| rows.magnitude(j, [moved, speed]);
        let solved = self.solved.solve(dt, size);
        effort.iterations += solved.iterations;
        effort.fault = solved.fault;
        true
    }

    /// −CᵀF of the forces that were found, less what forms answer.
    pub fn pushes(&mut self) -> &[f64] {
        self.pushes.fill(0.0);
        self.rows.add_all(-1.0, &self.solved.forces, &mut self.pushes);
        self.forms.answer(&mut self.pushes);
        &self.pushes
    }

    /// Pushes the bank, the `first` time in this step or not, and books what elements did.
    pub fn finish(&mut self, bank: &mut EcBank, dt: f64, first: bool, done: &mut EcDone) {
        if self.solved.forces.iter().any(|f| *f != 0.0) {
            done.sums = Some(self.push(bank, first));
            self.store(&bank.place);
        }
        self.book(bank, dt, done);
        self.watch_force_laws();
    }

    /// An element that is solved elsewhere has pushed with this mean force in the step.
    pub fn tell(&mut self, element: usize, force: f64, dt: f64) {
        self.solved.forces[element] = force;
        self.any_force = true;
        self.activity[element].impulse += force * dt;
    }

    /// How the force laws would move without forces, and what the closed contacts would miss.
    fn approach(&mut self, bank: &EcBank) {
        let Self { solved, rows, asked, acting, .. } = self;
        asked.clear();
        asked.extend(solved.closed.iter().chain(&*acting));
        rows.some(asked, &bank.moved, &mut self.speeds);
        // What an idle law was asked for last is no part of the state: the stop of the solver must not depend on it.
        solved.free.fill(0.0);
        for k in 0..solved.answering().len() {
            let k = solved.answering()[k];
            let j = solved.soft[k];
            solved.free[k] = self.speeds[j] - self.shifts[j];
        }
        rows.some(&solved.closed, &bank.speed, &mut self.read);
        for &j in &solved.closed {
            // c·Y = c·S − c·Y⁺.
            self.speeds[j] -= self.read[j];
            let drift = 0.5 * self.shifts[j];
            let (speed, free) = (self.speeds[j] - drift, self.read[j] - drift);
            let restitution = if speed >= 0.0 { self.restitutions[j] } else { 1.0 };
            solved.b[j] = -free - restitution * speed;
            // A closed contact is where it was when the step began.
            let gap = self.gaps[j] + self.references[j] - (self.halfway[j] - self.speeds[j]);
            if self.reach.is_watched() {
                self.activity[j].gap = self.activity[j].gap.min(gap);
            }
        }
    }

    /// Whether no force law acts between x and where the step without elements ends: without forces the equations of
    /// the step are then met.
    fn separated(&self) -> bool {
        let solved = &self.solved;
        let is_apart = |&k: &usize| solved.interactions[k].separated(solved.x[k], self.x[k] - solved.x[k]);
        self.acting.len() == self.compliant.len() && self.compliant.iter().all(is_apart)
    }

    /// Y⁺ −= CᵀF; the force laws then take up what rounding left of σ.
    fn push(&mut self, bank: &mut EcBank, first: bool) -> Sums {
        self.pushes();
        let Self { solved, rows, forms, pushes, read, shifts, miss, .. } = self;
        let sums = bank.add(pushes, first);
        if !solved.any_compliant() {
            return sums;
        }
        rows.some(&self.acting, &bank.moved, read);
        for ((miss, &j), step) in miss.iter_mut().zip(solved.soft.iter()).zip(solved.steps()) {
            *miss = step - (read[j] - shifts[j]);
        }
        pushes.fill(0.0);
        solved.correct(miss, |j, response| rows.add(j, response, pushes));
        forms.answer(pushes);
        bank.add(pushes, false)
    }

    /// The gaps of compliant contacts at the end of the step, and for how long they cannot matter.
    fn watch_force_laws(&mut self) {
        let rigid = self.rigid.len();
        for (place, &k) in self.compliant.iter().enumerate() {
            let (x, i) = (self.x[k], &self.solved.interactions[k]);
            let ForceLaw::Compliant(_, onset) = &i.law else { continue };
            let mut distance = onset - x;
            if let Some(activity) = self.activity.get_mut(i.element).filter(|_| self.reach.is_watched()) {
                activity.gap = activity.gap.min(-x);
                distance = distance.min(-x - activity.gap);
            }
            self.reach.set(rigid + place, distance);
        }
        self.reach.settle();
    }
}
