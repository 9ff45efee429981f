//! One panel: one measure of one policy over time.

use httpx_storm::{Report, Scenario, Second};
use plotters::prelude::{
    AreaSeries, ChartBuilder, Color as _, DrawingBackend, LineSeries, PathElement, Rectangle, Text,
};
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Area, Drawn, INK, MARGIN, Measure, OFFERED, QUIET, ROW, SHADE, TIME, text};

/// More points than this nobody sees in a column; the seconds of one point are averaged.
const POINTS: usize = 300;

/// Room between the panels.
const GAP: i32 = 22;

pub(super) struct Panel<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) report: &'a Report,
    pub(super) measure: &'a Measure,
    pub(super) width: i32,
    pub(super) highest: f64,
    /// Left of all, where the axis is named.
    pub(super) is_first: bool,
    /// Below all, where the time is.
    pub(super) is_last: bool,
}

impl Panel<'_> {
    /// Draws it with its upper left corner there.
    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>, (left, top): (i32, i32)) -> Drawn<B> {
        let below = if self.is_last { TIME } else { 0 };
        let beside = if self.is_first { MARGIN } else { 0 };
        let size = ((self.width - GAP + beside) as u32, (ROW - GAP + below) as u32);
        let area = area.clone().shrink((left - beside, top), size);
        if self.is_first {
            self.name(&area)?;
        }
        let (unit, name) = unit(self.report);
        let end = self.scenario.duration.as_secs_f64() / unit;
        let top = self.highest * 1.08;
        let mut chart = ChartBuilder::on(&area)
            .set_label_area_size(plotters::prelude::LabelAreaPosition::Left, beside)
            .set_label_area_size(plotters::prelude::LabelAreaPosition::Bottom, below)
            .build_cartesian_2d(0.0..end, 0.0..top)?;
        if let Some(outage) = self.scenario.outage {
            let (from, to) = (outage.from.as_secs_f64() / unit, outage.to.as_secs_f64() / unit);
            chart.draw_series([Rectangle::new([(from, 0.0), (to, top)], SHADE.filled())])?;
            if self.measure.beside_capacity {
                let style = text(19, QUIET).pos(Pos::new(HPos::Right, VPos::Top));
                chart.draw_series([Text::new("outage ", (from, top * 0.97), style)])?;
            }
        }
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(SHADE.mix(0.0))
            .bold_line_style(SHADE)
            .axis_style(QUIET)
            .y_labels(5)
            .x_labels(6)
            .label_style(text(20, QUIET))
            .axis_desc_style(text(20, INK))
            .y_label_formatter(&|height| short(*height))
            .x_label_formatter(&|time| short(*time))
            .x_desc(if self.is_last { name } else { "" })
            .draw()?;
        if self.measure.beside_calls {
            let calls = means(self.report, |second| second.calls);
            chart.draw_series(LineSeries::new(calls, OFFERED.stroke_width(2)))?;
        }
        let colour = self.measure.colour;
        let drawn = AreaSeries::new(means(self.report, self.measure.of), 0.0, colour.mix(0.18));
        chart.draw_series(drawn.border_style(colour.stroke_width(2)))?;
        if self.measure.beside_capacity {
            let capacity = self.report.capacity;
            chart.draw_series([PathElement::new([(0.0, capacity), (end, capacity)], INK.stroke_width(1))])?;
        }
        Ok(())
    }

    /// What its axis shows, read from below.
    fn name<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        for (line, (told, colour)) in self.measure.name.into_iter().zip([INK, QUIET]).enumerate() {
            let style = text(if line == 0 { 20 } else { 18 }, colour).pos(Pos::new(HPos::Center, VPos::Top));
            let style = style.transform(FontTransform::Rotate270);
            area.draw_text(told, &style, (8 + 24 * line as i32, (ROW - GAP) / 2))?;
        }
        Ok(())
    }
}

/// In what the time is told, in seconds, and its name.
fn unit(report: &Report) -> (f64, &'static str) {
    match report.seconds.len() {
        ..180 => (1.0, "seconds"),
        180..10_800 => (60.0, "minutes"),
        _ => (3600.0, "hours"),
    }
}

/// Times and means of a measure, at most [`POINTS`] of them.
pub(super) fn means(report: &Report, of: fn(&Second) -> u64) -> Vec<(f64, f64)> {
    let together = report.seconds.len().div_ceil(POINTS).max(1);
    let points = report.seconds.chunks(together).enumerate();
    let (unit, _) = unit(report);
    points
        .map(|(at, seconds)| {
            let middle = (at * together) as f64 + seconds.len() as f64 / 2.0;
            let mean = seconds.iter().map(of).sum::<u64>() as f64 / seconds.len() as f64;
            (middle / unit, mean)
        })
        .collect()
}

/// `0.5`, `500`, `20 k`, `1.5 M`.
fn short(number: f64) -> String {
    // Steps of a tenth do not add up to whole numbers.
    let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
    match number {
        1e6.. => format!("{} M", rounded(number / 1e6)),
        1e3.. => format!("{} k", rounded(number / 1e3)),
        _ => rounded(number).to_string(),
    }
}
