//! What `check` finds out, on a thread of its own: the command ends when its budget does, whatever is under way.

use super::pace::Pace;
use crate::resources::{peak_memory, process_seconds};
use hamiltone_numerics::parallel;
use hamiltone_render::{
    run::{Rehearsed, RunError, rehearse},
    sinks::wav,
    tuning::Tuning,
};
use hamiltone_scene::{Diagnostics, Plan, Scene};
use hamiltone_schemes::eigenfrequencies;
use hamiltone_study::clock::thread_seconds;
use std::{
    io,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

/// Steps are timed for so long at most from the first one on that closes a contact, s,
const TIMED_SECONDS: f64 = 1.0;
/// and for so long where none does, s, but no longer than this part of the budget.
const UNTOUCHED_SECONDS: f64 = 3.0;
const PART_OF_BUDGET: f64 = 0.5;
/// From one look at the clock to the next.
const INTERVAL: Duration = Duration::from_millis(1);
/// The number of eigenfrequencies shown.
pub const SHOWN: usize = 8;
/// As large as that of the main thread: values may be nested.
const STACK: usize = 8 << 20;

/// What has been found out.
#[derive(Default)]
pub struct SceneFindings {
    /// The plan, and the seconds from the start of the program that it took.
    pub plan: Option<(Arc<Plan>, f64)>,
    /// The seconds from the plan to the first step.
    pub preparation: Option<f64>,
    /// The steps that were timed.
    pub pace: Pace,
    /// Whether a contact was closed in them.
    pub touched: bool,
    /// The processor seconds of the steps that were under way when the budget ended.
    pub under_way: f64,
    /// The seconds from the last step to the sound of all frames, its file aside.
    pub sound: Option<f64>,
    /// The most memory that was used up to the timed steps, bytes, where the system tells it.
    pub memory: Option<u128>,
    /// The highest angular frequency, rad/s.
    pub highest: Option<f64>,
    /// The lowest ones.
    pub lowest: Option<Vec<f64>>,
    /// λ of its bridges.
    pub joint_ratio: Option<f64>,
    /// How far partials will sound from theory, and the seconds that it takes to find out.
    pub tuning: Option<(Tuning, f64)>,
    /// Why a run is refused.
    pub refusal: Option<RunError>,
}

/// One thing that was found out.
enum SceneMessage {
    Plan(Result<Arc<Plan>, Diagnostics>, f64),
    Prepared(f64),
    Steps(Rehearsed, f64),
    /// No further step is timed.
    Stepped,
    Sound(f64),
    Timed(Option<u128>),
    Highest(f64),
    Lowest(Vec<f64>),
    JointRatio(f64),
    Tuning(Tuning, f64),
    Refused(RunError),
}

/// Finds out about a scene what is possible within a budget.
///
/// # Errors
/// What is wrong with the scene.
pub fn find(scene: Scene, budget: Duration) -> io::Result<Result<SceneFindings, Diagnostics>> {
    let (tell, hear) = channel();
    thread::Builder::new().stack_size(STACK).spawn(move || {
        // Where nobody listens any more, the budget has ended.
        let _ = explore(scene, budget.as_secs_f64(), &tell);
    })?;
    Ok(collect(&hear, Instant::now().checked_add(budget)))
}

/// All that is told until the end of the work or the deadline.
fn collect(hear: &Receiver<SceneMessage>, deadline: Option<Instant>) -> Result<SceneFindings, Diagnostics> {
    let mut findings = SceneFindings::default();
    // The processor time at the last news of a run that goes on.
    let mut stepping = None;
    loop {
        let left =
            deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()));
        match hear.recv_timeout(left) {
            Ok(SceneMessage::Plan(plan, seconds)) => findings.plan = Some((plan?, seconds)),
            Ok(SceneMessage::Prepared(seconds)) => {
                findings.preparation = Some(seconds);
                findings.pace.mark(0, 0.0);
                stepping = Some(process_seconds());
            }
            Ok(SceneMessage::Steps(rehearsed, seconds)) => {
                findings.pace.mark(rehearsed.done, seconds);
                findings.touched = rehearsed.touched;
                stepping = Some(process_seconds());
            }
            Ok(SceneMessage::Stepped) => stepping = None,
            Ok(SceneMessage::Sound(seconds)) => findings.sound = Some(seconds),
            Ok(SceneMessage::Timed(memory)) => findings.memory = memory,
            Ok(SceneMessage::Highest(omega)) => findings.highest = Some(omega),
            Ok(SceneMessage::Lowest(omegas)) => findings.lowest = Some(omegas),
            Ok(SceneMessage::JointRatio(lambda)) => findings.joint_ratio = Some(lambda),
            Ok(SceneMessage::Tuning(tuning, seconds)) => findings.tuning = Some((tuning, seconds)),
            Ok(SceneMessage::Refused(error)) => findings.refusal = Some(error),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                findings.under_way = stepping.map_or(0.0, |since| process_seconds() - since);
                return Ok(findings);
            }
        }
    }
}

/// The work, in the order in which its results are worth waiting for.
fn explore(
    scene: Scene,
    budget: f64,
    tell: &Sender<SceneMessage>,
) -> Result<(), std::sync::mpsc::SendError<SceneMessage>> {
    let (begin, before) = (thread_seconds(), process_seconds());
    // On this thread alone, whose processor time is measured.
    let plan = parallel::at_most(1, || scene.plan()).map(Arc::new);
    let known = plan.as_ref().ok().cloned();
    tell.send(SceneMessage::Plan(plan, before + thread_seconds() - begin))?;
    let Some(plan) = known else { return Ok(()) };
    let begin = thread_seconds();
    let (mut first, mut last, mut looked) = (None, 0.0, Instant::now());
    let (mut touched, untouched) = (None, UNTOUCHED_SECONDS.min(PART_OF_BUDGET * budget));
    let has_contacts = !plan.system.elements.is_empty();
    let mut go_on = |rehearsed: Rehearsed| {
        let Rehearsed { done, all, .. } = rehearsed;
        // The processor time is asked of the system, which takes as long as some steps.
        if done > 0 && done < all && looked.elapsed() < INTERVAL {
            return true;
        }
        looked = Instant::now();
        let now = thread_seconds();
        last = now;
        let first = *first.get_or_insert_with(|| {
            let _ = tell.send(SceneMessage::Prepared(now - begin));
            now
        });
        if done > 0 {
            let _ = tell.send(SceneMessage::Steps(rehearsed, now - first));
        }
        if rehearsed.touched || !has_contacts {
            touched.get_or_insert(now);
        }
        done < all
            && (now - touched.unwrap_or(now) < TIMED_SECONDS)
            && (touched.is_some() || now - first < untouched)
    };
    let sound = match rehearse(&plan, &mut go_on) {
        Ok(sound) => sound,
        Err(error) => return tell.send(SceneMessage::Refused(error)),
    };
    tell.send(SceneMessage::Stepped)?;
    // Into nowhere: nothing fails.
    let _ = wav::write_all(&mut vec![io::sink(); sound.mix.buses.len()], &sound, plan.output.format);
    let part = plan.frames as f64 / sound.frames().max(1) as f64;
    tell.send(SceneMessage::Sound((thread_seconds() - last) * part.max(1.0)))?;
    tell.send(SceneMessage::Timed(peak_memory()))?;
    tell.send(SceneMessage::Highest(eigenfrequencies::highest(&plan.system)))?;
    tell.send(SceneMessage::Lowest(eigenfrequencies::lowest(&plan.system, SHOWN)))?;
    if let Some(lambda) = plan.scheme.joint_ratio(&plan.system, 1.0 / plan.internal_rate()) {
        tell.send(SceneMessage::JointRatio(lambda))?;
    }
    let begin = thread_seconds();
    let tuning = Tuning::of(&plan);
    tell.send(SceneMessage::Tuning(tuning, thread_seconds() - begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was told before the deadline counts; where it has passed, nothing is waited for.
    #[test]
    fn the_deadline_ends_what_is_under_way() {
        let (tell, hear) = channel();
        tell.send(SceneMessage::Highest(3.0)).unwrap();
        tell.send(SceneMessage::Prepared(0.5)).unwrap();
        let rehearsed = Rehearsed { done: 10, all: 20, touched: true };
        tell.send(SceneMessage::Steps(rehearsed, 0.25)).unwrap();
        // The other side still works.
        let found = collect(&hear, Some(Instant::now())).unwrap();
        assert_eq!(
            (found.highest, found.preparation, found.pace.total(20)),
            (Some(3.0), Some(0.5), Some(0.5))
        );
        assert!(found.lowest.is_none() && found.plan.is_none() && found.touched);
        tell.send(SceneMessage::Lowest(vec![1.0])).unwrap();
        drop(tell);
        let found = collect(&hear, None).unwrap();
        assert_eq!(found.lowest, Some(vec![1.0]));
    }
}
