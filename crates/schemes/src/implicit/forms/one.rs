//! One form on the coordinates that it reads, in a step of s from q.
//!
//!   ψ = ½qᵀBq + l·q,   ḡ = B(q + s/2) + l,   ψ̄ = ψ + ½ḡ·s,   T = ψ̄ + ē + h·(q + s/2)
//!
//! Where s changes by δ, ψ̄ does so by ½g⁺·δ with g⁺ = B(q + s) + l, T by that and ½h·δ, and ḡ by ½Bδ.

use hamiltone_core::{form::Form, row::Row};

/// B, l and h, by the places of coordinates in `read`.
#[derive(Debug)]
pub(super) struct StepForm {
    /// The coordinates that B and l read.
    read: Box<[usize]>,
    diagonal: Box<[f64]>,
    /// (i, j, bᵢⱼ), i < j.
    pairs: Box<[(usize, usize, f64)]>,
    linear: Box<[f64]>,
    /// h, of coordinates of its own.
    strain: Box<[(usize, f64)]>,
}

/// What a step knows of a form: numbers in √J, and what each was added up from.
#[derive(Clone, Debug, Default)]
pub(super) struct FormState {
    /// ψ and h·q at the start of the step.
    pub value: f64,
    pub size: f64,
    pub lengthening: f64,
    pub lengthening_size: f64,
    /// ψ̄ and T.
    pub mean: f64,
    mean_size: f64,
    pub tension: f64,
    tension_size: f64,
    /// ḡ of the coordinates that are read, what it is added up from, and g⁺.
    gradient: Box<[f64]>,
    gradient_size: Box<[f64]>,
    end: Box<[f64]>,
}

/// A step in the making: the positions q and velocities w = Δt v/2 at its start, and s.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub q: &'a [f64],
    pub w: &'a [f64],
    pub s: &'a [f64],
}

impl StepForm {
    pub fn new(form: &Form) -> Self {
        let entries = |row: &Row| row.entries().filter(|(_, weight)| *weight != 0.0).collect::<Vec<_>>();
        let strain = entries(&form.strain);
        let mut read: Vec<usize> = form.quadratic.iter().flat_map(|(i, j, _)| [*i, *j]).collect();
        read.extend(entries(&form.linear).iter().map(|(i, _)| *i));
        read.sort_unstable();
        read.dedup();
        let place = |i: usize| read.partition_point(|other| *other < i);
        let (mut diagonal, mut linear, mut pairs) =
            (vec![0.0; read.len()], vec![0.0; read.len()], Vec::new());
        for &(i, j, b) in &form.quadratic {
            match i == j {
                true => diagonal[place(i)] += b,
                false => pairs.push((place(i), place(j), b)),
            }
        }
        entries(&form.linear).into_iter().for_each(|(i, l)| linear[place(i)] += l);
        Self {
            diagonal: diagonal.into(),
            pairs: pairs.into(),
            linear: linear.into(),
            strain: strain.into(),
            read: read.into(),
        }
    }

    /// What a step will know of it.
    pub fn state(&self) -> FormState {
        let zeros = || vec![0.0; self.read.len()].into();
        FormState { gradient: zeros(), gradient_size: zeros(), end: zeros(), ..FormState::default() }
    }

    /// h, as a column of all coordinates; nothing where no coordinate strains it.
    pub fn straining(&self, size: usize) -> Option<Vec<f64>> {
        let mut column = vec![0.0; size];
        self.strain.iter().for_each(|(i, h)| column[*i] += h);
        (!self.strain.is_empty()).then_some(column)
    }

    /// ψ at q, and ½|q|ᵀ|B||q| + Σ|lᵢqᵢ|.
    pub fn value(&self, q: &[f64]) -> (f64, f64) {
        let (mut value, mut size) = (0.0, 0.0);
        let mut add = |term: f64| {
            value += term;
            size += term.abs();
        };
        for ((i, b), l) in self.read.iter().zip(&self.diagonal).zip(&self.linear) {
            add(0.5 * b * (q[*i] * q[*i]));
            add(l * q[*i]);
        }
        self.pairs.iter().for_each(|(i, j, b)| add(b * (q[self.read[*i]] * q[self.read[*j]])));
        (value, size)
    }

    /// h·q.
    pub fn lengthening(&self, q: &[f64]) -> f64 {
        self.strain.iter().map(|(i, h)| h * q[*i]).sum()
    }

    /// A step begins at q.
    pub fn begin(&self, q: &[f64], state: &mut FormState) {
        (state.value, state.size) = self.value(q);
        state.lengthening = self.lengthening(q);
        state.lengthening_size = self.strain.iter().map(|(i, h)| (h * q[*i]).abs()).sum();
    }

    /// ḡ, ψ̄ and T of a step, ē being the mean of what inputs strain.
    pub fn meet(&self, Step { q, w, s }: Step, strain: f64, state: &mut FormState) {
        let FormState { gradient, gradient_size, end, .. } = state;
        let middle = |k: usize| q[self.read[k]] + 0.5 * s[self.read[k]];
        // s was added up from w and its change.
        let size = |k: usize| {
            let i = self.read[k];
            q[i].abs() + w[i].abs() + 0.5 * s[i].abs()
        };
        for (k, (b, l)) in self.diagonal.iter().zip(&self.linear).enumerate() {
            gradient[k] = b * middle(k) + l;
            gradient_size[k] = b.abs() * size(k) + l.abs();
            end[k] = 0.5 * b * s[self.read[k]];
        }
        for &(i, j, b) in &self.pairs {
            gradient[i] += b * middle(j);
            gradient[j] += b * middle(i);
            gradient_size[i] += b.abs() * size(j);
            gradient_size[j] += b.abs() * size(i);
            end[i] += 0.5 * b * s[self.read[j]];
            end[j] += 0.5 * b * s[self.read[i]];
        }
        end.iter_mut().zip(&**gradient).for_each(|(end, g)| *end += g);
        let (mut way, mut way_size) = (0.0, 0.0);
        for ((i, g), size) in self.read.iter().zip(&**gradient).zip(&**gradient_size) {
            way += g * s[*i];
            way_size += size * s[*i].abs();
        }
        state.mean = state.value + 0.5 * way;
        state.mean_size = state.size + 0.5 * way_size;
        let (along, along_size) = self
            .strain
            .iter()
            .fold((0.0, 0.0), |(sum, size), (i, h)| (sum + h * s[*i], size + (h * s[*i]).abs()));
        state.tension = state.mean + (strain + (state.lengthening + 0.5 * along));
        state.tension_size = state.mean_size + strain.abs() + state.lengthening_size + 0.5 * along_size;
    }

    /// p += λ(Tḡ + ψ̄h), and what its rounding is over eps.
    pub fn add_push(&self, lambda: f64, state: &FormState, push: &mut [f64], size: &mut [f64]) {
        let gradients = state.gradient.iter().zip(&*state.gradient_size);
        for (i, (g, g_size)) in self.read.iter().zip(gradients) {
            push[*i] += lambda * (state.tension * g);
            size[*i] += lambda * (state.tension_size * g.abs() + state.tension.abs() * g_size);
        }
        for (i, h) in &self.strain {
            push[*i] += lambda * (state.mean * h);
            size[*i] += lambda * (state.mean_size * h.abs());
        }
    }

    /// y += 2a ∂(Tḡ + ψ̄h)/∂s v.
    pub fn add_slope(&self, a: f64, state: &FormState, v: &[f64], y: &mut [f64]) {
        let along: f64 = self.read.iter().zip(&*state.end).map(|(i, g)| g * v[*i]).sum();
        let both = a * (along + self.lengthening(v));
        let tension = a * state.tension;
        for ((i, b), g) in self.read.iter().zip(&self.diagonal).zip(&*state.gradient) {
            y[*i] += tension * (b * v[*i]) + both * g;
        }
        for &(k, m, b) in &self.pairs {
            let (i, j) = (self.read[k], self.read[m]);
            y[i] += tension * (b * v[j]);
            y[j] += tension * (b * v[i]);
        }
        self.strain.iter().for_each(|(i, h)| y[*i] += a * along * h);
    }
}
