//! How loud a sound file will be, of scenes and of instruments.

use hamiltone_plan::output::BusPlan;
use hamiltone_scene::Plan;

/// The level and the channels of the sound.
pub fn output(plan: &Plan) -> String {
    let bus = |(number, bus): (usize, &BusPlan)| match plan.channels(number) {
        1 => format!("bus {}, 1 channel", bus.name),
        count => format!("bus {}, {count} channels", bus.name),
    };
    let buses: Vec<String> = plan.output.buses.iter().enumerate().map(bus).collect();
    format!("{}: {}", plan.output.level, buses.join("; "))
}
