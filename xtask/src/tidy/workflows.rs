//! The workflows of the host: what GitHub would accept and we would regret, or would refuse only after the push.

mod expression;
mod model;

use crate::tree::Tree;
use expression::{context_of, expressions};
use model::{Job, Workflow};
use regex::Regex;
use std::sync::LazyLock;

/// Where the workflows are.
const FOLDER: &str = ".github/workflows/";

static PINNED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}$").expect("the pattern is constant"));

/// No workflow with a key that is none, twice the same key, or no YAML at all.
pub(super) fn no_unreadable_workflow(tree: &Tree) -> Vec<String> {
    let texts = tree.files.iter().filter(|(path, _)| path.starts_with(FOLDER));
    let wrong = |(path, text): (&String, &String)| {
        let error = model::read(text).err()?;
        Some(format!("{path}: {}", error.lines().next().unwrap_or_default()))
    };
    texts.filter_map(wrong).collect()
}

/// No job that may write, but the one that pushes the tag.
pub(super) fn no_needless_permission(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, workflow) in workflows(tree) {
        match &workflow.permissions {
            None => found.push(format!("{path}: says no permissions, which grants many; write permissions: {{}}")),
            Some(granted) => found.extend(
                granted
                    .written()
                    .map(|what| format!("{path}: every job may write {what}; grant it to the job that needs it")),
            ),
        }
        for (name, job) in &workflow.jobs {
            let written = job.permissions.iter().flat_map(|granted| granted.written());
            let needless = written.filter(|what| !workflow.publishes() || *what != "contents");
            found.extend(
                needless
                    .map(|what| format!("{path}: {name} may write {what}, and only the release may write, its tag")),
            );
        }
    }
    found
}

/// No action that could become another one: each is named by a commit.
pub(super) fn no_unpinned_action(tree: &Tree) -> Vec<String> {
    let steps = jobs(tree).flat_map(|(path, _, job)| job.steps.into_iter().map(move |step| (path.clone(), step)));
    let actions = steps.filter_map(|(path, step)| Some((path, step.uses?)));
    let unpinned = actions.filter(|(_, action)| !PINNED.is_match(action));
    unpinned
        .map(|(path, action)| format!("{path}: {action} is not pinned; name the commit, all 40 digits of it"))
        .collect()
}

/// No job that waits for one that is not there, and none without an end.
pub(super) fn no_stuck_job(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, workflow) in workflows(tree) {
        for (name, job) in &workflow.jobs {
            let missing = job.needs.iter().filter(|needed| *needed == name || !workflow.jobs.contains_key(*needed));
            found.extend(missing.map(|needed| format!("{path}: {name} needs {needed}, which is no other job of it")));
            if job.timeout_minutes.is_none() {
                found.push(format!("{path}: {name} has no timeout-minutes, and hangs for hours when it hangs"));
            }
        }
    }
    found
}

/// No workflow that runs beside itself, and no release that is broken off by the next.
pub(super) fn no_race_of_workflows(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, workflow) in workflows(tree) {
        match &workflow.concurrency {
            None => found.push(format!("{path}: has no concurrency; two pushes would run it side by side")),
            Some(limit)
                if workflow.publishes() && (limit.cancel_in_progress != false || limit.group.contains("${{")) =>
            {
                found.push(format!(
                    "{path}: one release at a time, and none is cancelled: a fixed group, cancel-in-progress: false"
                ));
            }
            Some(_) => {}
        }
    }
    found
}

/// No way to release but from main, by a push or by hand, with every branch in sight.
pub(super) fn no_release_beside_main(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    let pushes = serde_json::json!({ "branches": ["main"] });
    for (path, workflow) in workflows(tree).filter(|(_, workflow)| workflow.publishes()) {
        let others = workflow.on.keys().filter(|event| !["push", "workflow_dispatch"].contains(&event.as_str()));
        found.extend(
            others.map(|event| format!("{path}: runs on {event}; a release is a push to main, or made by hand")),
        );
        if workflow.on.get("push").is_some_and(|push| *push != pushes) {
            found.push(format!("{path}: runs on pushes to other branches than main"));
        }
        for (name, job) in &workflow.jobs {
            if job.condition.as_deref() != Some("github.ref == 'refs/heads/main'") {
                found.push(format!("{path}: {name} runs on any branch; write if: github.ref == 'refs/heads/main'"));
            }
            let checkouts = job.steps.iter().filter(|step| step.uses.iter().any(|uses| uses.contains("/checkout@")));
            let shallow = checkouts.filter(|step| step.with.get("fetch-depth") != Some(&0.into()));
            found.extend(shallow.map(|_| format!("{path}: {name} sees one commit only; write fetch-depth: 0")));
        }
    }
    found
}

/// No expression in a script, where a title could become code; none that cannot be read, or reads what is not there.
pub(super) fn no_bad_expression(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, workflow) in workflows(tree) {
        let text = tree.files.get(&path).map(String::as_str).unwrap_or_default();
        let pasted = workflow.scripts().filter(|script| script.contains("${{"));
        found.extend(pasted.map(|script| {
            format!(
                "{path}: {:?} has an expression in it; hand it over in env",
                script.lines().next().unwrap_or_default()
            )
        }));
        let conditions = workflow.jobs.values().flat_map(Job::conditions).map(|condition| Ok(condition.to_owned()));
        for expression in expressions(text).into_iter().chain(conditions) {
            let told = expression.and_then(|expression| context_of(&expression));
            let told = told.and_then(|paths| paths.iter().try_for_each(|path| known(&workflow, path)));
            found.extend(told.err().map(|error| format!("{path}: {error}")));
        }
    }
    found
}

/// Whether what a path leads to is there, as far as the workflow itself says so.
fn known(workflow: &Workflow, path: &str) -> Result<(), String> {
    const CONTEXTS: [&str; 9] = ["env", "github", "inputs", "job", "needs", "runner", "secrets", "steps", "vars"];
    let mut parts = path.split('.');
    let (context, name) = (parts.next().unwrap_or_default(), parts.next());
    let is_there = match (context, name) {
        ("needs", Some(name)) => name == "*" || workflow.jobs.contains_key(name),
        ("inputs", Some(name)) => {
            let inputs = workflow.on.get("workflow_dispatch").and_then(|event| event.get("inputs"));
            inputs.is_some_and(|inputs| inputs.get(name).is_some())
        }
        (context, Some(_)) => CONTEXTS.contains(&context),
        (_, None) => false,
    };
    if is_there { Ok(()) } else { Err(format!("{path} leads to nothing")) }
}

fn workflows(tree: &Tree) -> impl Iterator<Item = (String, Workflow)> {
    let texts = tree.files.iter().filter(|(path, _)| path.starts_with(FOLDER));
    texts.filter_map(|(path, text)| Some((path.clone(), model::read(text).ok()?)))
}

fn jobs(tree: &Tree) -> impl Iterator<Item = (String, String, Job)> {
    workflows(tree)
        .flat_map(|(path, workflow)| workflow.jobs.into_iter().map(move |(name, job)| (path.clone(), name, job)))
}
