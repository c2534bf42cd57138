//! Every scheme, one line each.

use crate::{
    explicit::{composition, ieq, iim, leapfrog, sprk, vv, vv_cs, vv_strang},
    implicit::{ck, ec, ec_cs, ec_strang, moreau_jean, mr, mr_strang, tr},
    modal::{modal_ec, modal_moreau_jean},
    one_coordinate::{average_gradient, cubic_explicit, quadratic},
};
use hamiltone_core::{
    parameter::{Entry, Values},
    scheme::Scheme,
};

/// Every scheme, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Box<dyn Scheme>>] {
    &[
        modal_ec::ENTRY,
        ec::ENTRY,
        mr::ENTRY,
        tr::ENTRY,
        ck::ENTRY,
        ec_cs::ENTRY,
        ec_strang::ENTRY,
        mr_strang::ENTRY,
        vv::ENTRY,
        vv_cs::ENTRY,
        vv_strang::ENTRY,
        iim::ENTRY,
        leapfrog::ENTRY,
        ieq::ENTRY,
        sprk::THREE,
        sprk::FOUR,
        sprk::SIX,
        sprk::VERLET,
        sprk::BLANES_MOAN,
        composition::ENTRY,
        moreau_jean::ENTRY,
        modal_moreau_jean::ENTRY,
        quadratic::ENTRY,
        average_gradient::ENTRY,
        cubic_explicit::ENTRY,
    ]
}

/// The scheme of this name with its options at their defaults.
///
/// ```
/// let ec = hamiltone_schemes::named("ec").unwrap();
/// assert_eq!(ec.claims().order, 2);
/// assert!(hamiltone_schemes::named("euler").is_none());
/// ```
pub fn named(name: &str) -> Option<Box<dyn Scheme>> {
    let entry = catalogue().iter().find(|entry| entry.kind.name == name)?;
    (entry.make)(&Values::defaults(entry.kind.parameters)).ok()
}
