//! `cargo xtask tidy`: what must not be found in the tree.
//!
//! Every check is stated as an absence and says each place where it is violated. All of them run, always, so that one
//! run tells everything. The same checks run as a test of this crate.

mod code;
mod consumers;
mod dependencies;
mod links;
mod manifests;
mod modules;
mod places;
mod readme;
mod sizes;
mod versions;
mod workflows;

use crate::tree::{Tree, root};
use anyhow::{Result, bail};
use clap::Args;

/// Prints every place where the tree breaks one of its rules; silent when there is none.
#[derive(Args, Debug, Default)]
pub struct Options {
    /// First rewrites what is printed from code: the rule table in docs/RULE.md, the settings in docs/SETTINGS.md.
    #[arg(long)]
    write: bool,
}

/// Runs `cargo xtask tidy`.
///
/// # Errors
/// When a rule is broken, after all places are printed; or when the tree cannot be read.
pub fn run(options: &Options) -> Result<()> {
    let root = root();
    if options.write {
        readme::write(&root, &Tree::read(&root)?)?;
    }
    let violations = violations(&Tree::read(&root)?);
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => Ok(()),
        1 => bail!("tidy found 1 violation"),
        count => bail!("tidy found {count} violations"),
    }
}

/// Every violation in `tree`, each one line that names the place and says what would be right.
pub fn violations(tree: &Tree) -> Vec<String> {
    CHECKS.iter().flat_map(|check| check(tree)).collect()
}

type Check = fn(&Tree) -> Vec<String>;

const CHECKS: &[Check] = &[
    dependencies::every_crate_has_a_floor,
    dependencies::no_arrow_goes_up,
    dependencies::no_consumer_sees_past_the_client,
    dependencies::no_crate_but_the_client_knows_the_engine,
    modules::no_module_uses_its_own_or_a_higher_group,
    versions::no_two_versions,
    readme::no_stale_rule_table,
    readme::no_stale_option_table,
    consumers::no_word_of_retrying,
    code::no_unreadable_rust,
    code::no_unfinished_or_silenced_code,
    code::no_unwrap_in_sources,
    sizes::no_long_file,
    sizes::no_high_median,
    manifests::no_undeclared_publish,
    manifests::no_crate_without_the_lints,
    manifests::no_dependency_beside_the_table,
    manifests::no_unsorted_dependencies,
    links::no_dead_link,
    places::no_path_of_one_machine,
    places::no_registry_host,
    workflows::no_unreadable_workflow,
    workflows::no_needless_permission,
    workflows::no_unpinned_action,
    workflows::no_stuck_job,
    workflows::no_race_of_workflows,
    workflows::no_release_beside_main,
    workflows::no_bad_expression,
];
