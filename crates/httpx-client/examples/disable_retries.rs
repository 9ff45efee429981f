//! Automatic retries, switched off: every request is sent once.

use httpx_client::httpx_retry::preset;
use httpx_client::{BuildError, ClientBuilder};

/// A builder without retries; `policy = "never"` in a file does the same.
pub(crate) fn without_retries() -> ClientBuilder {
    ClientBuilder::new().policy(preset("never").expect("a preset").policy())
}

fn main() -> Result<(), BuildError> {
    println!("{:?}", without_retries().build()?.policy());
    Ok(())
}
