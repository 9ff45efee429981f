//! The command line of a release.

use super::{
    bump,
    edge::{Place, gather},
    execute::{Execution, Lock, say},
    gates::gate,
    notes,
    options::{Mode, Options, Override, Resume},
    plan::plan,
    report::{Outcome, Report},
};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use std::{io::Write, path::PathBuf, time::Duration};

/// Plans a release and says every reason against it; publishes only with --execute.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Command {
    #[command(subcommand)]
    companion: Option<Companion>,
    #[command(flatten)]
    request: Request,
    #[command(flatten)]
    whereabouts: Whereabouts,
}

#[derive(Debug, Subcommand)]
enum Companion {
    /// Judges a pull request before it is merged, by the title it will be merged with.
    Lint(Lint),
    /// Prints the notes of the version: its changelog section.
    Notes(Whereabouts),
    /// Sets the version everywhere, through cargo-release.
    Bump(bump::Bump),
}

#[derive(Args, Debug)]
struct Lint {
    /// The title of the pull request.
    #[arg(long)]
    title: String,
    /// The branch or commit it is to be merged into.
    #[arg(long)]
    base: String,
    /// Prints one JSON object in place of the table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    whereabouts: Whereabouts,
}

/// How long an uploaded crate may take to be seen in the index, when nothing else is said.
const INDEX_WAIT: Duration = Duration::from_secs(300);

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Request {
    /// Publishes, when nothing refuses.
    #[arg(long)]
    execute: bool,
    /// An unmarked HEAD is success: for a workflow that looks at every push.
    #[arg(long)]
    if_marked: bool,
    /// Where main stood before the push.
    #[arg(long, value_name = "SHA", requires = "if_marked")]
    since: Option<String>,
    /// Finishes an interrupted release: passes over crates that are out with these very bytes.
    #[arg(long)]
    resume: bool,
    /// The commit of the interrupted release, on which HEAD is detached.
    #[arg(long, value_name = "SHA", requires = "resume")]
    at: Option<String>,
    /// Prints one JSON object in place of the table.
    #[arg(long)]
    json: bool,
    /// A marked commit below HEAD that is known to ship with it.
    #[arg(long, value_name = "SHA=REASON")]
    ack_marker: Vec<Override>,
    /// A branch that is known not to belong to the version.
    #[arg(long, value_name = "BRANCH=REASON")]
    not_in_stack: Vec<Override>,
    /// Prints what a refusal means, and its fix.
    #[arg(long, value_name = "CODE", exclusive = true)]
    explain: Option<String>,
    /// How many seconds an uploaded crate may take to be seen in the index; without it 300.
    #[arg(long, value_name = "SECONDS")]
    index_wait: Option<u64>,
    /// Asks for the token although nothing is published; it is looked for and not used.
    #[arg(long)]
    offline_token_check: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Whereabouts {
    /// A folder of the repository.
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// The remote.
    #[arg(long, default_value = "origin")]
    remote: String,
    /// The main branch.
    #[arg(long, default_value = "main")]
    main: String,
    /// The sparse index of the registry, where cargo's configuration does not say it: that of crates-io.
    #[arg(long, value_name = "URL", env = "XTASK_INDEX_URL")]
    index_url: Option<String>,
    /// How many seconds one attempt to read the index may take; there are three.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    index_timeout: u64,
    /// The registry by the name that cargo knows it by; without it that of cargo's configuration.
    #[arg(long, value_name = "NAME", env = "XTASK_REGISTRY")]
    registry: Option<String>,
    /// The folder with the receipts of `cargo xtask ci`.
    #[arg(long, value_name = "DIR")]
    receipts: Option<PathBuf>,
}

impl Whereabouts {
    pub(crate) fn place(&self) -> Place {
        Place {
            repo: self.repo.clone().unwrap_or_else(crate::tree::root),
            index_url: self.index_url.clone(),
            index_timeout: Duration::from_secs(self.index_timeout),
            registry: self.registry.clone(),
            receipts: self.receipts.clone(),
            proposal: None,
            holder: None,
        }
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            remote: self.remote.clone(),
            main: self.main.clone(),
            whereabouts: self.flags(),
            ..Options::default()
        }
    }

    /// These flags once more, but for those that say what is said without them.
    fn flags(&self) -> Vec<String> {
        let usual = Options::default();
        let path = |path: &PathBuf| path.display().to_string();
        let given = [
            ("--repo", self.repo.as_ref().map(path)),
            ("--remote", Some(self.remote.clone()).filter(|remote| *remote != usual.remote)),
            ("--main", Some(self.main.clone()).filter(|main| *main != usual.main)),
            ("--index-url", self.index_url.clone()),
            ("--registry", self.registry.clone()),
            ("--receipts", self.receipts.as_ref().map(path)),
        ];
        given.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value?])).flatten().collect()
    }
}

impl Request {
    fn options(&self, whereabouts: &Whereabouts) -> Options {
        Options {
            mode: if self.execute { Mode::Execute } else { Mode::Plan },
            if_marked: self.if_marked,
            since: self.since.clone(),
            resume: match (self.resume, &self.at) {
                (_, Some(sha)) => Resume::At(sha.clone()),
                (true, None) => Resume::AtTip,
                (false, None) => Resume::No,
            },
            acknowledged: self.ack_marker.clone(),
            not_in_stack: self.not_in_stack.clone(),
            check_token: self.offline_token_check,
            index_wait: self.index_wait,
            ..whereabouts.options()
        }
    }
}

/// Runs `cargo xtask release`, and says with which code to exit.
///
/// # Errors
/// When something is misused, or fails that no gate speaks of: exit 2.
pub fn run(command: &Command) -> Result<u8> {
    match &command.companion {
        Some(Companion::Lint(lint)) => {
            let place = Place { proposal: Some((lint.title.clone(), lint.base.clone())), ..lint.whereabouts.place() };
            let options = Options { mode: Mode::Lint, ..lint.whereabouts.options() };
            let facts = gather(&place, &options)?;
            tell(&Report::new(&facts, &options, &plan(&facts, &options)), lint.json)
        }
        Some(Companion::Notes(whereabouts)) => notes::print(&whereabouts.place()).map(|()| 0),
        Some(Companion::Bump(bump)) => bump::run(bump).map(|()| 0),
        None => match &command.request.explain {
            Some(code) => explain(code).map(|()| 0),
            None => release(command),
        },
    }
}

fn release(command: &Command) -> Result<u8> {
    let (mut place, options) = (command.whereabouts.place(), command.request.options(&command.whereabouts));
    // Taken before anything is looked at: what another release is about to change must not be judged.
    let _lock = match options.mode {
        Mode::Execute => match Lock::take(&place)? {
            Ok(lock) => Some(lock),
            Err(holder) => {
                place.holder = Some(holder);
                None
            }
        },
        Mode::Plan | Mode::Lint => None,
    };
    let facts = gather(&place, &options)?;
    let judgement = plan(&facts, &options);
    let mut report = Report::new(&facts, &options, &judgement);
    if let (Ok(plan), Mode::Execute) = (&judgement, options.mode) {
        say(&report.table());
        let wait = command.request.index_wait.map_or(INDEX_WAIT, Duration::from_secs);
        let done = Execution { place: &place, options: &options, wait }.run(plan)?;
        report.carried_out(done);
    }
    tell(&report, command.request.json)
}

/// Prints a report: the table or the object on stdout, refusals on stderr.
fn tell(report: &Report, json: bool) -> Result<u8> {
    let mut text = String::new();
    if json {
        text = serde_json::to_string_pretty(report)? + "\n";
    } else if report.outcome == Outcome::Planned || report.outcome == Outcome::Refused {
        text = report.table();
    }
    // A reader that has gone must not change the exit code of what was done.
    let _ = std::io::stdout().write_all(text.as_bytes());
    for done in &report.done {
        say(&format!("{done}\n"));
    }
    for refusal in &report.refusals {
        say(&format!("{refusal}\n"));
    }
    match report.outcome {
        Outcome::Skipped => {
            report.warnings.iter().for_each(|warning| say(&format!("warning: {warning}\n")));
            say("skipped\n");
        }
        Outcome::Planned => say("nothing refuses; --execute publishes\n"),
        Outcome::Released => say("released\n"),
        Outcome::Refused | Outcome::Stopped => {}
    }
    Ok(report.exit)
}

fn explain(code: &str) -> Result<()> {
    let Some(gate) = gate(code) else {
        let codes: Vec<_> = super::gates::gates().map(|gate| gate.code).collect();
        bail!("there is no code {code}; there are {}", codes.join(", "))
    };
    print!("{}", gate.explain());
    Ok(())
}

/// Gathers what `cargo xtask stack` draws.
pub(crate) fn report(whereabouts: &Whereabouts) -> Result<Report> {
    let (place, options) = (whereabouts.place(), whereabouts.options());
    let facts = gather(&place, &options).context("the stack cannot be read")?;
    Ok(Report::new(&facts, &options, &plan(&facts, &options)))
}
