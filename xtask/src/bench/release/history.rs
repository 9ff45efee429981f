//! A made-up history, as a stream for `git fast-import`.

use std::fmt::Write;

/// A main branch, and branches that left it at even distances: merged, squashed, rebased and open in turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    branches: usize,
    commits: usize,
}

/// What became of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Merged,
    Squashed,
    Rebased,
    Open,
}

/// How many commits a branch has, and how many files the tree.
const LAYERS: usize = 3;
const FILES: usize = 500;

impl History {
    pub(super) fn new(branches: usize, commits: usize) -> Self {
        Self { branches, commits }
    }

    /// How many branches are neither merged nor layers.
    pub(super) fn riders(self) -> usize {
        (0..self.branches).filter(|branch| fate(*branch) == Fate::Open).count()
    }

    /// The stream: main, and each branch where it leaves.
    pub(super) fn stream(self) -> String {
        let mut stream = Stream::default();
        stream.commit("main", "P", None, None, &workspace());
        let mut landing: Vec<(usize, usize)> = Vec::new();
        let mut made = 1;
        let mut left = 0;
        while made < self.commits {
            let is_due = left < self.branches && made * self.branches >= left * self.commits;
            if is_due {
                stream.branch(left);
                landing.push((left, made));
                left += 1;
            }
            // Each branch lands a while after it left, as in real life.
            let ripe = landing.iter().position(|(_, at)| at + 10 <= made);
            made += match ripe {
                Some(place) => stream.land(landing.remove(place).0),
                None => stream.work(made),
            };
        }
        stream.commit("main", "top [release]", None, None, &[("top".to_owned(), "top\n".to_owned())]);
        stream.text
    }
}

fn fate(branch: usize) -> Fate {
    [Fate::Merged, Fate::Squashed, Fate::Rebased, Fate::Open][branch % 4]
}

#[derive(Default)]
struct Stream {
    text: String,
    clock: usize,
}

impl Stream {
    /// Makes the commits of a branch from the tip of main.
    fn branch(&mut self, branch: usize) {
        for layer in 0..LAYERS {
            let from = (layer == 0).then_some("refs/heads/main");
            self.commit(&format!("b{branch}"), "layer", from, None, &[edit(branch, layer)]);
        }
    }

    /// Brings a branch to main, and says with how many commits.
    fn land(&mut self, branch: usize) -> usize {
        let edits: Vec<_> = (0..LAYERS).map(|layer| edit(branch, layer)).collect();
        match fate(branch) {
            Fate::Merged => self.commit("main", "merge", None, Some(&format!("refs/heads/b{branch}")), &edits),
            Fate::Squashed => self.commit("main", "squash", None, None, &edits),
            Fate::Rebased => {
                edits.iter().for_each(|edit| self.commit("main", "rebase", None, None, std::slice::from_ref(edit)));
                return LAYERS;
            }
            Fate::Open => return 0,
        }
        1
    }

    /// Other work on main.
    fn work(&mut self, at: usize) -> usize {
        let file = (at * 7) % FILES;
        self.commit("main", "work", None, None, &[(path(file), format!("{}// {at}\n", lines(file)))]);
        1
    }

    fn commit(
        &mut self,
        branch: &str,
        title: &str,
        from: Option<&str>,
        merge: Option<&str>,
        files: &[(String, String)],
    ) {
        self.clock += 60;
        let when = 1_600_000_000 + self.clock;
        // Writing to a string does not fail.
        let _ = write!(self.text, "commit refs/heads/{branch}\ncommitter A <a@example.test> {when} +0000\n");
        let _ = write!(self.text, "data {}\n{title}\n", title.len());
        for (word, commit) in [("from", from), ("merge", merge)] {
            if let Some(commit) = commit {
                let _ = writeln!(self.text, "{word} {commit}");
            }
        }
        for (path, text) in files {
            let _ = write!(self.text, "M 100644 inline {path}\ndata {}\n{text}\n", text.len());
        }
        self.text.push('\n');
    }
}

/// What one commit of a branch changes: a file that nobody else touches.
fn edit(branch: usize, layer: usize) -> (String, String) {
    (format!("changes/{branch}/{layer}.rs"), lines(branch * LAYERS + layer))
}

fn path(file: usize) -> String {
    format!("files/{}/{file}.rs", file % 20)
}

fn lines(seed: usize) -> String {
    (0..60).map(|line| format!("fn f{seed}_{line}() {{}}\n")).collect()
}

/// The first commit: two crates and many files, all at one version.
fn workspace() -> Vec<(String, String)> {
    let manifest = |name: &str, needs: &str| {
        format!("[package]\nname = \"{name}\"\nversion.workspace = true\nedition = \"2024\"\npublish = true\n{needs}")
    };
    let package = |name: &str, needs: &str| format!("\n[[package]]\nname = \"{name}\"\nversion = \"1.1.0\"\n{needs}");
    let needs = "[dependencies]\ncore.workspace = true\n";
    let texts = [
        ("VERSION", "1.1.0\n".to_owned()),
        ("changelog.txt", "1.1.0 - 1 Nov 2026\n- New.\n".to_owned()),
        (".gitignore", "/target\n".to_owned()),
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n[workspace.package]\nversion = \"1.1.0\"\n\
             [workspace.dependencies]\ncore = { path = \"crates/core\", version = \"1.1.0\" }\n"
                .to_owned(),
        ),
        (
            "Cargo.lock",
            format!("version = 4\n{}{}", package("cons", "dependencies = [\n \"core\",\n]\n"), package("core", "")),
        ),
        ("crates/core/Cargo.toml", manifest("core", "")),
        ("crates/core/src/lib.rs", String::new()),
        ("crates/cons/Cargo.toml", manifest("cons", needs)),
        ("crates/cons/src/lib.rs", String::new()),
    ];
    let files = (0..FILES).map(|file| (path(file), lines(file)));
    texts.into_iter().map(|(path, text)| (path.to_owned(), text)).chain(files).collect()
}
