//! What `sweep` draws of what it collected.

use std::fs;

use rayon::prelude::*;
use stickslip::sweep::{Columns, Store, SweepPicture, pictures};

use super::{
    error::CliError,
    figures::{ENDINGS, FigureSize},
    folder::Folder,
    outdated::remove_if_there,
};

/// The folder of the pictures in that of the sweep.
pub const PICTURES: &str = "pictures";

/// Draws every picture in all its forms, in parallel, and removes those of an earlier collection. Gives the
/// pictures.
pub fn draw(store: &Store, columns: &Columns, size: &FigureSize) -> Result<Vec<SweepPicture>, CliError> {
    let folder = Folder::at(store.folder().join(PICTURES))?;
    let mut pictures = pictures(store.sweep(), columns, store.borders());
    for picture in &mut pictures {
        picture.figure = size.apply(std::mem::take(&mut picture.figure));
    }
    remove_others(&folder, &pictures)?;
    pictures.par_iter().try_for_each(|picture| {
        folder.write_figure(&picture.name, &picture.figure)?;
        Ok::<(), CliError>(())
    })?;
    Ok(pictures)
}

/// Removes the pictures that do not belong to what is collected now.
pub fn remove(store: &Store) -> Result<(), CliError> {
    let path = store.folder().join(PICTURES);
    if path.is_dir() { remove_others(&Folder::at(path)?, &[]) } else { Ok(()) }
}

fn remove_others(folder: &Folder, kept: &[SweepPicture]) -> Result<(), CliError> {
    let files = fs::read_dir(folder.path()).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_outdated = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
        stem.is_some_and(|stem| kept.iter().all(|picture| picture.name != stem))
    };
    files.filter(is_outdated).try_for_each(|path| remove_if_there(&path))
}
