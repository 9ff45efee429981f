//! For whom one request is sent.

use super::RequestBuilder;
use crate::auth::{Keeper, Session};
use crate::call::{Call, Who};

impl RequestBuilder {
    /// Sends this request for `session`, with its tokens. The client must have an [`Auth`](crate::Auth) that renews them:
    /// [`Auth::sessions`](crate::Auth::sessions) or [`Auth::refreshing`](crate::Auth::refreshing).
    pub fn session(self, session: &Session) -> Self {
        let has_sessions = |call: &Call| call.shared.keeper.as_ref().is_some_and(Keeper::has_sessions);
        if self.call().is_some_and(|call| !has_sessions(call)) {
            return self.failed(|| {
                "a session needs a client whose Auth renews tokens; build it with Auth::sessions or Auth::refreshing".into()
            });
        }
        self.otherwise(|overrides| overrides.who = Who::Session(session.clone()))
    }
}
