//! Several repositories, and questions that go wrong.

use httpx_faults::{Answer, Server};
use httpx_plugin_repo::ErrorKind;

use crate::support::{asked, plugin, registry_of, repo, serve, serve_always, wanted};

/// A registry that has one plugin with these releases.
async fn holding(releases: &[(&str, &str)]) -> Server {
    serve_always(200, registry_of(&[plugin("nf-x", releases)])).await
}

#[tokio::test]
async fn the_first_repository_that_has_it_answers() {
    let private = holding(&[("1.0.0", ""), ("1.5.0", ">=26.01")]).await;
    let public = holding(&[("1.0.0", ""), ("2.0.0", ""), ("1.5.0", "")]).await;
    for (asked, version, from) in [
        // Not 2.0.0: what stands first is not overtaken by who merely says a higher number.
        ("nf-x", "1.0.0", &private),
        ("nf-x@1.0.0", "1.0.0", &private),
        ("nf-x@2.0.0", "2.0.0", &public),
        ("nf-x@1.5.0", "1.5.0", &public),
    ] {
        let found = repo([private.url(), public.url()]).resolve(&wanted(asked)).await.unwrap();
        assert_eq!((found.release.version.as_str(), found.repository), (version, from.url_at("/")), "{asked}");
    }
    let error = repo([private.url(), public.url()]).resolve(&wanted("nf-x@1.7.0")).await.unwrap_err();
    assert_eq!(error.to_string(), "nf-x has no version 1.7.0; the nearest are 1.0.0, 1.5.0, 2.0.0");
}

#[tokio::test]
async fn a_registry_and_an_index_stand_side_by_side() {
    let registry = serve_always(200, r#"{"plugins":[]}"#).await;
    let index = serve_always(200, format!("[{}]", plugin("nf-x", &[("1.0.0", "")]))).await;
    let found = repo([registry.url(), index.url_at("/deep/plugins.json")]).resolve(&wanted("nf-x")).await.unwrap();
    assert_eq!(found.repository, index.url_at("/deep/plugins.json"));
    assert_eq!(found.url.as_str(), index.url_at("/nf-x-1.0.0.zip"), "an archive may be relative to its repository");
}

#[tokio::test]
async fn a_repository_that_cannot_be_asked_is_not_passed_over() {
    let broken = serve_always(403, "no").await;
    let sound = holding(&[("1.0.0", "")]).await;
    let error = repo([broken.url(), sound.url()]).resolve(&wanted("nf-x")).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Status { .. }), "{error}");
    // What comes before it is not hindered by it.
    repo([sound.url(), broken.url()]).resolve(&wanted("nf-x")).await.unwrap();
}

#[tokio::test]
async fn a_prefetch_that_goes_wrong_ends_nothing() {
    // A registry that refuses every question in which one plugin is bad.
    let server = serve(|request| match request.path.contains("bad") {
        true => Answer::status(400).body("unknown plugin: bad"),
        false => Answer::status(200).body(registry_of(&[plugin("nf-x", &[("1.0.0", "")])])),
    })
    .await;
    let repo = repo([server.url()]);
    let all = [wanted("nf-x"), wanted("bad")];
    let missed = repo.prefetch(&all).await;
    assert_eq!(missed.len(), 1);
    assert!(matches!(missed[0].kind(), ErrorKind::Status { .. }), "{}", missed[0]);

    let found = repo.resolve_all(&all).await;
    assert_eq!(found[0].as_ref().unwrap().release.version, "1.0.0");
    assert!(matches!(found[1].as_ref().unwrap_err().kind(), ErrorKind::Status { .. }));
    assert!(asked(&server).last().unwrap().contains("plugins=bad&"), "each was asked for by itself");
}

#[tokio::test]
async fn a_prefetch_of_what_is_known_asks_nothing() {
    let server = holding(&[("1.0.0", "")]).await;
    let repo = repo([server.url()]);
    for _ in 0..2 {
        assert_eq!(repo.prefetch(&[wanted("nf-x"), wanted("nf-y")]).await.len(), 0);
        repo.resolve(&wanted("nf-x")).await.unwrap();
        repo.resolve(&wanted("nf-y")).await.unwrap_err();
    }
    assert_eq!(asked(&server).len(), 1);
    // Asked for one version, a registry need not have told the others.
    repo.resolve(&wanted("nf-x@1.0.0")).await.unwrap();
    assert_eq!(asked(&server).len(), 2);
    assert_eq!(repo.prefetch(&[]).await.len(), 0);
    assert_eq!(asked(&server).len(), 2);
}
