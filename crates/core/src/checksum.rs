//! The check sum of bytes that are kept: FNV-1a (Fowler, Noll and Vo) with 64 bits,
//!
//! ```text
//! h ← (h ⊕ byte)·p mod 2⁶⁴,   h = 14695981039346656037 before the first byte,   p = 2⁴⁰ + 435.
//! ```
//!
//! It is an integer arithmetic, the same on every machine. Each step is a bijection of h, p being odd: bytes that differ in one
//! place never have the same sum. Other damage is missed with a probability of 2⁻⁶⁴. It is no protection against a forger.

/// h before the first byte.
pub(crate) const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
/// p.
const PRIME: u64 = 0x0100_0000_01b3;

/// h after more bytes.
pub(crate) fn add(h: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(h, |h, byte| (h ^ u64::from(*byte)).wrapping_mul(PRIME))
}

/// The check sum of bytes.
pub fn of(bytes: &[u8]) -> u64 {
    add(OFFSET, bytes)
}

/// Appends the check sum of all bytes before it, little-endian.
pub fn seal(bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&of(bytes).to_le_bytes());
}

/// The bytes before their check sum, where it is theirs.
pub fn unseal(bytes: &[u8]) -> Option<&[u8]> {
    let (bytes, sum) = bytes.split_last_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == of(bytes)).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that the authors of FNV publish for these texts.
    #[test]
    fn sums_are_those_of_fnv_1a() {
        assert_eq!(of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn no_single_bit_may_change() {
        let mut bytes = b"a state".to_vec();
        seal(&mut bytes);
        assert_eq!(unseal(&bytes), Some(&b"a state"[..]));
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unseal(&damaged), None, "{bit}");
        }
    }
}
