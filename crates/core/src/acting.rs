//! Which inputs act on an element or a form: found once, when a run is prepared.
//!
//!   h_ref(t) = Σ u_k(t) over the inputs k that move it;   the control value is that of the first input that controls it
//!   e(t)/s = Σ u_k(t) over the inputs k that strain a form

use crate::input::{Action, Input};

/// The inputs that move or control elements, by element, and those that strain forms, by form; empty where no input does.
#[derive(Debug)]
pub(crate) struct Acting {
    elements: Vec<OfElement>,
    forms: Vec<Vec<usize>>,
}

#[derive(Clone, Debug, Default)]
struct OfElement {
    moves: Vec<usize>,
    control: Option<usize>,
}

impl Acting {
    /// Of inputs that act on so many elements and forms; it takes time in proportion to these and to what acts on them.
    pub fn of(inputs: &[Input], (elements, forms): (usize, usize)) -> Self {
        let mut forms = vec![Vec::new(); forms];
        for (k, input) in inputs.iter().enumerate() {
            if let Action::Strain(strained) = &input.action {
                forms[strained.clone()].iter_mut().for_each(|of: &mut Vec<usize>| of.push(k));
            }
        }
        Self { elements: of_elements(inputs, elements), forms }
    }

    /// The moving reference of an element for these values of the inputs, m; 0 where no input moves it, and of inputs that are
    /// not given.
    pub fn reference(&self, element: usize, input: &[f64]) -> f64 {
        let moves = self.elements.get(element);
        moves.map_or(0.0, |of| of.moves.iter().filter_map(|k| input.get(*k)).sum())
    }

    /// The control value of an element for these values of the inputs, where one controls it.
    pub fn control(&self, element: usize, input: &[f64]) -> Option<f64> {
        input.get(self.elements.get(element)?.control?).copied()
    }

    /// Σu of the inputs that strain a form, for these values of the inputs; 0 of inputs that are not given.
    pub fn strain(&self, form: usize, input: &[f64]) -> f64 {
        self.forms[form].iter().filter_map(|k| input.get(*k)).sum()
    }
}

/// The inputs that move or control each of so many elements; none where no input does.
fn of_elements(inputs: &[Input], elements: usize) -> Vec<OfElement> {
    let acts = |action: &Action| matches!(action, Action::Motion(_) | Action::Control(_));
    if !inputs.iter().any(|input| acts(&input.action)) {
        return Vec::new();
    }
    let mut all = vec![OfElement::default(); elements];
    for (k, input) in inputs.iter().enumerate() {
        match &input.action {
            Action::Motion(elements) => all[elements.clone()].iter_mut().for_each(|of| of.moves.push(k)),
            Action::Control(elements) => all[elements.clone()].iter_mut().for_each(|of| {
                of.control.get_or_insert(k);
            }),
            Action::Force(_)
            | Action::Rate(_)
            | Action::Strain(_)
            | Action::Branch(_)
            | Action::Custom { .. } => {}
        }
    }
    all
}
