//! Strings and membranes whose tension grows with their amplitude, and the air below a head.

use super::{Builder, Draw, Section, frame, takes};
use hamiltone_core::coverage::Feature;
use toml::Value;

impl Builder<'_> {
    /// Strings and membranes whose tension grows, now and then in two polarisations and with longitudinal modes, where the scheme takes them.
    pub fn stretched(&mut self) {
        // Drawn apart, so that the others keep their numbers.
        let mut apart = Draw::new(self.scene.seed.rotate_left(48));
        if self.plan.is_none() || self.long || !takes(self.scheme, Feature::Forms) || !apart.chance(0.6) {
            return;
        }
        std::mem::swap(&mut self.draw, &mut apart);
        self.only = &["string", "membrane"];
        let stretch = |builder: &mut Self, section: &mut Section| {
            let keys = &mut section.keys;
            let is_string = keys.get("kind").and_then(Value::as_str) == Some("string");
            for key in ["left", "right", "slope", "accuracy", "accuracy_partials"] {
                keys.remove(key);
            }
            if is_string {
                keys.insert("method".into(), "modal".into());
                if builder.draw.chance(0.3) {
                    keys.insert(
                        "longitudinal_modes".into(),
                        Value::Integer(1 + builder.draw.below(6) as i64),
                    );
                }
            } else {
                keys.remove("youngs_modulus");
                keys.remove("poisson_ratio");
            }
            keys.insert("tension_modulation".into(), Value::Boolean(true));
            keys.insert("axial_stiffness".into(), builder.draw.decades(2.0, 5.5).into());
        };
        if self.section(&frame("body"), "stretched".into(), stretch) && self.draw.chance(0.4) {
            let last =
                self.scene.sections.iter().rfind(|section| section.name.as_deref() == Some("stretched"));
            if let Some(mut other) = last.cloned() {
                other.name = Some("across".into());
                other.keys.insert("polarisation_of".into(), "stretched".into());
                self.section(&frame("body"), "across".into(), |_, section| *section = other.clone());
            }
        }
        self.only = &[];
        let heads = self.scene.sections.iter().rfind(|section| section.name.as_deref() == Some("stretched"));
        let is_head =
            heads.is_some_and(|head| head.keys.get("kind").and_then(Value::as_str) == Some("membrane"));
        if is_head && self.draw.chance(0.5) {
            self.section(&frame("cavity"), "air".into(), |builder, section| {
                let ends = ["stretched", "ground"].map(|end| Value::String(end.into()));
                section.keys.insert("between".into(), Value::Array(ends.to_vec()));
                section.keys.insert("volume".into(), builder.draw.decades(-3.0, 0.0).into());
            });
        }
        std::mem::swap(&mut self.draw, &mut apart);
    }
}
