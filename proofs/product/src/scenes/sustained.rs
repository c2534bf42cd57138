//! The verdict on a run with ports, whose losses do not follow from states: what a bow, a reed, lips or a jet take is only known to be no gift.
//!
//!   dissipated(n + 1) ≥ dissipated(n),   stored(n) + dissipated(n) − supplied(n) − contact work(n) = stored(0)
//!
//! to rounding of what flowed, in a run that ended well; all of it finite.

use super::{
    judge::{GAIN, Verdict},
    npz::Array,
    recompute::largest,
};
use std::collections::BTreeMap;

/// How far sums may be apart, relative to what flowed and was stored.
const ROUNDING: f64 = 1e-9;
/// Below this a loss is a rounding of forces that hold each other, J: a mass that friction holds against a push does not move, and its energies are those of
/// roundings of its rate.
const HELD: f64 = 1e-20;

/// The verdict on a run with its states at every step that ended with exit code 0 or 1 and printed errors.
///
/// # Errors
/// What is missing in the states.
pub fn verdict(arrays: &BTreeMap<String, Array>, (code, errors): (i32, &str)) -> Result<Verdict, String> {
    let column = |name: &str| {
        let name = format!("ledger.{name}");
        arrays.get(&name).map(|array| &array.numbers[..]).ok_or(name)
    };
    let [stored, dissipated] = [column("stored")?, column("dissipated")?];
    let [supplied, work] = [column("supplied")?, column("contact_work")?];
    if code != 0 {
        let why = errors.lines().find(|line| line.starts_with("error: ")).unwrap_or("without a reason");
        return Ok(Verdict::Failed(why.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()));
    }
    // What acts at any place has no gap to close.
    let told = arrays.iter().filter(|(name, _)| !name.ends_with(".gap"));
    let is_wrong = |array: &Array| array.numbers.iter().any(|x| !x.is_finite());
    if let Some((name, _)) = told.into_iter().find(|(_, array)| is_wrong(array)) {
        return Ok(Verdict::Fault("exit 0, not finite", name.clone()));
    }
    let flows = [stored, dissipated, supplied, work].map(|sums| largest(sums.iter().map(|x| x.abs())));
    let rounding = ROUNDING * flows.iter().sum::<f64>();
    let fallen = |pair: &[f64]| pair[0] - pair[1];
    let given = largest(dissipated.windows(2).map(fallen));
    if given > rounding.max(HELD) {
        return Ok(Verdict::Fault("exit 0, a loss that gives", format!("{given:e} J of {flows:?}")));
    }
    let left = |n: usize| (stored[n] + dissipated[n] - supplied[n] - work[n] - stored[0]).abs();
    let missed = largest((0..stored.len()).map(left));
    if missed > rounding {
        return Ok(Verdict::Fault("exit 0, another balance", format!("{missed:e} J of {flows:?}")));
    }
    let worked = largest(work.iter().copied());
    if worked > GAIN * (stored[0] + largest(supplied.iter().copied())) + rounding {
        return Ok(Verdict::Fault("exit 0, work of contacts", format!("{worked:e} J of {flows:?}")));
    }
    Ok(Verdict::Good)
}
