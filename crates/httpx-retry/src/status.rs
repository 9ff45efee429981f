//! Which statuses are transient.

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

    /// Whether `status` is in it.
    #[must_use]
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
