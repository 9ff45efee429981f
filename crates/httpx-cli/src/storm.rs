//! `httpx storm`: what each retry policy does to a service under load, simulated.

// What is simulated, and what came of it.
mod record;
mod setting;

// How it is shown.
mod figure;
mod page;

mod picture;

// Beside the real client.
mod validate;

use std::path::PathBuf;

use httpx_retry::Preset;
use httpx_storm::{Report, Scenario, simulate};
use indicatif::{ProgressBar, ProgressStyle};

use setting::Setting;

use crate::exit::{Exit, Trouble};
use crate::whole::Whole;
use crate::{chosen, interrupt, say};

/// Who is simulated unless somebody is named: nobody retries, the default, everybody retries with a budget, and without.
const TELLING: [&str; 4] = ["never", "default", "any_io_error", "lib_httpx_2_4"];

/// Simulate what each retry policy does to a service under load, through an outage and after it
#[derive(Debug, clap::Args)]
#[command(after_help = "The same settings and seed bring the same numbers, on every machine. \
    Settings that are not given are told in the first lines of the output.")]
pub(crate) struct Args {
    /// Only this policy; may be repeated [default: four that tell the story]
    #[arg(long = "policy", value_name = "NAME")]
    policies: Vec<String>,
    /// Draw load, goodput and duplicates of every policy, side by side, into this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The same as a PNG file
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Print the settings and every second of every policy as JSON
    #[arg(long)]
    json: bool,
    /// Instead, send 200 real clients to a server that fails, and compare how often they ask with the simulation; exit code 7
    /// where the two differ by more than 10 %
    #[arg(long)]
    validate: bool,
    // Last, since its heading is that of everything after it.
    #[command(flatten)]
    setting: Setting,
}

/// Runs `httpx storm`.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    let policies = policies(&args.policies)?;
    if args.validate {
        if args.setting != Setting::default() || args.svg.is_some() || args.png.is_some() {
            let told = "--validate: it has a scenario of its own, and no figure; give it only --policy and --json";
            return Err(Trouble::usage(told));
        }
        return validate::run(&policies, args.json);
    }
    interrupt::run(drawn(args, policies))
}

async fn drawn(args: &Args, policies: Vec<&'static Preset>) -> Result<Exit, Trouble> {
    let scenario = args.setting.scenario()?;
    // Whether a file can be written is better known before a minute of work.
    let svg = args.svg.as_ref().map(|path| Whole::at("--svg", path)).transpose()?;
    let png = args.png.as_ref().map(|path| Whole::at("--png", path)).transpose()?;
    let wants = Wants { svg: svg.is_some() || png.is_some(), png: png.is_some(), json: args.json };
    let told = interrupt::aside(move || told(&scenario, &policies, wants)).await?;
    for (file, bytes) in [(svg, told.svg.map(String::into_bytes)), (png, told.png)] {
        if let (Some(file), Some(bytes)) = (file, bytes) {
            file.write(&bytes)?;
        }
    }
    say::out(told.text)?;
    Ok(Exit::Success)
}

/// What is to be made of a simulation.
#[derive(Clone, Copy)]
struct Wants {
    svg: bool,
    png: bool,
    json: bool,
}

/// What is made of it.
struct Told {
    text: String,
    svg: Option<String>,
    png: Option<Vec<u8>>,
}

fn told(scenario: &Scenario, policies: &[&Preset], wants: Wants) -> Result<Told, Trouble> {
    let reports = simulated(scenario, policies)?;
    let svg = wants.svg.then(|| picture::svg(scenario, &reports)).transpose()?;
    let png = svg.as_ref().filter(|_| wants.png).map(|svg| picture::png(svg)).transpose()?;
    let text = if wants.json { record::json(scenario, &reports).to_string() } else { page::page(scenario, &reports) };
    Ok(Told { text, svg, png })
}

fn policies(names: &[String]) -> Result<Vec<&'static Preset>, Trouble> {
    if names.is_empty() { chosen::policies(&TELLING.map(str::to_owned)) } else { chosen::policies(names) }
}

fn simulated(scenario: &Scenario, policies: &[&Preset]) -> Result<Vec<Report>, Trouble> {
    let seconds = scenario.duration.as_secs_f64().ceil() as u64;
    let bar = progress(seconds * policies.len() as u64);
    let mut reports = Vec::new();
    for (policy, passed) in policies.iter().zip((0..).step_by(seconds as usize)) {
        bar.set_message(policy.name);
        let report = simulate(scenario, &policy.policy(), |seconds| bar.set_position(passed + seconds as u64));
        reports.push(report.map_err(setting::placed)?);
    }
    bar.finish_and_clear();
    Ok(reports)
}

/// On standard error, and only when that is a terminal.
fn progress(seconds: u64) -> ProgressBar {
    let bar = ProgressBar::new(seconds);
    match ProgressStyle::with_template("simulating {bar:40} {pos} of {len} s, {eta} left, {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
