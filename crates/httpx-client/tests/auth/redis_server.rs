//! A real Redis.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use httpx_client::{RedisStore, TokenStore as _};

/// A Redis of this test's own, which ends with it.
pub(crate) struct Redis {
    pub(crate) port: u16,
    process: Child,
    /// Where it works; removed with it.
    _folder: tempfile::TempDir,
}

impl Redis {
    /// `None`, loudly, where there is no Redis to start; in CI that is a failure.
    pub(crate) async fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Redis::start_at(port).await
    }

    pub(crate) async fn start_at(port: u16) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"]);
        command.arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = match command.spawn() {
            Ok(process) => process,
            Err(error) => {
                assert!(std::env::var_os("HTTPX_CI").is_none(), "redis-server cannot be started: {error}");
                eprintln!("WARNING: THIS TEST WAS SKIPPED, redis-server cannot be started: {error}; install it");
                return None;
            }
        };
        let redis = Redis { port, process, _folder: folder };
        let store = redis.store();
        let patience = Instant::now() + Duration::from_secs(20);
        while store.get("anybody").await.is_err() {
            assert!(Instant::now() < patience, "redis-server does not answer");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Some(redis)
    }

    /// From now on only those who know it are served.
    pub(crate) fn require_password(&self, password: &str) {
        self.cli(&["config", "set", "requirepass", password]);
    }

    /// For so long it takes commands and does nothing about them.
    pub(crate) fn pause(&self, time: Duration) {
        self.cli(&["client", "pause", &time.as_millis().to_string()]);
    }

    fn cli(&self, arguments: &[&str]) {
        let mut command = Command::new("redis-cli");
        command.args(["-p", &self.port.to_string()]).args(arguments);
        assert!(command.stdout(Stdio::null()).status().unwrap().success());
    }

    /// It takes connections and commands, and answers nothing until it is told to go on.
    #[cfg(unix)]
    pub(crate) fn hang(&self) {
        self.signal("-STOP");
    }

    #[cfg(unix)]
    pub(crate) fn go_on(&self) {
        self.signal("-CONT");
    }

    #[cfg(unix)]
    fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap().success());
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    pub(crate) fn store(&self) -> Arc<RedisStore> {
        Arc::new(RedisStore::at(&self.url()).unwrap())
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
