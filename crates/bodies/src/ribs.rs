//! Beams that are glued to one side of a plate.
//!
//!   V = ½ ∫ B w_ss² ds,   T = ½ ∫ ρ_rA w_t² ds,   w_ss = w_xx cos²θ + 2 w_xy cos θ sin θ + w_yy sin²θ
//!   A = w_r h_r,   B = E_r (w_r h_r³/12 + A (h + h_r)²/4)
//!
//! s (m) along the beam at the angle θ to x, w_r × h_r (m) its section, E_r (Pa) its modulus, ρ_r (kg/m³) its density, h (m) the thickness of
//! the plate. The beam bends about the middle of the plate, as if the plate were stiff in its own plane; its torsion is left out.

use crate::{
    modal::{Shapes, products::Products, quadrature},
    parameters::{DENSITY, YOUNGS_MODULUS, sized},
};
use hamiltone_core::{
    geometry::Position,
    parameter::{Absent, Complaint, Parameter, Range, Role, Table, Takes, Values},
};
use hamiltone_numerics::math::{powi, square};

/// A beam glued to the plate.
pub(crate) struct Rib {
    /// Its ends, m.
    pub ends: [Position; 2],
    /// ρ_rA, kg/m.
    pub density: f64,
    /// B, N m².
    pub bending: f64,
}

impl Rib {
    /// The ribs of a table, on a plate of these sides and of the thickness h.
    pub fn read(table: &Values, name: &'static str, sides: [f64; 2], h: f64) -> Result<Vec<Self>, Complaint> {
        let ends = ["from", "to"].map(|end| table.pairs(end).unwrap_or_default());
        let complaint = |end: &str, message: String, help: String| {
            Err(Complaint::new(format!("{name}.{end}"), message).help(help))
        };
        if ends[0].len() != ends[1].len() {
            let [from, to] = ends.map(<[_]>::len);
            let message = format!("lists {to} and `{name}.from` lists {from}");
            return complaint("to", message, "write a pair [x, y] in each for every beam".into());
        }
        for (end, places) in ["from", "to"].into_iter().zip(ends) {
            let [a, b] = sides;
            let outside = |(x, y): &&(f64, f64)| !((0.0..=a).contains(x) && (0.0..=b).contains(y));
            if let Some((x, y)) = places.iter().find(outside) {
                let message = format!("has [{x} m, {y} m], which is not on the plate");
                return complaint(end, message, format!("write x from 0 to {a} m and y from 0 to {b} m"));
            }
        }
        let number = |name| table.required(name);
        let (width, height) = (number("width")?, number("height")?);
        let area = width * height;
        let inertia = width * powi(height, 3) / 12.0 + area * square(0.5 * (h + height));
        let (density, bending) = (number("density")? * area, number("youngs_modulus")? * inertia);
        let rib = |(from, to): (&(f64, f64), &(f64, f64))| Self {
            ends: [[from.0, from.1], [to.0, to.1]],
            density,
            bending,
        };
        let ribs: Vec<Self> = ends[0].iter().zip(ends[1]).map(rib).collect();
        match ribs.iter().position(|rib| rib.length() == 0.0) {
            Some(i) => {
                let message = format!("ends beam {} where it begins", i + 1);
                complaint(
                    "to",
                    message,
                    format!("write two different places in `{name}.from` and `{name}.to`"),
                )
            }
            None => Ok(ribs),
        }
    }

    /// m.
    fn length(&self) -> f64 {
        let [[x, y], [u, v]] = self.ends;
        (square(u - x) + square(v - y)).sqrt()
    }

    /// Adds its part of K and M, row-major: Σ ϖ B φ_ss φ_ssᵀ and Σ ϖ ρ_rA φφᵀ over the points of a quadrature with the weights ϖ (m).
    pub fn add(&self, products: &Products, stiffness: &mut [f64], mass: &mut [f64]) {
        let ([[x, y], [u, v]], length) = (self.ends, self.length());
        let (cos, sin) = ((u - x) / length, (v - y) / length);
        let count = products.pairs.len();
        for (s, w) in quadrature::panels(length, &[], products.half_wavelength()).into_iter().flatten() {
            let derivative = |orders| products.derivative(orders, [x + s * cos, y + s * sin]);
            let [along, mixed, across] = [[2, 0], [1, 1], [0, 2]].map(derivative);
            let bent = along.iter().zip(&mixed).zip(&across);
            let bent = bent.map(|((xx, xy), yy)| cos * cos * xx + 2.0 * cos * sin * xy + sin * sin * yy);
            for (form, weight, values) in [
                (&mut *stiffness, self.bending, bent.collect::<Vec<f64>>()),
                (&mut *mass, self.density, derivative([0, 0])),
            ] {
                for (row, value) in form.chunks_exact_mut(count).zip(&values) {
                    let scaled = w * weight * value;
                    row.iter_mut().zip(&values).for_each(|(entry, other)| *entry += scaled * other);
                }
            }
        }
    }
}

/// A number of the material of wood along its grain.
pub(crate) const fn of_spruce(parameter: Parameter, value: f64, doc: &'static str) -> Parameter {
    Parameter { absent: Absent::Number(value), doc, ..parameter }
}

const fn places(name: &'static str, doc: &'static str) -> Parameter {
    let place = (Role::Length, Range::NOT_NEGATIVE);
    Parameter { name, takes: Takes::Pairs(place, place), absent: Absent::Required, doc }
}

/// What the beams of one section state.
const SECTION: &[Parameter] = &[
    places("from", "pairs [x, y]: where each begins"),
    places("to", "pairs [x, y]: where each ends"),
    sized("width", 1e-4, 1.0, "w_r of the section"),
    sized("height", 1e-4, 1.0, "h_r of the section, from the plate"),
    of_spruce(DENSITY, 400.0, "ρ_r; spruce unless given"),
    of_spruce(YOUNGS_MODULUS, 11e9, "E_r; spruce along its grain unless given"),
];

/// Beams of one section.
const fn beams_of(name: &'static str, doc: &'static str) -> Parameter {
    let takes = Takes::Table(Table { parameters: SECTION, rules: &[] });
    Parameter { name, takes, absent: Absent::Optional("none"), doc }
}

/// Beams.
pub(crate) const RIBS: Parameter =
    beams_of("ribs", "beams of one section that are glued to it, each straight from a place to another");
/// Other beams.
pub(crate) const BARS: Parameter =
    beams_of("bars", "more of them, of another section: bridges, or cross bars");
