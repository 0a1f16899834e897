//! `<include file="..">`: the children of the root of another file stand in its place.

use std::path::{Path, PathBuf};

use crate::{element::Element, fault::ImportError, files};

/// How many files may include each other, one inside the other, and how many there may be.
const MAX_NESTED: usize = 16;
const MAX_FILES: usize = 1000;

/// Puts the files in that `element` and what is in it include; their names count from `folder`, that of the first file,
/// or from the file in which they stand.
pub(super) fn expand(element: &mut Element, folder: &Path) -> Result<(), ImportError> {
    expand_in(element, folder, &mut Vec::new(), &mut 0)
}

fn expand_in(
    element: &mut Element,
    folder: &Path,
    inside: &mut Vec<PathBuf>,
    count: &mut usize,
) -> Result<(), ImportError> {
    let mut children = Vec::with_capacity(element.children.len());
    for mut child in std::mem::take(&mut element.children) {
        if child.tag != "include" {
            expand_in(&mut child, folder, inside, count)?;
            children.push(child);
            continue;
        }
        let name = child.required("file")?;
        let around = Path::new(child.place.file.as_ref()).parent().unwrap_or(Path::new(""));
        let path = files::first_that_is_there(vec![folder.join(name), around.join(name)]);
        *count += 1;
        if inside.contains(&path) || inside.len() >= MAX_NESTED || *count > MAX_FILES {
            let message = format!("{}: the file includes itself, or too many others", path.display());
            return Err(ImportError::new(&child.place, message, "include each file once"));
        }
        let text = files::read_text(&path, &child.place)?;
        let mut root = Element::parse(&text, &path.display().to_string())?;
        inside.push(path);
        expand_in(&mut root, folder, inside, count)?;
        inside.pop();
        children.append(&mut root.children);
    }
    element.children = children;
    Ok(())
}
