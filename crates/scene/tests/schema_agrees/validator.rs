//! The published schema, compiled.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

pub struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    pub fn new(schema: &Value) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("scene.json", schema.clone()).unwrap();
        let index = compiler.compile("scene.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    /// Why the schema refuses a scene, if it does.
    pub fn refusal(&self, scene: &Value) -> Option<String> {
        self.schemas.validate(scene, self.index).err().map(|error| error.to_string())
    }
}
