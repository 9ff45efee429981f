//! `cargo xtask release`: the judgement as tables of made-up worlds, and the command in scratch repositories.

mod registry;
mod repository;
mod scenario;
mod tool;
mod world;

mod changelog;
mod gates;
mod layers;
mod marker;

mod absorbed;
mod bump;
mod crashes;
mod destination;
mod fixes;
mod markers;
mod missing;
mod needs;
mod odd;
mod own;
mod pulls;
mod registries;
mod running;
mod semver;
mod stacks;
mod told;
mod trees;
