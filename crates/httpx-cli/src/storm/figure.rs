//! The figure: a column per policy, with its load, its goodput and its duplicates over time.

mod panel;

use httpx_storm::{Recovery, Report, Scenario, Second};
use plotters::coord::Shift;
use plotters::prelude::{Color as _, DrawingArea, DrawingAreaErrorKind, DrawingBackend, PathElement, RGBColor, WHITE};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, IntoFont as _, TextStyle};

use panel::Panel;

use super::page::{self, recovery_told};

/// How a drawing ends.
type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;
type Area<B> = DrawingArea<B, Shift>;

// After Okabe and Ito, so that the colour-blind tell them apart too.
const LOAD: RGBColor = RGBColor(213, 94, 0);
const GOOD: RGBColor = RGBColor(0, 114, 178);
const AGAIN: RGBColor = RGBColor(170, 68, 136);
const OFFERED: RGBColor = RGBColor(150, 150, 150);
const INK: RGBColor = RGBColor(40, 40, 40);
const QUIET: RGBColor = RGBColor(100, 100, 100);
const SHADE: RGBColor = RGBColor(236, 236, 236);

/// How many policies stand side by side; further ones follow below.
const ABREAST: usize = 4;

/// All columns together.
const COLUMNS: i32 = 1520;
const ROW: i32 = 216;
/// Left of the first column, for what the rows are.
const MARGIN: i32 = 132;
/// Above everything: the title, a line of the story, and what the colours mean.
const TITLE: i32 = 68;
const LINE: i32 = 27;
const SIGNS: i32 = 55;
/// Above each row of policies, for their names.
const NAMES: i32 = 116;
/// Below each, for the time.
const TIME: i32 = 64;

/// What is drawn in one row of panels.
pub(super) struct Measure {
    /// What its axis says, in two lines.
    name: [&'static str; 2],
    of: fn(&Second) -> u64,
    colour: RGBColor,
    /// Whether what is called for is drawn behind it.
    beside_calls: bool,
    /// Whether what the servers can serve is.
    beside_capacity: bool,
}

const MEASURES: [Measure; 3] = [
    Measure {
        name: ["load,", "requests per second"],
        of: |second| second.attempts,
        colour: LOAD,
        beside_calls: true,
        beside_capacity: true,
    },
    Measure {
        name: ["goodput,", "calls answered per second"],
        of: |second| second.good,
        colour: GOOD,
        beside_calls: true,
        beside_capacity: false,
    },
    Measure {
        name: ["duplicates,", "acts repeated per second"],
        of: |second| second.duplicates,
        colour: AGAIN,
        beside_calls: false,
        beside_capacity: false,
    },
];

/// What is drawn.
pub(super) struct Figure<'a> {
    scenario: &'a Scenario,
    reports: &'a [Report],
    story: String,
}

impl<'a> Figure<'a> {
    pub(super) fn of(scenario: &'a Scenario, reports: &'a [Report]) -> Self {
        Figure { scenario, reports, story: page::story(scenario, reports) }
    }

    /// Width and height.
    pub(super) fn size(&self) -> (u32, u32) {
        let width = MARGIN + COLUMNS + 20;
        let height = self.top() + band_height() * self.reports.len().div_ceil(ABREAST) as i32;
        (width as u32, height as u32)
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&WHITE)?;
        self.head(area)?;
        let width = COLUMNS / self.reports.len().clamp(1, ABREAST) as i32;
        for (band, reports) in self.reports.chunks(ABREAST).enumerate() {
            let top = self.top() + band_height() * band as i32;
            for (column, report) in reports.iter().enumerate() {
                let left = MARGIN + width * column as i32;
                names(area, report, (left, top))?;
                for (row, measure) in MEASURES.iter().enumerate() {
                    let panel = Panel {
                        scenario: self.scenario,
                        report,
                        measure,
                        width,
                        highest: self.highest(measure),
                        is_first: column == 0,
                        is_last: row + 1 == MEASURES.len(),
                    };
                    panel.draw(area, (left, top + NAMES + ROW * row as i32))?;
                }
            }
        }
        Ok(())
    }

    /// Where the policies begin.
    fn top(&self) -> i32 {
        TITLE + LINE * self.story.lines().count() as i32 + SIGNS
    }

    /// Of all policies, so that they can be compared.
    fn highest(&self, measure: &Measure) -> f64 {
        let drawn = self.reports.iter().flat_map(|report| panel::means(report, measure.of));
        let highest = drawn.map(|(_, height)| height).fold(1.0, f64::max);
        let capacity = self.reports.first().map_or(0.0, |report| report.capacity);
        if measure.beside_capacity { highest.max(capacity) } else { highest }
    }

    fn head<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        let title = match self.scenario.outage {
            Some(_) => "What each retry policy makes of an outage",
            None => "What each retry policy makes of the load",
        };
        area.draw_text(title, &bold(36), (24, 18))?;
        for (line, told) in self.story.lines().enumerate() {
            area.draw_text(told, &text(21, QUIET), (24, TITLE + LINE * line as i32))?;
        }
        let signs = [
            (LOAD, 3, "load: requests, retries included"),
            (INK, 1, "capacity"),
            (GOOD, 3, "goodput: calls answered"),
            (OFFERED, 2, "calls offered"),
            (AGAIN, 3, "duplicates"),
        ];
        let mut left = 24;
        for (colour, width, name) in signs {
            let height = self.top() - 22;
            area.draw(&PathElement::new([(left, height), (left + 34, height)], colour.stroke_width(width)))?;
            area.draw_text(name, &text(20, INK).pos(Pos::new(HPos::Left, VPos::Center)), (left + 42, height))?;
            left += 42 + 9 * name.len() as i32 + 36;
        }
        Ok(())
    }
}

/// The policy, and what came of it.
fn names<B: DrawingBackend>(area: &Area<B>, report: &Report, (left, top): (i32, i32)) -> Drawn<B> {
    area.draw_text(&report.policy, &bold(28), (left, top + 10))?;
    let (told, colour) = match report.recovery {
        Recovery::NoOutage => (format!("{:.1} % answered", report.success() * 100.0), INK),
        Recovery::After(_) => (format!("recovers {}", recovery_told(report.recovery)), GOOD),
        Recovery::Never => ("never recovers".to_owned(), LOAD),
    };
    area.draw_text(&told, &text(22, colour), (left, top + 46))?;
    let told = format!("{:.2} requests per call", report.amplification());
    area.draw_text(&told, &text(20, QUIET), (left, top + 74))
}

fn band_height() -> i32 {
    NAMES + ROW * MEASURES.len() as i32 + TIME
}

fn text(size: u32, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

fn bold(size: u32) -> TextStyle<'static> {
    ("sans-serif", size, FontStyle::Bold).into_font().color(&INK)
}
