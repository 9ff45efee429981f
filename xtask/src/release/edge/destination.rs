//! Which registry a release goes to. It is the one that cargo uploads to, by cargo's own configuration, and no other is read.

use crate::release::facts::{Asked, Unreadable};
use cargo_config2::Config;
use std::{env, path::Path};

/// The one registry of a release.
#[derive(Clone, Debug)]
pub(crate) struct Destination {
    /// The name by which cargo and manifests know it.
    pub name: String,
    /// The address of its sparse index, or why it is not certain that what is read there is what is uploaded to.
    pub index: Asked<String>,
    /// The indexes of all registries that cargo knows by a name.
    named: Vec<String>,
}

/// What a person said about the registry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    /// Its name.
    pub(super) name: Option<&'a str>,
    /// The address of its index.
    pub(super) index: Option<&'a str>,
}

/// What cargo calls the usual registry, whose address it keeps to itself.
pub(super) const USUAL: &str = "crates-io";

impl Destination {
    /// Finds it as cargo does in this folder: by the name given, or `[registry] default`, or else the usual one.
    pub(super) fn find(root: &Path, said: Said<'_>) -> Self {
        match Config::load_with_cwd(root) {
            Ok(config) => {
                let default = config.registry.default.as_deref();
                let named = said.name.or(default);
                let name = named.unwrap_or(USUAL).to_owned();
                let indexes = config.registries.values().filter_map(|registry| registry.index.clone()).collect();
                let index = index(&config, &name, said).and_then(|index| match named {
                    // Nobody but cargo could say whether this is the index of what it would upload to.
                    None => Err(format!(
                        "{index} would be read, and cargo would upload to {USUAL}; say which registry that is with --registry"
                    )),
                    Some(_) => Ok(index),
                });
                Self { name, index: index.map_err(Unreadable), named: indexes }
            }
            Err(error) => Self {
                name: said.name.unwrap_or(USUAL).to_owned(),
                index: Err(Unreadable(format!("cargo's configuration cannot be read: {error}"))),
                named: Vec::new(),
            },
        }
    }

    /// How cargo is told of it.
    pub(crate) fn arguments(&self) -> [String; 2] {
        ["--registry".to_owned(), self.name.clone()]
    }

    /// The variable of the environment that holds its token.
    pub(crate) fn token_variable(&self) -> String {
        if self.name == USUAL { "CARGO_REGISTRY_TOKEN".to_owned() } else { variable(&self.name, "TOKEN") }
    }

    /// Its token, when the environment holds one.
    pub(crate) fn token(&self) -> Option<String> {
        env::var(self.token_variable()).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty())
    }

    /// Whether a manifest that names a registry by this index means this one; without an index it means the usual one.
    pub(super) fn is(&self, index: Option<&str>) -> bool {
        match (index, &self.index) {
            (None, _) => self.name == USUAL,
            // A manifest may name the usual registry too, and cargo then gives an address that is not in its configuration.
            (Some(one), _) if self.name == USUAL => !self.named.iter().any(|other| same(one, other)),
            (Some(one), Ok(other)) => same(one, other),
            // Which one it is is not known, and a need too many is the lesser evil.
            (Some(_), Err(_)) => true,
        }
    }
}

fn index(config: &Config, name: &str, said: Said<'_>) -> Result<String, String> {
    let known = known(config, name);
    if let Some(other) = replacement(config, name, known.as_deref()) {
        return Err(format!(
            "cargo reads {other} in place of {name}, as [source] of its configuration says, and what is uploaded to {name} is not seen there"
        ));
    }
    match (said.index, known) {
        (_, Some(known)) if !known.starts_with("sparse+") => {
            Err(format!("the index of {name} is a git repository, {known}; only a sparse index can be read"))
        }
        (Some(read), Some(known)) if !same(read, &known) => {
            Err(format!("{read} would be read, and cargo uploads to {name}, whose index is {known}"))
        }
        (_, Some(known)) => Ok(known),
        (Some(read), None) if name == USUAL => usual(config, read),
        (_, None) if name == USUAL => Err(format!("nothing says where the index of {name} is; give --index-url")),
        (_, None) => Err(format!("cargo knows no registry {name}; set {}", variable(name, "INDEX"))),
    }
}

/// The index that cargo's configuration states for a name; the environment comes first, as it does for cargo.
fn known(config: &Config, name: &str) -> Option<String> {
    let stated = || config.registries.get(name)?.index.clone();
    // Cargo ignores an index that is stated for the usual registry.
    if name == USUAL { None } else { env::var(variable(name, "INDEX")).ok().or_else(stated) }
}

/// What is known to be wrong about an address for the usual registry, or else the address.
fn usual(config: &Config, read: &str) -> Result<String, String> {
    let indexes = config.registries.iter().filter_map(|(name, registry)| Some((name, registry.index.as_deref()?)));
    if let Some((name, _)) = indexes.into_iter().find(|(_, index)| same(index, read)) {
        return Err(format!("{read} would be read, which is the index of {name}, and cargo uploads to {USUAL}"));
    }
    match bare(read).starts_with("https://") {
        true => Ok(read.to_owned()),
        false => {
            Err(format!("{read} would be read, and cargo uploads to {USUAL}, which it reaches through https only"))
        }
    }
}

/// The name of the source that cargo reads in place of a registry.
fn replacement(config: &Config, name: &str, index: Option<&str>) -> Option<String> {
    let is_meant = |source: &str, registry: Option<&str>| match index {
        None => source == name,
        Some(index) => registry.is_some_and(|registry| same(registry, index)),
    };
    let sources = config.source.iter();
    let mut replaced = sources.filter(|(source, value)| is_meant(source, value.registry.as_deref()));
    replaced.find_map(|(_, value)| value.replace_with.clone())
}

fn same(one: &str, other: &str) -> bool {
    bare(one) == bare(other)
}

fn bare(url: &str) -> &str {
    let url = url.trim();
    url.strip_prefix("sparse+").unwrap_or(url).trim_end_matches('/')
}

/// The variable by which cargo is told something of a named registry.
fn variable(name: &str, what: &str) -> String {
    format!("CARGO_REGISTRIES_{}_{what}", name.to_ascii_uppercase().replace('-', "_"))
}
