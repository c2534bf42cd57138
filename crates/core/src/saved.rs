//! A complete state as bytes: what a run is continued from in another process.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0–7 | `HTSTATE5` |
//! | 8–15 | the fingerprint of the system, the scheme with its options and the step: see `fingerprint.rs` |
//! | 16–23 | Δt, s, as an IEEE 754 double |
//! | 24–27, then so many | the length of the scheme's name, the name in UTF-8 |
//! | 8, then 8 each | how many numbers, the numbers as IEEE 754 doubles |
//! | 8 | the check sum of all bytes before it: see `checksum.rs` |
//!
//! All numbers are little-endian; every NaN has the same bits.

use crate::checksum;
use hamiltone_numerics::math::canonical;
use std::fmt;

/// The first bytes of a saved state.
const MAGIC: &[u8; 8] = b"HTSTATE5";

/// A complete state.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The scheme that saved it.
    pub(crate) scheme: String,
    /// What tells its system and options from others.
    pub(crate) fingerprint: u64,
    /// Its time step, s.
    pub(crate) dt: f64,
    /// Every number that the next step depends on.
    pub(crate) numbers: Vec<f64>,
}

/// Why a saved state does not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// These bytes are not a saved state of this version.
    Malformed,
    /// Bytes of a saved state were changed or are missing: their check sum is another.
    Damaged,
    /// A number of it is no number, or a position or velocity is infinite: the run had ended with a fault.
    NotFinite,
    /// It was saved by another scheme: its name, and the one that was asked for.
    Scheme(String, String),
    /// It was saved at another time step, s, than this one, s.
    Step(f64, f64),
    /// It holds another count of numbers than this system and scheme have.
    Size(usize, usize),
    /// It was saved by another system or with other options of the scheme: its fingerprint, and that of this run.
    Fingerprint(u64, u64),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Malformed => {
                write!(f, "these bytes are not a saved state of this version")
            }
            Mismatch::Damaged => write!(
                f,
                "the saved state is damaged: its check sum is another, so that bytes were changed or are missing; use another copy of it"
            ),
            Mismatch::NotFinite => write!(
                f,
                "the saved state holds a number that is not finite: its run had ended with a fault; use a state from before it"
            ),
            Mismatch::Scheme(saved, own) => {
                write!(f, "the state was saved by `{saved}`, this run uses `{own}`")
            }
            Mismatch::Step(saved, own) => {
                write!(f, "the state was saved at a time step of {saved} s, this run has {own} s")
            }
            Mismatch::Size(saved, own) => {
                write!(f, "the state holds {saved} numbers, this system and scheme have {own}")
            }
            Mismatch::Fingerprint(saved, own) => write!(
                f,
                "the state was saved by another system or with other options of the scheme: its fingerprint is {saved:016x}, that of this run {own:016x}; restore it into a run of the same system, scheme, options and step"
            ),
        }
    }
}

impl std::error::Error for Mismatch {}

impl Saved {
    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(44 + self.scheme.len() + 8 * self.numbers.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.fingerprint.to_le_bytes());
        bytes.extend_from_slice(&self.dt.to_le_bytes());
        bytes.extend_from_slice(&(self.scheme.len() as u32).to_le_bytes());
        bytes.extend_from_slice(self.scheme.as_bytes());
        bytes.extend_from_slice(&(self.numbers.len() as u64).to_le_bytes());
        self.numbers.iter().for_each(|x| bytes.extend_from_slice(&canonical(*x).to_le_bytes()));
        checksum::seal(&mut bytes);
        bytes
    }

    /// The state that these bytes hold.
    ///
    /// # Errors
    /// [`Mismatch::Malformed`] where they hold none, [`Mismatch::Damaged`] where they are not as they were written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Mismatch> {
        if !bytes.starts_with(MAGIC) {
            return Err(Mismatch::Malformed);
        }
        let mut rest = &checksum::unseal(bytes).ok_or(Mismatch::Damaged)?[MAGIC.len()..];
        let fingerprint = u64::from_le_bytes(take(&mut rest)?);
        let dt = f64::from_le_bytes(take(&mut rest)?);
        let length = u32::from_le_bytes(take(&mut rest)?) as usize;
        let (name, tail) = rest.split_at_checked(length).ok_or(Mismatch::Malformed)?;
        let scheme = std::str::from_utf8(name).map_err(|_| Mismatch::Malformed)?.to_string();
        rest = tail;
        let count = u64::from_le_bytes(take(&mut rest)?);
        let (numbers, left) = rest.as_chunks::<8>();
        if !left.is_empty() || numbers.len() as u64 != count {
            return Err(Mismatch::Malformed);
        }
        let numbers = numbers.iter().map(|x| f64::from_le_bytes(*x)).collect();
        Ok(Self { scheme, fingerprint, dt, numbers })
    }

    /// Whether it continues a run whose state is like `own`.
    pub(crate) fn fits(&self, own: &Self) -> Result<(), Mismatch> {
        if self.scheme != own.scheme {
            Err(Mismatch::Scheme(self.scheme.clone(), own.scheme.clone()))
        } else if self.dt != own.dt {
            Err(Mismatch::Step(self.dt, own.dt))
        } else if self.numbers.len() != own.numbers.len() {
            Err(Mismatch::Size(self.numbers.len(), own.numbers.len()))
        } else if self.fingerprint != own.fingerprint {
            Err(Mismatch::Fingerprint(self.fingerprint, own.fingerprint))
        } else if self.numbers.iter().any(|x| x.is_nan()) {
            Err(Mismatch::NotFinite)
        } else {
            Ok(())
        }
    }
}

/// The first N bytes, which are taken off.
fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Mismatch> {
    let (head, tail) = bytes.split_first_chunk::<N>().ok_or(Mismatch::Malformed)?;
    *bytes = tail;
    Ok(*head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_every_bit_and_truncated_ones_are_refused() {
        let numbers = vec![-0.0, f64::MIN_POSITIVE, 1.0 / 3.0];
        let saved = Saved { scheme: "ec".into(), fingerprint: 1 << 40, dt: 1e-5, numbers };
        let bytes = saved.to_bytes();
        let back = Saved::from_bytes(&bytes).unwrap();
        assert_eq!((&back.scheme, back.fingerprint, back.dt), (&saved.scheme, saved.fingerprint, saved.dt));
        assert_eq!(back.numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), {
            saved.numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        });
        for length in 0..bytes.len() {
            let expected = if length < MAGIC.len() { Mismatch::Malformed } else { Mismatch::Damaged };
            assert_eq!(Saved::from_bytes(&bytes[..length]), Err(expected), "{length}");
        }
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Saved::from_bytes(&damaged).is_err(), "{bit}");
        }
    }

    #[test]
    fn every_nan_is_saved_with_the_same_bits() {
        let bytes = |x: f64| {
            Saved { scheme: "ec".into(), fingerprint: 7, dt: 1e-5, numbers: vec![0.5, x] }.to_bytes()
        };
        let negative = f64::from_bits(0xfff8_0000_0000_0001);
        assert_eq!(bytes(negative), bytes(f64::from_bits(0x7ff8_0000_0000_0000)));
    }

    #[test]
    fn states_of_other_runs_do_not_fit() {
        let own = Saved { scheme: "ec".into(), fingerprint: 7, dt: 1e-5, numbers: vec![0.0; 3] };
        assert_eq!(own.fits(&own), Ok(()));
        assert!(matches!(Saved { scheme: "ck".into(), ..own.clone() }.fits(&own), Err(Mismatch::Scheme(..))));
        assert!(matches!(Saved { dt: 2e-5, ..own.clone() }.fits(&own), Err(Mismatch::Step(..))));
        assert!(matches!(Saved { numbers: vec![0.0; 2], ..own.clone() }.fits(&own), Err(Mismatch::Size(..))));
        let other = Saved { fingerprint: 8, ..own.clone() };
        assert_eq!(other.fits(&own), Err(Mismatch::Fingerprint(8, 7)));
        let ended = Saved { numbers: vec![0.0, f64::NAN, 0.0], ..own.clone() };
        assert_eq!(ended.fits(&own), Err(Mismatch::NotFinite));
    }
}
