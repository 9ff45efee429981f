//! Downloads: what goes wrong, and what an unfinished one notes beside itself.

use std::path::Path;

use httpx_client::{Auth, Digest};
use httpx_faults::{Answer, End, Fault, Script, Server};

use crate::listening::Everything;
use crate::planted::laden;
use crate::support::quick;

pub(crate) async fn run(told: &Everything) {
    let whole = || Answer::ok().header("etag", "\"v1\"").body("0123456789");
    let faults: [Fault; 5] = [
        whole().into(),
        whole().cut(4, End::Fin).into(),
        Answer::status(403).body("s3cret").into(),
        Answer::status(206).header("content-range", "s3cret").body("s3cret").into(),
        Fault::Redirect(302, "ftp://u:s3cret@h/?s3cret".into()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    for fault in faults {
        let server = Server::start(Script::always(fault)).await.unwrap();
        let client = quick().auth(Auth::bearer("s3cret").unwrap()).max_attempts(2.try_into().unwrap()).build().unwrap();
        let get = || client.get(laden(&server.url_at("/file")));
        told.tell(get().download_to(&file).resumable());
        told.tell_result(get().download_to(&file).resumable().await);
        tell_files(told, folder.path());
        told.tell_result(get().download_to(&file).verify(Digest::sha256("0".repeat(64)).unwrap()).await);
        told.tell_result(get().download_to(&file).at_most(3).await);
        told.tell_result(get().download_to(folder.path()).await);
        told.tell_result(get().download_to(folder.path().join("no/such/folder")).await);
    }
}

/// A file is read by whoever may: what is noted there is told too.
fn tell_files(told: &Everything, folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        told.tell((&path, std::fs::read_to_string(&path).unwrap()));
    }
}
