//! What a person or a workflow asked for, as far as the judgement depends on it.

/// What is asked of a release.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to publish, or only to say what would happen.
    pub mode: Mode,
    /// Whether HEAD without a marker is no failure: every push is looked at, few are releases.
    pub if_marked: bool,
    /// Where main stood before the push that is looked at.
    pub since: Option<String>,
    /// Whether an interrupted release is to be finished.
    pub resume: Resume,
    /// Marked commits that are known to ship with this release, each with the reason.
    pub acknowledged: Vec<Override>,
    /// Branches that are known not to belong to the version, each with the reason.
    pub not_in_stack: Vec<Override>,
    /// The name of the remote.
    pub remote: String,
    /// The name of the main branch.
    pub main: String,
    /// Whether the token is asked for although nothing is published.
    pub check_token: bool,
    /// The flags that say where everything is, as they were given: a command that is printed repeats them.
    pub whereabouts: Vec<String>,
    /// How many seconds an uploaded crate may take to be seen, when that was given.
    pub index_wait: Option<u64>,
}

impl Options {
    /// The same release once more, as a command that can be run as it is printed.
    pub(crate) fn again(&self, flags: &[&str]) -> String {
        let mut words: Vec<_> = ["cargo", "xtask", "release"].map(str::to_owned).into();
        words.extend((self.mode == Mode::Execute).then(|| "--execute".to_owned()));
        words.extend(flags.iter().map(|flag| (*flag).to_owned()));
        words.extend(self.whereabouts.iter().cloned());
        words.extend(self.index_wait.iter().flat_map(|wait| ["--index-wait".to_owned(), wait.to_string()]));
        let overrides = [("--ack-marker", &self.acknowledged), ("--not-in-stack", &self.not_in_stack)];
        for (flag, given) in overrides {
            words.extend(given.iter().flat_map(|given| [flag.to_owned(), format!("{}={}", given.of, given.reason)]));
        }
        quoted(&words)
    }

    /// The command that prints the notes of this release.
    pub(crate) fn notes(&self) -> String {
        quoted(&[["cargo", "xtask", "release", "notes"].map(str::to_owned).as_slice(), &self.whereabouts].concat())
    }
}

/// A command as a shell reads it.
fn quoted(words: &[String]) -> String {
    // A word with a zero byte could not have been given.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// Whether to publish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Say what would happen.
    Plan,
    /// Publish.
    Execute,
    /// Judge a pull request that is not merged yet: no marker, branch or receipt is asked for.
    Lint,
}

/// Whether to finish an interrupted release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    /// No: whatever is already published is refused.
    No,
    /// Yes, at the tip of main.
    AtTip,
    /// Yes, at this commit, on which HEAD is detached.
    At(String),
}

/// One overridden gate: of what, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The commit or branch.
    pub of: String,
    /// The reason, recorded in the tag.
    pub reason: String,
}

impl std::str::FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((of, reason)) if !of.trim().is_empty() && !reason.trim().is_empty() => {
                Ok(Self { of: of.trim().to_owned(), reason: reason.trim().to_owned() })
            }
            _ => Err(format!("{text:?} gives no reason; write NAME=REASON")),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Plan,
            if_marked: false,
            since: None,
            resume: Resume::No,
            acknowledged: Vec::new(),
            not_in_stack: Vec::new(),
            remote: "origin".to_owned(),
            main: "main".to_owned(),
            check_token: false,
            whereabouts: Vec::new(),
            index_wait: None,
        }
    }
}
