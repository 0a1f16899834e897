//! Files that are whole or absent: written beside their place under another name, then renamed.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tempfile::TempPath;

use crate::fault::{self, FileFault};

/// What the names of unfinished files begin with.
const PREFIX: &str = ".stickslip-";

/// Age from which an unfinished file that nobody holds counts as left behind, though its process may live: a younger one may
/// not be held yet.
const LEFT_BEHIND: Duration = Duration::from_secs(10);

/// How far from the end of a file in bytes its last whole line is looked for.
const LONGEST_END: u64 = 1 << 20;

/// Unfinished files of this process, and what of them is kept under which name if it ends without finishing them.
static UNFINISHED: Mutex<Vec<(PathBuf, Option<PathBuf>)>> = Mutex::new(Vec::new());

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", path.display())]
pub struct WriteError {
    /// The file, or the folder where it was to be.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl WriteError {
    /// Whether there is no room: on the disk, within a quota, or within a limit on the size of files.
    pub fn wants_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self.source.kind(), FileTooLarge | QuotaExceeded | StorageFull)
    }
}

/// Opens the lock file at `path`, made if it is not there, and holds it as long as it is open; `None` while another process does.
///
/// # Errors
/// [`WriteError`] if it cannot be made.
pub fn lock_file(path: &Path) -> Result<Option<File>, WriteError> {
    let unwritable = |source| WriteError { path: path.to_owned(), source };
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(unwritable)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // That a disk knows no locks is no reason to refuse to work there.
        Err(TryLockError::Error(source)) if source.kind() != io::ErrorKind::Unsupported => {
            Err(unwritable(source))
        }
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// A file that is being written, under a name that nobody takes for a result.
///
/// It is removed if it is dropped unfinished. A process that is killed leaves it behind; then the next one that
/// makes files in the folder removes it ([`create_output_folder`]).
#[derive(Debug)]
pub struct UnfinishedFile {
    writer: BufWriter<File>,
    /// Removes the file where it is dropped; `None` once the file has its name.
    temporary: Option<TempPath>,
    path: PathBuf,
    /// Number of the system's first error, which whatever writes through this file may wrap and so hide.
    failure: Option<i32>,
}

impl UnfinishedFile {
    /// Begins a file in `folder`.
    ///
    /// # Errors
    /// [`WriteError`] naming the folder if it does not exist or is not writable.
    pub fn create(folder: &Path) -> Result<Self, WriteError> {
        let mut builder = tempfile::Builder::new();
        let prefix = format!("{PREFIX}{}-", process::id());
        builder.prefix(&prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file =
            builder.tempfile_in(folder).map_err(|source| WriteError { path: folder.to_owned(), source })?;
        // The lock tells other processes that this one is alive. Where the file system has no locks none of them
        // removes anything.
        let _ = file.as_file().try_lock();
        let path = file.path().to_owned();
        unfinished().push((path.clone(), None));
        let (file, temporary) = file.into_parts();
        let writer = BufWriter::with_capacity(1 << 16, file);
        Ok(Self { writer, temporary: Some(temporary), path, failure: None })
    }

    /// Has [`abandon_all`] keep the whole lines that are on the disk by then, under the name `path` in the same folder.
    #[must_use]
    pub fn kept_in_part_as(self, path: PathBuf) -> Self {
        let mut all = unfinished();
        if let Some((_, kept)) = all.iter_mut().find(|(own, _)| *own == self.path) {
            *kept = Some(path);
        }
        drop(all);
        self
    }

    /// Gives the file its name, in the folder where it was begun; what had the name before is replaced.
    ///
    /// # Errors
    /// [`WriteError`] if the rest cannot be written or the file not be renamed; it is removed then.
    pub fn finish(mut self, path: &Path) -> Result<(), WriteError> {
        self.flush().map_err(|error| self.failed(error, path))?;
        fault::on(FileFault::Rename).map_err(|error| self.failed(error, path))?;
        let temporary = self.temporary.take();
        let persisted = temporary.map_or(Ok(()), |temporary| temporary.persist(path));
        persisted.map_err(|error| WriteError { path: path.to_owned(), source: error.error })
    }

    /// The reason why this file, which was to become `path`, cannot be written: what the system said, if it did,
    /// or the `error` of whatever writes through it.
    pub fn failed(&self, error: io::Error, path: &Path) -> WriteError {
        let source = self.failure.map_or(error, io::Error::from_raw_os_error);
        WriteError { path: path.to_owned(), source }
    }

    fn note<T>(&mut self, outcome: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &outcome {
            self.failure = self.failure.or(error.raw_os_error());
        }
        outcome
    }

    /// Like [`UnfinishedFile::finish`], and the file is on the disk when this returns: neither a crash of the
    /// system nor a loss of power takes it away.
    ///
    /// # Errors
    /// As for [`UnfinishedFile::finish`].
    pub fn finish_durably(mut self, path: &Path) -> Result<(), WriteError> {
        let fail = |source| WriteError { path: path.to_owned(), source };
        self.flush().map_err(|error| self.failed(error, path))?;
        fault::on(FileFault::Sync).map_err(fail)?;
        self.writer.get_ref().sync_all().map_err(fail)?;
        self.finish(path)?;
        fault::on(FileFault::SyncOfFolder).map_err(fail)?;
        // The new name is in the folder, which has to reach the disk as well.
        #[cfg(unix)]
        File::open(folder_of(path)).and_then(|folder| folder.sync_all()).map_err(fail)?;
        Ok(())
    }
}

impl Write for UnfinishedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let outcome = self.writer.write(bytes);
        self.note(outcome)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.writer.flush();
        let outcome = outcome.and_then(|()| fault::on_writing(self.writer.get_ref()));
        self.note(outcome)
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        unfinished().retain(|(path, _)| *path != self.path);
    }
}

fn unfinished() -> std::sync::MutexGuard<'static, Vec<(PathBuf, Option<PathBuf>)>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes `path` through `fill`; the file appears under its name only when it is complete.
///
/// # Errors
/// [`WriteError`] if the folder does not exist, is not writable, or the disk is full.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let mut file = begin(path)?;
    let filled = fill(&mut file);
    end(file, filled, path)
}

/// The part of [`write_atomically`] before it is filled.
fn begin(path: &Path) -> Result<UnfinishedFile, WriteError> {
    UnfinishedFile::create(folder_of(path))
        .map_err(|error| WriteError { path: path.to_owned(), source: error.source })
}

/// The part of [`write_atomically`] after it was `filled`.
fn end(file: UnfinishedFile, filled: io::Result<()>, path: &Path) -> Result<(), WriteError> {
    filled.map_err(|error| file.failed(error, path))?;
    file.finish(path)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates `folder` and its parents, proves that files can be made in it, and removes unfinished files that
/// killed processes left there.
///
/// # Errors
/// [`WriteError`] naming the folder if it is a file, cannot be made, or is not writable.
pub fn create_output_folder(folder: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(folder).map_err(|source| WriteError {
        path: folder.to_owned(),
        source: dangling_link(folder)
            .filter(|_| source.kind() == io::ErrorKind::AlreadyExists)
            .unwrap_or(source),
    })?;
    UnfinishedFile::create(folder)?;
    remove_left_behind(folder);
    Ok(())
}

/// The link on the way to a folder that leads nowhere, of which the system says only that it exists.
fn dangling_link(folder: &Path) -> Option<io::Error> {
    let link = folder.ancestors().find(|path| path.is_symlink() && !path.exists())?;
    let target = fs::read_link(link).ok()?;
    let message = format!("`{}` is a link to `{}`, which is not there", link.display(), target.display());
    Some(io::Error::new(io::ErrorKind::NotFound, message))
}

/// Removes the unfinished files of this process, which is about to end without unwinding, but for what is to be kept of them in
/// part; gives the names of that.
pub fn abandon_all() -> Vec<PathBuf> {
    let mut kept = Vec::new();
    for (unfinished, name) in unfinished().drain(..) {
        match name {
            Some(name) if keep_lines(&unfinished, &name).is_ok() => kept.push(name),
            // Nobody is left to be told; the next process tries again.
            _ => drop(fs::remove_file(unfinished)),
        }
    }
    kept
}

/// Gives a file a name, without a line at its end that is not whole; an error where no line follows the first, which names the
/// columns.
fn keep_lines(unfinished: &Path, name: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(unfinished)?;
    let length = file.metadata()?.len();
    let start = length.saturating_sub(LONGEST_END);
    file.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let mut ends = (0..end.len()).rev().filter(|index| end[*index] == b'\n');
    let last = ends.next().filter(|_| start > 0 || ends.next().is_some());
    let last = last.ok_or(io::ErrorKind::UnexpectedEof)?;
    file.set_len(start + last as u64 + 1)?;
    fs::rename(unfinished, name)
}

/// Removes what killed processes left in a folder. What cannot be removed stays, and does no harm.
fn remove_left_behind(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_unfinished = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_unfinished && is_file && is_left_behind(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process holds an unfinished file, and it is old or its process is gone.
fn is_left_behind(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    let is_old = modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > LEFT_BEHIND));
    (is_old || is_of_a_dead_process(path)) && file.try_lock().is_ok()
}

/// Whether the system lists its processes, and not that which an unfinished file is named after.
fn is_of_a_dead_process(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let process = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
    let listed = |process: u32| Path::new("/proc").join(process.to_string()).exists();
    process.is_some_and(|owner| listed(process::id()) && !listed(owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "whole, and older";

    /// A folder with a file in it, and what is done to write another one of that name.
    fn rewritten(
        fault: FileFault,
        finish: impl FnOnce(UnfinishedFile, &Path) -> Result<(), WriteError>,
    ) -> (Result<(), WriteError>, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result.csv");
        fs::write(&path, OLD).expect("a file");
        let outcome = fault::in_file(fault, || {
            let mut file = UnfinishedFile::create(folder.path())?;
            file.write_all(b"newer than that").expect("it fits into the memory");
            finish(file, &path)
        });
        if let Err(error) = &outcome {
            assert_eq!(error.path, path, "the error names the file");
        }
        let files: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
        assert_eq!(files.len(), 1, "{fault:?} leaves something behind: {files:?}");
        (outcome, fs::read_to_string(&path).expect("the file is there"))
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_earlier_one_whole() {
        for fault in [FileFault::ShortWrite, FileFault::Rename] {
            let (outcome, text) = rewritten(fault, |file, path| file.finish(path));
            assert!(outcome.is_err() && text == OLD, "{fault:?}: {outcome:?}, {text:?}");
        }
        for fault in [FileFault::ShortWrite, FileFault::Rename, FileFault::Sync] {
            let (outcome, text) = rewritten(fault, |file, path| file.finish_durably(path));
            assert!(outcome.is_err() && text == OLD, "{fault:?}: {outcome:?}, {text:?}");
        }
        let (outcome, _) = rewritten(FileFault::ShortWrite, |file, path| file.finish(path));
        assert!(outcome.is_err_and(|error| error.wants_room()), "the disk is full, and the error says so");
    }

    #[test]
    fn whole_lines_of_a_file_are_kept_where_the_process_ends_without_finishing_it() {
        for (text, expected) in [
            ("t,x\n0,1\n1,2\n2,", Some("t,x\n0,1\n1,2\n")),
            ("t,x\n0,1\n", Some("t,x\n0,1\n")),
            ("t,x\n0,", None),
            ("", None),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let [unfinished, name] = ["unfinished", "rows.partial.csv"].map(|name| folder.path().join(name));
            fs::write(&unfinished, text).expect("a file");
            assert_eq!(keep_lines(&unfinished, &name).is_ok(), expected.is_some(), "{text:?}");
            assert_eq!(fs::read_to_string(&name).ok().as_deref(), expected);
        }
    }

    /// Then nobody knows which of the two survives a loss of power; either is whole.
    #[test]
    fn a_folder_that_is_not_known_to_be_on_the_disk_is_an_error_too() {
        let (outcome, text) = rewritten(FileFault::SyncOfFolder, |file, path| file.finish_durably(path));
        assert!(outcome.is_err());
        assert_eq!(text, "newer than that");
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_what_others_write_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let ours = UnfinishedFile::create(folder.path()).expect("it can be made");
        // No system numbers that many processes.
        let dead = folder.path().join(format!("{PREFIX}{}-left", u32::MAX));
        // Of this process, which may just be about to hold it.
        let young = folder.path().join(format!("{PREFIX}{}-young", process::id()));
        for path in [&dead, &young] {
            fs::write(path, "half").expect("a file");
        }
        create_output_folder(folder.path()).expect("it is there");
        assert!(young.exists() && ours.path.exists());
        assert_eq!(dead.exists(), !Path::new("/proc/self").exists());
    }

    #[test]
    fn writing_through_a_closure_fails_alike() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        for fault in [FileFault::ShortWrite, FileFault::Rename] {
            let outcome = fault::in_file(fault, || write_atomically(&path, |out| out.write_all(b"page")));
            assert_eq!(outcome.expect_err("it cannot be written").path, path);
            assert!(!path.exists(), "half a file stands under its name");
        }
    }
}
