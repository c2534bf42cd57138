//! Pictures with one byte per pixel, coloured by a gradient.

use base64::{Engine, prelude::BASE64_STANDARD};
use colorous::Gradient;

/// A PNG as a `data:` address: `pixels` row by row from the top, from 0 to 255 along the gradient.
pub fn data_uri(width: usize, height: usize, pixels: &[u8], gradient: Gradient) -> Option<String> {
    let palette: Vec<u8> = (0..256).flat_map(|i| gradient.eval_rational(i, 256).into_array()).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette);
    encoder.write_header().ok()?.write_image_data(pixels).ok()?;
    Some(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(bytes)))
}

/// The values of a colour bar: the part of a gradient from the byte `last` down to `first`, as a `data:` address.
pub fn bar(gradient: Gradient, first: u8, last: u8) -> Option<String> {
    let pixels: Vec<u8> = (first..=last).rev().collect();
    data_uri(1, pixels.len(), &pixels, gradient)
}
