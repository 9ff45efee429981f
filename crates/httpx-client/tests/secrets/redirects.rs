//! Redirects to places with secrets, and to places that are none.

use httpx_client::Auth;
use httpx_faults::{Fault, Script, Server};

use crate::listening::Everything;
use crate::planted::laden;
use crate::support::quick;

pub(crate) async fn run(told: &Everything) {
    let end = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let places = [
        laden(&end.url()),
        "/again?token=s3cret#s3cret".to_owned(),
        laden("ftp://h/"),
        "data:s3cret".to_owned(),
        laden("http://127.0.0.1:1/"),
        laden("http://no-such-host.invalid/"),
        "http://u:s3cret@[/?s3cret".to_owned(),
    ];
    for place in places {
        for status in [302, 307] {
            let target = place.clone();
            let server = Server::start(Script::by_request(move |_| Fault::Redirect(status, target.clone())));
            let server = server.await.unwrap();
            for most in [0, 2] {
                let builder = quick().auth(Auth::bearer("s3cret").unwrap()).max_redirects(most);
                let client = builder.max_attempts(2.try_into().unwrap()).build().unwrap();
                let request = client.post(server.url_at("/?s3cret")).header("cookie", "JWT=s3cret").body("s3cret");
                told.tell_result(request.fetch_bytes().await);
            }
        }
    }
}
