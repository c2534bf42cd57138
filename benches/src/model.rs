//! The bodies of the scenes in their representations, of any size, with contacts along them; and the plain loop of each.

use crate::{
    bank::{Bank, Rows},
    stencil::{Stencil, Weights},
};
use hamiltone_bodies::{Bar, End, Membrane, Oscillator, Plate, StiffString, Tube};
use hamiltone_core::{
    body::{Body, Placed},
    element::{Compliant, Element, Law},
    geometry::{Geometry, Position, Surface},
    parameter::Complaint,
    row::Row,
    system::System,
};
use hamiltone_elements::Power;
use hamiltone_numerics::aligned::zeros;
use hamiltone_schemes::eigenfrequencies::highest;
use std::f64::consts::PI;

/// The sample rate, Hz.
pub const RATE: f64 = 44_100.0;
/// ωΔt of a node on the spring of its contact: it is pressed for 157 steps.
const PRESSED: f64 = 0.02;
/// The speed towards the contacts, m/s.
const SPEED: f64 = 1.0;
/// A gap that no motion closes, m.
const FAR: f64 = 1e3;
/// The golden angle over 2π: places spread over a surface.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// A body and how it is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// Lumped bodies beside each other.
    Oscillators,
    /// A stiff string on a grid.
    StringGrid,
    /// A stiff string by its modes.
    StringModes,
    /// A bar with free ends on a grid.
    BarGrid,
    /// A bar by its modes.
    BarModes,
    /// A round membrane by its modes.
    MembraneModes,
    /// A rectangular plate by its modes.
    PlateModes,
    /// The air in a tube, on a grid.
    TubeGrid,
}

impl Representation {
    /// All of them with their names.
    pub const ALL: [(Self, &str); 8] = [
        (Self::Oscillators, "oscillators"),
        (Self::StringGrid, "string-grid"),
        (Self::StringModes, "string-modes"),
        (Self::BarGrid, "bar-grid"),
        (Self::BarModes, "bar-modes"),
        (Self::MembraneModes, "membrane-modes"),
        (Self::PlateModes, "plate-modes"),
        (Self::TubeGrid, "tube-grid"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(one, _)| *one == self).map_or("", |(_, name)| name)
    }

    /// Whether coordinates are values on nodes that springs couple.
    fn is_grid(self) -> bool {
        matches!(self, Self::StringGrid | Self::BarGrid | Self::TubeGrid)
    }

    /// The equal pieces at whose ends contacts along a body lie: those of its grid.
    fn pieces(self, n: usize, contacts: usize) -> usize {
        match self {
            Self::StringGrid => n + 1,
            // Nodes at both ends move.
            Self::BarGrid | Self::TubeGrid => n - 1,
            _ => n.max(contacts) + 1,
        }
    }

    /// The body of so many degrees of freedom; of oscillators one of them.
    fn body(self, n: usize, contacts: usize) -> Result<Box<dyn Body>, Complaint> {
        let pieces = self.pieces(n, contacts);
        let string = || StiffString::new(0.65, 6e-3, 70.0)?.stiff(1e-3)?.damped(1.0, 0.0);
        let bar = || Bar::new(0.3, 0.785, 41.7)?.damped(1.0, 0.0);
        Ok(match self {
            Self::Oscillators => Box::new(Oscillator::new(0.05, 2.0 * PI * 440.0)?.damped(1.0)?),
            Self::StringGrid => Box::new(string()?.on_grid(pieces)?),
            Self::StringModes => Box::new(string()?.by_modes(n, pieces)?),
            Self::BarGrid => Box::new(bar()?.on_grid(pieces)?),
            Self::BarModes => Box::new(bar()?.with_ends([End::Hinged; 2]).by_modes(n, pieces)?),
            Self::MembraneModes => Box::new(Membrane::new(0.3, 0.26, 3000.0)?.damped(1.0, 0.0)?.by_modes(n)?),
            Self::PlateModes => Box::new(Plate::new([0.5, 0.4], 4.0, 20.0)?.damped(1.0, 0.0)?.by_modes(n)?),
            Self::TubeGrid => Box::new(Tube::cone(0.6, [7e-3; 2])?.on_grid(pieces)?),
        })
    }
}

/// What the contacts do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contacts {
    /// There are none.
    None,
    /// They are far away.
    Apart,
    /// A compliant obstacle, pressed from the first step on.
    Pressed,
    /// A rigid one, likewise.
    Rigid,
}

impl Contacts {
    /// All of them with their names.
    pub const ALL: [(Self, &str); 4] =
        [(Self::None, "none"), (Self::Apart, "apart"), (Self::Pressed, "pressed"), (Self::Rigid, "rigid")];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(one, _)| *one == self).map_or("", |(_, name)| name)
    }

    /// Whether forces act: for a while from the start.
    pub fn act(self) -> bool {
        matches!(self, Self::Pressed | Self::Rigid)
    }
}

/// A body with its contacts that moves towards them.
pub struct Model {
    /// What schemes step.
    pub system: System,
    representation: Representation,
    contacts: Contacts,
    rows: Vec<Row>,
}

impl Model {
    /// A body of so many degrees of freedom with so many contacts.
    ///
    /// # Errors
    /// Where there is no such body.
    pub fn new(
        representation: Representation,
        n: usize,
        count: usize,
        contacts: Contacts,
    ) -> Result<Self, Complaint> {
        let mut system = System::default();
        let body = representation.body(n, count)?;
        let copies = if representation == Representation::Oscillators { n } else { 1 };
        let placed: Vec<Placed> =
            (0..copies).map(|i| body.add_to(&mut system, &format!("body{i}"))).collect::<Result<_, _>>()?;
        let rows: Vec<Row> = (0..count)
            .map(|j| match &placed[..] {
                [one] => one.row_at(place(&one.geometry, representation.pieces(n, count), j, count)),
                many => Row::unit(many[j * many.len() / count].dofs.start),
            })
            .collect();
        towards(&mut system, representation, placed.first());
        Ok(Self { system, representation, contacts, rows })
    }

    /// The step of a scheme: that of [`RATE`], or a part of it where the scheme has a limit of ωΔt.
    pub fn dt(&self, limit: Option<f64>) -> f64 {
        let most = |limit: f64| 0.8 * limit / highest(&self.system);
        limit.map_or(1.0 / RATE, |limit| most(limit).min(1.0 / RATE))
    }

    /// Adds the contacts, as stiff as `dt` resolves.
    ///
    /// # Errors
    /// None for a positive step.
    pub fn add_contacts(&mut self, dt: f64) -> Result<(), Complaint> {
        for (j, row) in self.rows.iter().enumerate() {
            let leverage: f64 = row.entries().map(|(i, w)| w * w / self.system.mass[i]).sum();
            // A power law of 1.5 is as stiff as a spring at the penetration that the speed reaches.
            let linear = (PRESSED / dt).powi(2) / leverage.max(f64::MIN_POSITIVE);
            let compliant = Compliant::new(Power::new(linear / (SPEED * dt / PRESSED).sqrt(), 1.5)?);
            let (law, gap) = match self.contacts {
                Contacts::Rigid => (Law::Rigid { restitution: 0.0 }, 0.0),
                Contacts::Apart => (Law::Compliant(compliant), FAR),
                Contacts::Pressed | Contacts::None => (Law::Compliant(compliant), 0.0),
            };
            self.system.elements.push(Element::new(format!("contact{j}"), row.clone(), gap, law));
        }
        Ok(())
    }

    /// The plain loop of the same arithmetic; its numbers are of the same size, not the same.
    pub fn plain(&self, dt: f64) -> Plain {
        let n = self.system.size();
        let velocity = &self.system.initial.velocity;
        let pushes = self.contacts.act();
        let stiffness = PRESSED * PRESSED / (SPEED * dt / PRESSED).sqrt();
        if self.representation.is_grid() {
            let bending = if self.representation == Representation::TubeGrid { 0.0 } else { 0.05 };
            let (spring, rate) = ([0.5 + 6.0 * bending, -0.25 - 4.0 * bending, bending], 1.0 / dt);
            let weights = Weights { spring: spring.map(|k| k * rate), damper: [1e-6, 0.0], dt };
            let at =
                |row: &Row| row.entries().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map(|entry| entry.0);
            let contact = |row| Some((at(row)?, if pushes { stiffness * rate } else { 0.0 }));
            let contacts = self.rows.iter().filter_map(contact).collect();
            return Plain::Stencil(Stencil::new(weights, &vec![0.0; n], velocity, contacts));
        }
        let angles: Vec<f64> = (1..=n).map(|k| 3.0 * k as f64 / n as f64).collect();
        let increment: Vec<f64> = velocity.iter().map(|v| v * dt).collect();
        let dense = |row: &Row| {
            let mut weights = zeros(n);
            row.add_scaled(1.0, &mut weights);
            weights
        };
        let rows = match self.representation {
            Representation::Oscillators => {
                Rows::Units(self.rows.iter().filter_map(Row::coordinate).collect())
            }
            _ => Rows::Dense(self.rows.iter().map(dense).collect()),
        };
        // Over the mass of a point: the sum of as many modes.
        let part = if matches!(rows, Rows::Units(_)) { 1.0 } else { 1.0 / n as f64 };
        let stiffness = if pushes { stiffness * part } else { 0.0 };
        Plain::Bank(Bank::new(&angles, &vec![0.0; n], &increment, rows, stiffness))
    }
}

/// The loop of a body.
pub enum Plain {
    /// On a grid.
    Stencil(Stencil),
    /// By its modes.
    Bank(Bank),
}

impl Plain {
    /// So many steps from the start.
    pub fn run(&mut self, steps: usize) -> f64 {
        match self {
            Plain::Stencil(stencil) => stencil.run(steps),
            Plain::Bank(bank) => bank.run(steps),
        }
    }
}

/// The place of contact j of so many: between pieces of a line, all over a surface.
fn place(geometry: &Geometry, pieces: usize, j: usize, count: usize) -> Position {
    let part = (j as f64 + 0.5) / count as f64;
    match geometry {
        Geometry::Point => [0.0; 2],
        Geometry::Line { length } => {
            let node = 1 + j * (pieces - 1) / count;
            [node as f64 / pieces as f64 * length, 0.0]
        }
        Geometry::Surface(Surface::Disc { radius }) => {
            [part.sqrt() * 0.95 * radius, (j as f64 * GOLDEN).fract()]
        }
        Geometry::Surface(Surface::Rectangle { sides: [a, b] }) => {
            [part * a, (0.05 + 0.9 * (j as f64 * GOLDEN).fract()) * b]
        }
    }
}

/// Lets the body move towards its contacts: all nodes alike, in an arch between the ends, or the first mode.
fn towards(system: &mut System, representation: Representation, placed: Option<&Placed>) {
    let n = system.size();
    let velocity = &mut system.initial.velocity;
    match representation {
        Representation::Oscillators | Representation::BarGrid => velocity.fill(SPEED),
        Representation::StringGrid | Representation::TubeGrid => {
            for (i, v) in velocity.iter_mut().enumerate() {
                *v = SPEED * (PI * (i + 1) as f64 / (n + 1) as f64).sin();
            }
        }
        _ => {
            let inside =
                placed.and_then(|placed| Some(placed.row_at(placed.geometry.inside(0.4567)?).weight(0)));
            velocity[0] = SPEED * inside.map_or(1.0, f64::signum);
        }
    }
}
