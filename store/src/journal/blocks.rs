//! The compressed form of a closed segment: a zstd file, whose text can be read frame by frame.
//!
//! ```text
//! <zstd frame> <zstd frame> … <skippable frame>
//! ```
//!
//! Each frame holds whole groups, and the first one the segment's first line as well. The skippable frame, which `zstdcat`
//! passes over, is the seek table. Its numbers have 8 bytes and are big-endian:
//!
//! ```text
//! 50 2a 4d 18 <length, 4 bytes, little-endian>     as zstd has it
//! <position> <offset in the text> <offset in the file>     for each frame: of its first event, of its first byte
//! <position after the last event> <bytes of the text> <number of frames> <check>
//! ```
//!
//! `check` is the first 8 bytes of `SHA-256("plybook/blocks/v1" || 0 || the position of the segment's first event || the table
//! up to the check)`. Each frame has zstd's checksum, and each group in it its own.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use plybook_events::Hash;
use zstd::zstd_safe::CParameter;

const DOMAIN: &[u8] = b"plybook/blocks/v1\0";

/// What a skippable frame starts with; its length follows.
const MAGIC: [u8; 4] = 0x184d_2a50_u32.to_le_bytes();
const MAGIC_BYTES: usize = 8;

/// The bytes of a block in the index.
const ROW_BYTES: usize = 24;

/// The bytes of the index after its last block, of which the check is the last.
const TAIL_BYTES: usize = 32;
const CHECK_BYTES: usize = 8;

/// No block has a longer text, in bytes. Only an append of that size could make one.
pub(super) const TEXT_BYTES_MAX: u64 = 256 << 20;

/// No index is longer, in bytes: this is enough for half a terabyte of text.
const INDEX_BYTES_MAX: u64 = 64 << 20;

/// How hard zstd tries: a segment is compressed once, in the background, and kept for ever. See `docs/benchmarks.md`.
const LEVEL: i32 = 9;

/// Where a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The position of its first event.
    pub position: u64,
    /// Where its text starts in the text of the segment, in bytes.
    pub text_offset: u64,
    /// Where it starts in the file, in bytes.
    pub offset: u64,
}

/// The index of a compressed segment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// In order; at least one.
    rows: Vec<Block>,
    /// The position after the last event.
    pub next: u64,
    /// The length of the text in bytes.
    pub text_bytes: u64,
    /// Where the index starts in the file, in bytes.
    end: u64,
}

impl Blocks {
    /// Reads the index at the end of the file of the segment that starts at `first`; or says what is wrong with it.
    pub(super) fn read(file: &File, first: u64) -> io::Result<Result<Self, &'static str>> {
        const WRONG: &str = "its index of blocks is damaged";
        let len = file.metadata()?.len();
        let mut tail = [0; TAIL_BYTES];
        let Some(tail_at) = len.checked_sub(TAIL_BYTES as u64) else { return Ok(Err(WRONG)) };
        file.read_exact_at(&mut tail, tail_at)?;
        // A file may claim any number of blocks.
        let rows = number(&tail[16..24]).checked_mul(ROW_BYTES as u64);
        let end = rows.and_then(|rows| tail_at.checked_sub(rows)?.checked_sub(MAGIC_BYTES as u64));
        let Some(end) = end.filter(|end| len - end <= INDEX_BYTES_MAX) else { return Ok(Err(WRONG)) };
        let mut index = vec![0; (len - end) as usize];
        file.read_exact_at(&mut index, end)?;
        Ok(Self::parse(&index, first, end).ok_or(WRONG))
    }

    fn parse(index: &[u8], first: u64, end: u64) -> Option<Self> {
        let (magic, content) = index.split_at_checked(MAGIC_BYTES)?;
        let (checked, check) = content.split_last_chunk()?;
        let len = u32::try_from(content.len()).ok()?;
        if magic != [MAGIC, len.to_le_bytes()].concat() || *check != check_of(first, checked) {
            return None;
        }
        let (table, tail) = content.split_at_checked(content.len().checked_sub(TAIL_BYTES)?)?;
        let block = |row: &[u8]| Block {
            position: number(&row[..8]),
            text_offset: number(&row[8..16]),
            offset: number(&row[16..24]),
        };
        let rows: Vec<Block> = table.chunks_exact(ROW_BYTES).map(block).collect();
        let (next, text_bytes) = (number(&tail[..8]), number(&tail[8..16]));
        let found = Self { rows, next, text_bytes, end };
        found.is_in_order(first).then_some(found)
    }

    /// Whether blocks follow one another from the start of the file to its index.
    fn is_in_order(&self, first: u64) -> bool {
        let starts = Block { position: first, text_offset: 0, offset: 0 };
        let is_after = |n: usize| {
            let (before, after) = (self.rows[n], self.start(n + 1));
            before.position < after.position
                && before.offset < after.offset
                && before.text_offset < after.text_offset
                && after.text_offset - before.text_offset <= TEXT_BYTES_MAX
        };
        self.rows.first() == Some(&starts) && (0..self.rows.len()).all(is_after)
    }

    /// The number of blocks.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Where a block starts, or, of the number of blocks, where the last one ends.
    pub(super) fn start(&self, n: usize) -> Block {
        let end = Block { position: self.next, text_offset: self.text_bytes, offset: self.end };
        self.rows.get(n).copied().unwrap_or(end)
    }

    /// The block that holds an event.
    pub(super) fn with_event(&self, position: u64) -> usize {
        self.rows.partition_point(|block| block.position <= position).saturating_sub(1)
    }

    /// The block that holds a byte of the text.
    pub(super) fn with_byte(&self, text_offset: u64) -> usize {
        self.rows.partition_point(|block| block.text_offset <= text_offset).saturating_sub(1)
    }

    /// Reads the text of a block, or says what is wrong with it.
    pub(super) fn text(&self, file: &File, n: usize) -> io::Result<Result<Vec<u8>, &'static str>> {
        const WRONG: &str = "a block cannot be decompressed";
        let (start, end) = (self.start(n), self.start(n + 1));
        if file.metadata()?.len() < end.offset {
            return Ok(Err("it was cut"));
        }
        let (frame_bytes, len) = ((end.offset - start.offset) as usize, (end.text_offset - start.text_offset) as usize);
        if frame_bytes > zstd::zstd_safe::compress_bound(len) {
            return Ok(Err(WRONG));
        }
        let mut frame = vec![0; frame_bytes];
        file.read_exact_at(&mut frame, start.offset)?;
        let text = zstd::bulk::decompress(&frame, len).ok();
        Ok(text.filter(|text| text.len() == len).ok_or(WRONG))
    }
}

/// The bytes of an index with these blocks, in the file of the segment that starts at `first`; the other members are as in
/// [`Blocks`].
pub(super) fn index(first: u64, rows: &[Block], next: u64, text_bytes: u64) -> Vec<u8> {
    let mut content = Vec::with_capacity(rows.len() * ROW_BYTES + TAIL_BYTES);
    for block in rows {
        for number in [block.position, block.text_offset, block.offset] {
            content.extend_from_slice(&number.to_be_bytes());
        }
    }
    content.extend_from_slice(&next.to_be_bytes());
    content.extend_from_slice(&text_bytes.to_be_bytes());
    content.extend_from_slice(&(rows.len() as u64).to_be_bytes());
    content.extend_from_slice(&check_of(first, &content));
    let len = u32::try_from(content.len()).expect("no segment has a hundred million blocks");
    [&MAGIC[..], &len.to_le_bytes(), &content].concat()
}

/// Compresses the text of a block into a frame with a checksum.
pub(super) fn compress(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.compress(text)
}

fn check_of(first: u64, checked: &[u8]) -> [u8; CHECK_BYTES] {
    let Hash(hash) = Hash::of_parts(&[DOMAIN, &first.to_be_bytes(), checked]);
    hash[..CHECK_BYTES].try_into().expect("8 of 32 bytes")
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_be_bytes(bytes.try_into().expect("the caller takes 8 bytes"))
}
