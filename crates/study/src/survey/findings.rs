//! What stands out in a survey.
//!
//! ```text
//! neighbours      |L(key) − L(next key of the instrument)| at one velocity
//! out of tune     |c(key)| > 5,   c the cents at which it sounds
//! uneven tuning   |c(key) − ½(c(key before) + c(key after))|
//! repeated stroke |L(second) − L(first)|
//! ```

use super::{Survey, stroke::Stroke};

/// How far from equal temperament a key is called out of tune, cents: what is heard of successive notes.
pub const OUT_OF_TUNE: f64 = 5.0;

/// A key, the next one of the instrument, and by how many dB that is louder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelStep {
    /// The two keys.
    pub keys: [u8; 2],
    /// At which velocity.
    pub velocity: u8,
    /// The level of the second above that of the first, dB.
    pub difference: f64,
}

impl Survey {
    /// The steps of level from key to key, each at the velocity at which it is largest; the largest first.
    pub fn level_steps(&self) -> Vec<LevelStep> {
        let worst = |keys: &[u8; 2]| {
            let step = |velocity: &u8| {
                let [low, high] = keys.map(|key| self.stroke(key, *velocity));
                let difference = high?.level - low?.level;
                Some(LevelStep { keys: *keys, velocity: *velocity, difference })
            };
            let heard = self.velocities.iter().filter_map(step).filter(|step| step.difference.is_finite());
            heard.max_by(|a, b| a.difference.abs().total_cmp(&b.difference.abs()))
        };
        let mut all: Vec<LevelStep> = self.neighbours.iter().filter_map(worst).collect();
        all.sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
        all
    }

    /// The notes that are out of tune, one a key at the velocity at which it is farthest off, the worst first.
    pub fn out_of_tune(&self) -> Vec<(&Stroke, f64)> {
        let worst = |key: &u8| {
            let notes = self.strokes.iter().filter(|stroke| stroke.key == *key);
            let cents = notes.filter_map(|stroke| Some((stroke, stroke.cents()?)));
            cents.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
        };
        let mut all: Vec<(&Stroke, f64)> = self.keys.iter().filter_map(worst).collect();
        all.retain(|(_, cents)| cents.abs() > OUT_OF_TUNE);
        all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        all
    }

    /// The note that is farthest from the mean of its neighbours, and by how many cents it lies above that: a tuning that is stretched in whole is even.
    pub fn most_uneven(&self) -> Option<(&Stroke, f64)> {
        let uneven = |stroke: &Stroke| {
            let (key, velocity) = (stroke.key, stroke.velocity);
            let before = self.neighbours.iter().find(|two| two[1] == key)?[0];
            let after = self.neighbours.iter().find(|two| two[0] == key)?[1];
            let [low, high] = [before, after].map(|key| self.stroke(key, velocity).and_then(Stroke::cents));
            Some(stroke.cents()? - 0.5 * (low? + high?))
        };
        let all = self.strokes.iter().filter_map(|stroke| Some((stroke, uneven(stroke)?)));
        all.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }

    /// The keys of which no partial is found near their frequency at some velocity.
    pub fn without_pitch(&self) -> Vec<u8> {
        let silent =
            |key: &&u8| self.strokes.iter().any(|stroke| stroke.key == **key && stroke.cents().is_none());
        if self.is_tuned { self.keys.iter().filter(silent).copied().collect() } else { Vec::new() }
    }

    /// The note whose repeated stroke differs most from the first.
    pub fn worst_repeat(&self) -> Option<&Stroke> {
        let heard = self.strokes.iter().filter(|stroke| stroke.repeat.is_finite());
        heard.max_by(|a, b| a.repeat.abs().total_cmp(&b.repeat.abs()))
    }

    /// The note with the longest block, in processor time.
    pub fn longest_block(&self) -> Option<&Stroke> {
        self.strokes.iter().max_by(|a, b| a.longest_block.total_cmp(&b.longest_block))
    }

    /// The smallest and the largest of some figure.
    pub fn range(&self, of: impl Fn(&Stroke) -> Option<f64>) -> Option<[f64; 2]> {
        let all = self.strokes.iter().filter_map(of).filter(|x| x.is_finite());
        all.fold(None, |range: Option<[f64; 2]>, x| {
            Some(range.map_or([x, x], |[low, high]| [low.min(x), high.max(x)]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{partials::PartialFigures, stroke::Conditions};

    /// A note of a level, cents, and what its repetition has more, dB.
    fn stroke((key, velocity): (u8, u8), level: f64, cents: f64, repeat: f64) -> Stroke {
        let first = PartialFigures {
            number: 1,
            frequency: Some(440.0),
            cents: Some(cents),
            level: None,
            prompt: None,
            late: None,
        };
        Stroke {
            key,
            velocity,
            latency: None,
            attack: None,
            peak: level,
            level,
            late_level: None,
            centroid: None,
            requested: Some(440.0),
            pitch: Some(440.0 * 2_f64.powf(cents / 1200.0)),
            partials: vec![first],
            repeat,
            residual: (0.0, 1.0),
            trouble: None,
            longest_block: f64::from(key),
        }
    }

    #[test]
    fn what_differs_most_stands_first() {
        let survey = Survey {
            title: "Forks".into(),
            keys: vec![60, 61, 64, 65],
            neighbours: vec![[60, 61], [64, 65]],
            velocities: vec![30, 100],
            conditions: Conditions { seconds: 1.0, repeat_after: 0.5 },
            is_tuned: true,
            a4: 440.0,
            rate: 48_000.0,
            strokes: vec![
                stroke((60, 30), -30.0, 1.0, 0.1),
                stroke((60, 100), -20.0, -6.0, 0.2),
                stroke((61, 30), -31.0, 5.1, -0.5),
                stroke((61, 100), -18.0, 0.0, 0.3),
                stroke((64, 30), -60.0, 0.0, f64::NAN),
                stroke((64, 100), -50.0, 4.9, 0.0),
                stroke((65, 30), -55.0, 0.0, 0.4),
                stroke((65, 100), f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY),
            ],
        };
        // From 61 to 64 the instrument has other keys.
        let steps: Vec<([u8; 2], u8, f64)> =
            survey.level_steps().iter().map(|step| (step.keys, step.velocity, step.difference)).collect();
        assert_eq!(steps, [([64, 65], 30, 5.0), ([60, 61], 100, 2.0)]);
        let off: Vec<(u8, f64)> =
            survey.out_of_tune().iter().map(|(stroke, cents)| (stroke.key, *cents)).collect();
        assert_eq!(off.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [60, 61]);
        assert!(off.iter().zip([-6.0, 5.1]).all(|((_, cents), own)| (cents - own).abs() < 1e-9), "{off:?}");
        assert!(survey.most_uneven().is_none());
        let whole = Survey { neighbours: vec![[60, 61], [61, 64], [64, 65]], ..survey.clone() };
        // 5.1 beside 1 and 0 at velocity 30; at 100 it is 0 beside −6 and 4.9, and 4.9 beside 0 and 0.
        let uneven = whole.most_uneven().map(|(stroke, cents)| (stroke.key, stroke.velocity, cents));
        assert!(matches!(uneven, Some((64, 100, cents)) if (cents - 4.9).abs() < 1e-9), "{uneven:?}");
        assert_eq!(survey.worst_repeat().map(|stroke| stroke.repeat), Some(-0.5));
        assert_eq!(survey.longest_block().map(|stroke| stroke.key), Some(65));
        assert_eq!(survey.range(|stroke| Some(stroke.level)), Some([-60.0, -18.0]));
        assert!(survey.without_pitch().is_empty() && survey.troubles().is_empty());
    }
}
