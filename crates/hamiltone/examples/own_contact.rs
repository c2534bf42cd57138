//! A contact law of your own: a felt that hardens, V(x) = K d² (cosh(x/d) − 1) for x = c·q − h > 0. It gives V, V′, V″
//! and the quotient (V(x + s) − V(x))/s without cancellation: every scheme that covers compliant contacts runs it.

use hamiltone::core::element::{Compliant, Element, Law};
use hamiltone::core::{
    audit::Audit, body::Body, identity::Identity, ledger::Bookkeeping, potential::Potential, row::Row,
    system::System,
};
use hamiltone::numerics::math::{cosh, sinh};
use hamiltone::{bodies::Mass, schemes};
use std::error::Error;

/// K, N/m, and d, m.
#[derive(Debug)]
struct HardeningFelt {
    stiffness: f64,
    depth: f64,
}

impl Potential for HardeningFelt {
    fn energy(&self, x: f64) -> f64 {
        // cosh z − 1 = 2 sinh²(z/2): without the cancellation of small z.
        let half = sinh(0.5 * x.max(0.0) / self.depth);
        2.0 * self.stiffness * self.depth * self.depth * half * half
    }
    fn force(&self, x: f64) -> f64 {
        self.stiffness * self.depth * sinh(x.max(0.0) / self.depth)
    }
    fn curvature(&self, x: f64) -> f64 {
        if x > 0.0 { self.stiffness * cosh(x / self.depth) } else { 0.0 }
    }
    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let (from, to) = (x.max(0.0) / self.depth, (x + s).max(0.0) / self.depth);
        // cosh a − cosh b = 2 sinh((a + b)/2) sinh((a − b)/2), over the way s; at s = 0 it is the force.
        let half = 0.5 * (to - from);
        let ratio = if half == 0.0 { 1.0 } else { sinh(half) / half };
        let inside = if s == 0.0 { 1.0 } else { (to - from) * self.depth / s };
        let mean = self.stiffness * self.depth * sinh(0.5 * (to + from)) * ratio * inside;
        // Newton's method needs no more than about the right slope.
        let slope = if s == 0.0 { 0.5 * self.curvature(x) } else { (self.force(x + s) - mean) / s };
        (mean, slope.max(0.0))
    }
    fn identity(&self) -> Identity {
        Identity::of("hardening felt").number(self.stiffness).number(self.depth)
    }
    fn onset(&self) -> f64 {
        0.0
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut system = System::default();
    // A hammer of 10 g flies at 2 m/s against the felt at x = 0.
    Mass::new(0.01)?.with_initial(-1e-3, 2.0)?.add_to(&mut system, "hammer")?;
    let felt = Compliant::new(HardeningFelt { stiffness: 2e4, depth: 5e-4 });
    system.elements.push(Element::new("felt", Row::unit(0), 0.0, Law::Compliant(felt)));

    let scheme = schemes::named("ec").expect("`ec` is in the catalogue");
    let mut simulation = scheme.prepare(&system, 1.0 / 48_000.0)?;
    let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
    while audit.steps < 480 {
        audit.post(&simulation.step(&[], Bookkeeping::Full));
    }
    println!("thrown back at {:.6} m/s", simulation.motion().v[0]);
    println!(
        "energy residual {:.1e} (tolerance {:.1e})",
        audit.residual_max_relative(),
        audit.tolerance(0.0)
    );
    if audit.ok(0.0) { Ok(()) } else { Err("the balance does not hold".into()) }
}
