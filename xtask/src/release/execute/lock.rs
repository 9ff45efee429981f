//! One release at a time from one clone: a lock that ends with the process, however that ends.

use crate::release::edge::Place;
use anyhow::{Context, Result};
use jiff::Timestamp;
use std::{
    fs::{File, TryLockError},
    io::{Read, Seek, Write},
    process,
};

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, or says who holds it.
    ///
    /// # Errors
    /// When there is no repository, or its folder cannot be written.
    pub(crate) fn take(place: &Place) -> Result<Result<Self, String>> {
        let root = place.root()?;
        let path = place.notes()?.join("lock");
        let cannot = || format!("the lock {} cannot be taken", path.display());
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                file.read_to_string(&mut holder).with_context(cannot)?;
                return Ok(Err(holder.trim().to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
        }
        file.set_len(0).with_context(cannot)?;
        file.rewind().with_context(cannot)?;
        let (id, now) = (process::id(), Timestamp::now());
        writeln!(file, "process {id}, in {}, since {now:.0}", root.display()).with_context(cannot)?;
        Ok(Ok(Self { _file: file }))
    }
}
