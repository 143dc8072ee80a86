//! Blocks of bytes one after another, in a table: what a read model loads at the start.

use std::io;

use plybook_store::{Cursor, Log, Store, Table, TableError, TableId, TableWriter, Tables};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::manifest::{Applied, ListedTable, Manifest, keep_only};

/// The most items of a list in a block; few in tests, so that they have several.
const BLOCK_ITEMS: usize = if cfg!(test) { 4 } else { 1024 };

/// The most bytes of items in a block.
const BLOCK_BYTES: usize = if cfg!(test) { 64 } else { 1 << 18 };

/// Writes blocks.
pub(super) struct BlockWriter {
    table: TableWriter,
    next: u64,
}

/// Reads blocks in the order in which they were written.
pub(super) struct BlockReader<'t> {
    table: &'t Table,
    cursor: Cursor<'t>,
    next: u64,
}

/// A read model that is saved whole: a table of blocks, and a manifest that says which one counts.
pub(super) struct BlockFile {
    tables: Tables,
    log: Log,
    version: String,
}

#[derive(Serialize, Deserialize)]
struct Listed {
    blocks: ListedTable,
}

impl BlockWriter {
    pub fn new(table: TableWriter) -> Self {
        Self { table, next: 0 }
    }

    /// Writes the next block.
    pub fn push(&mut self, block: &[u8]) -> io::Result<()> {
        self.table.push((self.next, 0), block)?;
        self.next += 1;
        Ok(())
    }

    /// Writes items in blocks, as JSON. An empty block says that there are no more.
    pub fn push_list<T: Serialize>(&mut self, items: impl IntoIterator<Item = T>) -> io::Result<()> {
        let mut items = items.into_iter();
        loop {
            let block: Vec<T> = items.by_ref().take(BLOCK_ITEMS).collect();
            self.push(&serde_json::to_vec(&block)?)?;
            if block.is_empty() {
                return Ok(());
            }
        }
    }

    /// Writes items of one length: a block with their number, and blocks of items.
    pub fn push_items<const N: usize>(&mut self, items: impl ExactSizeIterator<Item = [u8; N]>) -> io::Result<()> {
        self.push(&(items.len() as u64).to_be_bytes())?;
        let mut block: Vec<u8> = Vec::with_capacity(BLOCK_BYTES + N);
        for item in items {
            block.extend_from_slice(&item);
            if block.len() >= BLOCK_BYTES {
                self.push(&block)?;
                block.clear();
            }
        }
        if block.is_empty() { Ok(()) } else { self.push(&block) }
    }

    /// Syncs what was written.
    pub fn finish(self) -> io::Result<TableId> {
        self.table.finish(&[])
    }
}

impl<'t> BlockReader<'t> {
    pub fn new(table: &'t Table) -> Result<Self, TableError> {
        Ok(Self { table, cursor: table.cursor()?, next: 0 })
    }

    /// The next block.
    pub fn next(&mut self) -> Result<&[u8], TableError> {
        if self.next > 0 {
            self.cursor.advance()?;
        }
        if self.cursor.key() != Some((self.next, 0)) {
            return Err(self.damaged());
        }
        self.next += 1;
        Ok(self.cursor.value())
    }

    /// The next block, read by `read`, which returns `None` if it makes no sense.
    pub fn read<T>(&mut self, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, TableError> {
        let read = read(self.next()?);
        read.ok_or_else(|| self.damaged())
    }

    /// Reads items that were written as a list.
    pub fn read_list<T: DeserializeOwned>(&mut self, mut add: impl FnMut(T)) -> Result<(), TableError> {
        loop {
            let items: Vec<T> = self.read(|block| serde_json::from_slice(block).ok())?;
            if items.is_empty() {
                return Ok(());
            }
            items.into_iter().for_each(&mut add);
        }
    }

    /// Reads items that were written as those of one length.
    pub fn read_items<const N: usize, T>(&mut self, mut item: impl FnMut([u8; N]) -> T) -> Result<Vec<T>, TableError> {
        let len = self.read(|len| usize::try_from(u64::from_be_bytes(len.try_into().ok()?)).ok())?;
        // Lists that grow while they are read would take up to twice as much.
        let mut items = Vec::new();
        items.try_reserve_exact(len).map_err(|_| self.damaged())?;
        while items.len() < len {
            self.read(|block| {
                let (block, rest) = block.as_chunks::<N>();
                items.extend(block.iter().map(|bytes| item(*bytes)));
                (rest.is_empty() && !block.is_empty() && items.len() <= len).then_some(())
            })?;
        }
        Ok(items)
    }

    /// The error for blocks that make no sense.
    pub fn damaged(&self) -> TableError {
        self.table.damaged()
    }
}

#[cfg(test)]
impl BlockFile {
    /// What is written, as it is read again.
    pub fn reread<T>(
        write: impl FnOnce(&mut BlockWriter) -> io::Result<()>,
        read: impl FnOnce(&mut BlockReader<'_>) -> Result<T, TableError>,
    ) -> Result<T, TableError> {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), &plybook_store::Options::DEFAULT, &mut |_, _| ()).unwrap();
        let tables = store.tables("test").unwrap().unwrap();
        let mut blocks = BlockWriter::new(tables.writer(0).unwrap());
        write(&mut blocks).unwrap();
        read(&mut BlockReader::new(&tables.table(&blocks.finish().unwrap())?)?)
    }
}

impl BlockFile {
    /// Opens a folder; `None` if the store keeps nothing on disk.
    pub fn open(store: &Store, folder: &str, version: String) -> io::Result<Option<Self>> {
        let tables = store.tables(folder)?;
        Ok(tables.map(|tables| Self { tables, log: store.log().clone(), version }))
    }

    /// Reads the blocks; also returns the position of the journal that they stand for. `None` if there are none of this version and
    /// this journal, or they are damaged.
    pub fn read<T>(&self, read: impl FnOnce(&mut BlockReader<'_>) -> Result<T, TableError>) -> Option<(T, u64)> {
        let Manifest { applied, listed, .. } = Manifest::<Listed>::read(&self.tables, &self.version, &self.log)?;
        let table = self.tables.table(&listed.blocks.id());
        let blocks = table.and_then(|table| read(&mut BlockReader::new(&table)?));
        let blocks = blocks.inspect_err(|why| tracing::warn!(%why, "what was saved is made again"));
        Some((blocks.ok()?, applied.position))
    }

    /// Removes everything.
    pub fn clear(&self) -> io::Result<()> {
        self.tables.clear()
    }

    /// Replaces the blocks by others, about so many bytes of them, that stand for a position of the journal. Until that is done,
    /// the old ones count.
    pub fn write(
        &self,
        position: u64,
        bytes: u64,
        write: impl FnOnce(&mut BlockWriter) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(applied) = Applied::before(position, &self.log) else { return Ok(()) };
        let mut blocks = BlockWriter::new(self.tables.writer(bytes)?);
        write(&mut blocks)?;
        let blocks = ListedTable::from(blocks.finish()?);
        Manifest::write(&self.tables, self.version.clone(), applied, Listed { blocks })?;
        keep_only(&self.tables, [blocks].into_iter());
        Ok(())
    }
}
