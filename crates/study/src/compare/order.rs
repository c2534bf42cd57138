//! How the error of a scheme falls with the step:
//!
//!   p = log(‖y_h − y_{h/r}‖/‖y_{h/r} − y_{h/r²}‖)/log r
//!
//! y are the pickups at three steps of equal ratio r. Schemes claim an order for smooth motion; a rigid contact changes velocities at
//! once, at a time that no step meets, and where its impacts begin the claim ends. Samples before the first impact of the three runs
//! show the order that is claimed, all samples the one that is left with impacts. It is the order of short steps: where ωΔt > 1 for some
//! frequency ω of the system, an implicit scheme is out of phase there, and a lower order shows no more than that.

use super::samples::Samples;
use hamiltone_numerics::math::log;
use hamiltone_schemes::named;

/// The relative difference of two results below which only rounding is left.
const ROUNDING: f64 = 1e-11;
/// The relative difference of two results above which they show no order.
const COARSE: f64 = 0.1;
/// How near to the claim a measured order has to be: beside the leading term of the error there are others.
const NEAR: f64 = 0.15;
/// The fewest samples that show an order.
const FEWEST: usize = 16;

/// How the error of a scheme falls with the step.
#[derive(Clone, Debug)]
pub struct Order {
    /// The name of the scheme.
    pub scheme: String,
    /// Over the motion before the first impact of a rigid contact.
    pub smooth: Falls,
    /// When that impact was, s; `None` where there is none in the window.
    pub impact: Option<f64>,
    /// Over the whole window, where there is an impact; no scheme claims an order of it.
    pub with_impacts: Option<f64>,
    /// The order that it claims for smooth motion.
    pub claimed: u32,
}

/// What three results show of an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Falls {
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

impl Falls {
    /// The order p, if it was measured.
    pub fn order(self) -> Option<f64> {
        match self {
            Falls::Order(p) => Some(p),
            _ => None,
        }
    }

    /// Of the first samples of three results, coarse to fine, r being the ratio of their steps.
    fn of([coarse, middle, fine]: [&Samples; 3], ratio: f64, frames: usize) -> Self {
        let (first, second) = (coarse.error(middle, frames), middle.error(fine, frames));
        match first.zip(second) {
            None => Falls::Unknown,
            Some((first, _)) if first < ROUNDING => Falls::Exact,
            Some((first, second)) if first > COARSE || second >= first || second == 0.0 => Falls::Coarse,
            Some((first, second)) => Falls::Order(log(first / second) / log(ratio)),
        }
    }
}

impl Order {
    /// Of a scheme, from its results at the three highest of these rates, as steps per sample; `highest` is the largest frequency of the
    /// system, rad/s.
    pub(super) fn of(scheme: &str, ratios: &[usize], highest: f64, results: &[Option<&Samples>]) -> Self {
        let claimed = named(scheme).map_or(0, |scheme| scheme.claims().order);
        let mut order =
            Self { scheme: scheme.into(), smooth: Falls::Unknown, impact: None, with_impacts: None, claimed };
        let [.., a, b, c] = ratios[..] else { return order };
        let [.., Some(coarse), Some(middle), Some(fine)] = *results else { return order };
        if b * b != a * c {
            return order;
        }
        let (three, ratio) = ([coarse, middle, fine], b as f64 / a as f64);
        let all = three.map(Samples::count).into_iter().min().unwrap_or(0);
        let impact = three.iter().filter_map(|samples| samples.impact).min().filter(|frame| *frame < all);
        order.smooth = match impact {
            Some(frame) if frame < FEWEST => Falls::Impacts,
            _ => Falls::of(three, ratio, impact.unwrap_or(all)),
        };
        let is_long = highest > a as f64 * fine.rate;
        if is_long && order.smooth.order().is_some_and(|p| p < f64::from(claimed) - NEAR) {
            order.smooth = Falls::Coarse;
        }
        order.impact = impact.map(|frame| frame as f64 / fine.rate);
        order.with_impacts = impact.and_then(|_| Falls::of(three, ratio, all).order());
        order
    }

    /// In a sentence: what was measured and what is claimed.
    pub fn sentence(&self) -> String {
        let claimed = format!("{} claimed for smooth motion", self.claimed);
        let before =
            self.impact.map_or(String::new(), |time| format!(" before the first impact at {time:.2e} s"));
        let smooth = match self.smooth {
            Falls::Order(p) => format!("{p:.2} measured{before}, {claimed}"),
            Falls::Exact => format!("exact here{before}: rates differ by rounding only; {claimed}"),
            Falls::Coarse => {
                format!(
                    "not measured{before}: the steps are too long for their errors to show an order; {claimed}"
                )
            }
            Falls::Impacts => format!("rigid contacts from the start, where no order is claimed; {claimed}"),
            Falls::Unknown => format!("not measured, {claimed}"),
        };
        let impacts = self.with_impacts.map_or(String::new(), |p| format!("; {p:.2} measured with impacts"));
        smooth + &impacts
    }
}
