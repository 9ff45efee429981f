//! Each gate with its neighbours: what is changed in a world without refusals, and the verdict.

mod git;
mod marker;
mod proof;
mod registry;
mod stack;
mod texts;
mod tree;
