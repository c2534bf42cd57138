//! Islands: the parts that nothing connects are together the system, and none of them can be split further.
//!
//!   ½vᵀMv + ½qᵀKq + ΣV = Σᵢ (½vᵢᵀMᵢvᵢ + ½qᵢᵀKᵢqᵢ + ΣVᵢ),   c·q = cᵢ·qᵢ
//!
//! Stepped by itself, each has the outputs and the stored energy of the whole.

use hamiltone_core::{
    element::Law,
    form::Form,
    input::{Action, Input},
    islands::{Island, islands},
    ledger::Bookkeeping,
    parameter::Values,
    row::Row,
    scheme::Scheme,
    system::{Block, Output, Quantity, System},
};
use hamiltone_laws::{
    parts,
    trial::{Laws, Trial, trials_with},
};
use hamiltone_numerics::operator::Operator;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};

const STEPS: usize = 60;

/// Adds a system behind another.
fn append(whole: &mut System, part: &System) {
    let (dofs, elements, forms) = (whole.size(), whole.elements.len(), whole.forms.len());
    whole.forms.extend(part.forms.iter().map(|form| form.along(|row| row.moved(dofs))));
    whole.mass.extend(&part.mass);
    whole.initial.position.extend(&part.initial.position);
    whole.initial.velocity.extend(&part.initial.velocity);
    let later = |range: &std::ops::Range<usize>| range.start + elements..range.end + elements;
    let block =
        |block: &Block| Block { dofs: block.dofs.start + dofs..block.dofs.end + dofs, ..block.clone() };
    whole.blocks.extend(part.blocks.iter().map(block));
    for element in &part.elements {
        let mut element = element.clone();
        element.rows.iter_mut().for_each(|row| *row = row.moved(dofs));
        whole.elements.push(element);
    }
    for Input { name, action } in &part.inputs {
        let action = match action {
            Action::Force(row) => Action::Force(row.moved(dofs)),
            Action::Motion(elements) => Action::Motion(later(elements)),
            Action::Strain(range) => Action::Strain(range.start + forms..range.end + forms),
            Action::Rate(elements) => Action::Rate(later(elements)),
            Action::Branch(elements) => Action::Branch(later(elements)),
            Action::Control(elements) => Action::Control(later(elements)),
            Action::Custom { kind, elements } => Action::Custom { kind, elements: later(elements) },
        };
        whole.inputs.push(Input { name: name.clone(), action });
    }
    for Output { name, quantity } in &part.outputs {
        let quantity = match quantity {
            Quantity::Force(elements) => Quantity::Force(later(elements)),
            Quantity::MeanForce(elements) => Quantity::MeanForce(later(elements)),
            of_rows => of_rows.along(|row| row.moved(dofs)),
        };
        whole.outputs.push(Output { name: name.clone(), quantity });
    }
}

/// Controls of all dampers, controls and rates of all ports, and a moving reference for every other contact law.
fn act_on_elements(system: &mut System) {
    for (j, element) in system.elements.iter().enumerate() {
        match element.law {
            Law::Compliant(_) => system.inputs.push(Input::motion(format!("motion {j}"), j..j + 1)),
            Law::Resistive(_) => system.inputs.push(Input::control(format!("control {j}"), j..j + 1)),
            Law::Port(_) => {
                system.inputs.push(Input::rate(format!("rate {j}"), j..j + 1));
                system.inputs.push(Input::control(format!("control {j}"), j..j + 1));
            }
            Law::Rigid { .. } | Law::Custom(_) => {}
        }
    }
}

/// Systems of several others at random, of which some have several islands themselves.
fn systems(count: usize, several: usize) -> Vec<Trial> {
    let mut drawn = Vec::new();
    for (laws, count) in [(Laws::OfNumbers, count), (Laws::OfScenes, count.div_ceil(4))] {
        let strategy = trials_with(laws, parts::audible, STEPS);
        let mut runner = TestRunner::deterministic();
        let mut draw = || strategy.new_tree(&mut runner).expect("a system").current();
        for n in 0..count {
            let mut trial = draw();
            (0..n % several).for_each(|_| append(&mut trial.system, &draw().system));
            act_on_elements(&mut trial.system);
            // Motions in metres and controls in N s/m beside forces in N: all small.
            trial.force = trial.force.min(1e-3);
            drawn.push(trial);
        }
    }
    drawn
}

/// Numbers without pattern in [−1, 1).
fn scattered(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7919 + seed * 104_729 + 17) % 10_007) as f64 / 5003.5 - 1.0).collect()
}

fn restricted(x: &[f64], numbers: &[usize]) -> Vec<f64> {
    numbers.iter().map(|i| x[*i]).collect()
}

/// |a − b| is rounding of `n` terms of the size of these: each is rounded once or twice, and so is each partial sum.
fn close(a: f64, b: f64, size: f64, n: usize) -> bool {
    (a - b).abs() <= 4.0 * f64::EPSILON * (n as f64 + 8.0) * size
}

/// All rows of a system, in one order.
fn rows(system: &System) -> Vec<&Row> {
    let elements = system.elements.iter().flat_map(|element| &element.rows);
    let inputs = system.inputs.iter().filter_map(Input::row);
    let outputs = system.outputs.iter().flat_map(|output| output.quantity.rows());
    elements.chain(inputs).chain(outputs).collect()
}

#[test]
fn islands_are_the_system() {
    let mut split = 0;
    for trial in systems(120, 4) {
        let system = &trial.system;
        let parts = islands(system);
        let count = |of: fn(&Island) -> &Vec<usize>, size: usize| {
            let mut all: Vec<usize> = parts.iter().flat_map(|part| of(part).iter().copied()).collect();
            assert!(parts.iter().all(|part| of(part).is_sorted()));
            all.sort_unstable();
            assert!(all == (0..size).collect::<Vec<_>>(), "each once");
        };
        count(|part| &part.dofs, system.size());
        count(|part| &part.elements, system.elements.len());
        count(|part| &part.inputs, system.inputs.len());
        count(|part| &part.outputs, system.outputs.len());
        for part in &parts {
            hamiltone_core::check::check(&part.system, 1.0 / trial.rate).expect("a valid island");
            let sizes = [part.dofs.len(), part.elements.len(), part.inputs.len(), part.outputs.len()];
            let System { elements, inputs, outputs, .. } = &part.system;
            assert_eq!(sizes, [part.system.size(), elements.len(), inputs.len(), outputs.len()]);
            assert_eq!(part.system.mass, restricted(&system.mass, &part.dofs));
            assert_eq!(part.system.initial.position, restricted(&system.initial.position, &part.dofs));
            assert_eq!(part.system.initial.velocity, restricted(&system.initial.velocity, &part.dofs));
            let names =
                |system: &System| system.inputs.iter().map(|input| input.name.clone()).collect::<Vec<_>>();
            assert!(
                names(&part.system)
                    == part.inputs.iter().map(|k| names(system)[*k].clone()).collect::<Vec<_>>()
            );
        }
        for seed in 0..3 {
            forms_add_up(system, &parts, seed);
        }
        split += usize::from(parts.len() > 2);
    }
    assert!(split > 40, "{split} systems have more than two islands");
}

/// A number that a system has for positions, velocities and inputs.
type Number = dyn Fn(&System, &[f64], &[f64], &[f64]) -> f64;

fn forms_add_up(system: &System, parts: &[Island], seed: usize) {
    let n = system.size();
    let small = |x: Vec<f64>| x.into_iter().map(|x| 1e-4 * x).collect::<Vec<f64>>();
    let (q, v, u) =
        (small(scattered(n, seed)), scattered(n, seed + 10), small(scattered(system.inputs.len(), seed)));
    let sum = |of: &Number| -> (f64, f64, f64) {
        let part = |part: &Island| {
            let [q, v] = [&q, &v].map(|x| restricted(x, &part.dofs));
            of(&part.system, &q, &v, &restricted(&u, &part.inputs))
        };
        let all: Vec<f64> = parts.iter().map(part).collect();
        (of(system, &q, &v, &u), all.iter().sum(), all.iter().map(|x| x.abs()).sum())
    };
    // Of a form the terms are squares, so that the sum of their sizes is the form itself.
    let terms = n + system.elements.len();
    let (whole, all, size) = sum(&|system, q, v, u| system.energy(q, v, u));
    assert!(close(whole, all, size, terms), "energies {whole:e} and {all:e}");
    let (whole, all, size) = sum(&|system, q, _, _| system.stiffness_form(q, q));
    assert!(close(whole, all, size, terms), "stiffness {whole:e} and {all:e}");
    let (whole, all, size) = sum(&|system, _, v, _| system.damping_form(v));
    assert!(close(whole, all, size, terms), "damping {whole:e} and {all:e}");
    // The products, coordinate by coordinate.
    let (mut whole, mut all, mut size) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    system.add_stiffness(1.0, &q, &mut whole);
    system.add_damping(1.0, &v, &mut whole);
    for part in parts {
        let [q, v] = [&q, &v].map(|x| restricted(x, &part.dofs));
        let mut product = vec![0.0; part.dofs.len()];
        part.system.add_stiffness(1.0, &q, &mut product);
        part.system.add_damping(1.0, &v, &mut product);
        part.dofs.iter().zip(product).for_each(|(i, x)| all[*i] = x);
        // |K||q| + |R||v|, by the squares of both.
        for block in &part.system.blocks {
            for (operator, x) in [(&block.stiffness, &q), (&block.damping, &v)] {
                let x = &x[block.dofs.clone()];
                for (weight, row) in operator.squares() {
                    let magnitude = weight * row.magnitude(x);
                    row.for_each(|i, c| size[part.dofs[block.dofs.start + i]] += (magnitude * c).abs());
                }
            }
        }
    }
    for i in 0..n {
        assert!(close(whole[i], all[i], size[i], 64), "coordinate {i}: {:e} and {:e}", whole[i], all[i]);
    }
    // Rows have the same weights: the same value, summed in another order.
    for part in parts {
        let x = restricted(&q, &part.dofs);
        let elements = part.elements.iter().flat_map(|j| &system.elements[*j].rows);
        let inputs = part.inputs.iter().filter_map(|k| system.inputs[*k].row());
        let outputs = part.outputs.iter().flat_map(|k| system.outputs[*k].quantity.rows());
        let before: Vec<&Row> = elements.chain(inputs).chain(outputs).collect();
        let after = rows(&part.system);
        assert_eq!(before.len(), after.len());
        for (before, after) in before.into_iter().zip(after) {
            let (whole, own) = (before.dot(&q), after.dot(&x));
            assert!(close(whole, own, before.magnitude(&q), n), "a row: {whole:e} and {own:e}");
        }
    }
}

/// What couples two coordinates, by the definition: the strains of a block one by one; a block of modes or of a grid as a whole; each element; each input and output.
fn couplings(system: &System) -> Vec<Vec<usize>> {
    let of_row = |row: &Row, offset: usize| {
        row.entries().filter(|(_, w)| *w != 0.0).map(|(i, _)| offset + i).collect::<Vec<usize>>()
    };
    let of_elements = |range: &std::ops::Range<usize>| {
        system.elements[range.clone()].iter().flat_map(|e| &e.rows).flat_map(|row| of_row(row, 0)).collect()
    };
    let mut all: Vec<Vec<usize>> = Vec::new();
    for block in &system.blocks {
        for operator in [&block.stiffness, &block.damping] {
            match operator {
                Operator::Zero => {}
                Operator::Diagonal(_) | Operator::Stencils(_) => all.push(block.dofs.clone().collect()),
                Operator::Strains(strains) => {
                    all.extend(strains.iter().map(|(_, row)| of_row(row, block.dofs.start)));
                }
            }
        }
    }
    all.extend(system.forms.iter().map(|form| form.dofs().collect()));
    all.extend((0..system.elements.len()).map(|j| of_elements(&(j..j + 1))));
    for input in &system.inputs {
        all.push(match &input.action {
            Action::Force(row) => of_row(row, 0),
            Action::Strain(forms) => system.forms[forms.clone()].iter().flat_map(Form::dofs).collect(),
            Action::Motion(e)
            | Action::Rate(e)
            | Action::Branch(e)
            | Action::Control(e)
            | Action::Custom { elements: e, .. } => of_elements(e),
        });
    }
    for output in &system.outputs {
        all.push(match &output.quantity {
            Quantity::Force(e) | Quantity::MeanForce(e) => of_elements(e),
            of_rows => of_rows.rows().flat_map(|row| of_row(row, 0)).collect(),
        });
    }
    all
}

/// The coordinates that can be reached from the first one, by going through all couplings until nothing is added.
fn reached(system: &System) -> usize {
    let couplings = couplings(system);
    let mut in_reach = vec![false; system.size()];
    in_reach.iter_mut().take(1).for_each(|first| *first = true);
    loop {
        let mut added = false;
        for coupling in &couplings {
            if coupling.iter().any(|i| in_reach[*i]) {
                for i in coupling {
                    added |= !std::mem::replace(&mut in_reach[*i], true);
                }
            }
        }
        if !added {
            return in_reach.into_iter().filter(|reached| *reached).count();
        }
    }
}

#[test]
fn no_island_can_be_split() {
    let mut count = 0;
    for trial in systems(60, 3) {
        for island in islands(&trial.system) {
            assert_eq!(reached(&island.system), island.system.size());
            assert_eq!(islands(&island.system).len(), 1);
            count += 1;
        }
    }
    assert!(count > 100, "{count} islands");
}

/// 25 000 oscillators are 25 000 islands, and to split them takes memory in proportion, of which each byte is written: no list of all
/// coordinates or blocks is made for each island.
#[test]
fn many_oscillators_are_split() {
    let many = |n: usize| {
        let mut system = System::default();
        for i in 0..n {
            let dof = system.add_dof(1.0, 0.0, 0.0);
            let row = || Row::unit(dof);
            let stiffness = Operator::Diagonal(vec![1e6]);
            let block =
                Block { name: format!("{i}"), dofs: dof..dof + 1, stiffness, damping: Operator::Zero };
            system.blocks.push(block);
            system.inputs.push(Input::force(format!("{i}"), row()));
            system.outputs.push(Output { name: format!("{i}"), quantity: Quantity::Velocity(row()) });
        }
        system
    };
    for n in [12_500, 25_000] {
        let mut parts = Vec::new();
        // What is allocated is counted, which time is not: a quadratic table would be there.
        let bytes = allocation_counter::measure(|| parts = islands(&many(n))).bytes_total;
        let own = allocation_counter::measure(|| drop(many(n))).bytes_total;
        assert_eq!(parts.len(), n);
        assert!(bytes < 8 * own, "{bytes} bytes for a system of {own}");
        let entries: usize =
            parts.iter().flat_map(|part| rows(&part.system)).map(|row| row.entries().count()).sum();
        assert_eq!(entries, 2 * n);
    }
}

/// The whole and its islands, stepped side by side: the largest difference of outputs and of stored energies, relative to what each was at most.
fn difference(scheme: &dyn Scheme, trial: &Trial) -> Option<(f64, f64)> {
    let system = &trial.system;
    let mut whole = trial.prepare(scheme).expect("a valid system")?;
    let dt = whole.dt();
    let parts = islands(system);
    let mut runs: Vec<_> =
        parts.iter().map(|part| scheme.prepare(&part.system, dt).expect("what the whole is")).collect();
    let (inputs, n) = (trial.inputs(), system.inputs.len());
    let at = |k: usize| &inputs[k * n..(k + 1) * n];
    let own = |part: &Island, k: usize| restricted(at(k), &part.inputs);
    whole.reset(at(0));
    runs.iter_mut().zip(&parts).for_each(|(run, part)| _ = run.reset(&own(part, 0)));
    let m = system.outputs.len();
    let (mut size, mut off) = (vec![0.0_f64; m], vec![0.0_f64; m]);
    let (mut peak, mut energies_off) = (0.0_f64, 0.0_f64);
    for k in 0..trial.steps {
        let ledger = whole.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Full);
        if !ledger.stored.is_finite() || ledger.effort.fault.is_some() {
            break;
        }
        let (mut together, mut stored) = (vec![0.0; m], 0.0);
        whole.outputs(&mut together);
        for (run, part) in runs.iter_mut().zip(&parts) {
            stored += run.step(&[own(part, k), own(part, k + 1)].concat(), Bookkeeping::Full).stored;
            let mut outputs = vec![0.0; part.outputs.len()];
            run.outputs(&mut outputs);
            for (o, x) in part.outputs.iter().zip(outputs) {
                size[*o] = size[*o].max(x.abs());
                off[*o] = off[*o].max((x - together[*o]).abs());
            }
        }
        peak = peak.max(ledger.stored.abs());
        energies_off = energies_off.max((stored - ledger.stored).abs());
    }
    let relative = |(off, size): (&f64, &f64)| if *off == 0.0 { 0.0 } else { off / size };
    let outputs = off.iter().zip(&size).map(relative).fold(0.0, f64::max);
    Some((outputs, if energies_off == 0.0 { 0.0 } else { energies_off / peak }))
}

#[test]
fn islands_alone_move_like_the_whole() {
    // A step rounds positions by some eps of their size, and a velocity that is off by one rounding moves them by one more in each step
    // that follows: eps·Σk after all steps, and stiff contacts of 10⁸ N/m amplify it. 370 000 eps are the most here.
    let tolerance = 512.0 * f64::EPSILON * (STEPS * STEPS / 2) as f64;
    let trials = systems(320, 3);
    for (name, least) in [("modal-ec", 10), ("ec", 40)] {
        let entry =
            hamiltone_schemes::catalogue().iter().find(|entry| entry.kind.name == name).expect("a scheme");
        let scheme = entry.build(&Values::defaults(entry.kind.parameters)).expect("defaults");
        // Of a bow near the end of sticking, a rounding decides whether the string slides.
        let decides = |trial: &&Trial| trial.system.elements.iter().any(|e| matches!(e.law, Law::Port(_)));
        let several =
            trials.iter().filter(|trial| islands(&trial.system).len() > 1).filter(|trial| !decides(trial));
        let off: Vec<(f64, f64)> = several.filter_map(|trial| difference(&*scheme, trial)).collect();
        let worst = off.iter().map(|off| off.0.max(off.1)).fold(0.0, f64::max);
        assert!(worst <= tolerance, "{name}: {worst:e} beyond {tolerance:e}");
        assert!(off.len() >= least, "{name} takes {} systems of several islands", off.len());
    }
}
