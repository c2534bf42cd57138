//! The air in a wind instrument's bore, as modes that a time step realises.
//!
//!   Z(s) = p/U = Σ a_n s/(s² + 2σ_n s + ω_n²),  a_n ≥ 0   ⇔   m_n = 1/a_n,   K_n = ω_n²/a_n,   R_n = 2σ_n/a_n
//!
//! p (Pa) and U (m³/s) at the mouthpiece, the left end. In pressure coordinates Φ̇ = p a mode's mass is a compliance (m³/Pa), its stiffness the
//! inverse of an inertance, the force the flow: energies are joules, and a bore of modes with a_n ≥ 0 is passive. In the order in which
//! the data flows: `air.rs`, `boundary_layer.rs` and `transmission.rs` give Z of the geometry, `poles.rs` ω_n and σ_n, `stepped.rs` what
//! a mode is to a scheme of the step Δt, `fit.rs` a_n, `radiated.rs` the sound outside, `peaks.rs` how far the fit is off; `known.rs` keeps fits.

mod air;
mod boundary_layer;
mod fit;
mod known;
mod peaks;
mod poles;
mod radiated;
mod refine;
mod stepped;
mod target;
mod transmission;

pub use air::Air;
pub use fit::Fit;
pub use peaks::Peak;
pub use transmission::Radiation;

use hamiltone_core::parameter::{Complaint, Range};
use hamiltone_numerics::{
    complex::Complex,
    math::{exp, log},
};
use transmission::{Line, Part};

/// The largest change of the radius within a slice of a cone, as a logarithm: losses are those of its mean radius.
const SLICE: f64 = 0.06;
/// Radii and lengths, m.
const RADII: Range = Range { min: 5e-4, max: 1.0, open: false };
const LENGTHS: Range = Range { min: 1e-6, max: 20.0, open: false };

/// A straight piece of a bore.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// m.
    pub length: f64,
    /// The radius at its left end, m.
    pub left: f64,
    /// The radius at its right end, m.
    pub right: f64,
}

/// A hole in the side of a bore.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hole {
    /// Its distance from the left end, m.
    pub at: f64,
    /// b, m.
    pub radius: f64,
    /// The height of its chimney, m.
    pub height: f64,
    /// Whether it is open.
    pub open: bool,
}

/// A bore, its mouthpiece at the left, open at the right.
#[derive(Clone, Debug, PartialEq)]
pub struct Bore {
    line: Line,
    /// L, m.
    length: f64,
}

impl Bore {
    /// Pieces from left to right, whose radii may differ where they meet, and holes in any order.
    ///
    /// # Errors
    /// A [`Complaint`] where there is no piece, a size is out of range, or a hole is off the bore or wider than it.
    pub fn new(pieces: &[Piece], holes: &[Hole], air: Air, radiation: Radiation) -> Result<Self, Complaint> {
        let Some(last) = pieces.last() else {
            return Err(
                Complaint::new("profile", "has no piece").help("write at least two points [x, radius]")
            );
        };
        for piece in pieces {
            LENGTHS.check("profile", piece.length)?;
            [piece.left, piece.right].iter().try_for_each(|r| RADII.check("profile", *r).map(|_| ()))?;
        }
        let length: f64 = pieces.iter().map(|piece| piece.length).sum();
        LENGTHS.check("length", length)?;
        let mut ordered = holes.to_vec();
        ordered.sort_by(|p, q| p.at.total_cmp(&q.at));
        if let Some(hole) = ordered.iter().find(|hole| !(0.0..=length).contains(&hole.at)) {
            let message = format!("has a hole at {} m, which is not on the bore", hole.at);
            return Err(Complaint::new("holes", message).help(format!("write a place from 0 to {length} m")));
        }
        let mut parts = Vec::new();
        let (mut rest, mut start) = (ordered.into_iter().peekable(), 0.0);
        for (k, piece) in pieces.iter().enumerate() {
            let radius = |x: f64| piece.left + (piece.right - piece.left) * (x / piece.length);
            let mut from = 0.0;
            // All that are left lie on the last piece, whatever the sum of lengths rounds to.
            while let Some(hole) =
                rest.next_if(|hole| hole.at <= start + piece.length || k + 1 == pieces.len())
            {
                let at = (hole.at - start).clamp(from, piece.length);
                let tube = radius(at);
                cone(&mut parts, at - from, radius(from), tube);
                parts.push(side(hole, tube)?);
                from = at;
            }
            cone(&mut parts, piece.length - from, radius(from), piece.right);
            start += piece.length;
        }
        let line = Line { parts, end: last.right, radiation, air };
        Ok(Self { line, length })
    }

    /// Z(s), Pa s/m³, at the frequency f (Hz) where s = j2πf; with a decay where its real part is negative.
    pub fn impedance(&self, s: Complex) -> Complex {
        self.line.impedance(s)
    }

    /// Its modes for steps of Δt (s), fitted to Z up to `highest` (Hz).
    ///
    /// # Errors
    /// A [`Complaint`] where `highest` is too high for the step, or too high or too low for the bore.
    pub fn fit(&self, dt: f64, highest: f64) -> Result<Fit, Complaint> {
        let make = || fit::fit(&self.line, self.length, dt, highest);
        known::known(&self.line, [self.length, dt, highest], make)
    }
}

/// A hole as a part of a tube of this radius.
fn side(hole: Hole, tube: f64) -> Result<Part, Complaint> {
    let Hole { radius, height, open, .. } = hole;
    RADII.check("holes", radius)?;
    LENGTHS.check("holes", height)?;
    if radius > tube {
        let message = format!("has a hole of radius {radius} m in a tube of radius {tube} m");
        return Err(Complaint::new("holes", message).help(format!("write a radius of at most {tube} m")));
    }
    Ok(Part::Hole { tube, radius, height, open })
}

/// The slices of a cone, whose radii are in equal ratios.
fn cone(parts: &mut Vec<Part>, length: f64, left: f64, right: f64) {
    if length <= 0.0 {
        return;
    }
    let way = log(right / left);
    let count = (way.abs() / SLICE).ceil().max(1.0);
    let radius = |k: f64| if k < count { left * exp(way * k / count) } else { right };
    parts.extend((0..count as usize).map(|k| {
        let [from, to] = [radius(k as f64), radius((k + 1) as f64)];
        let part = if count > 1.0 { (to - from) / (right - left) } else { 1.0 };
        Part::Slice { length: length * part, left: from, right: to }
    }));
}

#[cfg(test)]
mod tests;
