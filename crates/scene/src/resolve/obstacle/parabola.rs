//! A parabolic bridge, as of a sitar or tanpura.
//!
//!   b(x) = height + 4·rise·ξ(a − ξ)/a²,   ξ = x − from,  a = to − from,   from ≤ x ≤ to
//!
//! An arch of the given rise over its ends, which may lie beyond the body: the obstacle A x(B − x) of Vyasarayani,
//! Birkett & McPhee 2009 is from = 0, to = B, rise = AB²/4.

use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Role, Table, Takes, Values};

/// How far outside its range, as a part of it, an obstacle still reaches: the rounding of a point that lies at its end.
const REACH: f64 = 1e-9;

const END: Parameter =
    Parameter { name: "", takes: Takes::Number(Role::Length, Range::ANY), absent: Absent::Required, doc: "" };
const FROM: Parameter = Parameter { name: "from", doc: "x of its left end, on the body or beyond it", ..END };
const TO: Parameter = Parameter { name: "to", doc: "x of its right end, on the body or beyond it", ..END };
const RISE: Parameter =
    Parameter { name: "rise", doc: "how much its summit lies above its ends; negative for a hollow", ..END };
const HEIGHT: Parameter =
    Parameter { name: "height", absent: Absent::Number(0.0), doc: "the height of its ends", ..END };

/// The shape.
pub const PARABOLA: Parameter = Parameter {
    name: "parabola",
    takes: Takes::Table(Table { parameters: &[FROM, TO, RISE, HEIGHT], rules: &[] }),
    absent: Absent::Rule,
    doc: "a parabolic bridge, b(x) = height + 4·rise·ξ(a − ξ)/a², ξ = x − from, a = to − from: the contact extends over from ≤ x ≤ to",
};

/// The height at x; `None` beyond its ends.
pub fn read(values: &Values) -> Result<Box<dyn Fn(f64) -> Option<f64>>, Complaint> {
    let own = values.table(PARABOLA.name).cloned().unwrap_or_default();
    let [from, to, rise, height] = [FROM, TO, RISE, HEIGHT].map(|p| own.number(p.name).unwrap_or_default());
    if from >= to {
        let message = format!("is {to} m, but must lie right of `from`, {from} m");
        return Err(Complaint::new("parabola.to", message));
    }
    let (a, reach) = (to - from, REACH * (to - from));
    Ok(Box::new(move |x| {
        let xi = x - from;
        (-reach..=a + reach).contains(&xi).then(|| height + 4.0 * rise * (xi / a) * (1.0 - xi / a))
    }))
}
