//! What the crate promises, as tables through its public API; one module, one idea.

mod told;

mod facts;
mod status_set;

mod backoff;
mod budget;
mod retry_after;
mod retry_after_wait;

mod combinators;
mod custom_rules;
mod default_rule;
mod named_rules;

mod next_step;
mod next_step_order;
mod preset_budgets;
mod preset_calls;
mod preset_rules;
mod preset_waits;
mod presets;

mod adaptive;
mod grpc;
#[cfg(feature = "grpc")]
mod grpc_config;
mod grpc_status;
mod hedging;
mod rows;

mod model;
mod properties;

mod explain;
mod truth_table;
