//! Residuals in Rice codes.
//!
//! A residual e is folded, u = 2e for e ≥ 0 and −2e − 1 below, and written as ⌊u/2ᵏ⌋ zeros, a one, and the k lowest bits of
//! u. A block is cut into 2ᵖ partitions of equal length, the first shorter by the order of the predictor, each with its k.

use super::bits::Bits;

/// The largest p.
const MAX_PARTITION_ORDER: u32 = 8;
/// The largest k of the first coding method, which has 4 bits for it; 15 there, and 31 of the 5 bits of the second, mean
/// something else.
const MAX_SHORT: u32 = 14;
/// The largest k.
const MAX_PARAMETER: u32 = 30;

/// How the residuals of a block are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Partitions {
    /// k of each partition.
    parameters: Vec<u32>,
    /// The bits of all.
    pub bits: u64,
}

/// u.
fn folded(residual: i64) -> u64 {
    (residual << 1 ^ residual >> 63) as u64
}

/// The residuals of each of 2ᵖ partitions of a block.
fn partitions(residuals: &[i64], block: usize, order: u32) -> impl Iterator<Item = &[i64]> {
    let (length, warm_up) = (block >> order, block - residuals.len());
    (0..1_usize << order)
        .map(move |i| &residuals[(i * length).saturating_sub(warm_up)..(i + 1) * length - warm_up])
}

/// k and bits of a partition: of the k beside log₂ of the mean the best.
fn best(residuals: &[i64]) -> (u32, u64) {
    let sum: u64 = residuals.iter().map(|e| folded(*e)).sum();
    let middle = (sum / residuals.len().max(1) as u64).checked_ilog2().unwrap_or(0);
    let bits = |k: u32| -> u64 {
        let high: u64 = residuals.iter().map(|e| folded(*e) >> k).sum();
        high + residuals.len() as u64 * u64::from(1 + k)
    };
    let near = middle.saturating_sub(1)..=(middle + 1).min(MAX_PARAMETER);
    near.map(|k| (k, bits(k))).min_by_key(|(_, bits)| *bits).unwrap_or((0, 0))
}

impl Partitions {
    /// The shortest of the codings of the residuals of a block of so many samples.
    pub fn best(residuals: &[i64], block: usize) -> Self {
        let warm_up = block - residuals.len();
        let fits = |order: &u32| block.is_multiple_of(1 << order) && block >> order > warm_up;
        let coding = |order: u32| {
            let parts = partitions(residuals, block, order).map(best);
            let (parameters, bits): (Vec<u32>, Vec<u64>) = parts.unzip();
            let mut coding = Self { parameters, bits: 0 };
            let own = coding.parameter_bits() as u64 * coding.parameters.len() as u64;
            coding.bits = 6 + own + bits.iter().sum::<u64>();
            coding
        };
        let all = (0..=MAX_PARTITION_ORDER).filter(fits).map(coding);
        all.min_by_key(|coding| coding.bits).unwrap_or(Self { parameters: vec![0], bits: u64::MAX })
    }

    /// The bits of a k.
    fn parameter_bits(&self) -> u32 {
        if self.parameters.iter().all(|k| *k <= MAX_SHORT) { 4 } else { 5 }
    }

    /// Writes the residuals of a block.
    pub fn write(&self, residuals: &[i64], block: usize, out: &mut Bits<'_>) {
        let order = self.parameters.len().ilog2();
        out.put(u64::from(self.parameter_bits() - 4), 2);
        out.put(u64::from(order), 4);
        for (part, k) in partitions(residuals, block, order).zip(&self.parameters) {
            out.put(u64::from(*k), self.parameter_bits());
            for u in part.iter().map(|e| folded(*e)) {
                out.put_unary(u >> k);
                out.put(u, *k);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits that were counted are those that are written.
    #[test]
    fn sizes_are_exact() {
        for (scale, warm_up) in [(3, 0), (900, 2), (1 << 20, 4)] {
            let residuals: Vec<i64> =
                (warm_up..4096).map(|i| (i * 7919 % (2 * scale + 1) - scale) * (1 + i / 3000)).collect();
            let coding = Partitions::best(&residuals, 4096);
            let mut bytes = Vec::new();
            let mut out = Bits::new(&mut bytes);
            coding.write(&residuals, 4096, &mut out);
            out.align();
            assert_eq!(coding.bits.div_ceil(8), bytes.len() as u64);
            // Uniform numbers up to s take log₂(2s) bits, and a Rice code at most 1.5 more.
            let least = 4096.0 * (2.0 * scale as f64).log2();
            assert!((coding.bits as f64) < least + 4096.0 * 2.5, "{} {least}", coding.bits);
        }
        assert_eq!([0, -1, 1, -2, 2].map(folded), [0, 1, 2, 3, 4]);
    }
}
