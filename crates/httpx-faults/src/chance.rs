//! Faults by chance, and the same ones for the same seed.

use crate::end::End;
use crate::fault::Fault;
use crate::request::Request;
use crate::script::Script;

impl Script {
    /// This share of the requests, from 0 to 1, meets one of `faults`; all others are answered by `well`.
    ///
    /// # Panics
    /// When `faults` is empty.
    pub fn by_chance(
        share: f64,
        faults: Vec<Fault>,
        seed: u64,
        mut well: impl FnMut(&Request) -> Fault + Send + 'static,
    ) -> Self {
        assert!(!faults.is_empty(), "a script by chance needs faults to choose from");
        let mut chance = fastrand::Rng::with_seed(seed);
        Script::by_request(move |request| {
            // Drawn in any case, so that the share alone decides which of the same draws are faults.
            let (drawn, which) = (chance.f64(), chance.usize(..faults.len()));
            if drawn < share { faults[which].clone() } else { well(request) }
        })
    }
}

impl Fault {
    /// The faults of a request that strike at once: no client has to wait for a time limit to notice them, and none looks
    /// like a good answer.
    pub fn sudden() -> Vec<Self> {
        vec![
            Fault::status(429).into(),
            Fault::status(500).into(),
            Fault::status(503).into(),
            Fault::status(503).retry_after("0").into(),
            Fault::PartialRead,
            Fault::CloseAfterRequest,
            Fault::ResetAfterRequest,
            Fault::AppliedThenReset,
            Fault::Garbage,
            Fault::HalfBodyFin,
            Fault::HalfBodyReset,
            Fault::ChunkedCut,
            Fault::status(503).body("half of a refusal").cut(4, End::Fin).into(),
        ]
    }
}
