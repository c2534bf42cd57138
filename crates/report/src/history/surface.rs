//! The displacement of surfaces at instants of the first period of their lowest partial.

use hamiltone_core::{geometry::Surface, state::Archive};
use hamiltone_render::Block;
use hamiltone_scene::plan::{BodyPlan, Plan};
use std::ops::Range;

/// Instants of the first period, the last at its end.
pub const INSTANTS: usize = 6;
/// Pixels along the longer side.
const PIXELS: usize = 72;
/// The largest number of bodies shown.
const MAX_BODIES: usize = 2;

/// One surface at a few instants.
pub struct SurfaceShape {
    /// The body's name.
    pub body: String,
    /// Its outline.
    pub surface: Surface,
    /// The period of its lowest partial, s.
    period: f64,
    dofs: Range<usize>,
    /// The number of degrees of freedom of the system.
    size: usize,
    /// When, s, and the positions of its degrees of freedom.
    states: Vec<(f64, Vec<f64>)>,
}

/// Displacements on a raster, row by row from the top; none outside the outline.
pub struct Raster {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Left and right end, m.
    pub x: (f64, f64),
    /// Lower and upper end, m.
    pub y: (f64, f64),
    /// When, s, and u of each pixel, m.
    pub instants: Vec<(f64, Vec<Option<f64>>)>,
}

impl SurfaceShape {
    /// Those of a plan's surfaces.
    pub fn all(plan: &Plan) -> Vec<Self> {
        plan.bodies.iter().filter_map(|body| Self::new(plan, body)).take(MAX_BODIES).collect()
    }

    fn new(plan: &Plan, body: &BodyPlan) -> Option<Self> {
        Some(Self {
            body: body.name.clone(),
            surface: body.placed.geometry.surface()?,
            period: 1.0 / body.placed.representation.partial(1)?,
            dofs: body.placed.dofs.clone(),
            size: plan.system.size(),
            states: Vec::new(),
        })
    }

    /// Enters the state after a block.
    pub fn post(&mut self, block: &Block) {
        let time = block.last() as f64 / block.rate;
        let next = self.period * (self.states.len() + 1) as f64 / INSTANTS as f64;
        if self.states.len() < INSTANTS && time >= next {
            self.states.push((time, block.q[self.dofs.clone()].to_vec()));
        }
    }

    /// Goes through the instants, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        let mut count = self.states.len();
        archive.size(&mut count);
        self.states.resize(count.min(INSTANTS), (0.0, Vec::new()));
        for (time, positions) in &mut self.states {
            archive.number(time);
            archive.list(positions);
        }
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        self.states.iter().all(|(_, positions)| positions.len() == self.dofs.len())
    }

    /// What was kept, as pixels.
    pub fn raster(&self, plan: &Plan) -> Option<Raster> {
        let placed = &plan.bodies.iter().find(|body| body.name == self.body)?.placed;
        let (x, y) = match self.surface {
            Surface::Rectangle { sides: [a, b] } => ((0.0, a), (0.0, b)),
            Surface::Disc { radius } => ((-radius, radius), (-radius, radius)),
        };
        let step = (x.1 - x.0).max(y.1 - y.0) / PIXELS as f64;
        let count = |(low, high): (f64, f64)| ((high - low) / step).round().max(1.0) as usize;
        let (width, height) = (count(x), count(y));
        let mut instants: Vec<(f64, Vec<Option<f64>>)> =
            self.states.iter().map(|(time, _)| (*time, Vec::with_capacity(width * height))).collect();
        // Rows read the coordinates of the whole system.
        let mut q = vec![0.0; self.size];
        let part =
            |i: usize, n: usize, (low, high): (f64, f64)| low + (i as f64 + 0.5) / n as f64 * (high - low);
        for pixel in 0..width * height {
            let (column, row) = (pixel % width, height - 1 - pixel / width);
            let at = placed.geometry.at([part(column, width, x), part(row, height, y)]);
            let row = (self.surface.margin(at) >= 0.0).then(|| placed.representation.row(at));
            for ((_, values), (_, state)) in instants.iter_mut().zip(&self.states) {
                q[self.dofs.clone()].copy_from_slice(state);
                values.push(row.as_ref().map(|row| row.dot(&q)));
            }
        }
        Some(Raster { width, height, x, y, instants })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_scene::Scene;
    use std::path::Path;

    const DRUM: &str = r#"
        hamiltone = 1
        [run]
        scheme = "ec"
        duration = "1 ms"
        [body.mass]
        kind = "mass"
        mass = 1
        [body.drum]
        kind = "membrane"
        modes = 9
        radius = "16 cm"
        thickness = "0.2 mm"
        tension = "2000 N/m"
        [drive.start]
        kind = "modes"
        at = "drum"
        cosine = [0, "1 mm"]
        [pickup.left]
        at = "drum@0"
    "#;

    /// J₁(3.83 r/R) cos θ / 0.58: 1 to the right at r = 0.48 R, −1 to the left, 0 above; nothing outside the rim.
    #[test]
    fn pixels_are_places() {
        let plan = Scene::new(DRUM, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string()).unwrap();
        let mut surface = SurfaceShape::all(&plan).pop().unwrap();
        surface.states.push((0.0, plan.system.initial.position[1..].to_vec()));
        let raster = surface.raster(&plan).unwrap();
        assert_eq!((raster.width, raster.height), (PIXELS, PIXELS));
        let at = |x: f64, y: f64| {
            let pixel = |t: f64| (0.5 * (1.0 + t) * PIXELS as f64) as usize;
            raster.instants[0].1[(PIXELS - 1 - pixel(y)) * PIXELS + pixel(x)]
        };
        // The middle of a pixel lies up to R/72 from the place, where the largest value has fallen by 1e-3.
        assert!(
            (at(0.48, 0.0).unwrap() - 1e-3).abs() < 2e-6 && (at(-0.48, 0.0).unwrap() + 1e-3).abs() < 2e-6
        );
        assert!(at(0.0, 0.48).unwrap().abs() < 4e-5);
        assert_eq!((at(0.9, 0.9), at(-0.9, 0.9)), (None, None));
    }
}
