//! Links and contacts: what acts between two places.
//!
//!   link:           f = k δ + r δ̇,   δ = q₁ − q₂      (k stiffness, N/m; r loss, N s/m)
//!   contact:        f = law(δ − gap, δ̇)
//!   along a body:   f_l = Δx_l law(δ_l − gap_l, δ̇_l)   at each of its points x_l (C19 (70), (74b): a barrier)
//!
//! The force pushes the first place down and the second up. On bodies per unit
//! area it is a pressure: Pa stands in place of N in every unit. Along a body the law is
//! per unit length, and Δx_l is the length that a point stands for.

use super::{
    Builder,
    bodies::entry,
    frame::{Frame, Key},
    places::Named,
};
use crate::{
    plan::ContactPlan,
    scene::{
        expected::{Circumstances, unit},
        section::Section,
    },
};
use hamiltone_contacts::Scaled;
use hamiltone_core::{
    body::{Measure, Placed, Point},
    law::{Law, Touch},
    parameter::{Absent, Entry, Parameter, Takes, Values},
    row::Row,
    system::Contact,
};
use std::sync::Arc;

const BETWEEN: Key = Key {
    name: "between",
    required: true,
    example: "[\"hammer\", \"ground\"]",
    doc: "two places, each a body, a body@length or body@fraction, or \"ground\"; displacements count first − second",
};

/// `[link.NAME]`.
pub fn link_frame() -> Frame {
    let kind = hamiltone_bodies::link::kind();
    Frame {
        name: kind.name,
        summary: kind.summary,
        named: true,
        keys: &[BETWEEN],
        parameters: kind.parameters,
    }
}

/// `[contact.NAME]`.
pub const CONTACT: Frame = Frame {
    name: "contact",
    summary: "a force between two places that depends on their penetration, first − second − gap",
    named: true,
    keys: &[
        Key {
            doc: "two places, each a body, a body@length or body@fraction, or \"ground\"; a long body without @ is touched all along, its law then being per unit length; displacements count first − second",
            ..BETWEEN
        },
        Key { name: "law", required: true, example: "\"power\"", doc: "what it does: see `list contacts`" },
    ],
    parameters: &[PROFILE],
};

/// The shape of what touches a body all along.
const PROFILE: Parameter = Parameter {
    name: "profile",
    takes: Takes::Pairs("m", "m"),
    absent: Absent::Optional("flat, at 0, along the whole body"),
    doc: "where a long body is touched all along: pairs of x and the height of what it touches, straight between them; only points between the first x and the last are touched",
};

/// The two places of a joint.
struct Joint {
    ends: [Named; 2],
    measure: Measure,
}

impl Builder<'_> {
    /// The two places of `between`, and what is known of their measure where one of them is broken.
    fn joint(&mut self, section: &Section<'_>) -> (Option<Joint>, Option<Measure>) {
        let Some([first, second]) = self.between(section) else { return (None, None) };
        let measure = [&first, &second].into_iter().flatten().find_map(Named::measure);
        let (Some(first), Some(second)) = (first, second) else { return (None, measure) };
        let message = match measure {
            Some(Measure::Volume) => "`between` takes what has a displacement: air moves as a volume (m³)",
            None => "`between` joins a place with itself: nothing can move there",
            Some(measure) => return (Some(Joint { ends: [first, second], measure }), Some(measure)),
        };
        let help = "name two different places; the second may be \"ground\"";
        self.problems.push(section.problem("between", message, "").help(help));
        (None, measure)
    }

    /// The row first − second.
    fn difference(&mut self, section: &Section<'_>, joint: &Joint) -> Option<Row> {
        let [first, second] = &joint.ends;
        let (first, second) = (self.row(section, first), self.row(section, second));
        let row = first?.minus(&second?);
        if row.last_dof().is_none() {
            let message = "`between` joins a place with itself: nothing can move there";
            let help = "name two different places; the second may be \"ground\"";
            self.problems.push(section.problem("between", message, "the same place").help(help));
            return None;
        }
        Some(row)
    }

    /// Reads `[link.NAME]`.
    pub fn link(&mut self, name: &str, section: &Section<'_>) {
        let frame = link_frame();
        section.refuse_unknown(frame.parameters, &frame.own(), self.problems);
        let (joint, measure) = self.joint(section);
        let row = joint.and_then(|joint| self.difference(section, &joint));
        let Some(values) = section.values(frame.parameters, self.at(measure), self.problems) else { return };
        let number = |name| values.number(name).unwrap_or_default();
        let Some(row) = row else { return };
        let (stiffness, loss) = (number("stiffness"), number("loss"));
        if let Err(complaint) = hamiltone_bodies::link::add_to(&mut self.system, name, row, stiffness, loss) {
            self.problems.push(section.complaint(&complaint));
        }
    }

    /// Reads `[contact.NAME]`.
    pub fn contact(&mut self, name: &str, section: &Section<'_>) {
        let made = self.made(name, section);
        self.contacts.insert(name.into(), made);
    }

    fn made(&mut self, name: &str, section: &Section<'_>) -> Option<usize> {
        let (joint, measure) = self.joint(section);
        let long = |joint: &Joint| joint.ends.iter().any(|end| end.whole_length().is_some());
        let along = joint.as_ref().is_some_and(long);
        let catalogue = hamiltone_contacts::catalogue();
        let entry = entry(section, "law", "contacts", catalogue, self.problems)?;
        let parameters = [entry.kind.parameters, CONTACT.parameters].concat();
        section.refuse_unknown(&parameters, &CONTACT.own(), self.problems);
        let circumstances = Circumstances { along, ..self.at(measure) };
        let values = section.values(&parameters, circumstances, self.problems)?;
        let touch = (entry.make)(&values)
            .map_err(|complaint| self.problems.push(section.complaint(&complaint)))
            .ok()?;
        let joint = joint?;
        let first = self.system.contacts.len();
        if along {
            self.check_along(section, entry)?;
            self.along(name, section, &joint, &touch, &values)?;
        } else {
            if values.pairs.contains_key(PROFILE.name) {
                let problem =
                    section.problem(PROFILE.name, "`profile` is of what touches a body all along", "");
                self.problems.push(problem.help("name the body in `between` without @"));
            }
            let row = self.difference(section, &joint)?;
            self.system.contacts.push(Contact { name: name.into(), row, gap: touch.gap, law: touch.law });
        }
        let parts = first..self.system.contacts.len();
        self.contact_plans.push(ContactPlan { name: name.into(), parts, measure: joint.measure });
        Some(self.contact_plans.len() - 1)
    }

    /// Along a body a law needs a strength per unit length.
    fn check_along(&mut self, section: &Section<'_>, entry: &Entry<Touch>) -> Option<()> {
        let given = |p: &&Parameter| section.table.contains_key(p.name);
        if entry.kind.parameters.iter().filter(given).any(|p| unit(p).contains('N')) {
            return Some(());
        }
        let forces: Vec<String> = entry
            .kind
            .parameters
            .iter()
            .filter(|p| unit(p).contains('N'))
            .map(|p| format!("`{}`", p.name))
            .collect();
        let message = "along a body the law needs a strength per unit length";
        let help = format!("give {}, or name one place of the body with @", forces.join(" or "));
        self.problems.push(section.problem("law", message, "").help(help));
        None
    }

    /// One contact for each point of the long body that lies within the profile.
    fn along(
        &mut self,
        name: &str,
        section: &Section<'_>,
        joint: &Joint,
        touch: &Touch,
        values: &Values,
    ) -> Option<()> {
        let [first, second] = &joint.ends;
        let (body, other, sign) = match (first.whole_length(), second.whole_length()) {
            (Some(body), None) => (body, second, 1.0),
            (None, Some(body)) => (body, first, -1.0),
            _ => return self.two_lengths(section),
        };
        if other.body.as_ref().is_some_and(|body| body.extent.is_some()) {
            return self.two_lengths(section);
        }
        let other = self.row(section, other)?;
        let profile = match values.pairs.get(PROFILE.name) {
            Some(pairs) => Some(self.profile(section, pairs)?),
            None => None,
        };
        let height = |x| profile.map_or(Some(0.0), |pairs| height(pairs, x));
        let touched: Vec<(&Point, f64)> =
            points(body).iter().filter_map(|point| Some((point, height(point.x)?))).collect();
        if touched.is_empty() {
            let message = format!(
                "`profile` reaches no point of `{}`",
                if sign > 0.0 { &first.name } else { &second.name }
            );
            self.problems.push(section.problem(PROFILE.name, message, ""));
            return None;
        }
        for (i, (point, height)) in touched.into_iter().enumerate() {
            let row = Row::unit(point.dof).minus(&other).scaled(sign);
            let gap = touch.gap + sign * height;
            let Law::Compliant(potential) = &touch.law;
            let law = Law::Compliant(Arc::new(Scaled::new(potential.clone(), point.weight)));
            self.system.contacts.push(Contact { name: format!("{name}[{i}]"), row, gap, law });
        }
        Some(())
    }

    fn two_lengths(&mut self, section: &Section<'_>) -> Option<()> {
        let message =
            "a body is touched all along by the ground or by a body at one place, not by another long one";
        let help = "name places on them with @, such as \"BODY@0.2\"";
        self.problems.push(section.problem("between", message, "two long bodies").help(help));
        None
    }

    fn profile<'p>(&mut self, section: &Section<'_>, pairs: &'p [(f64, f64)]) -> Option<&'p [(f64, f64)]> {
        if pairs.len() >= 2 && pairs.is_sorted_by(|a, b| a.0 < b.0) {
            return Some(pairs);
        }
        let problem = section.problem(PROFILE.name, "`profile` takes two pairs or more, x ascending", "");
        self.problems.push(problem.help("write profile = [[\"0 m\", \"0 mm\"], [\"0.1 m\", \"-1 mm\"]]"));
        None
    }
}

fn points(body: &Arc<Placed>) -> &[Point] {
    body.extent.as_ref().map_or(&[], |extent| &extent.points)
}

/// The height at x of straight lines through the pairs; `None` beyond them.
fn height(pairs: &[(f64, f64)], x: f64) -> Option<f64> {
    let reach = 1e-9 * (pairs.last()?.0 - pairs.first()?.0);
    let (a, b) = pairs
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .find(|(a, b)| (a.0 - reach..=b.0 + reach).contains(&x))?;
    Some(a.1 + (b.1 - a.1) * ((x - a.0) / (b.0 - a.0)))
}
