//! Where `httpx send` puts the body.

use std::path::Path;

use httpx_faults::{Answer, Fault};

use crate::support::{always, send};

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn a_complete_body_replaces_the_file() {
    let server = always(Answer::ok().body("new")).await;
    for further in [&[][..], &["--stream"], &["--json"]] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("body");
        std::fs::write(&file, "something longer than that").unwrap();
        let ran = send(&server.url_at("/"), &[&["-o", file.to_str().unwrap()], further].concat());
        assert_eq!((ran.code, std::fs::read_to_string(&file).unwrap().as_str()), (0, "new"), "{}", ran.stderr);
        assert_eq!((names(folder.path()), ran.stdout.is_empty()), (vec!["body".to_owned()], further != ["--json"]));
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_leaves_the_file_alone_and_nothing_beside_it() {
    let server = always(Fault::HalfBodyFin).await;
    for further in [&[][..], &["--stream"]] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("body");
        std::fs::write(&file, "old").unwrap();
        let ran = send(&server.url_at("/"), &[&["-o", file.to_str().unwrap()], further].concat());
        assert_eq!((ran.code, std::fs::read_to_string(&file).unwrap().as_str()), (7, "old"));
        assert_eq!(names(folder.path()), ["body"]);
    }
}

#[tokio::test]
async fn a_streamed_body_that_breaks_off_is_passed_on_as_far_as_it_came() {
    let server = always(Fault::HalfBodyFin).await;
    let ran = send(&server.url_at("/"), &["--stream"]);
    assert_eq!((ran.code, ran.stdout.len()), (7, 500));
    assert!(ran.stderr.contains("body ended early while reading the body, 500 bytes received"), "{}", ran.stderr);
}

#[cfg(unix)]
#[tokio::test]
async fn a_device_is_written_to_and_a_link_stays_a_link() {
    let server = always(Fault::Ok).await;
    assert_eq!(send(&server.url_at("/"), &["-o", "/dev/null"]).code, 0);
    assert!(!Path::new("/dev/null").is_file());

    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    std::fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert_eq!(send(&server.url_at("/"), &["-o", link.to_str().unwrap()]).code, 0);
    assert_eq!((link.is_symlink(), std::fs::read_to_string(file).unwrap().as_str()), (true, "ok"));
}
