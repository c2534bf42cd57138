//! Bodies by the frequency at which they shall sound.
//!
//! One quantity of the body is left out – the tension of a string, the thickness of a bar, the length of a tube – and found so
//! that the first partial ([`crate::sounding`]) has the frequency that is asked for: with stiffness, ends, losses and a thickness
//! that varies, on the very grid or by the very modes that will sound.

use crate::{built::Built, reduction::ModeCache, sounding};
use hamiltone_core::{
    body::{Body, Placed, Solved},
    parameter::{Absent, Complaint, Parameter, Range, Role, Takes, Values},
    system::System,
};
use hamiltone_numerics::{
    math::{exp, log, square},
    secant::{self, Root, Search},
};

/// The finest grid on which partials of strings and tubes are computed.
pub(crate) const FINEST: usize = 4000;
/// The same of what bends alone.
pub(crate) const FINEST_BENT: usize = 320;

/// A mark that a search sets beside `intervals` in the values of the body that it builds in the end: they are those of the grid on
/// which a quantity was found, and none that the scene states. No kind has a parameter of this name, so that no scene can set it.
pub(crate) const FOUND_INTERVALS: &str = "intervals of the search";

/// The frequency at which a body sounds.
pub(crate) const FREQUENCY: Parameter = Parameter {
    name: "frequency",
    takes: Takes::Number(Role::Frequency, Range::POSITIVE),
    absent: Absent::Rule,
    doc: "the frequency at which the first partial sounds, with stiffness, ends and losses",
};

/// The same as a note.
pub(crate) const PITCH: Parameter = Parameter {
    name: "pitch",
    takes: Takes::Pitch,
    absent: Absent::Rule,
    doc: "the note at which the first partial sounds, in place of frequency; A4 is a4 of [run], 440 Hz unless given",
};

/// The first mode that vibrates, and up to three rigid motions before it.
const FIRST_MODES: f64 = 4.0;
/// Turns of a search in proportion.
const PROPORTIONAL_TURNS: usize = 3;
/// Grids that are tried: the quantity that is found decides how fine the grid is.
const GRIDS: usize = 4;
/// How well a logarithm of a frequency is met: the roundings of eigenvalues are about as large. 10⁻⁹ cents.
const TOLERANCE: f64 = 1e-12;
/// What is taken where rounding leaves more: 10⁻³ cents.
const USABLE: f64 = 6e-7;

/// A frequency that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Request {
    /// The parameter that states it.
    pub key: &'static str,
    /// Hz.
    pub frequency: f64,
}

/// The frequency that the values ask for, if they do.
pub(crate) fn requested(values: &Values) -> Option<Request> {
    let given = |key| Some(Request { key, frequency: values.number(key)? });
    given(FREQUENCY.name).or_else(|| given(PITCH.name))
}

/// What is found so that a body sounds as it shall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unknown {
    /// The parameter.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its range.
    pub range: Range,
    /// About what it will be.
    pub start: f64,
    /// About d ln f/d ln x.
    pub power: f64,
}

impl Unknown {
    /// The least and the largest logarithm that are tried.
    pub fn limits(&self) -> [f64; 2] {
        // Of a range without ends twelve powers of ten.
        let widest = |x: f64| x.clamp(1e-12 * self.start, 1e12 * self.start);
        [log(widest(self.range.min)), log(widest(self.range.max))]
    }
}

/// A body as its type builds it.
pub(crate) struct Builder<B> {
    /// Builds it of values.
    pub build: B,
    /// The finest grid whose eigenvalues are computed: on one of a slender bar the first is (π/2N)⁴ of the largest, and rounding hides it.
    pub finest: usize,
}

impl<B: Fn(&Values) -> Result<Built, Complaint>> Builder<B> {
    /// The first partials, Hz, of the body of these values on so many intervals; by modes that formulas give, of its first modes.
    ///
    /// Of a grid that is too fine they follow from two coarser ones: what N intervals detune falls with 1/N².
    pub fn partials(
        &self,
        values: &Values,
        grid: Option<usize>,
        count: usize,
    ) -> Result<Vec<f64>, Complaint> {
        let of =
            |name, x: f64| sounding::partials(&*(self.build)(&values.clone().with(name, x))?.body, count);
        let on = |intervals: usize| of("intervals", intervals as f64);
        let Some(n) = grid else {
            // Of a line that has a rigid motion at most three: its grid may be too coarse for four.
            let most = values.number("intervals").map_or(FIRST_MODES, |n| FIRST_MODES.min(n - 1.0));
            return of("modes", most);
        };
        if n <= self.finest {
            return on(n);
        }
        let (coarse, fine) = (on(self.finest / 2)?, on(self.finest)?);
        let part = (1.0 - square(self.finest as f64 / n as f64)) / 3.0;
        Ok(fine.iter().zip(coarse).map(|(fine, coarse)| fine + part * (fine - coarse)).collect())
    }

    /// The intervals that the body of these values takes, where its partials depend on them.
    pub fn grid(&self, values: &Values) -> Result<Option<usize>, Complaint> {
        Ok((self.build)(values)?.intervals)
    }

    /// The body itself, on the grid on which it was tuned.
    pub fn on_grid(&self, values: Values, grid: Option<usize>) -> Result<Box<dyn Body>, Complaint> {
        let values = match grid {
            Some(n) if !values.is_given("intervals") => {
                values.with("intervals", n as f64).with(FOUND_INTERVALS, 1.0)
            }
            _ => values,
        };
        Ok((self.build)(&values)?.body)
    }
}

/// The values without the frequency that is asked for.
pub(crate) fn without_request(values: &Values) -> Values {
    let mut values = values.clone();
    [FREQUENCY.name, PITCH.name].into_iter().for_each(|name| values.unset(name));
    values
}

/// The body of which `unknown` is such that it sounds as asked.
///
/// # Errors
/// A [`Complaint`] where no value does, or the body refuses its values.
pub(crate) fn solve(
    values: &Values,
    request: Request,
    unknown: Unknown,
    finest: usize,
    build: impl Fn(&Values) -> Result<Built, Complaint>,
) -> Result<Box<dyn Body>, Complaint> {
    let (values, builder) = (without_request(values), Builder { build, finest });
    let with = |x: f64| values.clone().with(unknown.name, x);
    let search = |start: &f64, grid| {
        find(request, Unknown { start: *start, ..unknown }, |x| builder.partials(&with(x), grid, 1))
    };
    // A search comes back to what it has solved: grids of the same bar, and the last one when it is built.
    let settled = || settle(unknown.start, |x| builder.grid(&with(*x)), search);
    let solve = || {
        let (x, grid) = settled()?;
        Ok::<_, Complaint>((x, builder.on_grid(with(x), grid)?))
    };
    let (x, body) = ModeCache::at_hand(solve)?;
    let solved = vec![Solved { name: unknown.name, value: x, unit: unknown.unit }];
    Ok(Box::new(Found { body, solved }))
}

/// The same of a body by modes that formulas give, of which another partial than the first is heard as the pitch: the mode (1,1) of a drum head over
/// enclosed air.
///
/// # Errors
/// A [`Complaint`] where no value does, or the body refuses its values.
pub(crate) fn solve_partial(
    values: &Values,
    request: Request,
    unknown: Unknown,
    partial: usize,
    build: impl Fn(&Values) -> Result<Built, Complaint>,
) -> Result<Box<dyn Body>, Complaint> {
    let (values, builder) = (without_request(values), Builder { build, finest: FINEST });
    let with = |x: f64| values.clone().with(unknown.name, x);
    let partials = |x: f64| Ok(builder.partials(&with(x), None, partial)?.split_off(partial - 1));
    let x = find(request, unknown, partials)?;
    let solved = vec![Solved { name: unknown.name, value: x, unit: unknown.unit }];
    Ok(Box::new(Found { body: (builder.build)(&with(x))?.body, solved }))
}

/// What builds a body of its values.
type Build = fn(&Values) -> Result<Built, Complaint>;

/// The same of a body whose first partial is in proportion to the unknown but for its losses: by so few turns that each may take all of its modes. The
/// first builder is that of the search.
///
/// # Errors
/// A [`Complaint`] where the body refuses its values, does not vibrate, or needs a value out of range.
pub(crate) fn solve_in_proportion(
    values: &Values,
    request: Request,
    unknown: Unknown,
    [search, build]: [Build; 2],
) -> Result<Box<dyn Body>, Complaint> {
    let values = without_request(values);
    let with = |x: f64| values.clone().with(unknown.name, x);
    let mut x = unknown.start;
    // What losses change of it is of the second order, and changes little from turn to turn.
    for _ in 0..PROPORTIONAL_TURNS {
        let first = sounding::partials(&*search(&with(x))?.body, 1)?.first().copied().unwrap_or(0.0);
        if first <= 0.0 {
            let message =
                format!("of {} Hz cannot be reached: it decays without vibrating", digits(request.frequency));
            return Err(Complaint::new(request.key, message).help("give it less loss"));
        }
        x *= request.frequency / first;
    }
    let x = unknown.range.check(unknown.name, x)?;
    let solved = vec![Solved { name: unknown.name, value: x, unit: unknown.unit }];
    Ok(Box::new(Found { body: build(&with(x))?.body, solved }))
}

/// The result of a search on the grid that the result itself asks for, and that grid: `grid` is the one that a result asks for.
pub(crate) fn settle<X>(
    start: X,
    grid: impl Fn(&X) -> Result<Option<usize>, Complaint>,
    search: impl Fn(&X, Option<usize>) -> Result<X, Complaint>,
) -> Result<(X, Option<usize>), Complaint> {
    let mut on = grid(&start)?;
    let mut found = search(&start, on)?;
    for _ in 1..GRIDS {
        let next = grid(&found)?;
        if next == on {
            break;
        }
        // A grid that changes with every result is kept in the end: the body sounds as asked on it.
        (found, on) = (search(&found, next)?, next);
    }
    Ok((found, on))
}

/// The value of `unknown` at which the first of `partials` has the frequency that is asked for.
///
/// # Errors
/// A [`Complaint`] where there is none, or where the body cannot be built.
pub(crate) fn find(
    request: Request,
    unknown: Unknown,
    partials: impl Fn(f64) -> Result<Vec<f64>, Complaint>,
) -> Result<f64, Complaint> {
    let Request { key, frequency } = request;
    let Unknown { name, unit, power, .. } = unknown;
    let search = Search {
        start: log(unknown.start),
        slope: power,
        longest: 1.0,
        limits: unknown.limits(),
        tolerance: TOLERANCE,
    };
    // The search returns the last x that it asked for, which need not be the nearest.
    let mut missed = f64::INFINITY;
    let distance = |x: f64| {
        // One that does not vibrate is too low.
        let first = partials(exp(x))?.first().copied().unwrap_or(0.0);
        let distance = if first > 0.0 { log(first / frequency) } else { f64::NEG_INFINITY };
        missed = distance.abs();
        Ok(distance)
    };
    let asked = digits(frequency);
    match secant::root(&search, distance)? {
        Root::At(x) if missed <= USABLE => Ok(exp(x)),
        Root::At(_) => {
            let message =
                format!("of {asked} Hz is not met: the first partial changes too abruptly with the {name}");
            let help = format!("ask for a frequency nearer to the usual ones, or give the {name}");
            Err(Complaint::new(key, message).help(help))
        }
        Root::Beyond { limit, value } => {
            let (at, sounds) = (digits(exp(limit)), digits(frequency * exp(value)));
            let message = format!(
                "of {asked} Hz cannot be reached: with a {name} of {at} {unit} the first partial sounds at {sounds} Hz"
            );
            let other = if value > 0.0 { "higher" } else { "lower" };
            Err(Complaint::new(key, message)
                .help(format!("ask for a {other} frequency, or change what else is given")))
        }
    }
}

/// Six digits of a number.
fn digits(x: f64) -> String {
    let rounded = format!("{x:.5e}");
    match rounded.parse::<f64>() {
        Ok(x) if (1e-3..1e7).contains(&x) => x.to_string(),
        _ => rounded,
    }
}

/// A body with what was found of it.
pub(crate) struct Found {
    /// The body.
    pub body: Box<dyn Body>,
    /// What was found.
    pub solved: Vec<Solved>,
}

impl Body for Found {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        self.body.add_to(system, name)
    }

    fn solved(&self) -> Vec<Solved> {
        self.solved.clone()
    }
}
