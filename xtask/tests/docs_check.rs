//! A newcomer's walk sees every block and command of a document, and each wrong one.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use std::process::Command;

use xtask::docs_check::{Block, Document, Included, Inline, Part, Programs, Shown};
use xtask::docs_check::{differs, expecting, included, read_toml, script, tested, typed};
use xtask::{Member, Tree};

fn block(line: usize, language: &str, text: &str) -> Block {
    Block { line, language: language.to_owned(), text: text.to_owned() }
}

fn shown(line: usize, command: &str, output: &str) -> Shown {
    Shown { line, command: command.to_owned(), output: output.to_owned() }
}

#[test]
fn blocks_and_commands_are_found_where_they_stand() {
    let command = |line, command: &str| Inline { line, code: command.to_owned() };
    let rows: [(&str, &[Block], &[Inline]); 8] = [
        ("# T\n\n```sh\na\n\nb\n```\n", &[block(3, "sh", "a\n\nb\n")], &[]),
        ("```rust,no_run\nfn main() {}\n```\n", &[block(1, "rust", "fn main() {}\n")], &[]),
        ("```\nplain\n```\n~~~toml\nx = 1\n~~~\n", &[block(1, "", "plain\n"), block(4, "toml", "x = 1\n")], &[]),
        ("- a\n\n  ```sh\n  b\n  ```\n", &[block(3, "sh", "b\n")], &[]),
        (
            "a\n`cargo xtask tidy` b `httpx send\nURL`\n",
            &[],
            &[command(2, "cargo xtask tidy"), command(2, "httpx send URL")],
        ),
        ("| a |\n|---|\n| `httpx a\\|b` |\n", &[], &[command(3, "httpx a|b")]),
        ("`httpx_client` `cargo` `cargo-hack x` `git push` httpx send\n", &[], &[]),
        ("```sh\n`cargo run`\n```\n", &[block(1, "sh", "`cargo run`\n")], &[]),
    ];
    for (text, blocks, commands) in rows {
        let read = Document::read("a.md", text);
        assert_eq!((&read.blocks[..], &read.commands[..]), (blocks, commands), "{text}");
    }
}

#[test]
fn a_text_block_shows_commands_only_when_it_begins_with_one() {
    let rows: [(Block, &[Shown]); 4] = [
        (block(5, "text", "$ a b\n1\n\n2\n$ c\n"), &[shown(6, "a b", "1\n\n2\n"), shown(10, "c", "")]),
        (block(1, "", "$ a\n"), &[shown(2, "a", "")]),
        (block(1, "text", "1\n$ a\n"), &[]),
        (block(1, "sh", "$ a\n"), &[]),
    ];
    for (block, wanted) in rows {
        assert_eq!(block.shown(), wanted, "{block:?}");
    }
}

#[test]
fn what_is_printed_is_what_stands_there_but_for_the_two_signs() {
    let rows = [
        ("a\nb\n", "a\nb\n", None),
        ("a\n", "a  \n\n", None),
        ("1.5 (of [2])\n", "1.5 (of [2])\n", None),
        ("a\nb", "a\nc", Some("it prints \"c\" where \"b\" stands")),
        ("a\nb", "a", Some("it prints nothing where \"b\" stands")),
        ("a", "a\nb", Some("it prints \"b\" too, which is not shown")),
        ("1.5", "125", Some("it prints \"125\" where \"1.5\" stands")),
        ("a … z", "a b c z", None),
        ("a … z", "a b c", Some("it prints \"a b c\" where \"a … z\" stands")),
        ("a\n…\nz", "a\nb\nc\nz", None),
        ("a\n…\nz", "a\nz", None),
        ("a\n…", "a", None),
        ("a\n…", "a\nb\nc", None),
        ("…\nz", "a\nz", None),
        ("a\n…\nz", "a\nb", Some("it prints something else")),
        ("took ≈1.28 s\n", "took 10.5 s\n", None),
        ("took ≈1,280 s of 3", "took 9 s of 3", None),
        ("took   ≈1.28 s", "took 1000.28 s", None),
        ("took ≈1.28 s", "took long", Some("it prints \"took long\" where \"took ≈1.28 s\" stands")),
        ("took ≈1.28 s", "took 1.28 ms", Some("it prints \"took 1.28 ms\" where \"took ≈1.28 s\" stands")),
    ];
    for (stands, printed, wrong) in rows {
        assert_eq!(differs(stands, printed).as_deref(), wrong, "{stands:?} and {printed:?}");
    }
}

#[test]
fn settings_are_found_in_the_text() {
    let text = "`max_attempts = 3` in\na row: `a.b_c = x`, not `Key = 1`, `x` nor `a == b`\n```toml\nx = 1\n```\n";
    let found = Document::read("a.md", text).settings.into_iter().map(|Inline { line, code }| (line, code));
    let wanted = [(1, "max_attempts = 3"), (2, "a.b_c = x")].map(|(line, code)| (line, code.to_owned()));
    assert_eq!(found.collect::<Vec<_>>(), wanted);
}

#[test]
fn toml_is_a_dependency_or_settings() {
    let rows = [
        ("[dependencies]\nhttpx-client = \"0.1\"\nother = { path = \"x\" }", ""),
        ("[dependencies]\nhttpx-client = { version = \"0.1\", features = [\"redis\"] }", ""),
        ("timeout = \"2s\"\n[auth]\norigins = []", ""),
        ("[dependencies]\nhttpx-clint = \"0.1\"", "httpx-clint is no crate of this workspace that is published"),
        ("[dependencies]\nhttpx-bench = \"0.1\"", "httpx-bench is no crate of this workspace that is published"),
        ("[dependencies]\nhttpx-client = \"99\"", "which 99 excludes"),
        ("[dependencies]\nhttpx-client = {}", "httpx-client needs a version"),
        ("[dependencies]\nhttpx-client = { version = \"0.1\", features = [\"x\"] }", "httpx-client has no feature x"),
        ("dependencies = 1", "dependencies is no table"),
        ("timeout = \"2 apples\"", "timeout"),
        ("colour = 1", "colour"),
        ("policy = \"apache_6\"", "apache_6"),
        ("a = ", ""),
    ];
    for (text, wrong) in &rows[..3] {
        assert_eq!(read_toml(text), Ok(()), "{text}{wrong}");
    }
    for (text, wrong) in &rows[3..] {
        let told = read_toml(text).unwrap_err();
        assert!(told.contains(wrong), "{text}: {told}");
    }
}

#[test]
fn blocks_of_rust_belong_to_the_item_that_includes_their_document() {
    let lib = "//! x\n#[cfg(all(doctest, feature = \"a\", feature = \"b\"))]\n#[doc = include_str!(\"../../../docs/A.md\")]\n\
               struct A;\n/// Not one.\n#[doc = \"text\"]\npub struct B;\n";
    let member =
        Member { name: "c".into(), folder: "crates/c".into(), version: "1.0.0".into(), dependencies: Vec::new() };
    let files = [("crates/c/src/lib.rs".to_owned(), lib.to_owned())].into();
    let tree = Tree { files, members: vec![member], ..Tree::default() };
    let features = ["a".to_owned(), "b".to_owned()].into();
    let wanted = Included { package: "c".into(), item: "A".into(), features, document: "docs/A.md".into() };
    assert_eq!(included(&tree), [wanted]);
}

#[test]
fn a_doctest_passes_when_rustdoc_says_ok() {
    let printed = "test src/lib.rs - A (line 40) ... FAILED\ntest src/lib.rs - Other (line 1) ... ok\n\
                   test src/lib.rs - A (line 9) - compile ... ok\ntest src/lib.rs - A (line 50) ... ignored\n";
    assert_eq!(tested("A", printed), [true, false, false]);
}

#[test]
fn a_session_fails_at_the_line_of_the_document() {
    let command = |line, command: &str| (line, Part::Typed(command.to_owned()));
    type Row<'a> = (&'a [(usize, Part)], Option<usize>);
    let rows: [Row<'_>; 9] = [
        (&[command(3, "x=1"), command(7, "test $x = 1")], None),
        (&[command(3, "alias say=echo"), command(4, "say a")], None),
        (&[command(3, "true"), command(7, "false"), command(8, "true")], Some(7)),
        (&[command(3, "false | true")], Some(3)),
        (&[command(2, "f() {"), command(3, "  false"), command(4, "}"), command(6, "f")], Some(3)),
        (&[command(4, "no-such-program-anywhere")], Some(4)),
        (&[(5, Part::Shown(shown(5, "false", "")))], Some(5)),
        (&[command(3, "sleep 60 &"), (4, Part::StillRunning), command(5, "kill %1")], None),
        (&[command(3, "false &"), command(4, "wait $! || true"), (5, Part::StillRunning)], Some(5)),
    ];
    for (parts, line) in rows {
        let folder = tempfile::tempdir().unwrap();
        let stopped = typed(Command::new("bash"), &script(parts, 9, folder.path()), folder.path()).unwrap();
        assert_eq!(stopped.map(|(line, _)| line), line, "{parts:?}");
    }
}

#[test]
fn a_comment_says_with_which_code_the_command_below_it_fails() {
    let rows = [
        ("# It is not there, so this exits with 3.", "(exit 3)", true),
        ("# It is not there, so this exits with 3.", "true", false),
        ("# It is not there, so this exits with 3.", "(exit 4)", false),
        ("# It exits with care.", "true", true),
        ("", "(exit 3)", false),
    ];
    for (above, command, passes) in rows {
        let folder = tempfile::tempdir().unwrap();
        let parts = [(2, Part::Typed(expecting(above, command)))];
        let stopped = typed(Command::new("bash"), &script(&parts, 2, folder.path()), folder.path()).unwrap();
        assert_eq!(stopped.is_none(), passes, "{above} {command}");
    }
}

#[test]
fn what_a_shown_command_prints_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let parts = [(2, Part::Typed("alias say=echo".into())), (4, Part::Shown(shown(4, "say a; say b >&2", "")))];
    assert_eq!(typed(Command::new("bash"), &script(&parts, 4, folder.path()), folder.path()).unwrap(), None);
    assert_eq!(std::fs::read_to_string(folder.path().join("4")).unwrap(), "a\nb\n");
}

#[test]
fn nothing_is_left_running() {
    let folder = tempfile::tempdir().unwrap();
    let parts = [(2, Part::Typed("sleep 60 & echo $! > \"$(dirname \"$0\")/pid\"".into()))];
    assert_eq!(typed(Command::new("bash"), &script(&parts, 2, folder.path()), folder.path()).unwrap(), None);
    let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
    let alive = Command::new("bash").args(["-c", &format!("kill -0 {pid}")]).output().unwrap().status.success();
    assert!(!alive, "{pid}");
}

#[test]
fn a_command_is_asked_of_its_program() {
    let programs = Programs { xtask: env!("CARGO_BIN_EXE_xtask").into(), httpx: Path::new("no-such-httpx").into() };
    let rows = [
        ("cargo xtask tidy", ""),
        ("cargo xtask stress --requests N", ""),
        ("cargo xtask release bump X.Y.Z", ""),
        ("cargo xtask release --execute --resume", ""),
        ("cargo test --workspace", ""),
        ("cargo test -p httpx-client --features redis --test redis", ""),
        ("cargo test -p httpx-client --features redis --test fleet -- --nocapture three", ""),
        ("cargo run -p httpx-client --example download", ""),
        ("cargo package --workspace --locked", ""),
        ("cargo xtask tidi", "tidi"),
        ("cargo xtask stress --request 5", "--request"),
        ("cargo xtask stress --requests many", "many"),
        ("cargo test -p httpx-clint", "httpx-clint"),
        ("cargo test -p httpx-client --test rediss", "rediss"),
        ("cargo test -p httpx-client --features rediss", "rediss"),
        ("cargo run -p httpx-client --example upload", "upload"),
        ("cargo package --lock", "--lock"),
        ("httpx send URL", "it does not start"),
    ];
    for (command, wrong) in rows {
        match programs.accept(command) {
            Ok(()) => assert_eq!(wrong, "", "{command} is accepted"),
            Err(told) => assert!(!wrong.is_empty() && told.contains(wrong), "{command}: {told}"),
        }
    }
}
