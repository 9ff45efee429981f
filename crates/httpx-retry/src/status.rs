//! Which statuses are transient.

use std::fmt;

use http::StatusCode;

/// The statuses that the default policy calls transient; the list stands here and nowhere else.
///
/// 408 and 425 only when added: both speak of this request, not of the server's state.
pub const TRANSIENT: &[StatusCode] = &[
    StatusCode::TOO_MANY_REQUESTS,
    StatusCode::INTERNAL_SERVER_ERROR,
    StatusCode::BAD_GATEWAY,
    StatusCode::SERVICE_UNAVAILABLE,
    StatusCode::GATEWAY_TIMEOUT,
];

/// A set of status codes, `100..=999`, kept sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusSet(Vec<StatusCode>);

impl StatusSet {
    /// No status at all.
    #[must_use]
    pub const fn empty() -> Self {
        StatusSet(Vec::new())
    }

    /// The set with `status` added.
    #[must_use]
    pub fn with(mut self, status: StatusCode) -> Self {
        if let Err(place) = self.0.binary_search(&status) {
            self.0.insert(place, status);
        }
        self
    }

    /// The set with `status` taken out.
    #[must_use]
    pub fn without(mut self, status: StatusCode) -> Self {
        self.0.retain(|member| *member != status);
        self
    }

    /// The set with every status from `first` to `last` added, both included.
    #[must_use]
    pub fn with_range(self, first: u16, last: u16) -> Self {
        (first..=last).filter_map(|code| StatusCode::from_u16(code).ok()).fold(self, StatusSet::with)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `status` is in it.
    #[must_use]
    #[inline]
    pub fn contains(&self, status: StatusCode) -> bool {
        self.0.binary_search(&status).is_ok()
    }

    /// The members, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = StatusCode> + '_ {
        self.0.iter().copied()
    }
}

impl Default for StatusSet {
    /// [`TRANSIENT`].
    fn default() -> Self {
        TRANSIENT.iter().copied().collect()
    }
}

impl FromIterator<StatusCode> for StatusSet {
    fn from_iter<I: IntoIterator<Item = StatusCode>>(statuses: I) -> Self {
        statuses.into_iter().fold(StatusSet::empty(), StatusSet::with)
    }
}

/// `429, 500, 502, 503, 504`, and `500 to 599`: more than three in a row are told by the first and the last of them.
impl fmt::Display for StatusSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|one, next| one.as_u16() + 1 == next.as_u16());
        let told = runs.map(|run| match run {
            [first, _, _, .., last] => format!("{} to {}", first.as_str(), last.as_str()),
            few => few.iter().map(StatusCode::as_str).collect::<Vec<_>>().join(", "),
        });
        f.write_str(&told.collect::<Vec<_>>().join(", "))
    }
}
