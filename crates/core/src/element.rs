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
    parameter::{Complaint, DriveQuantity, Range},
    port::{Branches, Ported},
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
    /// c: one row, those of a port, or the strains that a [`Law::Custom`] asks for. Of a port as many rows as it has measures for each of its branches
    /// ([`crate::port`]).
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

    /// On how many branches its rows can lie.
    pub fn branches(&self) -> usize {
        match &self.law {
            Law::Port(law) => self.rows.len() / law.port.measures().len().max(1),
            _ => 1,
        }
    }

    /// Whether an input can prescribe a pressure at it, as at a reed.
    pub fn is_blown(&self) -> bool {
        matches!(&self.law, Law::Port(law) if law.port.rate() == DriveQuantity::Pressure)
    }

    /// The values of an input that puts it on a branch.
    pub fn branch_range(&self) -> Range {
        let last = match &self.law {
            Law::Port(law) if law.port.branches() == Branches::Places => 1.0,
            _ => self.branches().saturating_sub(1) as f64,
        };
        Range { min: 0.0, max: last, open: false }
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
    /// A force of the rate that never gives energy and does not fall with it: dampers.
    Resistive(Resistive),
    /// A law of one or more rows that solves its own equation in each step, with a memory: a bow.
    Port(Ported),
    /// A law that this crate does not know; a scheme that does says so by its kind.
    Custom(Arc<dyn CustomLaw>),
}

/// A compliant law: a force w V′(x) with the stored energy w V(x), and a loss.
///
/// V is convex, so that V′ grows with x and every implicit step has one solution (C15 §4).
#[derive(Clone, Debug)]
pub struct Compliant {
    /// V.
    pub potential: Arc<dyn Potential>,
    /// w: a factor, such as the length (m) for which an element stands where V is given per metre; 1 for a single one.
    pub scale: f64,
    /// μ ≥ 0 (s/m) or α ≥ 0 (s), the coefficient of the loss law.
    pub loss: f64,
    /// What `loss` is the coefficient of.
    pub loss_law: LossLaw,
}

/// How a compliant law loses energy: its force at an instant, and over a step in which x changes by σ in the time T,
/// D = (V(x + σ) − V(x))/σ being the discrete gradient.
///
/// | law | f | F̄ | dissipated, (F̄ − D)σ |
/// |---|---|---|---|
/// | rate | V′(1 + μẋ) | D(1 + μσ/T) | μDσ²/T |
/// | relaxation | [V′ + αV″ẋ]₊ | [D + α(V′(x + σ) − V′(x))/T]₊ | α(V′(x + σ) − V′(x))σ/T, or −Dσ where F̄ = 0 |
///
/// V′ grows with x, so that every F̄ of a relaxation grows with σ and takes energy, also where it is cut off at 0: that is only
/// possible for σ < 0, where Dσ = ΔV < 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LossLaw {
    /// Hunt and Crossley (1975), μ in s/m.
    Rate,
    /// Stulov (1995) for short relaxation, α in s: V′ and α dV′/dt. Only of a law that never pulls, V′ ≥ 0, and has an onset.
    Relaxation,
}

impl Compliant {
    /// The lossless law f = V′(x).
    pub fn new(potential: impl Potential + 'static) -> Self {
        Self { potential: Arc::new(potential), scale: 1.0, loss: 0.0, loss_law: LossLaw::Rate }
    }

    /// The same law with Hunt and Crossley's loss coefficient μ (s/m).
    #[must_use]
    pub fn with_loss(self, loss: f64) -> Self {
        Self { loss, loss_law: LossLaw::Rate, ..self }
    }

    /// The same law with Stulov's hysteresis time α (s).
    #[must_use]
    pub fn with_relaxation(self, time: f64) -> Self {
        Self { loss: time, loss_law: LossLaw::Relaxation, ..self }
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

    /// The force with its loss at the penetration x and its rate ẋ, N; x is beyond the onset.
    pub fn lossy_force(&self, x: f64, rate: f64) -> f64 {
        let force = self.force(x);
        match self.loss_law {
            LossLaw::Rate => force * (1.0 + self.loss * rate),
            LossLaw::Relaxation => (force + self.loss * self.curvature(x) * rate).max(0.0),
        }
    }

    /// F̄ and its slope in σ over a step of σ in `time` (s) from the penetration x; see [`LossLaw`].
    #[inline]
    pub fn mean_force(&self, x: f64, sigma: f64, time: f64) -> (f64, f64) {
        let (mean, slope) = self.quotient(x, sigma);
        match self.loss_law {
            LossLaw::Rate => {
                let mu = self.loss / time;
                // (σ·mean)′ = V′(x + σ) is negative where a law also pulls, which Newton's D ≥ 0 forbids.
                (mean * (1.0 + mu * sigma), slope + mu * (mean + sigma * slope).max(0.0))
            }
            LossLaw::Relaxation => {
                let (part, bend) = self.relaxation(x, sigma, time, (mean, slope));
                (mean + part, slope + bend)
            }
        }
    }

    /// What the loss adds to another mean force of V and to its slope over the step: that of the discrete gradient, so that it
    /// takes energy whatever the other mean is.
    pub fn loss_part(&self, x: f64, sigma: f64, time: f64, base: (f64, f64)) -> (f64, f64) {
        match self.loss_law {
            LossLaw::Rate => {
                let (mu, (mean, slope)) = (self.loss / time, self.quotient(x, sigma));
                (mu * sigma * mean, mu * (mean + sigma * slope).max(0.0))
            }
            LossLaw::Relaxation => self.relaxation(x, sigma, time, base),
        }
    }

    /// The energy that the loss takes in the step with F̄, J.
    pub fn dissipated(&self, x: f64, sigma: f64, time: f64) -> f64 {
        let mean = self.quotient(x, sigma);
        match self.loss_law {
            LossLaw::Rate => mean.0 * (self.loss / time) * (sigma * sigma),
            LossLaw::Relaxation => self.relaxation(x, sigma, time, mean).0 * sigma,
        }
    }

    /// α(V′(x + σ) − V′(x))/T and its slope, or what cancels the mean force `base` and its slope where their sum would pull.
    fn relaxation(&self, x: f64, sigma: f64, time: f64, (base, slope): (f64, f64)) -> (f64, f64) {
        let (rate, end, onset) = (self.loss / time, x + sigma, self.onset());
        // A law need not be defined below its onset.
        let force = |x: f64| if x <= onset { 0.0 } else { self.force(x) };
        let part = rate * (force(end) - force(x));
        if base + part <= 0.0 {
            return (-base, -slope);
        }
        (part, if end <= onset { 0.0 } else { rate * self.curvature(end) })
    }

    /// The largest force to which a rounding of the penetration is paid for in a step of σ in `time` that ended at x, N.
    pub fn largest_force(&self, x: f64, sigma: f64, time: f64) -> f64 {
        let (rate, onset) = (self.loss / time, self.onset());
        // A law need not be defined below its onset.
        let force = |x: f64| if x <= onset { 0.0 } else { self.force(x).abs() };
        match self.loss_law {
            LossLaw::Rate => force(x) * (1.0 + rate * sigma.abs()),
            LossLaw::Relaxation => {
                let (from, to) = (force(x - sigma), force(x));
                from.max(to) + rate * (to - from).abs()
            }
        }
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
            Law::Rigid { .. } | Law::Resistive(_) | Law::Port(_) | Law::Custom(_) => None,
        }
    }

    /// The resistive law, if it is one.
    pub fn resistive(&self) -> Option<&Resistive> {
        match self {
            Law::Resistive(resistive) => Some(resistive),
            Law::Compliant(_) | Law::Rigid { .. } | Law::Port(_) | Law::Custom(_) => None,
        }
    }

    /// What an input can control of it, if anything.
    pub fn control(&self) -> Option<Control> {
        let ((name, quantity), allowed, own) = match self {
            Law::Resistive(law) => (law.resistance.control(), law.resistance.allowed(), law.control),
            Law::Port(law) => (law.port.control(), law.port.allowed(), law.control),
            Law::Compliant(_) | Law::Rigid { .. } | Law::Custom(_) => return None,
        };
        Some(Control { name, quantity, allowed, own })
    }

    /// Whether it acts by the rate alone, at any place: it has no gap to close.
    pub fn has_no_place(&self) -> bool {
        matches!(self, Law::Resistive(_) | Law::Port(_))
    }

    /// The coefficient of restitution of a rigid law, if it is one.
    pub fn restitution(&self) -> Option<f64> {
        match self {
            Law::Rigid { restitution } => Some(*restitution),
            Law::Compliant(_) | Law::Resistive(_) | Law::Port(_) | Law::Custom(_) => None,
        }
    }

    /// The same law times a factor w > 0: its share where it is given per unit length. A rigid law has no strength to
    /// share and stays as it is; so does a custom one, whose scheme knows what a length means to it, and a port, which stands for one place.
    #[must_use]
    pub fn scaled(self, scale: f64) -> Self {
        match self {
            Law::Compliant(law) => Law::Compliant(law.scaled(scale)),
            Law::Resistive(law) => Law::Resistive(law.scaled(scale)),
            Law::Rigid { .. } | Law::Port(_) | Law::Custom(_) => self,
        }
    }

    /// The force at the penetration x (m) and its rate ẋ (m/s), N; `None` where a law has none at an instant (rigid ones
    /// have impulses, ports means over a step) or its scheme alone knows it. `control` is the control value of a resistive law, its own if `None`.
    pub fn force(&self, x: f64, rate: f64, control: Option<f64>) -> Option<f64> {
        match self {
            Law::Compliant(law) if x <= law.onset() => Some(0.0),
            Law::Compliant(law) => Some(law.lossy_force(x, rate)),
            Law::Resistive(law) => Some(law.force(rate, control.unwrap_or(law.control)).0),
            Law::Rigid { .. } | Law::Port(_) | Law::Custom(_) => None,
        }
    }

    /// The energy that the law stores at the penetration x, J; 0 for laws that store none.
    ///
    /// A custom law may store more in its own coordinates, which only the scheme that covers it knows.
    pub fn energy(&self, x: f64) -> f64 {
        match self {
            Law::Compliant(compliant) => compliant.energy(x),
            Law::Rigid { .. } | Law::Resistive(_) | Law::Port(_) | Law::Custom(_) => 0.0,
        }
    }
}

/// What an input can control of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Its name in scenes and messages, such as "resistance".
    pub name: &'static str,
    /// What it is.
    pub quantity: DriveQuantity,
    /// The values that the law takes.
    pub allowed: Range,
    /// The value where no input controls it.
    pub own: f64,
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
            Law::Rigid { .. } | Law::Resistive(_) | Law::Port(_) | Law::Custom(_) => {
                Err(Complaint::new("loss", "belongs to compliant laws alone"))
            }
        }
    }
}
