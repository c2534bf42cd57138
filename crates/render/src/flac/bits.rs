//! Bits into bytes, the most significant first, and the checksums of FLAC.

/// Appends bits to bytes.
pub struct Bits<'b> {
    bytes: &'b mut Vec<u8>,
    /// The bits that are no whole byte yet, at the low end.
    open: u64,
    /// How many.
    count: u32,
}

impl<'b> Bits<'b> {
    /// Appends to `bytes`.
    pub fn new(bytes: &'b mut Vec<u8>) -> Self {
        Self { bytes, open: 0, count: 0 }
    }

    /// The lowest `count` ≤ 32 bits of a number.
    pub fn put(&mut self, number: u64, count: u32) {
        self.open = self.open << count | number & ((1 << count) - 1);
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.open >> self.count) as u8);
        }
    }

    /// A number of so many bits in two's complement.
    pub fn put_signed(&mut self, number: i64, count: u32) {
        self.put(number as u64, count);
    }

    /// So many zeros and a one.
    pub fn put_unary(&mut self, mut zeros: u64) {
        while zeros >= 32 {
            self.put(0, 32);
            zeros -= 32;
        }
        self.put(1, zeros as u32 + 1);
    }

    /// Zeros up to the next byte.
    pub fn align(&mut self) {
        self.put(0, (8 - self.count) % 8);
    }
}

/// CRC-8, x⁸ + x² + x + 1.
pub fn crc8(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ byte, |crc: u8, _| crc << 1 ^ if crc & 0x80 > 0 { 0x07 } else { 0 })
    })
}

/// CRC-16, x¹⁶ + x¹⁵ + x² + 1.
pub fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| crc << 8 ^ CRC16[usize::from((crc >> 8) as u8 ^ byte)])
}

/// The CRC-16 of each byte.
const CRC16: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = ((byte as u16) << 8, 0);
        while bit < 8 {
            crc = crc << 1 ^ if crc & 0x8000 > 0 { 0x8005 } else { 0 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_in_order() {
        let mut bytes = Vec::new();
        let mut bits = Bits::new(&mut bytes);
        bits.put(0b101, 3);
        bits.put_signed(-2, 5);
        bits.put_unary(3);
        bits.put_unary(40);
        bits.align();
        assert_eq!(bytes, [0b1011_1110, 0b0001_0000, 0, 0, 0, 0, 0b0000_1000]);
    }

    /// The check values of CRC-8/SMBUS and CRC-16/UMTS in the catalogue of parametrised CRC algorithms.
    #[test]
    fn checksums_have_their_check_values() {
        assert_eq!((crc8(b"123456789"), crc16(b"123456789")), (0xf4, 0xfee8));
    }
}
