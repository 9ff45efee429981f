//! What the remote repository says: asked through git itself, which knows the person's keys and proxies.

use super::{
    absorption::Absorptions,
    ancestry::Ancestry,
    history::{commit, first_parents, text},
};
use crate::release::{
    facts::{Branch, Fork, Remote, RemoteHead, RemoteMain, Unreadable},
    version,
};
use anyhow::{Result, bail};
use git2::{Oid, Repository};
use semver::Version;
use std::{collections::BTreeMap, path::Path};
use xshell::{Shell, cmd};

/// Whom to ask, and for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    /// The name of the remote.
    pub(super) remote: &'a str,
    /// The name of its main branch.
    pub(super) main: &'a str,
    /// VERSION, when it is one.
    pub(super) version: Option<&'a Version>,
}

/// Asks the remote, and looks into every branch that is fetched.
pub(super) fn remote(
    repository: &Repository,
    question: Question<'_>,
    chain: &[Oid],
) -> Result<Result<Remote, Unreadable>> {
    let folder = repository.workdir().unwrap_or(repository.path());
    let listing = match list(folder, question.remote) {
        Ok(listing) => listing,
        Err(error) => return Ok(Err(Unreadable(format!("cannot be read: {error:#}")))),
    };
    for url in pushed_to(folder, question.remote)? {
        match list(folder, &url) {
            Ok(other) if other == listing => {}
            Ok(_) => return Ok(Err(Unreadable(format!("is pushed to {url}, which holds other branches and tags")))),
            Err(error) => return Ok(Err(Unreadable(format!("is pushed to {url}, which cannot be read: {error:#}")))),
        }
    }
    let heads: Vec<_> = listing
        .iter()
        .filter_map(|(name, sha)| Some((name.strip_prefix("refs/heads/")?, sha)))
        .map(|(name, sha)| RemoteHead {
            name: name.to_owned(),
            sha: sha.clone(),
            fetched: fetched(repository, question.remote, name),
        })
        .collect();
    Ok(Ok(Remote {
        main: main(repository, folder, question, &heads, chain)?,
        branches: branches(repository, question, &heads, chain)?,
        tag: question.version.and_then(|version| tag(&listing, version)),
        heads,
    }))
}

/// Every branch and tag of the remote with what it leads to.
fn list(folder: &Path, remote: &str) -> Result<BTreeMap<String, String>> {
    let shell = Shell::new()?;
    shell.change_dir(folder);
    shell.set_var("GIT_TERMINAL_PROMPT", "0");
    let limits = ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=30"];
    let output = cmd!(shell, "git {limits...} ls-remote --heads --tags {remote}").quiet().ignore_status().output()?;
    if !output.status.success() {
        bail!("{}", last_line(&output.stderr));
    }
    let mut listing = BTreeMap::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let Some((sha, name)) = line.split_once('\t') else { bail!("git ls-remote says {line:?}") };
        listing.insert(name.to_owned(), sha.to_owned());
    }
    Ok(listing)
}

/// Where the tag would be pushed to, when that is written otherwise than where the remote is read. One repository may be
/// reached in two ways; two repositories are one only as long as they hold the same.
fn pushed_to(folder: &Path, remote: &str) -> Result<Vec<String>> {
    let urls = |flags: &[&str]| -> Result<Vec<String>> {
        let shell = Shell::new()?;
        shell.change_dir(folder);
        let output = cmd!(shell, "git remote get-url {flags...} {remote}").quiet().ignore_status().output()?;
        // Nothing for a remote that is given as an address: it is read and written there.
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    };
    let read = urls(&[])?;
    Ok(urls(&["--push", "--all"])?.into_iter().filter(|url| !read.contains(url)).collect())
}

/// What a program said last, which is why it failed.
pub(in crate::release) fn last_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let told = lines.iter().find(|line| line.starts_with("fatal:") || line.starts_with("error:")).or(lines.last());
    told.map_or_else(|| "it failed and said nothing".to_owned(), |line| (*line).to_owned())
}

fn tag(listing: &BTreeMap<String, String>, version: &Version) -> Option<String> {
    let name = format!("refs/tags/v{version}");
    listing.get(&format!("{name}^{{}}")).or_else(|| listing.get(&name)).cloned()
}

fn fetched(repository: &Repository, remote: &str, branch: &str) -> Option<String> {
    let reference = repository.find_reference(&format!("refs/remotes/{remote}/{branch}")).ok()?;
    Some(reference.target()?.to_string())
}

fn main(
    repository: &Repository,
    folder: &Path,
    question: Question<'_>,
    heads: &[RemoteHead],
    chain: &[Oid],
) -> Result<Option<RemoteMain>> {
    let Some(tip) = heads.iter().find(|head| head.name == question.main) else { return Ok(None) };
    let tip = Oid::from_str(&tip.sha)?;
    if repository.find_commit(tip).is_err() {
        // Whether it came is seen by whether the commit is there.
        let _ = fetch_objects(folder, question);
    }
    if repository.find_commit(tip).is_err() {
        return Ok(None);
    }
    let Some(head) = chain.first() else { return Ok(None) };
    let theirs = first_parents(repository, tip)?;
    let Some(at) = theirs.iter().position(|id| id == head) else {
        return Ok(Some(RemoteMain { has_head: false, later: Vec::new() }));
    };
    let later = theirs[..at].iter().map(|id| commit(repository, *id)).collect::<Result<_>>()?;
    Ok(Some(RemoteMain { has_head: true, later }))
}

/// Fetches the commits of main and moves no ref, so that what came after HEAD can be told.
fn fetch_objects(folder: &Path, question: Question<'_>) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(folder);
    shell.set_var("GIT_TERMINAL_PROMPT", "0");
    let (remote, main) = (question.remote, format!("refs/heads/{}", question.main));
    let quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--refmap="];
    cmd!(shell, "git fetch {quiet...} {remote} {main}").quiet().ignore_status().ignore_stderr().run()?;
    Ok(())
}

fn branches(
    repository: &Repository,
    question: Question<'_>,
    heads: &[RemoteHead],
    chain: &[Oid],
) -> Result<Vec<Branch>> {
    let ancestry = Ancestry::new(repository, chain)?;
    let mut absorptions = Absorptions::new(repository, &ancestry);
    let mut branches = Vec::new();
    let known = heads.iter().filter(|head| head.name != question.main && head.fetched.as_ref() == Some(&head.sha));
    let mut tips = Vec::new();
    for head in known {
        let tip = Oid::from_str(&head.sha)?;
        let version = text(repository, tip, "VERSION")?;
        // A branch of another version is no layer of this one; what it holds need not be compared.
        let is_candidate = question.version.is_none_or(|wanted| version::states(version.as_deref(), wanted));
        let base = ancestry.base(tip)?;
        let absorbed = absorptions.of(tip, base, is_candidate)?;
        branches.push(Branch {
            name: head.name.clone(),
            changelog: if is_candidate { text(repository, tip, "changelog.txt")? } else { None },
            stack_trailers: if is_candidate && absorbed.is_none() {
                trailers(repository, &ancestry.beyond_head(tip)?)?
            } else {
                Vec::new()
            },
            fork: base.map(|base| read_fork(repository, base.id, &ancestry)).transpose()?,
            version,
            absorbed,
            below: Vec::new(),
        });
        tips.push(tip);
    }
    absorptions.name_what_is_below(&mut branches, &tips)?;
    Ok(branches)
}

fn read_fork(repository: &Repository, fork: Oid, ancestry: &Ancestry<'_>) -> Result<Fork> {
    Ok(Fork {
        commit: commit(repository, fork)?,
        on_main: ancestry.is_on_chain(fork),
        changelog: text(repository, fork, "changelog.txt")?,
    })
}

/// The values of the trailers `Release-Stack:` of these commits.
fn trailers(repository: &Repository, commits: &[Oid]) -> Result<Vec<String>> {
    let mut values = Vec::new();
    for id in commits {
        let commit = repository.find_commit(*id)?;
        let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
        let trailers = git2::message_trailers_strs(&message)?;
        let named = trailers.iter().filter(|(key, _)| key.eq_ignore_ascii_case("Release-Stack"));
        values.extend(named.map(|(_, value)| value.trim().to_owned()));
    }
    Ok(values)
}
