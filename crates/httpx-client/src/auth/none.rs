//! Without the feature `auth` a client has no credentials of its own: nothing of this is ever made, but what a request
//! carries along.

use http::HeaderValue;
use url::Url;

use crate::limits::Limits;
use crate::trace::AuthStep;

#[derive(Debug)]
pub(crate) enum Auth {}

#[derive(Debug)]
pub(crate) enum Keeper {}

#[derive(Debug)]
pub(crate) enum Session {}

#[derive(Debug)]
pub(crate) enum Overdue {}

#[derive(Debug, Default)]
pub(crate) struct Found(());

#[derive(Clone, Copy, Debug)]
#[expect(dead_code, reason = "nobody asks where credentials go")]
pub(crate) struct Place<'a> {
    pub(crate) url: &'a Url,
    pub(crate) at_home: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'a>(&'a Keeper);

impl<'a> Guard<'a> {
    pub(crate) const fn new(keeper: &'a Keeper, _: Option<&'a Session>, _: &'a Found) -> Self {
        Guard(keeper)
    }

    pub(crate) fn take_step(&self) -> Option<AuthStep> {
        match *self.0 {}
    }
}

#[derive(Debug)]
pub(crate) struct Visit<'a>(Guard<'a>);

impl<'a> Visit<'a> {
    pub(crate) const fn new(guard: Guard<'a>) -> Self {
        Visit(guard)
    }

    pub(crate) async fn credentials(&mut self, _: Place<'_>, _: &mut Limits) -> Result<Option<HeaderValue>, Overdue> {
        match *self.0.0 {}
    }

    pub(crate) async fn has_others(
        &mut self,
        _: &reqwest::Response,
        _: Place<'_>,
        _: &mut Limits,
    ) -> Result<bool, Overdue> {
        match *self.0.0 {}
    }
}
