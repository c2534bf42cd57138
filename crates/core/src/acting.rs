//! Which inputs act on an element: found once, when a run is prepared.
//!
//!   h_ref(t) = Σ u_k(t) over the inputs k that move it;   the control value is that of the first input that controls it

use crate::input::{Action, Input};

/// The inputs that move or control elements, by element; empty where no input does.
#[derive(Debug)]
pub(crate) struct Acting(Vec<OfElement>);

#[derive(Clone, Debug, Default)]
struct OfElement {
    moves: Vec<usize>,
    control: Option<usize>,
}

impl Acting {
    /// Of these inputs to so many elements; it takes time in proportion to the elements and to what acts on them.
    pub fn of(inputs: &[Input], elements: usize) -> Self {
        let acts = |action: &Action| matches!(action, Action::Motion(_) | Action::Control(_));
        if !inputs.iter().any(|input| acts(&input.action)) {
            return Self(Vec::new());
        }
        let mut all = vec![OfElement::default(); elements];
        for (k, input) in inputs.iter().enumerate() {
            match &input.action {
                Action::Motion(elements) => all[elements.clone()].iter_mut().for_each(|of| of.moves.push(k)),
                Action::Control(elements) => all[elements.clone()].iter_mut().for_each(|of| {
                    of.control.get_or_insert(k);
                }),
                Action::Force(_) | Action::Rate(_) | Action::Branch(_) | Action::Custom { .. } => {}
            }
        }
        Self(all)
    }

    /// The moving reference of an element for these values of the inputs, m; 0 where no input moves it, and of inputs that are
    /// not given.
    pub fn reference(&self, element: usize, input: &[f64]) -> f64 {
        self.0.get(element).map_or(0.0, |of| of.moves.iter().filter_map(|k| input.get(*k)).sum())
    }

    /// The control value of an element for these values of the inputs, where one controls it.
    pub fn control(&self, element: usize, input: &[f64]) -> Option<f64> {
        input.get(self.0.get(element)?.control?).copied()
    }
}
