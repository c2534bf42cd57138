//! The symplectic area: dq∧dp of any two motions contracts by the constant that a scheme claims, or by none.
//!
//!   Jᵀ Ω J = c Ω,   Ω(u, w) = Σ mᵢ (uᵢ w′ᵢ − u′ᵢ wᵢ)
//!
//! with (q, q̇) as the state, or (qⁿ, qⁿ⁺¹) of a scheme that holds its velocity at half steps. For one
//! coordinate c is the determinant of the one-step map.

use super::{hold, require, takes_contacts};
use hamiltone_core::{claims::Contraction, ledger::Bookkeeping, scheme::Scheme, system::System};
use hamiltone_laws::smooth::{self, GAMMA, OMEGA};

/// ωΔt = 0.36, s: far from both small steps and the limits, those of stiffening contacts too.
const DT: f64 = 0.36 / OMEGA;

/// A state as two lists, one number a coordinate each.
type State = (Vec<f64>, Vec<f64>);

/// The states one step apart that follow from a start; `None` where the scheme refuses the system.
fn states(scheme: &dyn Scheme, system: &System, start: &State) -> Option<(State, State)> {
    let mut system = system.clone();
    (system.initial.position, system.initial.velocity) = start.clone();
    let mut stepper = scheme.prepare(&system, DT).ok()?;
    stepper.reset(&[]);
    let mut next = || {
        let (mut q, mut v) = start.clone();
        stepper.step(&[], Bookkeeping::Full);
        stepper.snapshot(&mut q, &mut v);
        (q, v)
    };
    let first = next();
    Some(if scheme.claims().staggered {
        let second = next();
        ((start.0.clone(), first.0.clone()), (first.0, second.0))
    } else {
        (start.clone(), first)
    })
}

/// a·x + b·y.
fn combine(a: f64, x: &State, b: f64, y: &State) -> State {
    let add = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| a * x + b * y).collect();
    (add(&x.0, &y.0), add(&x.1, &y.1))
}

/// The derivatives of both states in each direction of the start.
///
/// About a start at rest of a linear system they are the responses to the directions themselves; about any other
/// start, central differences over h and 2h, combined to fourth order.
fn tangents(scheme: &dyn Scheme, system: &System, linear: bool) -> Option<Vec<(State, State)>> {
    let n = system.size();
    let size = (1e-4, 1e-4 * OMEGA);
    let directions = (0..2 * n).map(|i| {
        let mut direction = (vec![0.0; n], vec![0.0; n]);
        if i < n {
            direction.0[i] = size.0
        } else {
            direction.1[i - n] = size.1
        }
        direction
    });
    let start = (system.initial.position.clone(), system.initial.velocity.clone());
    let derivative = |direction: &State, h: f64| {
        let ends = [h, -h].map(|h| states(scheme, system, &combine(1.0, &start, h, direction)));
        let [Some(plus), Some(minus)] = ends else { return None };
        let difference = |a: &State, b: &State| combine(0.5 / h, a, -0.5 / h, b);
        Some((difference(&plus.0, &minus.0), difference(&plus.1, &minus.1)))
    };
    directions
        .map(|direction| {
            if linear {
                return states(scheme, system, &direction);
            }
            let ((a, b), (c, d)) = (derivative(&direction, STEP)?, derivative(&direction, 2.0 * STEP)?);
            let richardson = |fine, coarse| combine(4.0 / 3.0, fine, -1.0 / 3.0, coarse);
            Some((richardson(&a, &c), richardson(&b, &d)))
        })
        .collect()
}

/// h, in units of the directions: its fourth power and eps/h are both below 1e-12.
const STEP: f64 = 1e-3;

/// Ω(u, w) and the size of what it is a difference of.
fn area(system: &System, u: &State, w: &State) -> (f64, f64) {
    let terms = |i: usize| (system.mass[i] * u.0[i] * w.1[i], system.mass[i] * u.1[i] * w.0[i]);
    (0..system.size())
        .map(terms)
        .fold((0.0, 0.0), |(sum, size), (a, b)| (sum + (a - b), size + a.abs() + b.abs()))
}

/// How far Jᵀ Ω J is from c Ω, over the largest area; `None` where the scheme refuses the system.
fn departure(scheme: &dyn Scheme, system: &System, linear: bool, c: f64) -> Option<f64> {
    let tangents = tangents(scheme, system, linear)?;
    let pairs = || tangents.iter().flat_map(|u| tangents.iter().map(move |w| (u, w)));
    let size = pairs().map(|(u, w)| area(system, &u.0, &w.0).1).fold(0.0, f64::max);
    let miss = |(u, w): (&(State, State), &(State, State))| {
        (area(system, &u.1, &w.1).0 - c * area(system, &u.0, &w.0).0).abs()
    };
    Some(pairs().map(miss).fold(0.0, f64::max) / size)
}

/// Roundings of a handful of products, over areas that are a third of them for staggered states.
const LINEAR: f64 = 1e-14;
/// Differences of fourth order with h = 1e-3: truncation and rounding below 1e-12, magnified by curvatures of
/// up to four times the linear stiffness.
const NONLINEAR: f64 = 1e-10;

/// One damped oscillator: the determinant is the constant claimed; where none is claimed, it is none that could be.
pub fn of_one_oscillator(scheme: &dyn Scheme) -> Result<(), String> {
    let (claims, system) = (scheme.claims(), smooth::oscillator());
    let off = |area: Contraction, linear| {
        let c = area.contraction(OMEGA, GAMMA, DT)?;
        departure(scheme, &system, linear, c)
    };
    if claims.contraction != Contraction::Free {
        let departure = off(claims.contraction, true).ok_or("it refuses one oscillator")?;
        return require(departure <= LINEAR, || {
            format!("{:?} is missed by {departure:e}", claims.contraction)
        });
    }
    let kept = [Contraction::Conformal, Contraction::Pade, Contraction::Gradient]
        .into_iter()
        .find(|&area| off(area, false).is_some_and(|departure| departure <= NONLINEAR));
    require(kept.is_none(), || format!("nothing is claimed, but it is {kept:?}"))
}

/// With a contact of every kind it accepts: the same constant if so claimed, and measurably another if not.
pub fn with_a_contact(scheme: &dyn Scheme) -> Result<(), String> {
    let claims = scheme.claims();
    let Some(c) = claims.contraction.contraction(OMEGA, GAMMA, DT) else {
        return require(!claims.contraction_with_contact, || {
            "a constant with contacts, but none without".into()
        });
    };
    let mut kinds = 0;
    for kind in smooth::contacts() {
        let measured = kind.iter().find_map(|given| {
            let system = smooth::with_contact(smooth::oscillator(), &given.contact);
            // A contact's loss is damping of its own.
            if given.lossy { None } else { Some((given, departure(scheme, &system, false, c)?)) }
        });
        let Some((given, departure)) = measured else { continue };
        kinds += 1;
        require((departure <= NONLINEAR) == claims.contraction_with_contact, || {
            format!(
                "contraction_with_contact is {}, missed by {departure:e} with {}",
                claims.contraction_with_contact, given.name
            )
        })?;
    }
    require(kinds > 0 || !takes_contacts(scheme), || "it takes no contact".into())
}

/// Several coordinates with one γ, coupled: the form contracts by the same constant where that is claimed, and by another
/// where not. None that depends on ω is claimed.
pub fn of_several(scheme: &dyn Scheme) -> Result<(), String> {
    let claims = scheme.claims();
    let constant = |omega| claims.contraction.contraction(omega, GAMMA, DT);
    let measured = match (constant(OMEGA), constant(OMEGA) == constant(2.0 * OMEGA)) {
        (Some(c), true) => departure(scheme, &smooth::pair(), true, c).map(|departure| (c, departure)),
        _ => None,
    };
    let Some((c, departure_of_pair)) = measured else {
        return require(!claims.contraction_with_links, || {
            "a constant with links, but none to measure".into()
        });
    };
    require((departure_of_pair <= LINEAR) == claims.contraction_with_links, || {
        format!(
            "contraction_with_links is {}, missed by {departure_of_pair:e}",
            claims.contraction_with_links
        )
    })?;
    for given in smooth::contacts().iter().filter_map(|kind| kind.first()).filter(|given| !given.lossy) {
        let system = smooth::with_contact(smooth::pair(), &given.contact);
        if let (true, Some(departure)) =
            (claims.contraction_with_contact, departure(scheme, &system, false, c))
        {
            require(departure <= NONLINEAR, || {
                format!("of a pair with {} it is missed by {departure:e}", given.name)
            })?;
        }
    }
    Ok(())
}

#[test]
fn of_one_oscillator_as_claimed() {
    hold(of_one_oscillator);
}

#[test]
fn with_contacts_as_claimed() {
    hold(with_a_contact);
}

#[test]
fn of_several_coordinates_as_claimed() {
    hold(of_several);
}
