//! A scratch repository with its bare remote: a workspace of `core` and `cons`, released as 1.0.0, and what is done to it.

use crate::{registry::Registry, semver};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};
use tempfile::TempDir;

/// The day on which all scenarios take place.
pub(crate) const NOW: &str = "2026-11-30";

/// What stands for `cargo xtask` where a printed command is run.
const SHELL: &str = r#"
cargo() {
    if [ "$1 $2" = "xtask ci" ]; then
        printf '{"layer": "%s", "tree": "%s", "ok": true}' "$3" "$(git rev-parse 'HEAD^{tree}')" > "$RECEIPTS/$3.json"
    elif [ "$1" = xtask ]; then
        "$XTASK" "${@:2}"
    else
        command cargo "$@"
    fi
}"#;

pub(crate) struct Repository {
    folder: TempDir,
    pub(crate) registry: Registry,
}

/// What became of one call of `cargo xtask release`.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) exit: Option<i32>,
    /// The signal that ended it.
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Call {
    pub(crate) fn of(mut command: Command) -> Self {
        Self::from(command.output().expect("the program runs"))
    }

    /// The commands that are printed to be run, in order.
    pub(crate) fn commands(&self) -> Vec<&str> {
        let quoted = self.stderr.split('`').skip(1).step_by(2);
        quoted.filter(|text| text.starts_with("cargo ") || text.starts_with("git ")).collect()
    }

    pub(crate) fn from(output: Output) -> Self {
        Self {
            exit: output.status.code(),
            signal: std::os::unix::process::ExitStatusExt::signal(&output.status),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The codes that stand on stderr, in order.
    pub(crate) fn codes(&self) -> Vec<&str> {
        let lines = self.stderr.lines().filter_map(|line| line.strip_prefix("refused["));
        lines.filter_map(|line| line.split(']').next()).collect()
    }
}

impl Repository {
    /// main at P: 1.0.0 is tagged and in the registry, the clone is full and clean.
    pub(crate) fn new() -> Self {
        let repository = Self::empty();
        for name in ["core", "cons"] {
            repository.registry.seed(name, "1.0.0", false);
        }
        repository.write_workspace();
        repository.write("changelog.txt", "1.0.0 - 1 Nov 2026\n- First.\n");
        repository.set_version("1.0.0");
        repository.commit("P");
        repository.git(&["tag", "v1.0.0"]);
        repository.git(&["push", "--quiet", "origin", "main", "v1.0.0"]);
        repository
    }

    /// main with 1.1.0, marked, after a change to the tree.
    pub(crate) fn landed(change: impl FnOnce(&Self)) -> Self {
        let repository = Self::new();
        repository.bump("1.1.0");
        change(&repository);
        repository.land("x [release]");
        repository
    }

    /// A repository without a commit, beside its remote and an empty registry.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = Self { folder, registry: Registry::start() };
        fs::create_dir(repository.work()).expect("a folder");
        repository
            .git_in(repository.folder.path(), &["init", "--quiet", "--bare", "--initial-branch=main", "remote.git"]);
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.git(&["remote", "add", "origin", "../remote.git"]);
        repository
    }

    fn write_workspace(&self) {
        self.write(".gitignore", "/target\n");
        for (name, needs, code) in [
            ("core", "", "pub fn one() -> u32 {\n    1\n}\n"),
            ("cons", "core.workspace = true\n", "pub use layer::one;\n"),
        ] {
            let lib = if name == "core" { "layer" } else { "cons" };
            self.write(
                &format!("crates/{name}/Cargo.toml"),
                &format!(
                    "[package]\nname = \"{name}\"\nversion.workspace = true\nedition = \"2024\"\nlicense = \"MIT\"\n\
                     description = \"x\"\npublish = [\"local\"]\n[lib]\nname = \"{lib}\"\n[dependencies]\n{needs}"
                ),
            );
            self.write(&format!("crates/{name}/src/lib.rs"), code);
        }
    }

    /// Writes VERSION and everything that has to agree with it, but the changelog.
    pub(crate) fn set_version(&self, version: &str) {
        self.write("VERSION", &format!("{version}\n"));
        self.write(
            "Cargo.toml",
            &format!(
                "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n[workspace.package]\nversion = \"{version}\"\n\
                 [workspace.dependencies]\ncore = {{ path = \"crates/core\", version = \"{version}\", registry = \"local\" }}\n"
            ),
        );
        self.write("README.md", &format!("```toml\ncore = \"{version}\"\n```\n"));
        let package =
            |name: &str, needs: &str| format!("\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{needs}");
        let lock = format!(
            "# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 4\n{}{}",
            package("cons", "dependencies = [\n \"core\",\n]\n"),
            package("core", "")
        );
        self.write("Cargo.lock", &lock);
    }

    /// Bumps VERSION, with a section of the changelog.
    pub(crate) fn bump(&self, version: &str) {
        self.set_version(version);
        let old = self.read("changelog.txt");
        self.write("changelog.txt", &format!("{version} - 30 Nov 2026\n- {version} begins.\n\n{old}"));
    }

    /// Bumps to the version that most scenarios ship.
    pub(crate) fn bump_to_1_1_0(&self) {
        self.bump("1.1.0");
    }

    /// Adds a bullet to the newest section, and a line of code.
    pub(crate) fn add(&self, what: &str) {
        let text = self.read("changelog.txt");
        let (section, rest) = text.split_once("\n\n").unwrap_or((text.as_str(), ""));
        self.write("changelog.txt", &format!("{}\n- {what}.\n\n{rest}", section.trim_end()));
        self.touch(what);
    }

    /// Adds a line of code and nothing else.
    pub(crate) fn touch(&self, what: &str) {
        let code = self.read("crates/core/src/lib.rs");
        self.write("crates/core/src/lib.rs", &format!("{code}\n/// {what}\npub fn {what}() {{}}\n"));
    }

    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.sha("HEAD")
    }

    /// Makes a branch at a commit, does something on it, commits and pushes.
    pub(crate) fn layer(&self, branch: &str, from: &str, change: impl FnOnce(&Self)) {
        self.git(&["switch", "--quiet", "--create", branch, from]);
        change(self);
        self.commit(branch);
        self.git(&["push", "--quiet", "origin", branch]);
        self.git(&["switch", "--quiet", "main"]);
    }

    /// Merges a branch as the host's "squash and merge" does, and pushes main.
    pub(crate) fn squash(&self, branch: &str, title: &str) -> String {
        self.git(&["merge", "--quiet", "--squash", branch]);
        self.land(title)
    }

    /// Merges a branch as the host's "merge pull request" does, and pushes main.
    pub(crate) fn merge(&self, branch: &str, message: &str) -> String {
        self.git(&["merge", "--quiet", "--no-ff", "--message", message, branch]);
        self.push();
        self.sha("HEAD")
    }

    /// Commits what is there on main, and pushes.
    pub(crate) fn land(&self, title: &str) -> String {
        let sha = self.commit(title);
        self.push();
        sha
    }

    pub(crate) fn push(&self) {
        self.git(&["push", "--quiet", "origin", "main"]);
    }

    /// Both layers are green for HEAD's tree.
    pub(crate) fn green(&self) {
        for layer in ["core", "consumers"] {
            self.receipt(layer, &self.sha("HEAD^{tree}"), true);
        }
    }

    pub(crate) fn receipt(&self, layer: &str, tree: &str, ok: bool) {
        let folder = self.receipts();
        fs::create_dir_all(&folder).expect("a folder");
        let text = format!("{{\"layer\": \"{layer}\", \"tree\": \"{tree}\", \"ok\": {ok}}}\n");
        fs::write(folder.join(format!("{layer}.json")), text).expect("a receipt");
    }

    pub(crate) fn receipts(&self) -> PathBuf {
        self.folder.path().join("receipts")
    }

    /// Calls `cargo xtask release` with the knobs of this repository.
    pub(crate) fn release(&self, arguments: &[&str]) -> Call {
        self.release_in(&self.work(), arguments, &[])
    }

    pub(crate) fn release_in(&self, folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Call {
        let mut all = vec!["release"];
        all.extend(arguments);
        self.xtask(folder, &all, environment, true)
    }

    pub(crate) fn xtask(&self, folder: &Path, arguments: &[&str], environment: &[(&str, &str)], knobs: bool) -> Call {
        Call::of(self.call(folder, arguments, environment, knobs))
    }

    /// Begins to release, and does not wait for the end.
    pub(crate) fn begin(&self, arguments: &[&str]) -> Child {
        let all = [&["release", "--execute"], arguments].concat();
        let mut command = self.call(&self.work(), &all, &[], true);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs")
    }

    /// Runs a command that was printed, as a person would; the layers of CI are green as soon as they are asked for.
    pub(crate) fn follow(&self, printed: &str) -> Call {
        let mut command = self.command("bash", &self.work());
        command.args(["-euc", &format!("{SHELL}\n{printed}")]);
        command.env("XTASK", env!("CARGO_BIN_EXE_xtask")).env("RECEIPTS", self.receipts());
        command.env("CARGO_REGISTRIES_LOCAL_TOKEN", "secret").env("XTASK_NOW", NOW);
        Call::of(command)
    }

    fn call(&self, folder: &Path, arguments: &[&str], environment: &[(&str, &str)], knobs: bool) -> Command {
        let index = self.registry.index_url();
        let receipts = self.receipts();
        let mut command = self.command(env!("CARGO_BIN_EXE_xtask"), folder);
        command.args(arguments);
        if knobs {
            command.arg("--repo").arg(folder).args(["--registry", "local", "--index-url", &index]);
            command.arg("--receipts").arg(receipts);
        }
        command.env("CARGO_REGISTRIES_LOCAL_TOKEN", "secret").env("XTASK_NOW", NOW);
        for (name, value) in environment {
            if value.is_empty() {
                command.env_remove(name)
            } else {
                command.env(name, value)
            };
        }
        command
    }

    /// The uploads that are remembered for a run to come.
    pub(crate) fn attempts(&self) -> Vec<String> {
        let entries = fs::read_dir(self.work().join(".git/release")).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        names.filter(|name| name != "lock").collect()
    }

    /// The tags of the remote, each with the commit it leads to.
    pub(crate) fn remote_tags(&self) -> Vec<(String, String)> {
        self.tags_in(&self.remote())
    }

    /// The tags of a clone, each with the object at its end.
    pub(crate) fn tags_in(&self, folder: &Path) -> Vec<(String, String)> {
        let tags = self.output_in(folder, &["tag", "--list"]);
        tags.lines()
            .map(|tag| (tag.to_owned(), self.output_in(folder, &["rev-parse", &format!("{tag}^{{}}")])))
            .collect()
    }

    /// HEAD and every branch of a clone, with what they lead to.
    pub(crate) fn heads_in(&self, folder: &Path) -> Vec<String> {
        let heads = self.output_in(folder, &["show-ref", "--head", "--heads"]);
        heads.lines().map(str::to_owned).collect()
    }

    /// What a name leads to on the remote: a `tag` with a message, or the bare `commit`.
    pub(crate) fn kind_on_remote(&self, name: &str) -> String {
        self.output_in(&self.remote(), &["cat-file", "-t", name])
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(crate) fn remote(&self) -> PathBuf {
        self.folder.path().join("remote.git")
    }

    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.work().join(path);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Writes `new` where `old` stands.
    pub(crate) fn replace(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has {old}");
        self.write(path, &text.replace(old, new));
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.work().join(path)).expect("a file")
    }

    pub(crate) fn sha(&self, revision: &str) -> String {
        self.output_in(&self.work(), &["rev-parse", revision])
    }

    pub(crate) fn status(&self) -> String {
        self.status_in(&self.work())
    }

    pub(crate) fn status_in(&self, folder: &Path) -> String {
        self.output_in(folder, &["status", "--porcelain"])
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        self.git_in(&self.work(), arguments);
    }

    pub(crate) fn git_in(&self, folder: &Path, arguments: &[&str]) {
        self.output_in(folder, arguments);
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> String {
        self.output_in(&self.work(), arguments)
    }

    fn output_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.command("git", folder).args(arguments).output().expect("git runs");
        assert!(status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8_lossy(&stdout).trim().to_owned()
    }

    /// A program that sees nothing of the machine's own settings of git and cargo.
    pub(crate) fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = Command::new(program);
        let identity = ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"];
        command.envs(identity.map(|name| (name, "a@example.test")));
        command
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", self.folder.path().join("gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("PATH", semver::hidden(self.folder.path()))
            .env("CARGO_HOME", self.folder.path().join("cargo-home"))
            .env("CARGO_REGISTRIES_LOCAL_INDEX", self.registry.index_url())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("CARGO_REGISTRY_DEFAULT")
            .env_remove("XTASK_INDEX_URL")
            .env_remove("XTASK_REGISTRY")
            .env_remove("XTASK_FAULT");
        command
    }
}
