//! The rows of joints, and what they store and push.
//!
//!   w = φ·U,  ζ = Σ Kᵢbᵢ Uᵢ        F = w along the row of ζ,  ζ − Dw along φ
//!   V = ½ Σ D w w⁻ − ½ Σ (ζw⁻ + ζ⁻w)        w⁻, ζ⁻ at U⁻ = X − Y, U of the step before
//!
//! While the body of a joint rests, D is κ and ζ is 0. Bodies of one bank that stand on the same places, the strings of a unison, are pushed
//! by the same force: they are one link, whose ζ and D are the sums of theirs.

use hamiltone_core::{
    islands::Island,
    joint::{Coupling, Joint},
    row::Row,
    system::System,
};
use std::ops::Range;

/// What stands on the same places: its first row ζ, D and κ; its rows w are in the list of places.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pulls: Range<usize>,
    pub places: Vec<usize>,
    stiffness: Vec<f64>,
    straight: Vec<f64>,
    /// The bank that stands there.
    pub member: usize,
}

/// −CU of all links, written out: (pull, place) of each ζ, and (row, row, D) of places.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushes {
    pulls: Vec<(usize, usize)>,
    springs: Vec<(usize, usize, f64)>,
}

impl Pushes {
    /// Those of `links`, of whose banks these rest.
    pub fn list(&mut self, links: &[Link], rests: &[bool]) {
        let Self { pulls, springs } = self;
        pulls.clear();
        springs.clear();
        for link in links {
            let rests = rests[link.member];
            if !rests {
                pulls.extend(link.pulls.clone().zip(link.places.iter().copied()));
            }
            let rows = link.stiffness(rests).chunks_exact(link.places.len());
            for (place, row) in link.places.iter().zip(rows) {
                for (other, d) in link.places.iter().zip(row) {
                    // Strings on one place of a bridge are one spring there.
                    match springs.iter_mut().find(|(i, j, _)| (i, j) == (place, other)) {
                        Some((.., sum)) => *sum += d,
                        None => springs.push((*place, *other, *d)),
                    }
                }
            }
        }
    }

    /// Adds −CU to `forces`, `u` being U along all rows.
    pub fn add(&self, u: &[f64], forces: &mut [f64]) {
        for &(pull, place) in &self.pulls {
            forces[pull] += u[place];
            forces[place] += u[pull];
        }
        self.springs.iter().for_each(|&(i, j, d)| forces[i] -= d * u[j]);
    }
}

/// Where a coordinate of a bank is at rest for each metre of the row `place`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lift {
    pub own: usize,
    pub place: usize,
    pub weight: f64,
}

/// The rows of all joints, those of places once.
#[derive(Default)]
pub(super) struct JointRows {
    pub rows: Vec<Row>,
    pub links: Vec<Link>,
    /// The bank of each coordinate, and its number there.
    pub owners: Vec<(usize, usize)>,
    /// The lifts of each bank.
    pub lifts: Vec<Vec<Lift>>,
    /// The link of each joint.
    pub links_of: Vec<usize>,
}

impl JointRows {
    /// Those of `system`, of whose coordinates these move, between the banks of these `parts`.
    pub fn of(system: &System, moves: impl Fn(usize) -> bool, parts: &[Island]) -> Self {
        let mut all = Self {
            owners: vec![(0, 0); system.size()],
            lifts: vec![Vec::new(); parts.len()],
            ..Self::default()
        };
        for (number, part) in parts.iter().enumerate() {
            part.dofs.iter().enumerate().for_each(|(own, i)| all.owners[*i] = (number, own));
        }
        for joint in &system.joints {
            let member = all.owners[joint.first].0;
            let Coupling { pulls, stiffness } = joint.coupling(&moves);
            let places: Vec<usize> = joint.supports.iter().map(|support| all.place(&support.place)).collect();
            for (support, place) in joint.supports.iter().zip(&places) {
                let own = support.lift.iter().zip(joint.dofs()).filter(|(_, i)| moves(*i));
                let lift = |(weight, i): (&f64, usize)| Lift {
                    own: all.owners[i].1,
                    place: *place,
                    weight: *weight,
                };
                let lifts: Vec<Lift> = own.map(lift).collect();
                all.lifts[member].extend(lifts);
            }
            let link = Link { pulls: 0..0, places, stiffness, straight: joint.stiffness.clone(), member };
            let number = all.add(link, pulls);
            all.links_of.push(number);
        }
        all
    }

    /// The number of a row of a place: strings on one place of a bridge share it.
    fn place(&mut self, row: &Row) -> usize {
        let known = self.links.iter().flat_map(|link| &link.places).find(|k| self.rows[**k] == *row);
        known.copied().unwrap_or_else(|| {
            self.rows.push(row.clone());
            self.rows.len() - 1
        })
    }

    /// Another link with these rows ζ, or more of one that is known; its number.
    fn add(&mut self, link: Link, pulls: Vec<Row>) -> usize {
        let is_same = |known: &Link| known.member == link.member && known.places == link.places;
        let Some(number) = self.links.iter().position(is_same) else {
            let first = self.rows.len();
            self.rows.extend(pulls);
            self.links.push(Link { pulls: first..self.rows.len(), ..link });
            return self.links.len() - 1;
        };
        let known = &mut self.links[number];
        for (row, pull) in self.rows[known.pulls.clone()].iter_mut().zip(pulls) {
            *row = row.minus(&pull.scaled(-1.0)).dense();
        }
        for (sums, new) in [(&mut known.stiffness, &link.stiffness), (&mut known.straight, &link.straight)] {
            sums.iter_mut().zip(new).for_each(|(sum, new)| *sum += new);
        }
        number
    }
}

/// Which joints stand on a body that stands itself.
pub(super) fn stand_high(joints: &[Joint]) -> Vec<bool> {
    let stands = |i: usize| joints.iter().any(|below| below.dofs().contains(&i));
    let is_high = |joint: &Joint| joint.supports.iter().any(|at| nonzero(&at.place).any(|(i, _)| stands(i)));
    joints.iter().map(is_high).collect()
}

/// The weights of a row that are not 0.
pub(super) fn nonzero(row: &Row) -> impl Iterator<Item = (usize, f64)> + '_ {
    row.entries().filter(|(_, w)| *w != 0.0)
}

impl Link {
    /// The row ζ of one of its supports.
    pub fn pull(&self, support: usize) -> usize {
        self.pulls.start + support
    }

    /// Nothing stands there.
    pub fn clear(&mut self) {
        self.stiffness.fill(0.0);
        self.straight.fill(0.0);
    }

    /// Adds bᵀKb and κ of two supports, N/m.
    pub fn stiffen(&mut self, (e, other): (usize, usize), springs: f64, straight: f64) {
        let at = e * self.places.len() + other;
        self.stiffness[at] += springs + straight;
        self.straight[at] += straight;
    }

    /// D, or κ while its body rests.
    fn stiffness(&self, rests: bool) -> &[f64] {
        if rests { &self.straight } else { &self.stiffness }
    }

    /// V, by U and U⁻ along all rows.
    pub fn energy(&self, rests: bool, u: &[f64], before: &[f64]) -> f64 {
        let rows = self.stiffness(rests).chunks_exact(self.places.len());
        let each = self.pulls.clone().zip(&self.places).zip(rows).map(|((pull, place), row)| {
            let straight: f64 = row.iter().zip(&self.places).map(|(d, other)| d * before[*other]).sum();
            let pulled = if rests { 0.0 } else { u[pull] * before[*place] + before[pull] * u[*place] };
            u[*place] * straight - pulled
        });
        0.5 * each.sum::<f64>()
    }

    /// The sizes of all that V is added up from: Σ |D| w w + 2 Σ ζw of the sizes of rows. What cancels in the force of a support, as of two on one
    /// place, is known no better than that.
    pub fn leverage(&self, sizes: &[f64]) -> f64 {
        let rows = self.stiffness.chunks_exact(self.places.len());
        let each = self.pulls.clone().zip(&self.places).zip(rows).map(|((pull, place), row)| {
            let straight: f64 = row.iter().zip(&self.places).map(|(d, other)| d.abs() * sizes[*other]).sum();
            sizes[*place] * (straight + 2.0 * sizes[pull])
        });
        each.sum()
    }

    /// C along rows, `form` being square and row-major.
    pub fn add_to(&self, form: &mut [f64], size: usize) {
        for (pull, place) in self.pulls.clone().zip(&self.places) {
            form[pull * size + place] -= 1.0;
            form[place * size + pull] -= 1.0;
        }
        for (row, place) in self.stiffness.chunks_exact(self.places.len()).zip(&self.places) {
            row.iter().zip(&self.places).for_each(|(d, other)| form[place * size + other] += d);
        }
    }
}
