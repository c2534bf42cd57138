//! The lowest modes of one body on a grid that bend, found numerically.

use crate::{
    modal::Mode,
    reduction::{Component, Keep, ReductionError, reduce},
    sounding::{self, are_hidden},
};
use hamiltone_core::{body::Body, parameter::Complaint, system::System};

/// The second of two rigid motions lies below this part of the first mode that bends, and a single one below
/// [`ONE`] of the second. Eigenvalues have an error of some eps of the largest, which makes a rigid motion on a
/// grid of 4000 intervals 6 % of the first mode of a bar; bent modes are 5.7 % (clamped and free) of the third, but then 36 % of it.
const TWO: f64 = 0.1;
const ONE: f64 = 0.03;
/// The most rigid motions of a line.
const MOST_RIGID: usize = 2;

/// How many of the lowest frequencies of a line, ascending, three at least, are those of rigid motions.
pub fn rigid_motions(lowest: &[f64]) -> usize {
    match lowest {
        [_, second, third, ..] if *second < TWO * third => 2,
        [first, _, third, ..] if *first < ONE * third => 1,
        _ => 0,
    }
}

/// So many modes of a body, the lowest first, rigid motions left out. `about` names the parameter that needs them.
///
/// # Errors
/// A [`Complaint`] where the body is none, or its modes cannot be found.
pub(crate) fn lowest(body: &dyn Body, count: usize, about: &'static str) -> Result<Vec<Mode>, Complaint> {
    let mut system = System::default();
    let dofs = body.add_to(&mut system, "body")?.dofs.collect();
    let unresolved = |error: ReductionError| sounding::unresolved(about, &error);
    // Where rounding hides the lowest they are no modes, and to turn so many about each other takes minutes.
    if are_hidden(&system) {
        return Err(unresolved(ReductionError::Unresolved { name: "body".into() }));
    }
    let keep = Keep::Lowest(count + MOST_RIGID);
    let component = Component { name: "body".into(), dofs, keep, losses: Vec::new(), supports: Vec::new() };
    let mut reduction = reduce(&system, &[component]).map_err(unresolved)?;
    let modes = reduction.components.pop().map(|component| component.modes).unwrap_or_default();
    let lowest: Vec<f64> = modes.iter().take(3).map(|mode| mode.omega).collect();
    Ok(modes.iter().skip(rigid_motions(&lowest)).take(count).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bar;

    #[test]
    fn rigid_motions_are_told_from_bent_ones() {
        // (β/β₃)² of clamped and free, and hinged ends; free ends on a grid of 4000 intervals; one hinged end.
        assert_eq!(rigid_motions(&[0.057, 0.357, 1.0]), 0);
        assert_eq!(rigid_motions(&[0.111, 0.444, 1.0]), 0);
        assert_eq!([0.0, 0.056].map(|rigid| rigid_motions(&[0.0, rigid, 1.0])), [2, 2]);
        assert_eq!([0.0, 0.02].map(|rigid| rigid_motions(&[rigid, 0.31, 1.0])), [1, 1]);
    }

    /// Of 60 intervals between clamped ends, the least exact, it is some parts in a thousand flat.
    #[test]
    fn the_first_partial_of_a_grid_is_that_of_theory() {
        use crate::End::{Clamped, Free, Hinged};
        for ends in [[Free, Free], [Clamped, Free], [Hinged, Free], [Hinged, Hinged], [Clamped, Clamped]] {
            let bar = Bar::new(0.35, 0.6, 60.0).unwrap().with_ends(ends);
            let modes = lowest(&bar.on_grid(60).unwrap(), 1, "").unwrap();
            let ratio = modes[0].omega / (std::f64::consts::TAU * bar.partial(1).unwrap());
            assert!((ratio - 1.0).abs() < 0.02, "{ends:?}: {ratio}");
        }
    }

    /// On fine grids roundings make rigid motions a few per cent of the first partial.
    #[test]
    fn rigid_motions_of_fine_grids_are_left_out() {
        for (n, depth) in [1000, 2000, 3000].into_iter().flat_map(|n| [0.3, 0.5, 0.8].map(|depth| (n, depth)))
        {
            let bar = Bar::new(0.35, 0.6, 60.0).unwrap();
            let bar = bar.shaped(move |x: f64| if (0.12..0.23).contains(&x) { depth } else { 1.0 });
            let [coarse, fine] =
                [100, n].map(|n| lowest(&bar.clone().on_grid(n).unwrap(), 1, "").unwrap()[0].omega);
            assert!((fine / coarse - 1.0).abs() < 0.05, "{n} {depth}: {fine} {coarse}");
        }
    }
}
