//! Where frequencies and decays are measured in a sound that a score plays: the longest time in which no gesture begins or
//! acts, after the first of them unless something moves from the start. Two notes in one window would be neither.

use hamiltone_scene::Plan;
use std::ops::Range;

/// The longest undisturbed part of so many frames at a rate (Hz); all of them without a score.
pub fn longest(plan: &Plan, frames: u64, rate: f64) -> Range<u64> {
    let initial = &plan.system.initial;
    let moves = initial.position.iter().chain(&initial.velocity).any(|x| *x != 0.0);
    let end = frames as f64 / rate;
    let mut gestures = plan.gestures.clone();
    gestures.sort_by(|a, b| a.start.total_cmp(&b.start));
    let Some(first) = gestures.first() else { return 0..frames };
    let mut longest = if moves { 0.0..first.start.min(end) } else { 0.0..0.0 };
    let begins = gestures.iter().skip(1).map(|gesture| gesture.start).chain([f64::INFINITY]);
    let mut from = 0.0_f64;
    for (gesture, next) in gestures.iter().zip(begins) {
        from = from.max(gesture.end);
        let to = next.min(end);
        if to - from > longest.end - longest.start {
            longest = from..to;
        }
    }
    let frame = |t: f64| ((t * rate).ceil() as u64).min(frames);
    frame(longest.start)..frame(longest.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_scene::Scene;
    use std::path::Path;

    /// The longest part of 4 s at 100 Hz with these gestures, of a body that moves from the start or not.
    fn part(gestures: &[Range<f64>], position: &str) -> Range<u64> {
        let text = format!(
            "hamiltone = 2\nrun.duration = \"4 s\"\npickup.left.at = \"fork\"\n[body.fork]\nkind = \"oscillator\"\n\
             mass = \"2 g\"\nfrequency = \"440 Hz\"\nposition = \"{position}\"\n"
        );
        let mut plan =
            Scene::new(&text, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string()).unwrap();
        plan.gestures = gestures.to_vec();
        longest(&plan, 400, 100.0)
    }

    #[test]
    fn the_longest_time_without_a_gesture() {
        assert_eq!(part(&[], "0 mm"), 0..400);
        // Nothing sounds before the first.
        assert_eq!(part(&[2.0..2.5], "0 mm"), 250..400);
        assert_eq!(part(&[2.0..2.5], "1 mm"), 0..200);
        // In any order; one that lasts beyond others, and one after the end.
        assert_eq!(part(&[3.5..3.6, 0.25..0.5, 1.0..1.25, 9.0..9.5], "0 mm"), 125..350);
        assert_eq!(part(&[0.0..2.0, 0.5..0.75, 2.5..2.75], "0 mm"), 275..400);
        assert_eq!(part(&[0.0..9.0], "0 mm"), 0..0);
    }
}
