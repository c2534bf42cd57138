//! One block of all channels: a frame.
//!
//! Two channels are written as left and right (l, r), or with their difference s = l − r in place of one of them, or as s and
//! the mean m = ⌊(l + r)/2⌋, whatever takes the fewest bits.

use super::{
    bits::{Bits, crc8, crc16},
    subframe::Subframe,
};

/// The samples of a block; only the last one has fewer.
pub const BLOCK: usize = 4096;

/// How the channels of a block are written.
pub struct Coding {
    /// The four bits that say which.
    assignment: u64,
    subframes: Vec<Subframe>,
    /// The samples of each channel.
    length: usize,
    /// The bits of a sample.
    bits: u32,
}

impl Coding {
    /// The shortest for channels of samples of so many bits.
    pub fn best(channels: &[Vec<i32>], bits: u32) -> Self {
        let long = |channel: &[i32]| channel.iter().map(|x| i64::from(*x)).collect::<Vec<i64>>();
        let own = |channel: &Vec<i32>| Subframe::best(long(channel), bits);
        let length = channels.first().map_or(0, Vec::len);
        let coding = |assignment, subframes| Self { assignment, subframes, length, bits };
        let [left, right] = channels else {
            return coding(channels.len() as u64 - 1, channels.iter().map(own).collect());
        };
        let pairs = || left.iter().zip(right).map(|(l, r)| (i64::from(*l), i64::from(*r)));
        // A difference has one bit more.
        let side = Subframe::best(pairs().map(|(l, r)| l - r).collect(), bits + 1);
        let mid = Subframe::best(pairs().map(|(l, r)| (l + r) >> 1).collect(), bits);
        let (left, right) = (own(left), own(right));
        let ways = [(1, &left, &right), (8, &left, &side), (9, &side, &right), (10, &mid, &side)];
        let shortest = ways.into_iter().min_by_key(|(_, a, b)| a.bits + b.bits).map_or(1, |way| way.0);
        match shortest {
            8 => coding(8, vec![left, side]),
            9 => coding(9, vec![side, right]),
            10 => coding(10, vec![mid, side]),
            _ => coding(1, vec![left, right]),
        }
    }

    /// Appends the frame with this number.
    pub fn write(&self, bytes: &mut Vec<u8>, rate: u32, number: u64) {
        let begin = bytes.len();
        let full = self.length == BLOCK;
        let mut out = Bits::new(bytes);
        // The synchronisation code of blocks of one length.
        out.put(0xfff8, 16);
        out.put(if full { 12 } else { 7 }, 4);
        out.put(rate_code(rate), 4);
        out.put(self.assignment, 4);
        out.put(if self.bits == 16 { 4 } else { 6 }, 3);
        out.put(0, 1);
        coded(number, &mut out);
        if !full {
            out.put(self.length as u64 - 1, 16);
        }
        let crc = crc8(&bytes[begin..]);
        bytes.push(crc);
        let mut out = Bits::new(bytes);
        self.subframes.iter().for_each(|subframe| subframe.write(&mut out));
        out.align();
        let crc = crc16(&bytes[begin..]);
        bytes.extend(crc.to_be_bytes());
    }
}

/// The code of a common sample rate; 0 of others, which STREAMINFO has.
fn rate_code(rate: u32) -> u64 {
    let common = [88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
    common.iter().position(|known| *known == rate).map_or(0, |at| at as u64 + 1)
}

/// A number in the extended UTF-8 of FLAC: up to 36 bits in 1 to 7 bytes.
fn coded(number: u64, out: &mut Bits<'_>) {
    if number < 0x80 {
        return out.put(number, 8);
    }
    // n bytes hold 5n + 1 bits.
    let more = (1..=6).find(|more| number >> (5 * more + 6) == 0).unwrap_or(6);
    let mark = 0xff00_u64 >> (more + 1) & 0xff;
    out.put(mark | number >> (6 * more), 8);
    (0..more).rev().for_each(|i| out.put(0x80 | number >> (6 * i) & 0x3f, 8));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_coded_as_utf_8_and_beyond() {
        let bytes = |number: u64| {
            let mut bytes = Vec::new();
            coded(number, &mut Bits::new(&mut bytes));
            bytes
        };
        for c in ['a', '\u{7f}', '\u{80}', '\u{7ff}', '\u{800}', '\u{ffff}', '\u{10000}', '\u{10ffff}'] {
            assert_eq!(bytes(u64::from(u32::from(c))), c.to_string().as_bytes());
        }
        assert_eq!(bytes((1 << 31) - 1), [0xfd, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf]);
        assert_eq!(bytes((1 << 36) - 1), [0xfe, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf]);
    }
}
