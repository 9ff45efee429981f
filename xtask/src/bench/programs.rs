//! The programs of `httpx-bench`: built in release, found, and the server among them kept running.

use anyhow::{Context, Result, anyhow, ensure};
use cargo_metadata::MetadataCommand;
use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use tempfile::TempDir;
use xshell::{Shell, cmd};

/// Where the programs are.
#[derive(Debug)]
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    pub(super) fn build(shell: &Shell, features: &[&str]) -> Result<Self> {
        // A compiler that keeps what it can use again cuts a crate into pieces, and inlines less.
        let _whole = shell.push_env("CARGO_INCREMENTAL", "0");
        cmd!(shell, "cargo build --release --locked --package httpx-bench {features...}").run()?;
        let metadata = MetadataCommand::new().current_dir(shell.current_dir()).no_deps().exec()?;
        Ok(Self { folder: metadata.target_directory.join("release").into_std_path_buf() })
    }

    /// Who can do this work, as the program prints them.
    pub(super) fn workers(&self, shell: &Shell, scenario: &str) -> Result<Vec<String>> {
        let peer = self.peer();
        Ok(cmd!(shell, "{peer} list {scenario}").quiet().read()?.lines().map(str::to_owned).collect())
    }

    pub(super) fn peer(&self) -> PathBuf {
        self.folder.join("httpx-bench-peer")
    }

    pub(super) fn allocations(&self) -> PathBuf {
        self.folder.join("httpx-bench-allocations")
    }

    pub(super) fn serve(&self) -> Result<Server> {
        Server::start(&self.folder.join("httpx-bench-server"))
    }
}

/// A running server; it ends with this value.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    /// As it printed them: without and with TLS.
    ports: [String; 2],
    folder: TempDir,
}

impl Server {
    fn start(program: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut process = Command::new(program)
            .arg(folder.path().join(CACERT))
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} does not start", program.display()))?;
        let output = process.stdout.take().ok_or_else(|| anyhow!("the server has no output"))?;
        // Made before anything else can fail, so that the process ends in any case.
        let mut server = Self { process, ports: Default::default(), folder };
        let mut line = String::new();
        ensure!(BufReader::new(output).read_line(&mut line)? > 0, "the server ended");
        let (plain, tls) = line.trim_end().split_once(' ').with_context(|| format!("{line:?} are no two ports"))?;
        server.ports = [plain, tls].map(str::to_owned);
        Ok(server)
    }

    /// What a client has to know of it.
    pub(super) fn arguments(&self) -> Vec<String> {
        let cacert = self.folder.path().join(CACERT);
        self.ports.iter().cloned().chain([cacert.display().to_string()]).collect()
    }
}

/// The file with its certificate.
const CACERT: &str = "cacert.pem";

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to stop.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
