//! What a document tells its reader to type, typed: one bash session for each document, in a fresh copy of HEAD.
//!
//! The script has each command on the line that it has in the document, so that bash itself names the document's lines.

use super::{Document, Programs, Told, commands, document::Shown, printed};
use crate::tree::root;
use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use xshell::{Shell, cmd};

/// A working copy of HEAD that keeps its place, so that cargo builds in it only what has changed.
#[derive(Debug)]
pub(crate) struct Copy {
    shell: Shell,
    /// Where it is.
    folder: PathBuf,
    /// Where it is built, and the tree too.
    target: PathBuf,
    pub(super) programs: Programs,
}

impl Copy {
    /// Makes the copy and builds the program `httpx` in it.
    pub(super) fn new() -> Result<Self> {
        let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
        let target = metadata.target_directory.into_std_path_buf();
        let folder = target.join("docs-check");
        let shell = Shell::new()?;
        shell.create_dir(&folder)?;
        shell.change_dir(&folder);
        shell.set_var("CARGO_TARGET_DIR", &target);
        let programs = Programs { xtask: std::env::current_exe()?, httpx: target.join("release/httpx") };
        let copy = Self { shell, folder, target, programs };
        copy.fresh()?;
        eprintln!("==> httpx, built as README says");
        cmd!(copy.shell, "cargo build --quiet --release --locked --bin httpx").run()?;
        Ok(copy)
    }

    /// Takes back whatever a session has done to it.
    fn fresh(&self) -> Result<()> {
        let (shell, root) = (&self.shell, root());
        cmd!(shell, "git init --quiet").quiet().run()?;
        cmd!(shell, "git fetch --quiet {root} HEAD").quiet().run()?;
        cmd!(shell, "git checkout --quiet --force --detach FETCH_HEAD").quiet().run()?;
        Ok(cmd!(shell, "git clean -qfdx").quiet().run()?)
    }

    /// A bash that stands in it and finds `httpx`.
    fn bash(&self) -> Result<Command> {
        let mut bash = Command::new("bash");
        let found = std::env::var_os("PATH").unwrap_or_default();
        let path =
            std::env::join_paths([self.target.join("release")].into_iter().chain(std::env::split_paths(&found)))?;
        bash.current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.target).env("PATH", path);
        Ok(bash)
    }

    /// The tracked files that a session has left different from what HEAD has.
    fn changed(&self) -> Result<String> {
        let shell = &self.shell;
        Ok(cmd!(shell, "git diff --name-only").quiet().read()?)
    }
}

/// What is done with one line of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Typed as it stands.
    Typed(String),
    /// Typed, and what it prints kept.
    Shown(Shown),
    /// The end of a block that leaves something running.
    StillRunning,
}

/// The script of a document: each part at its line.
///
/// `printed` is the folder for what shown commands print. The line where it ends early goes to file descriptor 3.
pub fn script(parts: &[(usize, Part)], lines: usize, printed: &Path) -> String {
    let mut script = vec![String::new(); lines.max(1)];
    for (line, part) in parts {
        script[line - 1] = match part {
            Part::Typed(command) => command.clone(),
            Part::Shown(shown) => format!("{{ {}; }} >'{}' 2>&1", shown.command, output(printed, *line).display()),
            Part::StillRunning => "kill -0 $!".to_owned(),
        };
    }
    const START: &str =
        "exec 3>\"$1\"; trap 'echo $LINENO >&3' ERR; trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT;";
    script[0] = format!("{START} {}", script[0]);
    script.join("\n") + "\n"
}

fn output(printed: &Path, line: usize) -> PathBuf {
    printed.join(line.to_string())
}

/// A command that fails where the comment above it says with which code: "# …, so this exits with 22."
pub fn expecting(above: &str, command: &str) -> String {
    let told = above.strip_prefix('#').and_then(|text| text.trim_end_matches('.').rsplit_once("exits with "));
    match told.and_then(|(_, code)| code.parse::<u8>().ok()) {
        Some(code) => format!("if {command}; then false; else test $? = {code}; fi"),
        None => command.to_owned(),
    }
}

/// What is typed for a document, line by line. Of what takes minutes only the words are read, here and now.
fn parts(copy: &Copy, document: &Document, told: &mut Vec<Told>) -> Vec<(usize, Part)> {
    let mut parts = Vec::new();
    let mut add = |line: usize, command: &str, part: Part| {
        if commands::is_long(command) {
            told.push(Told::new(line, format!("`{command}`, read only"), copy.programs.accept(command)));
        } else {
            parts.push((line, part));
        }
    };
    for block in &document.blocks {
        for shown in block.shown() {
            add(shown.line, &shown.command.clone(), Part::Shown(shown));
        }
        if block.language != "sh" {
            continue;
        }
        let mut above = "";
        for (line, text) in (block.line + 1..).zip(block.text.lines()) {
            add(line, text, Part::Typed(expecting(above, text)));
            above = text;
        }
        if block.text.lines().any(|line| line.ends_with(" &")) {
            add(block.line + 1 + block.text.lines().count(), "", Part::StillRunning);
        }
    }
    parts
}

/// Types what a document says, and tells of each block how it went.
pub(super) fn run(copy: &Copy, document: &Document) -> Result<Vec<Told>> {
    let mut told = Vec::new();
    let parts = parts(copy, document, &mut told);
    if parts.is_empty() {
        return Ok(told);
    }
    copy.fresh()?;
    eprintln!("==> {}, typed in {}", document.path, copy.folder.display());
    let folder = tempfile::tempdir()?;
    let failed = typed(copy.bash()?, &script(&parts, document.lines, folder.path()), folder.path())?;
    for block in document.blocks.iter().filter(|block| block.language == "sh") {
        let lines = block.line..=block.line + 1 + block.text.lines().count();
        if !parts.iter().any(|(line, _)| lines.contains(line)) {
            continue;
        }
        let outcome = match &failed {
            Some((line, why)) if lines.contains(line) => Err(why.clone()),
            Some((line, _)) if line < lines.start() => Err(format!("not reached, after line {line}")),
            _ => Ok(()),
        };
        told.push(Told::new(block.line, "sh, typed", outcome));
    }
    for (line, part) in &parts {
        let Part::Shown(shown) = part else { continue };
        let outcome = match &failed {
            Some((at, why)) if at == line => Err(why.clone()),
            Some((at, _)) if at < line => Err(format!("not reached, after line {at}")),
            _ => {
                let printed = fs::read_to_string(output(folder.path(), *line)).unwrap_or_default();
                printed::differs(&shown.output, &printed).map_or(Ok(()), Err)
            }
        };
        told.push(Told::new(*line, format!("`{}`, typed and compared", shown.command), outcome));
    }
    let changed = copy.changed()?;
    if !changed.is_empty() {
        let wrong = format!("they leave {} otherwise than HEAD has it", changed.replace('\n', ", "));
        told.push(Told::new(document.lines, "what the commands write", Err(wrong)));
    }
    Ok(told)
}

/// Runs a script by `bash`, with its files in `scratch`. Where it failed: the line, and what was said last.
///
/// # Errors
/// When bash does not start, or a file cannot be written.
pub fn typed(mut bash: Command, script: &str, scratch: &Path) -> Result<Option<(usize, String)>> {
    let [file, log, place] = ["script", "log", "place"].map(|name| scratch.join(name));
    fs::write(&file, script)?;
    let output = fs::File::create(&log)?;
    let bash = bash.args(["-eE", "-o", "pipefail", "-O", "expand_aliases"]).args([&file, &place]);
    let status = bash.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output).status();
    let status = status.context("bash does not start")?;
    if status.success() {
        return Ok(None);
    }
    let said = fs::read_to_string(&log)?;
    eprintln!("{said}");
    // Nothing is written there when bash cannot read the script; then its message names the line.
    let line = fs::read_to_string(&place).ok().and_then(|text| text.lines().next()?.parse().ok()).unwrap_or(1);
    Ok(Some((line, format!("line {line} ends with {status}: {}", said.lines().last().unwrap_or("it says nothing")))))
}
