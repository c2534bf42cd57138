//! Laws and inputs of kinds that this crate does not know.
//!
//! A scheme of your own may invent a law, such as the tension of a string as a function of several strains, without a
//! change here: it states the kind in its [`crate::coverage::Coverage`] and gets at the law by a downcast. Every
//! scheme that does not state the kind refuses it by name.

use crate::identity::Identity;
use std::{any::Any, fmt::Debug};

/// A law of a kind that only some schemes know.
///
/// ```
/// use hamiltone_core::{custom::CustomLaw, identity::Identity};
/// use std::any::Any;
///
/// #[derive(Debug)]
/// struct TensionModulation { stiffness: f64 }
///
/// impl CustomLaw for TensionModulation {
///     fn kind(&self) -> &'static str { "tension modulation" }
///     fn identity(&self) -> Identity { Identity::of(self.kind()).number(self.stiffness) }
///     fn as_any(&self) -> &dyn Any { self }
/// }
///
/// let law: &dyn CustomLaw = &TensionModulation { stiffness: 2e4 };
/// assert_eq!(law.as_any().downcast_ref::<TensionModulation>().unwrap().stiffness, 2e4);
/// ```
pub trait CustomLaw: Debug + Send + Sync {
    /// Its kind, as schemes state it in their coverage.
    fn kind(&self) -> &'static str;

    /// Its kind and every number that it depends on: a saved state is recognised by them.
    fn identity(&self) -> Identity;

    /// The law itself, for the scheme that knows it.
    fn as_any(&self) -> &dyn Any;
}
