//! SIC.
