//! Basic and Bearer: what stands in the field, and how often.

use crate::support::{authorizations, client, quick};
use httpx_client::{Auth, Credentials, RequestBuilder};
use httpx_faults::{Fault, Script, Server};

#[tokio::test]
async fn c15_every_attempt_carries_exactly_one_authorization() {
    type Change = fn(RequestBuilder) -> RequestBuilder;
    let rows: [(&str, Auth, Change, &[&str]); 9] = [
        ("bearer", Auth::bearer("t0k").unwrap(), |request| request, &["Bearer t0k"]),
        ("basic", Auth::basic("u", "p").unwrap(), |request| request, &["Basic dTpw"]),
        ("none", Auth::none(), |request| request, &[]),
        ("no_auth", Auth::bearer("t0k").unwrap(), |request| request.no_auth(), &[]),
        ("own header", Auth::bearer("t0k").unwrap(), |request| request.header("Authorization", "Own x"), &["Own x"]),
        (
            "own header twice",
            Auth::bearer("t0k").unwrap(),
            |request| request.header("Authorization", "Own x").header("authorization", "Own y"),
            &["Own y"],
        ),
        (
            "own header, then credentials",
            Auth::bearer("t0k").unwrap(),
            |request| request.header("Authorization", "Own x").bearer_auth("y"),
            &["Bearer y"],
        ),
        (
            "own header of any scheme, and no_auth",
            Auth::bearer("t0k").unwrap(),
            |request| request.no_auth().header("Authorization", "Own x"),
            &["Own x"],
        ),
        ("own credentials", Auth::bearer("t0k").unwrap(), |request| request.basic_auth("u", "p"), &["Basic dTpw"]),
    ];
    for (name, auth, change, expected) in rows {
        let server = Server::start(Script::first(Fault::status(503)).times(2).then(Fault::Ok)).await.unwrap();
        let answer = change(client(auth).get(server.url())).fetch_bytes().await.unwrap();
        assert_eq!(answer.attempts().count(), 3, "{name}");
        assert_eq!(authorizations(&server), vec![expected.to_vec(); 3], "{name}");
    }
}

#[tokio::test]
async fn a_user_in_the_url_is_shown_to_the_server_and_to_nobody_else() {
    // User info, field; decoded (RFC 3986 §3.2.1), then joined (RFC 7617 §2).
    let rows = [("user:p%40ss%3Aw%2Brd@", "Basic dXNlcjpwQHNzOncrcmQ="), ("u@", "Basic dTo="), (":pw@", "Basic OnB3")];
    for (user, expected) in rows {
        let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
        let url = server.url().replace("http://", &format!("http://{user}"));
        let answer = client(Auth::bearer("t0k").unwrap()).get(url).fetch_bytes().await.unwrap();
        assert_eq!(authorizations(&server), [[expected]]);
        assert_eq!(answer.url().as_str(), format!("{}/", server.url()));
    }
    let told = quick().build().unwrap().get("http://a%3Ab:s3cret@example.test/").send().await.unwrap_err().to_string();
    assert_eq!(
        told,
        "GET http://example.test/: request cannot be built: \
         the user name has a colon; no server could tell where the password begins"
    );
}

#[tokio::test]
async fn c46_basic_is_utf8_split_at_the_first_colon() {
    let rows = [
        (Auth::basic("test", "123£"), "Basic dGVzdDoxMjPCow=="),
        (Auth::basic("Aladdin", "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        (Auth::basic("user", "a:b:c"), "Basic dXNlcjphOmI6Yw=="),
        (Auth::basic("", "pw"), "Basic OnB3"),
        (Auth::basic("user", ""), "Basic dXNlcjo="),
        (Auth::basic("", ""), "Basic Og=="),
        (Auth::basic_joined("user:"), "Basic dXNlcjo="),
        (Auth::basic_joined("user:a:b:c"), "Basic dXNlcjphOmI6Yw=="),
        (Auth::basic_joined(":pw"), "Basic OnB3"),
    ];
    for (auth, expected) in rows {
        let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
        client(auth.unwrap()).get(server.url()).fetch_bytes().await.unwrap();
        assert_eq!(authorizations(&server), [[expected]]);
    }
}

#[tokio::test]
async fn c54_a_token_is_opaque_and_stands_once_behind_the_word_bearer() {
    let rows = [
        ("opaque-123", "Bearer opaque-123"),
        ("Bearer a.b.c", "Bearer a.b.c"),
        ("bearer a.b.c", "Bearer a.b.c"),
        ("BEARER \t a.b.c", "Bearer a.b.c"),
        ("a.b.c\n", "Bearer a.b.c"),
        (" \r\n a.b.c \t", "Bearer a.b.c"),
        ("Bearer a.b.c\r\n", "Bearer a.b.c"),
        ("bearertoken", "Bearer bearertoken"),
        ("abc+/=~_-.", "Bearer abc+/=~_-."),
    ];
    for (token, expected) in rows {
        let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
        client(Auth::bearer(token).unwrap()).get(server.url()).fetch_bytes().await.unwrap();
        assert_eq!(authorizations(&server), [[expected]], "{token:?}");
        assert_eq!(Credentials::bearer(token), Credentials::bearer(expected));
    }
}
