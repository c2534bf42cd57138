//! What the formulas of a copy know: its variables, tables and the tuning; and which variables they asked for.

use super::keys::Tuning;
use super::{formula::Environment, table::TableCurve};
use std::cell::RefCell;

/// The variables of a copy, tables and the tuning.
pub struct Scope<'a> {
    variables: &'a [(&'static str, f64)],
    tables: &'a [(String, TableCurve)],
    tuning: &'a Tuning<'a>,
    /// The variables that were asked for, each once.
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Scope<'a> {
    /// Nothing was asked for yet.
    pub fn new(
        variables: &'a [(&'static str, f64)],
        tables: &'a [(String, TableCurve)],
        tuning: &'a Tuning<'a>,
    ) -> Self {
        Self { variables, tables, tuning, asked: RefCell::default() }
    }

    /// The variables that formulas asked for, by themselves or as that of a table.
    pub fn asked(&self) -> Vec<&'static str> {
        self.asked.borrow().clone()
    }

    fn variable(&self, name: &str) -> Option<f64> {
        let (name, value) = self.variables.iter().find(|(known, _)| *known == name)?;
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(name) {
            asked.push(name);
        }
        Some(*value)
    }
}

impl Environment for Scope<'_> {
    fn value(&self, name: &str) -> Option<f64> {
        let table = || self.tables.iter().find(|(known, _)| known == name).map(|(_, curve)| curve);
        self.variable(name).or_else(|| table().and_then(|curve| Some(curve.at(self.variable(&curve.over)?))))
    }

    fn function(&self, name: &str, arguments: &[f64]) -> Option<f64> {
        match (name, arguments) {
            ("hz", [key]) => Some((self.tuning)(*key)),
            _ => None,
        }
    }

    fn names(&self) -> Vec<String> {
        let tables = self.tables.iter().map(|(name, _)| name.clone());
        self.variables.iter().map(|(name, _)| (*name).into()).chain(tables).collect()
    }
}
