//! The weights of a bore's modes: Z of the scheme is Z of the bore.
//!
//!   min Σ |Σ a_n B_n(f) − Z(f)|²/|Z(f)|²,   a_n ≥ 0
//!
//! B_n the response of a mode of unit mass *as the scheme steps it* (`stepped.rs`): with the residues of the bore instead, peaks would fall by
//! sinc²(πfΔt). The modes are those of the bore's poles up to 1.6 times the highest frequency; some wide ones from there to 20 kHz, for the inertance
//! that poles beyond leave; overdamped ones from 3 Hz to 6 kHz, for the √s of the boundary layers. f are many frequencies in equal ratios, and
//! more around each pole. Modes whose weight is 0 are dropped. Where this leaves a peak off by more than a cent, near the cutoff of
//! a bell, poles that overlap are moved (`refine.rs`).

use super::{
    peaks::{Peak, decibels, peaks},
    poles::poles,
    radiated::{self, Sound},
    refine::refine,
    stepped::Stepped,
    target::{Target, Term},
    transmission::Line,
};
use crate::modal::Mode;
use hamiltone_core::parameter::Complaint;
use hamiltone_numerics::{
    complex::Complex,
    math::{exp, log},
};
use std::f64::consts::{PI, TAU};

/// The lowest frequency of a fit, Hz, unless half of the first pole is lower.
const LOWEST: f64 = 20.0;
/// The poles' highest frequency over that of the fit.
const BEYOND: f64 = 1.6;
/// The most poles: more than any instrument has, and few enough for seconds.
const MOST: f64 = 512.0;
/// The highest frequency of a fit over Nyquist's.
const OF_NYQUIST: f64 = 0.5;
/// Frequencies in equal ratios, and the most around all poles.
const GRID: usize = 1200;
const AROUND: usize = 4000;
/// Frequencies above those of the fit at which the sound outside is watched, and the highest, Hz.
const WATCHED: usize = 200;
const AUDIBLE: f64 = 20e3;
/// Cents of the worst peak above which poles are moved, the σ of those over the mean distance of all, and every how many-th frequency is looked at.
const WRONG: f64 = 1.0;
const OVERLAP: f64 = 0.1;
const EVERY: usize = 8;
/// w of all frequencies above NEAR × that of the lowest pole that moves: the peak below it counts as well. With these two the peaks of the trumpet are within 2.5 cents and
/// 0.4 dB.
const EMPHASIS: f64 = 4.5;
const NEAR: f64 = 0.85;
/// So many of the lowest of them get company of so many times their σ, with a part of their weight: near a cutoff the phase
/// of residues turns fastest.
const COMPANY: usize = 8;
const WIDER: f64 = 2.5;
/// The most poles that are moved: a bell has fewer, and all poles of a tube that is as narrow as its boundary layers overlap.
const MOST_MOVED: usize = 32;
/// Weights over the largest: of a mode that joins, and below which one leaves.
const STARTING: f64 = 1e-4;
const NEGLIGIBLE: f64 = 1e-7;

/// The modes of a bore for one time step.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Masses are compliances 1/a_n, m³/Pa.
    pub modes: Vec<Mode>,
    /// α_n (1/s) and β_n of each: the sound at d m is Σ (α_n Φ_n + β_n Φ̇_n)/d, Pa.
    pub radiated: Vec<[f64; 2]>,
    /// The peaks of |Z| up to the highest frequency.
    pub peaks: Vec<Peak>,
    /// The largest error of |Z| over the fitted frequencies, dB.
    pub worst: f64,
}

impl Fit {
    /// Z at f (Hz) as steps of Δt realise it, Pa s/m³: the mean pressure of a step over its mean flow.
    pub fn stepped_impedance(&self, f: f64, dt: f64) -> Complex {
        let of =
            |mode: &Mode| Some(Stepped::new(mode.omega, mode.sigma, dt)?.mobility(f) * (1.0 / mode.mass));
        self.modes.iter().filter_map(of).sum()
    }
}

/// `count` numbers in equal ratios from a to b.
fn ratios(a: f64, b: f64, count: usize) -> impl Iterator<Item = f64> {
    let way = log(b / a);
    (0..count).map(move |k| a * exp(way * (k as f64 / (count - 1).max(1) as f64)))
}

/// The modes that there may be.
fn candidates(poles: &[Complex], highest: f64) -> Vec<Term> {
    let top = TAU * BEYOND * highest;
    let quick = TAU * 15e3;
    let of_poles = poles.iter().map(|s| [s.abs(), -s.re]);
    let wide = ratios(top, top.max(TAU * AUDIBLE), 6).map(|omega| [omega, 0.1 * omega]);
    let slow = ratios(TAU * 3.0, TAU * 6e3, 8).map(|p| [(p * quick).sqrt(), 0.5 * (p + quick)]);
    let all = of_poles.chain(wide).chain(slow);
    all.map(|[omega, sigma]| Term { omega, sigma, weight: 0.0, home: None }).collect()
}

/// The frequencies at which Z is compared, ascending.
fn frequencies(poles: &[Complex], lowest: f64, highest: f64) -> Vec<f64> {
    let each = (AROUND / poles.len().max(1)).clamp(7, 25);
    let around = poles.iter().flat_map(|s| {
        let part = move |k: usize| 2.0 * k as f64 / (each - 1) as f64 - 1.0;
        (0..each).map(move |k| (s.im - 3.0 * s.re * part(k)) / TAU)
    });
    let all = ratios(lowest, highest, GRID).chain(around);
    let mut all: Vec<f64> = all.filter(|f| (lowest..=highest).contains(f)).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The terms whose poles overlap, moved.
fn moved(target: &Target, mut terms: Vec<Term>, poles: usize, highest: f64, distance: f64) -> Vec<Term> {
    let overlaps = |term: &Term| term.sigma > OVERLAP * distance && term.omega < TAU * highest;
    if terms[..poles].iter().filter(|term| overlaps(term)).count() > MOST_MOVED {
        return terms;
    }
    let heaviest = terms.iter().map(|term| term.weight).fold(0.0, f64::max);
    for term in terms[..poles].iter_mut().filter(|term| overlaps(term)) {
        term.home = Some([term.omega, term.sigma]);
        // Of a weight of 0 there is no logarithm.
        term.weight = term.weight.max(STARTING * heaviest);
    }
    terms.retain(|term| term.weight > 0.0);
    let wider = |term: &Term| {
        let sigma = WIDER * term.sigma;
        Some(Term { sigma, weight: 0.1 * term.weight, home: Some([term.home?[0], sigma]), ..*term })
    };
    let company: Vec<Term> = terms.iter().filter_map(wider).take(COMPANY).collect();
    let Some(first) = company.first().map(|term| term.omega) else { return terms };
    terms.extend(company);
    let emphasis = |f: f64| if TAU * f > NEAR * first { EMPHASIS } else { 1.0 };
    let some = |values: &[f64]| values.iter().copied().step_by(EVERY).collect::<Vec<f64>>();
    let f = some(&target.f);
    let weights = some(&target.weights).iter().zip(&f).map(|(w, f)| w * emphasis(*f)).collect();
    let z = target.z.iter().copied().step_by(EVERY).collect();
    let mut terms = refine(&Target { f, z, weights, dt: target.dt }, terms);
    let heaviest = terms.iter().map(|term| term.weight).fold(0.0, f64::max);
    terms.retain(|term| term.weight > NEGLIGIBLE * heaviest);
    terms
}

/// A fit without its sound, and its modes as they are stepped.
fn measured(line: &Line, target: &Target, terms: &[Term]) -> (Fit, Vec<(Stepped, f64)>) {
    let used = terms.iter().filter(|term| term.weight > 0.0);
    let stepped = |term: &&Term| Some((**term, Stepped::new(term.omega, term.sigma, target.dt)?));
    let used: Vec<(Term, Stepped)> = used.filter_map(|term| stepped(&term)).collect();
    let modes = used.iter().map(|(t, _)| Mode { mass: 1.0 / t.weight, omega: t.omega, sigma: t.sigma });
    let fitted = |f: f64| used.iter().map(|(t, mode)| mode.mobility(f) * t.weight).sum::<Complex>().abs();
    let exact = |f: f64| line.impedance(Complex::new(0.0, TAU * f)).abs();
    let size: Vec<f64> = target.z.iter().map(|z| z.abs()).collect();
    let own: Vec<f64> = target.f.iter().map(|f| fitted(*f)).collect();
    let worst = own.iter().zip(&size).map(|(own, size)| decibels(*own, *size).abs()).fold(0.0, f64::max);
    let peaks = peaks(&target.f, [&size, &own], exact, fitted);
    let fit = Fit { modes: modes.collect(), radiated: Vec::new(), peaks, worst };
    (fit, used.into_iter().map(|(term, mode)| (mode, term.weight)).collect())
}

/// The largest error of a peak, cents.
fn off(fit: &Fit) -> f64 {
    fit.peaks.iter().map(|peak| peak.cents.abs()).fold(0.0, f64::max)
}

/// The fit of a bore of this length, m.
pub(super) fn fit(line: &Line, length: f64, dt: f64, highest: f64) -> Result<Fit, Complaint> {
    let limits = Limits::new(line, length, dt, highest)?;
    let poles = poles(line, length, BEYOND * highest);
    let lowest = poles.first().map_or(LOWEST, |s| LOWEST.min(0.5 * s.im / TAU));
    let f = frequencies(&poles, lowest, highest);
    let z: Vec<Complex> = f.iter().map(|f| line.impedance(Complex::new(0.0, TAU * f))).collect();
    let weights = z.iter().map(|z| 1.0 / z.abs()).collect();
    let target = Target { f, z, weights, dt };
    let mut terms = candidates(&poles, highest);
    target.weigh(&mut terms);
    let mut best = measured(line, &target, &terms);
    if off(&best.0) > WRONG {
        let terms = moved(&target, terms, poles.len(), highest, limits.distance);
        let other = measured(line, &target, &terms);
        if off(&other.0) < off(&best.0) {
            best = other;
        }
    }
    let (mut fit, used) = best;
    if !fit.worst.is_finite() || fit.modes.is_empty() {
        let message = format!("has no modes up to {highest} Hz that give its impedance");
        return Err(Complaint::new("profile", message).help("write a longer or wider bore"));
    }
    let above: Vec<f64> = ratios(highest, limits.watched.max(highest), WATCHED).skip(1).collect();
    fit.radiated = radiated::rows(&Sound::new(line, &target.f, &above), &used);
    Ok(fit)
}

/// What a fit may ask for.
struct Limits {
    /// πc/L, the mean distance of the poles, rad/s.
    distance: f64,
    /// Up to where the sound outside is watched, Hz.
    watched: f64,
}

impl Limits {
    fn new(line: &Line, length: f64, dt: f64, highest: f64) -> Result<Self, Complaint> {
        let distance = PI * line.air.speed / length;
        let by_count = MOST * distance / (TAU * BEYOND);
        let by_step = OF_NYQUIST * 0.5 / dt;
        let most = by_step.min(by_count).floor();
        if !(dt > 0.0 && dt.is_finite() && most > 2.0 * LOWEST) {
            let message = format!("is {dt} s, which is no step for a bore");
            return Err(Complaint::new("dt", message).help("write a positive time of at most 0.001 s"));
        }
        if !(2.0 * LOWEST..=most).contains(&highest) {
            let message = format!("is {highest} Hz, for a bore of {length} m and steps of {dt} s");
            let help = format!("write a frequency from {} to {most} Hz", 2.0 * LOWEST);
            return Err(Complaint::new("highest", message).help(help));
        }
        Ok(Self { distance, watched: (0.9 * 0.5 / dt).min(AUDIBLE) })
    }
}
