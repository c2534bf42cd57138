//! Coordinates that strain forms: V = ½ψ² + (e + h·q)ψ, h·q being of coordinates that no form reads otherwise ([`hamiltone_core::form`]).
//!
//! With ℓ = h·X at the start of a step, and ψ̄ and ℓ̄ of its mean, the force on these coordinates is −hψ̄, and on the others −gT, T = ψ̄ + ℓ̄ (no input strains these forms):
//!
//!   ℓ̄ = ℓ + ½h·S₀ − ½h·h ψ̄,   ψ̄ = ψ + ½g·S₀ − ½g·GT
//!   (α⁻¹ + ½GᵀG) T = ψ + ½GᵀS₀ + α⁻¹(ℓ + ½h·S₀),   α = 1 − ½h·h,   ψ̄ = (T − ℓ − ½h·S₀)/α
//!
//! α is positive where K − hhᵀ is not negative: then the matrix is that of a sum of squares, and there is one solution as without. The change of ψℓ is
//! ψ̄Δℓ + ℓ̄Δψ, whatever the step.

use hamiltone_core::{form::Form, refusal::Refusal, row::Row, system::System};
use std::sync::Arc;

/// A coordinate with its weight in h.
type Entry = (usize, f64);

/// What strains forms.
#[derive(Clone)]
pub(super) struct Straining {
    /// h of each form, scaled, and α.
    rows: Arc<[Box<[Entry]>]>,
    alpha: Arc<[f64]>,
    /// ℓ at the start of the step, ℓ + ½h·S₀, ψ̄, and what ℓ is added up from.
    start: Vec<f64>,
    free: Vec<f64>,
    mean: Vec<f64>,
    size: Vec<f64>,
}

impl Straining {
    /// That of these forms, on coordinates that are `scale` times those of the bank, if any coordinate strains one.
    pub fn new(forms: &[Form], scale: &[f64]) -> Option<Self> {
        if forms.iter().all(|form| form.strain.is_zero()) {
            return None;
        }
        let row =
            |form: &Form| form.strain.entries().map(|(i, w)| (i, w * scale[i])).collect::<Box<[Entry]>>();
        let rows: Arc<[_]> = forms.iter().map(row).collect();
        let alpha = rows.iter().map(|row| 1.0 - 0.5 * row.iter().map(|(_, h)| h * h).sum::<f64>()).collect();
        let zero = || vec![0.0; forms.len()];
        Some(Self { rows, alpha, start: zero(), free: zero(), mean: zero(), size: zero() })
    }

    /// Refuses coordinates that are not stiff enough for what they strain, or that anything else acts on: it would be answered without them.
    pub fn refuse(scheme: &'static str, system: &System, scale: &[f64]) -> Result<(), Refusal> {
        let Some(straining) = Self::new(&system.forms, scale) else { return Ok(()) };
        let refuse = |what: String| Err(Refusal::NotCovered { scheme, what: vec![what] });
        if let Some((form, _)) = system.forms.iter().zip(&*straining.alpha).find(|(_, alpha)| **alpha <= 0.0)
        {
            return refuse(format!(
                "the form `{}`, whose strain is not held by the stiffness of what strains it",
                form.name
            ));
        }
        let strains = |row: &Row| {
            row.entries().any(|(i, w)| w != 0.0 && straining.rows.iter().flatten().any(|(j, _)| *j == i))
        };
        match system.elements.iter().find(|element| element.rows.iter().any(strains)) {
            Some(element) => {
                refuse(format!("the element `{}` on a coordinate that strains a form", element.name))
            }
            None => Ok(()),
        }
    }

    /// 1/α.
    pub fn inverse(&self, form: usize) -> f64 {
        1.0 / self.alpha[form]
    }

    /// ℓ of positions X.
    pub fn of(&self, form: usize, place: &[f64]) -> f64 {
        self.rows[form].iter().map(|(i, h)| h * place[*i]).sum()
    }

    /// ℓ at the start of a step.
    pub fn begin(&mut self, place: &[f64]) {
        for (j, row) in self.rows.iter().enumerate() {
            self.start[j] = row.iter().map(|(i, h)| h * place[*i]).sum();
            self.size[j] = row.iter().map(|(i, h)| (h * place[*i]).abs()).sum();
        }
    }

    /// α⁻¹(ℓ + ½h·S₀), S₀ being the step without forms; no input strains a form that coordinates strain.
    pub fn meet(&mut self, form: usize, moved: &[f64]) -> f64 {
        self.free[form] = self.start[form] + 0.5 * self.of(form, moved);
        self.inverse(form) * self.free[form]
    }

    /// ψ̄ of T, and its push −hψ̄.
    pub fn push(&mut self, tension: &[f64], push: &mut [f64]) {
        for (j, row) in self.rows.iter().enumerate() {
            self.mean[j] = self.inverse(j) * (tension[j] - self.free[j]);
            row.iter().for_each(|(i, h)| push[*i] -= h * self.mean[j]);
        }
    }

    /// T has become larger by `more`, and ψ̄ with it.
    pub fn answer(&mut self, more: &[f64], push: &mut [f64]) {
        for (j, row) in self.rows.iter().enumerate() {
            let mean = self.inverse(j) * more[j];
            self.mean[j] += mean;
            row.iter().for_each(|(i, h)| push[*i] -= h * mean);
        }
    }

    /// What the step did to a form, the bank having moved by S, if coordinates strain it.
    pub fn flows(&self, form: usize, moved: &[f64]) -> Option<Strained> {
        let way = self.of(form, moved);
        (!self.rows[form].is_empty()).then(|| Strained {
            given: -self.mean[form] * way,
            mean: self.mean[form],
            lengthening: self.start[form] + way,
            size: self.size[form],
        })
    }
}

/// What a step did to a form that coordinates strain.
pub(super) struct Strained {
    /// J, to these coordinates.
    pub given: f64,
    /// ψ̄.
    pub mean: f64,
    /// ℓ at the end of the step, and what it is added up from.
    pub lengthening: f64,
    pub size: f64,
}
