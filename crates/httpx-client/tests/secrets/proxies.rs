//! Proxies with a password: those that work, refuse, fail, or cannot be one.

use std::collections::HashMap;
use std::time::Duration;

use httpx_client::{ClientBuilder, Config, Proxy};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::listening::Everything;
use crate::planted::{PASSWORD, in_url, laden};
use crate::support::quick;

pub(crate) async fn run(told: &Everything) {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let ways: [Fault; 6] = [
        Fault::Ok,
        Answer::status(407).header("proxy-authenticate", "Basic realm=\"s3cret\"").body("s3cret").into(),
        Answer::status(502).body("s3cret").into(),
        Fault::CloseAfterRequest,
        Fault::Garbage,
        Fault::Refused,
    ];
    for way in ways {
        let proxy = Server::proxy(Script::always(way)).await.unwrap();
        let written = format!("http://s3cret:{}@{}", in_url(), proxy.address());
        let settings = Config { proxy: Some(Proxy::new(&written).unwrap()), ..Config::default() };
        told.tell(&settings);
        let builder = ClientBuilder::from(settings).delay(Duration::ZERO).max_attempts(2.try_into().unwrap());
        told.tell(&builder);
        let client = builder.build().unwrap();
        told.tell((&client, client.proxy_for(&server.far_url_at("/").parse().unwrap())));
        for url in [server.far_url_at("/"), "https://far.test/".to_owned()] {
            let request = client.get(laden(&url)).header("proxy-authorization", "Basic s3cret");
            told.tell_result(request.timeout(Duration::from_secs(2)).send().await);
        }
    }
    // Where it goes directly the field is left out, and that is told.
    let request = quick().build().unwrap().get(server.url()).header("proxy-authorization", "Basic s3cret");
    told.tell_result(request.send().await);

    let cannot = [
        format!("http://s3cret:{PASSWORD}@proxy.test"),
        "http://u:s3cret%@proxy.test".to_owned(),
        "http://u:s3cret%0a@proxy.test".to_owned(),
        "socks5://u:s3cret@proxy.test".to_owned(),
        "u:s3cret://proxy.test".to_owned(),
        "http://u:s3cret@proxy.test:port".to_owned(),
        "http://u:s3cret@proxy.test/?s3cret".to_owned(),
    ];
    for text in cannot {
        told.tell_result(Proxy::new(&text));
        told.tell_result(toml::to_string(&HashMap::from([("proxy", &text)])).unwrap().parse::<Config>());
        let environment = |variable: &str| (variable == "HTTPS_PROXY").then(|| text.clone());
        told.tell_result(quick().proxy_from_environment().build_in(&environment));
    }
}
