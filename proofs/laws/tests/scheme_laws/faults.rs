//! Trouble is told, never silent, and never a panic: what a run says is right, or the run says that it is not.

use super::{Taken, hold, hold_at_random, require, takes_contacts};
use hamiltone_core::{
    audit::Audit,
    claims::Balance,
    ledger::Bookkeeping,
    operator::Operator,
    parameter::Role,
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    simulation::Simulation,
    system::{Block, System},
};
use hamiltone_laws::{grid, parts, smooth, trial::Trial};

/// The widest bound that anyone should set for a bounded balance; the program's default is 1e-2.
const BOUND: f64 = 1e-2;

/// Runs a free system; whether its audit passes it, and the most physical energy that it had, over that at the start.
fn verdict(stepper: &mut Simulation, system: &System, steps: usize) -> (bool, f64) {
    let (mut q, mut v) = (system.initial.position.clone(), system.initial.velocity.clone());
    let first = system.energy(&q, &v, &[]);
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    let mut most = 1.0_f64;
    for _ in 0..steps {
        if !audit.post(&stepper.step(&[], Bookkeeping::Full)) {
            break;
        }
        stepper.snapshot(&mut q, &mut v);
        most = most.max(system.energy(&q, &v, &[]) / first);
    }
    (audit.ok(BOUND), most)
}

/// Against a wall of any kind, soft to far too stiff for the step: a run of a bounded balance that makes energy
/// does not pass. (An exact one keeps its own energy, which sampled too coarsely is not the physical one.)
pub fn law(scheme: &dyn Scheme) -> Result<(), String> {
    let walls = |role: Role| match role {
        Role::Number => vec![1.0, 1.5, 3.0],
        Role::Length | Role::Displacement => vec![0.0],
        Role::PowerStiffness(_) | Role::HertzStiffness => vec![1e6, 1e9, 1e12, 1e15],
        Role::Relaxation => vec![1e-6, 1e-4],
        _ => Vec::new(),
    };
    let mut taken = 0;
    for entry in hamiltone_elements::catalogue() {
        for values in grid::values(&entry.kind, walls) {
            let Ok(contact) = entry.build(&values) else { continue };
            let mut system = System::default();
            smooth::add_oscillator(&mut system, 0.05, 3000.0, 100.0, (-1e-4, 1.0));
            let system = smooth::with_contact(system, &contact);
            let mut stepper = match scheme.prepare(&system, 1.0 / 44_100.0) {
                Ok(stepper) => stepper,
                Err(Refusal::NotCovered { .. }) => continue,
                Err(refusal) => return Err(refusal.to_string()),
            };
            taken += 1;
            if stepper.balance().is_exact() {
                continue;
            }
            let (passes, most) = verdict(&mut stepper, &system, 2000);
            // Within the bound, and for its own energy, which at these steps is within a factor of 2.
            require(!passes || most < 2.0, || {
                format!("it made {most:.2} times the energy at {} {values:?}, and passes", entry.kind.name)
            })?;
        }
    }
    require(taken > 0 || !takes_contacts(scheme), || "it takes no wall".into())
}

/// Numbers of absurd size, in every place: a refusal, a fault, or a run; never a panic or an endless loop.
fn absurd(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let mut taken = false;
    for size in [1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE] {
        for place in 0..6 {
            let mut trial = trial.clone();
            let system = &mut trial.system;
            match place {
                0 => system.initial.position[0] = size,
                1 => system.initial.velocity[0] = -size,
                2 => system.mass[0] = size,
                3 => system.elements.iter_mut().for_each(|contact| contact.gap = -size),
                4 => trial.force = size,
                _ => trial.rate = size,
            }
            let Ok(mut stepper) = scheme.prepare(&trial.system, 1.0 / trial.rate) else { continue };
            taken = true;
            let audit = trial.run(&mut stepper);
            let (mut q, mut v) = (vec![0.0; trial.system.size()], vec![0.0; trial.system.size()]);
            stepper.snapshot(&mut q, &mut v);
            let finite = q.iter().chain(&v).all(|x| x.is_finite());
            require(finite || audit.fault.is_some(), || {
                format!("{q:?} {v:?} without a fault, at {size:e} in place {place}")
            })?;
        }
    }
    Ok(taken)
}

/// Velocities whose squares overflow, of masses with a damper between them: what it takes from one and gives to the other is inf − inf.
/// Whatever is booked that is no number, the step says that it is none.
fn overflow(scheme: &dyn Scheme) -> Result<(), String> {
    for speed in [1e150, 1e160, 1e200, 1e300] {
        let mut system = smooth::pair();
        let damper = (0.1, Row::Sparse(vec![(0, 1.0), (1, -1.0)]));
        system.blocks.push(Block {
            name: "damper".into(),
            dofs: 0..2,
            stiffness: Operator::Zero,
            damping: Operator::Strains(vec![damper]),
        });
        system.initial.velocity[0] = speed;
        let Ok(mut stepper) = scheme.prepare(&system, 1.0 / 44_100.0) else { continue };
        let ledger = stepper.step(&[], Bookkeeping::Flows);
        require(!ledger.dissipated.is_nan() || ledger.effort.fault.is_some(), || {
            format!("losses of {} J without a fault, at {speed:e} m/s", ledger.dissipated)
        })?;
    }
    Ok(())
}

/// What is no system is refused.
pub fn refuses_nonsense(scheme: &dyn Scheme) -> Result<(), String> {
    let spoil: [fn(&mut System); 5] = [
        |system| system.mass[0] = -1.0,
        |system| system.mass[0] = f64::NAN,
        |system| system.initial.position[0] = f64::INFINITY,
        |system| system.initial.velocity.clear(),
        |system| system.blocks[0].dofs = 0..7,
    ];
    for (k, spoil) in spoil.iter().enumerate() {
        let mut system = smooth::oscillator();
        spoil(&mut system);
        let refused = matches!(scheme.prepare(&system, 1e-5), Err(Refusal::Invalid { .. }));
        require(refused, || format!("nonsense {k} is not refused as such"))?;
    }
    let backwards = if scheme.claims().symmetric { 0.0 } else { -1e-5 };
    for dt in [0.0, backwards, f64::NAN, f64::INFINITY] {
        let refused = matches!(scheme.prepare(&smooth::oscillator(), dt), Err(Refusal::Invalid { .. }));
        require(refused, || format!("a step of {dt} s is not refused as such"))?;
    }
    Ok(())
}

/// Somewhere, a bounded scheme does meet trouble: the walls are stiff enough for the law to mean something.
#[test]
fn stiff_walls_are_trouble_for_some() {
    let mut system = System::default();
    smooth::add_oscillator(&mut system, 0.05, 3000.0, 100.0, (-1e-4, 1.0));
    let contact = smooth::contacts().iter().flatten().next().expect("a contact holds");
    let mut stiff = smooth::with_contact(system, &contact.contact);
    stiff.elements[0].rows[0] = Row::Sparse(vec![(0, 1e3)]);
    let fails = |scheme: &dyn Scheme| match scheme.prepare(&stiff, 1.0 / 44_100.0) {
        Ok(mut stepper) => stepper.balance() == Balance::Bounded && !verdict(&mut stepper, &stiff, 2000).0,
        Err(_) => false,
    };
    assert!(super::METHODS.iter().any(|method| fails(&*method.scheme)));
}

#[test]
fn energy_is_not_made_in_silence() {
    hold(law);
}

#[test]
fn absurd_numbers() {
    hold_at_random(parts::audible, 60, 20, 4, absurd);
}

#[test]
fn losses_that_overflow_are_a_fault() {
    hold(overflow);
}

#[test]
fn nonsense_is_refused() {
    hold(refuses_nonsense);
}
