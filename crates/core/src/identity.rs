//! The identity of a law or a scheme: what it is called and every number that it steps with, as 64 bits.
//!
//! A type lists by itself what it consists of. Its implementation best takes itself apart by `let Self { … }` without `..`, so that
//! the compiler refuses a new field that the list forgets; the laws of the project vary every parameter of every kind and
//! demand another identity.
//!
//! The hash is the FNV-1a of [`crate::checksum`], the same on every machine. Numbers enter as the little-endian bytes of their
//! IEEE 754 representation, counts as 64-bit integers, texts and lists with their length in front, so that no two lists
//! have the same bytes.

use crate::checksum;

/// What has been listed so far of a thing.
///
/// ```
/// use hamiltone_core::identity::Identity;
///
/// let felt = |stiffness: f64| Identity::of("felt").number(stiffness).number(2.5);
/// assert_eq!(felt(1e9), felt(1e9));
/// assert_ne!(felt(1e9), felt(1e9_f64.next_up()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Identity(u64);

impl Identity {
    /// The identity of a thing of this kind, of which nothing else is listed yet.
    pub fn of(kind: &str) -> Self {
        Self(checksum::OFFSET).text(kind)
    }

    /// With this text.
    pub fn text(self, text: &str) -> Self {
        self.count(text.len()).bytes(text.as_bytes())
    }

    /// With this number.
    pub fn number(self, x: f64) -> Self {
        self.bytes(&x.to_bits().to_le_bytes())
    }

    /// With these numbers.
    pub fn numbers(self, numbers: &[f64]) -> Self {
        self.each(numbers, |identity, x| identity.number(*x))
    }

    /// With this count, index or number of an alternative.
    pub fn count(self, count: usize) -> Self {
        self.bytes(&(count as u64).to_le_bytes())
    }

    /// With each of these things, as `add` lists one.
    pub fn each<T, I>(self, things: I, add: impl FnMut(Self, T) -> Self) -> Self
    where
        I: IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    {
        let things = things.into_iter();
        let counted = self.count(things.len());
        things.fold(counted, add)
    }

    /// With another thing that belongs to it.
    pub fn with(self, part: Identity) -> Self {
        self.bytes(&part.0.to_le_bytes())
    }

    /// The 64 bits.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    fn bytes(self, bytes: &[u8]) -> Self {
        Self(checksum::add(self.0, bytes))
    }
}
