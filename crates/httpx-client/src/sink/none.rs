//! Without the feature `download` there is never a sink.

use http::{HeaderName, HeaderValue};

use crate::failed::Failed;
use crate::limits::Limits;

#[derive(Debug)]
pub(crate) enum Sink {}

impl Sink {
    pub(crate) fn range(&mut self) -> &[(HeaderName, HeaderValue)] {
        match *self {}
    }

    pub(crate) fn starts_over(&mut self, _: &reqwest::Response) -> bool {
        match *self {}
    }

    pub(crate) async fn fill(&mut self, _: &mut reqwest::Response, _: &Limits) -> Result<(), Failed> {
        match *self {}
    }
}
