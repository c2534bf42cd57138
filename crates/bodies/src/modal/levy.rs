//! The shapes of a rectangle of which the two sides along x are simply supported (Lévy 1899; Leissa 1973, J. Sound Vib. 31, 257).
//!
//!   φ(x, y) = X(x) sin αy,   α = nπ/b,   X⁗ − 2α²X″ + (α⁴ − k⁴)X = 0,   ω = k²√(D/ρh)
//!
//! k (1/m) is the wave number of the mode; the sides x = 0 and x = a are hinged, clamped, sliding or free (`strip.rs`). Sines in y meet
//! the conditions of simply supported sides exactly and separate x from y. No such product exists where a side along x is held
//! otherwise: between four free or four clamped sides shapes have no closed form (`ritz.rs`).
//!
//! Where both sides are alike, shapes are even or odd, those of half the width with the middle sliding or hinged: so no two
//! roots lie close together.

mod across;
mod bracket;
mod strip;

pub(crate) use across::Across;

use self::{bracket::Bracket, strip::Strip};
use super::{shapes::Shapes, sines::sincos_pi};
use crate::ends::End;
use hamiltone_core::geometry::Position;
use std::f64::consts::PI;

/// The `count` shapes of the lowest k, of sides a and b (m), what holds at x = 0 and x = a, and ν.
///
/// k rises with n and with the number m of half waves across: below (m, n) lie mn − 1 others at least. Of a strip `count`/n roots
/// are sought, count·ln count in all, whatever the sides are, and only those are solved that their brackets do not exclude.
pub(crate) fn lowest([a, b]: [f64; 2], ends: [End; 2], poisson: f64, count: usize) -> Vec<Across> {
    let mut found: Vec<(Bracket, Option<f64>)> = Vec::new();
    let mut highest = f64::INFINITY;
    for n in 1..=count {
        let strip = |width, ends| Strip { width, ends, number: n, alpha: n as f64 * PI / b, poisson };
        let before = found.len();
        let mut seek = |strip, mirror| {
            Bracket::all(strip, highest, count / n, |bracket| found.push((bracket, mirror)));
        };
        if ends[0] == ends[1] {
            seek(strip(0.5 * a, [ends[0], End::Sliding]), Some(1.0));
            seek(strip(0.5 * a, [ends[0], End::Hinged]), Some(-1.0));
        } else {
            seek(strip(a, ends), None);
        }
        if found.len() == before {
            break;
        }
        if found.len() >= count {
            found.sort_by(|(p, _), (q, _)| p.k2()[1].total_cmp(&q.k2()[1]));
            highest = found[count - 1].0.k2()[1];
            found.retain(|(bracket, _)| bracket.k2()[0] <= highest);
        }
    }
    let solved = |(bracket, mirror): (Bracket, _)| Across::new(bracket.strip, mirror, bracket.root());
    let mut all: Vec<Across> = found.into_iter().map(solved).collect();
    all.sort_by(|p, q| p.k2().total_cmp(&q.k2()).then(p.number().cmp(&q.number())));
    all.truncate(count);
    all
}

/// Shapes over a rectangle.
pub(crate) struct Levy {
    /// b, m.
    pub side: f64,
    /// X of each shape.
    pub across: Vec<Across>,
    /// Half of the shortest wavelength, m.
    pub half_wavelength: f64,
}

impl Shapes for Levy {
    fn fill(&self, [x, y]: Position, values: &mut [f64]) {
        // Each sine once: there are far fewer than shapes.
        let most = self.across.iter().map(Across::number).max().unwrap_or(0);
        let sines: Vec<f64> = (0..=most).map(|n| sincos_pi(n, y / self.side).0).collect();
        for (value, across) in values.iter_mut().zip(&self.across) {
            *value = across.at(x)[0] * sines[across.number()];
        }
    }

    fn half_wavelength(&self) -> f64 {
        self.half_wavelength
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::quadrature;
    use End::{Clamped, Free, Hinged, Sliding};
    use hamiltone_numerics::math::square;

    fn all_pairs() -> impl Iterator<Item = [End; 2]> {
        let all = [Hinged, Clamped, Free, Sliding];
        all.into_iter().flat_map(move |left| all.map(|right| [left, right]))
    }

    /// k²a² of a square with ν = 0.3 as printed by Leissa 1973, tables for the six cases with two opposite sides simply supported:
    /// half a unit of the last digit.
    #[test]
    fn frequencies_are_those_of_the_tables() {
        for (ends, printed) in [
            ([Hinged, Hinged], [19.7392, 49.3480, 49.3480, 78.9568, 98.6960, 98.6960]),
            ([Clamped, Clamped], [28.9509, 54.7431, 69.3270, 94.5853, 102.2162, 129.0955]),
            ([Clamped, Hinged], [23.6463, 51.6743, 58.6464, 86.1345, 100.2698, 113.2281]),
            ([Clamped, Free], [12.6874, 33.0651, 41.7019, 63.0148, 72.3976, 90.6114]),
            ([Hinged, Free], [11.6845, 27.7563, 41.1967, 59.0655, 61.8606, 90.2941]),
            ([Free, Free], [9.6314, 16.1348, 36.7256, 38.9450, 46.7381, 70.7401]),
        ] {
            for ends in [ends, [ends[1], ends[0]]] {
                let found = lowest([1.0; 2], ends, 0.3, 6);
                for (across, printed) in found.iter().zip(printed) {
                    assert!((across.k2() - printed).abs() < 5.1e-5, "{ends:?}: {} {printed}", across.k2());
                }
            }
        }
    }

    /// Shapes of one n are orthogonal, for every pair of sides and a wide and a narrow plate; what holds at a side is 0 to some
    /// thousand roundings, as many as the halvings of a root may leave.
    #[test]
    fn shapes_are_orthogonal_and_keep_their_sides() {
        for (ends, sides) in all_pairs().flat_map(|ends| [[1.0, 0.3], [0.3, 1.0]].map(|sides| (ends, sides)))
        {
            let found = lowest(sides, ends, 0.3, 60);
            assert!(found.windows(2).all(|two| two[0].k2() <= two[1].k2()));
            let panels = quadrature::panels(sides[0], &[], 0.01);
            for (i, a) in found.iter().enumerate() {
                for b in found[..i].iter().filter(|b| b.number() == a.number()) {
                    let product = |x: f64| a.at(x)[0] * b.at(x)[0];
                    let sum: f64 = panels.iter().flatten().map(|(x, w)| w * product(*x)).sum();
                    assert!(sum.abs() < 1e-12 * sides[0], "{ends:?} {sides:?} {sum:e} {a:?} {b:?}");
                }
                for (end, x) in ends.into_iter().zip([0.0, sides[0]]) {
                    let [value, slope] = a.at(x);
                    let moves = matches!(end, Free | Sliding) || value.abs() < 1e-12;
                    assert!(moves, "{ends:?} {a:?}: {value}");
                    let turns = matches!(end, Hinged | Free) || slope.abs() < 1e-12 * a.k2().sqrt();
                    assert!(turns, "{ends:?} {a:?}: {slope}");
                }
            }
        }
    }

    /// None is left out and none is invented: those of simply supported sides are products of sines, of a wide plate and of one
    /// so narrow that power series take the place of exponentials.
    #[test]
    fn hinged_sides_give_products_of_sines() {
        for [a, b] in [[0.7, 0.4], [0.02, 1.0]] {
            let found = lowest([a, b], [Hinged; 2], 0.3, 500);
            let wave2 = |m: i32, n: i32| square(f64::from(m) * PI / a) + square(f64::from(n) * PI / b);
            let mut exact: Vec<f64> =
                (1..200).flat_map(|m| (1..501).map(move |n| (m, n))).map(|(m, n)| wave2(m, n)).collect();
            exact.sort_by(f64::total_cmp);
            assert_eq!(found.len(), 500);
            for (across, exact) in found.iter().zip(exact) {
                assert!((across.k2() / exact - 1.0).abs() < 1e-12, "{} {exact}", across.k2());
            }
        }
    }

    /// What the order of m and n promises: against all strips whose slowest motion could be slow enough.
    #[test]
    fn none_is_left_out() {
        let plates = [([1.0, 1.0], 0.3), ([0.1, 1.0], 0.5), ([1.0, 0.1], 0.5), ([1.0, 0.3], 0.0)];
        for (ends, (sides, poisson)) in all_pairs().flat_map(|ends| plates.map(|plate| (ends, plate))) {
            let found = lowest(sides, ends, poisson, 40);
            let highest = found[39].k2();
            let below = |k2: &f64| *k2 < highest * (1.0 - 1e-9);
            let mut count = 0;
            for number in 1..200 {
                let alpha = number as f64 * PI / sides[1];
                let strip = |width, ends| Strip { width, ends, number, alpha, poisson };
                // Even and odd motions of two free sides are too alike to be told apart by one determinant.
                let strips = match ends {
                    [left, right] if left == right => {
                        [Sliding, Hinged].map(|middle| strip(0.5 * sides[0], [left, middle])).to_vec()
                    }
                    ends => vec![strip(sides[0], ends)],
                };
                for strip in strips {
                    let root = |bracket: Bracket| bracket.root() + alpha * alpha;
                    Bracket::all(strip, 1.03 * highest, 100, |bracket| {
                        count += usize::from(below(&root(bracket)));
                    });
                }
            }
            let expected = found.iter().filter(|across| below(&across.k2())).count();
            assert_eq!(expected, count, "{ends:?} {sides:?} {poisson}");
        }
    }

    /// A ribbon and a wire's width, a hundred thousand to one: as many evaluations as modes ask for, and modes of a beam. Of a narrow
    /// strip between free sides k² = α²√(1 − ν²), the beam of E; between sliding ones α², of a plate that cannot curl.
    #[test]
    fn extreme_sides_take_bounded_work() {
        let all = [[100.0, 1e-3], [1e-3, 100.0], [1.0, 1.0]];
        for (ends, sides) in all_pairs().flat_map(|ends| all.map(|sides| (ends, sides))) {
            strip::tests::DETERMINANTS.set(0);
            let found = lowest(sides, ends, 0.3, 300);
            assert_eq!(found.len(), 300, "{ends:?} {sides:?}");
            // Of even and odd shapes 300(1 + ln 300) roots, 8 steps and 8 halvings each, and 400 of six steps after Ridders.
            let determinants = strip::tests::DETERMINANTS.get();
            assert!(determinants < 300 * 2 * 7 * 16 + 400 * 12, "{ends:?} {sides:?} {determinants}");
            let slow = match ends {
                [Free, Free] => (1.0 - square(0.3_f64)).sqrt(),
                [Sliding, Sliding] => 1.0,
                _ => continue,
            };
            for across in found.iter().filter(|_| sides[0] < sides[1]) {
                let alpha = across.number() as f64 * PI / sides[1];
                // The next term is (αa)² of it.
                let error = (across.k2() / (slow * square(alpha)) - 1.0).abs();
                assert!(error < 1e-12 + square(alpha * sides[0]), "{ends:?} {across:?} {error:e}");
            }
        }
    }
}
