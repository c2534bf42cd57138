//! The energies of contact laws, from the numbers of a scene: written here again, so that the judge shares nothing with
//! what it judges.
//!
//! | law | V(x) |
//! |---|---|
//! | power, felt, hertz | K/(α+1) ⌊x⌋^(α+1), α of hertz 3/2, K = 4/3 E* √R |
//! | odd-power | K/(α+1) \|x\|^(α+1) |
//! | centre-limited, rattle | K/(α+1) ⌊\|x\| − h⌋^(α+1), h of rattle g/2 |
//! | formula, table | see [`super::formula`] and [`super::force_table`] |
//! | rigid, damper | 0 |
//!
//! The forces of a bow and of a reed over a step are in none of their states: what they take is not known here, and scenes with them are not drawn.

use super::{
    force_table::ForceTable,
    formula::Formula,
    scene::{File, Section},
};
use hamiltone_elements::BOWS;

/// What a contact loses, by the numbers of its section: the force that the loss adds to V′ is μV′ẋ, or αV″ẋ but not below −V′.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// μ, s/m.
    rate: f64,
    /// α, s.
    relaxation: f64,
}

impl Loss {
    /// The loss of a section.
    pub fn of(section: &Section) -> Self {
        let number = |key: &str| section.number(key).unwrap_or(0.0);
        Self { rate: number("loss"), relaxation: number("relaxation") }
    }

    /// What it adds to `scale` times the force of the law, `force`, at x and ẋ.
    pub fn part(self, law: &Law, x: f64, force: f64, scale: f64, rate: f64) -> f64 {
        self.sum(force, rate, scale * law.curvature(x) * rate)
    }

    /// What it adds to the mean force over a time in which x goes from one end to the other.
    pub fn mean_part(self, law: &Law, ends: [f64; 2], force: f64, scale: f64, time: f64) -> f64 {
        let [from, to] = ends.map(|x| scale * law.force(x));
        self.sum(force, (ends[1] - ends[0]) / time, (to - from) / time)
    }

    fn sum(self, force: f64, rate: f64, growth: f64) -> f64 {
        // Laws on both sides pull, and have no relaxation.
        let relaxed = if self.relaxation > 0.0 { (self.relaxation * growth).max(-force) } else { 0.0 };
        self.rate * force * rate + relaxed
    }

    /// The force to which a rounding of the penetration is paid for over such a time.
    pub fn leverage(self, law: &Law, ends: [f64; 2], time: f64) -> f64 {
        let [from, to] = ends.map(|x| law.force(x).abs());
        let cut = if self.relaxation > 0.0 { from.max(to) } else { 0.0 };
        self.rate * to * (ends[1] - ends[0]).abs() / time + self.relaxation * (to - from).abs() / time + cut
    }
}

/// A contact law.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// V = K/(α+1) ⌊x⌋^(α+1), or ⌊|x| − h⌋ in place of ⌊x⌋ where there is a clearance h on both sides.
    Power {
        /// K.
        stiffness: f64,
        /// α.
        exponent: f64,
        /// h, m.
        clearance: Option<f64>,
    },
    /// V from a formula.
    Formula(Formula),
    /// V from a table of forces.
    Table(ForceTable),
    /// No penetration.
    Rigid,
    /// f = r ẋ.
    Damper {
        /// r.
        resistance: f64,
    },
}

/// Whether the losses of a contact law follow from states: not those of bows, reeds, lips and jets.
pub fn is_judged(law: &str) -> bool {
    !BOWS.contains(&law) && !["reed", "lips", "jet"].contains(&law)
}

impl Law {
    /// The law of a section in a scene with these files; `None` of one that is not known here.
    pub fn of(section: &Section, files: &[File]) -> Option<Self> {
        let number = |key: &str, default: f64| section.number(key).unwrap_or(default);
        let power = |stiffness: f64, exponent: f64, clearance: Option<f64>| Law::Power {
            stiffness,
            exponent,
            clearance,
        };
        let stiffness = number("stiffness", f64::NAN);
        Some(match section.text("law")? {
            "power" => power(stiffness, number("exponent", 1.5), None),
            "felt" => power(stiffness, number("exponent", f64::NAN), None),
            "hertz" if section.keys.contains_key("stiffness") => power(stiffness, 1.5, None),
            "hertz" => {
                let (modulus, radius) = (number("effective_modulus", f64::NAN), number("radius", f64::NAN));
                power(4.0 / 3.0 * modulus * radius.sqrt(), 1.5, None)
            }
            "odd-power" => power(stiffness, number("exponent", f64::NAN), Some(0.0)),
            "centre-limited" => power(stiffness, number("exponent", 1.5), Some(number("gap", 0.0))),
            "rattle" => power(stiffness, number("exponent", 1.5), Some(0.5 * number("clearance", 0.0))),
            "formula" => Law::Formula(Formula::of(section)?),
            "table" => Law::Table(ForceTable::of(section, files)?),
            "rigid" => Law::Rigid,
            "damper" => Law::Damper { resistance: number("resistance", 0.0) },
            _ => return None,
        })
    }

    /// V(x), J.
    pub fn energy(&self, x: f64) -> f64 {
        match *self {
            Law::Formula(ref formula) => formula.at(x)[0],
            Law::Table(ref table) => table.at(x)[0],
            Law::Power { stiffness, exponent, clearance } => {
                let depth = clearance.map_or(x, |h| x.abs() - h).max(0.0);
                stiffness / (exponent + 1.0) * depth.powf(exponent + 1.0)
            }
            Law::Rigid | Law::Damper { .. } => 0.0,
        }
    }

    /// V′(x), N.
    pub fn force(&self, x: f64) -> f64 {
        match *self {
            Law::Formula(ref formula) => formula.at(x)[1],
            Law::Table(ref table) => table.at(x)[1],
            Law::Power { stiffness, exponent, clearance } => {
                let depth = clearance.map_or(x, |h| x.abs() - h).max(0.0);
                let force = stiffness * depth.powf(exponent);
                if clearance.is_some() { force.copysign(x) } else { force }
            }
            Law::Rigid | Law::Damper { .. } => 0.0,
        }
    }

    /// V″(x), N/m, of a law on one side; 0 of the others.
    fn curvature(&self, x: f64) -> f64 {
        match *self {
            Law::Power { stiffness, exponent, clearance: None } if x > 0.0 => {
                stiffness * exponent * x.powf(exponent - 1.0)
            }
            _ => 0.0,
        }
    }

    /// The mean force from x to y: the difference of energies where that is known, else the force in the middle.
    pub fn mean_force(&self, x: f64, y: f64) -> f64 {
        let way = y - x;
        if way.abs() > 1e-6 * (x.abs() + y.abs()) {
            (self.energy(y) - self.energy(x)) / way
        } else {
            self.force(0.5 * (x + y))
        }
    }
}
