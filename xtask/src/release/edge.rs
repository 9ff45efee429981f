//! Where facts come from: git, cargo, the registry, files and the environment. Nothing here judges, and nothing acts.

mod absorption;
mod ancestry;
mod change;
mod destination;
mod environment;
mod history;
pub(crate) mod index;
mod packages;
mod remote;
mod semver;
mod workspace;

pub(super) use environment::Place;
pub(super) use remote::last_line;

use super::{
    facts::{Commit, Facts, IndexFacts, Proposal, Row, Semver, Unreadable},
    gates,
    options::{Mode, Options},
    order::bottom_up,
    plan::plan,
    unfinished::unfinished,
    version::{parse, same_coordinates},
};
use anyhow::{Context, Result};
use destination::Destination;
use git2::{Oid, Repository};
use index::Index;
use packages::{Verify, Workspace};

/// Gathers what the judgement needs, the cheap before the dear, and stops where the verdict cannot change any more.
pub(super) fn gather(place: &Place, options: &Options) -> Result<Facts> {
    let repository = Repository::discover(&place.repo).context("this is no git repository")?;
    let head = repository.head().and_then(|head| head.peel_to_commit()).context("HEAD cannot be read")?.id();
    let chain = history::first_parents(&repository, head)?;
    let destination = place.destination(&place.root()?);
    let mut facts = local(&repository, head, &chain, place, &destination)?;
    if options.mode == Mode::Lint {
        lint(&repository, &mut facts, head, place)?;
    }
    if refuses(&facts, options, gates::ends) {
        return Ok(facts);
    }
    let version = facts.tree.version.as_deref().and_then(|text| parse(text).ok());
    let question = remote::Question { remote: &options.remote, main: &options.main, version: version.as_ref() };
    facts.remote = if facts.checkout.partial {
        Err(Unreadable("is not looked into, since this clone lacks files of its branches".to_owned()))
    } else {
        remote::remote(&repository, question, &chain)?
    };
    let index = place.index(&destination);
    registry(&repository, &mut facts, &chain, index.as_ref())?;
    packaged(&mut facts, options, place, &destination, index.as_ref().ok())?;
    Ok(facts)
}

/// What is known without asking anybody.
fn local(repository: &Repository, head: Oid, chain: &[Oid], place: &Place, destination: &Destination) -> Result<Facts> {
    let root = repository.workdir().context("the repository has no working tree")?;
    let tree = workspace::tree(repository, head, root, destination)?;
    let version = tree.version.as_deref().and_then(|text| parse(text).ok());
    let receipts = place.receipts(root).and_then(|folder| crate::receipts::read(&folder));
    // A folder that cannot be read holds one receipt that cannot.
    let receipts = receipts.unwrap_or_else(|error| vec![Err(format!("cannot be looked for: {error:#}"))]);
    let checkout = history::checkout(repository)?;
    // The files of older commits are not there; a gate refuses for that.
    let run = if checkout.partial { vec![checkout.head.clone()] } else { history::run(repository, chain)? };
    let is_cut = checkout.shallow && run.len() == chain.len();
    let run_is_whole = !checkout.partial && !is_cut;
    Ok(Facts {
        today: environment::today()?,
        holder: place.holder.clone(),
        checkout,
        run,
        run_is_whole,
        proposal: None,
        local_tag: version.and_then(|version| history::tag(repository, &format!("v{version}"))),
        tree,
        remote: Err(Unreadable::not_asked()),
        one_registry: destination.index.clone().map(drop),
        index: Vec::new(),
        unfinished: None,
        packages: Err(Unreadable::not_asked()),
        verified: Err(Unreadable::not_asked()),
        receipts: receipts.into_iter().map(|read| read.map_err(Unreadable)).collect(),
        semver: Semver::Ran(Vec::new()),
        has_token: destination.token().is_some(),
        token_variable: destination.token_variable(),
    })
}

/// A pull request is judged by the title it will be merged with.
fn lint(repository: &Repository, facts: &mut Facts, head: Oid, place: &Place) -> Result<()> {
    let Some((title, base)) = &place.proposal else { return Ok(()) };
    facts.checkout.head.message.clone_from(title);
    if facts.checkout.partial {
        return Ok(());
    }
    let base = repository.revparse_single(base).and_then(|base| base.peel_to_commit());
    let base = base.with_context(|| "the base of the pull request cannot be found; fetch it, with its history")?.id();
    let fork = repository.merge_base(base, head).context("the pull request shares no history with its base")?;
    let mut walk = repository.revwalk()?;
    walk.push(head)?;
    walk.hide(base)?;
    let ids: Vec<_> = walk.collect::<Result<_, _>>()?;
    let commits = ids.into_iter().map(|id| history::commit(repository, id)).collect::<Result<_>>()?;
    facts.proposal = Some(Proposal { base: history::commit(repository, fork)?, commits });
    Ok(())
}

fn registry(
    repository: &Repository,
    facts: &mut Facts,
    chain: &[Oid],
    index: Result<&Index, &Unreadable>,
) -> Result<()> {
    let planned: Vec<_> = bottom_up(facts.tree.members.as_deref().unwrap_or_default())
        .into_iter()
        .map(|member| member.name.clone())
        .collect();
    let ready = index.map_err(Clone::clone).and_then(|index| index.ready().map(|()| index));
    let version = facts.tree.version.as_deref().and_then(|text| parse(text).ok());
    for name in planned {
        let rows = ready.clone().and_then(|index| index.rows(&name));
        let is_taken = |row: &&Row| version.as_ref().is_some_and(|version| same_coordinates(&row.version, version));
        let row = rows.iter().flatten().find(is_taken);
        let package = row.zip(ready.as_ref().ok()).map(|(row, index)| index.package(&name, &row.version));
        let published_from = package.and_then(Result::ok).and_then(|bytes| source(repository, &bytes));
        facts.index.push(IndexFacts { name, rows, published_from });
    }
    facts.unfinished = version.as_ref().and_then(|version| unfinished(&facts.index, version));
    if let (Some(unfinished), Ok(index)) = (&mut facts.unfinished, &ready) {
        let package = unfinished.out.first().map(|name| index.package(name, &unfinished.version));
        let from = package.and_then(Result::ok).and_then(|bytes| source(repository, &bytes));
        // From a commit that is not on main nothing can be finished.
        unfinished.from = from.filter(|from| chain.iter().any(|id| id.to_string() == from.sha));
    }
    Ok(())
}

/// The commit that a published package names, with its message when it is known here.
fn source(repository: &Repository, package: &[u8]) -> Option<Commit> {
    let sha = packages::source_commit(package).ok()??;
    let known = Oid::from_str(&sha).ok().and_then(|id| history::commit(repository, id).ok());
    Some(known.unwrap_or(Commit { sha, ..Commit::default() }))
}

/// Packages are made when there is something to compare them with, or nothing else refuses; built only in the latter case.
fn packaged(
    facts: &mut Facts,
    options: &Options,
    place: &Place,
    destination: &Destination,
    index: Option<&Index>,
) -> Result<()> {
    let Some(version) = facts.tree.version.as_deref().and_then(|text| parse(text).ok()) else { return Ok(()) };
    let members = facts.tree.members.clone().unwrap_or_default();
    let (planned, left_out): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.publishable);
    let names = |members: Vec<super::facts::Member>| members.into_iter().map(|member| member.name).collect::<Vec<_>>();
    let (planned, left_out) = (names(planned), names(left_out));
    let root = place.root()?;
    let registry = destination.arguments();
    let version_text = version.to_string();
    let workspace =
        Workspace { root: &root, planned: &planned, left_out: &left_out, version: &version_text, registry: &registry };
    if facts.index.iter().any(|index| is_published(index, &version)) {
        facts.packages = packages::package(workspace, Verify::No);
    }
    if refuses(facts, options, |code| !gates::builds(code)) {
        return Ok(());
    }
    facts.packages = packages::package(workspace, Verify::Yes);
    facts.verified = facts.packages.clone().map(|_| ());
    if facts.packages.is_err() {
        return Ok(());
    }
    if let Some(index) = index {
        let rows = |name: &String| {
            let found = facts.index.iter().find(|index| index.name == *name);
            (name.clone(), found.and_then(|index| index.rows.clone().ok()).unwrap_or_default())
        };
        let crates: Vec<_> = planned.iter().map(rows).collect();
        facts.semver = semver::check(&root, index, &crates, &version);
    }
    Ok(())
}

fn is_published(index: &IndexFacts, version: &::semver::Version) -> bool {
    index.rows.iter().flatten().any(|row| same_coordinates(&row.version, version))
}

fn refuses(facts: &Facts, options: &Options, which: impl Fn(&str) -> bool) -> bool {
    plan(facts, options).is_err_and(|refusals| refusals.iter().any(|refusal| which(refusal.code)))
}
