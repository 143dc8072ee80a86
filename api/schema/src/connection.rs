//! Relay connections: pages that stay correct while entries are added.

use std::ops::Range;

use async_graphql::SimpleObject;
use async_graphql::connection::{Connection, CursorType, Edge, EmptyFields};
use plybook_service::error::Problem;

/// The most nodes on a page.
pub const PAGE_MAX: usize = 500;

/// The default number of nodes on a page.
pub const PAGE_DEFAULT: usize = 25;

/// Additional fields of a connection.
#[derive(SimpleObject)]
pub struct Total {
    /// The number of entries on all pages.
    pub total_count: u64,
}

/// The requested page, as received.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The number of entries from the start.
    pub first: Option<i32>,
    /// The number of entries from the end.
    pub last: Option<i32>,
    /// Only entries after this cursor.
    pub after: Option<String>,
    /// Only entries before this cursor.
    pub before: Option<String>,
}

impl Page {
    /// The number of nodes that the complexity limit counts.
    pub fn cost(first: Option<i32>, last: Option<i32>) -> usize {
        let asked = first.or(last).unwrap_or(PAGE_DEFAULT as i32);
        (asked.max(1) as usize).min(PAGE_MAX)
    }

    /// Cuts the page out of all items, which are sorted ascending by their cursors. A cursor names a place,
    /// not an item: it stays valid when items are added or removed.
    ///
    /// # Errors
    /// A cursor is malformed, or a size is negative or over [`PAGE_MAX`].
    pub fn cut<C: CursorType + Ord + Send + Sync, T, N: async_graphql::OutputType>(
        &self,
        items: &[T],
        cursor: impl Fn(&T) -> C,
        node: impl Fn(&T) -> N,
    ) -> Result<Connection<C, N, Total, EmptyFields>, Problem> {
        let range = self.range(items, &cursor)?;
        let total = Total { total_count: items.len() as u64 };
        let mut page = Connection::with_additional_fields(range.start > 0, range.end < items.len(), total);
        page.edges.extend(items[range].iter().map(|item| Edge::new(cursor(item), node(item))));
        Ok(page)
    }

    /// The range of the page within all items, which are sorted ascending by their cursors.
    ///
    /// # Errors
    /// As for [`Page::cut`].
    pub fn range<C: CursorType + Ord, T>(
        &self,
        items: &[T],
        cursor: impl Fn(&T) -> C,
    ) -> Result<Range<usize>, Problem> {
        let PageBounds { after, before, len, is_last } = self.read()?;
        let from = after.map_or(0, |after| items.partition_point(|item| cursor(item) <= after));
        let to = before.map_or(items.len(), |before| items.partition_point(|item| cursor(item) < before)).max(from);
        Ok(if is_last { from.max(to.saturating_sub(len))..to } else { from..to.min(from + len) })
    }

    /// Parses the request.
    ///
    /// # Errors
    /// As for [`Page::cut`].
    pub fn read<C: CursorType>(&self) -> Result<PageBounds<C>, Problem> {
        let (first, last) = (size("first", self.first)?, size("last", self.last)?);
        if first.is_some() && last.is_some() {
            return Err(Problem::BadInput("give `first` or `last`, not both".to_owned()));
        }
        Ok(PageBounds {
            after: self.after.as_deref().map(|after| read("after", after)).transpose()?,
            before: self.before.as_deref().map(|before| read("before", before)).transpose()?,
            len: first.or(last).unwrap_or(PAGE_DEFAULT),
            is_last: last.is_some(),
        })
    }
}

/// The requested page, parsed from a [`Page`].
pub struct PageBounds<C> {
    /// Only entries after this cursor.
    pub after: Option<C>,
    /// Only entries before this cursor.
    pub before: Option<C>,
    /// The most nodes.
    pub len: usize,
    /// Whether to take the last nodes instead of the first.
    pub is_last: bool,
}

fn size(name: &str, asked: Option<i32>) -> Result<Option<usize>, Problem> {
    match asked {
        None => Ok(None),
        Some(asked) if (0..=PAGE_MAX as i32).contains(&asked) => Ok(Some(asked as usize)),
        Some(asked) => Err(Problem::BadInput(format!("`{name}` is a number from 0 to {PAGE_MAX}, not {asked}"))),
    }
}

fn read<C: CursorType>(name: &str, text: &str) -> Result<C, Problem> {
    C::decode_cursor(text).map_err(|_| Problem::BadInput(format!("`{name}` is not a cursor of this connection")))
}
