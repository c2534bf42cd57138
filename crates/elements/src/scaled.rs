//! A law times a factor: the share w of a barrier that one point of a long body meets.
//!
//!   V = w V₀,   f = w f₀(x)(1 + μẋ)
//!
//! w > 0 is the factor, such as the length (m) that the point stands for where V₀ is per metre; onset and loss stay.

use hamiltone_core::law::Potential;
use std::sync::Arc;

/// w V₀.
///
/// ```
/// use hamiltone_elements::{Power, Scaled};
/// use hamiltone_core::law::Potential;
/// use std::sync::Arc;
///
/// let per_metre = Arc::new(Power::new(1e9, 1.5)?);
/// let share = Scaled::new(per_metre.clone(), 2e-3);
/// assert_eq!(share.force(1e-4), 2e-3 * per_metre.force(1e-4));
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scaled {
    law: Arc<dyn Potential>,
    factor: f64,
}

impl Scaled {
    /// `law` times `factor` > 0.
    pub fn new(law: Arc<dyn Potential>, factor: f64) -> Self {
        Self { law, factor }
    }
}

impl Potential for Scaled {
    fn energy(&self, x: f64) -> f64 {
        self.factor * self.law.energy(x)
    }

    fn force(&self, x: f64) -> f64 {
        self.factor * self.law.force(x)
    }

    fn curvature(&self, x: f64) -> f64 {
        self.factor * self.law.curvature(x)
    }

    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let (mean, slope) = self.law.quotient(x, s);
        (self.factor * mean, self.factor * slope)
    }

    fn onset(&self) -> f64 {
        self.law.onset()
    }

    fn loss(&self) -> f64 {
        self.law.loss()
    }

    fn monomial(&self) -> Option<(f64, f64)> {
        self.law.monomial().map(|(stiffness, alpha)| (self.factor * stiffness, alpha))
    }
}
