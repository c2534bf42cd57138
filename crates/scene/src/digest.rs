//! SHA-256, as manifests and checkpoints print it.

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes in 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
