//! The figure as a file: an SVG, and pixels made of it.

use std::sync::Arc;

use httpx_storm::{Report, Scenario};
use plotters::prelude::{IntoDrawingArea as _, SVGBackend};
use resvg::{tiny_skia, usvg};

use super::figure::Figure;
use crate::exit::Trouble;

/// How many pixels a PNG has for each of the SVG's, so that it is sharp where it is shown large.
const SCALE: f32 = 2.0;

/// The figure as SVG. The same reports bring the same bytes.
pub(super) fn svg(scenario: &Scenario, reports: &[Report]) -> Result<String, Trouble> {
    let figure = Figure::of(scenario, reports);
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, figure.size()).into_drawing_area();
    figure.draw(&area).and_then(|()| area.present()).map_err(cannot)?;
    drop(area);
    Ok(svg)
}

/// Those pixels.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, Trouble> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let family = fonts.faces().find_map(|face| face.families.first().map(|(name, _)| name.clone()));
    fonts.set_sans_serif_family(family.unwrap_or_default());
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(cannot)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or_else(|| cannot("it has no size"))?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or_else(|| cannot("it is too large"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(cannot)
}

fn cannot(why: impl std::fmt::Display) -> Trouble {
    Trouble::failed(format!("the figure cannot be drawn: {why}"))
}
