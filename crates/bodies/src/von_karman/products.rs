//! The coefficients of a rectangular plate whose sides are free in its plane, whatever holds them across.
//!
//!   Ψ = Ψ_n = 0 at the sides:   N_n = N_nt = 0
//!
//! So Ψ are the shapes of a clamped plate with the coefficients a of `orthotropic.rs` for its stiffness and mass 1 (`modal/ritz.rs`), whose ω² are
//! ζ⁴; ‖Ψ‖² = ab/4. With Φ = Σ cX_mY_n, Ψ = Σ dξ_kη_h and derivatives by x/a and y/b,
//!
//!   abC = Σ c_mn c_pq Σ_kh d_kh (⟨k; m″p⟩⟨h; nq″⟩ + ⟨k; mp″⟩⟨h; n″q⟩ − 2⟨k; m′p′⟩⟨h; n′q′⟩),   ⟨k; m″p⟩ = ∫ξ_kX_m″X_p dx/a
//!
//! (Ducceschi et al. 2014.) Integrals along a side are those of a quadrature that is exact to rounding. The sum over k comes first, then that over h,
//! then those over the products of Φⱼ and of Φᵢ: of N shapes of P products N P² + N² P terms for each Ψ, of which mirrored sides leave a
//! sixteenth. Between clamped sides C is the same for every order of l, i and j. Rigid motions have no curvature.

use super::{AiryForm, Stretches};
use crate::{
    ends::End,
    modal::{
        beams::Beam,
        products::{Products, Shape},
        quadrature,
        ritz::{Ritz, Solved, parity},
    },
    orthotropic::Coefficients,
};
use hamiltone_numerics::parallel;
use std::f64::consts::PI;

/// At least so many products of the stress functions.
const MIN_PRODUCTS: usize = 180;

/// ∫ξX_j″X_k and ∫ξX_j′X_k′ of the even ξ or of the odd ones, those of one pair j, k side by side.
struct Triples {
    /// How many ξ.
    count: usize,
    /// How many X.
    beams: usize,
    bent: Vec<f64>,
    turned: Vec<f64>,
}

impl Triples {
    /// Of the ξ that are even and of those that are odd.
    fn both(airy: &[Beam], beams: &[Beam]) -> [Self; 2] {
        let highest = |all: &[Beam]| all.last().map_or(PI, Beam::beta).max(PI);
        let points: Vec<(f64, f64)> =
            quadrature::panels(1.0, &[], PI / (highest(beams) + 0.5 * highest(airy)))
                .into_iter()
                .flatten()
                .collect();
        let values = |beam: &Beam, order: usize| -> Vec<f64> {
            points.iter().map(|(x, _)| beam.at(order, *x)).collect()
        };
        let of = |order: usize| -> Vec<Vec<f64>> { beams.iter().map(|beam| values(beam, order)).collect() };
        let [plain, slopes, second] = [0, 1, 2].map(of);
        [0, 1].map(|odd| {
            let weighted = |beam: &Beam| -> Vec<f64> {
                values(beam, 0).into_iter().zip(&points).map(|(value, (_, w))| w * value).collect()
            };
            let own: Vec<Vec<f64>> = airy.iter().skip(odd).step_by(2).map(weighted).collect();
            let all = |left: &[Vec<f64>], right: &[Vec<f64>]| -> Vec<f64> {
                let pairs = left.iter().flat_map(|one| right.iter().map(move |other| (one, other)));
                let of_pair = |(one, other): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
                    let product: Vec<f64> = one.iter().zip(other).map(|(a, b)| a * b).collect();
                    own.iter().map(|own| own.iter().zip(&product).map(|(a, b)| a * b).sum()).collect()
                };
                pairs.flat_map(of_pair).collect()
            };
            let (bent, turned) = (all(&second, &plain), all(&slopes, &slopes));
            Self { count: own.len(), beams: beams.len(), bent, turned }
        })
    }

    /// Σ_k d_kh of them, for every h of a number of η: those of one pair side by side.
    fn contracted(&self, of: &[f64], d: &[f64], others: usize) -> Vec<f64> {
        let mut sums = Vec::with_capacity(of.len() / self.count.max(1) * others);
        for pair in of.chunks_exact(self.count.max(1)) {
            let from = sums.len();
            sums.resize(from + others, 0.0);
            for (value, d) in pair.iter().zip(d.chunks_exact(others)) {
                sums[from..].iter_mut().zip(d).for_each(|(sum, d)| *sum += value * d);
            }
        }
        sums
    }
}

/// The products and the shapes of one parity.
#[derive(Default)]
struct Group {
    pairs: Vec<[usize; 2]>,
    /// Of the shapes that bend: their numbers, and c.
    shapes: Vec<(usize, Vec<f64>)>,
    /// c of all of them, those of one product side by side.
    turned: Vec<f64>,
}

impl Group {
    /// The four of a plate.
    fn all(solved: &Solved, mirrors: [bool; 2]) -> [Self; 4] {
        let mut groups: [Self; 4] = Default::default();
        let Products { pairs, shapes, .. } = &solved.products;
        pairs.iter().for_each(|pair| groups[parity(mirrors, *pair)].pairs.push(*pair));
        let bent = shapes.iter().zip(&solved.omega2).enumerate().filter(|(_, (_, omega2))| **omega2 > 0.0);
        for (k, (shape, _)) in bent {
            groups[parity(mirrors, pairs[shape.first])].shapes.push((k, shape.weights.clone()));
        }
        for group in &mut groups {
            let of = |i: usize| group.shapes.iter().map(move |(_, weights)| weights[i]);
            group.turned = (0..group.pairs.len()).flat_map(of).collect();
        }
        groups
    }
}

/// One form for each Ψ of a plate with these modes, and with the coefficients a of its stretching.
pub(crate) fn forms(
    plate: &Ritz,
    solved: &Solved,
    stretching: Coefficients,
    stretches: Stretches,
) -> Vec<AiryForm> {
    let airy = Ritz { ends: [[End::Clamped; 2]; 2], stiffness: stretching, density: 1.0, ..*plate };
    let Solved { products: airy, omega2: zeta4, .. } = airy.lowest(stretches.airy_modes, MIN_PRODUCTS);
    let triples = [0, 1].map(|side| Triples::both(&airy.beams[side], &solved.products.beams[side]));
    let groups = Group::all(solved, plate.mirrors());
    let quarter = 0.25 * plate.sides[0] * plate.sides[1];
    let of_airy = |(psi, zeta4): (&Shape, f64)| {
        let own = parity([true; 2], airy.pairs[psi.first]);
        let [x, y] = [&triples[0][own / 2], &triples[1][own % 2]];
        let mut d = vec![0.0; x.count * y.count];
        for (weight, [k, h]) in psi.weights.iter().zip(&airy.pairs[psi.first..]) {
            d[k / 2 * y.count + h / 2] = *weight;
        }
        let scale = (stretches.stiffness / (zeta4 * quarter)).sqrt() / (4.0 * quarter);
        let sum = Sum {
            bent: x.contracted(&x.bent, &d, y.count),
            turned: x.contracted(&x.turned, &d, y.count),
            x,
            y,
        };
        // What is even along x with what is odd has an odd Ψ in common.
        let apart = own & parity(plate.mirrors(), [1, 1]);
        let mut quadratic = Vec::new();
        for (g, group) in groups.iter().enumerate() {
            let other = &groups[g ^ apart];
            if g <= g ^ apart {
                sum.add(group, other, scale, &mut quadratic);
            }
        }
        quadratic.sort_unstable_by_key(|(i, j, _)| (*i, *j));
        AiryForm { quadratic, linear: Vec::new() }
    };
    parallel::map(airy.shapes.iter().zip(zeta4).collect(), of_airy)
}

/// What the sum over k leaves of one Ψ: Σ d_kh⟨k; m″p⟩ and Σ d_kh⟨k; m′p′⟩ for every h, those of one pair side by side.
struct Sum<'a> {
    bent: Vec<f64>,
    turned: Vec<f64>,
    x: &'a Triples,
    y: &'a Triples,
}

impl Sum<'_> {
    /// abC of two products.
    fn entry(&self, [m, n]: [usize; 2], [p, q]: [usize; 2]) -> f64 {
        let (x, y, count) = (self.x.beams, self.y.beams, self.y.count);
        let dot = |a: &[f64], [j, k]: [usize; 2], b: &[f64], [r, s]: [usize; 2]| -> f64 {
            let (a, b) = (&a[(j * x + k) * count..][..count], &b[(r * y + s) * count..][..count]);
            a.iter().zip(b).map(|(a, b)| a * b).sum()
        };
        dot(&self.bent, [m, p], &self.y.bent, [q, n]) + dot(&self.bent, [p, m], &self.y.bent, [n, q])
            - 2.0 * dot(&self.turned, [m, p], &self.y.turned, [n, q])
    }

    /// Adds `scale` abC of all shapes of one group with those of another, each pair once.
    fn add(&self, one: &Group, other: &Group, scale: f64, quadratic: &mut Vec<(usize, usize, f64)>) {
        if one.shapes.is_empty() || other.shapes.is_empty() {
            return;
        }
        let row = |p: &[usize; 2]| other.pairs.iter().map(|q| self.entry(*p, *q)).collect();
        let of_products: Vec<Vec<f64>> = one.pairs.iter().map(row).collect();
        let same = std::ptr::eq(one, other);
        let mut half = vec![0.0; other.pairs.len()];
        let mut found = vec![0.0; other.shapes.len()];
        for (i, c) in &one.shapes {
            half.fill(0.0);
            for (c, row) in c.iter().zip(&of_products) {
                half.iter_mut().zip(row).for_each(|(sum, entry)| *sum += c * entry);
            }
            found.fill(0.0);
            for (half, c) in half.iter().zip(other.turned.chunks_exact(found.len())) {
                found.iter_mut().zip(c).for_each(|(sum, c)| *sum += half * c);
            }
            let pairs = other.shapes.iter().zip(&found).filter(|((j, _), _)| !same || i <= j);
            quadratic.extend(pairs.map(|((j, _), sum)| (*i.min(j), *i.max(j), scale * sum)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orthotropic::{ISOTROPIC_STRETCHING, Orthotropic, isotropic_bending};
    use End::{Clamped, Free, Hinged, Sliding};

    const SIDES: [f64; 2] = [1.0, 0.7];

    /// A plate of D = 1 N m and 1 kg/m².
    fn isotropic(sides: [f64; 2], ends: [[End; 2]; 2]) -> Ritz {
        Ritz { sides, ends, stiffness: isotropic_bending(1.0, 0.3), density: 1.0 }
    }

    /// Spruce of D₁ = 1 N m, and its coefficients of stretching.
    fn spruce(ends: [[End; 2]; 2]) -> (Ritz, Coefficients) {
        let material = Orthotropic::new([11e9, 0.8e9], 0.75e9, 0.37).unwrap();
        let stiffness = material.bending(1.0);
        let stiffness = stiffness.map(|d| d / stiffness[0]);
        (Ritz { stiffness, ..isotropic(SIDES, ends) }, material.stretching())
    }

    /// The modes and the forms of E₁h = 1 N/m.
    fn solved(plate: &Ritz, stretching: Coefficients, modes: usize, airy: usize) -> (Solved, Vec<AiryForm>) {
        let solved = plate.lowest(modes, MIN_PRODUCTS);
        let forms = forms(plate, &solved, stretching, Stretches::new(1.0, airy).unwrap());
        (solved, forms)
    }

    /// bᵢⱼ of a form.
    fn entry(form: &AiryForm, i: usize, j: usize) -> f64 {
        let pair = (i.min(j), i.max(j));
        form.quadratic.iter().find(|(p, q, _)| (*p, *q) == pair).map_or(0.0, |entry| entry.2)
    }

    /// Σb² of the first mode of clamped plates, which gives it the frequency of its amplitude: ∫∫L(Φ, Φ)F by finite differences of 160 and 240
    /// intervals a side, extrapolated; those of 80 and 160 differ by 1e-6.
    #[test]
    fn the_first_mode_stiffens_as_by_finite_differences() {
        let clamped = [[Clamped; 2]; 2];
        let (spruce, stretching) = spruce(clamped);
        for (plate, stretching, omega, exact) in [
            (isotropic([1.0; 2], clamped), ISOTROPIC_STRETCHING, 35.98519, 14.13113),
            (isotropic([0.4, 0.3], clamped), ISOTROPIC_STRETCHING, 318.89690, 104.52100),
            (spruce, stretching, 27.38772, 4.22991),
        ] {
            let (solved, forms) = solved(&plate, stretching, 60, 100);
            let sum: f64 = forms.iter().map(|form| entry(form, 0, 0).powi(2)).sum();
            let found = solved.omega2[0].sqrt();
            println!("{found} {omega}, {sum} {exact}");
            assert!((found / omega - 1.0).abs() < 2e-5, "{found} {omega}");
            assert!((sum / exact - 1.0).abs() < 2e-4, "{sum} {exact}");
        }
    }

    /// C of a clamped isotropic plate, whose Φ and Ψ are the same shapes, is the same for every order of its three.
    #[test]
    fn coefficients_of_a_clamped_plate_are_symmetric() {
        let plate = isotropic(SIDES, [[Clamped; 2]; 2]);
        let (solved, forms) = solved(&plate, ISOTROPIC_STRETCHING, 30, 30);
        // B = C/(ζ²‖Ψ‖) with one ‖Ψ‖, and ζ⁴ = ω² here.
        let c = |l: usize, i: usize, j: usize| entry(&forms[l], i, j) * solved.omega2[l].sqrt();
        let all = || (0..30).flat_map(|l| (0..30).flat_map(move |i| (0..30).map(move |j| [l, i, j])));
        let largest = all().map(|[l, i, j]| c(l, i, j).abs()).fold(0.0, f64::max);
        for [l, i, j] in all() {
            let apart = (c(l, i, j) - c(j, i, l)).abs();
            assert!(apart < 1e-12 * largest, "{l} {i} {j}: {apart:e} of {largest:e}");
        }
    }

    /// Against ∫∫ΨL(Φᵢ, Φⱼ) by quadrature over the plate, between sides of all kinds; rigid motions are in no form.
    #[test]
    fn coefficients_are_integrals_over_the_plate() {
        for (ends, rigid) in [
            ([[Clamped, Free], [Hinged, Sliding]], 0),
            ([[Free; 2], [Free; 2]], 3),
            ([[Hinged; 2], [Clamped, Hinged]], 0),
        ] {
            let (plate, stretching) = spruce(ends);
            let (solved, forms) = solved(&plate, stretching, 12, 9);
            let airy = Ritz { ends: [[Clamped; 2]; 2], stiffness: stretching, density: 1.0, ..plate };
            let airy = airy.lowest(9, MIN_PRODUCTS);
            let points = |side: usize| quadrature::panels(SIDES[side], &[], 0.05).into_iter().flatten();
            let all: Vec<([f64; 2], f64)> =
                points(0).flat_map(|(x, v)| points(1).map(move |(y, w)| ([x, y], v * w))).collect();
            let values = |solved: &Solved, orders: [usize; 2]| -> Vec<Vec<f64>> {
                let sum = |at: &[f64; 2]| -> Vec<f64> {
                    let products = solved.products.derivative(orders, *at);
                    let of = |shape: &Shape| {
                        shape.weights.iter().zip(&products[shape.first..]).map(|(c, x)| c * x).sum()
                    };
                    solved.products.shapes.iter().map(of).collect()
                };
                all.iter().map(|(at, _)| sum(at)).collect()
            };
            let psi = values(&airy, [0, 0]);
            let [xx, yy, xy] = [[2, 0], [0, 2], [1, 1]].map(|orders| values(&solved, orders));
            let largest =
                forms.iter().flat_map(|form| &form.quadratic).map(|e| e.2.abs()).fold(0.0, f64::max);
            for (l, form) in forms.iter().enumerate() {
                for (i, j) in (0..12).flat_map(|i| (i..12).map(move |j| (i, j))) {
                    let term = |k: usize| {
                        let bend = xx[k][i] * yy[k][j] + xx[k][j] * yy[k][i] - 2.0 * xy[k][i] * xy[k][j];
                        all[k].1 * psi[k][l] * bend
                    };
                    let sum: f64 = (0..all.len()).map(term).sum();
                    let exact = sum / (airy.omega2[l] * 0.25 * SIDES[0] * SIDES[1]).sqrt();
                    let own = entry(form, i, j);
                    assert!((own - exact).abs() < 1e-10 * largest, "{ends:?} {l} {i} {j}: {own} {exact}");
                    assert!(i >= rigid || form.quadratic.iter().all(|entry| entry.0 != i));
                }
            }
        }
    }
}
