//! What a call of the soak is like: drawn at random, and the same for the same seed and number.

use std::time::Duration;

use fastrand::Rng;

/// One call.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) id: u64,
    /// Which of the ways to a server, by its place in their table.
    pub(crate) way: usize,
    /// Which of the two clients that go it.
    pub(crate) who: usize,
    pub(crate) post: bool,
    pub(crate) rule: Ruled,
    pub(crate) asks: Asks,
    /// Bytes of the body of a POST.
    pub(crate) upload: usize,
    pub(crate) read: Read,
    pub(crate) timeout: Option<Duration>,
    pub(crate) read_timeout: Option<Duration>,
    pub(crate) deadline: Duration,
    /// The caller loses interest.
    pub(crate) dropped_after: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruled {
    Default,
    IdempotentOnly,
}

/// What it is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Anybody gets it.
    Public,
    /// Only with a token, which has to be renewed now and then.
    Private,
    /// Another server has it: a redirect with this status.
    Elsewhere(u16),
    /// Nobody has it: the port is shut, or swallows connects.
    Nowhere(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// Within the attempt.
    Whole,
    /// Piece by piece, after it.
    Pieces,
}

impl Case {
    pub(crate) fn draw(seed: u64, id: u64, ways: usize) -> Self {
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ id);
        let micros = |rng: &mut Rng, most: u64| Duration::from_micros(rng.u64(..most));
        let some = |rng: &mut Rng, share: f64| rng.f64() < share;
        Case {
            id,
            way: rng.usize(..ways),
            who: rng.usize(..2),
            post: rng.bool(),
            rule: if rng.bool() { Ruled::Default } else { Ruled::IdempotentOnly },
            asks: match rng.u32(..20) {
                0..9 => Asks::Public,
                9..15 => Asks::Private,
                15 => Asks::Nowhere(rng.usize(..2)),
                _ => Asks::Elsewhere(*rng.choice(&[301, 302, 303, 307, 308]).expect("five to choose from")),
            },
            upload: match rng.u32(..20) {
                0..7 => 0,
                7..14 => 20,
                14..17 => 1 << 10,
                17..19 => 60 << 10,
                _ => 1 << 20,
            },
            read: if rng.bool() { Read::Whole } else { Read::Pieces },
            timeout: some(&mut rng, 0.6).then(|| micros(&mut rng, 300_000)),
            read_timeout: some(&mut rng, 0.2).then(|| micros(&mut rng, 200_000)),
            // From "gone before the first poll" to "long enough for most".
            deadline: if some(&mut rng, 0.3) { micros(&mut rng, 100_000) } else { micros(&mut rng, 3_000_000) },
            dropped_after: some(&mut rng, 0.03).then(|| micros(&mut rng, 200_000)),
        }
    }

    /// How it is asked for at the first server; the last part is the number of the call.
    pub(crate) fn path(&self) -> String {
        match self.asks {
            Asks::Public | Asks::Nowhere(_) => format!("/public/{}", self.id),
            Asks::Private => format!("/private/{}", self.id),
            Asks::Elsewhere(status) => format!("/elsewhere/{status}/{}", self.id),
        }
    }

    /// How often one attempt may reach the first server: a 401 is answered with another token, twice at most.
    pub(crate) const fn sends_per_attempt(&self) -> u64 {
        match self.asks {
            Asks::Private => 3,
            Asks::Public | Asks::Elsewhere(_) | Asks::Nowhere(_) => 1,
        }
    }
}
