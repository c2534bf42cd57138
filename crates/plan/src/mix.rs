//! The gains with which pickups become channels.
//!
//!   y_c = Σₚ g_cp xₚ,   g_cp = factorₚ · w_c(panₚ)
//!
//! as [`crate::output`] has them: xₚ are the pickups (SI units), y_c the channels of a bus (1 is full scale), w_c(pan) what a pan gives the channel c.

use crate::{
    output::{BusPlan, Channels, Level, stereo},
    plan::{Pickup, Plan},
};
use hamiltone_numerics::math;

/// The pickups that a channel adds, by number, and their gains, 1/(unit of the pickup).
pub type Channel = Vec<(usize, f64)>;

/// 10^(dB/20).
pub fn decibels(db: f64) -> f64 {
    math::pow(10.0, db / 20.0)
}

/// The bus of a pickup; `None` where it is in no file.
pub fn bus_of<'a>(plan: &'a Plan, pickup: &Pickup) -> Option<&'a BusPlan> {
    plan.output.buses.get(pickup.mix.bus?)
}

/// The channels of each bus of a plan whose sound is heard while it is made: a normalised level, which is known at the end only, counts as
/// a reference level.
pub fn live(plan: &Plan) -> Vec<Vec<Channel>> {
    let factor = |pickup: &Pickup| {
        bus_of(plan, pickup).map_or(0.0, |bus| live_factor(plan, bus, pickup.mix.gain, pickup.sound_unit()))
    };
    channels(plan, &plan.pickups.iter().map(factor).collect::<Vec<f64>>())
}

/// The factor of something that is heard in a bus while it is made: its gain (dB), and the unit of its quantity.
pub fn live_factor(plan: &Plan, bus: &BusPlan, gain: f64, unit: &str) -> f64 {
    let (gain, full_scale) = (gain + bus.gain, || plan.output.full_scale.of(unit));
    match plan.output.level {
        Level::Reference(db) => decibels(db + gain) / full_scale(),
        Level::Peak(_) | Level::Normalised(_) => decibels(gain) / full_scale(),
        Level::Gain(db) => decibels(db + gain),
        Level::Raw => decibels(gain),
    }
}

/// The channels of each bus, with a factor for each pickup.
pub fn channels(plan: &Plan, factors: &[f64]) -> Vec<Vec<Channel>> {
    let of_bus = |(number, bus): (usize, &BusPlan)| {
        let pickups = plan.pickups.iter().enumerate();
        let members: Vec<_> = pickups.filter(|(_, pickup)| pickup.mix.bus == Some(number)).collect();
        let panned = |side: usize| {
            members.iter().map(|(i, pickup)| (*i, factors[*i] * stereo(pickup.mix.pan)[side])).collect()
        };
        match bus.channels {
            Channels::Pickups => members.iter().map(|(i, _)| vec![(*i, factors[*i])]).collect(),
            Channels::Mono => vec![members.iter().map(|(i, _)| (*i, factors[*i])).collect()],
            Channels::Stereo => vec![panned(0), panned(1)],
        }
    };
    plan.output.buses.iter().enumerate().map(of_bus).collect()
}
