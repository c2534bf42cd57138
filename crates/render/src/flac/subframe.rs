//! One channel of a block.
//!
//! The fixed predictor of order p leaves the p-th difference: e = Δᵖx. The order with the smallest Σ|e| is taken, unless the
//! samples are all the same or take fewer bits as they are.

use super::{bits::Bits, rice::Partitions};

/// The highest order of the fixed predictors.
const MAX_ORDER: usize = 4;

/// How a channel is written.
pub struct Subframe {
    samples: Vec<i64>,
    /// The bits of a sample.
    width: u32,
    coding: Coding,
    /// All its bits.
    pub bits: u64,
}

enum Coding {
    /// The first sample stands for all.
    Constant,
    /// The samples as they are.
    Verbatim,
    /// The predictor of this order, and the residuals that it leaves.
    Fixed(usize, Vec<i64>, Partitions),
}

impl Subframe {
    /// The shortest of these codings of the samples of a channel, which have so many bits each.
    pub fn best(samples: Vec<i64>, width: u32) -> Self {
        const TYPE: u64 = 8;
        let (count, width_bits) = (samples.len() as u64, u64::from(width));
        if samples.windows(2).all(|pair| pair[0] == pair[1]) {
            return Self { samples, width, coding: Coding::Constant, bits: TYPE + width_bits };
        }
        let (order, residuals) = predicted(&samples);
        let partitions = Partitions::best(&residuals, samples.len());
        let fixed = (TYPE + order as u64 * width_bits).saturating_add(partitions.bits);
        let verbatim = TYPE + count * width_bits;
        if fixed < verbatim {
            return Self { samples, width, coding: Coding::Fixed(order, residuals, partitions), bits: fixed };
        }
        Self { samples, width, coding: Coding::Verbatim, bits: verbatim }
    }

    /// Writes it.
    pub fn write(&self, out: &mut Bits<'_>) {
        // A zero, six bits of the kind, and no bits that are zero in all samples.
        let kind = match self.coding {
            Coding::Constant => 0,
            Coding::Verbatim => 1,
            Coding::Fixed(order, ..) => 8 + order as u64,
        };
        out.put(kind << 1, 8);
        let plain = match &self.coding {
            Coding::Constant => 1,
            Coding::Verbatim => self.samples.len(),
            Coding::Fixed(order, ..) => *order,
        };
        self.samples[..plain].iter().for_each(|x| out.put_signed(*x, self.width));
        if let Coding::Fixed(_, residuals, partitions) = &self.coding {
            partitions.write(residuals, self.samples.len(), out);
        }
    }
}

/// The order with the smallest Σ|Δᵖx|, and Δᵖx.
fn predicted(samples: &[i64]) -> (usize, Vec<i64>) {
    let size = |differences: &[i64]| differences.iter().map(|e| e.unsigned_abs()).sum::<u64>();
    let mut differences = samples.to_vec();
    let mut best = (size(&differences), 0, differences.clone());
    for order in 1..=MAX_ORDER.min(samples.len() - 1) {
        differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let size = size(&differences);
        if size < best.0 {
            best = (size, order, differences.clone());
        }
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_predicted_to_the_end() {
        let cubic: Vec<i64> = (0..64).map(|n| n * n * n - 40 * n * n + 7).collect();
        let (order, residuals) = predicted(&cubic);
        assert_eq!((order, residuals), (4, vec![0; 60]));
        assert!(matches!(Subframe::best(vec![5; 9], 16).coding, Coding::Constant));
        let noise: Vec<i64> = (0..64).map(|n: i64| (n * n * 7919 % 65_536) - 32_768).collect();
        assert!(matches!(Subframe::best(noise, 16).coding, Coding::Verbatim));
    }
}
