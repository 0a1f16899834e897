//! What was found, in files that replay it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Finds of one kind that are written out; more are counted.
const MOST_OF_A_KIND: usize = 5;

/// Faults, each with a file.
pub struct Finds {
    folder: PathBuf,
    kinds: BTreeMap<String, usize>,
    told: Vec<String>,
}

impl Finds {
    pub fn new(folder: &str) -> Self {
        Self {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            kinds: BTreeMap::new(),
            told: Vec::new(),
        }
    }

    /// Whether one more of this kind is worth the work of making it small.
    pub fn wants(&self, kind: &str) -> bool {
        self.kinds.get(kind).is_none_or(|count| *count < MOST_OF_A_KIND)
    }

    /// Keeps a find: `message` says what is wrong, `text` is the file that shows it again.
    pub fn add(&mut self, kind: &str, extension: &str, message: &str, text: &[u8]) {
        let count = self.kinds.entry(kind.to_owned()).or_default();
        *count += 1;
        if *count > MOST_OF_A_KIND {
            return;
        }
        let name: String =
            kind.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        let file = self.folder.join(format!("{name}-{count}.{extension}"));
        std::fs::create_dir_all(&self.folder).expect("a folder for finds");
        std::fs::write(&file, text).expect("a file for the find");
        let line = format!("{kind}: {message}\n  in {}", file.display());
        println!("FOUND {line}");
        self.told.push(line);
    }

    pub fn assert_none(&self) {
        assert!(self.told.is_empty(), "{:?}\n{}", self.kinds, self.told.join("\n"));
    }
}
