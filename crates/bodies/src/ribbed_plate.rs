//! The orthotropic rectangular plate with ribs: a soundboard, or the top of a guitar.
//!
//!   V = ½∫∫ (D₁ w_xx² + 2ν₂₁D₁ w_xx w_yy + D₂ w_yy² + 4D₆ w_xy²) dx dy + ½ Σ ∫ B w_ss² ds
//!   T = ½∫∫ ρh w_t² dx dy + ½ Σ ∫ ρ_rA w_t² ds
//!   D₁ = E₁h³/12(1 − ν₁₂ν₂₁),   D₂ = E₂h³/12(1 − ν₁₂ν₂₁),   D₆ = G h³/12,   ν₂₁ = ν₁₂E₂/E₁
//!
//! w (m) displacement, h (m) thickness, E₁ and E₂ (Pa) Young's moduli along x and y, G (Pa) shear modulus, ν₁₂ Poisson's ratio; B and A of
//! the ribs in `ribs.rs` (Timoshenko & Woinowsky-Krieger 1959, chapter 11). Modes by the method of Ritz: the eigenpairs of V and T over the
//! products of beam functions (`products.rs`) that are lowest without ribs, three for each mode. The frequencies are too high: by 0.1 % without
//! ribs where all sides are hinged or clamped, by some tenths of a percent with ribs or free sides.

use crate::{
    built::Built,
    ends::End,
    losses::LOSS,
    modal::{
        Modal, Mode, Shapes,
        products::{Products, beams, integrals},
        sampling,
    },
    modal_losses,
    parameters::{DENSITY, POISSON_RATIO, THICKNESS, YOUNGS_MODULUS, side, sized},
    ribs::{BARS, RIBS, Rib, of_spruce},
};
use hamiltone_core::{
    body::Body,
    geometry::{Geometry, Surface},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
};
use hamiltone_numerics::{
    dense_pencil,
    math::{powi, square},
};
use std::sync::Arc;

/// So many products for each mode, and at least so many.
const PRODUCTS: usize = 3;
const LEAST: usize = 180;
/// The largest number of modes: the time to find them rises with its cube.
const MOST: f64 = 120.0;
/// So many modes unless `modes` is given.
const DEFAULT: usize = 60;

/// The physics of the plate.
struct RibbedPlate {
    /// a and b, m.
    sides: [f64; 2],
    /// Of x = 0, x = a and of y = 0, y = b.
    ends: [[End; 2]; 2],
    /// ρh, kg/m².
    density: f64,
    /// D₁, D₂, ν₂₁D₁ and D₆, N m.
    stiffness: [f64; 4],
    ribs: Vec<Rib>,
}

impl RibbedPlate {
    fn read(values: &Values) -> Result<Self, Complaint> {
        let number = |name| values.required(name);
        let (sides, h) = ([number("length")?, number("width")?], number("thickness")?);
        let (along, across) = (number("youngs_modulus")?, number("cross_modulus")?);
        let poisson = number("poisson_ratio")?;
        // The energy is positive for these only.
        let other = poisson * across / along;
        if poisson * other >= 1.0 {
            let message = format!("is {poisson}; it must be below √(E₁/E₂) = {:.3}", (along / across).sqrt());
            let help = "write a smaller one, or exchange youngs_modulus and cross_modulus";
            return Err(Complaint::new("poisson_ratio", message).help(help));
        }
        let bending = |modulus: f64| modulus * powi(h, 3) / (12.0 * (1.0 - poisson * other));
        let stiffness = [
            bending(along),
            bending(across),
            bending(along) * other,
            number("shear_modulus")? * powi(h, 3) / 12.0,
        ];
        let end = |name| End::read(values.word(name));
        let ends = [[end("left"), end("right")], [end("front"), end("back")]];
        let mut ribs = Vec::new();
        for name in [RIBS.name, BARS.name] {
            if let Some(table) = values.table(name) {
                ribs.extend(Rib::read(table, name, sides, h)?);
            }
        }
        Ok(Self { sides, ends, density: number("density")? * h, stiffness, ribs })
    }

    /// The squared frequency of a product alone on the plate without ribs, (rad/s)².
    fn estimate(&self, products: &Products, [m, n]: [usize; 2]) -> f64 {
        let [x, y] = [0, 1].map(|side| square(products.beams[side][[m, n][side]].beta() / self.sides[side]));
        let [along, across, coupled, twist] = self.stiffness;
        (along * x * x + across * y * y + 2.0 * (coupled + 2.0 * twist) * x * y) / self.density
    }

    /// The products of beam functions of the lowest frequencies.
    fn products(&self, modes: usize) -> Products {
        let count = (PRODUCTS * modes).max(LEAST);
        let all = self.ends.map(|ends| beams(ends, count));
        let mut products = Products { sides: self.sides, beams: all, pairs: Vec::new(), shapes: Vec::new() };
        let mut pairs: Vec<[usize; 2]> =
            (0..count).flat_map(|m| (0..count / (m + 1)).map(move |n| [m, n])).collect();
        pairs.sort_by(|p, q| {
            self.estimate(&products, *p).total_cmp(&self.estimate(&products, *q)).then(p.cmp(q))
        });
        pairs.truncate(count);
        for side in [0, 1] {
            let most = pairs.iter().map(|pair| pair[side]).max().unwrap_or(0);
            products.beams[side].truncate(most + 1);
        }
        products.pairs = pairs;
        products
    }

    /// K, M and ∫∫ |∇φ|² of the products, row-major.
    fn forms(&self, products: &Products) -> [Vec<f64>; 3] {
        let [a, b] = self.sides;
        let [along, across, coupled, twist] = self.stiffness;
        let of = |side: usize, orders| integrals(&products.beams[side], orders);
        let sets = [[0, 0], [1, 1], [2, 2], [2, 0]];
        let ([x0, x1, x2, xm], [y0, y1, y2, ym]) = (sets.map(|set| of(0, set)), sets.map(|set| of(1, set)));
        let count = products.pairs.len();
        let [mut stiffness, mut mass, mut slopes] = [(); 3].map(|()| Vec::with_capacity(count * count));
        for [m, n] in &products.pairs {
            for [p, q] in &products.pairs {
                let mixed = xm[*m][*p] * ym[*q][*n] + xm[*p][*m] * ym[*n][*q];
                stiffness.push(
                    along * x2[*m][*p] * y0[*n][*q] * b / powi(a, 3)
                        + across * x0[*m][*p] * y2[*n][*q] * a / powi(b, 3)
                        + (coupled * mixed + 4.0 * twist * x1[*m][*p] * y1[*n][*q]) / (a * b),
                );
                slopes.push(x1[*m][*p] * y0[*n][*q] * b / a + x0[*m][*p] * y1[*n][*q] * a / b);
                mass.push(if (m, n) == (p, q) { self.density * (0.25 * a * b) } else { 0.0 });
            }
        }
        for rib in &self.ribs {
            rib.add(products, &mut stiffness, &mut mass);
        }
        [stiffness, mass, slopes]
    }

    /// The plate by its lowest `modes` with σ = (d₁ + d₃∫∫|∇φ|²/∫∫φ²)/2.
    fn by_modes(&self, modes: usize, [d1, d3]: [f64; 2]) -> Result<Modal, Complaint> {
        let mut products = self.products(modes);
        let count = products.pairs.len();
        let [stiffness, mass, slopes] = self.forms(&products);
        let (values, vectors) = dense_pencil::eigenpairs(stiffness, mass, count)
            .ok_or_else(|| Complaint::new("density", "gives no mass; write a larger one"))?;
        let form = |c: &[f64]| -> f64 {
            let row = |i: usize| slopes[i * count..].iter().zip(c).map(|(s, c)| s * c).sum::<f64>();
            (0..count).map(|i| c[i] * row(i)).sum()
        };
        let quarter = 0.25 * self.sides[0] * self.sides[1];
        let rounding = values.last().copied().unwrap_or(0.0) * count as f64 * f64::EPSILON;
        let mut found = Vec::with_capacity(modes);
        for (value, mut shape) in values.into_iter().zip(vectors).take(modes) {
            // ∫∫φ² = ab/4, as of a product of sines.
            let norm: f64 = shape.iter().map(|c| c * c).sum();
            shape.iter_mut().for_each(|c| *c /= norm.sqrt());
            let slope = form(&shape) / quarter;
            // Of a rigid motion the rounding of 0 is left.
            let omega = if value > rounding { value.sqrt() } else { 0.0 };
            found.push(Mode { mass: 1.0 / norm, omega, sigma: 0.5 * (d1 + d3 * slope) });
            products.shapes.push(shape);
        }
        let surface = Surface::Rectangle { sides: self.sides };
        Ok(Modal {
            geometry: Geometry::Surface(surface),
            intervals: sampling::intervals(surface, products.half_wavelength()),
            norms: vec![quarter; found.len()],
            modes: found,
            shapes: Arc::new(products),
            force: None,
            stretching: None,
            airy: Arc::default(),
        })
    }
}

/// E₂ and G.
const MODULI: Range = Range { min: 1e7, max: 1e12, open: false };

/// E₂ or G.
const fn modulus(name: &'static str, value: f64, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Number(Role::Modulus, MODULI), absent: Absent::Number(value), doc }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "ribbed_plate",
        summary: "thin rectangular plate of wood with ribs, any side hinged, clamped or free, by its modes: a soundboard",
        equation: "ρh w_tt = −D₁ w_xxxx − 2(ν₂₁D₁ + 2D₆) w_xxyy − D₂ w_yyyy − Σ δ_r (B w_ssss + ρ_rA w_tt) + f",
        source: "Ritz 1909; Timoshenko & Woinowsky-Krieger 1959, ch. 11; Leissa 1973",
        parameters: &[
            Parameter {
                name: "modes",
                takes: Takes::Number(Role::Count, Range { min: 1.0, max: MOST, open: false }),
                absent: Absent::Optional("60"),
                doc: "how many modes, the lowest, a whole number",
            },
            sized("length", 1e-3, 100.0, "a, along x, the grain of the wood"),
            sized("width", 1e-3, 100.0, "b, along y"),
            THICKNESS,
            of_spruce(DENSITY, 400.0, "ρ; spruce unless given"),
            of_spruce(YOUNGS_MODULUS, 11e9, "E₁, along x; spruce along its grain unless given"),
            modulus("cross_modulus", 0.8e9, "E₂, along y; spruce across its grain unless given"),
            modulus("shear_modulus", 0.75e9, "G; spruce unless given"),
            Parameter {
                absent: Absent::Number(0.37),
                doc: "ν₁₂: contraction along y under tension along x",
                ..POISSON_RATIO
            },
            side(
                "left",
                "boundary condition of the side x = 0: hinged (simply supported), clamped, free or sliding",
            ),
            side("right", "the same of the side x = a"),
            side("front", "the same of the side y = 0"),
            side("back", "the same of the side y = b"),
            RIBS,
            BARS,
            LOSS,
        ],
        rules: &[],
    },
    make: |values: &Values| Ok(build(values)?.body),
};

fn build(values: &Values) -> Result<Built, Complaint> {
    let plate = RibbedPlate::read(values)?;
    let modes = values.count("modes").unwrap_or(DEFAULT);
    let [along, across, ..] = plate.stiffness;
    let kappa2 = (along * across).sqrt() / plate.density;
    let (law, losses) = modal_losses::read(values.table("loss"), None, 0.0, kappa2, true)?;
    Ok(Built::exact(plate.by_modes(modes, losses)?.following(law.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    fn plate(ends: End, stiffness: [f64; 4], ribs: Vec<Rib>) -> RibbedPlate {
        RibbedPlate { sides: [1.0, 0.7], ends: [[ends; 2]; 2], density: 1.0, stiffness, ribs }
    }

    fn frequencies(plate: &RibbedPlate, modes: usize) -> Vec<f64> {
        plate.by_modes(modes, [0.0; 2]).unwrap().modes().iter().map(|mode| mode.omega).collect()
    }

    /// ω a²√(ρh/D) of a clamped and a free square, ν = 0.3 (Leissa 1973, tables C1 and C21; the free one as Ritz sums of more terms
    /// give it), within what the head of the file states.
    #[test]
    fn squares_are_those_of_the_tables() {
        let isotropic = [1.0, 1.0, 0.3, 0.35];
        for (ends, printed, within) in [
            (End::Clamped, &[35.985, 73.394, 73.394, 108.22, 131.58, 132.21][..], 1e-3),
            (End::Free, &[0.0, 0.0, 0.0, 13.468, 19.596, 24.271, 34.801, 34.801][..], 4e-3),
        ] {
            let square = RibbedPlate { sides: [1.0; 2], ..plate(ends, isotropic, Vec::new()) };
            for (found, printed) in frequencies(&square, 60).iter().zip(printed) {
                assert!(found - printed >= -1e-4 * printed, "{ends:?} {found} {printed}");
                assert!(found - printed <= within * printed, "{ends:?} {found} {printed}");
            }
        }
    }

    /// ω²ρh = D₁α⁴ + 2(ν₂₁D₁ + 2D₆)α²β² + D₂β⁴ between hinged sides, α = mπ/a, β = nπ/b. Ribs of B and ρ_rA at the distance d add B/d to
    /// D₁ and ρ_rA/d to ρh exactly, as long as no two products are alike at them: m + p < 2·20.
    #[test]
    fn close_ribs_are_spread_over_the_plate() {
        let (stiffness, [bending, density]) = ([3.0, 0.4, 0.1, 0.3], [0.05, 0.01]);
        let rib = |i: usize| {
            let y = 0.7 * (i as f64 + 0.5) / 20.0;
            Rib { ends: [[0.0, y], [1.0, y]], density, bending }
        };
        for (ribs, spread) in [(Vec::new(), 0.0), ((0..20).map(rib).collect(), 20.0 / 0.7)] {
            let found = frequencies(&plate(End::Hinged, stiffness, ribs), 12);
            let omega = |m: usize, n: usize| {
                let (a, b) = (m as f64 * PI, n as f64 * PI / 0.7);
                let ribbed = (3.0 + spread * bending) * a.powi(4);
                ((ribbed + 1.4 * a * a * b * b + 0.4 * b.powi(4)) / (1.0 + spread * density)).sqrt()
            };
            let mut exact: Vec<f64> = (1..13).flat_map(|m| (1..13).map(move |n| omega(m, n))).collect();
            exact.sort_by(f64::total_cmp);
            for (found, exact) in found.iter().zip(&exact) {
                assert!((found / exact - 1.0).abs() < 1e-11, "{found} {exact}");
            }
        }
    }

    /// An oblique rib bends as a product does along it: by differences of its values along the rib.
    #[test]
    fn oblique_ribs_bend_along_themselves() {
        let (from, to) = ([0.1, 0.05], [0.8, 0.6]);
        let rib = Rib { ends: [from, to], density: 0.0, bending: 1.0 };
        let plate = plate(End::Clamped, [0.0; 4], vec![rib]);
        let products = plate.products(1);
        let [stiffness, ..] = plate.forms(&products);
        let (length, steps) = ((0.49_f64 + 0.3025).sqrt(), 20_000);
        let step = length / steps as f64;
        let at = |i: f64| {
            let part = i / steps as f64;
            products.derivative([0, 0], [0.1 + 0.7 * part, 0.05 + 0.55 * part])[0]
        };
        let bent = |i: f64| (at(i + 20.0) - 2.0 * at(i) + at(i - 20.0)) / (400.0 * step * step);
        let sum: f64 = (0..steps).map(|i| step * bent(i as f64 + 0.5).powi(2)).sum();
        assert!((stiffness[0] / sum - 1.0).abs() < 1e-4, "{} {sum}", stiffness[0]);
    }

    /// σ = ½(d₁ + d₃ω√(ρh/D)) between hinged sides, where ∫∫|∇φ|²/∫∫φ² = k² = ω√(ρh/D).
    #[test]
    fn losses_follow_the_slopes() {
        let modes = plate(End::Hinged, [2.0, 2.0, 0.6, 0.7], Vec::new()).by_modes(10, [0.5, 0.01]).unwrap();
        for mode in modes.modes() {
            let exact = 0.5 * (0.5 + 0.01 * mode.omega / 2.0_f64.sqrt());
            assert!((mode.sigma / exact - 1.0).abs() < 1e-12, "{} Hz", mode.omega / TAU);
        }
    }
}
