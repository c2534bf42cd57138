//! Schemes broken on purpose: for each defect, a law that must notice it in every scheme that can have it.
//!
//! Why there are several kinds of law: a wrong force passes the area, doubled damping passes the balance, a
//! start of first order passes both.

use super::{METHODS, area, balance, bits, ledger, limit, order, symmetry, takes_contacts};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::Coverage,
    element::{Compliant, Law},
    identity::Identity,
    ledger::Ledger,
    operator::Operator,
    potential::Potential,
    refusal::Refusal,
    scheme::Scheme,
    state::State,
    stepper::{Change, Stepper},
    system::System,
};
use hamiltone_laws::{reference, smooth, trial::Trial};
use std::sync::Arc;

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Defect {
    /// Contact forces 1 % larger than the slope of their energy.
    Force,
    /// Contacts 1 % stronger than they are, energy and all.
    Stiffness,
    /// Losses booked 1 % too large.
    LossBooked,
    /// Supply booked 1 % too large.
    SupplyBooked,
    /// Twice the damping, booked as it is applied.
    DampingTwice,
    /// A start velocity that is off by ½Δt·a.
    Start,
    /// A reset that moves on from where it is.
    Reset,
    /// Outputs off by one part in 10⁹.
    Outputs,
    /// Claims another order.
    Order,
    /// Claims another order without damping.
    OrderFree,
    /// Claims that steps can be undone where they cannot, or the other way round.
    Symmetric,
    /// Claims bounded for exact without contacts.
    Linear,
    /// Claims bounded for exact with contacts, or the other way round.
    Contact,
    /// Claims another contraction.
    Contraction,
    /// Claims the contraction with contacts where it has none, or the other way round.
    WithLinks,
    WithContact,
    /// Claims a wider limit, or one where it has none.
    Limit,
}

type Noticed = Result<(), String>;
type Notice = fn(&dyn Scheme) -> Noticed;

impl Defect {
    /// The defects, each with the law that must notice it.
    const ALL: [(Defect, Notice); 17] = [
        (Defect::Force, wrong_force),
        (Defect::Stiffness, order::law),
        (Defect::LossBooked, balanced),
        (Defect::SupplyBooked, balanced),
        (Defect::DampingTwice, order::law),
        (Defect::Start, order::law),
        (Defect::Reset, repeats),
        (Defect::Outputs, listens),
        (Defect::Order, order::law),
        (Defect::OrderFree, order::free),
        (Defect::Symmetric, symmetry::law),
        (Defect::Linear, balance::not_too_weak),
        (Defect::Contact, balance::not_too_weak),
        (Defect::Contraction, area::of_one_oscillator),
        (Defect::WithLinks, area::of_several),
        (Defect::WithContact, area::with_a_contact),
        (Defect::Limit, limit::law),
    ];

    /// Whether a scheme can have it: at order 1 a start of order 1 is none, nor is a wrong force to a scheme
    /// that gets one coordinate's motion from its energy alone. What only contacts show, only schemes that take some have.
    fn applies(self, scheme: &dyn Scheme) -> bool {
        use Defect::{Contact, Force, Order, OrderFree, Start, Stiffness, WithContact};
        let shown_by_contacts =
            matches!(self, Force | Stiffness | Order | OrderFree | Start | Contact | WithContact);
        (!matches!(self, Start | Force) || scheme.claims().order > 1)
            && (!shown_by_contacts || takes_contacts(scheme))
    }
}

/// The balance of a damped oscillator driven by noise.
fn balanced(scheme: &dyn Scheme) -> Noticed {
    let trial = Trial { force: 1.0, seed: 1, ..Trial::free(smooth::driven(smooth::oscillator()), 300) };
    balance::law(scheme, &trial)?;
    balance::within_bounds(scheme)
}

/// The balance with contacts where it is exact, else the order.
fn wrong_force(scheme: &dyn Scheme) -> Noticed {
    for given in smooth::contacts().iter().flatten() {
        balance::law(scheme, &Trial::free(smooth::with_contact(smooth::oscillator(), &given.contact), 300))?;
    }
    order::law(scheme)
}

fn repeats(scheme: &dyn Scheme) -> Noticed {
    bits::law(scheme, &Trial::free(smooth::oscillator(), 30)).map(drop)
}

fn listens(scheme: &dyn Scheme) -> Noticed {
    let mut system = smooth::oscillator();
    let quantity = hamiltone_core::system::Quantity::Displacement(hamiltone_core::row::Row::unit(0));
    system.outputs.push(hamiltone_core::system::Output { name: "position".into(), quantity });
    ledger::law(scheme, &Trial::free(system, 30)).map(drop)
}

/// A scheme with a defect.
#[derive(Debug)]
struct Mutant<'a>(&'a dyn Scheme, Defect);

impl Scheme for Mutant<'_> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn identity(&self) -> Identity {
        self.0.identity().count(self.1 as usize)
    }
    fn claims(&self) -> Claims {
        let claims = self.0.claims();
        let other = |balance: Balance| if balance.is_exact() { Balance::Bounded } else { Balance::EXACT };
        match self.1 {
            Defect::Order => Claims { order: 3 - claims.order, ..claims },
            Defect::OrderFree => Claims { order_free: claims.order_free + 1, ..claims },
            Defect::Symmetric => Claims { symmetric: !claims.symmetric, ..claims },
            Defect::Linear => Claims { linear: other(claims.linear), ..claims },
            Defect::Contact => Claims { contact: other(claims.contact), ..claims },
            Defect::Contraction if claims.contraction == Contraction::Pade => {
                Claims { contraction: Contraction::Conformal, ..claims }
            }
            Defect::Contraction => Claims { contraction: Contraction::Pade, ..claims },
            Defect::WithLinks => Claims { contraction_with_links: !claims.contraction_with_links, ..claims },
            Defect::WithContact => {
                Claims { contraction_with_contact: !claims.contraction_with_contact, ..claims }
            }
            Defect::Limit => Claims { limit: Some(1.1 * claims.limit.unwrap_or(1.0)), ..claims },
            _ => claims,
        }
    }

    fn coverage(&self) -> Coverage {
        self.0.coverage()
    }

    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        let stepper = self.0.build(&Arc::new(self.spoilt(system)), dt)?;
        let initial = &system.initial;
        let kick = match self.1 {
            Defect::Start => {
                let a = reference::acceleration(system, &initial.position, &initial.velocity, 0.0);
                a.into_iter().map(|a| 0.5 * dt * a).collect()
            }
            _ => vec![0.0; system.size()],
        };
        Ok(Box::new(Spoilt { stepper, defect: self.1, kick, started: false }))
    }
}

impl Mutant<'_> {
    /// What the scheme takes the system for.
    fn spoilt(&self, system: &System) -> System {
        let mut system = system.clone();
        match self.1 {
            Defect::Force | Defect::Stiffness => {
                for contact in &mut system.elements {
                    let Law::Compliant(law) = &contact.law else { continue };
                    let energy = if self.1 == Defect::Force { 1.0 } else { 1.01 };
                    let potential = Arc::new(Stronger { law: law.potential.clone(), energy });
                    contact.law = Law::Compliant(Compliant { potential, ..law.clone() });
                }
            }
            Defect::DampingTwice => {
                for block in &mut system.blocks {
                    if let Operator::Diagonal(damping) = &mut block.damping {
                        damping.iter_mut().for_each(|r| *r *= 2.0);
                    }
                }
            }
            _ => {}
        }
        system
    }
}

/// A law whose force is 1 % larger, and whose energy is by this factor.
#[derive(Debug)]
struct Stronger {
    law: Arc<dyn Potential>,
    energy: f64,
}

impl Potential for Stronger {
    fn identity(&self) -> Identity {
        self.law.identity().number(self.energy)
    }
    fn energy(&self, x: f64) -> f64 {
        self.energy * self.law.energy(x)
    }
    fn force(&self, x: f64) -> f64 {
        1.01 * self.law.force(x)
    }
    fn curvature(&self, x: f64) -> f64 {
        1.01 * self.law.curvature(x)
    }
    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let (mean, slope) = self.law.quotient(x, s);
        (1.01 * mean, 1.01 * slope)
    }
}

#[derive(Clone)]
struct Spoilt {
    stepper: Box<dyn Stepper>,
    defect: Defect,
    /// What is added to velocities at the start.
    kick: Vec<f64>,
    started: bool,
}

impl Stepper for Spoilt {
    fn step(&mut self, input: &[f64]) -> Ledger {
        let ledger = self.stepper.step(input);
        match self.defect {
            Defect::LossBooked => Ledger { dissipated: 1.01 * ledger.dissipated, ..ledger },
            Defect::SupplyBooked => Ledger { supplied: 1.01 * ledger.supplied, ..ledger },
            _ => ledger,
        }
    }
    fn energy(&mut self) -> f64 {
        self.stepper.energy()
    }
    fn change(&mut self, change: &Change) -> bool {
        self.stepper.change(change)
    }
    fn state(&mut self, state: State) {
        let State::Start(motion, input) = state else { return self.stepper.state(state) };
        if self.started && self.defect == Defect::Reset {
            return;
        }
        self.started = true;
        let mut motion = motion.clone();
        motion.v.iter_mut().zip(&self.kick).for_each(|(v, kick)| *v += kick);
        self.stepper.state(State::Start(&motion, input));
    }
    fn outputs(&self, output: &mut [f64]) {
        self.stepper.outputs(output);
        if self.defect == Defect::Outputs {
            output.iter_mut().for_each(|x| *x *= 1.0 + 1e-9);
        }
    }
}

#[test]
fn every_defect_is_noticed() {
    let mut unnoticed = Vec::new();
    for (defect, law) in Defect::ALL {
        for method in METHODS.iter().filter(|method| defect.applies(&*method.scheme)) {
            if law(&Mutant(&*method.scheme, defect)).is_ok() {
                unnoticed.push(format!("{}: {defect:?}", method.name));
            }
        }
    }
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

/// Why the balance alone proves nothing: it holds with twice the damping, and with a start of first order.
#[test]
fn some_defects_keep_the_balance() {
    for method in METHODS.iter() {
        for defect in [Defect::DampingTwice, Defect::Start] {
            let kept = balanced(&Mutant(&*method.scheme, defect));
            assert_eq!(kept, Ok(()), "{}: {defect:?}", method.name);
        }
    }
}
