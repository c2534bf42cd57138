//! The orthotropic rectangular plate with ribs: a soundboard, or the top of a guitar.
//!
//!   V = ½∫∫ (D₁ w_xx² + 2ν₂₁D₁ w_xx w_yy + D₂ w_yy² + 4D₆ w_xy²) dx dy + ½ Σ ∫ B w_ss² ds
//!   T = ½∫∫ ρh w_t² dx dy + ½ Σ ∫ ρ_rA w_t² ds
//!
//! w (m) displacement, h (m) thickness; D and ν₂₁ of the moduli in `orthotropic.rs`, B and A of the ribs in `ribs.rs` (Timoshenko & Woinowsky-Krieger
//! 1959, chapter 11). Modes by the method of Ritz (`modal/ritz.rs`): the eigenpairs of V and T over the
//! products of beam functions that are lowest without ribs, three for each mode. The frequencies are too high: by 0.1 % without
//! ribs where all sides are hinged or clamped, by some tenths of a percent with ribs or free sides.

use crate::{
    built::Built,
    ends::End,
    losses::LOSS,
    modal::{
        Modal, Mode, Shapes,
        products::{Products, Shape},
        ritz::{Integrals, Ritz},
        sampling,
    },
    modal_losses,
    orthotropic::{Orthotropic, kappa2, modulus},
    parameters::{DENSITY, POISSON_RATIO, THICKNESS, YOUNGS_MODULUS, side, sized},
    ribs::{BARS, RIBS, Rib, of_spruce},
};
use hamiltone_core::{
    body::Body,
    geometry::{Geometry, Surface},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
};
use hamiltone_numerics::dense_pencil;
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
    /// Without ribs.
    plate: Ritz,
    ribs: Vec<Rib>,
}

impl RibbedPlate {
    fn read(values: &Values) -> Result<Self, Complaint> {
        let number = |name| values.required(name);
        let (sides, h) = ([number("length")?, number("width")?], number("thickness")?);
        let stiffness = Orthotropic::read(values)?.bending(h);
        let end = |name| End::read(values.word(name));
        let ends = [[end("left"), end("right")], [end("front"), end("back")]];
        let mut ribs = Vec::new();
        for name in [RIBS.name, BARS.name] {
            if let Some(table) = values.table(name) {
                ribs.extend(Rib::read(table, name, sides, h)?);
            }
        }
        Ok(Self { plate: Ritz { sides, ends, stiffness, density: number("density")? * h }, ribs })
    }

    /// The products of beam functions of the lowest frequencies.
    fn products(&self, modes: usize) -> Products {
        self.plate.products((PRODUCTS * modes).max(LEAST))
    }

    /// K, M and ∫∫ |∇φ|² of the products, row-major.
    fn forms(&self, products: &Products) -> [Vec<f64>; 3] {
        let (of, [a, b]) = (Integrals::of(products), self.plate.sides);
        let count = products.pairs.len();
        let [mut stiffness, mut mass, mut slopes] = [(); 3].map(|()| Vec::with_capacity(count * count));
        for one in &products.pairs {
            for other in &products.pairs {
                let [bends, turns] = self.plate.entry(&of, *one, *other);
                stiffness.push(bends);
                slopes.push(turns);
                mass.push(if one == other { self.plate.density * (0.25 * a * b) } else { 0.0 });
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
        let sides = self.plate.sides;
        let quarter = 0.25 * sides[0] * sides[1];
        let rounding = values.last().copied().unwrap_or(0.0) * count as f64 * f64::EPSILON;
        let mut found = Vec::with_capacity(modes);
        for (value, mut weights) in values.into_iter().zip(vectors).take(modes) {
            // ∫∫φ² = ab/4, as of a product of sines.
            let norm: f64 = weights.iter().map(|c| c * c).sum();
            weights.iter_mut().for_each(|c| *c /= norm.sqrt());
            let slope = form(&weights) / quarter;
            // Of a rigid motion the rounding of 0 is left.
            let omega = if value > rounding { value.sqrt() } else { 0.0 };
            found.push(Mode { mass: 1.0 / norm, omega, sigma: 0.5 * (d1 + d3 * slope) });
            products.shapes.push(Shape { first: 0, weights });
        }
        let surface = Surface::Rectangle { sides };
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
            modulus(
                "cross_modulus",
                Absent::Number(0.8e9),
                "E₂, along y; spruce across its grain unless given",
            ),
            modulus("shear_modulus", Absent::Number(0.75e9), "G; spruce unless given"),
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
    let kappa2 = kappa2(plate.plate.stiffness, plate.plate.density);
    let (law, losses) = modal_losses::read(values.table("loss"), None, 0.0, kappa2, true)?;
    Ok(Built::exact(plate.by_modes(modes, losses)?.following(law.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    fn plate(ends: End, stiffness: [f64; 4], ribs: Vec<Rib>) -> RibbedPlate {
        RibbedPlate { plate: Ritz { sides: [1.0, 0.7], ends: [[ends; 2]; 2], stiffness, density: 1.0 }, ribs }
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
            let mut square = plate(ends, isotropic, Vec::new());
            square.plate.sides = [1.0; 2];
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
