//! Faults of the file itself.

use std::{fs, path::Path};

use stickslip::scenario::{FileError, FileFault, ScenarioError, read_scenario};
use tempfile::{TempDir, tempdir};

use crate::VALID;

fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

#[track_caller]
fn file_error(path: &Path) -> FileError {
    match read_scenario(path, &[]) {
        Err(ScenarioError::File(error)) => {
            assert_eq!(error.path, path);
            assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
            error
        }
        Err(other) => panic!("not a fault of the file: {other}"),
        Ok(_) => panic!("{} is accepted", path.display()),
    }
}

#[test]
fn a_missing_file_is_told_with_what_was_probably_meant() {
    let folder = folder_with(&[("slide.toml", VALID.as_bytes()), ("bounce.toml", VALID.as_bytes())]);
    for missing in ["slid.toml", "slide", "Slide.toml"] {
        let error = file_error(&folder.path().join(missing));
        assert_eq!(error.fault, FileFault::Missing);
        let meant = format!("did you mean `{}`?", folder.path().join("slide.toml").display());
        assert_eq!(error.help, meant);
    }
}

#[test]
fn a_missing_file_without_a_likeness_is_told_with_what_there_is() {
    let folder = folder_with(&[("slide.toml", VALID.as_bytes()), ("Cargo.toml", b"")]);
    let error = file_error(&folder.path().join("xyz.toml"));
    assert!(error.help.contains("slide.toml"), "{error}");
    assert!(!error.help.contains("Cargo.toml"), "{error}");
}

#[test]
fn a_directory_is_no_scenario() {
    let folder = folder_with(&[("slide.toml", VALID.as_bytes())]);
    let error = file_error(folder.path());
    assert_eq!(error.fault, FileFault::Directory);
    assert!(error.help.contains("slide.toml"), "{error}");
    assert_eq!(file_error(folder_with(&[]).path()).fault, FileFault::Directory);
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_line() {
    let folder =
        folder_with(&[("latin.toml", b"name = \"a\"\n# caf\xe9\n"), ("utf16.toml", b"\xff\xfen\0a\0")]);
    let error = file_error(&folder.path().join("latin.toml"));
    assert_eq!(error.fault, FileFault::NotUtf8 { line: 2, byte: 0xe9 });
    assert!(error.to_string().contains("not UTF-8"), "{error}");
    let error = file_error(&folder.path().join("utf16.toml"));
    assert_eq!(error.fault, FileFault::NotUtf8 { line: 1, byte: 0xff });
}

#[test]
fn a_file_larger_than_any_scenario_is_refused() {
    let folder = folder_with(&[("large.toml", &vec![b'x'; 48_000_001])]);
    let error = file_error(&folder.path().join("large.toml"));
    assert_eq!(error.fault, FileFault::TooLarge);
    assert!(error.to_string().contains("48000000 bytes"), "{error}");
}

#[test]
fn a_file_with_more_values_than_any_scenario_is_refused_before_they_take_memory() {
    let folder = folder_with(&[("list.toml", format!("a = [{}]", "1,".repeat(10_000_001)).as_bytes())]);
    let error = file_error(&folder.path().join("list.toml"));
    assert_eq!(error.fault, FileFault::TooMuch);
}

#[cfg(unix)]
#[test]
fn an_endless_device_is_refused() {
    assert_eq!(file_error(Path::new("/dev/zero")).fault, FileFault::TooLarge);
}

#[test]
fn a_path_through_a_file_is_refused() {
    let folder = folder_with(&[("slide.toml", VALID.as_bytes())]);
    let error = file_error(&folder.path().join("slide.toml/inner.toml"));
    assert!(matches!(error.fault, FileFault::Unreadable { .. }), "{error}");
    assert!(!error.help.is_empty());
}

#[test]
fn faults_of_the_text_name_the_path() {
    let folder = folder_with(&[("broken.toml", b"name = 3\n")]);
    let path = folder.path().join("broken.toml");
    let error = read_scenario(&path, &[]).unwrap_err().to_string();
    assert!(error.contains(&format!("{}:1:8: `name` must be a string", path.display())), "{error}");
}
