//! The gestures that wait for their step, in a fixed size: no allocation while it plays.

use hamiltone_core::state::Archive;

/// The most gestures that wait for one part of few inputs.
pub const CAPACITY: usize = 256;
/// The same, for each input of a part of many: a pedal moves the dampers of all keys of a part at once, twice in the time of a ramp.
const EACH: usize = 2;

/// A gesture that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// The step at which it begins.
    pub step: u64,
    /// The input of the part on which it acts.
    pub input: usize,
    /// The number of its shape.
    pub gesture: usize,
    /// The key or string that plays it.
    pub unit: usize,
    /// Whether it waits to end the note of that one until the note has begun.
    pub ends: bool,
}

/// Gestures in the order of their steps, those of one step in the order in which they came.
#[derive(Clone, Debug)]
pub struct Queue {
    /// The last is due first.
    waiting: Vec<Due>,
    /// The most that wait.
    capacity: usize,
}

impl Queue {
    /// None waits for a part with so many inputs.
    pub fn new(inputs: usize) -> Self {
        let capacity = CAPACITY.max(EACH * inputs);
        Self { waiting: Vec::with_capacity(capacity), capacity }
    }

    /// Adds a gesture; `false` where as many wait as there is room for.
    pub fn insert(&mut self, due: Due) -> bool {
        if self.waiting.len() == self.capacity {
            return false;
        }
        let place = self.waiting.partition_point(|waits| waits.step > due.step);
        self.waiting.insert(place, due);
        true
    }

    /// Takes the first that is due at this step.
    pub fn take(&mut self, step: u64) -> Option<Due> {
        self.waiting.pop_if(|due| due.step <= step)
    }

    /// Lets what waits to end a note of this key or string begin at a step that is not later, in the same order.
    pub fn hasten(&mut self, unit: usize, step: u64) {
        while let Some(place) = self.waiting.iter().rposition(|due| due.ends && due.unit == unit) {
            let due = self.waiting.remove(place);
            self.insert(Due { step, ends: false, ..due });
        }
    }

    /// Drops what waits to begin on an input after this step, of this key or string, in which it begins something else.
    pub fn drop_later(&mut self, unit: usize, input: usize, step: u64) {
        self.waiting.retain(|due| due.step <= step || due.unit != unit || due.input != input);
    }

    /// The step of the first.
    pub fn next_step(&self) -> Option<u64> {
        self.waiting.last().map(|due| due.step)
    }

    /// Goes through all that wait, for a part with so many inputs and gestures.
    pub fn archive(&mut self, archive: &mut Archive, inputs: usize, gestures: usize) {
        let mut count = self.waiting.len();
        archive.size(&mut count);
        self.waiting.resize(count.min(self.capacity), Due::default());
        for due in &mut self.waiting {
            archive.long(&mut due.step);
            archive.size(&mut due.input);
            archive.size(&mut due.gesture);
            archive.size(&mut due.unit);
            archive.flag(&mut due.ends);
        }
        self.waiting.retain(|due| due.input < inputs && due.gesture < gestures);
    }

    /// Whether none is due before this step.
    pub fn is_empty_before(&self, step: u64) -> bool {
        self.next_step().is_none_or(|next| next >= step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gestures_come_in_order() {
        let mut queue = Queue::new(1);
        for (gesture, step) in [30, 10, 20, 10].into_iter().enumerate() {
            assert!(queue.insert(Due { step, input: 0, gesture, unit: 0, ends: false }));
        }
        assert_eq!(queue.take(9), None);
        let taken: Vec<usize> = std::iter::from_fn(|| queue.take(25)).map(|due| due.gesture).collect();
        // Of one step those that came first.
        assert_eq!(taken, [1, 3, 2]);
        assert_eq!((queue.next_step(), queue.is_empty_before(30)), (Some(30), true));
        (0..CAPACITY - 1).for_each(|gesture| {
            assert!(queue.insert(Due { step: 40, input: 0, gesture, unit: 0, ends: false }))
        });
        assert!(!queue.insert(Due { step: 1, input: 0, gesture: 0, unit: 0, ends: false }));
    }

    /// Of a part with many inputs as many wait as two moves of all of them.
    #[test]
    fn there_is_room_for_every_input() {
        let mut queue = Queue::new(CAPACITY);
        let waits =
            |queue: &mut Queue, input| queue.insert(Due { step: 1, input, gesture: 0, unit: 0, ends: false });
        (0..2 * CAPACITY).for_each(|n| assert!(waits(&mut queue, n % CAPACITY)));
        assert!(!waits(&mut queue, 0));
    }

    #[test]
    fn what_ends_a_note_is_hastened_in_order() {
        let mut queue = Queue::new(1);
        let all = [(9, None), (20, Some(1)), (21, Some(2)), (25, Some(1)), (20, Some(1)), (9, None)];
        for (gesture, (step, ends)) in all.into_iter().enumerate() {
            let (unit, ends) = (ends.unwrap_or(0), ends.is_some());
            assert!(queue.insert(Due { step, input: 0, gesture, unit, ends }));
        }
        queue.hasten(1, 9);
        assert!(queue.insert(Due { step: 9, input: 0, gesture: 6, unit: 0, ends: false }));
        let taken: Vec<usize> = std::iter::from_fn(|| queue.take(9)).map(|due| due.gesture).collect();
        assert_eq!(taken, [0, 5, 1, 4, 3, 6]);
        assert_eq!(queue.next_step(), Some(21));
    }

    /// What a note does later to an input is dropped where its key or string begins something else there; what others do stays.
    #[test]
    fn what_comes_later_is_dropped() {
        let mut queue = Queue::new(2);
        for (gesture, (step, input, unit)) in
            [(5, 0, 1), (9, 0, 1), (9, 1, 1), (9, 0, 2)].into_iter().enumerate()
        {
            assert!(queue.insert(Due { step, input, gesture, unit, ends: false }));
        }
        queue.drop_later(1, 0, 5);
        let left: Vec<usize> = std::iter::from_fn(|| queue.take(9)).map(|due| due.gesture).collect();
        assert_eq!(left, [0, 2, 3]);
    }
}
