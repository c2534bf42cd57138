//! Contacts along a body: a barrier under a string, flat or with a profile.
//!
//!   f_l = Δx_l law(δ_l − gap_l, δ̇_l)   at each of its points x_l   (C19 (70), (74b))
//!
//! The law is per unit length, and Δx_l (m) is the length that a point stands for. The profile
//! b(x) (m) is the height of what is touched: gap_l = gap + b(x_l) where it lies above the
//! body, the body being the first place, and gap − b(x_l) where it lies below.

use super::{Builder, places::Named};
use crate::scene::{expected::unit, section::Section};
use hamiltone_contacts::Scaled;
use hamiltone_core::{
    body::{Placed, Point},
    law::{Law, Touch},
    parameter::{Absent, Entry, Parameter, Takes, Values},
    system::Contact,
};
use std::sync::Arc;

/// The shape of what touches a body all along.
pub const PROFILE: Parameter = Parameter {
    name: "profile",
    takes: Takes::Pairs("m", "m"),
    absent: Absent::Optional("flat, at 0, along the whole body"),
    doc: "where a long body is touched all along: pairs of x and the height of what it touches, straight between them; only points between the first x and the last are touched",
};

impl Builder<'_> {
    /// Along a body a law needs a strength per unit length, if it has any.
    pub fn check_along(&mut self, section: &Section<'_>, entry: &Entry<Touch>) -> Option<()> {
        let strengths = || entry.kind.parameters.iter().filter(|p| unit(p).contains('N'));
        if strengths().next().is_none() || strengths().any(|p| section.table.contains_key(p.name)) {
            return Some(());
        }
        let forces: Vec<String> = strengths().map(|p| format!("`{}`", p.name)).collect();
        let message = "along a body the law needs a strength per unit length";
        let help = format!("give {}, or name one place of the body with @", forces.join(" or "));
        self.problems.push(section.problem("law", message, "").help(help));
        None
    }

    /// One contact for each point of the long body that lies within the profile.
    pub fn along(
        &mut self,
        name: &str,
        section: &Section<'_>,
        [first, second]: &[Named; 2],
        touch: &Touch,
        values: &Values,
    ) -> Option<()> {
        let (body, other, sign) = match (first.whole_length(), second.whole_length()) {
            (Some(body), None) => (body, second, 1.0),
            (None, Some(body)) => (body, first, -1.0),
            _ => return self.two_lengths(section),
        };
        if other.body.as_ref().is_some_and(|body| body.extent.is_some()) {
            return self.two_lengths(section);
        }
        let other = self.row(section, other)?;
        let profile = values.pairs.get(PROFILE.name);
        if let Some(pairs) = profile {
            self.check_profile(section, pairs)?;
        }
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
            let row = point.row.minus(&other).scaled(sign);
            let gap = touch.gap + sign * height;
            let law = match &touch.law {
                Law::Compliant(law) => Law::Compliant(Arc::new(Scaled::new(law.clone(), point.weight))),
                rigid => rigid.clone(),
            };
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

    fn check_profile(&mut self, section: &Section<'_>, pairs: &[(f64, f64)]) -> Option<()> {
        if pairs.len() >= 2 && pairs.is_sorted_by(|a, b| a.0 < b.0) {
            return Some(());
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
