//! Chance: streams of numbers that a seed determines.

use httpx_retry::Sample;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// One stream for each thing that is left to chance, so that none depends on how often another was asked.
#[derive(Clone, Debug)]
pub(crate) struct Chance {
    /// When calls come, and from whom.
    pub(crate) calls: Stream,
    /// How long work takes.
    pub(crate) work: Stream,
    /// Which server is asked, and whether it fails.
    pub(crate) servers: Stream,
    /// How waits are varied.
    pub(crate) waits: Stream,
}

impl Chance {
    pub(crate) fn seeded(seed: u64) -> Self {
        let mut source = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut next = || {
            let stream = Stream(source.clone());
            // To a part of the same sequence that the stream before does not reach.
            source.jump();
            stream
        };
        Chance { calls: next(), work: next(), servers: next(), waits: next() }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// Uniform in `0.0..1.0`.
    pub(crate) fn sample(&mut self) -> Sample {
        Sample::from_bits(self.0.next_u64())
    }

    /// Uniform in `0..bound`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        // The upper half of the product; its bias is below 2^-32.
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u32
    }

    /// Exponentially distributed around `mean`, in whole nanoseconds.
    pub(crate) fn exponential(&mut self, mean: f64) -> u64 {
        (-libm::log(1.0 - self.sample().value()) * mean) as u64
    }
}
