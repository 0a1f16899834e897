//! What is linked may be used by everybody.

use std::process::Command;

/// Licences that ask for no more than their text to be kept.
const PERMISSIVE: [&str; 13] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Zlib",
    "Unlicense",
    "Unicode-3.0",
    "CC0-1.0",
    "BSL-1.0",
    "0BSD",
    "ISC",
];

/// Whether an expression can be met by such licences alone.
fn is_permissive(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let parts = expression.split(" AND ");
    parts.into_iter().all(|part| part.split(" OR ").any(|one| PERMISSIVE.contains(&one.trim())))
}

/// The sources of IPOPT that `ipopt-src` bundles are under the Eclipse Public License; the README says so.
#[test]
fn every_dependency_has_a_permissive_licence() {
    assert!(is_permissive("(MIT OR Apache-2.0) AND Unicode-3.0") && is_permissive("GPL-3.0 OR MIT"));
    assert!(!is_permissive("GPL-3.0") && !is_permissive("MIT AND GPL-3.0") && !is_permissive(""));
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}|{l}|"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    // One tree for each member of the workspace, with an empty line between them.
    let lines = text.lines().filter(|line| !line.is_empty());
    let packages: Vec<Vec<&str>> = lines.map(|line| line.split('|').collect()).collect();
    assert!(packages.len() > 50, "{text}");
    let refused: Vec<&Vec<&str>> = packages.iter().filter(|fields| !is_permissive(fields[1])).collect();
    assert!(refused.is_empty(), "{refused:?}");
}
