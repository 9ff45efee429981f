//! The handler that the field's classic articles write by hand, as three rows: idempotent requests are sent again when the
//! server did not answer, never for an unknown host or a failure of TLS, and five times at most.

use httpx_client::httpx_retry::{FailureKind, Methods, Policy, Rule, When};
use httpx_client::{BuildError, ClientBuilder};

/// A builder with that handler.
pub(crate) fn handled() -> ClientBuilder {
    use FailureKind::{Certificate, Closed, ReadTimeout, RequestTimeout, Reset, TlsHandshake, UnknownHost};
    let rule = Rule::rows(
        "classic",
        [
            When::failure(&[UnknownHost, TlsHandshake, Certificate]).stop(),
            When::failure(&[ReadTimeout, RequestTimeout]).methods(Methods::IDEMPOTENT).retry_at_once(),
            When::failure(&[Closed, Reset]).methods(Methods::IDEMPOTENT).retry_at_once(),
        ],
    );
    ClientBuilder::new().policy(Policy::bare(rule, 5.try_into().expect("5 is not 0")))
}

fn main() -> Result<(), BuildError> {
    println!("{:?}", handled().build()?.policy());
    Ok(())
}
