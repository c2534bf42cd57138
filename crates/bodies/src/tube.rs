//! Air in a tube of any cross-section: Webster's equation, I18 §1.
//!
//!   (ρ/S) ξ_tt = (ρc²/S ξ_x)_x − (ρ/S)γ ξ_t + p_ex,   flow U = ξ_t,   pressure p = −(ρc²/S) ξ_x
//!
//! ξ (m³) the volume displaced through a cross-section S(x) (m²), ρ (kg/m³) and c (m/s) of the air, γ (1/s) damping,
//! p_ex a pressure that pushes at a place. I18 prints S p_t = γu_x, which is ill-posed; with the minus sign it is this.
//! Stated by its energy, T = ½ Σ' (ρ/S) ξ_t² Δx on the nodes, U = ½ Σ (ρc²/S)(δ₊ξ)² Δx on the half nodes. A closed
//! end holds ξ = 0; an open one leaves p = 0. Partials, κ = kL and for cones a, b = a + L from the apex to the ends:
//!
//!   open–open              sin κ = 0          cylinder, one end closed   cos κ = 0
//!   cone, closed at a      tan κ = −ka        cone closed at both        (1 + k²ab) tan κ = κ

use crate::variational::{Edge, Field, Grid, Squares};
use crate::{
    grid::{self, ACCURACY, FINENESS, INTERVALS, PARTIALS},
    parameters::{DAMPING, LENGTH, METHOD, sized},
    profile,
    root::root,
};
use hamiltone_core::{
    body::{Body, Extent, Heard, Measure, Place, Placed, Point, lay_on_points},
    operator::Operator,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::math::{cos, sin};
use std::{f64::consts::PI, sync::Arc};

/// r(x), m.
type Radius = Arc<dyn Fn(f64) -> f64 + Send + Sync>;

/// A tube of N intervals.
#[derive(Clone)]
pub struct Tube {
    grid: Grid,
    radius: Radius,
    /// The radii at its ends where it is a cylinder or a cone.
    straight: Option<[f64; 2]>,
    density: f64,
    speed: f64,
    damping: f64,
    closed: [bool; 2],
}

impl Tube {
    /// A lossless cone between two radii (m), a cylinder where they are equal: L (m), N ≥ 4 intervals, in air of 20 °C
    /// (1.204 kg/m³, 343.2 m/s), both ends open.
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive, or the grid too coarse.
    pub fn cone(length: f64, intervals: usize, radii: [f64; 2]) -> Result<Self, Complaint> {
        radii.iter().try_for_each(|r| Range::POSITIVE.check("radius", *r).map(|_| ()))?;
        let [left, right] = radii;
        Ok(Self {
            grid: grid::new(length, intervals)?,
            radius: Arc::new(move |x| left + (right - left) * x / length),
            straight: Some(radii),
            density: 1.204,
            speed: 343.2,
            damping: 0.0,
            closed: [false; 2],
        })
    }

    /// The same tube with its left or right end closed.
    pub fn closed(self, closed: [bool; 2]) -> Self {
        Self { closed, ..self }
    }

    /// The same tube with the radius r(x) > 0, m.
    pub fn shaped(self, radius: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self { radius: Arc::new(radius), straight: None, ..self }
    }

    /// The area at x, m².
    fn area(&self, x: f64) -> f64 {
        PI * (self.radius)(x) * (self.radius)(x)
    }

    /// kL of partial m.
    fn theory(&self) -> Option<impl Fn(usize) -> f64 + Send + Sync + use<>> {
        let [left, right] = self.straight?;
        let closed = self.closed;
        Some(move |m: usize| match closed {
            [false, false] => m as f64 * PI,
            [true, true] => {
                let a = left / (right - left);
                let product = if left == right { f64::INFINITY } else { a * (a + 1.0) };
                let f = |k: f64| (1.0 / product + k * k) * sin(k) - k / product * cos(k);
                root(m as f64 * PI, (m as f64 + 0.5) * PI, f)
            }
            [true, false] => half_closed(left, right, m),
            [false, true] => half_closed(right, left, m),
        })
    }
}

/// κ cos κ + (L/a) sin κ = 0, a = L r_closed/(r_open − r_closed).
fn half_closed(closed: f64, open: f64, m: usize) -> f64 {
    let (inverse, middle) = ((open - closed) / closed, (m as f64 - 0.5) * PI);
    let f = |k: f64| k * cos(k) + inverse * sin(k);
    if inverse >= 0.0 {
        root(middle, m as f64 * PI, f)
    } else {
        root((m as f64 - 1.0) * PI + 1e-9, middle, f)
    }
}

impl Body for Tube {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let edges = self.closed.map(|closed| if closed { Edge::HINGED } else { Edge::FREE });
        let (first, h, length) = (system.size(), self.grid.step, self.grid.length);
        let (xi, own) = (Field::nodes(self.grid, first, 1, edges), Field::nodes(self.grid, 0, 1, edges));
        let inertia: Vec<f64> =
            xi.indices().map(|l| self.density / self.area(xi.position(l)) * xi.weight(l)).collect();
        let modulus = |l: i64| self.density * self.speed * self.speed / self.area((l as f64 + 0.5) * h);
        let mut stiffness = Squares::default();
        (0..self.grid.intervals as i64).for_each(|l| stiffness.add(modulus(l) * h, own.difference(l)));
        let damping = inertia.iter().map(|m| m * self.damping).collect();
        inertia.iter().for_each(|m| {
            system.add_dof(*m, 0.0, 0.0);
        });
        let size = inertia.len();
        system.blocks.push(Block {
            name: name.into(),
            dofs: first..first + size,
            stiffness: stiffness.operator(size),
            damping: if self.damping == 0.0 { Operator::Zero } else { Operator::Diagonal(damping) },
        });
        let moduli: Vec<f64> = (0..self.grid.intervals as i64).map(modulus).collect();
        let (closed, last) = (self.closed, self.grid.intervals as i64 - 1);
        // Linear between half nodes; to 0 at an open end, level at a closed one.
        let pressure = move |place: Place| {
            let at = place.on(length)? / h - 0.5;
            let value = |l: i64| xi.difference(l).scaled(-moduli[l as usize]);
            let l = at.floor() as i64;
            let ending = |l: i64, closed: bool, distance: f64| {
                value(l).scaled(if closed { 1.0 } else { 2.0 * distance.max(0.0) })
            };
            Ok(if l < 0 {
                ending(0, closed[0], at + 0.5)
            } else if l >= last {
                ending(last, closed[1], last as f64 + 0.5 - at)
            } else {
                let part = at - l as f64;
                value(l).scaled(1.0 - part).minus(&value(l + 1).scaled(-part))
            })
        };
        let flow = move |place: Place| Ok::<Row, String>(xi.interpolate(place.on(length)?));
        let speed = self.speed;
        let partials =
            self.theory().map(|kl| Box::new(move |m: usize| kl(m) * speed / length / (2.0 * PI)) as _);
        let point =
            |l: i64| Point { row: Row::unit(xi.coordinate(l)), x: xi.position(l), weight: xi.weight(l) };
        let points: Vec<Point> = xi.indices().map(point).collect();
        Ok(Placed {
            dofs: first..first + size,
            measure: Measure::Volume,
            locate: Box::new(flow),
            heard: vec![
                Heard { name: "pressure", unit: "Pa", of_velocity: false, locate: Box::new(pressure) },
                Heard { name: "flow", unit: "m^3/s", of_velocity: true, locate: Box::new(flow) },
            ],
            extent: Some(Extent { length, lay: lay_on_points(&points), points, partials, sines: 0 }),
        })
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "tube",
        summary: "air in a cylinder, a cone or a tube of any radius (Webster)",
        equation: "(ρ/S) ξ_tt = (ρc²/S ξ_x)_x − (ρ/S)γ ξ_t + p_ex,  U = ξ_t,  p = −(ρc²/S) ξ_x",
        source: "I18 §1 with S p_t = −γ u_x; Webster 1919",
        parameters: &[
            METHOD,
            INTERVALS,
            ACCURACY,
            PARTIALS,
            LENGTH,
            bore("radius", "r of a cylinder"),
            bore("radius_left", "r at the left end of a cone"),
            bore("radius_right", "r at the right end of a cone"),
            Parameter {
                name: "profile",
                takes: Takes::Pairs((Role::Length, Range::NOT_NEGATIVE), (Role::Length, Range::from(1e-4))),
                absent: Absent::Rule,
                doc: "pairs [x, radius at x], linear between",
            },
            end("left"),
            end("right"),
            Parameter {
                name: "density",
                takes: Takes::Number(Role::Density, Range { min: 0.01, max: 100.0, open: false }),
                absent: Absent::Number(1.204),
                doc: "ρ of the gas; air of 20 °C unless given",
            },
            Parameter {
                name: "sound_speed",
                takes: Takes::Number(Role::WaveSpeed, Range { min: 50.0, max: 2000.0, open: false }),
                absent: Absent::Number(343.2),
                doc: "c of the gas; air of 20 °C unless given",
            },
            DAMPING,
        ],
        rules: &[FINENESS, Rule::OneOf(BORE)],
    },
    make: |values: &Values| Ok(Box::new(read(values)?)),
};

const fn bore(name: &'static str, doc: &'static str) -> Parameter {
    Parameter { absent: Absent::Rule, ..sized(name, 1e-4, 1.0, doc) }
}

/// r(x).
const BORE: OneOf = OneOf {
    states: "the bore",
    alternatives: &[&["radius"], &["radius_left", "radius_right"], &["profile"]],
    required: true,
};

const fn end(name: &'static str) -> Parameter {
    Parameter {
        name,
        takes: Takes::Word(&["open", "closed"]),
        absent: Absent::Word("open"),
        doc: "open: the pressure is 0; closed: the flow is",
    }
}

fn read(values: &Values) -> Result<Tube, Complaint> {
    let number = |name| values.required(name);
    let length = number("length")?;
    let frequencies = |n: usize, p: usize| {
        let k = p as f64 * PI / length;
        (grid::lattice_wave(k, length / n as f64), k)
    };
    let n = grid::intervals(values, frequencies)?;
    let tube = match values.one_of(&BORE) {
        Some("profile") => {
            let pairs = values.pairs("profile").unwrap_or_default();
            Tube::cone(length, n, [1.0; 2])?.shaped(profile::read("profile", pairs, length)?)
        }
        Some("radius_left") => Tube::cone(length, n, [number("radius_left")?, number("radius_right")?])?,
        _ => Tube::cone(length, n, [number("radius")?; 2])?,
    };
    let closed = ["left", "right"].map(|end| values.word(end) == Some("closed"));
    Ok(Tube {
        density: number("density")?,
        speed: number("sound_speed")?,
        damping: number("damping")?,
        ..tube.closed(closed)
    })
}
