//! How the error of a scheme falls with the step:
//!
//!   p = log(‖y_h − y_{h/r}‖/‖y_{h/r} − y_{h/r²}‖)/log r
//!
//! y are the pickups at three steps of equal ratio r. Schemes claim an order for smooth motion; a rigid contact changes velocities at
//! once, at a time that no step meets, and where its impacts begin the claim ends. Samples before the first impact of the three runs
//! show the order that is claimed, all samples the one that is left with impacts.
//!
//! An order is one of short steps and of smooth laws. Where ωΔt > 1 for some frequency ω of the system, an implicit scheme may show a
//! lower one, and so does the closing of a one-sided law whose exponent is below the order. Both are told beside the figure, which is
//! what was measured in any case.

use super::samples::Samples;
use hamiltone_numerics::math::log;
use hamiltone_schemes::named;

/// The relative difference of two results below which only rounding is left.
const ROUNDING: f64 = 1e-11;
/// The relative difference of two results above which they show no order.
const COARSE: f64 = 0.1;
/// The fewest samples that show an order.
const FEWEST: usize = 16;

/// How the error of a scheme falls with the step.
#[derive(Clone, Debug)]
pub struct Order {
    /// The name of the scheme.
    pub scheme: String,
    /// Over the motion before the first impact of a rigid contact.
    pub smooth: Estimate,
    /// When that impact was, s; `None` where there is none in the window.
    pub impact: Option<f64>,
    /// Over the whole window, where there is an impact; no scheme claims an order of it.
    pub with_impacts: Option<f64>,
    /// The order that it claims for smooth motion.
    pub claimed: u32,
    /// The largest frequency of the system times the longest of the three steps, ω_max Δt.
    pub longest: f64,
}

/// An order as three results show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// The order p.
    Order(f64),
    /// They differ by rounding only: the scheme is exact here.
    Exact,
    /// Errors are too large, or do not fall: the steps are too long.
    Coarse,
    /// A rigid contact is closed within the first samples.
    Impacts,
    /// Rates are no geometric sequence of three, or a run failed.
    Unknown,
}

impl Estimate {
    /// In a word, for tables.
    pub fn word(self) -> &'static str {
        match self {
            Estimate::Order(_) => "measured",
            Estimate::Exact => "exact",
            Estimate::Coarse => "coarse",
            Estimate::Impacts => "impacts",
            Estimate::Unknown => "unknown",
        }
    }

    /// The order p, if it was measured.
    pub fn order(self) -> Option<f64> {
        match self {
            Estimate::Order(p) => Some(p),
            _ => None,
        }
    }

    /// Of the first samples of three results, coarse to fine, r being the ratio of their steps.
    fn of([coarse, middle, fine]: [&Samples; 3], ratio: f64, frames: usize) -> Self {
        let (first, second) = (coarse.error(middle, frames), middle.error(fine, frames));
        match first.zip(second) {
            None => Estimate::Unknown,
            Some((first, _)) if first < ROUNDING => Estimate::Exact,
            Some((first, second)) if first > COARSE || second >= first || second == 0.0 => Estimate::Coarse,
            Some((first, second)) => Estimate::Order(log(first / second) / log(ratio)),
        }
    }
}

impl Order {
    /// Of a scheme, from its results at the three highest of these rates, as steps per sample; `highest` is the largest frequency of the
    /// system, rad/s.
    pub(super) fn of(scheme: &str, ratios: &[usize], highest: f64, results: &[Option<&Samples>]) -> Self {
        let claimed = named(scheme).map_or(0, |scheme| scheme.claims().order);
        let mut order = Self {
            scheme: scheme.into(),
            smooth: Estimate::Unknown,
            impact: None,
            with_impacts: None,
            claimed,
            longest: f64::NAN,
        };
        let [.., a, b, c] = ratios[..] else { return order };
        let [.., Some(coarse), Some(middle), Some(fine)] = *results else { return order };
        if b * b != a * c {
            return order;
        }
        let (three, ratio) = ([coarse, middle, fine], b as f64 / a as f64);
        let all = three.map(Samples::count).into_iter().min().unwrap_or(0);
        let impact = three.iter().filter_map(|samples| samples.impact).min().filter(|frame| *frame < all);
        order.smooth = match impact {
            Some(frame) if frame < FEWEST => Estimate::Impacts,
            _ => Estimate::of(three, ratio, impact.unwrap_or(all)),
        };
        order.longest = highest / (a as f64 * fine.rate);
        order.impact = impact.map(|frame| frame as f64 / fine.rate);
        order.with_impacts = impact.and_then(|_| Estimate::of(three, ratio, all).order());
        order
    }

    /// In a sentence: what was measured and what is claimed.
    pub fn sentence(&self) -> String {
        let claimed = format!("{} claimed for smooth motion", self.claimed);
        let before =
            self.impact.map_or(String::new(), |time| format!(" before the first impact at {time:.2e} s"));
        let smooth = match self.smooth {
            Estimate::Order(p) if self.longest > 1.0 && p < f64::from(self.claimed) => {
                let longest = self.longest;
                format!(
                    "{p:.2} measured{before}, {claimed} and ωΔt << 1; the longest step has ω_max Δt = {longest:.1}"
                )
            }
            Estimate::Order(p) => format!("{p:.2} measured{before}, {claimed}"),
            Estimate::Exact => format!("exact here{before}: rates differ by rounding only; {claimed}"),
            Estimate::Coarse => {
                format!(
                    "not measured{before}: the steps are too long for their errors to show an order; {claimed}"
                )
            }
            Estimate::Impacts => {
                format!("rigid contacts from the start, where no order is claimed; {claimed}")
            }
            Estimate::Unknown => format!("not measured, {claimed}"),
        };
        let impacts = self.with_impacts.map_or(String::new(), |p| format!("; {p:.2} measured with impacts"));
        smooth + &impacts
    }
}
