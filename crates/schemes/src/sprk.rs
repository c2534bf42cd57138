//! Explicit symplectic partitioned Runge–Kutta methods (I18 §4, Algorithm 1): \[B\] moves positions, (b) momenta.
//!
//!   q ← q + BᵢΔt v,   v ← v + bᵢΔt M⁻¹(Bu − K q − Cᵀf(C·q − h) …),   i = 1 … s
//!
//! Undamped and undriven they are symplectic and of the order of their coefficients ([`crate::tableaux`]). Damping is
//! taken in one of two ways:
//!
//!   printed   in the kicks, R v and f(1 + μẋ) with the v before each: I18 (14), (15), of order 1
//!   split     exactly, for Δt/2 before and Δt/2 behind the undamped step (`attenuation.rs`), of order 2
//!
//! An external force is known at the step's ends; between them it is taken to be linear, which is of order 2.
//!
//! Books: stored is the energy ½vᵀMv + ½qᵀKq + ΣV at the step's end, which an explicit method keeps within bounds;
//! what each kick's damping takes and each input gives is exact for the kick as it is made: impulse times the mean
//! of the velocities before and after.

use crate::{
    attenuation::Attenuation, kicks::Kicks, linear::Linear, listen, staggered, tableaux, tableaux::Tableau,
    touch, touch::Touch,
};
use hamiltone_core::{
    check,
    ledger::{Books, Fault, Ledger},
    parameter::{Absent, Entry, Kind, Parameter, Takes, Values},
    row::Row,
    scheme::{Area, Balance, Claims, Refusal, Scheme, State, Stepper},
    system::System,
};
use hamiltone_numerics::lanes;

/// A method: its coefficients and how it takes damping.
#[derive(Clone, Copy, Debug)]
pub struct Sprk {
    /// (b)\[B\].
    pub tableau: Tableau,
    /// Damping in the kicks, as I18 prints it.
    pub printed: bool,
}

impl Scheme for Sprk {
    fn name(&self) -> &'static str {
        self.tableau.name
    }

    fn claims(&self) -> Claims {
        Claims {
            order: if self.printed { 1 } else { 2 },
            order_free: self.tableau.order,
            symmetric: self.tableau.symmetric(),
            linear: Balance::Bounded,
            contact: Balance::Bounded,
            area: if self.printed { Area::Free } else { Area::Conformal },
            area_with_contact: !self.printed,
            limit: Some(self.tableau.limit()),
            staggered: false,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Partitioned::new(*self, system, dt)?))
    }
}

struct Partitioned {
    system: System,
    linear: Linear,
    touches: Vec<Touch>,
    kicks: Kicks,
    /// The split damping; `None` where it is in the kicks.
    around: Option<Attenuation>,
    stages: Vec<Stage>,
    q: Vec<f64>,
    v: Vec<f64>,
    /// The velocities that a kick makes.
    next: Vec<f64>,
    /// Each contact's impulse in a kick, and the part of it that its loss makes.
    impulses: Vec<(f64, f64)>,
    /// Each input's impulse in a kick.
    gifts: Vec<f64>,
    forces: Vec<f64>,
    /// Whether an output reads a contact's force.
    reads_forces: bool,
}

/// A stage: BᵢΔt, bᵢΔt, and where in the step its kick falls.
#[derive(Clone, Copy, Debug)]
struct Stage {
    drift: f64,
    kick: f64,
    instant: f64,
}

impl Partitioned {
    fn new(method: Sprk, system: &System, dt: f64) -> Result<Self, Refusal> {
        let (scheme, tableau) = (method.name(), method.tableau);
        let signed = if tableau.symmetric() { dt.abs() } else { dt };
        check::check(scheme, system, signed)?;
        staggered::below(scheme, system, dt.abs(), tableau.limit())?;
        let touches = touch::all(scheme, system)?;
        let kicks = Kicks::new(system, true, method.printed);
        if method.printed {
            let pace = kicks.bounds().1 * dt.abs() * tableau.largest_kick();
            if pace > 1.0 {
                return Err(Refusal::NotCovered {
                    scheme,
                    what: format!(
                        "damping in the kicks as strong as max|b|·λ_max(M⁻¹R)·Δt = {pace:.3e} (at most 1)"
                    ),
                    instead: format!(
                        "set damping = \"split\", or run at {:.0} Hz or more",
                        (pace / dt.abs()).floor() + 1.0
                    ),
                });
            }
        }
        let split = || Attenuation::new(scheme, system, &touches, 0.5 * dt);
        let around = if method.printed { None } else { Some(split()?) };
        let mut instant = 0.0;
        let stages = tableau.momenta.iter().zip(tableau.positions).map(|(b, big)| {
            instant += big;
            Stage { drift: big * dt, kick: b * dt, instant }
        });
        let zero = || vec![0.0; system.size()];
        let mut stepper = Self {
            linear: Linear::new(system, false),
            kicks,
            around,
            stages: stages.collect(),
            q: zero(),
            v: zero(),
            next: zero(),
            forces: vec![0.0; touches.len()],
            impulses: vec![(0.0, 0.0); touches.len()],
            gifts: vec![0.0; system.inputs.len()],
            reads_forces: listen::to_forces(&system.outputs),
            touches,
            system: system.clone(),
        };
        stepper.start();
        Ok(stepper)
    }

    fn start(&mut self) {
        self.q.copy_from_slice(&self.system.start.position);
        self.v.copy_from_slice(&self.system.start.velocity);
        touch::felt(&self.touches, &self.q, &self.v, &mut self.forces);
    }

    /// ½vᵀMv + ½qᵀKq + ΣV.
    fn stored(&self) -> f64 {
        self.linear.energy(&self.q, &self.v) + touch::energy(&self.touches, &self.q)
    }

    fn kick(&mut self, stage: Stage, input: &[f64], ledger: &mut Ledger) {
        let h = stage.kick;
        ledger.dissipated += self.kicks.kick(h, &self.q, &self.v, &mut self.next);
        let mut pushed = false;
        for (touch, (impulse, loss)) in self.touches.iter().zip(&mut self.impulses) {
            let x = touch.penetration(&self.q);
            (*impulse, *loss) = (0.0, 0.0);
            if x <= touch.onset {
                continue;
            }
            let force = h * touch.potential.force(x);
            let mu = if self.around.is_none() { touch.potential.loss() } else { 0.0 };
            *loss = if mu == 0.0 { 0.0 } else { force * mu * touch.row.dot(&self.v) };
            *impulse = force + *loss;
            self.kicks.pull(&touch.row, *impulse, &mut self.next);
            pushed = true;
        }
        let inputs = self.system.inputs.len();
        for (k, port) in self.system.inputs.iter().enumerate() {
            let (u0, u1) = (input[k], input[inputs + k]);
            self.gifts[k] = h * (u0 + (u1 - u0) * stage.instant);
            self.kicks.pull(&port.row, -self.gifts[k], &mut self.next);
            pushed = true;
        }
        if pushed {
            self.book(h, ledger);
        }
        std::mem::swap(&mut self.v, &mut self.next);
    }

    /// What contacts' losses took and inputs gave in the kick from `v` to `next`: impulses times the mean velocity.
    /// The kick booked the damping's with its own mean, before these moved `next`.
    fn book(&self, h: f64, ledger: &mut Ledger) {
        let mean = |row: &Row| 0.5 * (row.dot(&self.v) + row.dot(&self.next));
        for (touch, (impulse, loss)) in self.touches.iter().zip(&self.impulses) {
            if *impulse != 0.0 {
                ledger.dissipated += loss * mean(&touch.row);
                ledger.dissipated -= 0.5 * h * impulse * self.kicks.damping_along(&touch.row, &self.v);
            }
        }
        for (port, gift) in self.system.inputs.iter().zip(&self.gifts) {
            ledger.supplied += gift * mean(&port.row);
            ledger.dissipated += 0.5 * h * gift * self.kicks.damping_along(&port.row, &self.v);
        }
    }
}

impl Stepper for Partitioned {
    fn reset(&mut self, _input: &[f64]) -> f64 {
        self.start();
        self.stored()
    }

    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let mut ledger = Ledger::default();
        if let Some(around) = &mut self.around {
            ledger.dissipated += around.forwards(&self.touches, &self.q, &mut self.v);
        }
        for i in 0..self.stages.len() {
            let stage = self.stages[i];
            self.kicks.drift(stage.drift, &self.v, &mut self.q);
            if stage.kick != 0.0 {
                self.kick(stage, input, &mut ledger);
            }
        }
        if let Some(around) = &mut self.around {
            ledger.dissipated += around.backwards(&self.touches, &self.q, &mut self.v);
        }
        if self.reads_forces {
            touch::felt(&self.touches, &self.q, &self.v, &mut self.forces);
        }
        match books {
            Books::Kept => ledger.stored = self.stored(),
            Books::Flows => ledger.partial = true,
            Books::Off => ledger = Ledger::default(),
        }
        if !lanes::sum(self.q.len(), |i| self.q[i]).is_finite() {
            ledger.effort.fault = Some(Fault::NonFinite);
        }
        ledger
    }

    fn restore(&mut self, state: &State) -> bool {
        self.q.copy_from_slice(&state.q);
        self.v.copy_from_slice(&state.v);
        touch::felt(&self.touches, &self.q, &self.v, &mut self.forces);
        true
    }

    fn outputs(&self, output: &mut [f64]) {
        listen::read(&self.system.outputs, &self.q, &self.v, 1.0, &self.forces, output);
    }

    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&self.q);
        v.copy_from_slice(&self.v);
    }

    fn balance(&self) -> Balance {
        Balance::Bounded
    }
}

const DAMPING: &[Parameter] = &[Parameter {
    name: "damping",
    takes: Takes::Word(&["split", "printed"]),
    absent: Absent::Word("split"),
    doc: "split: exact, half before and half behind the undamped step, of order 2; printed: in the kicks (Ishikawa et al. 2018, (14)), of order 1",
}];

macro_rules! entry {
    ($name:ident, $tableau:expr) => {
        pub(crate) const $name: Entry<Box<dyn Scheme>> = Entry {
            kind: Kind {
                name: $tableau.name,
                summary: $tableau.summary,
                equation: "q ← q + BᵢΔt v;  v ← v + bᵢΔt M⁻¹F(q),  i = 1 … s",
                source: $tableau.source,
                parameters: DAMPING,
                rules: &[],
            },
            make: |values: &Values| {
                let printed = values.word("damping") == Some("printed");
                Ok(Box::new(Sprk { tableau: $tableau, printed }))
            },
        };
    };
}

entry!(THREE, tableaux::THREE);
entry!(FOUR, tableaux::FOUR);
entry!(SIX, tableaux::SIX);
entry!(VERLET, tableaux::VERLET);
entry!(BLANES_MOAN, tableaux::BLANES_MOAN);
