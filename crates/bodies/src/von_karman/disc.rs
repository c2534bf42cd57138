//! The coefficients of a circular plate.
//!
//!   Ψ = Ψ_n = 0 at the edge:   N_n = N_nt = 0, the edge is free in the plane of the plate, whatever holds it across
//!
//! (Touzé, Thomas & Chaigne 2002, of a free edge.) So Ψ are the shapes of a clamped plate, and ζ² = z²/a² with their λ = z. With the
//! curvatures κ_r, κ_θ and τ of `modal/round/radial.rs`, of radius 1, and ‖Ψ‖² = πa²/4:
//!
//!   a²C = ∫S(κ_rᵢκ_θⱼ + κ_θᵢκ_rⱼ)ρ dρ ∮cₗcᵢcⱼ dθ − 2 ∫Sτᵢτⱼρ dρ ∮cₗcᵢ′cⱼ′ dθ,   B = 2√(Eh/π) a²C/(z²a)
//!
//!   w₀ = H(1 − r²/a²):   c = −(2H/a²) ∫∫Ψ∇²Φ dS,   l = −4H√(Eh/π) ∫S(κ_r + κ_θ)ρ dρ ∮cₗcᵢ dθ/(z²a)
//!
//! S is the radial factor of Ψ, c is cos nθ or sin nθ. The integrals around the circle vanish unless nₗ = |nᵢ ± nⱼ| and the number of sines
//! is even; rigid motions have no curvature.

use super::{AiryForm, Stretches};
use crate::{
    ends::End,
    modal::round::{
        radial::{self, Curvatures, Radial},
        roots::Edge,
    },
};
use hamiltone_numerics::{math::square, parallel};
use std::f64::consts::PI;

/// cos nθ, or sin nθ where `odd`.
#[derive(Clone, Copy)]
struct Turn {
    order: usize,
    odd: bool,
}

impl Turn {
    /// Its derivative: a factor, and the other function.
    fn derivative(self) -> (f64, Self) {
        let n = self.order as f64;
        (if self.odd { n } else { -n }, Self { odd: !self.odd, ..self })
    }

    /// ∮ of this function times cos kθ, or sin kθ where `odd`.
    fn with(self, k: i64, odd: bool) -> f64 {
        let apart = self.order as i64 != k.abs() || self.odd != odd;
        match (apart, k) {
            (true, _) => 0.0,
            (false, 0) => {
                if odd {
                    0.0
                } else {
                    2.0 * PI
                }
            }
            (false, k) => {
                if odd && k < 0 {
                    -PI
                } else {
                    PI
                }
            }
        }
    }

    /// ∮cₗcᵢcⱼ dθ, the product of two being a sum of two.
    fn triple(self, i: Self, j: Self) -> f64 {
        let (a, b) = (i.order as i64, j.order as i64);
        let odd = i.odd != j.odd;
        let (sum, difference) = (self.with(a + b, odd), self.with(a - b, odd));
        0.5 * match (i.odd, j.odd) {
            (false, false) => difference + sum,
            (true, true) => difference - sum,
            (true, false) => sum + difference,
            (false, true) => sum - difference,
        }
    }

    /// ∮cₗcᵢ′cⱼ′ dθ.
    fn triple_of_slopes(self, i: Self, j: Self) -> f64 {
        let ((p, i), (q, j)) = (i.derivative(), j.derivative());
        p * q * self.triple(i, j)
    }
}

/// Shapes that share a radial factor: its values at all points, and the numbers of the shapes with their functions of θ.
struct Group<T> {
    radial: Radial,
    values: Vec<T>,
    shapes: Vec<(usize, Turn)>,
}

impl<T: Send> Group<T> {
    /// Those of a list of shapes, the ones with cos nθ and sin nθ side by side.
    fn all(shapes: &[(Radial, bool)], value: impl Fn(&Radial) -> Vec<T> + Sync) -> Vec<Self> {
        let numbered: Vec<(usize, &(Radial, bool))> = shapes.iter().enumerate().collect();
        let groups: Vec<_> = numbered.chunk_by(|one, other| one.1.0 == other.1.0).collect();
        parallel::map(groups, |group| {
            let radial = group[0].1.0;
            let turn = |odd: bool| Turn { order: radial.order, odd };
            let shapes = group.iter().map(|(k, (_, odd))| (*k, turn(*odd))).collect();
            Self { radial, values: value(&radial), shapes }
        })
    }
}

/// One form for each Ψ of a plate of the radius a (m) with these shapes.
pub(crate) fn forms(radius: f64, shapes: &[(Radial, bool)], stretches: Stretches) -> Vec<AiryForm> {
    let clamped = Edge { end: End::Clamped, poisson: 0.0, loose: true };
    let airy = clamped.lowest(stretches.airy_modes);
    let highest = |all: &[(Radial, bool)]| all.last().map_or(0.0, |shape| shape.0.lambda);
    // The three factors of the integrals.
    let points: Vec<(f64, f64)> = radial::points(highest(shapes) + 0.5 * highest(&airy)).collect();
    let bent = Group::all(shapes, |radial| points.iter().map(|(rho, _)| radial.curvatures(*rho)).collect());
    let bent: Vec<Group<Curvatures>> = bent.into_iter().filter(|group| group.radial.lambda > 0.0).collect();
    let airy = Group::all(&airy, |radial| points.iter().map(|(rho, w)| w * rho * radial.at(*rho)).collect());
    let scale = 2.0 * (stretches.stiffness / PI).sqrt() / radius;
    let of_group = |airy: &Group<f64>| {
        let scale = scale / square(airy.radial.lambda);
        let mut forms = vec![AiryForm::default(); airy.shapes.len()];
        for (k, one) in bent.iter().enumerate() {
            for other in &bent[k..] {
                let (a, b) = (one.radial.order, other.radial.order);
                if airy.radial.order == a + b || airy.radial.order == a.abs_diff(b) {
                    let integrals = integrals(airy, one, other);
                    add(&mut forms, [one, other], airy, integrals.map(|integral| scale * integral));
                }
            }
        }
        if stretches.rise > 0.0 {
            let scale = -2.0 * stretches.rise * scale;
            bent.iter().for_each(|group| add_linear(&mut forms, group, airy, scale));
        }
        forms
    };
    parallel::map(airy.iter().collect(), of_group).into_iter().flatten().collect()
}

/// ∫S(κ_rᵢκ_θⱼ + κ_θᵢκ_rⱼ)ρ dρ and −2∫Sτᵢτⱼρ dρ.
fn integrals(airy: &Group<f64>, one: &Group<Curvatures>, other: &Group<Curvatures>) -> [f64; 2] {
    let points = airy.values.iter().zip(one.values.iter().zip(&other.values));
    let sums = points.fold([0.0; 2], |[bends, twists], (s, (i, j))| {
        let bend = i.radial * j.circular + i.circular * j.radial;
        [bends + s * bend, twists + s * (i.twist * j.twist)]
    });
    [sums[0], -2.0 * sums[1]]
}

/// Adds l of all shapes of a radial factor.
fn add_linear(forms: &mut [AiryForm], bent: &Group<Curvatures>, airy: &Group<f64>, scale: f64) {
    let points = airy.values.iter().zip(&bent.values);
    let integral: f64 = points.map(|(s, i)| s * (i.radial + i.circular)).sum();
    for (form, (_, l)) in forms.iter_mut().zip(&airy.shapes) {
        for (p, i) in &bent.shapes {
            let around = l.with(i.order as i64, i.odd);
            if around != 0.0 {
                form.linear.push((*p, scale * integral * around));
            }
        }
    }
}

/// Adds the entries of all shapes of two radial factors to the forms of a third.
fn add(
    forms: &mut [AiryForm],
    [one, other]: [&Group<Curvatures>; 2],
    airy: &Group<f64>,
    [bend, twist]: [f64; 2],
) {
    for (form, (_, l)) in forms.iter_mut().zip(&airy.shapes) {
        for (p, i) in &one.shapes {
            // Of one group each pair is met twice.
            for (q, j) in other.shapes.iter().filter(|(q, _)| p <= q) {
                let around = [l.triple(*i, *j), l.triple_of_slopes(*i, *j)];
                if around != [0.0; 2] {
                    form.quadratic.push((*p, *q, bend * around[0] + twist * around[1]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::{Shapes, quadrature, round::Round};
    use std::f64::consts::TAU;

    /// The entry of B of two modes.
    fn entry(form: &AiryForm, i: usize, j: usize) -> Option<f64> {
        form.quadratic.iter().find(|(p, q, _)| (*p, *q) == (i, j)).map(|entry| entry.2)
    }

    /// Γ of the mode (0, 1) of a free plate by more and more of the Ψ that it excites, those with n = 0:
    /// q̈ + ω²q + 12(1 − ν²)Γq³ = 0 with w = hΣqΦ(r/a), ∫∫Φ² = 1 over a disc of radius 1 and t in a²√(ρh/D). Of this crate's q and
    /// ∫∫φ² = π/4, Γ = 8Σb²a²/(π²Eh).
    fn gamma(poisson: f64) -> Vec<f64> {
        const RADIUS: f64 = 0.7;
        const STIFFNESS: f64 = 3e7;
        let shapes = Edge { end: End::Free, poisson, loose: true }.lowest(20);
        let k = shapes.iter().position(|(radial, _)| radial.order == 0 && radial.lambda > 0.0).unwrap();
        let forms = forms(RADIUS, &shapes, Stretches::new(STIFFNESS, 100).unwrap());
        let mut sum = 0.0;
        let add = |b: f64| {
            sum += 8.0 * square(b * RADIUS / PI) / STIFFNESS;
            sum
        };
        forms.iter().filter_map(|form| entry(form, k, k)).map(add).collect()
    }

    /// As another program has it by the same sums, and by quadrature of the exact stress function; Touzé, Thomas & Chaigne 2002 give 8.575 for
    /// ν = 0.38.
    #[test]
    fn the_cubic_coefficient_of_a_free_plate_is_as_published() {
        for (own, exact) in gamma(0.38).iter().zip([8.5100, 8.5735, 8.5745, 8.5746]) {
            assert!((own - exact).abs() < 1e-4, "{own} {exact}");
        }
        for (poisson, exact) in [(0.38, 8.5747), (0.3, 8.5012), (0.33, 8.5288)] {
            let sums = gamma(poisson);
            println!("nu {poisson}: {sums:?}");
            assert!((sums[3] - exact).abs() < 3e-4, "{poisson}: {sums:?}");
        }
    }

    /// Against ∫∫ΨL(Φᵢ, Φⱼ) over the disc with Cartesian derivatives by differences: shapes of all kinds, and 0 where there is no entry.
    #[test]
    fn coefficients_are_integrals_over_the_disc() {
        const STEP: f64 = 2e-3;
        const TURNS: usize = 48;
        let shapes = Edge { end: End::Free, poisson: 0.3, loose: true }.lowest(14);
        let airy = Edge { end: End::Clamped, poisson: 0.0, loose: true }.lowest(9);
        let forms = forms(1.0, &shapes, Stretches::new(1.0, 9).unwrap());
        let all = Round { radius: 1.0, shapes: [airy.clone(), shapes.clone()].concat() };
        let (n, count) = (shapes.len(), all.shapes.len());
        let mut sums = vec![0.0; airy.len() * n * n];
        for (rho, w) in quadrature::panels(1.0, &[], 0.5).into_iter().flatten() {
            for (s, c) in (0..TURNS).map(|k| (TAU * k as f64 / TURNS as f64).sin_cos()) {
                let at = |dx: f64, dy: f64| {
                    let ((x, y), mut values) = ((rho * c + dx, rho * s + dy), vec![0.0; count]);
                    all.fill([x.hypot(y), y.atan2(x) / TAU], &mut values);
                    values
                };
                // Of fourth order: along x, along y, and along both diagonals for 4f_xy.
                let second = |dx: f64, dy: f64| -> Vec<f64> {
                    let [a, b, m, d, e] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|n| at(n * dx, n * dy));
                    let sum = |i: usize| 16.0 * (b[i] + d[i]) - a[i] - e[i] - 30.0 * m[i];
                    (0..count).map(|i| sum(i) / (12.0 * STEP * STEP)).collect()
                };
                let [xx, yy] = [second(STEP, 0.0), second(0.0, STEP)];
                let [up, down] = [second(STEP, STEP), second(STEP, -STEP)];
                let (psi, xy) = (at(0.0, 0.0), |i: usize| 0.25 * (up[i] - down[i]));
                let weight = w * rho * TAU / TURNS as f64;
                for (k, sum) in sums.iter_mut().enumerate() {
                    let (l, i, j) = (k / n / n, airy.len() + k / n % n, airy.len() + k % n);
                    *sum += weight * psi[l] * (xx[i] * yy[j] + yy[i] * xx[j] - 2.0 * xy(i) * xy(j));
                }
            }
        }
        let mut found = 0;
        for (k, sum) in sums.iter().enumerate() {
            let (l, i, j) = (k / n / n, k / n % n, k % n);
            let own = entry(&forms[l], i.min(j), i.max(j));
            found += usize::from(own.is_some());
            let exact = 2.0 / PI.sqrt() * sum / square(airy[l].0.lambda);
            assert!((own.unwrap_or(0.0) - exact).abs() < 1e-5, "{l} {i} {j}: {own:?} {exact}");
        }
        assert!(found > 100, "{found}");
    }

    /// A cap of radius of curvature R = a²/2H: of all Ψ, Σlᵢlⱼ = (Eh/R²)(∫∫ΦᵢΦⱼ − ∫∫Φᵢh ∫∫Φⱼh/∫∫h²), h = rⁿ cos nθ, for ∇²Ψ are all functions but the
    /// harmonic ones. Shapes of a free plate with n = 0 or 1 have no harmonic part: their ω² are higher by E/ρR², as of a whole sphere.
    #[test]
    fn a_cap_is_stiffened_by_its_curvature() {
        let (radius, stiffness, rise) = (0.3, 1e8, 0.02);
        let shapes = Edge { end: End::Free, poisson: 0.3, loose: true }.lowest(30);
        let stretches = Stretches { rise, ..Stretches::new(stiffness, 200).unwrap() };
        let forms = forms(radius, &shapes, stretches);
        let curved = stiffness * square(2.0 * rise / square(radius)) * 0.25 * PI * square(radius);
        let weight = |form: &AiryForm, i: usize| {
            form.linear.iter().find(|(k, _)| *k == i).map_or(0.0, |entry| entry.1)
        };
        let mut seen = 0;
        for i in 3..shapes.len() {
            for j in i..shapes.len() {
                let own: f64 = forms.iter().map(|form| weight(form, i) * weight(form, j)).sum();
                let ((one, odd), (other, odd_too)) = (shapes[i], shapes[j]);
                let exact = if (one.order, odd) == (other.order, odd_too) {
                    let n = one.order as f64;
                    let harmonic = |radial: &Radial| {
                        let points = radial::points(radial.lambda.max(n));
                        points.map(|(rho, w)| w * rho * radial.at(rho) * rho.powf(n)).sum::<f64>()
                    };
                    // Of n = 0 both integrals around the circle are twice as large, and the part is 0.
                    let part = harmonic(&one) * harmonic(&other) * 2.0 * (n + 1.0) * PI / (0.25 * PI);
                    assert!(n > 1.0 || part.abs() < 1e-12, "{one:?} {part:e}");
                    f64::from(i == j) - part
                } else {
                    0.0
                };
                seen += usize::from(exact.abs() > 0.1);
                // Ψ above the 200th leave out 3e-4.
                assert!((own / curved - exact).abs() < 5e-4, "{one:?} {other:?}: {} {exact}", own / curved);
            }
        }
        // Of shapes without nodal circles the largest part is harmonic: they hardly stretch.
        assert!(seen > 14, "{seen}");
    }

    /// ∫∫ΨL(Φᵢ, Φⱼ) of three functions of a clamped plate is symmetric in all three.
    #[test]
    fn coefficients_of_a_clamped_plate_are_symmetric_in_all_three() {
        const COUNT: usize = 40;
        let shapes = Edge { end: End::Clamped, poisson: 0.3, loose: true }.lowest(COUNT);
        let forms = forms(0.3, &shapes, Stretches::new(1e7, COUNT).unwrap());
        let mut all = vec![0.0; COUNT * COUNT * COUNT];
        for (l, form) in forms.iter().enumerate() {
            for (i, j, b) in &form.quadratic {
                for (i, j) in [(i, j), (j, i)] {
                    all[(l * COUNT + i) * COUNT + j] = b * square(shapes[l].0.lambda);
                }
            }
        }
        let largest = all.iter().fold(0.0_f64, |most, c| most.max(c.abs()));
        for (k, c) in all.iter().enumerate() {
            let (l, i, j) = (k / COUNT / COUNT, k / COUNT % COUNT, k % COUNT);
            let apart = c - all[(i * COUNT + l) * COUNT + j];
            assert!(apart.abs() < 1e-13 * largest, "{l} {i} {j}: {apart:e} of {largest:e}");
        }
    }
}
