//! The picture at the head of README: what the first command there prints, in its colours.

use std::path::Path;

use anstyle::RgbColor;
use anstyle_svg::{Term, WIN10_CONSOLE};
use assert_cmd::Command;
use regex::Regex;

/// What the picture has no room for: from one line to before another.
const LEFT_OUT: [[&str; 2]; 2] =
    [["the answer breaks off", "contacts: 5 for the GET"], ["How long a call takes", "All faults together"]];

/// What is printed where colours are seen.
fn printed() -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
    let ran = command.arg("survey").env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

fn picture(printed: &str) -> String {
    let mut shown = vec!["$ httpx survey"];
    shown.extend(printed.lines());
    for edges in LEFT_OUT {
        let [from, to] = edges.map(|edge| shown.iter().position(|line| line.contains(edge)).unwrap());
        shown.splice(from..to, ["\x1b[2m…\x1b[0m", ""]);
    }
    // The ink and the night of GitHub, and a red that is seen on it.
    let mut palette = WIN10_CONSOLE;
    palette.0[1] = RgbColor(255, 123, 114);
    let term = Term::new().palette(palette).fg_color(RgbColor(230, 237, 243).into());
    term.bg_color(RgbColor(13, 17, 23).into()).render_svg(&shown.join("\n"))
}

/// Without figures and the room that they take: times are a machine's own, and two faults race with the request.
fn blank(picture: &str) -> String {
    Regex::new(" *[0-9][0-9./]* *").unwrap().replace_all(picture, "≈").into_owned()
}

#[test]
fn the_picture_of_readme_is_what_its_first_command_prints() {
    let drawn = picture(&printed());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/survey.svg");
    if std::env::var_os("HTTPX_UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, &drawn).unwrap();
    }
    let golden = std::fs::read_to_string(golden).unwrap_or_default();
    for (line, golden) in drawn.lines().zip(golden.lines()) {
        assert_eq!(blank(line), blank(golden), "docs/survey.svg is rewritten by HTTPX_UPDATE_GOLDEN=1");
    }
    assert_eq!(drawn.lines().count(), golden.lines().count(), "docs/survey.svg is rewritten by HTTPX_UPDATE_GOLDEN=1");
}
