//! Systems at random: one to four bodies, links, contacts and driven inputs, of any kinds in the catalogues.

use crate::parts::{self, Decades, Part};
use hamiltone_core::{
    audit::Audit,
    body::{Body, Measure, Placed},
    element::{Element, ElementLaw, Law},
    geometry::{Coordinate, Place},
    input::Input,
    joint,
    ledger::Bookkeeping,
    operator::Operator,
    parameter::{Kind, Takes, Values},
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    simulation::Simulation,
    system::{Output, Quantity, System},
};
use hamiltone_schemes::eigenfrequencies;
use proptest::{collection, prelude::*, strategy::Union};
use std::ops::Range;

/// A system to be run: at this rate, for so many steps, driven by noise.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The system.
    pub system: System,
    /// 1/Δt, Hz.
    pub rate: f64,
    /// The number of steps.
    pub steps: usize,
    /// The largest force of each input, N.
    pub force: f64,
    /// What the noise starts from.
    pub seed: u64,
}

impl Trial {
    /// A system that runs free at 44.1 kHz.
    pub fn free(system: System, steps: usize) -> Self {
        Self { system, rate: 44_100.0, steps, force: 0.0, seed: 0 }
    }

    /// The inputs' values at all step ends: white noise.
    pub fn inputs(&self) -> Vec<f64> {
        let mut state = self.seed;
        let mut noise = || {
            // The split-mix generator: 53 of its bits in [−1, 1).
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..(self.steps + 1) * self.system.inputs.len()).map(|_| self.force * noise()).collect()
    }

    /// A stepper, faster where it would come near the scheme's limit; `None` where the scheme does not
    /// cover the system.
    ///
    /// # Errors
    /// Any other refusal: these systems are valid, and below every limit.
    pub fn prepare(&self, scheme: &dyn Scheme) -> Result<Option<Simulation>, String> {
        // Near its limit a scheme's energy is a small difference: of parts 1/(1 − ¾²) times larger here.
        let limit = 0.75 * scheme.claims().limit.unwrap_or(f64::INFINITY);
        let rate = self.rate.max(eigenfrequencies::highest(&self.system) / limit);
        match scheme.prepare(&self.system, 1.0 / rate) {
            Ok(stepper) => Ok(Some(stepper)),
            Err(Refusal::NotCovered { .. } | Refusal::OutOfRange { .. }) => Ok(None),
            Err(refusal) => Err(refusal.to_string()),
        }
    }

    /// Runs it and adds up its energy balance: the audit of the steps before `Audit::fault`, if there is one.
    pub fn run(&self, stepper: &mut Simulation) -> Audit {
        self.run_with(stepper, &self.inputs())
    }

    /// The same with these inputs at all step ends.
    pub fn run_with(&self, stepper: &mut Simulation, inputs: &[f64]) -> Audit {
        let n = self.system.inputs.len();
        let mut audit = Audit::open(stepper.reset(&inputs[..n]), stepper.balance());
        for k in 0..self.steps {
            let ledger = stepper.step(&inputs[k * n..(k + 2) * n], Bookkeeping::Full);
            let mut before = audit.clone();
            if !audit.post(&ledger) {
                before.fault = audit.fault;
                return before;
            }
        }
        audit
    }
}

/// Two ends and the place on each, a fraction; an end beyond the bodies is the ground.
type Between = (usize, usize, f64, f64);

fn between() -> impl Strategy<Value = Between> {
    (0..5_usize, 0..5_usize, 0.0..1.0, 0.0..1.0)
}

/// The contact laws that trials draw from. Those that a scene gives itself have draws of their own, so that one more of
/// them leaves the systems of the others as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laws {
    /// Laws of numbers.
    OfNumbers,
    /// Laws of formulas, of tables of forces and of files.
    OfScenes,
}

impl Laws {
    /// Those of the catalogue.
    fn part(self, decades: Decades) -> BoxedStrategy<Part<ElementLaw>> {
        let given =
            |takes: &Takes| matches!(takes, Takes::Formula(_) | Takes::Curve { .. } | Takes::Columns(_));
        let by_scene = |kind: &Kind| kind.parameters.iter().any(|parameter| given(&parameter.takes));
        let all = hamiltone_elements::catalogue().iter();
        let own = all.filter(|entry| by_scene(&entry.kind) == (self == Laws::OfScenes));
        Union::new(own.map(|entry| parts::part_of(entry, decades))).boxed()
    }
}

/// Trials of these sizes, of so many steps. Most of them have one body and one contact, as some schemes ask for.
pub fn trials(decades: Decades, steps: usize) -> BoxedStrategy<Trial> {
    trials_with(Laws::OfNumbers, decades, steps)
}

/// The same with contacts of these laws.
pub fn trials_with(laws: Laws, decades: Decades, steps: usize) -> BoxedStrategy<Trial> {
    let count = prop_oneof![2 => Just(1..2_usize), 1 => Just(2..5_usize)].boxed();
    trials_of(laws, decades, steps, count, Just(Vec::new()).boxed())
}

/// Trials of several bodies, one or two of which stand on others where their modes and sizes allow it.
pub fn joined_trials(decades: Decades, steps: usize) -> BoxedStrategy<Trial> {
    let on = (0..4_usize, 0..4_usize, 0.0..1.0, 0.0..1.0, any::<bool>());
    let standing = collection::vec(on, 1..3).boxed();
    let trials = trials_of(Laws::OfNumbers, decades, steps, Just(2..5_usize).boxed(), standing);
    trials.prop_filter("bodies with joints", |trial| !trial.system.joints.is_empty()).boxed()
}

/// A body on another, at one place of it or two.
type Standing = (usize, usize, f64, f64, bool);

fn trials_of(
    laws: Laws,
    decades: Decades,
    steps: usize,
    count: BoxedStrategy<Range<usize>>,
    standing: BoxedStrategy<Vec<Standing>>,
) -> BoxedStrategy<Trial> {
    let bodies = count.prop_flat_map(move |count| {
        collection::vec(parts::any_part_less_often(hamiltone_bodies::catalogue(), decades, is_slow), count)
    });
    let contacts = prop_oneof![Just(1..2_usize), Just(0..4_usize)]
        .prop_flat_map(move |count| collection::vec((laws.part(decades), between()), count));
    let link = (parts::values_of(hamiltone_bodies::link::kind(), decades), between());
    let input = (0..4_usize, 0.0..1.0);
    let sounds = (collection::vec(input, 0..3), -4.0..1.0, any::<u64>());
    (bodies, contacts, collection::vec(link, 0..3), sounds, standing)
        .prop_filter_map("bodies that overflow", move |(bodies, contacts, links, sounds, standing)| {
            let (inputs, force, seed) = sounds;
            let system = assemble(&bodies, &contacts, &links, &inputs, &standing)?;
            Some(Trial { system, rate: 44_100.0, steps, force: 10f64.powf(force), seed })
        })
        .boxed()
}

/// Bodies whose modes are fitted or those of a matrix, which takes a hundred times as long as a trial.
const SLOW: [&str; 3] = ["bore", "ribbed_plate", "plate"];

fn is_slow(kind: &Kind) -> bool {
    SLOW.contains(&kind.name)
}

/// The joint of a body that has these modes, as a string at its ends.
fn standing(name: &str, modes: &System, blocks: Range<usize>, places: Vec<Row>) -> Option<joint::Joint> {
    let block = modes.blocks[blocks].first()?;
    let Operator::Diagonal(springs) = &block.stiffness else { return None };
    let lift = |end: usize| {
        let sign = |n: usize| if end == 0 && n % 2 == 1 { -1.0 } else { 1.0 };
        (0..springs.len()).map(|n| sign(n) * 2.0 / ((n + 1) as f64 * std::f64::consts::PI)).collect()
    };
    let straight = 0.1 * springs.first()?;
    let stiffness =
        if places.len() == 1 { vec![straight] } else { vec![straight, -straight, -straight, straight] };
    let support = |(end, place)| joint::Support { lift: lift(end), place };
    Some(joint::Joint {
        name: name.into(),
        first: block.dofs.start,
        springs: springs.clone(),
        supports: places.into_iter().enumerate().map(support).collect(),
        stiffness,
    })
}

fn assemble(
    bodies: &[Part<Box<dyn Body>>],
    contacts: &[(Part<ElementLaw>, Between)],
    links: &[(Values, Between)],
    inputs: &[(usize, f64)],
    on_others: &[Standing],
) -> Option<System> {
    let mut system = System::default();
    let mut blocks = Vec::with_capacity(bodies.len());
    let placed: Vec<Placed> = bodies
        .iter()
        .map(|body| {
            let first = system.blocks.len();
            let placed = body.make().add_to(&mut system, body.entry.kind.name).ok();
            blocks.push(first..system.blocks.len());
            placed
        })
        .collect::<Option<_>>()?;
    let end = |body: usize, fraction: f64| {
        let placed = placed.get(body)?;
        // A surface has places of two numbers, and a point only one.
        let pair = Place::Pair(Coordinate::Fraction(fraction), Coordinate::Fraction(0.37));
        let places = [Place::Fraction(fraction), pair, Place::Whole];
        places.into_iter().find_map(|place| placed.row(place).ok())
    };
    let row = |&(first, second, here, there): &Between| {
        let first = first % (placed.len() + 1);
        let second = (first + 1 + second % placed.len()) % (placed.len() + 1);
        // Air has no displacement that anything solid could meet.
        let moves = |body: usize| placed.get(body).is_some_and(|placed| placed.measure.moves());
        let end = |body, fraction| {
            if moves(body) { end(body, fraction).unwrap_or_else(Row::ground) } else { Row::ground() }
        };
        end(first, here).minus(&end(second, there))
    };
    for (k, &(body, other, here, there, both)) in on_others.iter().enumerate() {
        let body = body % placed.len();
        let other = (body + 1 + other % (placed.len() - 1)) % placed.len();
        let places = [here, there].into_iter().take(1 + usize::from(both));
        let places: Vec<Row> = places.filter_map(|place| end(other, place)).collect();
        let name = format!("joint {k}");
        let joint =
            (!places.is_empty()).then(|| standing(&name, &system, blocks[body].clone(), places)).flatten();
        let taken = |joint: &joint::Joint| system.joints.iter().any(|known| known.first == joint.first);
        let joint = joint.filter(|joint| !taken(joint));
        system.joints.extend(joint);
    }
    for (values, ends) in links {
        let number = |name| values.number(name).unwrap_or(0.0);
        hamiltone_bodies::link::add_to(&mut system, "link", row(ends), number("stiffness"), number("loss"))
            .ok()?;
    }
    for (j, (part, ends)) in contacts.iter().enumerate() {
        let ElementLaw { law, gap } = part.make();
        // A law of air has its row on a bore where there is one, else on another place.
        let air = placed.iter().position(|placed| placed.measure == Measure::Pressure);
        let along = |measure: &Measure| match (measure, air) {
            (Measure::Pressure, Some(bore)) => end(bore, 0.0).unwrap_or_else(Row::ground),
            (Measure::Pressure, None) => row(&(ends.0 + 1, ends.1, ends.3, ends.2)),
            _ => row(ends),
        };
        let measures = if let Law::Port(law) = &law { law.port.measures() } else { &[Measure::Length] };
        let mut rows: Vec<Row> = measures.iter().map(along).collect();
        let still = if let Law::Port(law) = &law { law.port.still() } else { 0 };
        // Every second port has a branch at another place, where what drives it puts it now and then.
        if let (Law::Port(_), 0) = (&law, ends.0 % 2) {
            rows.push(row(&(ends.0 + 1, ends.1, ends.2, ends.3)));
            // The others of its rows there change every second time.
            let others = match ends.1 % 2 == 0 {
                true => rows[1..measures.len()].to_vec(),
                false => vec![row(&(ends.0, ends.1 + 1, ends.2, ends.3)); measures.len() - 1],
            };
            rows.extend(others);
            system.inputs.push(Input::branch(format!("branch {j}"), j..j + 1));
        }
        for branch in rows.chunks_mut(measures.len()) {
            branch[..still].fill(Row::ground());
        }
        system.elements.push(Element { name: format!("{j}: {part:?}"), rows, gap, law });
        system.outputs.push(Output { name: format!("force {j}"), quantity: Quantity::Force(j..j + 1) });
    }
    for (k, &(body, fraction)) in inputs.iter().enumerate() {
        system.inputs.push(Input::force(format!("input {k}"), end(body % placed.len(), fraction)?));
    }
    for body in 0..placed.len() {
        let row = end(body, 0.5)?;
        system
            .outputs
            .push(Output { name: "position".into(), quantity: Quantity::Displacement(row.clone()) });
        // What place and speed make together is read after each step: where it is, none is taken with others.
        if body > 0 {
            let both = Quantity::Motion(row.scaled(2.0), row.clone());
            system.outputs.push(Output { name: "motion".into(), quantity: both });
        }
        system.outputs.push(Output { name: "velocity".into(), quantity: Quantity::Velocity(row) });
    }
    Some(system)
}
