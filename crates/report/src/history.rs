//! The data that the report collects during a run.

pub mod contact_map;
pub mod energy;
pub mod force;
pub mod octaves;
pub mod orbit;
pub mod shape;
pub mod surface;

use contact_map::ContactMap;
use energy::Energy;
use force::Force;
use hamiltone_core::state::Archive;
use hamiltone_render::Block;
use hamiltone_scene::Plan;
use octaves::Octaves;
use orbit::Orbit;
use shape::Shape;
use surface::SurfaceShape;

/// Energies at all rows; the rest at the samples of the sound.
#[derive(Default)]
pub struct History {
    /// Energies over time.
    pub energy: Energy,
    /// The phase portrait of the first body.
    pub orbit: Option<Orbit>,
    /// The shapes of one-dimensional bodies.
    pub shapes: Vec<Shape>,
    /// The displacement of surfaces.
    pub surfaces: Vec<SurfaceShape>,
    /// The energy of plates that stretch in each third of an octave.
    pub octaves: Vec<Octaves>,
    /// The force of each contact.
    pub forces: Vec<Force>,
    /// The forces of the parts of contacts along bodies.
    pub contact_maps: Vec<ContactMap>,
}

impl History {
    /// No data yet, of a run of this plan.
    pub fn new(plan: &Plan) -> Self {
        Self {
            energy: Energy::new(plan.steps()),
            orbit: Orbit::new(plan),
            shapes: Shape::all(plan),
            surfaces: SurfaceShape::all(plan),
            octaves: Octaves::all(plan),
            forces: Force::all(plan),
            contact_maps: ContactMap::all(plan),
        }
    }

    /// Adds a block. Blocks end at all samples of the sound, and may end between them.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        self.energy.post(block);
        if block.last().is_multiple_of(plan.oversampling as u64) {
            self.orbit.iter_mut().for_each(|orbit| orbit.post(block));
            self.shapes.iter_mut().for_each(|shape| shape.post(block));
            self.surfaces.iter_mut().for_each(|surface| surface.post(block));
            self.octaves.iter_mut().for_each(|octaves| octaves.post(plan, block));
            self.forces.iter_mut().for_each(|force| force.post(plan, block));
            self.contact_maps.iter_mut().for_each(|map| map.post(plan, block));
        }
    }

    /// Goes through the data, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        self.energy.archive(archive);
        self.orbit.iter_mut().for_each(|orbit| orbit.archive(archive));
        self.shapes.iter_mut().for_each(|shape| shape.archive(archive));
        self.surfaces.iter_mut().for_each(|surface| surface.archive(archive));
        self.octaves.iter_mut().for_each(|octaves| octaves.archive(archive));
        self.forces.iter_mut().for_each(|force| force.archive(archive));
        self.contact_maps.iter_mut().for_each(|map| map.archive(archive));
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        self.energy.fits()
            && self.orbit.iter().all(Orbit::fits)
            && self.shapes.iter().all(Shape::fits)
            && self.surfaces.iter().all(SurfaceShape::fits)
            && self.octaves.iter().all(Octaves::fits)
            && self.forces.iter().all(Force::fits)
            && self.contact_maps.iter().all(ContactMap::fits)
    }

    /// Completes the data of a run that ended after `steps` steps.
    pub fn close(&mut self, plan: &Plan, steps: u64) {
        self.energy.close(steps, plan.internal_rate());
    }
}
