//! How the old coordinates of a reduced system are read from the new: q_i = q′_j of one that stays, or
//! q_i = Σ_k φ_k,i η_k of a component.

use hamiltone_core::row::{Row, Sine};
use std::{collections::BTreeMap, ops::Range};

/// Where an old coordinate is found.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// A coordinate of the reduced system.
    Kept(usize),
    /// Coordinate `.1` of component `.0`.
    Modal(usize, usize),
}

/// The modes of one component.
#[derive(Clone, Debug, PartialEq)]
struct ComponentShapes {
    /// The new coordinate of its first mode.
    first: usize,
    /// φ_k over its old coordinates.
    shapes: Vec<Vec<f64>>,
    /// M of its old coordinates.
    mass: Vec<f64>,
    /// m_k.
    modal_mass: Vec<f64>,
}

/// A component's old coordinates, its shapes over them, and its modal masses.
type Replaced<'a> = (&'a [usize], Vec<Vec<f64>>, Vec<f64>);

/// The map from the coordinates of a reduced system to those of the system that it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    places: Vec<Place>,
    components: Vec<ComponentShapes>,
    size: usize,
}

impl Coordinates {
    /// Of old coordinates of these masses, of which components with shapes φ_k and modal masses m_k replace some.
    pub(super) fn new(mass: &[f64], components: Vec<Replaced<'_>>) -> Self {
        let size = mass.len();
        let mut owners = vec![None; size];
        for (c, (dofs, _, _)) in components.iter().enumerate() {
            dofs.iter().enumerate().for_each(|(local, &dof)| owners[dof] = Some((c, local)));
        }
        let shapes = |(dofs, shapes, modal_mass): (&[usize], _, _)| ComponentShapes {
            first: 0,
            shapes,
            mass: dofs.iter().map(|dof| mass[*dof]).collect(),
            modal_mass,
        };
        let mut components: Vec<ComponentShapes> = components.into_iter().map(shapes).collect();
        let mut next = 0;
        let mut places = Vec::with_capacity(size);
        for owner in owners {
            match owner {
                None => {
                    places.push(Place::Kept(next));
                    next += 1;
                }
                Some((c, local)) => {
                    if local == 0 {
                        components[c].first = next;
                        next += components[c].shapes.len();
                    }
                    places.push(Place::Modal(c, local));
                }
            }
        }
        Self { places, components, size: next }
    }

    /// The number of new coordinates.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The new coordinates of a component's modes.
    pub fn modal(&self, component: usize) -> Range<usize> {
        let ComponentShapes { first, shapes, .. } = &self.components[component];
        *first..first + shapes.len()
    }

    /// The new number of an old coordinate, unless it belongs to a component.
    pub fn kept(&self, dof: usize) -> Option<usize> {
        match self.places[dof] {
            Place::Kept(new) => Some(new),
            Place::Modal(..) => None,
        }
    }

    /// The new coordinates from which these old ones are read: all modes of their component, where they have one.
    pub fn range(&self, dofs: Range<usize>) -> Range<usize> {
        let place = |dof: usize| match self.places[dof] {
            Place::Kept(new) => new..new + 1,
            Place::Modal(component, _) => self.modal(component),
        };
        let both = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        dofs.map(place).reduce(both).unwrap_or(0..0)
    }

    /// A row over the old coordinates as one over the new.
    pub fn row(&self, row: &Row) -> Row {
        if let Some(row) = self.shifted(row) {
            return row;
        }
        let mut kept: Vec<(usize, f64)> = Vec::new();
        let mut modal: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (dof, weight) in row.entries().filter(|(_, weight)| *weight != 0.0) {
            match self.places[dof] {
                Place::Kept(new) => kept.push((new, weight)),
                Place::Modal(component, local) => {
                    let shapes = &self.components[component].shapes;
                    let weights = modal.entry(component).or_insert_with(|| vec![0.0; shapes.len()]);
                    weights.iter_mut().zip(shapes).for_each(|(sum, shape)| *sum += weight * shape[local]);
                }
            }
        }
        let mut modal: Vec<(usize, Vec<f64>)> = modal
            .into_iter()
            .map(|(component, weights)| (self.components[component].first, weights))
            .collect();
        if let (true, [(first, weights)]) = (kept.is_empty(), &mut modal[..]) {
            return Row::Dense { first: *first, weights: std::mem::take(weights) };
        }
        for (first, weights) in modal {
            kept.extend(weights.into_iter().enumerate().map(|(k, weight)| (first + k, weight)));
        }
        Row::Sparse(kept)
    }

    /// A row over coordinates that stay and follow each other, in its own form.
    fn shifted(&self, row: &Row) -> Option<Row> {
        let run = |first: usize, count: usize| {
            let new = if count == 0 { 0 } else { self.kept(first)? };
            (0..count).all(|i| self.kept(first + i) == Some(new + i)).then_some(new)
        };
        Some(match row {
            Row::Sparse(entries) => {
                let entry = |&(dof, weight): &(usize, f64)| Some((self.kept(dof)?, weight));
                Row::Sparse(entries.iter().map(entry).collect::<Option<_>>()?)
            }
            Row::Dense { first, weights } => {
                Row::Dense { first: run(*first, weights.len())?, weights: weights.clone() }
            }
            Row::Sine(sine) => Row::Sine(Sine { first: run(sine.first, sine.modes)?, ..sine.clone() }),
        })
    }

    /// The new coordinates of old positions or velocities (coordinate, value): η_k = φ_kᵀMq/m_k of components. Values
    /// of a component that its modes do not hold are left out.
    pub fn project(&self, values: impl IntoIterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut new = vec![0.0; self.size];
        for (dof, value) in values.into_iter().filter(|(_, value)| *value != 0.0) {
            match self.places[dof] {
                Place::Kept(to) => new[to] += value,
                Place::Modal(component, local) => {
                    let ComponentShapes { first, shapes, mass, .. } = &self.components[component];
                    for (k, shape) in shapes.iter().enumerate() {
                        new[first + k] += shape[local] * mass[local] * value;
                    }
                }
            }
        }
        for ComponentShapes { first, modal_mass, .. } in &self.components {
            new[*first..].iter_mut().zip(modal_mass).for_each(|(q, m)| *q /= m);
        }
        new
    }
}
