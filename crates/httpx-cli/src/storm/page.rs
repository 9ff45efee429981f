//! The simulation, for people.

use comfy_table::CellAlignment;
use httpx_storm::{OutageKind, RECOVERED_SHARE, Recovery, Report, Scenario};

use crate::{human, paint, table};

const HEAD: [&str; 7] = ["policy", "requests per call", "peak load", "answered", "failed", "duplicates", "recovers"];

/// What was simulated, a line per policy, and what the columns mean.
pub(super) fn page(scenario: &Scenario, reports: &[Report]) -> String {
    let mut shown = table::natural(HEAD.map(str::to_owned));
    for report in reports {
        shown.add_row(row(report));
    }
    for column in 1..6 {
        if let Some(column) = shown.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let title = paint::strong("What each retry policy does to a service under load, simulated");
    format!("{title}\n{}\n\n{}\n{}", story(scenario, reports), shown.trim_fmt(), legend())
}

/// The scenario in sentences, each with what a flag can change.
pub(super) fn story(scenario: &Scenario, reports: &[Report]) -> String {
    let mut story = fleet(scenario);
    if let Some(report) = reports.first() {
        let load = f64::from(scenario.clients) / scenario.pause.as_secs_f64() / report.capacity;
        story += &format!(
            "\n{} of {} can serve {} requests a second, {} each, from queues of {}; the calls take {:.0} % of that.",
            human::many(report.servers.into(), "server"),
            human::many(scenario.workers.into(), "worker"),
            human::thousands(report.capacity.round() as u64),
            humantime::format_duration(scenario.service),
            humantime::format_duration(scenario.queue),
            load * 100.0,
        );
    }
    if scenario.failing > 0.0 {
        story += &format!("\n{:.0} % of the requests are answered with 503, by chance.", scenario.failing * 100.0);
    }
    if let Some(seconds) = scenario.retry_after {
        story += &format!("\nEvery 503 says Retry-After: {seconds}.");
    }
    let whole = humantime::format_duration(scenario.duration);
    story
        + &match scenario.outage {
            Some(outage) => format!(
                "\nFrom {} to {} {}; {whole} in all, seed {}.",
                humantime::format_duration(outage.from),
                humantime::format_duration(outage.to),
                outage_told(outage.kind),
                scenario.seed
            ),
            None => format!("\nNo outage; {whole} in all, seed {}.", scenario.seed),
        }
}

/// Who calls, in a sentence.
fn fleet(scenario: &Scenario) -> String {
    format!(
        "{} in {} send a {} every {} and give up an attempt after {}.",
        human::many(scenario.clients.into(), "client"),
        human::many(scenario.processes.into(), "process"),
        scenario.method,
        humantime::format_duration(scenario.pause),
        humantime::format_duration(scenario.timeout),
    )
}

/// What the servers do meanwhile.
fn outage_told(kind: OutageKind) -> &'static str {
    match kind {
        OutageKind::Refuse => "connections are refused",
        OutageKind::Hang => "the servers accept requests and hang",
        OutageKind::Busy => "everything is answered with 503",
    }
}

fn row(report: &Report) -> [String; 7] {
    let load = report.peak as f64 / report.capacity;
    let load = format!("{:.0} %", load * 100.0);
    let duplicates = human::thousands(report.total.duplicates);
    let recovery = recovery_told(report.recovery);
    [
        report.policy.clone(),
        format!("{:.2}", report.amplification()),
        load,
        format!("{:.1} %", report.success() * 100.0),
        human::thousands(report.total.failed),
        if report.total.duplicates > 0 { paint::careful(duplicates) } else { duplicates },
        match report.recovery {
            Recovery::NoOutage => recovery,
            Recovery::After(_) => paint::good(recovery),
            Recovery::Never => paint::bad(recovery),
        },
    ]
}

/// `after 28 s`, `at once`, `never`.
pub(super) fn recovery_told(recovery: Recovery) -> String {
    match recovery {
        Recovery::NoOutage => "-".to_owned(),
        Recovery::After(0) => "at once".to_owned(),
        Recovery::After(seconds) => format!("after {seconds} s"),
        Recovery::Never => "never".to_owned(),
    }
}

fn legend() -> String {
    format!(
        "
  peak load    the most sends within a second, as a share of what the servers can serve
  answered     calls that ended well, of all calls; the others failed
  duplicates   how often a server acted on a call that had been acted on before
  recovers     how long after the outage, until {:.0} % of what is called for is answered, for good",
        RECOVERED_SHARE * 100.0
    )
}
