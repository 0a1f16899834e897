//! What `sweep` draws of what it collected.

use std::{fs, path::PathBuf};

use rayon::prelude::*;
use stickslip::sweep::{Columns, Store, SweepPicture, pictures};

use super::{
    error::CliError,
    figures::{ENDINGS, FigureSize},
    folder::Folder,
    outdated::remove_if_there,
    session::Session,
};

/// The folder of the pictures in that of the sweep.
pub const PICTURES: &str = "pictures";

/// Draws every picture in all its forms, in parallel. Gives the pictures.
pub fn draw(
    session: &Session,
    store: &Store,
    columns: &Columns,
    size: &FigureSize,
) -> Result<Vec<SweepPicture>, CliError> {
    let folder = Folder::at(session, store.folder().join(PICTURES))?.open()?;
    let mut pictures = pictures(store.sweep(), columns, store.borders());
    for picture in &mut pictures {
        picture.figure = size.apply(std::mem::take(&mut picture.figure));
    }
    pictures.par_iter().try_for_each(|picture| {
        folder.write_figure(&picture.name, &picture.figure)?;
        Ok::<(), CliError>(())
    })?;
    Ok(pictures)
}

/// Removes the pictures of an earlier collection.
pub fn remove(store: &Store) -> Result<(), CliError> {
    let files = fs::read_dir(store.folder().join(PICTURES)).into_iter().flatten().flatten();
    let is_picture = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    files.map(|entry| entry.path()).filter(is_picture).try_for_each(|path| remove_if_there(&path))
}
