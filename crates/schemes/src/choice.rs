//! Which schemes run a system: looked up in their coverage and limits, so that no scheme names another.

use crate::{catalogue::catalogue, eigenfrequencies};
use hamiltone_core::{
    claims::Balance,
    coverage::{Feature, Need, requirements},
    parameter::Values,
    scheme::Scheme,
    system::System,
};
use std::fmt::Write;

/// The schemes, with their options at their defaults.
fn schemes() -> impl Iterator<Item = Box<dyn Scheme>> {
    catalogue().iter().filter_map(|entry| (entry.make)(&Values::defaults(entry.kind.parameters)).ok())
}

/// The names of the schemes that cover `system` and are stable at the step `dt` (s), in the order of the catalogue.
///
/// The system must be valid ([`hamiltone_core::check`]). What only the arithmetic of a scheme can tell, such as numbers
/// beyond its range, is not looked at.
pub fn alternatives(system: &System, dt: f64) -> Vec<&'static str> {
    let covering: Vec<Box<dyn Scheme>> = schemes().filter(|s| s.coverage().covers_system(system)).collect();
    // The highest frequency takes a while to find: only where a limit asks for it.
    let limited = covering.iter().any(|scheme| scheme.claims().limit.is_some());
    let highest = if limited { eigenfrequencies::highest(system) } else { 0.0 };
    let stable = |scheme: &dyn Scheme| scheme.claims().limit.is_none_or(|limit| highest * dt.abs() < limit);
    covering.iter().filter(|scheme| stable(&***scheme)).map(|scheme| scheme.name()).collect()
}

/// The names of the schemes that cover all that `system` needs but the springs and dampers of grids, which it has no more where
/// bodies are represented by their modes, in the order of the catalogue.
pub fn covering_by_modes(system: &System) -> Vec<&'static str> {
    // Modes decouple a body, so its springs and dampers between coordinates become diagonal.
    let of_grids = [Need::Feature(Feature::CoupledStiffness), Need::Feature(Feature::CoupledDamping)];
    let needs: Vec<Need> = requirements(system).into_iter().map(|r| r.need).collect();
    let covers = |scheme: &dyn Scheme| {
        needs.iter().all(|need| of_grids.contains(need) || scheme.coverage().covers(*need))
    };
    schemes().filter(|scheme| covers(&**scheme)).map(|scheme| scheme.name()).collect()
}

/// The scheme for whoever names none: the first of the catalogue that covers `system` with an exact balance.
///
/// ```
/// use hamiltone_core::system::System;
///
/// let mut system = System::default();
/// system.add_dof(0.1, 0.0, 1.0);
/// assert_eq!(hamiltone_schemes::preferred(&system).map(|scheme| scheme.name()), Some("modal-ec"));
/// ```
pub fn preferred(system: &System) -> Option<Box<dyn Scheme>> {
    // The claim is read for this system: a scheme may be exact without contacts only.
    let exact = |scheme: &dyn Scheme| scheme.claims().balance(system).is_exact();
    schemes().find(|scheme| scheme.coverage().covers_system(system) && exact(&**scheme))
}

/// What each scheme covers and promises, as a table in Markdown: one line a scheme, with the options at their defaults.
pub fn coverage_table() -> String {
    let mut table = String::from("| scheme |");
    for feature in Feature::ALL {
        // Writing into a `String` cannot fail.
        let _ = write!(table, " {} |", feature.label());
    }
    table.push_str(" exact balance | order | limit of ωΔt |\n|---|");
    table.push_str(&"---|".repeat(Feature::ALL.len() + 3));
    table.push('\n');
    for scheme in schemes() {
        let (coverage, claims) = (scheme.coverage(), scheme.claims());
        let _ = write!(table, "| `{}` |", scheme.name());
        for feature in Feature::ALL {
            table.push_str(if coverage.features.contains(&feature) { " yes |" } else { " – |" });
        }
        let balance = match (claims.linear, claims.contact) {
            (Balance::Exact { .. }, Balance::Exact { .. }) => "always",
            (Balance::Exact { .. }, Balance::Bounded) => "without contacts",
            (Balance::Bounded, _) => "–",
        };
        let order = if claims.order == claims.order_free {
            claims.order.to_string()
        } else {
            format!("{}, {} without damping and drives", claims.order, claims.order_free)
        };
        let limit = claims.limit.map_or("none".into(), |limit| format!("{limit:.4}"));
        let _ = writeln!(table, " {balance} | {order} | {limit} |");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{
        element::{Element, Law},
        operator::Operator,
        row::Row,
        system::Block,
    };

    #[test]
    fn alternatives_cover_the_system_and_are_stable() {
        let mut system = System::default();
        system.add_dof(1.0, 0.0, 0.0);
        let stiffness = Operator::Diagonal(vec![1e10]);
        system.blocks.push(Block { name: "one".into(), dofs: 0..1, stiffness, damping: Operator::Zero });
        // ω = 1e5: at 48 kHz ωΔt = 2.08.
        let names = alternatives(&system, 1.0 / 48_000.0);
        assert!(names.contains(&"ec") && !names.contains(&"leapfrog"), "{names:?}");
        assert!(alternatives(&system, 1.0 / 96_000.0).contains(&"leapfrog"));
        system.elements.push(Element::new("stop", Row::unit(0), 0.0, Law::Rigid { restitution: 0.0 }));
        let names = alternatives(&system, 1.0 / 48_000.0);
        assert!(!names.is_empty() && !names.contains(&"ec"), "{names:?}");
    }
}
