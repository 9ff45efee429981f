//! Digests: how they are written, and that no other body gets the name.

use httpx_client::{Digest, DigestError, ErrorKind};
use httpx_faults::{Answer, End, Script, Server};

use crate::support::{blob, client, content, cut_after, folder, from, names, ranges, rest_from, sha256};

/// Of `abc`, FIPS 180-2 appendix B.1 and C.1.
const SHA256: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const SHA512: &str = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                      2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";

#[test]
fn a_digest_is_hexadecimal_of_the_right_length_in_any_case() {
    for text in [SHA256.to_owned(), SHA256.to_uppercase(), format!(" {SHA256}\n")] {
        assert_eq!(Digest::sha256(text).unwrap().to_string(), format!("sha256:{SHA256}"));
    }
    assert_eq!(format!("sha512:{SHA512}").parse::<Digest>().unwrap(), Digest::sha512(SHA512).unwrap());
    let wrong = |algorithm, right, found| DigestError::WrongLength { algorithm, right, found };
    let rows = [
        (Digest::sha256(&SHA256[1..]), wrong("sha256", 64, 63)),
        (Digest::sha256(SHA512), wrong("sha256", 64, 128)),
        (Digest::sha512(SHA256), wrong("sha512", 128, 64)),
        (Digest::sha256(""), wrong("sha256", 64, 0)),
        (Digest::sha256(SHA256.replace('b', "g")), DigestError::NotHexadecimal),
        (Digest::sha256("ä".repeat(32)), DigestError::NotHexadecimal),
        (SHA256.parse(), DigestError::UnknownAlgorithm),
        (format!("md5:{SHA256}").parse(), DigestError::UnknownAlgorithm),
    ];
    for (digest, expected) in rows {
        assert_eq!(digest.unwrap_err(), expected);
    }
}

#[tokio::test]
async fn a_body_with_another_digest_gets_no_name_and_is_not_fetched_again() {
    for (digest, right) in [(Digest::sha256(SHA256), "abc"), (Digest::sha512(SHA512), "abc")] {
        let digest = digest.unwrap();
        for (body, good) in [(right, true), ("abd", false), ("", false)] {
            let server = Server::start(Script::always(Answer::status(200).body(body))).await.unwrap();
            let (folder, target) = folder();
            let got = client().get(server.url()).download_to(&target).verify(digest.clone()).await;
            assert_eq!((got.is_ok(), target.exists(), server.journal().complete()), (good, good, 1), "{body}");
            if let Err(error) = got {
                assert_eq!((error.kind(), names(&folder)), (ErrorKind::Digest, vec![]));
                let told = error.to_string();
                assert!(
                    told.contains(": the body has sha") && told.contains(&format!(", not {digest} after 1 ")),
                    "{told}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_digest_is_computed_over_the_whole_body_however_many_attempts_brought_it() {
    let digest = sha256(&blob());
    let changed = Answer::status(200).header("etag", "\"v0\"").body(vec![b'z'; 900]).cut(700, End::Fin);
    let rows = [
        (Script::first(cut_after(500)).then(rest_from(500)), vec![None, from(500)]),
        (Script::first(changed).then(cut_after(300)).then(rest_from(300)), vec![None, from(700), from(300)]),
    ];
    for (script, expected) in rows {
        let server = Server::start(script).await.unwrap();
        let (_folder, target) = folder();
        client().get(server.url()).download_to(&target).verify(digest.clone()).await.unwrap();
        assert_eq!((content(&target), ranges(&server)), (blob(), expected));
    }
}
