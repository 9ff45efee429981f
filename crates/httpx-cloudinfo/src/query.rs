//! Which products are wanted.

use url::form_urlencoded::byte_serialize;

/// Filters of [`CloudInfo::products`](crate::CloudInfo::products); all of them must hold, and the server applies them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Query {
    sched: bool,
    nvme: bool,
    features: Vec<String>,
    families: Vec<String>,
}

impl Query {
    /// Everything.
    pub fn new() -> Self {
        Query::default()
    }

    /// Only products that have all of these features: lower-case words such as `ssd`, `gpu`, `arm`, `nvidia`.
    pub fn features<T: Into<String>>(mut self, features: impl IntoIterator<Item = T>) -> Self {
        self.features = features.into_iter().map(Into::into).collect();
        self
    }

    /// Only products of these families (`m5d`) or types (`c5.large`).
    pub fn families<T: Into<String>>(mut self, families: impl IntoIterator<Item = T>) -> Self {
        self.families = families.into_iter().map(Into::into).collect();
        self
    }

    /// Only products that a scheduler may use; the older way to ask for the feature `sched`.
    pub fn sched(mut self) -> Self {
        self.sched = true;
        self
    }

    /// Only products with NVMe disks; the older way to ask for the feature `ssd`.
    pub fn nvme(mut self) -> Self {
        self.nvme = true;
        self
    }

    /// As the query of a URL; `None` when nothing is filtered.
    pub(crate) fn encoded(&self) -> Option<String> {
        let flag = |name: &str, on: bool| on.then(|| format!("{name}=true"));
        let list = |name: &str, items: &[String]| (!items.is_empty()).then(|| format!("{name}={}", joined(items)));
        let parts = [
            flag("sched", self.sched),
            flag("nvme", self.nvme),
            list("features", &self.features),
            list("families", &self.families),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("&"))
    }
}

/// Items are encoded one by one, so that a comma within an item is not one between items.
fn joined(items: &[String]) -> String {
    items.iter().map(|item| byte_serialize(item.as_bytes()).collect::<String>()).collect::<Vec<_>>().join(",")
}
