//! What the settings amount to.

use std::time::Duration;

use http::StatusCode;
use httpx_retry::{Backoff, Budget, Jitter, OverCap, Policy, RetryAfter, Rule, StatusSet, preset};

use crate::build_error::BuildError;
use crate::config::{BudgetSetting, Config, Limit, RetryAfterSetting};
use crate::wanted::{self, FACTOR, JITTER, STATUS, Wanted};

/// The policy: the one given or named, with every setting that is there applied to it.
pub(crate) fn policy(config: &Config, given: Option<Policy>, rule: Option<Rule>) -> Result<Policy, BuildError> {
    let mut policy = match (given, &config.policy) {
        (Some(policy), _) => policy,
        (None, Some(name)) => named(name)?,
        (None, None) => Policy::default(),
    };
    if let Some(rule) = rule {
        policy = policy.with_rule(rule);
    }
    if let Some(max_attempts) = config.max_attempts {
        policy = policy.with_max_attempts(max_attempts);
    }
    if let Some(statuses) = &config.statuses {
        policy = policy.with_statuses(status_set(statuses)?);
    }
    if let Some(setting) = config.retry_after {
        policy = policy.with_retry_after(match setting {
            RetryAfterSetting::Ignore => RetryAfter::Ignored,
            RetryAfterSetting::Wait => RetryAfter::LowerBound(OverCap::Wait),
            RetryAfterSetting::GiveUp => RetryAfter::LowerBound(OverCap::GiveUp),
        });
    }
    policy = match config.budget {
        None => policy,
        Some(BudgetSetting::Off) => policy.without_budget(),
        Some(BudgetSetting::Tokens { capacity, retry_cost, timeout_cost, first_success }) => {
            policy.with_budget(Budget { capacity, retry_cost, timeout_cost, first_success, ..Budget::DEFAULT })
        }
    };
    policy = match config.deadline {
        None => policy,
        Some(Limit::Off) => policy.without_deadline(),
        Some(Limit::After(deadline)) => policy.with_deadline(deadline),
    };
    if config.adaptive_rate == Some(true) {
        policy = policy.with_adaptive_rate();
    }
    check_backoff(config)?;
    Ok(policy.with_backoffs(|of_policy| backoff(config, of_policy)))
}

/// A limit that has no default.
pub(crate) fn limit(setting: Option<Limit>) -> Option<Duration> {
    match setting {
        None | Some(Limit::Off) => None,
        Some(Limit::After(limit)) => Some(limit),
    }
}

fn named(name: &str) -> Result<Policy, BuildError> {
    let unknown = || BuildError::UnknownPolicy { name: name.to_owned(), known: wanted::policies() };
    Ok(preset(name).ok_or_else(unknown)?.policy())
}

fn status_set(codes: &[u16]) -> Result<StatusSet, BuildError> {
    let status = |code: &u16| {
        StatusCode::from_u16(*code).map_err(|_| BuildError::OutOfRange {
            setting: "statuses",
            value: code.to_string(),
            right: STATUS.right,
        })
    };
    codes.iter().map(status).collect()
}

fn check_backoff(config: &Config) -> Result<(), BuildError> {
    for (setting, value, Wanted { right, holds }) in
        [("factor", config.factor, FACTOR), ("jitter", config.jitter, JITTER)]
    {
        if let Some(value) = value.filter(|value| !holds(value)) {
            return Err(BuildError::OutOfRange { setting, value: value.to_string(), right });
        }
    }
    Ok(())
}

/// A back-off of the policy with what is set.
fn backoff(config: &Config, mut backoff: Backoff) -> Backoff {
    if let Some(delay) = config.delay {
        backoff = backoff.with_initial(delay);
    }
    if let Some(max_delay) = config.max_delay {
        backoff = backoff.with_cap(max_delay);
    }
    if let Some(factor) = config.factor {
        backoff = backoff.with_factor(factor);
    }
    if let Some(ratio) = config.jitter {
        backoff = backoff.with_jitter(Jitter::Ratio(ratio));
    }
    backoff
}
