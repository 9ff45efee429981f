//! Which methods a row of a rule is about. "Idempotent" is not one set: every client has its own list.

use std::fmt;

use http::Method;

use crate::{Idempotency, Request};

/// A set of methods, as a client's source lists them.
///
/// A caller who declares a request idempotent passes every list: whoever knows the operation knows more than its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Methods {
    /// Every method.
    All,
    /// These.
    Only(&'static [Method]),
    /// These, or any method with an `Idempotency-Key` field.
    OrKeyed(&'static [Method]),
    /// All but these.
    AllBut(&'static [Method]),
}

impl Methods {
    /// What RFC 9110 §9.2.2 calls idempotent.
    pub const IDEMPOTENT: Methods =
        Methods::Only(&[Method::GET, Method::HEAD, Method::OPTIONS, Method::TRACE, Method::PUT, Method::DELETE]);
    /// GET and HEAD.
    pub const GET_HEAD: Methods = Methods::Only(&[Method::GET, Method::HEAD]);
    /// The methods whose requests carry no entity.
    pub const NO_ENTITY: Methods = Methods::AllBut(&[Method::POST, Method::PUT, Method::PATCH]);

    /// Whether `request` is in the set.
    #[must_use]
    pub fn contain(&self, request: &Request<'_>) -> bool {
        if request.idempotency == Idempotency::Declared {
            return true;
        }
        match self {
            Methods::All => true,
            Methods::Only(methods) => methods.contains(request.method),
            Methods::OrKeyed(methods) => methods.contains(request.method) || request.idempotency == Idempotency::Key,
            Methods::AllBut(methods) => !methods.contains(request.method),
        }
    }
}

impl fmt::Display for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |methods: &[Method]| methods.iter().map(Method::as_str).collect::<Vec<_>>().join(", ");
        match self {
            Methods::All => f.write_str("any method"),
            Methods::Only(methods) => f.write_str(&list(methods)),
            Methods::OrKeyed(methods) => write!(f, "{}, or with an Idempotency-Key", list(methods)),
            Methods::AllBut(methods) => write!(f, "any but {}", list(methods)),
        }
    }
}
