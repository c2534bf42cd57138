//! The values of the drives at the step ends of a block.

use hamiltone_plan::Plan;

/// The values of the drives at the step ends of a block.
pub(crate) struct Inputs<'a> {
    plan: &'a Plan,
    rate: f64,
    /// The step at which `values` end.
    step: u64,
    /// All drives at one step end after the other.
    values: Vec<f64>,
}

impl<'a> Inputs<'a> {
    /// The values at t = 0; `rate` is the internal one, Hz.
    pub fn new(plan: &'a Plan, rate: f64) -> Self {
        let mut inputs = Self { plan, rate, step: 0, values: Vec::new() };
        inputs.go_to(0);
        inputs
    }

    /// The values at the end of this step.
    pub fn go_to(&mut self, step: u64) {
        self.step = step;
        self.values.clear();
        self.append();
    }

    /// The values so far.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    fn append(&mut self) {
        let t = self.step as f64 / self.rate;
        self.values.extend(self.plan.drives.iter().map(|drive| drive.signal.value(t)));
    }

    /// The values at both ends of the next `frames` steps: frames + 1 rows, the first where the first step begins. It
    /// continues at `step`, where the previous ones ended.
    pub fn advance(&mut self, step: u64, frames: usize) -> &[f64] {
        if self.step == step {
            let count = self.plan.drives.len();
            self.values.drain(..self.values.len() - count);
        } else {
            // The block before ended early.
            self.go_to(step);
        }
        for _ in 0..frames {
            self.step += 1;
            self.append();
        }
        &self.values
    }
}
