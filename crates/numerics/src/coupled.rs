//! The Schur complement of pushing contacts in the compliance of other elements.
//!
//!   G_oo − G_oS G_SS⁻¹ G_So,   G_oS G_SS⁻¹ b_S,   G_SS = L Lᵀ

use crate::{
    compliance::Compliance,
    list::List,
    subset_cholesky::{SubsetCholesky, dot},
};

/// A condensed diagonal keeps at least this part of its value: smaller ones are rounding.
const DEPENDENT: f64 = 64.0 * f64::EPSILON;

/// Others that are coupled to contacts.
#[derive(Clone, Debug)]
pub(crate) struct Coupled {
    others: usize,
    /// G_·o (contacts × others), row-major.
    cross: Compliance,
    /// S, and L⁻¹ G_So, one column of others after the other: kept as long as S stays the same.
    members: List<usize>,
    columns: Vec<f64>,
}

impl Coupled {
    /// Others that are coupled to so many contacts by G_·o.
    pub fn new(cross: Vec<f64>, contacts: usize) -> Self {
        Self {
            others: cross.len() / contacts.max(1),
            members: List::with_room(contacts),
            columns: vec![0.0; cross.len()],
            cross: Compliance::new(cross),
        }
    }

    /// Makes room for [`Coupled::lower`].
    pub fn reserve_lower(&mut self) {
        self.cross.reserve();
    }

    /// G_·o becomes what it was made with less Σₖ uₖuₖᵀ, of contacts `of`(i) and of others `others`(k).
    pub fn lower<'a>(&mut self, of: impl Fn(usize) -> &'a [f64], others: impl Fn(usize) -> &'a [f64]) {
        self.cross.lower(self.others, of, others);
        // The columns of the G before are not kept.
        self.members.clear();
    }

    /// Sets the contacts that push, with their factor; returns whether they differ from those before.
    pub fn hold(&mut self, pressed: &[usize], factor: &SubsetCholesky) -> bool {
        let Self { others, cross, members, columns } = self;
        if members[..] == *pressed {
            return false;
        }
        members.clear();
        members.extend_from_slice(pressed);
        let n = pressed.len();
        // Without pushing contacts there are no columns, but chunks have a length of at least 1.
        for (k, column) in columns.chunks_mut(n.max(1)).take(if n > 0 { *others } else { 0 }).enumerate() {
            column.iter_mut().zip(pressed).for_each(|(x, &i)| *x = cross[i * *others + k]);
            factor.forward(column);
        }
        true
    }

    /// L⁻¹ G_Sk of another k.
    fn column(&self, k: usize) -> &[f64] {
        let n = self.members.len();
        &self.columns[k * n..(k + 1) * n]
    }

    /// G_oo − G_oS G_SS⁻¹ G_So in place of G_oo in `matrix` (row-major).
    pub fn condense(&self, matrix: &mut [f64]) {
        for k in 0..self.others {
            let row = &mut matrix[k * self.others..(k + 1) * self.others];
            // The scale of rounding is that of the diagonal before the subtraction.
            let own = row[k];
            row.iter_mut().enumerate().for_each(|(l, g)| *g -= dot(self.column(k), self.column(l)));
            // Where pressed contacts fix another element, the exact difference is 0 and the computed one is rounding of either sign.
            row[k] = row[k].max(DEPENDENT * own);
        }
    }

    /// G_oS G_SS⁻¹ b_S into `shift`; `answer` is room for a number of each contact.
    pub fn shift(&self, factor: &SubsetCholesky, b: &[f64], answer: &mut [f64], shift: &mut [f64]) {
        let answer = &mut answer[..self.members.len()];
        answer.iter_mut().zip(&self.members).for_each(|(x, &i)| *x = b[i]);
        factor.forward(answer);
        shift.iter_mut().enumerate().for_each(|(k, shift)| *shift = dot(self.column(k), answer));
    }
}
