//! Strings on other bodies.

use super::{Builder, Draw, frame, place, takes};
use hamiltone_core::{coverage::Feature, geometry::Geometry};
use hamiltone_scene::plan::BodyPlan;

impl Builder<'_> {
    /// Strings with modes stand on other bodies now and then, where the scheme takes it.
    pub fn bridges(&mut self) {
        // Drawn apart, so that the others keep their numbers.
        let mut apart = Draw::new(self.scene.seed.rotate_left(16));
        let takes = takes(self.scheme, Feature::Joints);
        let Some(plan) = self.plan.as_ref().filter(|plan| takes && plan.bodies.len() > 1) else { return };
        let stands = |body: &&BodyPlan| body.placed.representation.standing().is_some();
        let strings: Vec<String> = plan.bodies.iter().filter(stands).map(|body| body.name.clone()).collect();
        let others: Vec<(String, Geometry)> =
            plan.bodies.iter().map(|body| (body.name.clone(), body.placed.geometry)).collect();
        std::mem::swap(&mut self.draw, &mut apart);
        for (i, string) in strings.iter().enumerate() {
            let (other, geometry) = self.draw.any(&others).clone();
            if other == *string || self.draw.chance(0.3) {
                continue;
            }
            let place = place::on(&mut self.draw, geometry);
            let end = *self.draw.any(&["0", "1"]);
            self.section(&frame("bridge"), format!("bridge{i}"), |_, section| {
                let between = vec![format!("{string}@{end}"), format!("{other}{place}")];
                section.keys.insert("between".into(), between.into());
            });
        }
        std::mem::swap(&mut self.draw, &mut apart);
    }
}
