//! Words of a command line as a shell takes them.

use std::path::Path;

/// A word as a shell takes it for one: in single quotes where it has characters that a shell may read.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./:=,+@%-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A path as a shell takes it; one that begins with a hyphen is no option.
pub fn quoted_path(path: &Path) -> String {
    let path = path.to_string_lossy();
    if path.starts_with('-') { quoted(&format!("./{path}")) } else { quoted(&path) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{quoted, quoted_path};

    #[test]
    fn what_a_shell_may_read_is_quoted_and_nothing_else() {
        for plain in ["slide.toml", "a/b-c_d/replay-step-0.json", "step=5e-4", "50%+1@here:x,y"] {
            assert_eq!(quoted(plain), plain);
        }
        for (word, expected) in [
            ("a b/c.json", "'a b/c.json'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("$HOME", "'$HOME'"),
            ("*", "'*'"),
            ("ä", "'ä'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn a_path_is_no_option() {
        assert_eq!(quoted_path(Path::new("-out/a b")), "'./-out/a b'");
        assert_eq!(quoted_path(Path::new("out/a")), "out/a");
    }
}
