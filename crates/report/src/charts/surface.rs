//! The displacement of a surface at instants of its first period, as coloured maps.

use super::section::Section;
use crate::{
    history::surface::{INSTANTS, SurfaceShape},
    picture,
    plot::{Axis, Chart, ColourBar, Image, quantity},
};
use hamiltone_scene::Plan;

/// The width of a map with its axes, px.
const WIDTH: f64 = 430.0;

pub(super) fn section(plan: &Plan, surfaces: &[SurfaceShape]) -> Section {
    let charts = surfaces.iter().flat_map(|surface| maps(plan, surface)).collect();
    let note = format!(
        "At {INSTANTS} instants of the first period of the lowest partial; dots are the points of contacts along a line."
    );
    Section { title: "Surface", note, charts, ..Section::default() }
}

/// A map for each instant, all with the same colours.
fn maps(plan: &Plan, surface: &SurfaceShape) -> Vec<Chart> {
    let Some(raster) = surface.raster(plan) else { return Vec::new() };
    let values = || raster.instants.iter().flat_map(|(_, values)| values).flatten();
    let largest = values().fold(0.0_f64, |most, u| most.max(u.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return Vec::new();
    }
    let level = |u: &Option<f64>| (127.5 * (1.0 + u.unwrap_or(0.0) / largest)).round() as u8;
    let colours = picture::bar(colorous::RED_BLUE, 0, 255).map(|data_uri| ColourBar {
        axis: Axis::new("displacement", "m").range(-largest, largest),
        data_uri,
    });
    let shape = (raster.y.1 - raster.y.0) / (raster.x.1 - raster.x.0);
    let map = |(time, values): &(f64, Vec<Option<f64>>)| {
        let pixels: Vec<u8> = values.iter().map(level).collect();
        let data_uri = picture::data_uri(raster.width, raster.height, &pixels, colorous::RED_BLUE)?;
        let title = format!("{} at {}", surface.body, quantity(*time, "s"));
        let (x, y) = (raster.x, raster.y);
        let axes = (Axis::new("x", "m").range(x.0, x.1), Axis::new("y", "m").range(y.0, y.1));
        let mut chart = Chart::new(title, axes.0, axes.1).sized(WIDTH, WIDTH * shape);
        chart.image = Some(Image { data_uri, x, y });
        (chart.colours, chart.aspect) = (colours.clone(), Some(shape));
        Some(contacts(plan, surface, chart))
    };
    raster.instants.iter().filter_map(map).collect()
}

/// The chart with the points of the contacts along lines on the surface.
fn contacts(plan: &Plan, surface: &SurfaceShape, mut chart: Chart) -> Chart {
    let Some(body) = plan.bodies.iter().find(|body| body.name == surface.body) else { return chart };
    for contact in &plan.contacts {
        let Some(along) = contact.along.as_ref().filter(|along| along.body == surface.body) else { continue };
        let (x, y) =
            along.at.iter().map(|at| body.placed.geometry.cartesian(*at)).map(|[x, y]| (x, y)).unzip();
        chart = chart.points(contact.name.clone(), x, y);
    }
    chart
}
