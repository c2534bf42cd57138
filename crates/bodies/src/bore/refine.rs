//! Poles that overlap, moved so that modes with a_n ≥ 0 fit Z.
//!
//!   min Σ w²|Σ a_n B_n(f; ω_n, σ_n) − Z(f)|²   over ln a_n of all modes, ln ω_n and ln σ_n of some
//!
//! The residues of a bore are real but for a degree or so as long as its poles are much nearer to the axis than to each other. Near and above the
//! cutoff of a bell they are not, by up to 30°, and no a_n ≥ 0 of these poles makes up for it. There the poles themselves move, in a box around
//! where they were: Levenberg 1944, Marquardt 1963, each column scaled by its length. The sharp poles below stay: a sum of squares would
//! move good peaks for the sake of the curve between them. Logarithms keep all three positive: every step of the search is passive.

use super::target::{Target, Term, stacked};
use hamiltone_numerics::{complex::Complex, math::exp, nnls::damped};

/// Steps in all.
const STEPS: usize = 100;
/// The relative difference for derivatives.
const DIFFERENCE: f64 = 1e-5;
/// The largest change of a logarithm in a step.
const LARGEST: f64 = 0.5;
/// The half sides of the box: ln ω and ln σ. A pole that may go anywhere ends as a sharp one where nothing is fitted.
const BOX: [f64; 2] = [0.1, 0.7];
/// The relative fall of the sum of squares that is not worth another step.
const ENOUGH: f64 = 1e-4;
/// λ at the start, its factor, and where no step is short enough.
const START: f64 = 0.1;
const SHORTER: f64 = 3.0;
const MOST: f64 = 1e3;

/// w(Z − Σ a_n B_n), stacked, and its square.
fn rest(target: &Target, terms: &[Term]) -> Option<(Vec<f64>, f64)> {
    let mut rest = target.weighted();
    for term in terms {
        rest.iter_mut().zip(target.response(term)?).for_each(|(rest, part)| *rest = *rest - part);
    }
    Some((stacked(&rest), rest.iter().map(|z| z.square()).sum()))
}

/// Derivatives of Σ w a_n B_n by the logarithms.
fn columns(target: &Target, terms: &[Term]) -> Option<Vec<Vec<f64>>> {
    let mut columns = Vec::new();
    for term in terms {
        columns.push(stacked(&target.response(term)?));
        for by in (0..2).filter(|_| term.home.is_some()) {
            let beside = |h: f64| {
                let factor = exp(h);
                target.response(&match by {
                    0 => Term { omega: term.omega * factor, ..*term },
                    _ => Term { sigma: term.sigma * factor, ..*term },
                })
            };
            let both = beside(DIFFERENCE)?.into_iter().zip(beside(-DIFFERENCE)?);
            columns.push(stacked(
                &both.map(|(more, less)| (more - less) * (0.5 / DIFFERENCE)).collect::<Vec<Complex>>(),
            ));
        }
    }
    Some(columns)
}

/// The terms after a step along the logarithms, in their boxes.
fn moved(terms: &[Term], step: &[f64]) -> Vec<Term> {
    let mut factors = step.iter().map(|x| exp(x.clamp(-LARGEST, LARGEST)));
    let mut next = |x: f64| x * factors.next().unwrap_or(1.0);
    let within = |x: f64, home: f64, side: f64| x.clamp(home * exp(-side), home * exp(side));
    let moved = |term: &Term| {
        let weight = next(term.weight);
        let Some([omega, sigma]) = term.home else { return Term { weight, ..*term } };
        let [omega, sigma] =
            [within(next(term.omega), omega, BOX[0]), within(next(term.sigma), sigma, BOX[1])];
        Term { omega, sigma, weight, ..*term }
    };
    terms.iter().map(moved).collect()
}

/// The terms with the least sum of squares near these.
pub(super) fn refine(target: &Target, mut terms: Vec<Term>) -> Vec<Term> {
    let Some((mut behind, mut square)) = rest(target, &terms) else { return terms };
    let mut lambda = START;
    for _ in 0..STEPS {
        let Some(columns) = columns(target, &terms) else { break };
        let found = loop {
            let next = moved(&terms, &damped(columns.clone(), behind.clone(), lambda));
            match rest(target, &next).filter(|(_, less)| *less < square) {
                Some((rest, less)) => break Some((next, rest, less)),
                None if lambda < MOST => lambda *= SHORTER,
                None => break None,
            }
        };
        let Some((next, rest, less)) = found else { break };
        let enough = square - less < ENOUGH * square;
        (terms, behind, square) = (next, rest, less);
        lambda /= SHORTER;
        if enough {
            break;
        }
    }
    terms
}
