//! From the command line to a request.

use http::{HeaderName, HeaderValue, Method};
use httpx_client::{Body, Client, RequestBuilder};

use super::{Args, body};
use crate::exit::Trouble;

/// The method that was asked for, or the one that a body calls for.
pub(super) fn method(args: &Args) -> Method {
    let has_body = args.data.is_some() || args.data_stream.is_some();
    args.method.clone().unwrap_or(if has_body { Method::POST } else { Method::GET })
}

/// The request, ready to be sent. What is wrong with the URL is told when it is.
pub(super) fn request(args: &Args, client: &Client) -> Result<RequestBuilder, Trouble> {
    let mut request = client.request(method(args), &args.url).body(body(args)?);
    for (at, line) in args.headers.iter().enumerate() {
        let (name, value) =
            header(line).map_err(|told| Trouble::usage(format!("--header, number {}: {told}", at + 1)))?;
        request = request.header(name, value);
    }
    Ok(if args.idempotent { request.idempotent() } else { request })
}

fn body(args: &Args) -> Result<Body, Trouble> {
    match (&args.data, &args.data_stream) {
        (Some(text), _) => body::data(text),
        (None, Some(path)) => body::stream(path),
        (None, None) => Ok(Body::empty()),
    }
}

/// A mistake tells a good name at most: whatever else is on the line may be a secret.
fn header(line: &str) -> Result<(HeaderName, HeaderValue), String> {
    let (name, value) = line.split_once(':').ok_or("there is no colon; write it as 'Name: value'")?;
    let name: HeaderName =
        name.parse().map_err(|_| "what stands before the colon is no header name; write it as 'Name: value'")?;
    let value =
        value.trim().parse().map_err(|_| format!("the value of {name} has a character that no header may have"))?;
    Ok((name, value))
}
