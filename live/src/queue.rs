//! Actions on their way to the thread of the sound: several threads send, one takes them, without waiting for any of them.

use crate::meter::Meter;
use hamiltone_play::Action;
use rtrb::{Consumer, Producer, RingBuffer};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// How many actions can wait: more than any player does in a block.
const CAPACITY: usize = 4096;

/// An action and when it came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Since the beginning of the performance, s.
    pub time: f64,
    /// What.
    pub action: Action,
}

/// Where actions are sent to, from any thread but that of the sound.
#[derive(Clone)]
pub struct Sender {
    begin: Instant,
    meter: Arc<Meter>,
    /// Senders wait for each other here; the thread of the sound never does.
    ring: Arc<Mutex<Producer<Timed>>>,
}

impl Sender {
    /// A queue of actions whose times are counted from `begin`, and its other end.
    pub fn new(begin: Instant, meter: Arc<Meter>) -> (Self, Consumer<Timed>) {
        let (producer, consumer) = RingBuffer::new(CAPACITY);
        (Self { begin, meter, ring: Arc::new(Mutex::new(producer)) }, consumer)
    }

    /// Sends an action that comes now. Where the queue is full it is dropped and counted; all keys are released then, so that none is held for ever.
    pub fn send(&self, action: Action) {
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        // Within the lock, so that times ascend.
        let time = self.begin.elapsed().as_secs_f64();
        if ring.push(Timed { time, action }).is_err() {
            self.meter.lose_action();
        }
    }
}
