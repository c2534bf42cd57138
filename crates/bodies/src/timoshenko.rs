//! The bar with shear and rotary inertia (Timoshenko), I18 §1.
//!
//!   ρA u_tt = (κGA(u_x − ψ))_x − ρAγ u_t + f,   ρI ψ_tt = (EI ψ_x)_x + κGA(u_x − ψ) − ρIγ ψ_t
//!
//! u (m) displacement on the nodes, ψ (rad) rotation of the cross-section on the half nodes, interleaved so that the
//! band stays narrow; κ (–) shear correction, G (Pa) shear modulus, γ (1/s) damping. Stated by its energy
//!
//!   U = ½ Σ κGA (δ₊u_l − ψ_(l+½))² Δx + ½ Σ' EI ((ψ_(l+½) − ψ_(l−½))/Δx)² Δx
//!
//! I18 prints ψ_t = ε²φ; H is conserved with ψ_t = φ. Its normalised form is ρA = 1, ρI = ε², κGA = γ_s², EI = ε²γ_l²,
//! L = 1. Between hinged ends the partials are the lower roots of
//!
//!   ρAρI ω⁴ − (ρA EI k² + ρA κGA + ρI κGA k²) ω² + κGA EI k⁴ = 0,   k = mπ/L
//!
//! and between others those of `thick_partials.rs`.

use crate::variational::{Beyond, Edge, Field, Grid, Squares};
use crate::{
    bar::beta,
    grid::{self, ACCURACY, FINENESS, INTERVALS, PARTIALS},
    parameters::{DAMPING, DENSITY, LENGTH, METHOD, POISSON_RATIO, THICKNESS, WIDTH, YOUNGS_MODULUS, end},
    thick_partials::Thick,
    transverse::End,
};
use hamiltone_core::{
    body::{Body, Extent, Heard, Measure, Place, Placed, Point, lay_on_points},
    operator::Operator,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
    row::Row,
    system::{Block, System},
};

/// A Timoshenko bar of N intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimoshenkoBar {
    grid: Grid,
    /// ρA, kg/m.
    density: f64,
    /// ρI, kg m.
    rotary: f64,
    /// κGA, N.
    shear: f64,
    /// EI, N m².
    bending: f64,
    damping: f64,
    ends: [End; 2],
}

impl TimoshenkoBar {
    /// An undamped bar with free ends: L (m), N ≥ 4 intervals, ρA (kg/m), ρI (kg m), κGA (N), EI (N m²).
    ///
    /// # Errors
    /// A [`Complaint`] where one is not positive, or the grid too coarse.
    pub fn new(
        length: f64,
        intervals: usize,
        [density, rotary]: [f64; 2],
        [shear, bending]: [f64; 2],
    ) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        Ok(Self {
            grid: grid::new(length, intervals)?,
            density: positive("linear_density", density)?,
            rotary: positive("rotary_inertia", rotary)?,
            shear: positive("shear_stiffness", shear)?,
            bending: positive("bending_stiffness", bending)?,
            damping: 0.0,
            ends: [End::Free; 2],
        })
    }

    /// The same bar held otherwise at its left and right end.
    pub fn held(self, ends: [End; 2]) -> Self {
        Self { ends, ..self }
    }

    /// The same bar with damping γ ≥ 0, 1/s.
    ///
    /// # Errors
    /// A [`Complaint`] where it is negative.
    pub fn damped(self, damping: f64) -> Result<Self, Complaint> {
        Ok(Self { damping: Range::NOT_NEGATIVE.check("damping", damping)?, ..self })
    }

    /// Its continuous theory.
    fn theory(&self) -> Thick {
        Thick {
            length: self.grid.length,
            density: self.density,
            rotary: self.rotary,
            shear: self.shear,
            bending: self.bending,
            ends: self.ends,
        }
    }

    /// u and ψ, their unknowns in turn from the coordinate `first` on.
    fn fields(&self, first: usize) -> (Field, Field) {
        let held = self.ends.map(|end| end != End::Free);
        let rotation = self.ends.map(|end| Edge {
            held: false,
            beyond: if end == End::Clamped { Beyond::Odd } else { Beyond::Nothing },
        });
        let lead = usize::from(held[0]);
        let edges = held.map(|held| if held { Edge::HINGED } else { Edge::FREE });
        (
            Field::nodes(self.grid, first + lead, 2, edges),
            Field::half_nodes(self.grid, first + 1 - lead, 2, rotation),
        )
    }
}

impl Body for TimoshenkoBar {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let (first, h) = (system.size(), self.grid.step);
        let (u, psi) = self.fields(first);
        let size = u.unknowns() + psi.unknowns();
        let mut mass = vec![self.rotary * h; size];
        u.indices().for_each(|l| mass[u.coordinate(l) - first] = self.density * u.weight(l));
        let damping: Vec<f64> = mass.iter().map(|m| m * self.damping).collect();
        mass.into_iter().for_each(|m| {
            system.add_dof(m, 0.0, 0.0);
        });
        let (own, turned) = self.fields(0);
        let mut stiffness = Squares::default();
        for l in 0..self.grid.intervals as i64 {
            let shear = own.difference(l).minus(&turned.combine(l, &[(0, 1.0)]).unwrap_or_else(Row::ground));
            stiffness.add(self.shear * h, shear);
        }
        for l in 0..=self.grid.intervals as i64 {
            if let Some(bend) = turned.combine(l, &[(-1, -1.0 / h), (0, 1.0 / h)]) {
                stiffness.add(self.bending * own.weight(l), bend);
            }
        }
        system.blocks.push(Block {
            name: name.into(),
            dofs: first..first + size,
            stiffness: stiffness.operator(size),
            damping: if self.damping == 0.0 { Operator::Zero } else { Operator::Diagonal(damping) },
        });
        let (length, bar) = (self.grid.length, *self);
        let theory = self.theory();
        let force = move |place: Place| {
            let x = place.on(length)?;
            let l = ((x / h).floor() as i64).clamp(0, bar.grid.intervals as i64 - 1);
            let rotation = psi.value(l).unwrap_or_else(Row::ground);
            let shear = u.difference(l).minus(&rotation).scaled(bar.shear);
            Ok(if x > length - 0.5 * h { shear.scaled(-1.0) } else { shear })
        };
        let point = |l: i64| Point { row: Row::unit(u.coordinate(l)), x: u.position(l), weight: u.weight(l) };
        let points: Vec<Point> = u.indices().map(point).collect();
        Ok(Placed {
            dofs: first..first + size,
            measure: Measure::Length,
            locate: Box::new(move |place: Place| Ok(u.interpolate(place.on(length)?))),
            heard: vec![Heard { name: "force", unit: "N", of_velocity: false, locate: Box::new(force) }],
            extent: Some(Extent {
                length,
                lay: lay_on_points(&points),
                points,
                partials: Some(Box::new(move |m| theory.partial(m))),
                sines: 0,
            }),
        })
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "timoshenko-bar",
        summary: "bar with shear and rotary inertia: thick bars in tune",
        equation: "ρA u_tt = (κGA(u_x − ψ))_x + f,  ρI ψ_tt = (EI ψ_x)_x + κGA(u_x − ψ)",
        source: "I18 §1 with ψ_t = φ; Timoshenko 1921",
        parameters: &[
            METHOD,
            INTERVALS,
            ACCURACY,
            PARTIALS,
            LENGTH,
            THICKNESS,
            WIDTH,
            DENSITY,
            YOUNGS_MODULUS,
            Parameter { doc: "ν: G = E/2(1 + ν)", ..POISSON_RATIO },
            Parameter {
                name: "shear_modulus",
                takes: Takes::Number(Role::Modulus, Range { min: 1e7, max: 1e12, open: false }),
                absent: Absent::Optional("E/2(1 + ν)"),
                doc: "G of what is not the same in all directions: of wood about E/15",
            },
            Parameter {
                name: "shear_correction",
                takes: Takes::Number(Role::Number, Range { min: 0.1, max: 1.0, open: false }),
                absent: Absent::Number(5.0 / 6.0),
                doc: "κ: 5/6 for a rectangular section",
            },
            DAMPING,
            end("left", "free"),
            end("right", "free"),
        ],
        rules: &[FINENESS, Rule::OneOf(SHEAR)],
    },
    make: |values: &Values| Ok(Box::new(read(values)?)),
};

/// G, also of what is not the same in all directions.
const SHEAR: OneOf = OneOf {
    states: "the shear modulus",
    alternatives: &[&["poisson_ratio"], &["shear_modulus"]],
    required: false,
};

fn read(values: &Values) -> Result<TimoshenkoBar, Complaint> {
    let number = |name| values.required(name);
    let (length, h, w) = (number("length")?, number("thickness")?, number("width")?);
    let (density, modulus) = (number("density")?, number("youngs_modulus")?);
    let (area, inertia) = (w * h, w * h * h * h / 12.0);
    let isotropic = modulus / (2.0 * (1.0 + number("poisson_ratio")?));
    let shear = number("shear_correction")? * values.number("shear_modulus").unwrap_or(isotropic) * area;
    let ends = ["left", "right"].map(|end| End::read(values.word(end)));
    let bar = |n: usize| {
        let inertias = [density * area, density * inertia];
        TimoshenkoBar::new(length, n, inertias, [shear, modulus * inertia])
    };
    let some = bar(16)?.theory();
    let frequencies = |n: usize, p: usize| {
        let k = beta(ends, p) / length;
        (some.omega(grid::lattice_wave(k, length / n as f64)), some.omega(k))
    };
    bar(grid::intervals(values, frequencies)?)?.held(ends).damped(number("damping")?)
}
