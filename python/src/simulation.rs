//! Steps in blocks, with arrays of the caller.

use crate::running::watched;
use hamiltone_core::{
    audit::Audit, checksum, ledger::Bookkeeping, refusal::Refusal, saved::Mismatch, saved::Saved, simulation,
    state::Archive,
};
use hamiltone_scene::{Plan, plan::Drive};
use numpy::{PyArray1, PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::{
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::sync::atomic::{AtomicBool, Ordering};

/// How many steps are taken before signals are looked for.
const BLOCK: usize = 1024;

/// The most steps of a call that is not watched.
const SHORT: usize = 4096;
/// The most steps of a run: all numbers up to it are numbers of 64-bit floating point.
const MAX_STEPS: u64 = 1 << 53;

/// A scene that is stepped by its caller.
#[pyclass(module = "hamiltone._hamiltone")]
pub struct Simulation {
    inner: simulation::Simulation,
    drives: Vec<Drive>,
    pickups: Vec<String>,
    rate: f64,
    steps: u64,
    audit: Audit,
    bound: f64,
    /// The drives at both ends of the steps of a block.
    input: Vec<f64>,
}

impl Simulation {
    /// The plan prepared, at its initial condition.
    ///
    /// # Errors
    /// The refusal of the scheme.
    pub fn new(plan: Plan) -> Result<Self, Refusal> {
        let rate = plan.internal_rate();
        let inner = plan.scheme.prepare(&plan.system, 1.0 / rate)?;
        let mut this = Self {
            audit: Audit::open(0.0, inner.balance()),
            inner,
            pickups: plan.pickups.into_iter().map(|pickup| pickup.name).collect(),
            drives: plan.drives,
            rate,
            steps: 0,
            bound: plan.balance_bound,
            input: Vec::new(),
        };
        this.begin();
        Ok(this)
    }

    fn begin(&mut self) {
        self.steps = 0;
        self.read_drives(0);
        let stored = self.inner.reset(&self.input);
        self.audit = Audit::open(stored, self.inner.balance());
    }

    /// The drives of the scene at the ends of the next steps.
    fn read_drives(&mut self, steps: usize) {
        self.input.clear();
        for step in self.steps..=self.steps + steps as u64 {
            let t = step as f64 / self.rate;
            self.input.extend(self.drives.iter().map(|drive| drive.signal.value(t)));
        }
    }

    /// Takes a block of steps and tells how many; `given` has the inputs where the caller gives them.
    fn block(&mut self, given: Option<&[f64]>, output: &mut [f64], steps: usize) -> usize {
        if given.is_none() {
            self.read_drives(steps);
        }
        let Self { inner, audit, input, .. } = self;
        let full = |_: usize| Bookkeeping::Full;
        let input = given.unwrap_or(input);
        let done =
            simulation::run_block(inner, input, output, steps, &full, &mut |ledger| audit.post(ledger));
        self.steps += done as u64;
        done
    }
}

#[pymethods]
impl Simulation {
    /// The names of the drives: the columns of inputs.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.drives.iter().map(|drive| drive.name.clone()).collect()
    }

    /// The names of the pickups: the columns of outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.pickups.clone()
    }

    /// Steps per second.
    #[getter]
    fn rate(&self) -> f64 {
        self.rate
    }

    /// Steps so far.
    #[getter]
    fn steps(&self) -> u64 {
        self.steps
    }

    /// t, s.
    #[getter]
    fn time(&self) -> f64 {
        self.steps as f64 / self.rate
    }

    /// The positions now.
    #[getter]
    fn q<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.inner.motion().q)
    }

    /// The velocities now.
    #[getter]
    fn v<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.inner.motion().v)
    }

    /// Steps of as many rows as `out` has, which receives the pickups after each; `inputs` has one row more, the values at the
    /// ends of the steps, or else the drives of the scene are played.
    #[pyo3(signature = (out, inputs=None))]
    fn run(
        &mut self,
        py: Python<'_>,
        mut out: PyReadwriteArray2<'_, f64>,
        inputs: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<()> {
        let (steps, columns) = (out.shape()[0], out.shape()[1]);
        if columns != self.pickups.len() {
            return Err(PyValueError::new_err(format!(
                "out has {columns} columns; it takes {}, one for each pickup",
                self.pickups.len()
            )));
        }
        let count = self.drives.len();
        if let Some(inputs) = &inputs
            && inputs.shape() != [steps + 1, count]
        {
            return Err(PyValueError::new_err(format!(
                "inputs is {} × {}; {steps} steps take {} × {count}: the values at the ends of all steps, one column for each drive",
                inputs.shape()[0],
                inputs.shape()[1],
                steps + 1
            )));
        }
        let contiguous = "must be contiguous in memory, row by row: see numpy.ascontiguousarray";
        let given = inputs.as_ref().map(|inputs| inputs.as_slice()).transpose();
        let given = given.map_err(|_| PyValueError::new_err(format!("inputs {contiguous}")))?;
        let output = out.as_slice_mut().map_err(|_| PyValueError::new_err(format!("out {contiguous}")))?;
        if self.audit.fault.is_some() {
            return Err(PyRuntimeError::new_err("the run has ended with a fault; call reset()"));
        }
        let never = AtomicBool::new(false);
        let mut all = |stop: &AtomicBool| {
            let mut done = 0;
            while done < steps && self.audit.fault.is_none() && !stop.load(Ordering::Relaxed) {
                let rows = BLOCK.min(steps - done);
                let part = given.map(|given| &given[done * count..(done + rows + 1) * count]);
                done += self.block(part, &mut output[done * columns..(done + rows) * columns], rows);
            }
            done
        };
        // A short call is over before a signal could be looked for, and before a thread could be started.
        let done = match steps <= SHORT {
            true => py.detach(|| all(&never)),
            false => watched(py, None, |watch| all(&watch.stop))?,
        };
        match self.audit.fault {
            Some((step, fault)) => {
                output[done * columns..].fill(f64::NAN);
                Err(PyRuntimeError::new_err(format!(
                    "step {step} (t = {} s): {fault}",
                    step as f64 / self.rate
                )))
            }
            None => Ok(()),
        }
    }

    /// The energy balance so far.
    fn balance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let audit = &self.audit;
        let dict = PyDict::new(py);
        dict.set_item("ok", audit.ok(self.bound))?;
        dict.set_item("steps", audit.steps)?;
        dict.set_item("stored_initial", audit.energy_initial)?;
        dict.set_item("stored", audit.energy_final)?;
        dict.set_item("stored_peak", audit.energy_peak)?;
        dict.set_item("dissipated", audit.dissipated)?;
        dict.set_item("supplied", audit.supplied)?;
        dict.set_item("contact_work", audit.contact_work)?;
        dict.set_item("residual_max_relative", audit.residual_max_relative())?;
        dict.set_item("residual_tolerance", audit.tolerance(self.bound))?;
        Ok(dict)
    }

    /// Back to the initial condition.
    fn reset(&mut self) {
        self.begin();
    }

    /// The complete state, with the energy balance so far: a simulation of the same scene continues from it with the same bits.
    fn save<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut balance = Vec::new();
        self.audit.archive(&mut Archive::Write(&mut balance));
        let mut bytes = self.steps.to_le_bytes().to_vec();
        bytes.extend((balance.len() as u64).to_le_bytes());
        bytes.extend(balance.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(self.inner.save().to_bytes());
        checksum::seal(&mut bytes);
        PyBytes::new(py, &bytes)
    }

    /// Continues from a saved state. Where it is refused, nothing is changed.
    fn restore(&mut self, state: &[u8]) -> PyResult<()> {
        let wrong = |mismatch: Mismatch| PyValueError::new_err(mismatch.to_string());
        let damaged = || PyValueError::new_err("these are not the bytes of a saved state of this version");
        let state = checksum::unseal(state).ok_or_else(|| wrong(Mismatch::Damaged))?;
        let number = |bytes: &[u8], at: usize| {
            let bytes = bytes.get(8 * at..)?.first_chunk::<8>()?;
            Some(u64::from_le_bytes(*bytes))
        };
        let steps = number(state, 0).filter(|steps| *steps < MAX_STEPS).ok_or_else(damaged)?;
        let count = number(state, 1).filter(|count| *count < 1 << 10).ok_or_else(damaged)? as usize;
        let numbers: Option<Vec<f64>> =
            (2..2 + count).map(|i| number(state, i).map(f64::from_bits)).collect();
        let numbers = numbers.ok_or_else(damaged)?;
        if numbers.iter().any(|x| x.is_nan()) {
            return Err(wrong(Mismatch::NotFinite));
        }
        let mut audit = Audit::open(0.0, self.inner.balance());
        let mut archive = Archive::Read(&numbers);
        audit.archive(&mut archive);
        if !archive.is_read() {
            return Err(damaged());
        }
        let saved = Saved::from_bytes(&state[8 * (2 + count)..]).map_err(wrong)?;
        self.inner.restore(&saved).map_err(wrong)?;
        (self.steps, self.audit) = (steps, audit);
        Ok(())
    }
}
