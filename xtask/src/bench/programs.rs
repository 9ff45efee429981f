//! The programs of `httpx-bench`: built in release, found, and the server among them kept running.

use anyhow::{Context, Result, anyhow, ensure};
use cargo_metadata::MetadataCommand;
use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
};
use xshell::{Shell, cmd};

/// Where the programs are.
#[derive(Debug)]
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    pub(super) fn build(shell: &Shell) -> Result<Self> {
        cmd!(shell, "cargo build --release --locked --package httpx-bench").run()?;
        let metadata = MetadataCommand::new().current_dir(shell.current_dir()).no_deps().exec()?;
        Ok(Self { folder: metadata.target_directory.join("release").into_std_path_buf() })
    }

    /// The names of the clients, as the program prints them: the first is the one to compare with.
    pub(super) fn peers(&self, shell: &Shell) -> Result<Vec<String>> {
        let peer = self.peer();
        Ok(cmd!(shell, "{peer} list").quiet().read()?.lines().map(str::to_owned).collect())
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
    output: BufReader<ChildStdout>,
    /// Where it listens.
    pub(super) url: String,
}

impl Server {
    fn start(program: &PathBuf) -> Result<Self> {
        let mut process = Command::new(program)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} does not start", program.display()))?;
        let output = process.stdout.take().ok_or_else(|| anyhow!("the server has no output"))?;
        let mut server = Self { process, output: BufReader::new(output), url: String::new() };
        let port = server.line()?;
        server.url = format!("http://127.0.0.1:{port}/");
        Ok(server)
    }

    /// Waits for the end of the connection of a client that sent `count` requests.
    ///
    /// # Errors
    /// When the connection carried fewer: the client did not keep it, and its count would be one of connecting.
    pub(super) fn expect_one_connection(&mut self, count: u32) -> Result<()> {
        let told = self.line()?;
        ensure!(told == count.to_string(), "a connection carried {told} requests where all {count} belong on one");
        Ok(())
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.output.read_line(&mut line)? > 0, "the server ended");
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to stop.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
