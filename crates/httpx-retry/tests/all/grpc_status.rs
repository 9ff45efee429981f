//! Which gRPC status the head of an answer tells.

use http::{HeaderMap, HeaderValue, StatusCode};
use httpx_retry::GrpcStatus;

fn told(status: u16, field: Option<&'static str>) -> Option<&'static str> {
    let mut headers = HeaderMap::new();
    if let Some(field) = field {
        headers.insert("grpc-status", HeaderValue::from_static(field));
    }
    GrpcStatus::of(StatusCode::from_u16(status).expect("a status"), &headers).map(GrpcStatus::name)
}

/// grpc `doc/http-grpc-status-mapping.md`, row by row.
#[test]
fn a_status_of_http_counts_by_the_table_of_grpc() {
    let rows = [
        (200, None),
        (400, Some("INTERNAL")),
        (401, Some("UNAUTHENTICATED")),
        (403, Some("PERMISSION_DENIED")),
        (404, Some("UNIMPLEMENTED")),
        (429, Some("UNAVAILABLE")),
        (502, Some("UNAVAILABLE")),
        (503, Some("UNAVAILABLE")),
        (504, Some("UNAVAILABLE")),
        (402, Some("UNKNOWN")),
        (405, Some("UNKNOWN")),
        (500, Some("UNKNOWN")),
        (501, Some("UNKNOWN")),
        (505, Some("UNKNOWN")),
    ];
    for (status, code) in rows {
        assert_eq!(told(status, None), code, "{status}");
    }
}

#[test]
fn the_field_goes_before_the_status_and_a_code_that_nobody_knows_is_unknown() {
    let rows =
        [("0", Some("OK")), ("14", Some("UNAVAILABLE")), ("16", Some("UNAUTHENTICATED")), ("17", Some("UNKNOWN"))];
    for (field, code) in rows {
        assert_eq!((told(200, Some(field)), told(400, Some(field))), (code, code), "{field}");
    }
    // What is no number is not there.
    assert_eq!((told(200, Some("soon")), told(400, Some("soon"))), (None, Some("INTERNAL")));
}
