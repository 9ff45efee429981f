//! Instance types, with their prices.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::nullable;
use crate::number;

/// The instance types of a region. Encodes back to the values it was decoded from, except that `null` for no products
/// comes back as an empty list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Products {
    /// The instance types.
    #[serde(deserialize_with = "nullable::list")]
    pub products: Vec<Product>,
    /// When the server fetched the prices, as it says it: milliseconds since 1970, in a string. See
    /// [`Products::scraped_at`].
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub scraping_time: Value,
    /// Every other field.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// An instance type. Encodes back to the values it was decoded from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Product {
    /// How the cloud calls it: `c5.large`. The field `type`.
    #[serde(rename = "type")]
    pub instance_type: String,
    /// What it is made for: `Compute optimized`. Clouds add categories.
    pub category: String,
    /// The family it belongs to: `c5`. Older servers do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// What it can do, in lower-case words: `ssd`, `gpu`, `arm`. An empty list is nothing; `None`, that the server does not
    /// say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<Vec<String>>,
    /// Virtual CPUs; a shared one may be a fraction.
    #[serde(serialize_with = "number::serialize")]
    pub cpus_per_vm: f64,
    /// Memory in GiB; 0 when the server does not know.
    #[serde(serialize_with = "number::serialize")]
    pub mem_per_vm: f64,
    /// GPUs; a shared one may be a fraction.
    #[serde(serialize_with = "number::serialize")]
    pub gpus_per_vm: f64,
    /// US dollars an hour.
    #[serde(serialize_with = "number::serialize")]
    pub on_demand_price: f64,
    /// Spot prices zone by zone; `None` when the server has none.
    pub spot_price: Option<Vec<SpotPrice>>,
    /// Network performance in the cloud's own words: `10 Gigabit`.
    pub ntw_perf: String,
    /// The same as one of a few words: `low`, `medium`, `high`, `extra`.
    pub ntw_perf_category: String,
    /// The zones that offer it; `None` when the server does not say.
    pub zones: Option<Vec<String>>,
    /// What else the cloud says, as text on purpose: `"memory": "1,952"`.
    pub attributes: Option<BTreeMap<String, String>>,
    /// Whether it is of the cloud's current generation.
    pub current_gen: bool,
    /// Whether its CPUs may burst. Written only when it is so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub burst: bool,
    /// Every other field, such as the facts of one cloud about its disks.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A spot price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SpotPrice {
    /// The zone: `eu-west-1a`.
    pub zone: String,
    /// US dollars an hour.
    #[serde(serialize_with = "number::serialize")]
    pub price: f64,
}

impl Products {
    /// When the server fetched the prices; `None` when it does not say, or not so that it can be read.
    #[must_use]
    pub fn scraped_at(&self) -> Option<SystemTime> {
        let millis = match &self.scraping_time {
            Value::String(text) => text.parse().ok()?,
            Value::Number(number) => number.as_u64()?,
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
        };
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(millis))
    }
}
