//! Elements: every force law of a system besides the linear springs and dampers of its blocks.
//!
//! An element sees the system only through its rows c. With one row it knows
//!
//!   x = c·q − h − h_ref(t)   penetration, m        ẋ = c·q̇ − ḣ_ref(t)   its rate, m/s
//!
//! and answers with a force f, which acts on the system as −cᵀf. h is its constant gap, h_ref(t) a moving reference
//! that an input prescribes ([`crate::input::Action::Motion`]); the work −f ḣ_ref is supplied energy.

use crate::{
    custom::CustomLaw,
    parameter::{Complaint, Range},
    potential::Potential,
    resistance::Resistance,
    row::Row,
};
use std::sync::Arc;

/// A force law along one or more rows.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its name in the scene, for messages.
    pub name: String,
    /// c: one row, or the strains that a [`Law::Custom`] asks for.
    pub rows: Vec<Row>,
    /// h, m: a one-sided law acts where c·q > h.
    pub gap: f64,
    /// What it does.
    pub law: Law,
}

impl Element {
    /// An element along one row.
    pub fn new(name: impl Into<String>, row: Row, gap: f64, law: Law) -> Self {
        Self { name: name.into(), rows: vec![row], gap, law }
    }

    /// c, its first row. Elements have at least one: [`crate::check`] refuses a system with an element that has none.
    #[inline]
    pub fn row(&self) -> &Row {
        &self.rows[0]
    }
}

/// The law of an element. Every scheme states which of them it covers ([`crate::coverage`]).
#[derive(Clone, Debug)]
pub enum Law {
    /// A force derived from a potential, with penetration.
    Compliant(Compliant),
    /// No penetration: an impulse p with Newton's law of impact (Moreau 1988),
    ///
    ///   0 ≤ p  ⊥  −(ẋ⁺ + eẋ⁻) ≥ 0,   0 ≤ e ≤ 1.
    Rigid {
        /// e: the speed after an impact over that before, 0 to 1.
        restitution: f64,
    },
    /// A force of the rate that never gives energy: dampers; later bows, reed flow, friction.
    Resistive(Resistive),
    /// A law that this crate does not know; a scheme that does says so by its kind.
    Custom(Arc<dyn CustomLaw>),
}

/// A compliant law: f = w V′(x)(1 + μẋ), stored energy w V(x).
///
/// V is convex, so that V′ grows with x and every implicit step has one solution (C15 §4). μ is Hunt and Crossley's
/// loss coefficient (1975).
#[derive(Clone, Debug)]
pub struct Compliant {
    /// V.
    pub potential: Arc<dyn Potential>,
    /// w: a factor, such as the length (m) for which an element stands where V is given per metre; 1 for a single one.
    pub scale: f64,
    /// μ ≥ 0, s/m.
    pub loss: f64,
}

impl Compliant {
    /// The lossless law f = V′(x).
    pub fn new(potential: impl Potential + 'static) -> Self {
        Self { potential: Arc::new(potential), scale: 1.0, loss: 0.0 }
    }

    /// The same law with the loss coefficient μ (s/m).
    #[must_use]
    pub fn with_loss(self, loss: f64) -> Self {
        Self { loss, ..self }
    }

    /// The same law times the factor `scale`.
    #[must_use]
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale: scale * self.scale, ..self }
    }

    /// w V(x), J.
    #[inline]
    pub fn energy(&self, x: f64) -> f64 {
        self.scale * self.potential.energy(x)
    }

    /// w V′(x), N: the force without loss.
    #[inline]
    pub fn force(&self, x: f64) -> f64 {
        self.scale * self.potential.force(x)
    }

    /// w V″(x), N/m.
    #[inline]
    pub fn curvature(&self, x: f64) -> f64 {
        self.scale * self.potential.curvature(x)
    }

    /// The discrete gradient w(V(x + s) − V(x))/s and its slope in s; see [`Potential::quotient`].
    #[inline]
    pub fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let (mean, slope) = self.potential.quotient(x, s);
        (self.scale * mean, self.scale * slope)
    }

    /// The penetration up to which V = 0.
    pub fn onset(&self) -> f64 {
        self.potential.onset()
    }
}

/// A resistive law: f = w f(ẋ; u), f ẋ ≥ 0.
#[derive(Clone, Debug)]
pub struct Resistive {
    /// f.
    pub resistance: Arc<dyn Resistance>,
    /// u where no input controls it, in the unit of [`Resistance::control`].
    pub control: f64,
    /// w: a factor, such as the length (m) for which an element stands where f is given per metre; 1 for a single one.
    pub scale: f64,
}

impl Resistive {
    /// The law f(ẋ; u) with this control value where no input controls it.
    pub fn new(resistance: impl Resistance + 'static, control: f64) -> Self {
        Self { resistance: Arc::new(resistance), control, scale: 1.0 }
    }

    /// The same law times the factor `scale`.
    #[must_use]
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale: scale * self.scale, ..self }
    }

    /// w f, N, and its slope in ẋ, N s/m; a control value outside the law's range counts as the nearest one inside.
    #[inline]
    pub fn force(&self, rate: f64, control: f64) -> (f64, f64) {
        let (force, slope) = self.resistance.force(rate, self.resistance.allowed().nearest(control));
        (self.scale * force, self.scale * slope)
    }

    /// Whether f is 0 at every rate at this control value.
    #[inline]
    pub fn is_idle(&self, control: f64) -> bool {
        self.resistance.is_idle(self.resistance.allowed().nearest(control))
    }
}

impl Law {
    /// The compliant law, if it is one.
    pub fn compliant(&self) -> Option<&Compliant> {
        match self {
            Law::Compliant(compliant) => Some(compliant),
            Law::Rigid { .. } | Law::Resistive(_) | Law::Custom(_) => None,
        }
    }

    /// The resistive law, if it is one.
    pub fn resistive(&self) -> Option<&Resistive> {
        match self {
            Law::Resistive(resistive) => Some(resistive),
            Law::Compliant(_) | Law::Rigid { .. } | Law::Custom(_) => None,
        }
    }

    /// The coefficient of restitution of a rigid law, if it is one.
    pub fn restitution(&self) -> Option<f64> {
        match self {
            Law::Rigid { restitution } => Some(*restitution),
            Law::Compliant(_) | Law::Resistive(_) | Law::Custom(_) => None,
        }
    }

    /// The same law times a factor w > 0: its share where it is given per unit length. A rigid law has no strength to
    /// share and stays as it is; so does a custom one, whose scheme knows what a length means to it.
    #[must_use]
    pub fn scaled(self, scale: f64) -> Self {
        match self {
            Law::Compliant(law) => Law::Compliant(law.scaled(scale)),
            Law::Resistive(law) => Law::Resistive(law.scaled(scale)),
            Law::Rigid { .. } | Law::Custom(_) => self,
        }
    }

    /// The force at the penetration x (m) and its rate ẋ (m/s), N; `None` where a law has none at an instant (rigid ones
    /// have impulses) or its scheme alone knows it. `control` is the control value of a resistive law, its own if `None`.
    pub fn force(&self, x: f64, rate: f64, control: Option<f64>) -> Option<f64> {
        match self {
            Law::Compliant(law) if x <= law.onset() => Some(0.0),
            Law::Compliant(law) => Some(law.force(x) * (1.0 + law.loss * rate)),
            Law::Resistive(law) => Some(law.force(rate, control.unwrap_or(law.control)).0),
            Law::Rigid { .. } | Law::Custom(_) => None,
        }
    }

    /// The energy that the law stores at the penetration x, J; 0 for laws that store none.
    ///
    /// A custom law may store more in its own coordinates, which only the scheme that covers it knows.
    pub fn energy(&self, x: f64) -> f64 {
        match self {
            Law::Compliant(compliant) => compliant.energy(x),
            Law::Rigid { .. } | Law::Resistive(_) | Law::Custom(_) => 0.0,
        }
    }
}

/// What an entry of the catalogue of force laws makes of its parameters: the law and its gap.
#[derive(Clone, Debug)]
pub struct ElementLaw {
    /// The law.
    pub law: Law,
    /// h, m.
    pub gap: f64,
}

impl ElementLaw {
    /// The same compliant law with Hunt and Crossley's loss coefficient μ ≥ 0, s/m.
    ///
    /// # Errors
    /// A [`Complaint`] where μ is negative or not finite, or the law is not compliant and has none.
    pub fn with_loss(self, loss: f64) -> Result<Self, Complaint> {
        let loss = Range::NOT_NEGATIVE.check("loss", loss)?;
        match self.law {
            Law::Compliant(law) => Ok(Self { law: Law::Compliant(law.with_loss(loss)), ..self }),
            Law::Rigid { .. } | Law::Resistive(_) | Law::Custom(_) => {
                Err(Complaint::new("loss", "belongs to compliant laws alone"))
            }
        }
    }
}
