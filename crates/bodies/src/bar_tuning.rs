//! The cut of a bar whose partials stand in given ratios.
//!
//!   ln(f₂/f₁) = ln r₂,   ln(f₃/f₁) = ln r₃,   ln f₁ = ln f   (where a frequency is asked for)
//!
//! in ln c, ln q and the logarithm of the length or thickness that is left out (`undercut.rs`, `bar_size.rs`); of one ratio q = 3.
//! The search begins on a coarse grid, one equation within another, which tells what can be reached: for each q the depth c that
//! gives r₂, then q by r₃, both monotone. From there Newton's method takes all equations together, on the grid that will sound.

use crate::{
    built::Built,
    pitched::{Builder, FINEST_BENT, Found, Request, Unknown, settle, without_request},
    profile::Along,
    undercut::Undercut,
};
use hamiltone_core::{
    body::{Body, Solved},
    parameter::{Complaint, Values},
};
use hamiltone_numerics::{
    difference_newton,
    math::{exp, log},
    secant::{self, Root, Search},
};

/// q of a bar of one ratio: a cubic arch.
const CUBIC: f64 = 3.0;
/// The shapes that are tried.
const EXPONENTS: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 6.0, 10.0];
/// The least thickness that is left in the middle.
const THINNEST: f64 = 0.02;
/// Intervals of the grid on which the search begins.
const COARSE: usize = 48;
/// How well logarithms are met there,
const ROUGH: f64 = 1e-4;
/// and in the end: 10⁻⁸ cents.
const TOLERANCE: f64 = 1e-11;

/// What is found.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cut {
    /// The length or thickness that is left out, m.
    size: Option<f64>,
    undercut: Undercut,
}

/// A bar with a cut, as its type builds it.
struct Tuning<'a, B> {
    values: Values,
    ratios: &'a [f64],
    wanted: Option<(Request, Unknown)>,
    build: B,
}

/// The bar of these ratios and, where one is asked for, of this frequency.
///
/// # Errors
/// A [`Complaint`] where no cut gives the ratios, with those that can be reached, or where the body refuses its values.
pub(crate) fn solve(
    values: &Values,
    ratios: &[f64],
    wanted: Option<(Request, Unknown)>,
    build: impl Fn(&Values, Option<Along>) -> Result<Built, Complaint>,
) -> Result<Box<dyn Body>, Complaint> {
    let tuning = Tuning { values: without_request(values), ratios, wanted, build };
    let size = wanted.map(|(_, unknown)| unknown.start);
    let start = Cut { size, undercut: tuning.start(size, values.required("undercut")?)? };
    let grid = |cut: &Cut| tuning.builder(cut).grid(&tuning.sized(cut.size));
    let (cut, grid) = settle(start, grid, |cut, grid| tuning.newton(cut, grid))?;
    let body = tuning.builder(&cut).on_grid(tuning.sized(cut.size), grid)?;
    let Cut { size, undercut: Undercut { centre, exponent, .. } } = cut;
    let found = wanted.zip(size).map(|((_, unknown), value)| Solved {
        name: unknown.name,
        value,
        unit: unknown.unit,
    });
    let thickness = tuning.sized(size).required("thickness")?;
    let middle = Solved { name: "thickness in the middle", value: centre * thickness, unit: "m" };
    let shape = Solved { name: "exponent of the undercut", value: exponent, unit: "" };
    Ok(Box::new(Found { body, solved: found.into_iter().chain([middle, shape]).collect() }))
}

impl<B: Fn(&Values, Option<Along>) -> Result<Built, Complaint>> Tuning<'_, B> {
    /// The values with the size that was left out.
    fn sized(&self, size: Option<f64>) -> Values {
        match self.wanted.zip(size) {
            Some(((_, unknown), size)) => self.values.clone().with(unknown.name, size),
            None => self.values.clone(),
        }
    }

    /// Builds the bar with this cut.
    fn builder(&self, cut: &Cut) -> Builder<impl Fn(&Values) -> Result<Built, Complaint>> {
        let undercut = cut.undercut;
        let build =
            move |values: &Values| (self.build)(values, Some(undercut.along(values.required("length")?)));
        Builder { build, finest: FINEST_BENT }
    }

    /// The logarithms of f₁ and of the ratios to it.
    fn partials(&self, cut: &Cut, grid: Option<usize>) -> Result<Vec<f64>, Complaint> {
        let count = 1 + self.ratios.len();
        let all = self.builder(cut).partials(&self.sized(cut.size), grid, count)?;
        match all.first() {
            Some(first) if *first > 0.0 && all.len() == count => {
                let over = |(k, f): (usize, &f64)| log(if k == 0 { *f } else { f / first });
                Ok(all.iter().enumerate().map(over).collect())
            }
            _ => Err(Complaint::new("tuning", "needs partials that vibrate: the losses are too large")
                .help("give less `loss`, or leave `tuning` out")),
        }
    }

    /// The cut on the grid of so many intervals.
    fn newton(&self, start: &Cut, grid: Option<usize>) -> Result<Cut, Complaint> {
        let two = self.ratios.len() > 1;
        let mut x = vec![log(start.undercut.centre)];
        x.extend(two.then(|| log(start.undercut.exponent)));
        x.extend(start.size.map(log));
        let cut = |x: &[f64]| Cut {
            size: start.size.and(x.last()).map(|x| exp(*x)),
            undercut: Undercut {
                centre: exp(x[0]),
                exponent: if two { exp(x[1]) } else { start.undercut.exponent },
                ..start.undercut
            },
        };
        let residuals = |x: &[f64]| {
            let found = self.partials(&cut(x), grid)?;
            let mut all: Vec<f64> = found[1..].iter().zip(self.ratios).map(|(f, r)| f - log(*r)).collect();
            all.extend(self.wanted.map(|(request, _)| found[0] - log(request.frequency)));
            Ok(all)
        };
        let solution = difference_newton::solve(&x, TOLERANCE, residuals)?;
        solution.map(|x| cut(&x)).ok_or_else(|| {
            Complaint::new("tuning", "was not met: no cut near the one of a coarse grid gives it exactly")
                .help("choose ratios farther inside what can be reached, or another `undercut`")
        })
    }

    /// About the cut, on a coarse grid.
    fn start(&self, size: Option<f64>, width: f64) -> Result<Undercut, Complaint> {
        let ratios = |undercut| {
            let all = self.partials(&Cut { size, undercut }, Some(COARSE))?;
            Ok::<Vec<f64>, Complaint>(all[1..].to_vec())
        };
        let with = |centre: f64, exponent| Undercut { centre, width, exponent };
        // The depth that gives r₂; else the limit, and the logarithm of the ratio there over r₂.
        let depth = |exponent: f64| {
            let search = Search {
                start: log(0.5),
                slope: -0.5,
                longest: 0.5,
                limits: [log(THINNEST), 0.0],
                tolerance: ROUGH,
            };
            secant::root(&search, |x| {
                Ok::<f64, Complaint>(ratios(with(exp(x), exponent))?[0] - log(self.ratios[0]))
            })
        };
        let uncut = |root: &Root| matches!(root, Root::Beyond { value, .. } if *value > 0.0);
        let first = depth(CUBIC)?;
        if uncut(&first) || (self.ratios.len() == 1 && matches!(first, Root::Beyond { .. })) {
            let reach = [1.0, THINNEST].map(|c| Ok::<f64, Complaint>(exp(ratios(with(c, CUBIC))?[0])));
            let [least, most] = reach;
            return Err(self.unreachable(width, "second partial", [least?, most?], ""));
        }
        let Some(third) = self.ratios.get(1) else {
            return match first {
                Root::At(x) => Ok(with(exp(x), CUBIC)),
                Root::Beyond { limit, .. } => Ok(with(exp(limit), CUBIC)),
            };
        };
        let mut reached: Vec<(Undercut, f64)> = Vec::new();
        for exponent in EXPONENTS {
            if let Root::At(x) = depth(exponent)? {
                let undercut = with(exp(x), exponent);
                reached.push((undercut, exp(ratios(undercut)?[1])));
            }
        }
        // The neighbours between which the third partial lies; Newton's method goes on from the nearer one.
        let between = reached.windows(2).find(|two| (two[0].1 - third) * (two[1].1 - third) <= 0.0);
        let nearest = |two: &[(Undercut, f64)]| {
            let near = |reached: &(Undercut, f64)| log(reached.1 / third).abs();
            if near(&two[0]) <= near(&two[1]) { two[0].0 } else { two[1].0 }
        };
        between.map(nearest).ok_or_else(|| {
            let all = reached.iter().map(|reached| reached.1);
            let range = [all.clone().fold(f64::INFINITY, f64::min), all.fold(0.0, f64::max)];
            self.unreachable(width, "third partial", range, &format!(" with a second of {}", self.ratios[0]))
        })
    }

    fn unreachable(&self, width: f64, which: &str, [least, most]: [f64; 2], with: &str) -> Complaint {
        let asked: Vec<String> = self.ratios.iter().map(ToString::to_string).collect();
        let asked = asked.join(", ");
        let message = if least > most {
            format!("of [{asked}] cannot be reached: no cut over {width} of the length has a {which}{with}")
        } else {
            format!(
                "of [{asked}] cannot be reached: a cut over {width} of the length gives a {which} from {least:.3} to {most:.3} times the first{with}"
            )
        };
        Complaint::new("tuning", message).help("ask for a ratio in between, or give another `undercut`")
    }
}
