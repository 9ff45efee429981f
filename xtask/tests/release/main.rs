//! `cargo xtask release`: the judgement as tables of made-up worlds.

mod world;

mod changelog;
mod gates;
mod layers;
mod marker;
