//! Which crate may name which.

use crate::{
    floors::{CONSUMER_FLOOR, floor},
    tree::{Member, Tree},
};

/// No crate without a row in the table of floors, and none in a folder of another name.
pub(super) fn every_crate_has_a_floor(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for Member { name, folder, .. } in &tree.members {
        if floor(name).is_none() {
            found.push(format!("{folder}/Cargo.toml: {name} has no floor; give it a row in xtask/src/floors.rs"));
        }
        if folder.rsplit('/').next() != Some(name) {
            found.push(format!("{folder}/Cargo.toml: the folder of {name} must be called {name}"));
        }
    }
    found
}

/// No crate that depends on one of its own or of a higher floor.
pub(super) fn no_arrow_goes_up(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for Member { name, folder, dependencies, .. } in &tree.members {
        let Some(own) = floor(name) else { continue };
        for dependency in dependencies {
            let lower = &dependency.name;
            if let Some(other) = floor(lower).filter(|other| *other >= own) {
                found.push(format!(
                    "{folder}/Cargo.toml: {name} (floor {own}) depends on {lower} (floor {other}); arrows go down only"
                ));
            }
        }
    }
    found
}

/// No consumer that names another crate of the workspace than httpx-client, and httpx-faults in its tests.
pub(super) fn no_consumer_sees_past_the_client(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for Member { name, folder, dependencies, .. } in &tree.members {
        if floor(name) != Some(CONSUMER_FLOOR) {
            continue;
        }
        for dependency in dependencies {
            let other = dependency.name.as_str();
            let allowed = other == "httpx-client" || (other == "httpx-faults" && dependency.dev);
            if floor(other).is_some() && !allowed {
                found.push(format!(
                    "{folder}/Cargo.toml: the consumer {name} depends on {other}; it may name httpx-client only, and httpx-faults in dev-dependencies"
                ));
            }
        }
    }
    found
}

/// No crate but the client, and the bench that measures it, that names what the client is built on.
pub(super) fn no_crate_but_the_client_knows_the_engine(tree: &Tree) -> Vec<String> {
    const ENGINE: [&str; 4] = ["h2", "hyper", "hyper-util", "reqwest"];
    const MAY: [&str; 2] = ["httpx-bench", "httpx-client"];
    let mut found = Vec::new();
    for Member { name, folder, dependencies, .. } in &tree.members {
        for dependency in dependencies {
            let other = dependency.name.as_str();
            if ENGINE.contains(&other) && !MAY.contains(&name.as_str()) {
                found.push(format!("{folder}/Cargo.toml: {name} depends on {other}; only {} may", MAY.join(" and ")));
            }
        }
    }
    found
}
