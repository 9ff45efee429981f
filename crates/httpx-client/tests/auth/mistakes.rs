//! What is refused, in which words, and that no secret is among them.

use crate::support::quick;
use httpx_client::{Auth, Credentials};

#[test]
fn c46_c54_credentials_that_no_field_can_carry_are_refused_and_not_repeated() {
    let colon = "the user name has a colon; no server could tell where the password begins";
    let control = "the user name or the password has a control character";
    let word = "the token has a space, a line break or another character that no token may have";
    let rows = [
        (Credentials::basic("s3:cret", "p"), colon),
        (Credentials::basic("s3cret\u{7}", "p"), control),
        (Credentials::basic("u", "s3cret\n"), control),
        (Credentials::basic("u", "s3cret\u{85}"), control),
        (Credentials::basic_joined("u:s3cret\r"), control),
        (Credentials::basic_joined("s3cret"), "there is no colon; write it as user:password"),
        (Credentials::bearer("s3\r\ncret"), word),
        (Credentials::bearer("Bearer s3 cret"), word),
        (Credentials::bearer("s3crét"), word),
        (Credentials::bearer("s3cret\0"), word),
        (Credentials::bearer(""), "the token is empty"),
        (Credentials::bearer(" Bearer \n"), "the token is empty"),
    ];
    for (refused, expected) in rows {
        let error = refused.unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?}").contains("cret"), "{error:?}");
    }
}

#[test]
fn origins_that_are_more_or_less_than_scheme_host_and_port_are_refused() {
    for text in ["example.test", "https://example.test/path", "ftp://example.test", "https://example.test/?q", "", "*"]
    {
        let told = Auth::none().only_for([text]).unwrap_err().to_string();
        assert!(told.ends_with("write it as \"https://host\" or \"https://host:8443\", without a path"), "{told}");
    }
    let told = Auth::none().only_for(["https://u:s3cret@example.test"]).unwrap_err().to_string();
    assert!(told.starts_with("\"https://example.test/\" is no origin"), "{told}");
}

#[test]
fn two_auths_are_refused_by_their_names() {
    let basic = || Auth::basic("u", "p").unwrap();
    let bearer = || Auth::bearer("t").unwrap();
    let rows = [
        (basic(), bearer(), "Auth::basic and Auth::bearer"),
        (bearer(), Auth::none(), "Auth::bearer and Auth::none"),
        (Auth::basic_joined("u:p").unwrap(), basic(), "Auth::basic_joined and Auth::basic"),
    ];
    for (first, second, names) in rows {
        let told = quick().auth(first).auth(second).build().unwrap_err().to_string();
        assert_eq!(told, format!("{names} are both set; a client has one Auth, so leave one of them out"));
    }
}
